/** Elementwise operators: one input, several with broadcasting, comparisons, casts; their values where shapes are computed. */
import { BOOL, FLOAT, isNumber, isWhole } from '../dtypes'
import {
  broadcast,
  type Call,
  gathered,
  type Known,
  like,
  place,
  type Results,
  type Rule,
  type Rules,
  stretched,
  tensor,
} from './rule'

type Fold = (...values: number[]) => number

/** int64 division goes towards zero; a division by zero has no value. */
function divide(a: number, b: number, dtype: number): number {
  return isWhole(dtype) ? Math.trunc(a / b) : a / b
}

function valuesOf(inputs: readonly Known[], shape: readonly number[], dtype: number, fold: Fold): number[] | undefined {
  const sources = inputs.map((input) => input.values)
  if (sources.some((values) => !values)) return undefined
  const steps = inputs.map((input) => stretched(input.shape ?? [], shape))
  return gathered(shape, (at) => {
    const value = fold(
      ...sources.map((source, k) => (source as readonly number[])[place(at, steps[k] as number[])] as number),
    )
    return dtype === FLOAT ? Math.fround(value) : value
  })
}

/** Before opset 7 the second input is fitted to the first, from an axis on. */
function shapeOf(call: Call): number[] {
  const shapes = Array.from({ length: call.inputs }, (_, i) => call.shape(i))
  if (shapes.length === 0) call.wrong('it has no inputs')
  const old = call.opset < 7 && call.int('broadcast', 0) === 1
  return old ? [...(shapes[0] as readonly number[])] : broadcast(call, shapes)
}

function binary(fold?: (dtype: number) => Fold, result?: number): Rule {
  return (call) => {
    const shape = shapeOf(call)
    const dtype = result ?? call.dtype(0)
    const inputs = Array.from({ length: call.inputs }, (_, i) => call.at(i))
    return [tensor(dtype, shape, fold && valuesOf(inputs, shape, dtype, fold(call.dtype(0))))]
  }
}

function unary(fold?: Fold): Rule {
  return (call) => {
    const input = call.at(0)
    const shape = call.shape(0)
    return [tensor(input.dtype, shape, fold && valuesOf([input], shape, input.dtype, fold))]
  }
}

const same = like(0)
const isTrue =
  (test: (a: number, b: number) => boolean): Rule =>
  (call) =>
    binary(() => (a, b) => (test(a as number, b as number) ? 1 : 0), BOOL)(call)
const plain = (fold: (a: number, b: number) => number): Rule => binary(() => (a, b) => fold(a as number, b as number))
const many = (fold: Fold): Rule => binary(() => fold)

function cast(call: Call): Results {
  const dtype = call.type === 'CastLike' ? call.dtype(1) : call.int('to', 0)
  const { values, dtype: from } = call.at(0)
  // floats become whole numbers by dropping the fraction; a bool is 0 or 1
  const one = (value: number): number =>
    dtype === BOOL ? Number(value !== 0) : isWhole(dtype) ? Math.trunc(value) : value
  const kept = isNumber(from) && values?.map((v) => (dtype === FLOAT ? Math.fround(v) : one(v)))
  return [tensor(dtype, call.shape(0), kept || undefined)]
}

function where(call: Call): Results {
  const inputs = [call.at(0), call.at(1), call.at(2)]
  const shape = broadcast(call, [call.shape(0), call.shape(1), call.shape(2)])
  const dtype = call.dtype(1)
  return [
    tensor(
      dtype,
      shape,
      valuesOf(inputs, shape, dtype, (c, a, b) => (c ? a : b) as number),
    ),
  ]
}

function clip(call: Call): Results {
  const input = call.at(0)
  const { dtype } = input
  const limits = [call.known(1)?.[0], call.known(2)?.[0]]
  const attributes = !call.has(1) && !call.has(2)
  const least = attributes
    ? call.float('min', Number.NEGATIVE_INFINITY)
    : call.has(1)
      ? limits[0]
      : Number.NEGATIVE_INFINITY
  const most = attributes
    ? call.float('max', Number.POSITIVE_INFINITY)
    : call.has(2)
      ? limits[1]
      : Number.POSITIVE_INFINITY
  const shape = call.shape(0)
  if (least === undefined || most === undefined) return [tensor(dtype, shape)]
  return [
    tensor(
      dtype,
      shape,
      valuesOf([input], shape, dtype, (a) => Math.min(Math.max(a as number, least), most)),
    ),
  ]
}

