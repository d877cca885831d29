/**
 * The placed buffers of a frame as canvas rectangles, with level of detail: nothing is ever dropped. A rectangle below one pixel is
 * drawn at 0.8; where more than four of them share a pixel column (or pile up in a pixel row) they become one occupancy bar. More of
 * them than can be told apart are dense.ts's.
 */
import type { Frame, Problem } from '../../../../wasm/client/types'
import { atOnce, type Work } from '../../base/slices'
import { type Pieces, piecesOf } from './pieces'
import type { Viewport } from '../scene'
import type { Space } from './spaces'
import { type TimeIndex, timeIndexOf, visitAlive } from './time_index'

/** Buffer of a rectangle that is an occupancy bar of many. */
export const BAR = -1
/** Above this many visible pieces there are no edges and no labels. */
export const DETAIL_LIMIT = 5000
/** More sub-pixel pieces than this in a pixel column become a bar. */
export const COLUMN_LIMIT = 4
export const LEAST = 0.8
/** Pieces looked at between two places where the work can be interrupted. */
const GRAIN = 2 ** 14

export interface MemoryRects {
  count: number
  x: Float32Array
  y: Float32Array
  w: Float32Array
  h: Float32Array
  /** buffer or BAR */
  buffer: Int32Array
  /** of a bar: share of its area that is occupied, 0 to 1; else 1 */
  share: Float32Array
  /** pieces that lie on the plate */
  visible: number
  /** edges and labels are drawn */
  detailed: boolean
}

/** Offsets per buffer, -1: not there. */
type Offsets = Frame['offset']

/** Of pieces, in whatever order. */
type Columns = Pick<Pieces, 'buffer' | 'lower' | 'upper' | 'from' | 'to'>

/** Sub-pixel pieces, in order of time: x0 x1 y0 y1 buffer, five numbers each. */
interface Small {
  count: number
  at: Float64Array
}
const STRIDE = 5

interface Sieve {
  out: MemoryRects
  thin: Small
  flat: Small
}

/**
 * null: more than `most` of them are visible, as a rule those that can be told apart. placed: all that have an offset, where that is known. O(pieces
 * alive in the view + k log k) with k the visible ones, up to that limit; O(placed + k log k) if they are fewer than the limit. Coordinates reach at most one pixel beyond the plate on each side.
 */
export function memoryRects(
  problem: Problem,
  offset: Offsets,
  space: Space,
  most = DETAIL_LIMIT,
  placed: Uint32Array | null = null,
): MemoryRects | null {
  return atOnce(findRects(problem, offset, space, most, placed))
}

/** The same a little at a time; only the index of a large problem is made at once if it is not there (indexInSlices). */
export function* findRects(
  problem: Problem,
  offset: Offsets,
  space: Space,
  most: number,
  placed: Uint32Array | null,
): Work<MemoryRects | null> {
  const few = placed !== null && placed.length > 0 && placed.length <= Math.min(most, DETAIL_LIMIT)
  const index = few ? piecesOf(problem) : timeIndexOf(problem)
  const seen = few
    ? inOrder(index, placedPieces(piecesOf(problem), placed, offset, space))
    : yield* visiblePieces(timeIndexOf(problem), offset, space, most)
  if (seen === null) return null
  const small = (): Small => ({ count: 0, at: new Float64Array(STRIDE * 64) })
  const sieve: Sieve = { out: emptyRects(seen.length), thin: small(), flat: small() }
  sieve.out.visible = seen.length
  for (let k = 0; k < seen.length; k++) {
    if (k % GRAIN === GRAIN - 1) yield
    sift(sieve, index, seen[k] as number, offset, space)
  }
  yield* gatherColumns(sieve.out, sieve.thin, space)
  yield* gatherRows(sieve.out, sieve.flat, space)
  return sieve.out
}

/** Positions of what lies on the plate, by lower end; null if they are too many. */
function* visiblePieces(
  index: TimeIndex,
  offset: Offsets,
  space: Space,
  most: number,
): Work<Uint32Array<ArrayBuffer> | null> {
  const { view, plate } = space
  const slackT = 1 / space.sx
  const top = space.address(plate.y)
  const ground = space.address(plate.y + plate.h)
  const runs: [number, number][] = []
  let room = 0
  visitAlive(index, view.t0 - slackT, view.t1 + slackT, (first, end) => {
    runs.push([first, end])
    room += end - first
    return true
  })
  const seen = new Uint32Array(Math.min(room, most))
  const lists: Uint32Array<ArrayBuffer>[] = []
  let count = 0
  for (const [first, end] of runs) {
    const begin = count
    for (let i = first; i < end; i++) {
      if (i % GRAIN === GRAIN - 1) yield
      if (!isVisible(index, i, offset, view, top, ground)) continue
      if (count >= most) return null
      seen[count++] = i
    }
    lists.push(seen.subarray(begin, count))
  }
  return yield* merged(index, lists)
}

