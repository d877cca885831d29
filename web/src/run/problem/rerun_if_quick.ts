/** A problem that was changed is run again at once where that took no time: whoever turns a knob wants to see what it does. */
import type { Session } from '../session'
import { workbench } from '../../state/workbench_cells'
import type { RunState } from '../../state/workbench_values'

/** A run that took no longer than this, in seconds, is made again. */
const AT_ONCE = 0.5

export function wasQuick(run: RunState): boolean {
  return run.kind === 'ended' && run.result.stats.seconds <= AT_ONCE
}

export async function changeAndRunAgain(session: Session, change: () => Promise<boolean>): Promise<boolean> {
  const quick = wasQuick(workbench.run.get())
  const changed = await change()
  if (changed && quick) await session.run()
  return changed
}
