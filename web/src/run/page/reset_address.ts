import { looksLikeLink } from '../../state/share/validation'
import { interlude } from '../../state/lesson/lesson_stash'
import { embedded, hintShown } from '../../state/ui'

/** Another problem or another run: the hint has done its work, and the address no longer names what is shown. */
export function moveOn(): void {
  interlude.get()?.end()
  hintShown.set(false)
  if (!embedded.get() && looksLikeLink(location.hash.slice(1)))
    history.replaceState(null, '', location.pathname + location.search)
}
