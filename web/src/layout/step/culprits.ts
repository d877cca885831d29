/** Which earlier decisions the step shown blames, and where a picture of the search over its steps has them. */
import { spotOf } from '../../../../wasm/client/events'
import type { Frame } from '../../../../wasm/client/types'

export interface Culprit {
  buffer: number
  /** the step that placed it, -1 if it lies outside of the frame's events */
  step: number
  /** its level, also if this step took it back */
  level: number
}

/** The placements in conflict, deepest first, without the one that the step itself tried. O(events of the frame). */
export function culpritsOf(frame: Frame): Culprit[] {
  const now = frame.events.filter((event) => event.step === frame.step)
  const blamed = now.filter((event) => event.kind === 'culprits').flatMap((event) => [...event.list])
  if (blamed.length === 0) return []
  const tried = now.find((event) => event.kind === 'reject')?.buffer
  const back = now.find((event) => event.kind === 'backtrack')
  const placed = new Map<number, number>()
  for (const event of frame.events) {
    const spot = event.step < frame.step ? spotOf(event) : null
    if (spot?.role === 'puts') placed.set(spot.buffer, event.step)
  }
  return blamed
    .filter((buffer) => buffer !== tried)
    .map((buffer) => {
      const undone = back?.list.indexOf(buffer) ?? -1
      const level = undone >= 0 ? (back?.from ?? 0) - undone : (frame.level[buffer] ?? 0)
      return { buffer, step: placed.get(buffer) ?? -1, level }
    })
}
