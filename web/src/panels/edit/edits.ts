/** Edits are not needed to look at a search: they come while the browser is idle. */
import { Later } from '../../base/later'
import type { Actions } from '../../run/actions'
import { sayWhy } from '../../state/atoms'

export const edits = new Later(() => import('../../run/edit/edit'))

/** One edit back, or on. */
export async function travel(actions: Actions, by: -1 | 1): Promise<void> {
  const part = await edits.get().catch((error: Error) => error)
  if (part instanceof Error) sayWhy(part, 'Nothing was changed.')
  else await part.travel(actions.session, by)
}
