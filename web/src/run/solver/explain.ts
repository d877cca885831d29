/** Why does it not fit? Asks the worker for a small set of buffers that alone do not. */
import * as a from '../../state/atoms'
import { shownCapacity } from '../../state/derive'
import type { Session } from '../session'

let asked = 0

/** Resolves when the reason is known, or that there is none, or why it cannot be had. A newer question wins. */
export async function explain(session: Session): Promise<void> {
  asked += 1
  const mine = asked
  const problem = a.opened.get()
  const capacity = shownCapacity.get()
  if (problem === null) return
  const config = { capacity, seed: a.seed.get(), budget: a.budget.get() }
  const current = () => mine === asked && a.opened.get() === problem && a.why.get().kind === 'looking'
  a.why.set({ kind: 'looking', capacity, progress: null })
  a.whyShown.set(true)
  try {
    const explanation = await session.client.explain(config, (progress) => {
      if (current()) a.why.set({ kind: 'looking', capacity, progress })
    })
    if (current()) a.why.set({ kind: 'known', capacity, explanation })
  } catch (error) {
    if (current()) a.why.set({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
  }
}
