/** A packed graph as one that can be rewritten, and what rewriting asks of it. */
import type { Graph, Op, Tensor } from '../graph'
import { type PackedGraph, unpackGraph } from '../packed'

/** '1x8x8x3' of the table of texts; undefined: unknown, or too long to have been kept. */
function sides(text: string): number[] | undefined {
  if (text === 'scalar') return []
  return /^\d+(x\d+)*$/.test(text) ? text.split('x').map(Number) : undefined
}

export function graphOf(packed: PackedGraph): Graph {
  const { tensors, ops } = unpackGraph(packed)
  return {
    name: '',
    tensors: tensors.map(({ shape, dtype, axes, ...rest }): Tensor => {
      const known = sides(shape)
      return {
        ...rest,
        ...(known === undefined ? {} : { shape: known }),
        ...(dtype === '' ? {} : { dtype }),
        ...(axes === '' ? {} : { axes }),
      }
    }),
    ops,
  }
}

/** By tensor: the operator that makes it, -1: none; and those that read it, each once. O(inputs and outputs). */
export function usesOf({ tensors, ops }: Graph): { producer: number[]; readers: number[][] } {
  const producer = tensors.map(() => -1)
  const readers = tensors.map((): number[] => [])
  ops.forEach(({ inputs, outputs }, k) => {
    for (const tensor of outputs) producer[tensor] = k
    for (const tensor of new Set(inputs)) readers[tensor]?.push(k)
  })
  return { producer, readers }
}

/** The same operators in another order, which the caller knows to be a schedule. order: by place, the operator's row. */
export function reordered(graph: Graph, order: ArrayLike<number>): Graph {
  return { ...graph, ops: Array.from(order, (row) => graph.ops[row] as Op) }
}

/** Longest id that the core takes, in bytes of UTF-8. */
const LONGEST = 255

/** Ids that nobody has yet. Throws a RangeError where one gets too long. */
export class FreshIds {
  readonly #taken: Set<string>

  constructor(items: readonly { id: string }[]) {
    this.#taken = new Set(items.map(({ id }) => id))
  }

  of(id: string, part: number): string {
    let made = `${id}#${part}`
    while (this.#taken.has(made)) made += "'"
    if (new TextEncoder().encode(made).length > LONGEST) throw new RangeError(`“${id}” is too long to be split`)
    this.#taken.add(made)
    return made
  }
}
