/** HiGHS and CP-SAT on a buffer CSV in a terminal: what the page asks them in its workers, through their packages for Node. */
import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { Core } from '../../wasm/client/core'
import { loadExports } from '../../wasm/client/module'
import { ClientError } from '../../wasm/client/types'
import { type OtherId, solveOther } from '../src/run/compare/other_solve'
import { faultOf, lackOf } from '../src/run/compare/packing'

const USAGE = `usage: npm run --silent others -- FILE.csv --solver=ilp|cp-sat --capacity=N [--seconds=N] [--csv=FILE]

TelaMalloc's figure 5 in HiGHS, or its section 5.1 in CP-SAT, on the buffers of a CSV, for at most so many seconds (60). --csv: writes them with their
offsets. One line goes to standard output. Exit status: 0 it fits; 1 it cannot fit; 2 wrong usage, or not for these solvers; 3 undecided.
`
/** Bytes of a program. */
const MOST = 256_000_000

class Refused extends Error {}

interface Asked {
  path: string
  solver: OtherId
  capacity: number
  seconds: number
  csv: string | undefined
}

/** null: not kept to. */
function understood(args: string[]): Asked | 'help' | null {
  const text = { type: 'string' } as const
  const help = { type: 'boolean', default: false } as const
  const options = { solver: text, capacity: text, seconds: { ...text, default: '60' }, csv: text, help }
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  if (values.help) return 'help'
  const { solver, csv } = values
  const [capacity, seconds] = [Number(values.capacity), Number(values.seconds)]
  const [path] = positionals
  const kept = positionals.length === 1 && Number.isSafeInteger(capacity) && capacity >= 0 && seconds > 0
  if (path === undefined || !kept || (solver !== 'ilp' && solver !== 'cp-sat')) return null
  return { path, solver, capacity, seconds, csv }
}

async function solve({ path, solver, capacity, seconds, csv }: Asked, core: Core) {
  const opened = core.open(readFileSync(path, 'utf8'))
  if (!opened.ok) throw new Refused(`${path}: line ${opened.errors[0]?.line}: ${opened.errors[0]?.message}`)
  const { problem } = opened
  const lack = lackOf(problem)
  if (lack !== '') throw new Refused(`${solver} ${lack}`)
  const packing = { ...problem, capacity }
  const program = solver === 'ilp' ? core.packing(capacity, MOST) : ''
  if (program === null) throw new Refused(`${path}: a program of more than ${MOST} bytes`)
  const above = problem.lowerBound > capacity
  const end = above
    ? ({ outcome: 'infeasible', offsets: null, seconds: 0, nodes: 0, gap: null } as const)
    : await solveOther({ solver, packing, program, seconds })
  if (end.offsets !== null) {
    const fault = faultOf(packing, end.offsets)
    if (fault !== '') throw new Error(`${solver}: its plan is none: ${fault}`)
    if (csv !== undefined) writeFileSync(csv, core.exportCsv(Float64Array.from(end.offsets)))
  }
  return { ...end, count: problem.count }
}

/** The command's exit status. */
export async function main(
  args: string[],
  wasm: BufferSource,
  say: (line: string) => void,
  err: (text: string) => void,
) {
  try {
    const asked = understood(args)
    if (asked === 'help') {
      say(USAGE.trimEnd())
      return 0
    }
    if (asked === null) {
      err(USAGE)
      return 2
    }
    const { outcome, offsets, seconds, nodes, gap, count } = await solve(asked, new Core(await loadExports(wasm)))
    const parts = [`${basename(asked.path)}: ${count} buffers, ${outcome}, ${seconds.toFixed(3)} s, ${nodes} nodes`]
    if (gap !== null && Number.isFinite(gap)) parts.push(`gap ${(100 * gap).toFixed(2)} %`)
    say(parts.join(', '))
    return offsets !== null ? 0 : outcome === 'infeasible' ? 1 : 3
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (!(error instanceof Refused || error instanceof ClientError) && code === undefined) throw error
    err(`others: ${message}\n`)
    return 2
  }
}
