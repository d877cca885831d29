/** Operators that make tensors from numbers: constants, ranges, random numbers, windows. */
import { elements, FLOAT, INT32, INT64, STRING } from '../dtypes'
import { KEPT } from '../model'
import { type Call, type Known, list, type Results, type Rule, type Rules, tensor } from './rule'

function filled(shape: readonly number[], value: number | undefined, dtype: number): Known {
  const count = elements(shape)
  return tensor(dtype, shape, value !== undefined && count <= KEPT ? new Array(count).fill(value) : undefined)
}

function constantOfShape(call: Call): Results {
  const shape = call.values(0)
  if (shape.some((dim) => dim < 0)) call.wrong(`${list(shape)} is no shape`)
  const value = call.attribute('value')?.tensor
  return [value ? filled(shape, value.values?.[0], value.dtype) : filled(shape, 0, FLOAT)]
}

/** Its value is in one of several attributes. */
function constant(call: Call): Results {
  const stored = (call.attribute('value') ?? call.attribute('sparse_value'))?.tensor
  if (stored) return [tensor(stored.dtype, stored.shape, stored.values)]
  const one = (name: string, dtype: number, value: (at: string) => number): Known | undefined =>
    call.attribute(name) && tensor(dtype, [], [value(name)])
  const several = (name: string, dtype: number, values: readonly number[] | undefined): Known | undefined =>
    values && call.attribute(name) && tensor(dtype, [values.length], values)
  return [
    one('value_int', INT64, (name) => call.int(name, 0)) ??
      one('value_float', FLOAT, (name) => call.float(name, 0)) ??
      several('value_ints', INT64, call.ints('value_ints')) ??
      several('value_floats', FLOAT, call.attribute('value_floats')?.floats) ??
      (call.attribute('value_string') && { dtype: STRING, shape: [] }) ??
      (call.attribute('value_strings') && {
        dtype: STRING,
        shape: [call.attribute('value_strings')?.strings.length ?? 0],
      }),
  ]
}

function range(call: Call): Results {
  const [start, limit, delta] = [call.values(0)[0], call.values(1)[0], call.values(2)[0]]
  if (start === undefined || limit === undefined || delta === undefined || delta === 0)
    call.wrong('it needs a start, a limit and a step that is not 0')
  const count = Math.max(0, Math.ceil((limit - start) / delta))
  const values = count <= KEPT ? Array.from({ length: count }, (_, i) => start + i * delta) : undefined
  return [tensor(call.dtype(0), [count], values)]
}

const random: Rule = (call) => {
  const shape = call.ints('shape') ?? call.wrong('it has no shape')
  if (shape.some((dim) => dim < 0)) call.wrong(`${list(shape)} is no shape`)
  return [tensor(call.int('dtype', FLOAT), shape)]
}

const window: Rule = (call) => [tensor(call.int('output_datatype', FLOAT), [call.values(0)[0] ?? 0])]

function multinomial(call: Call): Results {
  const [batch] = call.rank(0, 2, 2) as [number]
  return [tensor(call.int('dtype', INT32), [batch, call.int('sample_size', 1)])]
}

function mel(call: Call): Results {
  const bins = call.values(0)[0] ?? 0
  const length = call.values(1)[0] ?? 0
  return [tensor(call.int('output_datatype', FLOAT), [Math.floor(length / 2) + 1, bins])]
}

export const generators: Rules = {
  Constant: constant,
  ConstantOfShape: constantOfShape,
  Range: range,
  RandomNormal: random,
  RandomUniform: random,
  Multinomial: multinomial,
  BlackmanWindow: window,
  HannWindow: window,
  HammingWindow: window,
  MelWeightMatrix: mel,
}
