/** Another order of a model's operators against the one that it came with. */
import type { GraphModel, Plan } from '../../../../wasm/client/types'
import type { OrderChanges } from '../../layout/scene'
import { transfersOf } from './transfers'

/** 1: not among the most that kept their order among each other. O(n log n). */
export function outOfOrder(from: ArrayLike<number>): Uint8Array {
  // ends[k]: of the increasing sequences of k + 1, the one with the least end
  const ends: number[] = []
  const before = new Int32Array(from.length).fill(-1)
  for (let k = 0; k < from.length; k++) {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((from[ends[middle] as number] as number) < (from[k] as number)) low = middle + 1
      else high = middle
    }
    before[k] = ends[low - 1] ?? -1
    ends[low] = k
  }
  const moved = new Uint8Array(from.length).fill(1)
  for (let k = ends.at(-1) ?? -1; k >= 0; k = before[k] as number) moved[k] = 0
  return moved
}

/** given: the model in its own order; ordered: in that of the plan. null: they are the same and nothing is moved outside. */
export function changesOf(given: GraphModel, ordered: GraphModel, plan: Plan | null): OrderChanges | null {
  const at = new Uint32Array(given.ops.count)
  for (let k = 0; k < given.ops.count; k++) at[given.ops.row[k] as number] = k
  const from = Uint32Array.from(ordered.ops.row, (row) => at[row] as number)
  const moved = outOfOrder(from)
  const fetched = (plan === null ? [] : transfersOf(plan, given)).filter(({ kind }) => kind === 'fetch')
  const outside = fetched.map(({ tensor, time }): [number, number] => [
    ordered.tensors.producer[tensor] as number,
    time,
  ])
  return moved.includes(1) || outside.length > 0 ? { from, moved, outside } : null
}
