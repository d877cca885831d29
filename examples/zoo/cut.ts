/** Part of a graph: without its constants, or from one operator to another. */
import type { Graph, Kind, Op, Tensor } from '../../web/src/import/graph'
import { windowsOf } from '../../web/src/import/windows'

/** The place of an operator named by index or id. */
function place(graph: Graph, which: number | string, what: string): number {
  const number = typeof which === 'number' || /^\d+$/.test(which) ? Number(which) : Number.NaN
  const found = Number.isNaN(number) ? graph.ops.findIndex((op) => op.id === which) : number
  if (Number.isInteger(found) && found >= 0 && found < graph.ops.length) return found
  throw new Error(
    `${what}: ${graph.name} has no operator ${which}: it has 0 to ${graph.ops.length - 1} and names such as ${graph.ops[0]?.id}`,
  )
}

/** The graph without tensors that are not kept, of which no operator is left with a trace. */
function without(graph: Graph, ops: readonly Op[], kept: readonly (Tensor | undefined)[]): Graph {
  const tensors: Tensor[] = []
  const now = new Map<number, number>()
  kept.forEach((tensor, k) => {
    if (tensor) now.set(k, tensors.push(tensor) - 1)
  })
  const moved = (list: readonly number[]) => list.flatMap((k) => now.get(k) ?? [])
  const pairs = (list: readonly (readonly [number, number])[]) =>
    list.flatMap(([a, b]) => {
      const [to, from] = [now.get(a), now.get(b)]
      return to === undefined || from === undefined ? [] : [[to, from] as const]
    })
  return {
    name: graph.name,
    tensors,
    ops: ops.map((op) => ({
      ...op,
      inputs: moved(op.inputs),
      outputs: moved(op.outputs),
      ...(op.inplace && { inplace: pairs(op.inplace) }),
      ...(op.alias && { alias: pairs(op.alias) }),
      ...(op.windows && {
        windows: windowsOf(
          op.windows,
          op.inputs.map((k) => now.has(k)),
        ),
      }),
    })),
  }
}

export function withoutConstants(graph: Graph): Graph {
  return without(
    graph,
    graph.ops,
    graph.tensors.map((tensor) => (tensor.kind.constant ? undefined : tensor)),
  )
}

/**
 * The operators from first to last, by index or id, both included. What an operator before the first made is an input of the result,
 * what an operator after the last reads is an output of it; tensors that only cut operators touch are gone.
 */
export function cut(graph: Graph, first: number | string = 0, last: number | string = graph.ops.length - 1): Graph {
  const from = place(graph, first, 'first')
  const to = place(graph, last, 'last')
  if (from > to) throw new Error(`first: operator ${from} comes after the last, ${to}`)
  const ops = graph.ops.slice(from, to + 1)
  const made = new Set(ops.flatMap((op) => op.outputs))
  const used = new Set(ops.flatMap((op) => op.inputs))
  const later = new Set(graph.ops.slice(to + 1).flatMap((op) => op.inputs))
  const before = new Set(graph.ops.slice(0, from).flatMap((op) => op.outputs))
  const kept = graph.tensors.map((tensor, k) => {
    if (!made.has(k) && !used.has(k)) return undefined
    const kind: Kind = { ...tensor.kind }
    if (before.has(k)) kind.input = true
    if (later.has(k) && (made.has(k) || before.has(k))) kind.output = true
    return { ...tensor, kind }
  })
  return without(graph, ops, kept)
}
