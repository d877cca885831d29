/**
 * A second, plain reading of the rules by which graphs become buffers, to compare with: nothing shares memory, every tensor lives from
 * its producer (inputs: from the start) through its last reader (outputs: to the end). Constants are left out, or prefetched.
 */
import type { Graph, Tensor } from '../../web/src/import/graph'

export interface Buffer {
  tensor: Tensor
  lower: number
  upper: number
  size: number
}

export interface Rules {
  /** sizes are rounded up to a multiple; 1 unless said */
  multiple?: number
  /** constants live from so many operators before the first that reads them; left out unless said */
  prefetch?: number
}

/** Each operator's weights and what stands beside them as one constant, the way some compilers pack them. */
export function packed(graph: Graph): Graph {
  const tensors = [...graph.tensors]
  const ops = graph.ops.map((op) => {
    const [first, ...rest] = op.inputs.filter((k) => graph.tensors[k]?.kind.constant)
    if (first === undefined) return op
    const all = [first, ...rest].reduce((sum, k) => sum + (graph.tensors[k] as Tensor).bytes, 0)
    const { id, kind } = graph.tensors[first] as Tensor
    tensors[first] = { id, kind, bytes: all }
    return { ...op, inputs: op.inputs.filter((k) => !rest.includes(k)) }
  })
  return { ...graph, tensors, ops }
}

export function lower(graph: Graph, { multiple = 1, prefetch }: Rules = {}): Buffer[] {
  const end = graph.ops.length
  const made = new Map<number, number>()
  const read = new Map<number, number>()
  const first = new Map<number, number>()
  graph.ops.forEach((op, step) => {
    for (const k of op.outputs) made.set(k, step)
    for (const k of op.inputs) {
      read.set(k, step)
      if (!first.has(k)) first.set(k, step)
    }
  })
  return graph.tensors.flatMap((tensor, k) => {
    if (!made.has(k) && !read.has(k)) return []
    if (tensor.kind.constant && prefetch === undefined) return []
    const start = tensor.kind.constant ? Math.max(0, (first.get(k) ?? 0) - (prefetch ?? 0)) : (made.get(k) ?? 0)
    const upper = tensor.kind.output ? end : Math.max(read.get(k) ?? start, start) + 1
    return [{ tensor, lower: start, upper, size: Math.ceil(tensor.bytes / multiple) * multiple }]
  })
}

export const alive = (buffers: readonly Buffer[], step: number) =>
  buffers.filter((b) => b.lower <= step && step < b.upper)

/** The largest sum of what is alive, and where it is first reached. */
export function peak(buffers: readonly Buffer[]): { load: number; at: number; live: number } {
  let best = { load: 0, at: 0, live: 0 }
  for (let at = 0; at < Math.max(...buffers.map((b) => b.upper)); at++) {
    const here = alive(buffers, at)
    const load = here.reduce((sum, b) => sum + b.size, 0)
    if (load > best.load) best = { load, at, live: here.length }
  }
  return best
}

/** What the largest operator reads and writes. */
export function widest(graph: Graph): number {
  const bytes = (list: readonly number[]) =>
    list.reduce((sum, k) => sum + (graph.tensors[k]?.kind.constant ? 0 : (graph.tensors[k]?.bytes ?? 0)), 0)
  return Math.max(...graph.ops.map((op) => bytes(op.inputs) + bytes(op.outputs)))
}

export type Order = 'size' | 'start' | 'life' | 'area'

/** start: of those that start together, the larger first. */
const orders: Record<Order, (x: Buffer, y: Buffer) => number> = {
  size: (x, y) => y.size - x.size,
  start: (x, y) => x.lower - y.lower || y.size - x.size,
  life: (x, y) => y.upper - y.lower - (x.upper - x.lower),
  area: (x, y) => (y.upper - y.lower) * y.size - (x.upper - x.lower) * x.size,
}

/**
 * The height of a greedy plan: each buffer in turn in the lowest gap that it fits in, or in the smallest one (above all if there is none).
 * Ties go by the order of the tensors.
 */
export function greedy(buffers: readonly Buffer[], order: Order = 'size', fit: 'first' | 'best' = 'first'): number {
  const placed: (Buffer & { offset: number })[] = []
  for (const b of [...buffers].sort(orders[order])) {
    const near = placed.filter((p) => p.lower < b.upper && b.lower < p.upper).sort((x, y) => x.offset - y.offset)
    let floor = 0
    const gaps: { offset: number; room: number }[] = []
    for (const p of near) {
      if (p.offset - floor >= b.size) gaps.push({ offset: floor, room: p.offset - floor })
      floor = Math.max(floor, p.offset + p.size)
    }
    if (fit === 'best') gaps.sort((x, y) => x.room - y.room)
    placed.push({ ...b, offset: gaps[0]?.offset ?? floor })
  }
  return Math.max(...placed.map((p) => p.offset + p.size))
}
