/** The browser's own way back leads from Compare to the search, and forth again. Lessons and links have addresses of their own. */
import { embedded, welcome } from '../../state/ui'
import { own } from '../../state/workbench_cells'
import type { Mode } from '../../state/workbench_values'

/** What stands beside an address: an entry that the reader has typed has none. */
interface Place {
  mode: Mode
}

const placeNow = (): Place => ({ mode: own.mode.get() })

/** where the page stands as far as the browser has been told */
let told = placeNow()

function tell(): void {
  const now = placeNow()
  // from the first page one goes on, and not back to it
  if (welcome.get()) return
  if (history.state === null) history.replaceState(told, '')
  if (now.mode !== told.mode) history.pushState(now, '')
  told = now
}

function goBack(place: Place | null): void {
  if (place === null) return
  told = place
  own.mode.set(place.mode)
}

if (!embedded.get()) {
  // before a reload something else may have been shown
  history.replaceState(told, '')
  welcome.subscribe(() => {
    told = placeNow()
    history.replaceState(told, '')
  })
  own.mode.subscribe(tell)
  window.addEventListener('popstate', ({ state }: PopStateEvent) => goBack(state))
}
