/** A packing as constraints for CP-SAT (TelaMalloc, section 5.1): no objective and no hint, so that the solver searches by itself. */
import type { CpModel, IntVar } from 'or-tools-wasm/cp-sat'
import { gridOf, type Packing, pairsOf } from './packing'

export interface PackingModel {
  model: CpModel
  /** the offset of each buffer, in bytes, by the solver's value of a variable */
  offsets: (value: (variable: IntVar) => number) => number[]
  pairs: number
}

/** Model: the class of the package, which its caller has fetched. Throws if a buffer has no place at all. */
export function packingModel(Model: new () => CpModel, packing: Packing): PackingModel {
  const model = new Model()
  const { unit, capacity, size, grain, least, most } = gridOf(packing)
  const places = size.map((_, i) => {
    const [low, high] = [least[i] ?? 0, most[i] ?? -1]
    if (high < low) throw new RangeError(`buffer ${i} has no place`)
    return model.newIntVar(low, high, `p${i}`)
  })
  let pairs = 0
  for (const [i, j] of pairsOf(packing)) {
    const below = (places[i] as IntVar).times(grain[i] ?? 1)
    const above = (places[j] as IntVar).times(grain[j] ?? 1)
    const first = model.newBoolVar(`b${i}_${j}`)
    model.addLinearConstraint(above.minus(below), size[i] ?? 0, capacity).onlyEnforceIf(first)
    model.addLinearConstraint(below.minus(above), size[j] ?? 0, capacity).onlyEnforceIf(first.not())
    pairs += 1
  }
  const offsets = (value: (variable: IntVar) => number) =>
    places.map((place, i) => Math.round(value(place)) * (grain[i] ?? 1) * unit)
  return { model, offsets, pairs }
}
