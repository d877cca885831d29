/** CP-SAT on TelaMalloc's encoding, as the page has it: the same model, in this process. */
import { readFileSync } from 'node:fs'
import { CpModel, CpSolver } from 'or-tools-wasm/cp-sat'
import { packingModel } from '../../web/src/run/compare/packing_cp'
import { Core } from '../client/core'
import { loadExports } from '../client/module'

const OUTCOMES: Record<string, string> = { OPTIMAL: 'feasible', FEASIBLE: 'feasible', INFEASIBLE: 'infeasible' }

/** Of the clock for each second of its own, which a busy machine makes long. */
const CLOCK = 20

/** The module is fetched and compiled by its first call, which is no part of a solve. */
let ready: Promise<unknown> | null = null
function warmed() {
  const model = new CpModel()
  model.newIntVar(0, 1)
  ready ??= new CpSolver().solve(model, { numSearchWorkers: 1 })
  return ready
}

/** Within so many of CP-SAT's deterministic seconds; milliseconds are of the processor. Throws if the core refuses the problem or a plan overlaps itself. */
export async function solveByCpSat(wasm: BufferSource, path: string, capacity: number, seconds: number) {
  const core = new Core(await loadExports(wasm))
  const opened = core.open(readFileSync(path, 'utf8'))
  if (!opened.ok) throw new Error(`${path}: ${opened.errors[0]?.message}`)
  const { problem } = opened
  await warmed()
  const begin = process.cpuUsage()
  const { model, offsets, pairs } = packingModel(CpModel, { ...problem, capacity })
  const solver = new CpSolver()
  const limits = { maxDeterministicTime: seconds, maxTimeInSeconds: CLOCK * seconds }
  const status = solver.statusName(await solver.solve(model, { numSearchWorkers: 1, ...limits }))
  const { user, system } = process.cpuUsage(begin)
  const outcome = OUTCOMES[status] ?? 'running'
  if (outcome === 'feasible') {
    const at = offsets((variable) => solver.value(variable))
    for (const [i, j] of overlapping(problem.lower, problem.upper, problem.size, at))
      throw new Error(`${path}: buffers ${i} and ${j} overlap in a plan of CP-SAT`)
  }
  const ms = (user + system) / 1000
  return { outcome, ms, nodes: Number(solver.numBranches), pairs, buffers: problem.count }
}

function* overlapping(lower: Float64Array, upper: Float64Array, size: Float64Array, at: readonly number[]) {
  for (let i = 0; i < at.length; i++)
    for (let j = 0; j < i; j++) {
      const alive = (lower[i] as number) < (upper[j] as number) && (lower[j] as number) < (upper[i] as number)
      const [a, b] = [at[i] as number, at[j] as number]
      if (alive && a < b + (size[j] as number) && b < a + (size[i] as number)) yield [i, j]
    }
}
