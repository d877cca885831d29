/** The overview of a run as columns of small charts that share the axis of steps. */
import type { Manifest, Overview } from '../../../../wasm/client/types'
import { clamp } from '../../base/geom'
import { type Fate, fateOf } from '../step/fate'

/** In the order in which they are piled up. */
export const FATES: readonly Fate[] = ['bound', 'dominance', 'canonical', 'hatless', 'learned', 'other']

/** Some buckets of the overview: steps first .. last. */
export interface Column {
  first: number
  last: number
  /** fewest and most buffers placed */
  low: number
  high: number
  /** backtracks, and how many of them were major */
  back: number
  major: number
  /** decisions discarded, by FATES */
  fates: number[]
}

/** At most `most` columns, which share the buckets evenly. O(buckets × rules). */
export function columnsOf(overview: Overview, manifest: Manifest, steps: number, most: number): Column[] {
  const { count, width } = overview
  const columns: Column[] = []
  const fates = manifest.rules.map(({ id }) => FATES.indexOf(fateOf(id)))
  const wanted = Math.max(1, Math.min(count, most))
  for (let k = 0; k < wanted && count > 0; k++) {
    const from = Math.floor((k * count) / wanted)
    const end = Math.floor(((k + 1) * count) / wanted)
    const column: Column = {
      first: from * width + 1,
      last: Math.min(steps, end * width),
      low: Number.POSITIVE_INFINITY,
      high: 0,
      back: 0,
      major: 0,
      fates: FATES.map(() => 0),
    }
    for (let b = from; b < end; b++) {
      column.low = Math.min(column.low, overview.minDepth[b] ?? 0)
      column.high = Math.max(column.high, overview.maxDepth[b] ?? 0)
      column.back += overview.backtracks[b] ?? 0
      column.major += overview.major[b] ?? 0
      overview.rules.forEach((rule, r) => {
        const fate = fates[r] ?? -1
        if (fate >= 0) column.fates[fate] = (column.fates[fate] ?? 0) + (rule[b] ?? 0)
      })
    }
    columns.push(column)
  }
  return columns
}

export const discarded = (column: Column): number => column.fates.reduce((sum, n) => sum + n, 0)

/** The column that holds a step, -1 if there are none. */
export function columnAt(columns: Column[], step: number): number {
  let low = 0
  let high = columns.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((columns[middle]?.last ?? 0) < step) low = middle + 1
    else high = middle
  }
  return columns.length === 0 ? -1 : clamp(low, 0, columns.length - 1)
}

/** The best height after each incumbent, in order of step. */
export function heightsOf(overview: Overview): { step: number; height: number }[] {
  const heights: { step: number; height: number }[] = []
  for (const { kind, step, value } of overview.marks) {
    const last = heights.at(-1)
    if (kind === 'incumbent' && (last === undefined || value < last.height)) heights.push({ step, height: value })
  }
  return heights
}
