/**
 * What each builtin operator of TFLite makes of its inputs: the rules of LiteRT's Prepare() (tflite/kernels), and the values where shapes are computed in
 * them. An operator that computes what one of ONNX does goes by the rule of that one. What is not here keeps the shape that the file has.
 */
import { elements } from '../../onnx/dtypes'
import { KEPT } from '../../onnx/model'
import { type Known, type Results, type Shape, tensor } from '../../onnx/shape/rule'
import { slices } from './slices'
import type { TfliteCall, TfliteRule, TfliteRules } from './call'
import { windows } from './windows'

const same: TfliteRule = (call) => call.of(call.shape(0))

const unchanged = `
RELU RELU6 RELU_N1_TO_1 RELU_0_TO_1 LEAKY_RELU PRELU ELU GELU HARD_SWISH LOGISTIC TANH SOFTMAX LOG_SOFTMAX L2_NORMALIZATION
LOCAL_RESPONSE_NORMALIZATION QUANTIZE DEQUANTIZE DENSIFY FAKE_QUANT EXP LOG SIN COS SQUARE RSQRT ZEROS_LIKE CUMSUM REVERSE_V2
REVERSE_SEQUENCE DYNAMIC_UPDATE_SLICE SIGN LOGICAL_NOT STABLEHLO_LOGISTIC STABLEHLO_ADD STABLEHLO_DIVIDE STABLEHLO_MULTIPLY STABLEHLO_MAXIMUM
STABLEHLO_MINIMUM STABLEHLO_SUBTRACT STABLEHLO_POWER STABLEHLO_ABS STABLEHLO_COSINE STABLEHLO_EXPONENTIAL STABLEHLO_FLOOR STABLEHLO_LOG
STABLEHLO_NEGATE STABLEHLO_RSQRT STABLEHLO_TANH STABLEHLO_AND STABLEHLO_OR STABLEHLO_REMAINDER STABLEHLO_COMPARE STABLEHLO_CONVERT STABLEHLO_CBRT
`
  .trim()
  .split(/\s+/)

/** Operators that are one of ONNX under another name, values included. */
const equal: Readonly<Record<string, string>> = {
  ADD: 'Add',
  SUB: 'Sub',
  MUL: 'Mul',
  DIV: 'Div',
  ADD_N: 'Sum',
  POW: 'Pow',
  FLOOR_MOD: 'Mod',
  MAXIMUM: 'Max',
  MINIMUM: 'Min',
  SELECT: 'Where',
  SELECT_V2: 'Where',
  EQUAL: 'Equal',
  GREATER: 'Greater',
  GREATER_EQUAL: 'GreaterOrEqual',
  LESS: 'Less',
  LESS_EQUAL: 'LessOrEqual',
  LOGICAL_AND: 'And',
  LOGICAL_OR: 'Or',
  BITWISE_XOR: 'Xor',
  RIGHT_SHIFT: 'BitShift',
  ABS: 'Abs',
  CEIL: 'Ceil',
  FLOOR: 'Floor',
  NEG: 'Neg',
  ROUND: 'Round',
  SQRT: 'Sqrt',
  SHAPE: 'Shape',
  RANGE: 'Range',
  TILE: 'Tile',
  GATHER_ND: 'GatherND',
}

const reductions: Readonly<Record<string, string>> = {
  MEAN: 'ReduceMean',
  SUM: 'ReduceSum',
  REDUCE_PROD: 'ReduceProd',
  REDUCE_MAX: 'ReduceMax',
  REDUCE_MIN: 'ReduceMin',
  REDUCE_ANY: 'ReduceMax',
  REDUCE_ALL: 'ReduceMin',
}

/** Towards the next lower whole number, where ONNX's division of them goes towards 0. */
const floored: TfliteRule = (call) => {
  const [whole] = call.as('Sub', {}, [call.at(0), call.as('Mod')[0]])
  return call.as('Div', {}, [whole, call.at(1)])
}

