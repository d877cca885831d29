/** What a lesson knows beside what the page shows. Fetched with the first lesson. */
import type { SearchEvent } from '../../../../wasm/client/types'
import { Atom, Derived } from '../../base/atom'
import { Later } from '../../base/later'
import type { Live, Other } from '../../lessons/lesson'
import * as a from '../../state/atoms'
import { result, shownCapacity } from '../../state/derive'
import { lesson } from '../../state/ui'

/** The texts. */
export const texts = new Later(() => import('../../lessons/list'))

/** of the whole run that is shown */
export const events = new Atom<SearchEvent[]>([])
/** the ends of what is run beside it, null: not known yet */
export const others = new Atom<Other[] | null>(null)
/** buffers placed by hand, in order; null: a solver places them */
export const order = new Atom<readonly number[] | null>(null)
/** the step's own problem and run are being prepared: what is shown still belongs to the step before */
export const preparing = new Atom(false)
/** something is being run, for a step or for a change of the reader's */
export const busy = new Atom(false)

export const live = new Derived(
  [a.manifest, a.opened, result, shownCapacity, a.frame, events, others, preparing],
  (manifest, opened, result, capacity, frame, events, others, preparing): Live | null => {
    if (manifest === null || opened === null || preparing) return null
    const { problem } = opened
    const { stats = null, best = null } = result ?? {}
    return { manifest, problem, capacity, stats, best, events, frame, others }
  },
)

/** The lesson that is open, with its number from 1. */
export const current = new Derived([lesson, texts.arrival], (place, arrival) => {
  if (place === null || arrival.kind !== 'there') return null
  const { lessons } = arrival.part
  const index = lessons.findIndex((one) => one.id === place.id)
  const found = lessons[index]
  const step = found?.steps[place.step]
  return found === undefined || step === undefined ? null : { lesson: found, number: index + 1, step, at: place.step }
})
