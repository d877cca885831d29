/** HiGHS and CP-SAT on a packing: what they find within a time. Each is fetched when it is first asked for. */
import type { Packing } from './packing'

export type OtherId = 'ilp' | 'cp-sat'

export interface OtherTask {
  solver: OtherId
  packing: Packing
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

async function byHighs({ packing, seconds }: OtherTask): Promise<OtherEnd> {
  const [{ default: load }, { packingProgram }] = await Promise.all([import('highs'), import('./packing_ilp')])
  const highs = await load()
  const { modelStatus, solutionStatus, variableType } = highs.constants
  const { data, offsets } = packingProgram(packing, variableType.integer, highs.infinity)
  return highs.withModel(data, (model): OtherEnd => {
    model.options.set({ time_limit: seconds, mip_rel_gap: 0, output_flag: false })
    model.run()
    const none = model.getModelStatus() === modelStatus.infeasible
    // on a limit there is a vector all the same, and it means nothing
    const some = model.info.get('primal_solution_status') === solutionStatus.feasible
    const plan = some ? offsets(model.getSolution().colValue) : null
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

export const solveOther = (task: OtherTask): Promise<OtherEnd> =>
  task.solver === 'ilp' ? byHighs(task) : byCpSat(task)
