import type { RunConfig } from '../../../../wasm/client/types'
import { manifest } from '../../state/atoms'
import { keepSettings } from '../../state/model/selection'
import { allSolvers, goalOf } from '../../state/workbench'
import { workbench } from '../../state/workbench_cells'
import type { Session } from '../session'

/** Leaves the comparison for one of its runs, run by the page itself. */
export async function openInPage(session: Session, config: RunConfig): Promise<void> {
  const goals = allSolvers(manifest.get()).find(({ id }) => id === config.solver)?.goals ?? []
  keepSettings(config.solver)
  workbench.solver.set(config.solver)
  // who has but one goal has it whatever is asked for, and what was asked for is for the next solver
  if (goals.length !== 1) workbench.goal.set(goalOf(config))
  workbench.options.update((all) => ({ ...all, [config.solver]: config.options }))
  workbench.capacity.set(config.capacity)
  workbench.seed.set(config.seed)
  workbench.budget.set(config.budget)
  workbench.mode.set('search')
  await session.run(config)
}