/** Whole numbers of the file's own type: only what shapes are computed in is looked at. */
const cast: TfliteRule = (call) => {
  const { dtype, values } = call.at(0)
  const whole = values?.every(Number.isInteger)
  return whole ? [tensor(dtype, call.shape(0), values)] : call.of(call.shape(0))
}

/** A shape that is an input goes before one among the options, and [0] once meant a scalar. */
function reshape(call: TfliteCall): Results {
  const given = call.has(1) ? call.values(1) : (call.ints(0) ?? call.wrong('it has no target shape'))
  const target = given.length === 1 && given[0] === 0 ? [] : given
  return call.as('Reshape', { shape: target, allowzero: 1 }, [call.at(0)])
}

function fullyConnected(call: TfliteCall): Results {
  const input = call.rank(0, 1)
  const [units, depth] = call.rank(1, 2, 2) as [number, number]
  const keep = call.byte(2) !== 0
  if (keep) return call.of([...input.slice(0, -1), units])
  const count = elements(input)
  if (depth < 1 || count % depth) call.wrong(`${count} elements do not divide into rows of ${depth}`)
  return call.of([count / depth, units])
}

/** values: [begin, end] of each axis. */
function pad(call: TfliteCall): Results {
  const pairs = call.values(1)
  const half = (odd: number) => pairs.filter((_, index) => index % 2 === odd)
  return call.as('Pad', { pads: [...half(0), ...half(1)] }, [call.at(0)])
}

function gather(call: TfliteCall): Results {
  const data = call.rank(0, 1)
  const indices = call.shape(1)
  const axis = call.axis(call.int(0), data.length)
  const batch = call.int(1)
  if (batch === 0) return call.as('Gather', { axis })
  return call.of([...data.slice(0, axis), ...indices.slice(batch), ...data.slice(axis + 1)])
}

function toBatch(call: TfliteCall): Results {
  const input = call.rank(0, 3)
  const block = call.values(1)
  const pads = call.values(2)
  const all = block.reduce((product, side) => product * side, 1)
  return call.of(
    input.map((side, axis) => {
      if (axis === 0) return side * all
      const each = block[axis - 1]
      return each === undefined ? side : (side + (pads[2 * axis - 2] ?? 0) + (pads[2 * axis - 1] ?? 0)) / each
    }),
  )
}

function fromBatch(call: TfliteCall): Results {
  const input = call.rank(0, 3)
  const block = call.values(1)
  const crops = call.values(2)
  const all = block.reduce((product, side) => product * side, 1)
  return call.of(
    input.map((side, axis) => {
      if (axis === 0) return side / all
      const each = block[axis - 1]
      return each === undefined ? side : side * each - (crops[2 * axis - 2] ?? 0) - (crops[2 * axis - 1] ?? 0)
    }),
  )
}

function depthToSpace(call: TfliteCall): Results {
  const [n, h, w, c] = call.rank(0, 4, 4) as [number, number, number, number]
  const block = call.int(0)
  return call.of([n, h * block, w * block, c / (block * block)])
}

function spaceToDepth(call: TfliteCall): Results {
  const [n, h, w, c] = call.rank(0, 4, 4) as [number, number, number, number]
  const block = call.int(0)
  return call.of([n, h / block, w / block, c * block * block])
}

function resize(call: TfliteCall): Results {
  const [n, , , c] = call.rank(0, 4, 4) as [number, number, number, number]
  const [h, w] = call.values(1) as [number, number]
  return call.of([n, h, w, c])
}

/** The values of an input are the shape. */
const stated =
  (input: number): TfliteRule =>
  (call) => [{ dtype: 0, shape: call.values(input) }]

function fill(call: TfliteCall): Results {
  const shape = call.values(0)
  const { dtype, values } = call.at(1)
  const count = elements(shape)
  const few = values?.length === 1 && count <= KEPT
  return [tensor(dtype, shape, few ? new Array<number>(count).fill(values[0] as number) : undefined)]
}

/** An index of the greatest or least along an axis. */
function index(call: TfliteCall): Results {
  const input = call.rank(0, 1)
  const axis = call.axis(call.value(1), input.length)
  return call.of(input.filter((_, at) => at !== axis))
}

