/** What of each input a part of a node's output needs: windows.ts. Whatever is not here is done at once. */
import { isElementwise } from '../sharing'
import { ALL, each, follows, JOINED, resized, SAME, slide, spread } from '../windows'
import type { Call, Shape } from './shape/rule'

/** By input; undefined: all of it, or a constant. */
export type Reads = (readonly string[] | undefined)[]

type Rule = (call: Call, output: Shape, shape: (input: number) => Shape) => Reads | undefined

const same = (shape: Shape) => shape.map(() => SAME)

/** Where a window begins along each axis of space, and how far it goes. */
function sliding(call: Call, kernel: readonly number[], from: readonly number[], to: readonly number[]): string[] {
  const auto = call.text('auto_pad', 'NOTSET')
  return kernel.map((k, axis) => {
    const stride = call.ints('strides')?.[axis] ?? 1
    const reach = (call.ints('dilations')?.[axis] ?? 1) * (k - 1) + 1
    const missing = Math.max(0, ((to[axis] as number) - 1) * stride + reach - (from[axis] as number))
    if (auto === 'SAME_UPPER') return slide(reach, stride, Math.floor(missing / 2))
    if (auto === 'SAME_LOWER') return slide(reach, stride, Math.ceil(missing / 2))
    return slide(reach, stride, auto === 'VALID' ? 0 : (call.ints('pads')?.[axis] ?? 0))
  })
}

/** x, w: which inputs they are. */
function conv(x: number, w: number): Rule {
  return (call, output, shape) => {
    const [input, weight] = [shape(x), shape(w)]
    const own = call.int('group', 1) === input[1] && output[1] === input[1]
    const space = sliding(call, weight.slice(2), input.slice(2), output.slice(2))
    const reads: Reads = []
    reads[x] = [SAME, own ? SAME : ALL, ...space]
    // of a fused addition
    if (x === 0 && call.has(3)) reads[3] = same(shape(3))
    return reads
  }
}

const transposed: Rule = (call, output, shape) => {
  const sizes = shape(0).slice(2)
  if (call.text('auto_pad', 'NOTSET') !== 'NOTSET' || call.ints('output_shape')) return undefined
  const space = shape(1)
    .slice(2)
    .map((k, axis) => {
      const reach = (call.ints('dilations')?.[axis] ?? 1) * (k - 1) + 1
      return spread(reach, call.ints('strides')?.[axis] ?? 1, call.ints('pads')?.[axis] ?? 0)
    })
  return space.length === sizes.length && output.length === sizes.length + 2 ? [[SAME, ALL, ...space]] : undefined
}

const pool: Rule = (call, output, shape) => {
  const kernel = call.ints('kernel_shape') ?? []
  if (call.int('channels_last', 0) === 1) return undefined
  return [[SAME, SAME, ...sliding(call, kernel, shape(0).slice(2), output.slice(2))]]
}

/** All of the axes from the second on that are space. */
const global: Rule = (_call, _output, shape) => [shape(0).map((_, k) => (k < 2 ? SAME : ALL))]

const concat: Rule = (call, output) => {
  const axis = call.axis(call.int('axis', 0), output.length)
  const reads = output.map((_, k) => (k === axis ? JOINED : SAME))
  return Array.from({ length: call.inputs }, () => reads)
}

/** a, b: which inputs they are; row and column of a product of matrices, and what there are many of before them. */
function product(a: number, b: number): Rule {
  return (_call, output, shape) => {
    const [left, right] = [shape(a), shape(b)]
    const rank = output.length
    if (left.length < 2 || right.length < 2) return undefined
    const many = (input: Shape) => each(input.slice(0, -2), output.slice(0, -2))
    const at = (own: number, of: number) => (own === of ? SAME : follows(of))
    const reads: Reads = []
    reads[a] = [...many(left), at(left.length - 2, rank - 2), ALL]
    reads[b] = [...many(right), ALL, at(right.length - 1, rank - 1)]
    return reads
  }
}

const gemm: Rule = (call, output, shape) => {
  const a = call.int('transA', 0) === 1 ? [ALL, follows(0)] : [SAME, ALL]
  const b = call.int('transB', 0) === 1 ? [follows(1), ALL] : [ALL, SAME]
  return [a, b, call.has(2) ? each(shape(2), output) : undefined]
}

