/**
 * What LiteRT's reference kernels take of its arena while their operator runs (node->temporaries of the type kTfLiteArenaRw), by rule: from google-ai-edge/LiteRT,
 * tflite/kernels, of 2026-08. Weights of 8 bits before float activations are of the hybrid kernels, one scale for each channel.
 */
import type { Graph, Op, Tensor } from '../../web/src/import/graph'
import type { ScratchRow } from '../../web/src/import/imported'
import { elements } from '../../web/src/import/onnx/dtypes'

interface Ends {
  inputs: readonly Tensor[]
  output: Tensor
}
type Rule = (ends: Ends) => number[]

const WORD = 4
const count = (tensor: Tensor | undefined): number => elements(tensor?.shape ?? [])
const side = (tensor: Tensor | undefined, axis: number): number => tensor?.shape?.at(axis) ?? 1
const hybrid = ({ inputs: [input, weights] }: Ends): boolean => input?.dtype === 'float32' && weights?.dtype === 'int8'

/** reduce.cc: an index, the axes, and sums. */
const reduced =
  (sums: boolean): Rule =>
  ({ inputs: [input, axes], output }) => {
    const wide = input?.dtype === 'int32' || input?.dtype === 'int64' ? 2 * WORD : WORD
    return [WORD * (input?.shape?.length ?? 0), WORD * count(axes), ...(sums ? [wide * count(output)] : [])]
  }

/** conv.cc */
const conv: Rule = (ends) => {
  const { inputs, output } = ends
  const [input, weights] = inputs
  if (!hybrid(ends)) return []
  const rows = side(input, 0) * side(input, 1) * side(input, 2) * (side(input, 3) / side(weights, 3))
  const places = side(output, 0) * side(output, 1) * side(output, 2)
  const window = count(weights) / side(weights, 0)
  // strides show in the sides; a dilation without either is not seen here
  const plain = side(weights, 1) === 1 && side(weights, 2) === 1 && side(input, 1) === side(output, 1)
  return [...(plain ? [] : [places * window]), count(input), WORD * rows, WORD * count(output), WORD * rows]
}

/** depthwise_conv.cc */
const depthwise: Rule = (ends) => {
  const [input] = ends.inputs
  return hybrid(ends) ? [count(input), WORD * side(input, 0), WORD * side(input, 0)] : []
}

/** fully_connected.cc */
const fullyConnected: Rule = (ends) => {
  const [input, weights] = ends.inputs
  if (!hybrid(ends)) return []
  const batches = count(input) / side(weights, 1)
  return [count(input), WORD * batches, WORD * batches * side(weights, 0), WORD * batches]
}

/** transpose_conv.cc; the sums of whole numbers are not in the arena (kTfLiteDynamic). */
const transposed: Rule = ({ inputs: [, weights, input] }) => {
  if (input?.dtype !== 'float32' || weights?.dtype !== 'int8') return []
  return [count(input), WORD * side(input, 0), WORD * side(input, 0)]
}

/** batch_matmul.cc: either operand turned. */
const product: Rule = (ends) => {
  const [left, right] = ends.inputs
  const turned = [left?.bytes ?? 0, ...(right?.kind.constant ? [] : [right?.bytes ?? 0])]
  if (!hybrid(ends)) return turned
  const rows = count(left) / side(left, -1)
  return [...turned, count(left), WORD * rows, WORD * side(ends.output, -1) * side(left, -2), WORD * rows]
}

const rules: Readonly<Record<string, Rule>> = {
  MEAN: reduced(true),
  SUM: reduced(true),
  REDUCE_PROD: reduced(true),
  REDUCE_MAX: reduced(false),
  REDUCE_MIN: reduced(false),
  REDUCE_ALL: reduced(false),
  REDUCE_ANY: reduced(false),
  CONV_2D: conv,
  DEPTHWISE_CONV_2D: depthwise,
  FULLY_CONNECTED: fullyConnected,
  TRANSPOSE_CONV: transposed,
  BATCH_MATMUL: product,
}

export function litertScratch({ tensors, ops }: Graph): ScratchRow[] {
  const of = ({ inputs, outputs }: Op): Ends | null => {
    const output = tensors[outputs[0] ?? -1]
    return output ? { inputs: inputs.flatMap((tensor) => tensors[tensor] ?? []), output } : null
  }
  return ops.flatMap((op) => {
    const ends = of(op)
    const bytes = (ends && rules[op.type]?.(ends)) ?? []
    return bytes.map((each) => ({ op: op.id, bytes: each }))
  })
}
