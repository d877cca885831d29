/**
 * A packing as constraints for CP-SAT: TelaMalloc's encoding (section 5.1) of offsets, and of a choice for each pair alive together which of the two is below. No
 * objective and no hint: the solver searches by itself.
 */
import type { CpModel, IntVar } from 'or-tools-wasm/cp-sat'

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

export interface PackingModel {
  model: CpModel
  /** the offset of each buffer, in bytes, by the solver's value of a variable */
  offsets: (value: (variable: IntVar) => number) => number[]
  pairs: number
}

function divisor(a: number, b: number): number {
  let [x, y] = [a, b]
  while (y !== 0) [x, y] = [y, x % y]
  return x
}

/** What all sizes and alignments are multiples of: no plan needs a finer grain. */
function unitOf({ size, alignment, fixed }: Packing): number {
  let unit = 0
  for (let i = 0; i < size.length; i++) {
    unit = divisor(unit, size[i] ?? 0)
    if ((alignment[i] ?? 1) > 1) unit = divisor(unit, alignment[i] ?? 1)
    if ((fixed[i] ?? -1) >= 0) unit = divisor(unit, fixed[i] ?? 0)
  }
  return Math.max(1, unit)
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

/** Model: the class of the package, which its caller has fetched. */
export function packingModel(Model: new () => CpModel, packing: Packing): PackingModel {
  const model = new Model()
  const unit = unitOf(packing)
  const capacity = Math.floor(packing.capacity / unit)
  const sizes = Array.from(packing.size, (size) => size / unit)
  const grains = Array.from(packing.alignment, (alignment) => Math.max(1, alignment / unit))
  const places = sizes.map((size, i) => {
    const grain = grains[i] ?? 1
    const fixed = packing.fixed[i] ?? -1
    const most = Math.floor((capacity - size) / grain)
    const at = fixed >= 0 ? fixed / unit / grain : -1
    // a place that cannot be is an empty domain, which the solver takes for a fault of the model: then nothing may be true
    if (at > most || most < 0) model.addBoolOr([])
    return at >= 0 ? model.newIntVar(at, at, `p${i}`) : model.newIntVar(0, Math.max(0, most), `p${i}`)
  })
  let pairs = 0
  for (const [i, j] of pairsOf(packing)) {
    const [a, b] = [places[i] as IntVar, places[j] as IntVar]
    const [below, above] = [a.times(grains[i] ?? 1), b.times(grains[j] ?? 1)]
    const first = model.newBoolVar(`b${i}_${j}`)
    model.addLinearConstraint(above.minus(below), sizes[i] ?? 0, capacity).onlyEnforceIf(first)
    model.addLinearConstraint(below.minus(above), sizes[j] ?? 0, capacity).onlyEnforceIf(first.not())
    pairs += 1
  }
  const offsets = (value: (variable: IntVar) => number) =>
    places.map((place, i) => Math.round(value(place)) * (grains[i] ?? 1) * unit)
  return { model, offsets, pairs }
}
