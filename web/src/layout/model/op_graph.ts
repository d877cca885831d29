/** Operators and the tensors between them as a graph to be laid out: all of them, or a window around the one that is looked at. */
import type { GraphModel } from '../../../../wasm/client/types'
import { clamp } from '../../base/geom'
import type { OrderChanges } from '../scene'

/** More operators than this are shown a window at a time: their layout would take too long, and nobody could find a way in it. */
export const MOST_SHOWN = 600
const NODE_LEAST = 44
const NODE_MOST = 180
const CHARACTER = 6.4
const PADDING = 18
export const NODE_HEIGHT = 22

export interface OpGraph {
  /** the operators shown are [first, end) of the schedule; node k is operator first + k */
  first: number
  end: number
  /** from, to: nodes */
  edges: [number, number][]
  width: number[]
  /** by node: its type, and of an operator that was moved its places in the given order and in this one */
  label: string[]
  /** edges that lead out of the window */
  cut: number
}

/** The window of at most `most` operators with `centre` in its middle, as far as the ends allow. */
export function windowAround(count: number, centre: number, most = MOST_SHOWN): [number, number] {
  if (count <= most) return [0, count]
  const first = clamp(Math.round(centre - most / 2), 0, count - most)
  return [first, first + most]
}

/** O(operators shown + their inputs). */
export function opGraph(model: GraphModel, first: number, end: number, changes: OrderChanges | null = null): OpGraph {
  const { ops, tensors } = model
  const edges: [number, number][] = []
  let cut = 0
  for (let op = first; op < end; op++) {
    const makers = new Set<number>()
    for (let k = ops.inputStart[op] ?? 0; k < (ops.inputStart[op + 1] ?? 0); k++) {
      const maker = tensors.producer[ops.inputs[k] ?? 0] ?? -1
      if (maker >= 0) makers.add(maker)
    }
    for (const maker of makers) {
      if (maker >= first && maker < end) edges.push([maker - first, op - first])
      else cut++
    }
  }
  const label = ops.types
    .slice(first, end)
    .map((type, k) => (changes?.moved[first + k] === 1 ? `${type} ${changes.from[first + k]}→${first + k}` : type))
  const width = label.map((text) => clamp(text.length * CHARACTER + PADDING, NODE_LEAST, NODE_MOST))
  return { first, end, edges, width, label, cut }
}
