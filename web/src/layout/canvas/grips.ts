/** What a drag on a buffer takes hold of, and what it makes of it: ends of the lifespan, the size, the offset. Pure geometry. */
import { clamp } from '../../base/geom'
import type { Scene } from '../scene'
import type { Space } from './spaces'

export type Grip = 'lower' | 'upper' | 'size' | 'offset'

/** A buffer where it lies. */
export interface Box {
  lower: number
  upper: number
  size: number
  offset: number
}

/** Where a drag comes to rest: borders of sections, in order, and the ends of neighbours, in any. */
export interface Rests {
  times: ArrayLike<number>
  addresses: readonly number[]
  alignment: number
}

/** The core's greatest offset. */
const MOST = Number.MAX_SAFE_INTEGER
/** A rest this near, in CSS pixels, is taken. */
const PULL = 7
/** Without a rest near, bytes move in steps of about so many pixels. */
const GRAIN = 3

export function boxOf(scene: Scene, buffer: number): Box | null {
  const { problem, frame } = scene
  const offset = frame?.offset[buffer] ?? -1
  if (offset < 0 || !(buffer >= 0 && buffer < problem.count)) return null
  const [lower = 0, upper = 0, size = 0] = [problem.lower[buffer], problem.upper[buffer], problem.size[buffer]]
  return { lower, upper, size, offset }
}

/** Half of a small side is left for the middle. */
const within = (side: number, reach: number) => Math.min(reach, side / 4)

/** What is under a point: an end, the upper edge, else the buffer as a whole; null beside it. outside: how far beside still counts. */
export function gripAt(space: Space, box: Box, x: number, y: number, reach: number, outside = 0): Grip | null {
  const x0 = space.x(box.lower)
  const x1 = space.x(box.upper)
  const top = space.y(box.offset + box.size)
  const bottom = space.y(box.offset)
  if (x < x0 - outside || x > x1 + outside || y < top - outside || y > bottom + outside) return null
  const across = within(x1 - x0, reach)
  if (x - x0 <= across) return 'lower'
  if (x1 - x <= across) return 'upper'
  return y - top <= within(bottom - top, reach) ? 'size' : 'offset'
}

/** Borders of sections; ends of the buffers that live at the same time, the ground and the capacity. O(n). */
export function restsOf(scene: Scene, buffer: number): Rests {
  const { problem, frame, capacity } = scene
  const { sections } = problem
  const times = new Float64Array(sections.count + 1)
  for (let k = 0; k < sections.count; k++) times[k] = sections.lower[k] as number
  times[sections.count] = sections.upper[sections.count - 1] ?? 0
  const [lower, upper] = [problem.lower[buffer] as number, problem.upper[buffer] as number]
  const addresses = [0, capacity]
  for (let k = 0; k < problem.count; k++) {
    const offset = frame?.offset[k] ?? -1
    if (k === buffer || offset < 0) continue
    if ((problem.lower[k] as number) >= upper || (problem.upper[k] as number) <= lower) continue
    addresses.push(offset, offset + (problem.size[k] as number))
  }
  return { times, addresses, alignment: Math.max(1, problem.alignment[buffer] as number) }
}

function nearest(values: ArrayLike<number>, wanted: number, reach: number): number | null {
  let best: number | null = null
  let distance = reach
  for (let k = 0; k < values.length; k++) {
    const d = Math.abs((values[k] as number) - wanted)
    if (d > distance) continue
    distance = d
    best = values[k] as number
  }
  return best
}

/** Greatest power of two that is at most x, at least 1. */
function step(x: number): number {
  return x < 2 ? 1 : 2 ** Math.min(52, Math.floor(Math.log2(x)))
}

const toMultiple = (x: number, of: number) => Math.round(x / of) * of

function time(space: Space, rests: Rests, wanted: number): number {
  return nearest(rests.times, wanted, PULL / space.sx) ?? Math.round(wanted)
}

/** The box after a drag of dx, dy CSS pixels. Times and bytes are whole, the offset keeps to the alignment. */
export function dragged(space: Space, box: Box, grip: Grip, dx: number, dy: number, rests: Rests): Box {
  const dt = dx / space.sx
  const db = -dy / space.sy
  const reach = PULL / space.sy
  const grain = step(GRAIN / space.sy)
  switch (grip) {
    case 'lower':
      return { ...box, lower: Math.min(time(space, rests, box.lower + dt), box.upper - 1) }
    case 'upper':
      return { ...box, upper: Math.max(time(space, rests, box.upper + dt), box.lower + 1) }
    case 'size': {
      const wanted = box.size + db
      const top = nearest(rests.addresses, box.offset + wanted, reach)
      const size = top === null ? toMultiple(wanted, grain) : top - box.offset
      return { ...box, size: clamp(size, 1, MOST) }
    }
    case 'offset': {
      const { alignment } = rests
      const wanted = box.offset + db
      const fits = rests.addresses.flatMap((at) => [at, at - box.size]).filter((at) => at >= 0 && at % alignment === 0)
      const free = toMultiple(wanted, Math.max(grain, alignment))
      const at = nearest(fits, wanted, reach) ?? toMultiple(free, alignment)
      return { ...box, offset: clamp(at, 0, MOST - (MOST % alignment)) }
    }
  }
}
