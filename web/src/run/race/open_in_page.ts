import type { RunConfig } from '../../../../wasm/client/types'
import { goalOf } from '../../state/workbench'
import { workbench } from '../../state/workbench_cells'
import type { Session } from '../session'

/** Leaves the comparison for one of its runs, run by the page itself. */
export async function openInPage(session: Session, config: RunConfig): Promise<void> {
  workbench.solver.set(config.solver)
  workbench.goal.set(goalOf(config))
  workbench.options.update((all) => ({ ...all, [config.solver]: config.options }))
  workbench.capacity.set(config.capacity)
  workbench.seed.set(config.seed)
  workbench.budget.set(config.budget)
  workbench.mode.set('search')
  await session.run(config)
}
