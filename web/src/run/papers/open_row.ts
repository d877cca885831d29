/** The instance that a row of a paper's table speaks of, in the page, and its run. */
import { BUDGET_DEFAULT } from '../../state/workbench_values'
import type { NetworkRow, Opening, RowRun } from '../../state/papers/papers'
import type { Actions } from '../actions'
import { openInPage } from '../race/open_in_page'
import { chooseTiling, openTasks } from '../tiles/make_tasks'
import { zoo } from '../../state/model/zoo'
import { workbench } from '../../state/workbench_cells'

/** Its parameters in the zoo, which shows some networks from a later operator on: they were measured whole. */
export async function parametersOfRow({ network, options }: NetworkRow): Promise<Record<string, string>> {
  const { find } = await zoo.get()
  return find(network)?.show?.options?.first === undefined ? options : { first: '', ...options }
}

/** The network as it was measured, without what the zoo shows it with. */
async function openNetwork(actions: Actions, row: NetworkRow): Promise<void> {
  const { network, lowering, tiles } = row
  await actions.model.openZoo(network, await parametersOfRow(row))
  const source = workbench.opened.get()?.source
  if (source?.kind !== 'model' || source.from.kind !== 'zoo' || source.from.id !== network) return
  if (lowering !== undefined) await actions.model.lower(lowering)
  if (tiles === undefined) return
  chooseTiling(tiles)
  await openTasks(actions, tiles.budget)
}

/** By the row's solver. The benches begin with the seed 0. */
async function runRow(actions: Actions, { capacity, solver, settings, budget, goal }: RowRun): Promise<void> {
  await openInPage(actions.session, {
    solver: solver ?? workbench.solver.get(),
    capacity: capacity ?? workbench.capacity.get(),
    seed: 0,
    budget: budget ?? BUDGET_DEFAULT,
    options: settings ?? {},
    ...(goal === undefined ? {} : { goal }),
  })
}

/** A published one is not ours to open. */
export async function openRow(actions: Actions, open: Opening): Promise<void> {
  if ('published' in open) return
  workbench.mode.set('search')
  const before = workbench.opened.get()
  if ('network' in open) await openNetwork(actions, open)
  else await actions.problem.generate(open.generate, open.n, open.seed)
  // what could not be opened has been told
  if (workbench.opened.get() !== before) await runRow(actions, open)
}
