/** A problem that was changed is run again at once where that took no time: whoever turns a knob wants to see what it does. */
import type { Session } from '../session'
import { workbench } from '../../state/workbench_cells'

/** A run that took no longer than this, in seconds, is made again. */
const AT_ONCE = 0.5

export async function changeAndRunAgain(session: Session, change: () => Promise<boolean>): Promise<boolean> {
  const before = workbench.run.get()
  const quick = before.kind === 'ended' && before.result.stats.seconds <= AT_ONCE
  const changed = await change()
  if (changed && quick) await session.run()
  return changed
}
