/** The instance that a row of a paper's table speaks of, in the page, and its run. */
import { BUDGET_DEFAULT } from '../../state/workbench_values'
import type { NetworkRow, Opening, RowRun } from '../../state/papers/papers'
import type { Actions } from '../actions'
import { sameOptions } from '../problem/example_settings'
import { openInPage } from '../race/open_in_page'
import { chooseTiling, openTasks } from '../tiles/make_tasks'
import { reading } from '../../state/atoms'
import { REPACKERS } from '../../state/model/repackers'
import { zoo } from '../../state/model/zoo'
import { workbench } from '../../state/workbench_cells'

/** Its parameters in the zoo, which shows some networks from a later operator on: they were measured whole. */
export async function parametersOfRow({ network, options }: NetworkRow): Promise<Record<string, string>> {
  const { find } = await zoo.get()
  return find(network)?.show?.options?.first === undefined ? options : { first: '', ...options }
}

/** Whether the network stands open, with these parameters and, if it is given, with this lowering, and nothing is about to take its place. */
function standsOpen(id: string, options: Record<string, string>, lowering?: Record<string, string>): boolean {
  const source = reading.get() ? undefined : workbench.opened.get()?.source
  if (source?.kind !== 'model' || source.from.kind !== 'zoo' || source.from.id !== id) return false
  return sameOptions(source.from.options, options) && (lowering === undefined || sameOptions(source.lowering, lowering))
}

/** The network as it was measured, without what the zoo shows it with. Whether it, or its tasks, stand open then. */
async function openNetwork(actions: Actions, row: NetworkRow): Promise<boolean> {
  const { network, lowering, tiles, fast } = row
  const options = await parametersOfRow(row)
  await actions.model.openZoo(network, options)
  if (!standsOpen(network, options)) return false
  if (lowering !== undefined) await actions.model.lower(lowering)
  if (!standsOpen(network, options, lowering)) return false
  if (fast !== undefined) return choosePools(actions, fast)
  if (tiles === undefined) return true
  chooseTiling(tiles)
  return openTasks(actions, tiles.budget)
}

/** The row's own pools, which have a run of their own. */
async function choosePools(actions: Actions, { repacker, capacity }: { repacker: string; capacity: number }) {
  const { hasChosen, openPools, startChoosing } = await import('../model/selection')
  const at = REPACKERS.findIndex(({ name }) => name === repacker)
  void startChoosing(capacity, at)
  if (await hasChosen(at)) await openPools(actions, at)
  return false
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

/** A published one is not ours to open. Nothing is run if something else stands open in the end: it was refused, or a newer one was asked for. */
export async function openRow(actions: Actions, open: Opening): Promise<void> {
  if ('published' in open) return
  workbench.mode.set('search')
  const stands =
    'network' in open
      ? await openNetwork(actions, open)
      : await actions.problem.generate(open.generate, open.n, open.seed)
  // what could not be opened has been told
  if (stands) await runRow(actions, open)
}
