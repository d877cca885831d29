/** HiGHS and CP-SAT on a packing: what they find within a time. Each is fetched when it is first asked for. */
import type { Highs, Model } from 'highs'
import type { Packing } from './packing'

export type OtherId = 'ilp' | 'cp-sat'

export interface OtherTask {
  solver: OtherId
  packing: Packing
  /** TelaMalloc's figure 5 as the core writes it; '' where it is not asked for */
  program: string
  /** the call blocks, and may go on for some time behind it */
  seconds: number
}

export interface OtherEnd {
  outcome: 'feasible' | 'infeasible' | 'budget-spent'
  /** of the plan, in bytes; null: none */
  offsets: number[] | null
  seconds: number
  /** of the search tree */
  nodes: number
  /** between what is found and what is proven, as a share; null: nothing is known of it */
  gap: number | null
}

/** How far from a whole number a place may be. */
const WHOLE = 1e-6

/** Bytes of each buffer, by the program's variables; null: one of them is not whole. A buffer that no variable speaks of is alive at no time. */
function offsetsOf(model: Model, { packing, program }: OtherTask): number[] | null {
  const unit = Number(/units of (\d+) bytes/.exec(program)?.[1] ?? 1)
  const offsets = Array.from(packing.fixed, (at) => Math.max(0, at))
  for (const [column, value] of Array.from(model.getSolution().colValue).entries()) {
    const buffer = /^p_(\d+)$/.exec(model.getColName(column))?.[1]
    if (buffer === undefined) continue
    const place = Math.round(value)
    if (Math.abs(value - place) > WHOLE) return null
    const grain = packing.alignment[Number(buffer)] ?? 1
    offsets[Number(buffer)] = place * (grain > 1 ? grain : unit)
  }
  return offsets
}

function byHighs(highs: Highs, task: OtherTask): OtherEnd {
  const { modelStatus, solutionStatus } = highs.constants
  return highs.withModel({ format: 'lp', data: task.program }, (model): OtherEnd => {
    model.options.set({ time_limit: task.seconds, mip_rel_gap: 0, output_flag: false })
    model.run()
    const none = model.getModelStatus() === modelStatus.infeasible
    // on a limit there is a vector all the same, and it means nothing
    const some = model.info.get('primal_solution_status') === solutionStatus.feasible
    const plan = some ? offsetsOf(model, task) : null
    return {
      outcome: none ? 'infeasible' : plan === null ? 'budget-spent' : 'feasible',
      offsets: plan,
      seconds: model.getRunTime(),
      nodes: Math.max(0, Number(model.info.get('mip_node_count'))),
      gap: some ? Number(model.info.get('mip_gap')) : null,
    }
  })
}

async function byCpSat({ packing, seconds }: OtherTask): Promise<OtherEnd> {
  const [{ CpModel, CpSolver }, { packingModel }] = await Promise.all([
    import('or-tools-wasm/cp-sat'),
    import('./packing_cp'),
  ])
  const { model, offsets } = packingModel(CpModel, packing)
  const solver = new CpSolver()
  const status = solver.statusName(await solver.solve(model, { numSearchWorkers: 1, maxTimeInSeconds: seconds }))
  const some = status === 'OPTIMAL' || status === 'FEASIBLE'
  return {
    outcome: some ? 'feasible' : status === 'INFEASIBLE' ? 'infeasible' : 'budget-spent',
    offsets: some ? offsets((variable) => solver.value(variable)) : null,
    seconds: solver.wallTime,
    nodes: Number(solver.numBranches),
    gap: some ? 0 : null,
  }
}

export async function solveOther(task: OtherTask): Promise<OtherEnd> {
  return task.solver === 'cp-sat' ? byCpSat(task) : byHighs(await (await import('highs')).default(), task)
}
