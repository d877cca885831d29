/** What of each input a part of an operator's output needs: windows.ts. Pictures have their channels last; whatever is not here is done at once. */
import type { Shape } from '../onnx/shape/rule'
import { isElementwise } from '../sharing'
import { ALL, each, follows, JOINED, resized, SAME, slide, spread } from '../windows'
import type { Table } from '../flat'
import { TfliteCall } from './shape/call'

/** By input; undefined: all of it, or a constant. */
type Reads = (readonly string[] | undefined)[]

/** shapes: of the inputs, as the file lists them. */
type Rule = (call: TfliteCall, output: Shape, shapes: readonly (Shape | undefined)[]) => Reads | undefined

/** Padding: SAME is 0, VALID is 1. */
const VALID = 1

/** Along one side: SAME shares what is missing, the odd one at the end. */
function window(call: TfliteCall, from: number, to: number, kernel: number, stride: number, dilation = 1): string {
  const reach = (kernel - 1) * dilation + 1
  const missing = Math.max(0, (to - 1) * stride + reach - from)
  return slide(reach, stride, call.byte(0) === VALID ? 0 : Math.floor(missing / 2))
}

/** slots: of the strides of height and width, then of their dilations. */
function conv(slots: readonly [number, number, number, number], own: (input: Shape, output: Shape) => boolean): Rule {
  return (call, output, [input, weight]) => {
    if (input?.length !== 4 || weight?.length !== 4) return undefined
    const space = [0, 1].map((axis) => {
      const [stride, dilation] = [call.int(slots[axis] as number, 1), call.int(slots[axis + 2] as number, 1)]
      const [from, to, kernel] = [input[axis + 1], output[axis + 1], weight[axis + 1]] as [number, number, number]
      return window(call, from, to, kernel, stride, dilation)
    })
    return [[SAME, ...space, own(input, output) ? SAME : ALL]]
  }
}

const pool: Rule = (call, output, [input]) => {
  if (input?.length !== 4) return undefined
  const along = (axis: number, kernel: number, stride: number) =>
    window(call, input[axis] as number, output[axis] as number, call.int(kernel, 1), call.int(stride, 1))
  return [[SAME, along(1, 4, 2), along(2, 3, 1), SAME]]
}

/** The first input says the shape, the third is what is spread. */
const transposed: Rule = (call, output, [, weight, input]) => {
  if (input?.length !== 4 || weight?.length !== 4) return undefined
  const space = [2, 1].map((slot, axis) => {
    const [stride, kernel] = [call.int(slot, 1), weight[axis + 1] as number]
    const missing = Math.max(0, ((input[axis + 1] as number) - 1) * stride + kernel - (output[axis + 1] as number))
    return spread(kernel, stride, call.byte(0) === VALID ? 0 : Math.floor(missing / 2))
  })
  return [undefined, undefined, [SAME, ...space, ALL]]
}

const concat: Rule = (call, output, shapes) => {
  const axis = call.int(0)
  const reads = output.map((_, k) => (k === (axis < 0 ? axis + output.length : axis) ? JOINED : SAME))
  return shapes.map(() => reads)
}

/** Rows of the last dimension, by themselves. */
const rows: Rule = (_call, output, [input]) =>
  input && input.length === output.length ? [output.map((_, k) => (k === output.length - 1 ? ALL : SAME))] : undefined

/** Over space alone, as all that ends a network has it. */
const mean: Rule = (_call, output, [input]) => {
  if (!input) return undefined
  if (input.length === output.length) return [input.map((size, k) => (size === output[k] ? SAME : ALL))]
  const space = input.length === 4 && output.length === 2 && input[0] === output[0] && input[3] === output[1]
  return space ? [[SAME, ALL, ALL, follows(1)]] : undefined
}

const resize: Rule = (_call, output, [input]) =>
  input?.length === 4
    ? [[SAME, ...[1, 2].map((axis) => resized(input[axis] as number, output[axis] as number)), SAME]]
    : undefined

const depthToSpace: Rule = (call) => [[SAME, spread(call.int(0), call.int(0)), spread(call.int(0), call.int(0)), ALL]]
const spaceToDepth: Rule = (call) => [[SAME, slide(call.int(0), call.int(0)), slide(call.int(0), call.int(0)), ALL]]

const rules: Readonly<Record<string, Rule>> = {
  CONV_2D: conv([2, 1, 5, 4], () => false),
  DEPTHWISE_CONV_2D: conv([2, 1, 6, 5], (input, output) => input[3] === output[3]),
  AVERAGE_POOL_2D: pool,
  MAX_POOL_2D: pool,
  L2_POOL_2D: pool,
  TRANSPOSE_CONV: transposed,
  CONCATENATION: concat,
  FULLY_CONNECTED: rows,
  SOFTMAX: rows,
  LOG_SOFTMAX: rows,
  L2_NORMALIZATION: rows,
  MEAN: mean,
  RESIZE_BILINEAR: resize,
  RESIZE_NEAREST_NEIGHBOR: resize,
  DEPTH_TO_SPACE: depthToSpace,
  SPACE_TO_DEPTH: spaceToDepth,
}

const plain = new Set(['DEQUANTIZE', 'CAST'])

/** undefined: not known. */
export function readsOf(
  type: string,
  options: Table | null,
  shapes: readonly (Shape | undefined)[],
  output: Shape,
): Reads | undefined {
  const known = shapes.map((shape) => shape && { dtype: 0, shape })
  const rule = rules[type]
  if (rule) return rule(new TfliteCall('', type, known, 1, options), output, shapes)
  return plain.has(type) || isElementwise(type) ? shapes.map((shape) => shape && each(shape, output)) : undefined
}
