/**
 * A graph of operators in layers, sources on top. The layout is dagre's (Sugiyama's method: ranks by network simplex, crossings by the
 * median heuristic, coordinates as Brandes and Köpf have them).
 */
import { Graph, layout } from '@dagrejs/dagre'

export interface LayeredInput {
  /** in CSS pixels */
  width: number[]
  height: number
  /** from, to: indices of nodes, which are in the order of the schedule */
  edges: [number, number][]
}

export interface Layered {
  /** centres of the nodes */
  x: number[]
  y: number[]
  /** per edge its bends, x and y in turn, both ends included */
  paths: number[][]
  width: number
  height: number
}

interface Point {
  x: number
  y: number
}

const MARGIN = 12
/** An edge to the next node weighs so much more than another: what runs in a row stands in a column. */
const NEXT = 4

/** A tenth of a second for a hundred nodes, a second or two for five hundred. Parallel edges are one. */
export function layered(input: LayeredInput): Layered {
  const graph = new Graph()
  graph.setGraph({
    rankdir: 'TB',
    nodesep: 12,
    ranksep: 22,
    edgesep: 8,
    marginx: MARGIN,
    marginy: MARGIN,
  })
  graph.setDefaultEdgeLabel(() => ({}))
  input.width.forEach((width, k) => {
    graph.setNode(String(k), { width, height: input.height })
  })
  for (const [from, to] of input.edges) graph.setEdge(String(from), String(to), { weight: to - from === 1 ? NEXT : 1 })
  layout(graph)
  const at = input.width.map((_, k) => graph.node(String(k)))
  const paths = input.edges.map(([from, to]) => {
    const edge = graph.edge(String(from), String(to))
    return (edge?.points ?? []).flatMap((point: Point) => [point.x, point.y])
  })
  const size = graph.graph()
  return {
    x: at.map((node) => node.x ?? 0),
    y: at.map((node) => node.y ?? 0),
    paths,
    width: size.width ?? 0,
    height: size.height ?? 0,
  }
}
