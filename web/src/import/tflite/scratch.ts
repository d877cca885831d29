/**
 * Memory that kernels of TFLite Micro ask of the arena while they are prepared, for the time that their operator runs: it is in no model file. Each row is
 * what a kernel requests, in its order, and where that stands: tensorflow/tflite-micro, tensorflow/lite/micro/kernels (RequestScratchBufferInArena), for
 * CMSIS-NN kernels/cmsis_nn with the *_get_buffer_size functions of ARM-software/CMSIS-NN. Read at tflite-micro of 2026-08 and CMSIS-NN of 2026-07.
 */
import { elements } from '../onnx/dtypes'
import type { Table } from '../flat'

/**
 * Whose kernels run: the reference ones, or CMSIS-NN's for Cortex-M with DSP instructions (M4, M7, M33) or with Helium (M52, M55, M85). On cores with neither,
 * CMSIS-NN asks for no more than on those with DSP. none: nobody's are assumed.
 */
export const KERNELS = ['reference', 'cmsis-nn-dsp', 'cmsis-nn-helium', 'none'] as const
export type Kernels = (typeof KERNELS)[number]

export interface Part {
  shape: readonly number[]
  dtype: string
  /** scales of its quantisation */
  scales: number
}

interface Ask {
  inputs: readonly (Part | undefined)[]
  outputs: readonly (Part | undefined)[]
  options: Table | null
  helium: boolean
}

type Rule = (ask: Ask) => number[]
type Rules = Readonly<Record<string, Rule>>

/** Of int and of a pointer on the processors that it is made for. */
const WORD = 4
const bytesOf: Readonly<Record<string, number>> = { float32: 4, int8: 1, int16: 2, int32: 4, int64: 8 }

const count = (part: Part | undefined): number => (part ? elements(part.shape) : 0)
const side = (part: Part | undefined, axis: number): number => part?.shape[axis] ?? 0
const quantized = (part: Part | undefined): boolean => part?.dtype === 'int8' || part?.dtype === 'int16'
const none: Rule = () => []

/** conv_common.cc, depthwise_conv_common.cc, fully_connected.cc: 4-bit weights are unpacked. */
const unpacked: Rule = ({ inputs: [, filter] }) => (filter?.dtype === 'int4' ? [count(filter)] : [])

/** transpose_conv.cc: sums of 32 bits, or of 64 for 16-bit activations. */
const transposed: Rule = ({ inputs: [, , input, bias], outputs: [output] }) => {
  if (input?.dtype === 'int8') return [WORD * count(output)]
  if (input?.dtype !== 'int16') return []
  return [2 * WORD * count(output), ...(bias?.dtype === 'int16' ? [2 * WORD * count(bias)] : [])]
}

/** reduce_common.cc */
const extreme: Rule = ({ inputs: [input, axes] }) => [WORD * (input?.shape.length ?? 0), WORD * count(axes)]
const average: Rule = (ask) => {
  const sums = quantized(ask.inputs[0]) ? [WORD * count(ask.outputs[0])] : []
  return [...sums, ...extreme(ask)]
}

/** add_n.cc: a pointer to each input. */
const pointers: Rule = ({ inputs }) => [WORD * inputs.length]

/** mirror_pad.cc */
const perAxis: Rule = ({ inputs: [input] }) => {
  const each = WORD * (input?.shape.length ?? 0)
  return [each, each]
}

/** svdf_common.cc */
const svdf: Rule = ({ inputs: [input, features], options }) => {
  const filters = WORD * side(input, 0) * side(features, 0)
  return input?.dtype === 'int8' ? [filters, filters / Math.max(1, options?.int32(0) ?? 1)] : [filters]
}

/** unidirectional_sequence_lstm.cc: the options' fourth says whether time is the first side. Input 18 is the hidden state, 19 the cell's. */
function lstm(buffers: (ask: Ask) => number): Rule {
  return (ask) => {
    const [input, hidden, cell] = [ask.inputs[0], ask.inputs[18], ask.inputs[19]]
    const batch = side(input, (ask.options?.int8(3) ?? 0) !== 0 ? 1 : 0)
    const each = batch * side(hidden, 1) * (bytesOf[cell?.dtype ?? ''] ?? 0)
    return new Array<number>(buffers(ask)).fill(each)
  }
}

const reference: Rules = {
  CONV_2D: unpacked,
  DEPTHWISE_CONV_2D: unpacked,
  FULLY_CONNECTED: unpacked,
  TRANSPOSE_CONV: transposed,
  REDUCE_MAX: extreme,
  REDUCE_MIN: extreme,
  REDUCE_ALL: extreme,
  MEAN: average,
  SUM: average,
  ADD_N: pointers,
  MIRROR_PAD: perAxis,
  SVDF: svdf,
  UNIDIRECTIONAL_SEQUENCE_LSTM: lstm(() => 4),
}

