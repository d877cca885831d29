/**
 * A packing for solvers that are not ours: TelaMalloc's encodings as an integer linear program (section 3.2, figure 5) and as constraints (section 5.1) share units,
 * places and the pairs that are alive together.
 */
import type { Problem } from '../../../../wasm/client/types'

/** Buffers by number, in bytes; a lifetime is [lower, upper). */
export interface Packing {
  lower: ArrayLike<number>
  upper: ArrayLike<number>
  size: ArrayLike<number>
  /** 1: none */
  alignment: ArrayLike<number>
  /** -1: free */
  fixed: ArrayLike<number>
  capacity: number
}

/** All in units, of which every size, alignment and fixed offset is a multiple. */
export interface Grid {
  /** in bytes */
  unit: number
  capacity: number
  size: number[]
  /** an offset is that many units times its variable */
  grain: number[]
  /** of the variable; no place at all: most is less than least */
  least: number[]
  most: number[]
}

/** '' if both encodings have what the problem asks for, else what they lack. */
export function lackOf(problem: Problem): string {
  if ((problem.pools?.length ?? 1) > 1) return 'takes one memory alone'
  if (problem.rects !== undefined) return 'takes no shapes'
  if (problem.gaps.length > 0) return 'takes no gaps'
  if (problem.bank.some((bank) => bank > 0)) return 'takes no banks'
  return ''
}

function divisor(a: number, b: number): number {
  let [x, y] = [a, b]
  while (y !== 0) [x, y] = [y, x % y]
  return x
}

function unitOf({ size, alignment, fixed }: Packing): number {
  let unit = 0
  for (let i = 0; i < size.length; i++) {
    unit = divisor(unit, size[i] ?? 0)
    if ((alignment[i] ?? 1) > 1) unit = divisor(unit, alignment[i] ?? 1)
    if ((fixed[i] ?? -1) >= 0) unit = divisor(unit, fixed[i] ?? 0)
  }
  return Math.max(1, unit)
}

export function gridOf(packing: Packing): Grid {
  const unit = unitOf(packing)
  const capacity = Math.floor(packing.capacity / unit)
  const size = Array.from(packing.size, (bytes) => bytes / unit)
  const grain = Array.from(packing.alignment, (bytes) => Math.max(1, bytes / unit))
  const at = Array.from(packing.fixed, (bytes, i) => (bytes < 0 ? -1 : bytes / unit / (grain[i] ?? 1)))
  const highest = size.map((units, i) => Math.floor((capacity - units) / (grain[i] ?? 1)))
  return {
    unit,
    capacity,
    size,
    grain,
    least: at.map((place) => Math.max(0, place)),
    most: at.map((place, i) => Math.min(highest[i] ?? -1, place < 0 ? Number.POSITIVE_INFINITY : place)),
  }
}

/** Pairs that are alive together, the smaller number first. O(n log n + pairs + n times those alive). */
export function* pairsOf({ lower, upper }: Pick<Packing, 'lower' | 'upper'>): Generator<[number, number]> {
  const order = Array.from({ length: lower.length }, (_, i) => i).sort((a, b) => (lower[a] ?? 0) - (lower[b] ?? 0))
  let alive: number[] = []
  for (const i of order) {
    const begin = lower[i] ?? 0
    alive = alive.filter((j) => (upper[j] ?? 0) > begin)
    for (const j of alive) yield i < j ? [i, j] : [j, i]
    alive.push(i)
  }
}

/** What is wrong with offsets that a solver said, '' if nothing: they are believed by nobody else. O(pairs). */
export function faultOf(packing: Packing, offsets: readonly number[]): string {
  for (const [i, at] of offsets.entries()) {
    const fixed = packing.fixed[i] ?? -1
    const out = !Number.isInteger(at) || at < 0 || at + (packing.size[i] ?? 0) > packing.capacity
    if (out || at % (packing.alignment[i] ?? 1) !== 0 || (fixed >= 0 && at !== fixed))
      return `buffer ${i} lies at ${at}`
  }
  for (const [i, j] of pairsOf(packing)) {
    const [a, b] = [offsets[i] ?? 0, offsets[j] ?? 0]
    if (a < b + (packing.size[j] ?? 0) && b < a + (packing.size[i] ?? 0)) return `buffers ${i} and ${j} overlap`
  }
  return ''
}