/** All of the dimensions from the axis on, or of it alone. */
function along(otherwise: number, alone: (call: Call) => boolean): Rule {
  return (call, output) => {
    const axis = call.axis(call.int('axis', otherwise), output.length)
    return [output.map((_, k) => (k === axis || (k > axis && !alone(call)) ? ALL : SAME))]
  }
}

const softmax: Rule = (call, output, shape) =>
  along(call.opset < 13 ? 1 : -1, ({ opset }) => opset >= 13)(call, output, shape)

const reduction: Rule = (call, _output, shape) => {
  const input = shape(0)
  const given = call.ints('axes') ?? call.known(1)
  if (!given && (call.has(1) || call.int('noop_with_empty_axes', 0) === 1)) return undefined
  const axes = given && given.length > 0 ? call.axes(given, input.length) : input.map((_, k) => k)
  const keeps = call.int('keepdims', 1) === 1
  let at = 0
  const reads = input.map((_, k) => {
    if (axes.includes(k)) return ALL
    const place = keeps ? k : at++
    return place === k ? SAME : follows(place)
  })
  return [reads]
}

const transpose: Rule = (call, output) => {
  const order = call.ints('perm') ?? output.map((_, k) => output.length - 1 - k)
  return [output.map((_, axis) => follows(order.indexOf(axis)))]
}

const pad: Rule = (call, output) => {
  const pads = call.ints('pads') ?? call.known(1)
  const plain = call.text('mode', 'constant') === 'constant' && !call.has(3)
  return plain && pads?.length === 2 * output.length ? [output.map((_, k) => slide(1, 1, pads[k]))] : undefined
}

const resize: Rule = (_call, output, shape) => [
  shape(0).map((size, k) => (k < 2 ? SAME : resized(size, output[k] as number))),
]

const depthToSpace: Rule = (call) => {
  const block = call.int('blocksize', 1)
  return [[SAME, ALL, spread(block, block), spread(block, block)]]
}

const spaceToDepth: Rule = (call) => {
  const block = call.int('blocksize', 1)
  return [[SAME, ALL, slide(block, block), slide(block, block)]]
}

const rules: Readonly<Record<string, Rule>> = {
  Conv: conv(0, 1),
  FusedConv: conv(0, 1),
  ConvInteger: (call, output, shape) => conv(0, 1)(call, output, shape)?.slice(0, 1),
  QLinearConv: (call, output, shape) => conv(0, 3)(call, output, shape)?.slice(0, 1),
  ConvTranspose: transposed,
  MaxPool: pool,
  AveragePool: pool,
  LpPool: pool,
  GlobalAveragePool: global,
  GlobalMaxPool: global,
  GlobalLpPool: global,
  InstanceNormalization: global,
  BatchNormalization: (_call, output) => [same(output)],
  Concat: concat,
  MatMul: product(0, 1),
  Gemm: gemm,
  Softmax: softmax,
  LogSoftmax: softmax,
  LayerNormalization: along(-1, () => false),
  ReduceMean: reduction,
  ReduceSum: reduction,
  ReduceMax: reduction,
  ReduceMin: reduction,
  Transpose: transpose,
  Pad: pad,
  Resize: resize,
  Upsample: resize,
  DepthToSpace: depthToSpace,
  SpaceToDepth: spaceToDepth,
}

const plain = new Set(['Sum', 'Mean', 'Where', 'QuantizeLinear', 'DequantizeLinear', 'Cast', 'Dropout', 'Identity'])

/** undefined: not known. output: the shape of the first one. */
export function readsOf(call: Call, output: Shape): Reads | undefined {
  const inputs = Array.from({ length: call.inputs }, (_, k) => (call.has(k) ? call.at(k).shape : undefined))
  const shape = (input: number) => inputs[input] ?? []
  const rule = rules[call.type]
  if (rule) return inputs[0] ? rule(call, output, shape) : undefined
  if (!plain.has(call.type) && !isElementwise(call.type)) return undefined
  return inputs.map((input) => input && each(input, output))
}
