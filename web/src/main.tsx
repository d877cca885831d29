/** Wiring: the client, the clock, the browser's own signals, and where the page begins. */
import { render } from 'preact'
import { createClient } from '../../wasm/client/client'
import { App } from './app'
import { fetchLater, Later, savesData, whenIdle } from './base/later'
import { offFrame, onFrame } from './base/raf'
import { Actions } from './run/actions'
import { startPage } from './run/page/startup'
import { watchBrowser } from './run/page/browser'
import { sidePanel, firstPage } from './panels/page/first_parts'
import { receive } from './panels/problem/drop_and_paste'
import { phoneFirst } from './panels/phone/phone'
import { Session } from './run/session'
import { manifest } from './state/atoms'
import { arrived, droppable, embedded, welcome, width } from './state/ui'
import { urlFlagsOf } from './state/share/url_flags'
import './styles/page/fonts.css'
import './styles/page/base.css'
import './styles/page/layout.css'
import './styles/page/narrow.css'
import './styles/page/modes.css'
import './styles/page/panels.css'
import './styles/page/reading.css'
import './styles/page/dialogs.css'
import './styles/page/controls.css'
import './styles/search/goal.css'

const session = new Session(createClient(), {
  request: (callback) => onFrame('act', callback),
  cancel: (callback) => offFrame('act', callback),
})
const actions = new Actions(session)
watchBrowser()
embedded.set(urlFlagsOf(location.hash.slice(1)).embed)
// what is dropped or pasted before anything is drawn is kept as well
if (!embedded.get()) receive(actions, (is) => droppable.set(is))
const host = document.getElementById('app')
// a face that cannot be had says so in its place
function face(): Promise<unknown> | null {
  if (embedded.get()) return null
  const parts: Later<unknown>[] = welcome.get()
    ? [firstPage]
    : width.get() === 'phone'
      ? [sidePanel, phoneFirst]
      : [sidePanel]
  return Promise.allSettled(parts.map((part) => part.get()))
}
function draw(): void {
  if (host === null) return
  // what stood in the page's place
  host.querySelector('.app-shell')?.remove()
  render(<App actions={actions} />, host)
}
void startPage(actions, { face, draw })
// they go on by themselves once they are there
new Later(() => Promise.all([import('./run/page/title'), import('./run/page/ways_back')]), 'unasked')

// The first view waits for its face, the solvers and a step. Nothing may take the line from them.
let begun = false
function fetchRest(): void {
  if (begun || !arrived.get() || manifest.get() === null) return
  begun = true
  whenIdle(() => {
    fetchLater()
    if (savesData() || !import.meta.env.PROD || !('serviceWorker' in navigator)) return
    import('./run/page/offline').then((part) => part.keepOffline()).catch(() => {})
  })
}
for (const cell of [manifest, arrived]) cell.subscribe(fetchRest)
