/**
 * The search space of orders: each buffer goes to the lowest offset above all those before it that are alive at the same time
 * (MiniMalloc, §2.3 with §6.2). Small problems only: there are n! orders.
 */
import type { Problem } from '../../../../wasm/client/types'
import { overlap } from './live'

/** The offset that a buffer gets on top of what is placed. offset: -1 where nothing is. */
export function restingPlace(problem: Problem, offset: ArrayLike<number>, buffer: number): number {
  let floor = 0
  for (let k = 0; k < problem.count; k++) {
    const at = offset[k] ?? -1
    if (at >= 0 && overlap(problem, k, buffer)) floor = Math.max(floor, at + (problem.size[k] ?? 0))
  }
  return floor
}

/** Offsets of the buffers placed in this order; -1 for those that are not in it. */
export function packing(problem: Problem, order: readonly number[]): Float64Array<ArrayBuffer> {
  const offset = new Float64Array(problem.count).fill(-1)
  for (const buffer of order) offset[buffer] = restingPlace(problem, offset, buffer)
  return offset
}

export function heightOf(problem: Problem, offset: ArrayLike<number>): number {
  let height = 0
  for (let k = 0; k < problem.count; k++) {
    const at = offset[k] ?? -1
    if (at >= 0) height = Math.max(height, at + (problem.size[k] ?? 0))
  }
  return height
}

/** All orders of 0 to n - 1, the lexicographically first one first. */
export function permutations(n: number): number[][] {
  if (n === 0) return [[]]
  const shorter = permutations(n - 1)
  return Array.from({ length: n }, (_, first) =>
    shorter.map((rest) => [first, ...rest.map((k) => (k >= first ? k + 1 : k))]),
  ).flat()
}

export interface Packing {
  offset: Float64Array<ArrayBuffer>
  height: number
  /** that lead to it */
  orders: number[][]
}

/** Every packing that some order leads to, with all the orders that do. */
export function packings(problem: Problem): Packing[] {
  const found = new Map<string, Packing>()
  for (const order of permutations(problem.count)) {
    const offset = packing(problem, order)
    const key = offset.join()
    const known = found.get(key)
    if (known !== undefined) known.orders.push(order)
    else found.set(key, { offset, height: heightOf(problem, offset), orders: [order] })
  }
  return [...found.values()]
}

/** The orders that lead to the same packing as this one. */
export function ordersOf(problem: Problem, offset: ArrayLike<number>): number[][] {
  const key = Array.from(offset).join()
  return packings(problem).find((one) => one.offset.join() === key)?.orders ?? []
}

/** Offsets never go down (MiniMalloc, §5). */
export function offsetMonotonic(offset: ArrayLike<number>, order: readonly number[]): boolean {
  return order.every((buffer, k) => k === 0 || (offset[order[k - 1] ?? 0] ?? 0) <= (offset[buffer] ?? 0))
}

/** Buffers of the same offset come by index, wherever they are in the order (MiniMalloc, §5). */
export function indexMonotonic(offset: ArrayLike<number>, order: readonly number[]): boolean {
  return order.every((buffer, k) =>
    order.slice(k + 1).every((later) => (offset[buffer] ?? 0) !== (offset[later] ?? 0) || buffer < later),
  )
}

export const canonical = (offset: ArrayLike<number>, order: readonly number[]) =>
  offsetMonotonic(offset, order) && indexMonotonic(offset, order)

/** A set of placed buffers on the way to a packing. */
export interface Node {
  /** increasing */
  buffers: number[]
  /** edges to the nodes with one more: index in the next level */
  next: { to: number; buffer: number; kind: 'canonical' | 'offset' | 'index' }[]
  /** orders that lead here from nothing */
  paths: number
  /** on the one path of canonical steps that reaches the end */
  chosen: boolean
}

/** MiniMalloc, Figure 6: the sets on the ways to one packing, by their size. Edges that go down in offset or index are named so. */
export function lattice(offset: ArrayLike<number>, orders: readonly number[][]): Node[][] {
  const n = orders[0]?.length ?? 0
  const levels = Array.from({ length: n + 1 }, () => new Map<string, Node>())
  const main = orders.find((order) => canonical(offset, order)) ?? []
  const key = (buffers: readonly number[]) => buffers.join()
  const sorted = (buffers: readonly number[]) => [...buffers].sort((x, y) => x - y)
  for (const order of orders) {
    for (let k = 0; k <= n; k++) {
      const buffers = sorted(order.slice(0, k))
      const known = levels[k]?.get(key(buffers))
      const chosen = key(sorted(main.slice(0, k))) === key(buffers)
      if (known === undefined) levels[k]?.set(key(buffers), { buffers, next: [], paths: 0, chosen })
    }
  }
  const list = levels.map((level) => [...level.values()].sort((x, y) => compare(x.buffers, y.buffers)))
  const first = list[0]?.[0]
  if (first !== undefined) first.paths = 1
  list.forEach((level, k) => {
    for (const node of level) joinNext(node, list[k + 1] ?? [], offset)
  })
  return list
}

function compare(x: readonly number[], y: readonly number[]): number {
  const at = x.findIndex((value, k) => value !== y[k])
  return at < 0 ? 0 : (x[at] ?? 0) - (y[at] ?? 0)
}

function joinNext(node: Node, level: Node[], offset: ArrayLike<number>): void {
  level.forEach((above, to) => {
    const added = above.buffers.filter((buffer) => !node.buffers.includes(buffer))
    const [buffer] = added
    if (added.length !== 1 || buffer === undefined) return
    const top = Math.max(0, ...node.buffers.map((k) => offset[k] ?? 0))
    const at = offset[buffer] ?? 0
    const last = Math.max(-1, ...node.buffers.filter((k) => offset[k] === at))
    const kind = at < top ? 'offset' : buffer < last ? 'index' : 'canonical'
    node.next.push({ to, buffer, kind })
    above.paths += node.paths
  })
}
