/**
 * What a buffer occupies, as rectangles in time x (address - offset): one piece for a plain buffer, several for one with gaps. A gap
 * without a window leaves nothing, a gap with a window leaves the window. A shape is its rectangles, several at a time if need be.
 */
import type { Gap, Problem, ShapeRect } from '../../../../wasm/client/types'

export interface Pieces {
  count: number
  /** pieces of buffer i are first[i] .. first[i + 1] - 1, in order of time */
  first: Uint32Array
  buffer: Uint32Array
  lower: Float64Array
  upper: Float64Array
  /** addresses relative to the buffer's offset */
  from: Float64Array
  to: Float64Array
}

const cache = new WeakMap<Problem, Pieces>()

/** Pieces of every buffer. O(n + gaps log gaps), cached per problem. Columns may be the problem's own. */
export function piecesOf(problem: Problem): Pieces {
  const known = cache.get(problem)
  if (known) return known
  const made = problem.gaps.length === 0 && problem.rects === undefined ? plain(problem) : null
  const pieces = made ?? build(problem)
  cache.set(problem, pieces)
  return pieces
}

function gapsByBuffer(problem: Problem): Map<number, Gap[]> {
  const map = new Map<number, Gap[]>()
  for (const gap of problem.gaps) {
    const list = map.get(gap.buffer)
    if (list) list.push(gap)
    else map.set(gap.buffer, [gap])
  }
  for (const list of map.values()) list.sort((a, b) => a.lower - b.lower)
  return map
}

/** One piece each: nothing has to be copied. null if a buffer occupies nothing. */
function plain(problem: Problem): Pieces | null {
  const { count, lower, upper, size } = problem
  const first = new Uint32Array(count + 1)
  for (let i = 0; i < count; i++) {
    if (!((lower[i] as number) < (upper[i] as number))) return null
    first[i + 1] = i + 1
  }
  return { count, first, buffer: first.subarray(0, count), lower, upper, from: new Float64Array(count), to: size }
}

function rectsByBuffer(problem: Problem): Map<number, ShapeRect[]> {
  const map = new Map<number, ShapeRect[]>()
  for (const rect of problem.rects ?? []) {
    const list = map.get(rect.buffer)
    if (list) list.push(rect)
    else map.set(rect.buffer, [rect])
  }
  return map
}

function build(problem: Problem): Pieces {
  const most = problem.count + 2 * problem.gaps.length + (problem.rects?.length ?? 0)
  const pieces: Pieces = {
    count: 0,
    first: new Uint32Array(problem.count + 1),
    buffer: new Uint32Array(most),
    lower: new Float64Array(most),
    upper: new Float64Array(most),
    from: new Float64Array(most),
    to: new Float64Array(most),
  }
  const gaps = gapsByBuffer(problem)
  const shapes = rectsByBuffer(problem)
  const push = (buffer: number, lower: number, upper: number, from: number, to: number): void => {
    if (!(lower < upper) || pieces.count === most) return
    const k = pieces.count++
    pieces.buffer[k] = buffer
    pieces.lower[k] = lower
    pieces.upper[k] = upper
    pieces.from[k] = from
    pieces.to[k] = to
  }
  for (let i = 0; i < problem.count; i++) {
    pieces.first[i] = pieces.count
    const shape = shapes.get(i)
    if (shape !== undefined) {
      for (const { lower, upper, from, to } of shape) push(i, lower, upper, from, to)
      continue
    }
    const size = problem.size[i] as number
    const end = problem.upper[i] as number
    let at = problem.lower[i] as number
    for (const gap of gaps.get(i) ?? []) {
      const lower = Math.max(gap.lower, at)
      const upper = Math.min(gap.upper, end)
      push(i, at, lower, 0, size)
      if (gap.windowLower < gap.windowUpper) push(i, lower, upper, gap.windowLower, gap.windowUpper)
      at = Math.max(at, upper)
    }
    push(i, at, end, 0, size)
  }
  pieces.first[problem.count] = pieces.count
  return pieces
}