/** The last side becomes another: what a recurrent cell makes of each step. weights: [units, …] or […, units] by `side`. */
const recurrent =
  (weights: number, side: number): TfliteRule =>
  (call) => {
    const units = call.shape(weights)[side] ?? call.wrong(`input ${weights} is no matrix`)
    return call.of([...call.rank(0, 2).slice(0, -1), units])
  }

function svdf(call: TfliteCall): Results {
  const [batch] = call.rank(0, 2, 2) as [number]
  const [filters] = call.rank(1, 2, 2) as [number]
  return call.of([batch, filters / Math.max(1, call.int(0))])
}

const batchMatMul: TfliteRule = (call) => {
  const [a, b]: (Known | undefined)[] = [call.at(0), call.at(1)]
  return call.as('FusedMatMul', { transA: call.byte(0), transB: call.byte(1) }, [a, b])
}

const oneHot: TfliteRule = (call) => {
  const indices: Shape = call.shape(0)
  const at = call.axis(call.int(0), indices.length + 1)
  return call.of([...indices.slice(0, at), call.value(1), ...indices.slice(at)])
}

const rules: TfliteRules = {
  ...Object.fromEntries(unchanged.map((type) => [type, same])),
  ...Object.fromEntries(Object.entries(equal).map(([type, onnx]): [string, TfliteRule] => [type, (c) => c.as(onnx)])),
  ...Object.fromEntries(
    Object.entries(reductions).map(([type, onnx]): [string, TfliteRule] => [
      type,
      (call) => call.as(onnx, { keepdims: call.byte(0) }),
    ]),
  ),
  ...windows,
  ...slices,
  NOT_EQUAL: (call) =>
    call.as('Equal').map((made) => made && { ...made, values: made.values?.map((v) => 1 - v) }) as Results,
  SQUARED_DIFFERENCE: (call) => call.of(call.as('Sub')[0]?.shape ?? []),
  ATAN2: (call) => call.of(call.as('Sub')[0]?.shape ?? []),
  FLOOR_DIV: floored,
  CAST: cast,
  BITCAST: cast,
  RESHAPE: reshape,
  SQUEEZE: (call) =>
    call.as('Squeeze', { axes: call.ints(0)?.length ? (call.ints(0) ?? undefined) : undefined }, [call.at(0)]),
  EXPAND_DIMS: (call) => call.as('Unsqueeze', { axes: [call.value(1)] }, [call.at(0)]),
  TRANSPOSE: (call) => call.as('Transpose', { perm: call.values(1) }, [call.at(0)]),
  FULLY_CONNECTED: fullyConnected,
  BATCH_MATMUL: batchMatMul,
  PAD: pad,
  PADV2: pad,
  MIRROR_PAD: pad,
  GATHER: gather,
  SPACE_TO_BATCH_ND: toBatch,
  BATCH_TO_SPACE_ND: fromBatch,
  SPACE_TO_DEPTH: spaceToDepth,
  DEPTH_TO_SPACE: depthToSpace,
  RESIZE_BILINEAR: resize,
  RESIZE_NEAREST_NEIGHBOR: resize,
  BROADCAST_TO: stated(1),
  SCATTER_ND: stated(2),
  SPARSE_TO_DENSE: stated(1),
  FILL: fill,
  ONE_HOT: oneHot,
  RANK: (call) => [tensor(6, [], [call.shape(0).length])],
  TOPK_V2: (call) => call.as('TopK'),
  ARG_MAX: index,
  ARG_MIN: index,
  LSTM: recurrent(8, 1),
  UNIDIRECTIONAL_SEQUENCE_LSTM: recurrent(8, 1),
  RNN: recurrent(1, 0),
  UNIDIRECTIONAL_SEQUENCE_RNN: recurrent(1, 0),
  SVDF: svdf,
  EMBEDDING_LOOKUP: (call) => call.of([...call.shape(0), ...call.shape(1).slice(1)]),
}

export function ruleOfTflite(type: string): TfliteRule | undefined {
  return Object.hasOwn(rules, type) ? rules[type] : undefined
}
