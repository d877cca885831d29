/** Why does it not fit? Asks the worker for a small set of buffers that alone do not. */
import { ofUnfit, shownCapacity } from '../../state/workbench'
import type { Session } from '../session'
import { workbench } from '../../state/workbench_cells'

let asked = 0

/** Resolves when the reason is known, or that there is none, or why it cannot be had. A newer question wins. */
export async function explain(session: Session): Promise<void> {
  asked += 1
  const mine = asked
  const problem = workbench.opened.get()
  const capacity = shownCapacity.get()
  if (problem === null) return
  const config = { capacity, seed: workbench.seed.get(), budget: workbench.budget.get() }
  const current = () => mine === asked && workbench.opened.get() === problem && workbench.why.get().kind === 'looking'
  workbench.why.set({ kind: 'looking', capacity, progress: null })
  workbench.whyShown.set(true)
  // without it the set is only listed
  const stacking = ofUnfit.get().catch(() => undefined)
  try {
    const explanation = await session.client.explain(config, (progress) => {
      if (current()) workbench.why.set({ kind: 'looking', capacity, progress })
    })
    await stacking
    if (current()) workbench.why.set({ kind: 'known', capacity, explanation })
  } catch (error) {
    if (current())
      workbench.why.set({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
  }
}
