/** The address of a link follows the step shown, so that what is copied from there shows what the page does. */
import { Cell } from '../../base/cell'
import { looksLikeLink } from '../../state/share/recognize'
import { urlFlagsOf, withUrlFlags } from '../../state/share/url_flags'
import { embedded } from '../../state/ui'
import { workbench } from '../../state/workbench_cells'

/** The step that the link of the address holds itself; -1: there is none */
export const linkedStep = new Cell(-1)

/** Browsers refuse an address that is changed too often. */
const AFTER = 300

function follow(): void {
  const fragment = location.hash.slice(1)
  const own = linkedStep.get()
  if (own < 0 || !looksLikeLink(fragment) || workbench.run.get().kind !== 'ended') return
  const at = workbench.cursor.get()
  const flags = urlFlagsOf(fragment)
  const step = at === own ? null : at
  if (flags.step !== step) history.replaceState(history.state, '', `#${withUrlFlags(fragment, { ...flags, step })}`)
}

/** From now on, once; where there is no address bar, never. */
export function followSteps(): void {
  if (following || embedded.get() || globalThis.location === undefined) return
  following = true
  let waiting = false
  workbench.cursor.subscribe(() => {
    if (waiting) return
    waiting = true
    setTimeout(() => {
      waiting = false
      follow()
    }, AFTER)
  })
}
let following = false
