/** Which buffer is under the pointer: pieces in buckets of time, so that a hover looks at few of many. */
import type { Frame, Problem } from '../../../wasm/client/types'
import { clamp } from '../base/geom'
import { type Pieces, piecesOf } from './pieces'
import { type Space, timeExtent } from './spaces'

/** Buckets of one width. */
interface Level {
  buckets: number
  /** members of bucket k: piece[start[k]] .. piece[start[k + 1] - 1] */
  start: Uint32Array
  piece: Uint32Array
}

interface TimeIndex {
  t0: number
  span: number
  /** finest first; each piece is in the finest level in which it spans few buckets */
  levels: Level[]
}

/** A piece that spans more buckets than this goes to the next coarser level: memory stays O(pieces). */
const SPREAD = 16
const MOST_BUCKETS = 4096
/** A rectangle smaller than this can still be hit within it, in CSS pixels. */
const GRAB = 4

const cache = new WeakMap<Problem, TimeIndex>()

function indexOf(problem: Problem): TimeIndex {
  const known = cache.get(problem)
  if (known) return known
  const made = build(piecesOf(problem), timeExtent(problem))
  cache.set(problem, made)
  return made
}

function build(pieces: Pieces, [t0, t1]: [number, number]): TimeIndex {
  const index: TimeIndex = { t0, span: t1 - t0, levels: [] }
  let rest: Uint32Array = Uint32Array.from({ length: pieces.count }, (_, p) => p)
  let buckets = clamp(Math.ceil(pieces.count / 4), 1, MOST_BUCKETS)
  while (rest.length > 0) {
    const fits = (p: number): boolean => {
      const from = bucketOf(index, buckets, pieces.lower[p] as number)
      return bucketOf(index, buckets, pieces.upper[p] as number) - from < SPREAD
    }
    index.levels.push(level(index, pieces, rest.filter(fits), buckets))
    rest = rest.filter((p) => !fits(p))
    // With at most SPREAD buckets every piece fits, so this ends.
    buckets = Math.max(1, Math.floor(buckets / 8))
  }
  return index
}

function level(index: TimeIndex, pieces: Pieces, members: Uint32Array, buckets: number): Level {
  const start = new Uint32Array(buckets + 1)
  const each = (visit: (p: number, bucket: number) => void): void => {
    for (const p of members) {
      const last = bucketOf(index, buckets, pieces.upper[p] as number)
      for (let b = bucketOf(index, buckets, pieces.lower[p] as number); b <= last; b++) visit(p, b)
    }
  }
  each((_, b) => bump(start, b + 1))
  for (let b = 0; b < buckets; b++) start[b + 1] = (start[b + 1] as number) + (start[b] as number)
  const piece = new Uint32Array(start[buckets] as number)
  const next = start.slice()
  each((p, b) => {
    piece[bump(next, b)] = p
  })
  return { buckets, start, piece }
}

/** array[k]++, as the value before. */
function bump(array: Uint32Array, k: number): number {
  const value = array[k] as number
  array[k] = value + 1
  return value
}

function bucketOf(index: TimeIndex, buckets: number, time: number): number {
  return clamp(Math.floor(((time - index.t0) / index.span) * buckets), 0, buckets - 1)
}

/**
 * The placed buffer at a canvas point, or -1. An exact hit wins over a near one; of two the later in the file wins, as it is drawn
 * later. Cost: the pieces of the buckets under the pointer.
 */
export function hitBuffer(problem: Problem, offset: Frame['offset'], space: Space, x: number, y: number): number {
  const index = indexOf(problem)
  const pieces = piecesOf(problem)
  const reach = GRAB / space.sx
  const time = space.time(x)
  let best = -1
  let bestDistance = Number.POSITIVE_INFINITY
  const look = (p: number): void => {
    const buffer = pieces.buffer[p] as number
    const base = offset[buffer] as number
    if (!(base >= 0)) return
    const d = distance(
      space,
      pieces.lower[p] as number,
      pieces.upper[p] as number,
      base + (pieces.from[p] as number),
      base + (pieces.to[p] as number),
      x,
      y,
    )
    if (d < bestDistance || (d === bestDistance && d === 0 && buffer > best)) {
      bestDistance = d
      best = buffer
    }
  }
  for (const { buckets, start, piece } of index.levels) {
    const end = start[bucketOf(index, buckets, time + reach) + 1] as number
    for (let k = start[bucketOf(index, buckets, time - reach)] as number; k < end; k++) look(piece[k] as number)
  }
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
