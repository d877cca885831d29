/** CP-SAT on TelaMalloc's encoding, as the page has it: the same model, in this process. */
import { readFileSync } from 'node:fs'
import { CpModel, CpSolver } from 'or-tools-wasm/cp-sat'
import { faultOf } from '../../../web/src/run/compare/packing'
import { packingModel } from '../../../web/src/run/compare/packing_cp'
import { Core } from '../../client/core'
import { loadExports } from '../../client/module'

const OUTCOMES: Record<string, string> = { OPTIMAL: 'feasible', FEASIBLE: 'feasible', INFEASIBLE: 'infeasible' }

/** Of the clock for each second of its own, which a busy machine makes long. */
const CLOCK = 100

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
  const packing = { ...problem, capacity }
  await warmed()
  const begin = process.cpuUsage()
  const { model, offsets, pairs } = packingModel(CpModel, packing)
  const solver = new CpSolver()
  const limits = { maxDeterministicTime: seconds, maxTimeInSeconds: CLOCK * seconds }
  const status = solver.statusName(await solver.solve(model, { numSearchWorkers: 1, ...limits }))
  const { user, system } = process.cpuUsage(begin)
  const outcome = OUTCOMES[status] ?? 'running'
  if (outcome === 'feasible') {
    const fault = faultOf(
      packing,
      offsets((variable) => solver.value(variable)),
    )
    if (fault !== '') throw new Error(`${path}: CP-SAT's plan is none: ${fault}`)
  }
  const ms = (user + system) / 1000
  return { outcome, ms, nodes: Number(solver.numBranches), pairs, buffers: problem.count }
}
