/** Attention as one operator: ONNX's own (opset 23) and those of ONNX Runtime's com.microsoft domain. */
import { INT32 } from '../dtypes'
import { broadcast, type Call, like, type Results, type Rule, type Rules, type Shape, tensor } from './rule'

/** Query, key and value are [batch, heads, length, size] or [batch, length, heads × size]. */
function heads(call: Call, shape: Shape, name: string): [number, number, number, number] {
  if (shape.length === 4) return shape as unknown as [number, number, number, number]
  if (shape.length !== 3) call.wrong(`query, key and value should have 3 or 4 dimensions, not ${shape.length}`)
  const count = call.int(name, 0)
  const [batch, length, width] = shape as unknown as [number, number, number]
  if (count < 1 || width % count) call.wrong(`${width} columns do not divide into ${name} = ${count}`)
  return [batch, count, length, width / count]
}

function attention(call: Call): Results {
  const dtype = call.dtype(0)
  const [batch, qHeads, length] = heads(call, call.shape(0), 'q_num_heads')
  const [, kvHeads, fresh, keySize] = heads(call, call.shape(1), 'kv_num_heads')
  const [, , , valueSize] = heads(call, call.shape(2), 'kv_num_heads')
  const past = call.has(4) ? (call.rank(4, 4, 4)[2] as number) : 0
  const y = call.shape(0).length === 4 ? [batch, qHeads, length, valueSize] : [batch, length, qHeads * valueSize]
  return [
    tensor(dtype, y),
    tensor(call.dtype(1), [batch, kvHeads, past + fresh, keySize]),
    tensor(call.dtype(2), [batch, kvHeads, past + fresh, valueSize]),
    tensor(dtype, [batch, qHeads, length, past + fresh]),
  ].slice(0, Math.max(1, call.outputs))
}

/** One weight for query, key and value side by side; present holds key and value. */
function packedAttention(call: Call): Results {
  const [batch, length] = call.rank(0, 3, 3) as [number, number]
  const columns = call.rank(1, 2, 2)[1] as number
  const count = call.int('num_heads', 0)
  const sizes = call.ints('qkv_hidden_sizes')
  const width = sizes?.[2] ?? columns / 3
  if (count < 1 || !Number.isInteger(width) || width % count)
    call.wrong(`${columns} columns do not divide into 3 × ${count} heads`)
  const past = call.has(4) ? (call.rank(4, 5, 5)[3] as number) : 0
  const dtype = call.dtype(0)
  return [tensor(dtype, [batch, length, width]), tensor(dtype, [2, batch, count, past + length, width / count])].slice(
    0,
    Math.max(1, call.outputs),
  )
}

function multiHead(call: Call): Results {
  const query = call.rank(0, 3, 5)
  const count = call.int('num_heads', 0)
  const [batch, length] = query as unknown as [number, number]
  if (count < 1) call.wrong('num_heads is missing')
  const dtype = call.dtype(0)
  // packed: [batch, length, heads, 3, size]; keys and values packed: [batch, length, heads, 2, size]; across: [batch, heads, length, size]
  const key = call.has(1) ? call.shape(1) : query
  const value = call.has(2) ? call.shape(2) : key
  const width =
    value.length === 5
      ? (value[2] as number) * (value[4] as number)
      : value.length === 4
        ? (value[1] as number) * (value[3] as number)
        : (value[2] as number)
  const fresh = (value.length === 4 ? value[2] : value[1]) as number
  const past = call.has(6) ? (call.rank(6, 4, 4)[2] as number) : 0
  const keyWidth = key.length === 3 ? (key[2] as number) / count : width / count
  return [
    tensor(dtype, [batch, length, width]),
    tensor(dtype, [batch, count, past + fresh, keyWidth]),
    tensor(dtype, [batch, count, past + fresh, width / count]),
  ].slice(0, Math.max(1, call.outputs))
}

/** Key and value may be packed behind the query; the past is as long as the total it is told. */
function groupQuery(call: Call): Results {
  const [batch, length, width] = call.rank(0, 3, 3) as [number, number, number]
  const [count, kv] = [call.int('num_heads', 0), call.int('kv_num_heads', 0)]
  const packed = !call.has(1)
  const size = packed ? width / (count + 2 * kv) : width / count
  if (!Number.isInteger(size)) call.wrong(`${width} columns do not divide into ${count} heads`)
  const before = call.has(3) ? (call.rank(3, 4, 4)[2] as number) : 0
  // where past and present share a buffer the past has the full length already
  const total = call.known(6)?.[0] ?? before + length
  const present = tensor(call.has(3) ? call.dtype(3) : call.dtype(0), [batch, kv, Math.max(total, before), size])
  return [tensor(call.dtype(0), [batch, length, count * size]), present, present].slice(0, Math.max(1, call.outputs))
}

function embedding(call: Call): Results {
  const [batch, length] = call.rank(0, 2, 2) as [number, number]
  const width = call.rank(2, 2, 2)[1] as number
  const sum = tensor(call.dtype(2), [batch, length, width])
  return [sum, tensor(INT32, [batch]), sum].slice(0, Math.max(1, call.outputs))
}

const biased: Rule = (call) => [
  tensor(call.dtype(0), call.has(1) ? broadcast(call, [call.shape(0), call.shape(1)]) : call.shape(0)),
]

function split(call: Call): Results {
  const input = call.rank(0, 3, 3)
  return [tensor(call.dtype(0), [...input.slice(0, -1), (input[2] as number) / 2])]
}

function quantizedConcat(call: Call): Results {
  // scale and zero point, then tensor, scale and zero point of each input
  const first = call.shape(2)
  const axis = call.axis(call.int('axis', 0), first.length)
  let total = 0
  for (let i = 2; i < call.inputs; i += 3)
    total += call.shape(i)[axis] ?? call.wrong('its inputs differ in their dimensions')
  return [
    tensor(
      call.dtype(2),
      first.map((dim, i) => (i === axis ? total : dim)),
    ),
  ]
}

const quantizedBinary: Rule = (call) => [tensor(call.dtype(0), broadcast(call, [call.shape(0), call.shape(3)]))]

export const attentions: Rules = { Attention: attention, RotaryEmbedding: like(0) }

/** Of the domain com.microsoft. */
export const contributed: Rules = {
  Attention: packedAttention,
  MultiHeadAttention: multiHead,
  GroupQueryAttention: groupQuery,
  EmbedLayerNormalization: embedding,
  RotaryEmbedding: like(0),
  BiasGelu: biased,
  FastGelu: biased,
  QuickGelu: like(0),
  BiasAdd: like(0),
  BiasSplitGelu: split,
  GroupNorm: like(0),
  QLinearAdd: quantizedBinary,
  QLinearMul: quantizedBinary,
  QLinearConcat: quantizedConcat,
  QLinearSigmoid: like(0),
  QLinearSoftmax: like(0),
  QLinearLeakyRelu: like(0),
}
