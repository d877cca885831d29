/** What a plan leaves unused over time: bytes under its top, the largest free block under the capacity. */
import type { Problem } from '../../../../wasm/client/types'
import { memo } from '../../base/memo'

export interface Fragments {
  /** per section, in bytes: the top of what is alive, and the largest run of addresses below the capacity that nothing has */
  top: Float64Array
  largest: Float64Array
  /** section in which most bytes lie unused under the top, -1 if none do anywhere */
  worst: number
}

/** More buffers alive at once, over all sections, than this are not looked at: it would take longer than a frame. */
const LIVE_LIMIT = 4_000_000

/** Of the buffers alive: the top, and the largest gap below the capacity, by rising offset. */
function look(
  problem: Problem,
  offset: ArrayLike<number>,
  alive: Iterable<number>,
  capacity: number,
): [number, number] {
  let top = 0
  let largest = 0
  for (const k of alive) {
    const low = offset[k] ?? 0
    largest = Math.max(largest, Math.min(low, capacity) - top)
    top = Math.max(top, low + (problem.size[k] ?? 0))
  }
  return [top, Math.max(largest, capacity - top)]
}

/**
 * null for a plan that leaves a buffer out, for problems too large to be looked at, and for buffers with gaps, whose free blocks are of
 * another kind. O(sum of n log n over what is alive in each section).
 */
export const fragmentsOf = memo((problem: Problem, offset: ArrayLike<number>, capacity: number): Fragments | null => {
  const { sections, count } = problem
  const most = sections.live.reduce((sum, live) => sum + live, 0)
  if (most > LIVE_LIMIT || problem.gaps.length > 0) return null
  const byOffset = Array.from({ length: count }, (_, k) => k).sort((x, y) => (offset[x] ?? 0) - (offset[y] ?? 0))
  if (count === 0 || (offset[byOffset[0] ?? 0] ?? -1) < 0) return null
  const rank = new Uint32Array(count)
  byOffset.forEach((k, r) => {
    rank[k] = r
  })
  const starts = Array.from({ length: count }, (_, k) => k).sort(
    (x, y) => (problem.lower[x] ?? 0) - (problem.lower[y] ?? 0),
  )
  const made: Fragments = {
    top: new Float64Array(sections.count),
    largest: new Float64Array(sections.count),
    worst: -1,
  }
  let alive: number[] = []
  let next = 0
  let waste = 0
  for (let s = 0; s < sections.count; s++) {
    const time = sections.lower[s] ?? 0
    alive = alive.filter((k) => (problem.upper[k] ?? 0) > time)
    while (next < count && (problem.lower[starts[next] ?? 0] ?? 0) <= time) {
      const k = starts[next] ?? 0
      if ((problem.upper[k] ?? 0) > time) alive.push(k)
      next++
    }
    alive.sort((x, y) => (rank[x] ?? 0) - (rank[y] ?? 0))
    const [top, largest] = look(problem, offset, alive, capacity)
    made.top[s] = top
    made.largest[s] = largest
    const unused = top - (sections.load[s] ?? 0)
    if (unused > waste) {
      waste = unused
      made.worst = s
    }
  }
  return made
})
