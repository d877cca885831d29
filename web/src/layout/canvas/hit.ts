/** Which buffer is under the pointer. */
import type { Frame, Problem } from '../../../../wasm/client/types'
import type { Space } from './spaces'
import { timeIndexOf, visitAlive } from './time_index'

/** A rectangle smaller than this can still be hit within it, in CSS pixels. */
const GRAB = 4

/**
 * The placed buffer at a canvas point, or -1. An exact hit wins over a near one; of two the later in the file wins, as it is drawn
 * later. Cost: the pieces alive near the pointer's time.
 */
export function hitBuffer(problem: Problem, offset: Frame['offset'], space: Space, x: number, y: number): number {
  const index = timeIndexOf(problem)
  const reach = GRAB / space.sx
  const time = space.time(x)
  let best = -1
  let bestDistance = Number.POSITIVE_INFINITY
  visitAlive(index, time - reach, time + reach, (first, end) => {
    for (let i = first; i < end; i++) {
      const buffer = index.buffer[i] as number
      const base = offset[buffer] as number
      if (!(base >= 0)) continue
      const low = base + (index.from[i] as number)
      const high = base + (index.to[i] as number)
      const d = distance(space, index.lower[i] as number, index.upper[i] as number, low, high, x, y)
      if (d < bestDistance || (d === bestDistance && d === 0 && buffer > best)) {
        bestDistance = d
        best = buffer
      }
    }
    return true
  })
  return Number.isFinite(bestDistance) ? best : -1
}

/**
 * 0 inside, the distance for a point just outside of something small, Infinity otherwise: large rectangles are hit exactly, so that
 * their neighbours' edges stay sharp.
 */
export function distance(
  space: Space,
  lower: number,
  upper: number,
  low: number,
  high: number,
  x: number,
  y: number,
): number {
  const x0 = space.x(lower)
  const x1 = space.x(upper)
  const y0 = space.y(high)
  const y1 = space.y(low)
  const dx = Math.max(x0 - x, 0, x - x1)
  const dy = Math.max(y0 - y, 0, y - y1)
  if (dx === 0 && dy === 0) return 0
  const nearX = dx === 0 || (x1 - x0 < GRAB && dx <= GRAB / 2)
  const nearY = dy === 0 || (y1 - y0 < GRAB && dy <= GRAB / 2)
  return nearX && nearY ? dx + dy : Number.POSITIVE_INFINITY
}
