/** A graph whose floating-point tensors are of one byte an element, as a converter for integer inference makes it. */
import type { Graph, Tensor } from '../graph'

const FLOATS: Readonly<Record<string, number>> = { float64: 8, float32: 4, float16: 2, bfloat16: 2 }

const widthOf = ({ dtype = '' }: Tensor) => FLOATS[dtype.toLowerCase()] ?? 1

/** Whether there is a tensor in it that would be narrower. */
export const canNarrow = ({ tensors }: Graph) => tensors.some((tensor) => widthOf(tensor) > 1)

/** Scales and zero points are not counted, and an operator's workspace stays as it is: what it would be is its kernel's affair. */
export function narrowed(graph: Graph): Graph {
  const tensors = graph.tensors.map((tensor): Tensor => {
    const width = widthOf(tensor)
    return width === 1 ? tensor : { ...tensor, bytes: Math.ceil(tensor.bytes / width), dtype: 'int8' }
  })
  return { ...graph, tensors }
}
