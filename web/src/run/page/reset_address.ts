import { looksLikeLink } from '../../state/share/recognize'
import { leaveLesson } from '../../state/lesson/lesson_workbench'
import { embedded } from '../../state/ui'
import { workbench } from '../../state/workbench_cells'

/** Another problem or another run: the hint has done its work, and the address no longer names what is shown. */
export function resetAddress(): void {
  leaveLesson.get()?.()
  workbench.hintShown.set(false)
  if (!embedded.get() && looksLikeLink(location.hash.slice(1)))
    history.replaceState(history.state, '', location.pathname + location.search)
}