/** Strides, dilations and padding of a convolution: what ComputePaddingHeightWidth makes of them. */
interface Window {
  strides: readonly [number, number]
  dilations: readonly [number, number]
  pads: readonly [number, number]
}

/** slots: of the strides of height and width, then of their dilations. */
function windowOf({ inputs: [input, filter], outputs: [output], options }: Ask, slots: readonly number[]): Window {
  const [strideHigh, strideWide, dilationHigh, dilationWide] = slots.map((slot, at) =>
    options && options.field(slot, 4) > 0 ? options.int32(slot) : at < 2 ? 0 : 1,
  ) as [number, number, number, number]
  const same = (options?.int8(0) ?? 0) === 0
  const pad = (axis: number, stride: number, dilation: number) => {
    const extent = (side(filter, axis) - 1) * dilation + 1
    const total = (side(output, axis) - 1) * stride + extent - side(input, axis)
    return same ? Math.max(0, Math.floor(total / 2)) : 0
  }
  return {
    strides: [strideHigh, strideWide],
    dilations: [dilationHigh, dilationWide],
    pads: [pad(1, strideHigh, dilationHigh), pad(2, strideWide, dilationWide)],
  }
}

/** arm_convolve_s8_get_buffer_size: two columns of 16 bits, or with Helium four of 8 bits in whole lanes of 16. */
function columns(length: number, helium: boolean): number {
  return helium ? 4 * Math.ceil(length / 16) * 16 : 4 * Math.ceil(length / 4) * 4
}

/** arm_convolve_1_x_n_s8_get_buffer_size_mve: the padded ends of a row. */
function row({ inputs: [input, filter], outputs: [output] }: Ask, { strides, pads }: Window): number {
  const [stride, pad, width, kernel, depth] = [strides[1], pads[1], side(output, 2), side(filter, 2), side(input, 3)]
  const odd = ((width - 1) * stride + kernel - side(input, 2)) % 2
  const right = pad + odd !== 0 ? Math.max(1, Math.floor((pad + odd + stride - 1) / stride)) : 0
  const left = pad !== 0 ? Math.max(1, Math.floor((pad + stride - 1) / stride)) : 0
  const rest = Math.max(width - (right + left), 0)
  if (right + rest + left !== width) return columns(depth * kernel * side(filter, 1), true)
  const padded = odd ? right * depth : pad * depth
  return Math.max(kernel * depth + pad * depth, kernel * depth - depth + padded)
}

/** arm_convolve_wrapper_s8_get_buffer_size */
function convolved(ask: Ask, window: Window): number {
  const [input, filter] = ask.inputs
  const { strides, dilations, pads } = window
  const whole = side(input, 3) === side(filter, 3)
  const plain = dilations.every((each) => each === 1) && pads.every((each) => each === 0)
  if (whole && plain && side(filter, 1) === 1 && side(filter, 2) === 1) return 0
  const oneRow = side(input, 1) === 1 && side(filter, 1) === 1 && dilations[1] === 1
  if (ask.helium && whole && oneRow && (strides[1] * side(input, 3)) % 4 === 0) return row(ask, window)
  return columns(side(filter, 1) * side(filter, 2) * side(input, 3), ask.helium)
}

const some = (bytes: number): number[] => (bytes > 0 ? [bytes] : [])

/** cmsis_nn/conv.cc; arm_convolve_s16_get_buffer_size. */
const conv: Rule = (ask) => {
  const [input, filter, bias] = ask.inputs
  if (input?.dtype === 'int8') return some(convolved(ask, windowOf(ask, [2, 1, 5, 4])))
  if (input?.dtype !== 'int16' || (bias && bias.dtype !== 'int64')) return []
  const length = side(filter, 1) * side(filter, 2) * side(input, 3)
  return [2 * (ask.helium ? 4 * Math.ceil(length / 8) * 8 : 2 * length)]
}

/**
 * Channels that Helium's depthwise kernel takes at a time (CH_IN_BLOCK_MVE), and outputs above which a single input channel is convolved instead
 * (CONVERT_DW_CONV_…: 1, and 8 with Arm's own compiler, which then asks for less).
 */
const BLOCK = 124
const CONVERTED = 1

/** cmsis_nn/depthwise_conv.cc and arm_depthwise_conv_wrapper_s8_get_buffer_size. */
const depthwise: Rule = (ask) => {
  const [input, filter] = ask.inputs
  if (input?.dtype !== 'int8' || filter?.dtype !== 'int8') return []
  const [high, wide, depth] = [side(filter, 1), side(filter, 2), side(ask.outputs[0], 3)]
  const window = windowOf(ask, [2, 1, 6, 5])
  if (ask.helium && side(input, 3) === 1 && depth > CONVERTED) {
    const turned = { ...filter, shape: [depth, high, wide, 1] }
    return [convolved({ ...ask, inputs: [input, turned] }, window) + depth * high * wide]
  }
  if (side(input, 3) !== depth || side(input, 0) !== 1 || window.dilations.some((each) => each !== 1)) return []
  if (ask.helium) return [4 * BLOCK * high * wide]
  const small = high === 3 && wide === 3 && window.pads.every((each) => each <= 1)
  return small ? [] : [2 * depth * high * wide]
}

