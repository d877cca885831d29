/** Edits and their history are not needed to look at a search: they come while the browser is idle, and remember from then on. */
import { Later } from '../base/later'
import type { Actions } from '../run/actions'

export const edits = new Later(async () => {
  const part = await import('../run/edit')
  part.watch()
  return part
})

/** One edit back, or on. */
export async function travel(actions: Actions, by: -1 | 1): Promise<void> {
  const part = await edits.get().catch(() => null)
  await part?.travel(actions.session, by)
}
