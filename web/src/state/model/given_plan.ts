/** A plan that came with a model's file, as offsets of the buffers that the graph was lowered to. */
import type { Problem } from '../../../../wasm/client/types'
import type { Operators } from '../../layout/scene'

export interface GivenPlan {
  /** by buffer, -1: the file leaves it to the runtime */
  offset: Float64Array<ArrayBuffer>
  /** buffers that have a place */
  placed: number
  /** of those, in bytes */
  height: number
  /** two that share addresses while both are alive, null: none do */
  clash: [number, number] | null
}

/** More pairs than this are not looked at. */
const PAIRS = 20_000_000

function clashOf(problem: Problem, offset: Float64Array): [number, number] | null {
  const placed = [...offset.keys()].filter((k) => (offset[k] ?? -1) >= 0)
  placed.sort((x, y) => (problem.lower[x] ?? 0) - (problem.lower[y] ?? 0))
  let looked = 0
  for (let i = 0; i < placed.length; i++) {
    const x = placed[i] ?? 0
    for (let j = i + 1; j < placed.length && looked < PAIRS; j++) {
      const y = placed[j] ?? 0
      if ((problem.lower[y] ?? 0) >= (problem.upper[x] ?? 0)) break
      looked++
      const low = Math.max(offset[x] ?? 0, offset[y] ?? 0)
      const high = Math.min((offset[x] ?? 0) + (problem.size[x] ?? 0), (offset[y] ?? 0) + (problem.size[y] ?? 0))
      if (low < high) return [x, y]
    }
  }
  return null
}

/**
 * offsets: by tensor of the graph, or with operators null by buffer; null for nowhere. A buffer that holds several tensors lies where the
 * first of them does that has a place.
 */
export function givenPlan(
  problem: Problem,
  operators: Operators | null,
  offsets: readonly (number | null)[],
): GivenPlan {
  const offset = new Float64Array(problem.count).fill(-1)
  offsets.forEach((at, k) => {
    const buffer = operators === null ? k : (operators.model.tensors.buffer[k] ?? -1)
    if (at !== null && buffer >= 0 && buffer < problem.count && (offset[buffer] ?? 0) < 0) offset[buffer] = at
  })
  let placed = 0
  let height = 0
  offset.forEach((at, k) => {
    if (at < 0) return
    placed++
    height = Math.max(height, at + (problem.size[k] ?? 0))
  })
  return { offset, placed, height, clash: clashOf(problem, offset) }
}
