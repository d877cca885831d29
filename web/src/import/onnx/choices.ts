/** Which inputs decide between the branches of If: their values can be told, and then one branch is planned. */
import { elements, isWhole } from './dtypes'
import type { Declared, OnnxGraph, OnnxNode } from './model'
import { subgraphs } from './order'

/** More numbers than a person would type are data. */
const MOST_TOLD = 16

/** An input of few whole numbers or truth values. */
function isSmall({ dtype, dims }: Declared): boolean {
  if (!isWhole(dtype) || !dims) return false
  return dims.every((dim): dim is number => typeof dim === 'number') && elements(dims) <= MOST_TOLD
}

/** Those inputs of the model that alone decide at least one If, by name: what each of the conditions depends on besides is in the file. */
export function decisive(graph: OnnxGraph): ReadonlySet<string> {
  const nodes = [...graph.nodes]
  const stored = new Set<string>()
  const inputs = new Map(graph.inputs.map((input) => [input.name, input]))
  const see = ({ initializers }: OnnxGraph): void => {
    for (const { name } of initializers) stored.add(name)
  }
  see(graph)
  for (const node of nodes)
    for (const inner of subgraphs(node)) {
      nodes.push(...inner.nodes)
      see(inner)
    }
  const makers = new Map<string, OnnxNode>()
  for (const node of nodes) for (const output of node.outputs) makers.set(output, node)
  const found = new Set<string>()
  for (const node of nodes) {
    if (node.type !== 'If' || node.domain !== '') continue
    const roots = rootsOf(node.inputs[0] ?? '', makers).filter((name) => !stored.has(name))
    const told = roots.every((name) => {
      const input = inputs.get(name)
      return input !== undefined && isSmall(input)
    })
    if (told) for (const name of roots) found.add(name)
  }
  return found
}

/** The names that a value is computed from and that no node makes. */
function rootsOf(name: string, makers: ReadonlyMap<string, OnnxNode>): string[] {
  const seen = new Set([name])
  for (const one of seen) for (const input of makers.get(one)?.inputs ?? []) seen.add(input)
  return [...seen].filter((one) => one !== '' && !makers.has(one))
}