/** One list of several that are each in order. O(pieces log lists) */
function* merged(of: Columns, lists: Uint32Array<ArrayBuffer>[]): Work<Uint32Array<ArrayBuffer>> {
  if (lists.length < 2) return lists[0] ?? new Uint32Array(0)
  const pairs: Uint32Array<ArrayBuffer>[] = []
  for (let k = 0; k < lists.length; k += 2) {
    const left = lists[k] as Uint32Array<ArrayBuffer>
    const right = lists[k + 1]
    pairs.push(right === undefined ? left : yield* mergedPair(of, left, right))
  }
  return yield* merged(of, pairs)
}

function* mergedPair(of: Columns, left: Uint32Array, right: Uint32Array): Work<Uint32Array<ArrayBuffer>> {
  const list = new Uint32Array(left.length + right.length)
  let l = 0
  for (let k = 0; k < list.length; k++) {
    if (k % GRAIN === GRAIN - 1) yield
    const r = k - l
    const ahead = l < left.length && (r >= right.length || byTime(of, left[l] as number, right[r] as number) <= 0)
    list[k] = (ahead ? left[l++] : right[r]) as number
  }
  return list
}

/** Numbers of the pieces of these buffers that lie on the plate. */
function placedPieces(pieces: Pieces, placed: Uint32Array, offset: Offsets, space: Space): number[] {
  const { view, plate } = space
  const [top, ground] = [space.address(plate.y), space.address(plate.y + plate.h)]
  const seen: number[] = []
  for (const buffer of placed) {
    const end = pieces.first[buffer + 1] as number
    for (let k = pieces.first[buffer] as number; k < end; k++)
      if (isVisible(pieces, k, offset, view, top, ground)) seen.push(k)
  }
  return seen
}

function isVisible(of: Columns, i: number, offset: Offsets, view: Viewport, top: number, ground: number): boolean {
  const base = offset[of.buffer[i] as number] as number
  if (!(base >= 0) || base + (of.from[i] as number) > top || base + (of.to[i] as number) < ground) return false
  return (of.upper[i] as number) >= view.t0 && (of.lower[i] as number) <= view.t1
}

function inOrder(of: Columns, seen: number[]): number[] {
  return seen.sort((a, b) => byTime(of, a, b))
}

function byTime(of: Columns, a: number, b: number): number {
  return (of.lower[a] as number) - (of.lower[b] as number) || (of.buffer[a] as number) - (of.buffer[b] as number)
}

function emptyRects(room: number): MemoryRects {
  return {
    count: 0,
    x: new Float32Array(room),
    y: new Float32Array(room),
    w: new Float32Array(room),
    h: new Float32Array(room),
    buffer: new Int32Array(room),
    share: new Float32Array(room),
    visible: 0,
    detailed: room <= DETAIL_LIMIT,
  }
}

/** Puts a piece into the list, or among the thin or the flat ones. */
function sift(sieve: Sieve, index: Columns, i: number, offset: Offsets, space: Space): void {
  const buffer = index.buffer[i] as number
  const base = offset[buffer] as number
  const { plate } = space
  let x0 = space.x(index.lower[i] as number)
  let x1 = space.x(index.upper[i] as number)
  let y0 = space.y(base + (index.to[i] as number))
  let y1 = space.y(base + (index.from[i] as number))
  x0 = Math.max(x0, plate.x - 1)
  x1 = Math.min(x1, plate.x + plate.w + 1)
  y0 = Math.max(y0, plate.y - 1)
  y1 = Math.min(y1, plate.y + plate.h + 1)
  if (x1 - x0 < 1) keep(sieve.thin, x0, x1, y0, y1, buffer)
  else if (y1 - y0 < 1) keep(sieve.flat, x0, x1, y0, y1, buffer)
  else push(sieve.out, x0, y0, x1 - x0, y1 - y0, buffer, 1)
}

function keep(small: Small, x0: number, x1: number, y0: number, y1: number, buffer: number): void {
  const k = small.count++ * STRIDE
  if (k + STRIDE > small.at.length) {
    const wider = new Float64Array(small.at.length * 2)
    wider.set(small.at)
    small.at = wider
  }
  small.at[k] = x0
  small.at[k + 1] = x1
  small.at[k + 2] = y0
  small.at[k + 3] = y1
  small.at[k + 4] = buffer
}

function push(out: MemoryRects, x: number, y: number, w: number, h: number, buffer: number, share: number): void {
  const k = out.count++
  out.x[k] = x
  out.y[k] = y
  out.w[k] = w
  out.h[k] = h
  out.buffer[k] = buffer
  out.share[k] = share
}

