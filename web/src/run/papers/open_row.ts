/** The instance that a row of a paper's table speaks of, in the page. */
import type { Opening } from '../../state/papers/papers'
import type { Actions } from '../actions'
import { workbench } from '../../state/workbench_cells'

/** A published one is not ours to open. */
export async function openRow(actions: Actions, open: Opening): Promise<void> {
  if ('published' in open) return
  workbench.mode.set('search')
  if ('generate' in open) {
    await actions.problem.generate(open.generate, open.n, open.seed)
    return
  }
  await actions.model.openZoo(open.network, open.options)
  const source = workbench.opened.get()?.source
  if (source?.kind !== 'model' || source.from.kind !== 'zoo' || source.from.id !== open.network) return
  if (open.lowering !== undefined) await actions.model.lower(open.lowering)
  if (open.capacity !== undefined) actions.solver.setCapacity(open.capacity)
  if (open.goal === 'traffic') await actions.solver.runFor('cosma', 'traffic')
  else await actions.session.run()
}
