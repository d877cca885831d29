import { Refusal } from '../refusal'
import type { FileSubgraph } from './file'

/** What a graph may hold once every subgraph stands where it is run. */
const MOST_TENSORS = 1 << 20
const MOST_OPS = 1 << 20
const MOST_ENDS = 1 << 22
const DEEPEST = 64

interface Extent {
  tensors: number
  ops: number
  /** inputs and outputs of operators */
  ends: number
}

/**
 * Throws Refusal if the subgraphs run each other in a circle, run what is not there, or come to more than a graph may hold: a few of
 * them, each of which runs the next twice, would be millions. Takes time proportional to the file.
 */
export function checkCalls(subgraphs: readonly FileSubgraph[], entry: number): void {
  const known = new Map<number, Extent>()

  const extent = (index: number, depth: number): Extent => {
    const seen = known.get(index)
    if (seen) return seen
    const { tensors, ops, inputs, outputs } = subgraphs[index] as FileSubgraph
    const sum: Extent = { tensors: tensors.length, ops: ops.length, ends: inputs.length + outputs.length }
    for (const [number, op] of ops.entries()) {
      sum.ends += op.inputs.length + op.outputs.length
      // and a tensor without bytes for the order of each of the operators that are added
      sum.tensors += op.callees.length > 0 ? 1 : 0
      for (const callee of op.callees) {
        const place = `subgraph ${index}, operator ${number}: ${op.type} runs`
        if (callee <= 0 || callee >= subgraphs.length)
          throw new Refusal(`${place} subgraph ${callee}, which it cannot: there are ${subgraphs.length}.`)
        // a circle is as deep as one likes
        if (depth >= DEEPEST) throw new Refusal(`${place} subgraphs in subgraphs, deeper than ${DEEPEST}.`)
        const inner = extent(callee, depth + 1)
        sum.tensors += 2 + inner.tensors
        sum.ops += 2 + inner.ops
        sum.ends += op.inputs.length + op.outputs.length + inner.ends
      }
    }
    known.set(index, sum)
    return sum
  }

  const { tensors, ops, ends } = extent(entry, 0)
  if (tensors > MOST_TENSORS)
    throw new Refusal(`the model runs with ${tensors} tensors; at most ${MOST_TENSORS} can be read.`)
  if (ops > MOST_OPS) throw new Refusal(`the model runs ${ops} operators; at most ${MOST_OPS} can be read.`)
  if (ends > MOST_ENDS)
    throw new Refusal(`the model's operators have ${ends} inputs and outputs; at most ${MOST_ENDS} can be read.`)
}
