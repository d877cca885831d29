/**
 * What a first visit opens on: two solvers on one clock, on a problem that is hard for its size. It begins to play by itself and is stopped for
 * good by the first touch; whoever opens anything else has left it.
 */
import { createClient } from '../../../../wasm/client/client'
import type { RunConfig } from '../../../../wasm/client/types'
import { Cell } from '../../base/cell'
import * as ui from '../../state/ui'
import { own, workbench } from '../../state/workbench_cells'
import { setMode } from '../page/modes'
import type { Session } from '../session'
import csv from './first_race.csv?raw'
import { openInPage } from './open_in_page'
import { PAGE_CLOCK, Race } from './race'

/** generate synthetic, 80 buffers, seed 31: a rectangle cut into pieces. */
export const NAME = 'synthetic-80-31.csv'
/** The load of its fullest section, in bytes: the exact solver meets it. */
export const CAPACITY = 1_130_012
/** Steps per second: the exact solver is done after some six seconds, the race after twenty. */
export const SPEED = 200
export const LENGTH = 4000
/** The one that the lean module has comes first. */
export const SOLVERS = ['minimalloc', 'exact'] as const

export const configOf = (solver: string): RunConfig => ({
  solver,
  capacity: CAPACITY,
  seed: 1,
  budget: LENGTH,
  options: {},
})

/** null: none, or not made yet */
export const firstRace = new Cell<Race | null>(null)

function make(): Race {
  let lean = true
  const race = new Race({ csv, profile: null }, PAGE_CLOCK, () => {
    const client = createClient()
    if (lean) client.beginLean()
    lean = false
    return client
  })
  for (const solver of SOLVERS) race.add(configOf(solver))
  race.setSpeed(SPEED)
  return race
}

/** Calls back once, when the page is first touched. Its own button and key to pause stop the race by themselves. */
function whenTouched(act: () => void): () => void {
  const end = new AbortController()
  const touched = (event: Event) => {
    const pauses =
      event instanceof KeyboardEvent
        ? event.key === ' ' && event.target === document.body
        : event.target instanceof Element && event.target.closest('.transport-button.play') !== null
    end.abort()
    if (!pauses) act()
  }
  for (const kind of ['pointerdown', 'keydown', 'wheel'])
    window.addEventListener(kind, touched, { capture: true, passive: true, signal: end.signal })
  return () => end.abort()
}

/** Resolves once the problem stands; the race goes on by itself. left: it was left, for good */
export async function openFirstRace(session: Session, left: () => void): Promise<void> {
  const race = make()
  let still = ui.reducedMotion.get()
  const forget = whenTouched(() => {
    still = true
    race.pause()
  })
  // both may come long before the page knows of the problem, or after it
  const ended = race.startAll(still ? 'end' : 'start')
  // a file that was dropped before goes first
  if (session.asked === 0 && (await session.open(csv, { kind: 'text', name: NAME }, NAME, null))) {
    workbench.capacity.set(CAPACITY)
    firstRace.set(race)
  }
  const opened = own.opened.get()
  // a lesson goes by and does not count: it has a workbench of its own
  const look = () => {
    const others = own.opened.get() !== opened || firstRace.get() === null
    if (!others && own.mode.get() === 'compare') return
    forget()
    for (const leave of leaving) leave()
    ui.welcome.set(false)
    firstRace.set(null)
    race.dispose()
    if (others) setMode('search')
    left()
  }
  const leaving = [own.opened.subscribe(look), own.mode.subscribe(look)]
  // it has taken the place of the race, or was refused, as may one that came meanwhile
  look()
  void ended.then(() => {
    if (!still && ui.welcome.get() && !race.playing.get()) race.play()
  })
}

/** Its exact search as the page shows searches, from the start. */
export async function stepThrough(session: Session): Promise<void> {
  await openInPage(session, { ...configOf('exact'), budget: workbench.budget.get() })
  session.player.toStart()
}
