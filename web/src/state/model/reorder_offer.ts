/** What reordering and copying out would make of a model that does not fit as it is. */
import type { GraphModel, Manifest, Problem, SolverInfo } from '../../../../wasm/client/types'
import { Cell } from '../../base/cell'

/** An amount of bytes that a plan needs; proven: none needs less. */
export interface Amount {
  bytes: number
  proven: boolean
}

export type ReorderOffer =
  | { kind: 'none' }
  | { kind: 'looking' }
  /** one operator alone needs more */
  | { kind: 'small'; operator: string; needs: number }
  /** another order fits */
  | { kind: 'fits'; peak: Amount }
  /** no order that is known fits; with copies outside one does. null: that was not found in time */
  | { kind: 'moves'; peak: Amount; traffic: Amount | null }

export const reorderOffer = new Cell<ReorderOffer>({ kind: 'none' })

/** Who makes the offer: the first solver of graphs that looks for the least peak and for the least traffic. */
export const planner = (known: Manifest | null): SolverInfo | null =>
  known?.schedulers.find(({ goals }) => goals.includes('height') && goals.includes('traffic')) ?? null

/** The operator that reads and writes most at once, and how much that is. O(inputs and outputs). */
export function largestOperator({ ops, tensors }: GraphModel, { size }: Problem): { op: number; bytes: number } {
  let most = { op: -1, bytes: -1 }
  for (let op = 0; op < ops.count; op++) {
    const reads = ops.inputs.subarray(ops.inputStart[op], ops.inputStart[op + 1])
    const writes = ops.outputs.subarray(ops.outputStart[op], ops.outputStart[op + 1])
    const buffers = new Set([...reads, ...writes].map((tensor) => tensors.buffer[tensor] ?? -1))
    buffers.add(ops.workspace[op] ?? -1)
    buffers.delete(-1)
    const bytes = [...buffers].reduce((sum, buffer) => sum + (size[buffer] ?? 0), 0)
    if (bytes > most.bytes) most = { op, bytes }
  }
  return most
}
