/** A search in layers on the axis of its steps. */
import type { Beam, BeamLayer } from '../scene'

/** The layer that a step belongs to, the last one for what comes after; -1: none began by then. O(log layers). */
export function layerAt(beam: Beam, step: number): number {
  let low = 0
  let high = beam.layers.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((beam.layers[middle] as BeamLayer).first <= step) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Share of the room that so many states take: layers of one and of thousands are to be seen beside each other. */
export const shareOf = (states: number, most: number): number => Math.log1p(states) / Math.log1p(Math.max(1, most))