/** The slope fits the input, never the other way round. */
function prelu(call: Call): Results {
  const shape = call.shape(0)
  // before opset 7 the slope is a list along the channels
  if (call.opset >= 7 && broadcast(call, [shape, call.shape(1)]).some((dim, i) => dim !== shape[i]))
    call.wrong(`the slope ${call.shape(1).join(' × ')} does not fit the input ${shape.join(' × ')}`)
  return [tensor(call.dtype(0), shape)]
}

/** Divisor's sign, or with fmod the dividend's. */
function modulo(call: Call): Results {
  const fmod = call.int('fmod', 0) === 1
  return plain((a, b) => (fmod ? a % b : a - b * Math.floor(a / b)))(call)
}

/** Elementwise with a mask of the same shape as second output. */
function dropout(call: Call): Results {
  const shape = call.shape(0)
  const mask = call.opset < 10 ? call.dtype(0) : BOOL
  return [call.at(0), ...(call.outputs > 1 ? [tensor(mask, shape)] : [])]
}

/** With a type of its own, unless it is not given. */
const typed =
  (fallback: (call: Call) => number): Rule =>
  (call) => [tensor(call.int('dtype', 0) || fallback(call), call.shape(0))]

const unchanged = [
  'Acos Acosh Asin Asinh Atan Atanh BitwiseNot Celu Cos Cosh Elu Erf Gelu HardSigmoid HardSwish LeakyRelu LogSoftmax Hardmax',
  'MeanVarianceNormalization Mish Selu Shrink Sigmoid Sin Sinh Softmax Softplus Softsign Swish Tan Tanh ThresholdedRelu CumSum CumProd',
  'Trilu LpNormalization LRN ReverseSequence ScatterElements Scatter ScatterND TensorScatter ImageScaler Affine ParametricSoftplus',
  'ScaledTanh',
]
  .join(' ')
  .split(' ')

export const elementwise: Rules = {
  ...Object.fromEntries(unchanged.map((type) => [type, same])),
  Identity: (call) => [{ ...call.at(0), shape: call.shape(0) }],
  Abs: unary((a) => Math.abs(a as number)),
  Ceil: unary((a) => Math.ceil(a as number)),
  Exp: unary((a) => Math.exp(a as number)),
  Floor: unary((a) => Math.floor(a as number)),
  Log: unary((a) => Math.log(a as number)),
  Neg: unary((a) => -(a as number)),
  Not: unary((a) => (a ? 0 : 1)),
  Reciprocal: unary((a) => 1 / (a as number)),
  Relu: unary((a) => Math.max(0, a as number)),
  // halves to the even neighbour
  Round: unary((a) => {
    const rounded = Math.round(a as number)
    return rounded - (a as number) === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded
  }),
  Sign: unary((a) => Math.sign(a as number)),
  Sqrt: unary((a) => Math.sqrt(a as number)),
  Clip: clip,
  PRelu: prelu,
  Dropout: dropout,
  Cast: cast,
  CastLike: cast,
  BitCast: (call) => [tensor(call.int('to', 0), call.shape(0))],
  IsInf: (call) => [tensor(BOOL, call.shape(0))],
  IsNaN: (call) => [tensor(BOOL, call.shape(0))],
  RegexFullMatch: (call) => [tensor(BOOL, call.shape(0))],
  Bernoulli: typed((call) => call.dtype(0)),
  RandomNormalLike: typed((call) => call.dtype(0)),
  RandomUniformLike: typed((call) => call.dtype(0)),
  EyeLike: typed((call) => call.dtype(0)),

  Add: plain((a, b) => a + b),
  Sub: plain((a, b) => a - b),
  Mul: plain((a, b) => a * b),
  Div: binary((dtype) => (a, b) => divide(a as number, b as number, dtype)),
  Pow: plain((a, b) => a ** b),
  Mod: modulo,
  BitShift: binary(),
  BitwiseAnd: binary(),
  BitwiseOr: binary(),
  BitwiseXor: binary(),
  StringConcat: binary(),
  And: isTrue((a, b) => a !== 0 && b !== 0),
  Or: isTrue((a, b) => a !== 0 || b !== 0),
  Xor: isTrue((a, b) => (a !== 0) !== (b !== 0)),
  Equal: isTrue((a, b) => a === b),
  Greater: isTrue((a, b) => a > b),
  GreaterOrEqual: isTrue((a, b) => a >= b),
  Less: isTrue((a, b) => a < b),
  LessOrEqual: isTrue((a, b) => a <= b),
  Max: many(Math.max),
  Min: many(Math.min),
  Sum: many((...values) => values.reduce((a, b) => a + b, 0)),
  Mean: many((...values) => values.reduce((a, b) => a + b, 0) / values.length),
  Where: where,
}