/** Input channels from which on a transposed convolution is one with the filter reversed (REVERSE_TCOL_EFFICIENT_THRESHOLD). */
const REVERSED = 16

/** cmsis_nn/transpose_conv.cc and arm_transpose_conv_s8_get_buffer_size, …_get_reverse_conv_buffer_size. */
const transposedFast: Rule = (ask) => {
  const [, filter, input] = ask.inputs
  if (input?.dtype !== 'int8') return transposed(ask)
  const wide = ask.options?.int32(1) ?? 0
  const high = ask.options?.int32(2) ?? 0
  const length = side(filter, 1) * side(filter, 2) * side(input, 3)
  if (wide <= 2 && high <= 2 && side(input, 3) > REVERSED)
    return [columns(length, ask.helium), length * side(filter, 0)]
  const across = ((side(input, 2) - 1) * wide + Math.max(side(filter, 2), high)) * side(ask.outputs[0], 3)
  return [across * Math.max(side(filter, 1), high) * WORD, 0]
}

/** cmsis_nn/fully_connected.cc: as a convolution of 1×1 with a scale per channel; the sums of constant weights are kept for good. */
const fullyConnected: Rule = ({ inputs: [input, filter], outputs: [output] }) => {
  if (input?.dtype !== 'int8' || filter?.dtype === 'int4') return []
  const many = (output?.shape.length ?? 0) > 2 && side(filter, 1) % 4 === 0
  return many && filter !== undefined && filter.scales <= 1 ? [2 * WORD * side(filter, 0)] : []
}

/** cmsis_nn/pooling.cc */
const pooled: Rule = ({ inputs: [input], helium }) => (quantized(input) && !helium ? [WORD * side(input, 3)] : [])

/** cmsis_nn/batch_matmul.cc */
const product: Rule = ({ inputs: [input], outputs: [output], helium }) =>
  input?.dtype === 'int8' && helium ? [WORD * side(output, (output?.shape.length ?? 1) - 1)] : []

const cmsis: Rules = {
  ...reference,
  CONV_2D: conv,
  DEPTHWISE_CONV_2D: depthwise,
  TRANSPOSE_CONV: transposedFast,
  FULLY_CONNECTED: fullyConnected,
  AVERAGE_POOL_2D: pooled,
  BATCH_MATMUL: product,
  UNIDIRECTIONAL_SEQUENCE_LSTM: lstm(({ inputs }) => (inputs[19]?.dtype === 'int16' ? 3 : 4)),
}

/** What else TFLite Micro can run (micro_mutable_op_resolver.h); these ask for nothing. */
const quiet = new Set(
  `
ABS ADD ARG_MAX ARG_MIN ASSIGN_VARIABLE AVERAGE_POOL_2D BATCH_MATMUL BATCH_TO_SPACE_ND BROADCAST_ARGS BROADCAST_TO CALL_ONCE CAST CEIL CONCATENATION COS
CUMSUM DEPTH_TO_SPACE DEQUANTIZE DIV DYNAMIC_UPDATE_SLICE ELU EMBEDDING_LOOKUP EQUAL EXP EXPAND_DIMS FILL FLOOR FLOOR_DIV FLOOR_MOD GATHER GATHER_ND GREATER
GREATER_EQUAL HARD_SWISH IF L2_NORMALIZATION L2_POOL_2D LEAKY_RELU LESS LESS_EQUAL LOG LOGICAL_AND LOGICAL_NOT LOGICAL_OR LOGISTIC LOG_SOFTMAX MAXIMUM
MAX_POOL_2D MINIMUM MUL NEG NOT_EQUAL PACK PAD PADV2 PRELU QUANTIZE READ_VARIABLE RELU RELU6 RESHAPE RESIZE_BILINEAR RESIZE_NEAREST_NEIGHBOR REVERSE_V2 ROUND
RSQRT SELECT_V2 SHAPE SIN SLICE SOFTMAX SPACE_TO_BATCH_ND SPACE_TO_DEPTH SPLIT SPLIT_V SQRT SQUARE SQUARED_DIFFERENCE SQUEEZE STRIDED_SLICE SUB TANH TRANSPOSE
UNPACK VAR_HANDLE WHILE ZEROS_LIKE
`
    .trim()
    .split(/\s+/),
)

/** Bytes of each request, in the kernel's order; null: nothing is known of this kernel. */
export function scratchOf(kernels: Kernels, type: string, ask: Omit<Ask, 'helium'>): number[] | null {
  if (kernels === 'none') return null
  const rules = kernels === 'reference' ? reference : cmsis
  const rule = Object.hasOwn(rules, type) ? rules[type] : quiet.has(type) ? none : undefined
  return rule ? rule({ ...ask, helium: kernels === 'cmsis-nn-helium' }) : null
}
