/** The order of nodes: that of the file, unless a node comes before what it reads. */
import { Refusal } from '../refusal'
import type { OnnxGraph, OnnxNode } from './model'

export function titleOf(node: OnnxNode): string {
  return `${node.type} “${node.name || node.outputs.find((output) => output) || ''}”`
}

/** The graphs that are attributes of a node. */
export function subgraphs(node: OnnxNode): OnnxGraph[] {
  return [...node.attributes.values()].flatMap(({ graph }) => (graph ? [graph] : []))
}

/** All that a node reads, with what its subgraphs take from around them. */
function reads(node: OnnxNode): string[] {
  const names = [...node.inputs]
  const inside = new Set<string>()
  const open = subgraphs(node)
  for (const graph of open) {
    names.push(...graph.outputs.map((output) => output.name))
    for (const own of [...graph.inputs, ...graph.initializers]) inside.add(own.name)
    for (const inner of graph.nodes) {
      names.push(...inner.inputs)
      for (const output of inner.outputs) inside.add(output)
      open.push(...subgraphs(inner))
    }
  }
  return inside.size > 0 ? names.filter((name) => !inside.has(name)) : names
}

function producers(nodes: readonly OnnxNode[]): Map<string, number> {
  const map = new Map<string, number>()
  nodes.forEach((node, i) => {
    for (const output of node.outputs) {
      if (output === '') continue
      const first = map.get(output)
      if (first !== undefined)
        throw new Refusal(`“${output}” is made by both ${titleOf(nodes[first] as OnnxNode)} and ${titleOf(node)}.`)
      map.set(output, i)
    }
  })
  return map
}

/** The nodes so that each comes after those whose outputs it reads. A file in order stays as it is. */
export function ordered(nodes: readonly OnnxNode[]): { nodes: readonly OnnxNode[]; moved: boolean } {
  const made = producers(nodes)
  const needs = nodes.map((node) => reads(node).flatMap((name) => made.get(name) ?? []))
  if (needs.every((list, i) => list.every((j) => j < i))) return { nodes, moved: false }
  const out: OnnxNode[] = []
  /** 0 not seen, 1 begun, 2 done */
  const state = new Uint8Array(nodes.length)
  for (let root = 0; root < nodes.length; root++) {
    const stack = state[root] === 2 ? [] : [root]
    while (stack.length > 0) {
      const at = stack[stack.length - 1] as number
      if (state[at] === 2) {
        stack.pop()
        continue
      }
      state[at] = 1
      const next = (needs[at] as number[]).filter((j) => state[j] !== 2)
      if (next.length === 0) {
        state[at] = 2
        out.push(nodes[at] as OnnxNode)
        stack.pop()
        continue
      }
      for (const j of next) {
        if (state[j] === 1)
          throw new Refusal(`${titleOf(nodes[j] as OnnxNode)} needs its own output: the graph has a cycle.`)
        stack.push(j)
      }
    }
  }
  return { nodes: out, moved: true }
}
