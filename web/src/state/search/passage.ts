/** What happened over a stretch of a search, as the overview has counted it: what is said where single steps pass too fast to be told. */
import type { Overview } from '../../../../wasm/client/types'

export interface Passage {
  /** the first and the last step of it: whole buckets of the overview */
  from: number
  to: number
  rejected: number
  /** placements taken back, and by how many backtracks of more than one level, or that a solver tells of */
  backtracks: number
  /** levels between which it went */
  low: number
  high: number
}

/** Of the buckets that hold steps after `after` and up to `to`. minor: the rule whose rejections are placements taken back. O(buckets of it). */
export function passageOf(overview: Overview, minor: number, after: number, to: number): Passage | null {
  const { width } = overview
  const first = Math.floor(Math.max(0, after) / width)
  const last = Math.min(overview.count - 1, Math.floor((Math.max(1, to) - 1) / width))
  if (last < first) return null
  const passage = {
    from: first * width + 1,
    to: (last + 1) * width,
    rejected: 0,
    backtracks: 0,
    low: Number.POSITIVE_INFINITY,
    high: 0,
  }
  for (let k = first; k <= last; k++) {
    overview.rules.forEach((counts, rule) => {
      if (rule !== minor) passage.rejected += counts[k] ?? 0
    })
    passage.backtracks += overview.backtracks[k] ?? 0
    passage.low = Math.min(passage.low, overview.minDepth[k] ?? 0)
    passage.high = Math.max(passage.high, overview.maxDepth[k] ?? 0)
  }
  return passage
}
