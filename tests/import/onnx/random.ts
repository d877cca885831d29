/** Random models that are valid: operators are added one at a time, and those that do not fit are left out again. */
import { FLOAT, importBytes, type ModelSpec, type NodeSpec, type Stored, writeModel } from './writer'
import { Random } from '../random'

interface Growth {
  random: Random
  nodes: NodeSpec[]
  stored: Stored[]
  shapes: Map<string, readonly number[]>
}

type Grow = (growth: Growth, from: string, shape: readonly number[], to: string) => NodeSpec | undefined

/** A constant for the operator to come. */
function constant(
  { stored }: Growth,
  data: readonly number[] | undefined,
  dims: readonly number[],
  type?: number,
): string {
  const name = `k${stored.length}`
  stored.push({ name, dims, ...(data ? { data } : {}), ...(type ? { type } : {}) })
  return name
}

const list = (growth: Growth, data: readonly number[]): string => constant(growth, data, [data.length])
const weights = (growth: Growth, dims: readonly number[]): string => constant(growth, undefined, dims, FLOAT)

const windows: Grow = (growth, from, shape, to) => {
  const { random } = growth
  const rank = shape.length - 2
  if (rank < 1) return undefined
  const attrs: NodeSpec['attrs'] = {
    strides: random.list(rank, 1, 3),
    dilations: random.list(rank, 1, 2),
    ...(random.below(3) === 0
      ? { auto_pad: random.one(['SAME_UPPER', 'SAME_LOWER', 'VALID']) }
      : { pads: random.list(2 * rank, 0, 1) }),
  }
  const kernel = random.list(rank, 1, 4)
  const type = random.one(['Conv', 'Conv', 'ConvTranspose', 'MaxPool', 'AveragePool'])
  const channels = shape[1] as number
  if (type === 'MaxPool' || type === 'AveragePool')
    return { op: type, in: [from], out: [to], attrs: { ...attrs, kernel_shape: kernel, ceil_mode: random.below(2) } }
  if (type === 'ConvTranspose')
    return { op: type, in: [from, weights(growth, [channels, random.from(1, 4), ...kernel])], out: [to], attrs }
  const group = random.one([1, 1, channels])
  const weight = weights(growth, [group * random.from(1, 3), channels / group, ...kernel])
  return { op: type, in: [from, weight], out: [to], attrs: { ...attrs, group } }
}

const reshape: Grow = (growth, from, shape, to) => {
  const { random } = growth
  const target = shape.map((dim) => (random.below(4) === 0 ? 0 : dim))
  if (random.below(2) && target.length > 1) target.splice(random.below(target.length), 1)
  target[random.below(target.length)] = -1
  return { op: 'Reshape', in: [from, list(growth, target)], out: [to] }
}

const transpose: Grow = ({ random }, from, shape, to) => {
  const perm = shape.map((_, i) => i)
  perm.sort(() => random.from(-1, 1))
  return { op: 'Transpose', in: [from], out: [to], attrs: { perm } }
}

const slice: Grow = (growth, from, shape, to) => {
  const { random } = growth
  const axis = random.below(shape.length)
  const [start, end] = random.list(2, -9, 9)
  const inputs = [[start], [end], [axis], [random.one([1, 2, -1, -2])]]
  return { op: 'Slice', in: [from, ...inputs.map((data) => list(growth, data as number[]))], out: [to] }
}

const pad: Grow = (growth, from, shape, to) => ({
  op: 'Pad',
  in: [from, list(growth, growth.random.list(2 * shape.length, 0, 2))],
  out: [to],
})

const reduce: Grow = (growth, from, shape, to) => {
  const { random } = growth
  const axes = list(growth, [random.from(-shape.length, shape.length - 1)])
  return {
    op: random.one(['ReduceMean', 'ReduceMax']),
    in: [from, axes],
    out: [to],
    attrs: { keepdims: random.below(2) },
  }
}

const binary: Grow = ({ random, shapes }, from, _shape, to) => ({
  op: random.one(['Add', 'Mul']),
  in: [from, random.one([...shapes.keys()])],
  out: [to],
})

const concat: Grow = ({ random, shapes }, from, shape, to) => ({
  op: 'Concat',
  in: [from, from, random.one([...shapes.keys()])].slice(0, random.from(2, 3)),
  out: [to],
  attrs: { axis: random.below(shape.length) },
})

const product: Grow = (growth, from, shape, to) => ({
  op: 'MatMul',
  in: [from, weights(growth, [shape.at(-1) ?? 1, growth.random.from(1, 5)])],
  out: [to],
})

const resize: Grow = (growth, from, shape, to) => {
  const scales = shape.map(() => growth.random.one([1, 2, 0.5, 1.3]))
  return { op: 'Resize', in: [from, '', constant(growth, scales, [shape.length], FLOAT)], out: [to] }
}

const unsqueeze: Grow = (growth, from, shape, to) =>
  shape.length > 5
    ? undefined
    : { op: 'Unsqueeze', in: [from, list(growth, [growth.random.below(shape.length + 1)])], out: [to] }

const flatten: Grow = ({ random }, from, shape, to) => ({
  op: 'Flatten',
  in: [from],
  out: [to],
  attrs: { axis: random.from(-shape.length, shape.length) },
})

const gather: Grow = (growth, from, shape, to) => ({
  op: 'Gather',
  in: [from, constant(growth, [0, 0], growth.random.one([[2], [1, 2]]))],
  out: [to],
  attrs: { axis: growth.random.from(-shape.length, shape.length - 1) },
})

const split: Grow = ({ random }, from, shape, to) => ({
  op: 'Split',
  in: [from],
  out: [to, `${to}b`],
  attrs: { axis: random.below(shape.length), num_outputs: 2 },
})

const kinds = [
  windows,
  windows,
  reshape,
  transpose,
  slice,
  pad,
  reduce,
  binary,
  concat,
  product,
  resize,
  unsqueeze,
  flatten,
  gather,
  split,
]
/** Larger ones are not gone on from. */
const MOST = 1 << 16

/** Of up to so many operators, with all their outputs handed out. */
export function randomModel(seed: number, operators: number): ModelSpec {
  const random = new Random(seed)
  const input = [random.from(1, 2), random.from(1, 6), ...random.list(random.from(1, 2), 3, 12)]
  const growth: Growth = { random, nodes: [], stored: [], shapes: new Map([['x', input]]) }
  const model = (): ModelSpec => ({
    opset: 22,
    inputs: [{ name: 'x', dims: input }],
    stored: growth.stored,
    nodes: growth.nodes,
    outputs: growth.nodes.flatMap((node) => node.out),
  })
  for (let k = 0; k < operators; k++) {
    const [from, shape] = random.one([...growth.shapes])
    const held = growth.stored.length
    const node = shape.length > 0 ? random.one(kinds)(growth, from, shape, `t${k}`) : undefined
    if (!node) continue
    growth.nodes.push(node)
    const made = importBytes(writeModel(model()))
    const tensors = made.ok && 'graph' in made ? made.graph.tensors : []
    // empty tensors are where implementations differ
    if (tensors.length === 0 || tensors.some((tensor) => tensor.bytes === 0)) {
      growth.nodes.pop()
      growth.stored.length = held
      continue
    }
    for (const tensor of tensors)
      if (node.out.includes(tensor.id) && tensor.bytes < MOST) growth.shapes.set(tensor.id, tensor.shape ?? [])
  }
  return model()
}
