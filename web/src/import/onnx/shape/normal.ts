/** Normalisations and quantisation: the shape stays, statistics or scales come with it. */
import { FLOAT, UINT8 } from '../dtypes'
import { type Call, type Known, like, list, type Results, type Rule, type Rules, tensor } from './rule'

/** Statistics and parameters are one number a channel. */
function channels(call: Call): number {
  const input = call.rank(0, 1)
  const count = (input.length > 1 ? input[1] : 1) as number
  const scale = call.at(1).shape
  // with "spatial" 0 the early versions normalised every element on its own
  if (scale && call.int('spatial', 1) === 1 && (scale.length !== 1 || scale[0] !== count))
    call.wrong(`the scale has the shape ${list(scale)}, its input ${count} channels`)
  return count
}

function batch(call: Call): Results {
  const count = channels(call)
  const y = tensor(call.dtype(0), call.shape(0))
  const statistic = (): Known => tensor(call.has(3) ? call.dtype(3) : call.dtype(0), [count])
  return [y, ...Array.from({ length: Math.max(0, call.outputs - 1) }, statistic)]
}

function instance(call: Call): Results {
  channels(call)
  return [tensor(call.dtype(0), call.shape(0))]
}

/** Mean and inverse deviation have one element where the normalised axes were. */
function layer(call: Call): Results {
  const input = call.rank(0, 1)
  const axis = call.axis(call.int('axis', -1), input.length)
  const statistic = tensor(
    call.int('stash_type', FLOAT),
    input.map((dim, i) => (i < axis ? dim : 1)),
  )
  const y = tensor(call.has(1) ? call.dtype(1) : call.dtype(0), input)
  return [y, ...(call.outputs > 1 ? [statistic] : []), ...(call.outputs > 2 ? [statistic] : [])]
}

/** The sum with the skipped input is the fourth output. */
function skip(call: Call): Results {
  const input = call.rank(0, 2)
  const statistic = tensor(FLOAT, [...input.slice(0, -1), 1])
  const y = tensor(call.dtype(0), input)
  return [y, statistic, statistic, y].slice(0, Math.max(1, call.outputs))
}

function quantize(call: Call): Results {
  const dtype = call.has(2) ? call.dtype(2) : call.int('output_dtype', 0) || UINT8
  return [tensor(dtype, call.shape(0))]
}

function dequantize(call: Call): Results {
  return [tensor(call.int('output_dtype', 0) || call.dtype(1), call.shape(0))]
}

const dynamic: Rule = (call) => [tensor(UINT8, call.shape(0)), tensor(FLOAT, []), tensor(UINT8, [])]

export const normalisations: Rules = {
  BatchNormalization: batch,
  InstanceNormalization: instance,
  GroupNormalization: like(0),
  RMSNormalization: (call) => [tensor(call.dtype(1), call.shape(0))],
  LayerNormalization: layer,
  SimplifiedLayerNormalization: layer,
  SkipLayerNormalization: skip,
  SkipSimplifiedLayerNormalization: skip,
  QuantizeLinear: quantize,
  DequantizeLinear: dequantize,
  DynamicQuantizeLinear: dynamic,
}