/** A sub-pixel rectangle on its own: at least 0.8 px each way, anchored so that it stays in its pixel. */
function pushSmall(out: MemoryRects, at: Float64Array, k: number): void {
  const x0 = at[k] as number
  const y1 = at[k + 3] as number
  const w = Math.max(LEAST, (at[k + 1] as number) - x0)
  const h = Math.max(LEAST, y1 - (at[k + 2] as number))
  push(out, x0, y1 - h, w, h, at[k + 4] as number, 1)
}

interface Lines {
  /** members of line l: order[start[l]] .. order[start[l + 1] - 1], as positions in Small.at */
  start: Uint32Array
  order: Uint32Array
}

/** Sorts by the pixel line in which the middle of the interval at `axis` falls; stable. O(k + lines). */
function* byLine(small: Small, axis: 0 | 2, first: number, lines: number): Work<Lines> {
  const start = new Uint32Array(lines + 1)
  const line = new Uint32Array(small.count)
  for (let i = 0; i < small.count; i++) {
    if (i % GRAIN === GRAIN - 1) yield
    const k = i * STRIDE + axis
    const pixel = Math.floor(((small.at[k] as number) + (small.at[k + 1] as number)) / 2) - first
    const l = Math.max(0, Math.min(lines - 1, pixel))
    line[i] = l
    start[l + 1] = (start[l + 1] as number) + 1
  }
  for (let l = 0; l < lines; l++) start[l + 1] = (start[l + 1] as number) + (start[l] as number)
  const next = start.slice()
  const order = new Uint32Array(small.count)
  for (let i = 0; i < small.count; i++) {
    if (i % GRAIN === GRAIN - 1) yield
    const l = line[i] as number
    const at = next[l] as number
    order[at] = i * STRIDE
    next[l] = at + 1
  }
  return { start, order }
}

/**
 * Splits the members of a line, sorted along `axis`, into runs without a hole. emit(first, last, from, to, area): the members are
 * order[first] .. order[last - 1], area in px².
 */
function runs(
  at: Float64Array,
  order: Uint32Array,
  [begin, end]: [number, number],
  axis: 0 | 2,
  emit: (first: number, last: number, from: number, to: number, area: number) => void,
): void {
  let first = begin
  while (first < end) {
    const from = at[(order[first] as number) + axis] as number
    let to = from
    let area = 0
    let last = first
    for (; last < end; last++) {
      const k = order[last] as number
      if (last > first && (at[k + axis] as number) > to) break
      to = Math.max(to, at[k + axis + 1] as number)
      area += ((at[k + 1] as number) - (at[k] as number)) * ((at[k + 3] as number) - (at[k + 2] as number))
    }
    emit(first, last, from, to, area)
    first = last
  }
}

/** Buffers narrower than a pixel: a column with more than four of them becomes bars, one per run of addresses. */
function* gatherColumns(out: MemoryRects, { count, at }: Small, space: Space): Work<void> {
  if (count === 0) return
  const { plate } = space
  const first = Math.floor(plate.x)
  const columns = Math.ceil(plate.w) + 1
  const { start, order } = yield* byLine({ count, at }, 0, first, columns)
  for (let c = 0; c < columns; c++) {
    yield
    const [begin, end] = [start[c] as number, start[c + 1] as number]
    if (end - begin <= COLUMN_LIMIT) {
      for (let i = begin; i < end; i++) pushSmall(out, at, order[i] as number)
      continue
    }
    order.subarray(begin, end).sort((a, b) => (at[a + 2] as number) - (at[b + 2] as number))
    const x = Math.min(first + c, plate.x + plate.w - 1)
    runs(at, order, [begin, end], 2, (_first, _last, y0, y1, area) => {
      const h = Math.max(LEAST, y1 - y0)
      push(out, x, y1 - h, 1, h, BAR, Math.min(1, area / h))
    })
  }
}

/** Buffers lower than a pixel: a pile of more than four on the same stretch of a pixel row becomes one bar. */
function* gatherRows(out: MemoryRects, { count, at }: Small, space: Space): Work<void> {
  if (count === 0) return
  const first = Math.floor(space.plate.y) - 1
  const rows = Math.ceil(space.plate.h) + 3
  const { start, order } = yield* byLine({ count, at }, 2, first, rows)
  for (let r = 0; r < rows; r++) {
    yield
    runs(at, order, [start[r] as number, start[r + 1] as number], 0, (from, to, x0, x1, area) => {
      const w = Math.max(LEAST, x1 - x0)
      if (to - from > COLUMN_LIMIT) push(out, x0, first + r, w, 1, BAR, Math.min(1, area / w))
      else for (let i = from; i < to; i++) pushSmall(out, at, order[i] as number)
    })
  }
}
