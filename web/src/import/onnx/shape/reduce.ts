/** Reductions along axes. */
import { INT64, isNumber } from '../dtypes'
import { type Call, gathered, place, type Results, type Rule, type Rules, strides, tensor } from './rule'

type Fold = (a: number, b: number) => number

/** The axes are an attribute in older versions and an input in newer ones; none means all, or nothing if noop_with_empty_axes. */
function axesOf(call: Call, rank: number): number[] {
  const given = call.listed('axes', 1) ?? []
  if (given.length > 0) return call.axes(given, rank)
  return call.int('noop_with_empty_axes', 0) === 1 ? [] : Array.from({ length: rank }, (_, i) => i)
}

function reduced(shape: readonly number[], axes: readonly number[], keep: boolean): number[] {
  return shape.flatMap((dim, i) => (!axes.includes(i) ? [dim] : keep ? [1] : []))
}

const reduce =
  (fold?: Fold): Rule =>
  (call) => {
    const input = call.shape(0)
    const axes = axesOf(call, input.length)
    const keep = call.int('keepdims', 1) === 1
    const out = reduced(input, axes, keep)
    const { values, dtype } = call.at(0)
    if (!fold || !values || values.length === 0 || !isNumber(dtype)) return [tensor(dtype, out)]
    const own = strides(input)
    const inner = axes.map((axis) => input[axis] as number)
    const innerSteps = axes.map((axis) => own[axis] as number)
    const kept = input.map((_, i) => i).filter((i) => keep || !axes.includes(i))
    const outerSteps = kept.map((i) => (axes.includes(i) ? 0 : (own[i] as number)))
    const folded = gathered(out, (at) => {
      const start = place(at, outerSteps)
      return (gathered(inner, (deep) => values[start + place(deep, innerSteps)] as number) ?? []).reduce(fold)
    })
    return [tensor(dtype, out, folded)]
  }

function index(call: Call): Results {
  const input = call.rank(0, 1)
  const axis = call.axis(call.int('axis', 0), input.length)
  return [tensor(INT64, reduced(input, [axis], call.int('keepdims', 1) === 1))]
}

/** Losses: one number, or one per target; the logarithms of the probabilities as a second output. */
function loss(call: Call): Results {
  const target = call.text('reduction', 'mean') === 'none' ? call.shape(1) : []
  return [tensor(call.dtype(0), target), ...(call.outputs > 1 ? [tensor(call.dtype(0), call.shape(0))] : [])]
}

export const reductions: Rules = {
  ReduceSum: reduce((a, b) => a + b),
  ReduceProd: reduce((a, b) => a * b),
  ReduceMax: reduce((a, b) => Math.max(a, b)),
  ReduceMin: reduce((a, b) => Math.min(a, b)),
  ReduceMean: reduce(),
  ReduceL1: reduce(),
  ReduceL2: reduce(),
  ReduceLogSum: reduce(),
  ReduceLogSumExp: reduce(),
  ReduceSumSquare: reduce(),
  ArgMax: index,
  ArgMin: index,
  NegativeLogLikelihoodLoss: loss,
  SoftmaxCrossEntropyLoss: loss,
}
