/** The instance that a row of a paper's table speaks of, in the page, and its run. */
import { BUDGET_DEFAULT } from '../../state/workbench_values'
import type { NetworkRow, Opening, RowRun } from '../../state/papers/papers'
import type { Actions } from '../actions'
import { sameOptions } from '../problem/example_settings'
import { openInPage } from '../race/open_in_page'
import { chooseTiling, openTasks } from '../tiles/make_tasks'
import { reading } from '../../state/atoms'
import { REPACKERS, runOf } from '../../state/model/repackers'
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
  const { network, lowering, tiles } = row
  const options = await parametersOfRow(row)
  await actions.model.openZoo(network, options)
  if (!standsOpen(network, options)) return false
  if (lowering !== undefined) await actions.model.lower(lowering)
  if (!standsOpen(network, options, lowering)) return false
  if (tiles === undefined) return true
  chooseTiling(tiles)
  return openTasks(actions, tiles.budget)
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
  if (!stands) return
  const fast = 'fast' in open ? open.fast : undefined
  if (fast === undefined) return runRow(actions, open)
  // what lives in fast memory is chosen step by step
  const by = REPACKERS.find(({ name }) => name === fast.repacker)
  if (by === undefined) throw new Error(`There is no repacker called ${fast.repacker}.`)
  const { solver, capacity, options } = runOf(by, fast.capacity)
  actions.page.showTab('model')
  await runRow(actions, { solver, capacity, settings: options, goal: 'traffic' })
}
