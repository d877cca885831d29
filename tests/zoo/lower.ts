/**
 * A second, plain reading of the rules by which graphs become buffers, to compare with: nothing is done in place, every tensor lives from
 * its producer (inputs: from the start) through its last reader (outputs: to the end); those that are the same bytes in other shapes are
 * one. Constants are left out, or loaded ahead of each use, if they are not still there then.
 */
import type { Graph, Tensor } from '../../web/src/import/graph'

export interface Buffer {
  id: string
  lower: number
  upper: number
  size: number
}

export interface Rules {
  /** sizes are rounded up to a multiple; 1 unless said */
  multiple?: number
  /** constants are loaded so many operators ahead; left out unless said */
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

/** The tensors under the first of those that are the same bytes. */
function stores({ tensors, ops }: Graph): number[] {
  const store = tensors.map((_, k) => k)
  for (const op of ops) for (const [output, input] of op.alias ?? []) store[output] = store[input] as number
  return store
}

function loads(id: string, used: readonly number[], prefetch: number): Omit<Buffer, 'size'>[] {
  const lives: Omit<Buffer, 'size'>[] = []
  for (const step of used) {
    const last = lives[lives.length - 1]
    if (last && step - prefetch <= last.upper) last.upper = step + 1
    else
      lives.push({ id: last ? `${id}:${lives.length + 1}` : id, lower: Math.max(0, step - prefetch), upper: step + 1 })
  }
  return lives
}

export function lower(graph: Graph, { multiple = 1, prefetch }: Rules = {}): Buffer[] {
  const end = graph.ops.length
  const store = stores(graph)
  const steps = graph.tensors.map(() => [] as number[])
  graph.ops.forEach((op, step) => {
    for (const k of [...op.inputs, ...op.outputs]) steps[store[k] as number]?.push(step)
  })
  graph.tensors.forEach((tensor, k) => {
    if (tensor.kind.output) steps[store[k] as number]?.push(end - 1)
  })
  return graph.tensors.flatMap((tensor, k) => {
    const used = steps[k] ?? []
    const { constant, input } = tensor.kind
    if (used.length === 0 || (constant && prefetch === undefined)) return []
    const size = Math.ceil(tensor.bytes / multiple) * multiple
    if (constant) return loads(tensor.id, used, prefetch ?? 0).map((life) => ({ ...life, size }))
    return [{ id: tensor.id, lower: input ? 0 : Math.min(...used), upper: Math.max(...used) + 1, size }]
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
