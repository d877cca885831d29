/**
 * A packing as the integer linear program of TelaMalloc's figure 5, for HiGHS: a place for each buffer, two choices that exclude each other for each pair alive
 * together, and the capacity as the constant that switches a constraint off. `<=` stands where the paper prints `<`: addresses are whole.
 */
import type { ModelData } from 'highs'
import { gridOf, type Packing, pairsOf } from './packing'

export interface PackingProgram {
  data: ModelData
  /** in bytes, of the values of the variables; null: one of the places is not whole */
  offsets: (values: ArrayLike<number>) => number[] | null
}

/** How far from a whole number a place may be. */
const WHOLE = 1e-6

/** integer: the solver's word for a variable without fractions, infinity: its word for no bound. Throws if a buffer has no place at all. */
export function packingProgram<I extends number>(packing: Packing, integer: I, infinity: number): PackingProgram {
  const { unit, capacity, size, grain, least, most } = gridOf(packing)
  const n = size.length
  size.forEach((_, i) => {
    if ((most[i] ?? -1) < (least[i] ?? 0)) throw new RangeError(`buffer ${i} has no place`)
  })
  const [lower, upper] = [[...least], [...most]]
  const rowLower: number[] = []
  const rowUpper: number[] = []
  const [starts, indices, values] = [[0], [] as number[], [] as number[]]
  const row = (low: number, high: number, entries: readonly (readonly [number, number])[]) => {
    for (const [column, value] of entries) {
      indices.push(column)
      values.push(value)
    }
    starts.push(indices.length)
    rowLower.push(low)
    rowUpper.push(high)
  }
  for (const [i, j] of pairsOf(packing)) {
    const [b, c] = [lower.length, lower.length + 1]
    lower.push(0, 0)
    upper.push(1, 1)
    const [gi, gj] = [grain[i] ?? 1, grain[j] ?? 1]
    row(1, 1, [
      [b, 1],
      [c, 1],
    ])
    row(-infinity, -(size[i] ?? 0), [
      [i, gi],
      [j, -gj],
      [b, -capacity],
    ])
    row(-infinity, -(size[j] ?? 0), [
      [i, -gi],
      [j, gj],
      [c, -capacity],
    ])
  }
  const numCols = lower.length
  const numRows = rowLower.length
  const data = {
    numCols,
    numRows,
    colCost: new Array<number>(numCols).fill(0),
    colLower: lower,
    colUpper: upper,
    rowLower,
    rowUpper,
    matrix: { format: 'csr', numRows, numCols, starts, indices, values },
    integrality: new Array<I>(numCols).fill(integer),
  } as unknown as ModelData
  const offsets = (solution: ArrayLike<number>) => {
    const places = Array.from({ length: n }, (_, i) => solution[i] ?? Number.NaN)
    if (!places.every((place) => Math.abs(place - Math.round(place)) <= WHOLE)) return null
    return places.map((place, i) => Math.round(place) * (grain[i] ?? 1) * unit)
  }
  return { data, offsets }
}
