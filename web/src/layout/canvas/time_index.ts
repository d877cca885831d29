/**
 * Pieces by time, so that a view looks only at what it may show. Pieces of a like duration (up to eightfold) form a class; within one
 * they are sorted by their lower end, so those that can reach into a range of time are one run of neighbours. The columns are copies in
 * that order: what is read together lies together.
 */
import type { Problem } from '../../../../wasm/client/types'
import { atOnce, type Pause, inSlices, type Work } from '../../base/slices'
import { type Pieces, piecesOf } from './pieces'

export interface TimeClass {
  /** its pieces are first .. end - 1 */
  first: number
  end: number
  /** the longest duration in it */
  longest: number
}

export interface TimeIndex {
  count: number
  classes: TimeClass[]
  buffer: Uint32Array
  lower: Float64Array
  upper: Float64Array
  from: Float64Array
  to: Float64Array
}

/** Durations are told apart by powers of eight: 2^53 makes at most 18 classes. */
const CLASS_BITS = 3
const CLASSES = 19
const DIGIT = 2 ** 16

/** Pieces looked at between two places where the work can be interrupted. */
const GRAIN = 2 ** 15

const cache = new WeakMap<Problem, TimeIndex>()

/** O(pieces), cached per problem. */
export function timeIndexOf(problem: Problem): TimeIndex {
  const known = cache.get(problem)
  if (known) return known
  const index = atOnce(build(piecesOf(problem)))
  cache.set(problem, index)
  return index
}

/** It can be had at once: made already, or quickly made. */
export function isIndexed(problem: Problem): boolean {
  return problem.count <= GRAIN || cache.has(problem)
}

/** Makes it a little at a time, for a problem so large that it would hold up the page. False if it was given up. */
export async function indexInSlices(problem: Problem, pause: Pause): Promise<boolean> {
  if (cache.has(problem)) return true
  const index = await inSlices(build(piecesOf(problem)), pause)
  if (index !== null) cache.set(problem, index)
  return index !== null
}

function classOf(duration: number): number {
  return Math.min(CLASSES - 1, Math.floor(Math.log2(Math.max(1, duration)) / CLASS_BITS))
}

function* build(pieces: Pieces): Work<TimeIndex> {
  const order = yield* byClass(pieces, yield* byLower(pieces))
  const { count } = pieces
  const index: TimeIndex = {
    count,
    classes: [],
    buffer: new Uint32Array(count),
    lower: new Float64Array(count),
    upper: new Float64Array(count),
    from: new Float64Array(count),
    to: new Float64Array(count),
  }
  let last = -1
  for (let i = 0; i < count; i++) {
    if (i % GRAIN === GRAIN - 1) yield
    const p = order[i] as number
    const lower = pieces.lower[p] as number
    const upper = pieces.upper[p] as number
    index.buffer[i] = pieces.buffer[p] as number
    index.lower[i] = lower
    index.upper[i] = upper
    index.from[i] = pieces.from[p] as number
    index.to[i] = pieces.to[p] as number
    const mine = classOf(upper - lower)
    if (mine !== last) index.classes.push({ first: i, end: i, longest: 0 })
    last = mine
    const now = index.classes[index.classes.length - 1] as TimeClass
    now.end = i + 1
    now.longest = Math.max(now.longest, upper - lower)
  }
  return index
}

/** Pieces by their lower end, ties by number: a radix sort, for a million of them compared two by two would take seconds. */
function* byLower(pieces: Pieces): Work<Uint32Array> {
  const { count, lower } = pieces
  let least = Number.POSITIVE_INFINITY
  let most = Number.NEGATIVE_INFINITY
  let sorted = true
  const order = new Uint32Array(count)
  for (let p = 0; p < count; p++) {
    if (p % GRAIN === GRAIN - 1) yield
    order[p] = p
    const time = lower[p] as number
    if (time < most) sorted = false
    if (time < least) least = time
    if (time > most) most = time
  }
  let list = order
  for (let unit = 1; !sorted && unit <= most - least; unit *= DIGIT)
    list = yield* byKey(list, DIGIT, (p) => Math.floor(((lower[p] as number) - least) / unit) % DIGIT)
  return list
}

function byClass(pieces: Pieces, order: Uint32Array): Work<Uint32Array> {
  return byKey(order, CLASSES, (p) => classOf((pieces.upper[p] as number) - (pieces.lower[p] as number)))
}

/** Stable counting sort. */
function* byKey(order: Uint32Array, keys: number, keyOf: (p: number) => number): Work<Uint32Array<ArrayBuffer>> {
  const next = new Uint32Array(keys + 1)
  const key = new Uint16Array(order.length)
  for (let i = 0; i < order.length; i++) {
    if (i % GRAIN === GRAIN - 1) yield
    const k = keyOf(order[i] as number)
    key[i] = k
    next[k + 1] = (next[k + 1] as number) + 1
  }
  for (let k = 0; k < keys; k++) next[k + 1] = (next[k + 1] as number) + (next[k] as number)
  const sorted = new Uint32Array(order.length)
  for (let i = 0; i < order.length; i++) {
    if (i % GRAIN === GRAIN - 1) yield
    const k = key[i] as number
    const at = next[k] as number
    sorted[at] = order[i] as number
    next[k] = at + 1
  }
  return sorted
}

const placings = new WeakMap<Float64Array, Float64Array>()

/** Offsets in the order of the index: read once a frame from all over, then in a row as often as it is drawn. */
export function* offsetsOf(index: TimeIndex, offset: Float64Array): Work<Float64Array> {
  const known = placings.get(offset)
  if (known?.length === index.count) return known
  const list = new Float64Array(index.count)
  for (let i = 0; i < index.count; i++) {
    if (i % GRAIN === GRAIN - 1) yield
    list[i] = offset[index.buffer[i] as number] as number
  }
  placings.set(offset, list)
  return list
}

/** First position in [first, end) whose lower end is at least `time`. */
function firstFrom(index: TimeIndex, first: number, end: number, time: number): number {
  let lo = first
  let hi = end
  while (lo < hi) {
    const mid = (lo + hi) >> 1
    if ((index.lower[mid] as number) >= time) hi = mid
    else lo = mid + 1
  }
  return lo
}

/**
 * Runs of positions that hold every piece alive in [t0, t1], and some that end before. visit returns false to stop. Of those it holds
 * too many at most eight times as many as are alive, if lifetimes are spread evenly. O(log pieces) beside the visits.
 */
export function visitAlive(
  index: TimeIndex,
  t0: number,
  t1: number,
  visit: (first: number, end: number) => boolean,
): void {
  for (const { first, end, longest } of index.classes) {
    const from = firstFrom(index, first, end, t0 - longest)
    const to = firstFrom(index, from, end, t1)
    let last = to
    // those that begin exactly at t1 touch the view's edge
    while (last < end && (index.lower[last] as number) === t1) last++
    if (from < last && !visit(from, last)) return
  }
}
