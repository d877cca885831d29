/**
 * Buffers that alone do not fit, put on top of each other to be looked at: since nothing packs them below the capacity, whatever
 * arrangement is shown, something sticks out of it. This one is made by first fit, in the order that ends lowest.
 */
import type { Problem } from '../../../../wasm/client/types'

/** Larger sets are only listed: a picture of them says nothing, and first fit looks at all pairs. */
export const UNFIT_SHOWN = 600

type Order = (a: number, b: number) => number

function orders(problem: Problem): Order[] {
  const size = (k: number) => problem.size[k] as number
  const life = (k: number) => (problem.upper[k] as number) - (problem.lower[k] as number)
  return [
    (a, b) => life(b) - life(a) || size(b) - size(a),
    (a, b) => size(b) * life(b) - size(a) * life(a),
    (a, b) => size(b) - size(a) || life(b) - life(a),
    (a, b) => (problem.lower[a] as number) - (problem.lower[b] as number) || size(b) - size(a),
  ]
}

function together(problem: Problem, a: number, b: number): boolean {
  return (
    (problem.lower[a] as number) < (problem.upper[b] as number) &&
    (problem.lower[b] as number) < (problem.upper[a] as number)
  )
}

/** The least offset that a buffer's alignment and bank allow, at or above `from`. */
function allowed(problem: Problem, k: number, from: number): number {
  const fixed = problem.fixed[k] as number
  if (fixed >= 0) return fixed
  const grain = Math.max(1, problem.alignment[k] as number)
  const bank = problem.bank[k] as number
  const up = Math.ceil(from / grain) * grain
  if (!(bank > 0)) return up
  const end = (Math.floor(up / bank) + 1) * bank
  return up + (problem.size[k] as number) <= end ? up : Math.ceil(end / grain) * grain
}

function firstFit(problem: Problem, order: number[], offset: Float64Array): number {
  const placed: number[] = []
  let height = 0
  for (const k of order) {
    const size = problem.size[k] as number
    const near = placed
      .filter((other) => together(problem, k, other))
      .sort((a, b) => (offset[a] as number) - (offset[b] as number))
    let at = allowed(problem, k, 0)
    for (const other of near) {
      const low = offset[other] as number
      const top = low + (problem.size[other] as number)
      if (top > at && low < at + size && (problem.fixed[k] as number) < 0) at = allowed(problem, k, top)
    }
    offset[k] = at
    placed.push(k)
    height = Math.max(height, at + size)
  }
  return height
}

/** Offsets by buffer, -1 for those that are not in the set; null if the set is empty or too large to be shown. O(set² log set). */
export function stackUnfit(problem: Problem, set: number[]): Float64Array<ArrayBuffer> | null {
  if (set.length === 0 || set.length > UNFIT_SHOWN) return null
  let best: Float64Array<ArrayBuffer> | null = null
  let least = Number.POSITIVE_INFINITY
  for (const order of orders(problem)) {
    const offset = new Float64Array(problem.count).fill(-1)
    // What is pinned comes first: the others have to go round it.
    const rank = (k: number) => ((problem.fixed[k] as number) >= 0 ? 0 : 1)
    const height = firstFit(
      problem,
      [...set].sort((a, b) => rank(a) - rank(b) || order(a, b) || a - b),
      offset,
    )
    if (height >= least) continue
    least = height
    best = offset
  }
  return best
}
