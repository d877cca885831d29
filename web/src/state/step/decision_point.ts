/** The decision point that is open at the step shown: its candidates, who proposed each, and what became of those that were tried. */
import { isStep } from '../../../../wasm/client/events'
import type { EventOf, Frame, SearchEvent } from '../../../../wasm/client/types'

export interface Candidate {
  buffer: number
  /** its lowest feasible position, bytes */
  offset: number
  /** event argument: 0 the longest lifetime, 1 the largest size, 2 the largest area, 3 promoted */
  source: number
  /** of the buffer, from 0 */
  phase: number
  state: 'failed' | 'next' | 'waits'
}

export interface DecisionPoint {
  /** that the next placement would have, from 1 */
  level: number
  /** in order of trying */
  candidates: Candidate[]
  /** candidates tried here before those that are listed */
  before: number
}

/** Who proposed it: a word, and the rule in the paper's words. */
export const SOURCES: [word: string, rule: string][] = [
  ['lifetime', 'Longest lifetime of its phase'],
  ['size', 'Largest size of its phase'],
  ['area', 'Largest area of its phase'],
  ['promoted', 'Moved up: it failed at the point gone back from'],
]

/**
 * The core names the candidates when a point is opened or come back to; the placements that failed since then were the first of them.
 * Null if there is no open point, or if it was opened before the events at hand. O(events).
 */
export function decisionPoint(frame: Frame): DecisionPoint | null {
  let failed = 0
  let told: EventOf<'candidate'>[] = []
  for (let k = frame.events.length - 1; k >= 0; k--) {
    const event = frame.events[k] as SearchEvent
    if (event.step > frame.step) continue
    if (event.kind === 'candidate') told = [event, ...told]
    else if (isStep(event)) {
      if (told.length > 0) break
      if (event.kind !== 'reject') return null
      failed++
    }
  }
  const [first] = told
  if (first === undefined) return null
  const candidates = told.map(({ buffer, offset, source, phase }, k): Candidate => {
    return { buffer, offset, source, phase, state: k < failed ? 'failed' : k === failed ? 'next' : 'waits' }
  })
  return { level: first.depth + 1, candidates, before: first.index }
}
