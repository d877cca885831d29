/** “solve” without models: a CSV of buffers, as the whole command solves it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { Core } from '../../../wasm/client/core'
import { loadExports } from '../../../wasm/client/module'
import { ClientError } from '../../../wasm/client/types'
import { type Asked, solve, statusOf, summary } from '../model_solve'
import { Usage } from '../usage'

const MORE =
  'models, logs, snapshots and “convert” are of the package arenascope-models: npm install arenascope-models, and this command has them.'
const HELP = `usage: npx arenascope solve [--capacity=BYTES] [--solver=ID] [--steps=N] [--seed=N] [--csv=FILE] FILE

FILE is a CSV of buffers (id, lower, upper, size), - is standard input. Without a capacity the least is looked for; --csv writes the buffers with their
offsets, to - for standard output. Exit status: 0 it fits; 1 it does not; 2 wrong usage; 3 undecided.
Besides, ${MORE}`

const count = (name: string, text: string): number => {
  const value = Number(text)
  if (text.trim() === '' || !Number.isSafeInteger(value) || value < 0)
    throw new Usage(`--${name}: “${text}” is no count`)
  return value
}

interface Given {
  path: string
  asked: Asked
  csv: string | undefined
}

/** null: help was asked for. */
function understood(args: string[]): Given | null {
  const text = { type: 'string' } as const
  const options = {
    capacity: text,
    solver: text,
    steps: text,
    seed: text,
    csv: text,
    help: { type: 'boolean' },
  } as const
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  if (values.help) return null
  const [first, ...rest] = positionals
  if (first === 'convert') throw new Usage(MORE)
  const [path, ...more] = first === 'solve' ? rest : positionals
  if (path === undefined || more.length > 0) throw new Usage('one file is solved at a time')
  const { capacity, solver, steps = '10000000', seed = '0', csv } = values
  const asked: Asked = {
    capacity: capacity === undefined ? undefined : count('capacity', capacity),
    profile: null,
    solver,
    steps: count('steps', steps),
    seed: count('seed', seed),
    options: {},
  }
  return { path, asked, csv }
}

/** The exit status. */
export async function solveBuffers(
  args: string[],
  wasm: () => Uint8Array<ArrayBuffer>,
  say: (line: string) => void,
  tell: (line: string) => void,
): Promise<number> {
  try {
    const given = understood(args)
    if (given === null) {
      say(HELP)
      return 0
    }
    const { path, asked, csv } = given
    const bytes = readFileSync(path === '-' ? 0 : path)
    // a model, or what gzip made
    if (bytes.includes(0)) throw new Usage(`${path} is no CSV of buffers: ${MORE}`)
    const name = path === '-' ? 'buffers' : basename(path).replace(/\.[^.]*$/, '')
    const core = new Core(await loadExports(wasm()))
    const solved = solve(core, name, bytes.toString('utf8'), false, asked)
    if (csv !== '-') say(summary(solved, asked.capacity))
    const status = statusOf(solved, asked.capacity)
    if (status === 0 && solved.best !== null && csv !== undefined) {
      writeFileSync(csv === '-' ? 1 : csv, core.exportCsv(solved.best))
    }
    return status
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (!(error instanceof Usage || error instanceof ClientError) && code === undefined) throw error
    tell(`npx arenascope: ${message}`)
    if (!message.includes(MORE)) tell(`npx arenascope --help says more; ${MORE}`)
    return 2
  }
}
