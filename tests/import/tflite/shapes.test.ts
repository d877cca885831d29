/**
 * Shapes that follow from the input's: one operator each. The expected ones are those that LiteRT gives its tensors when the input is resized to the same
 * (ai-edge-litert 2.3.0, BUILTIN_REF).
 */
import { describe, expect, it } from 'vitest'
import { read, readGraph, refusal } from '../read'
import { type ModelSpec, type OpSpec, type TensorSpec, words, writeTflite } from './writer'

type Shape = number[]
interface Case {
  type: string
  /** inputs in their order: a shape of the open input (the first) or of weights, values as a list in "of", or a tensor before it */
  inputs: (Shape | { of: number[]; shape?: Shape })[]
  options?: OpSpec['options']
  outputs: Shape[]
  dtype?: string
}

const SAME = { byte: 0 }
const VALID = { byte: 1 }
const YES = { byte: 1 }

const cases: Case[] = [
  { type: 'TANH', inputs: [[2, 7]], outputs: [[2, 7]] },
  {
    type: 'ADD',
    inputs: [
      [2, 7, 1],
      [1, 5],
    ],
    outputs: [[2, 7, 5]],
  },
  {
    type: 'CONV_2D',
    inputs: [[2, 9, 7, 3], [4, 3, 3, 3], [4]],
    options: { 0: SAME, 1: 2, 2: 2 },
    outputs: [[2, 5, 4, 4]],
  },
  {
    type: 'CONV_2D',
    inputs: [[2, 9, 7, 3], [4, 3, 3, 3], [4]],
    options: { 0: VALID, 1: 2, 2: 1 },
    outputs: [[2, 7, 3, 4]],
  },
  {
    type: 'CONV_2D',
    inputs: [[1, 9, 7, 3], [4, 3, 3, 3], [4]],
    options: { 0: VALID, 1: 1, 2: 1, 4: 3, 5: 2 },
    outputs: [[1, 5, 1, 4]],
  },
  {
    type: 'DEPTHWISE_CONV_2D',
    inputs: [[2, 9, 7, 3], [1, 3, 3, 6], [6]],
    options: { 0: VALID, 1: 2, 2: 2, 3: 2, 5: 1, 6: 1 },
    outputs: [[2, 4, 3, 6]],
  },
  {
    type: 'MAX_POOL_2D',
    inputs: [[2, 9, 7, 3]],
    options: { 0: VALID, 1: 2, 2: 3, 3: 2, 4: 3 },
    outputs: [[2, 3, 3, 3]],
  },
  {
    type: 'AVERAGE_POOL_2D',
    inputs: [[2, 9, 7, 3]],
    options: { 0: SAME, 1: 2, 2: 3, 3: 2, 4: 3 },
    outputs: [[2, 3, 4, 3]],
  },
  { type: 'FULLY_CONNECTED', inputs: [[6, 8], [5, 8], [5]], outputs: [[6, 5]] },
  { type: 'FULLY_CONNECTED', inputs: [[6, 4, 8], [5, 8], [5]], outputs: [[24, 5]] },
  { type: 'FULLY_CONNECTED', inputs: [[6, 4, 8], [5, 8], [5]], options: { 2: YES }, outputs: [[6, 4, 5]] },
  { type: 'RESHAPE', inputs: [[6, 4], { of: [-1, 2, 2] }], outputs: [[6, 2, 2]] },
  { type: 'RESHAPE', inputs: [[6, 4]], options: { 0: [3, -1] }, outputs: [[3, 8]] },
  { type: 'SQUEEZE', inputs: [[6, 1, 4, 1]], outputs: [[6, 4]] },
  { type: 'SQUEEZE', inputs: [[6, 1, 4, 1]], options: { 0: [-1] }, outputs: [[6, 1, 4]] },
  { type: 'EXPAND_DIMS', inputs: [[6, 4], { of: [-1], shape: [] }], outputs: [[6, 4, 1]] },
  { type: 'TRANSPOSE', inputs: [[6, 4, 3], { of: [2, 0, 1] }], outputs: [[3, 6, 4]] },
  {
    type: 'CONCATENATION',
    inputs: [
      [6, 4],
      [6, 3],
    ],
    options: { 0: -1 },
    outputs: [[6, 7]],
  },
  {
    type: 'PACK',
    inputs: [
      [6, 4],
      [6, 4],
    ],
    options: { 0: 2, 1: 1 },
    outputs: [[6, 2, 4]],
  },
  {
    type: 'UNPACK',
    inputs: [[6, 2, 4]],
    options: { 0: 2, 1: 1 },
    outputs: [
      [6, 4],
      [6, 4],
    ],
  },
  {
    type: 'SPLIT',
    inputs: [{ of: [1], shape: [] }, [6, 4]],
    options: { 0: 2 },
    outputs: [
      [6, 2],
      [6, 2],
    ],
  },
  {
    type: 'SPLIT_V',
    inputs: [[6, 5], { of: [2, -1] }, { of: [1], shape: [] }],
    options: { 0: 2 },
    outputs: [
      [6, 2],
      [6, 3],
    ],
  },
  { type: 'SLICE', inputs: [[6, 5], { of: [1, 2] }, { of: [-1, 2] }], outputs: [[5, 2]] },
  {
    type: 'STRIDED_SLICE',
    inputs: [[6, 5], { of: [0, 1] }, { of: [0, 4] }, { of: [1, 2] }],
    options: { 0: 1, 1: 1 },
    outputs: [[6, 2]],
  },
  {
    type: 'STRIDED_SLICE',
    inputs: [[6, 5], { of: [-1, 0] }, { of: [0, 4] }, { of: [1, 1] }],
    options: { 4: 1 },
    outputs: [[4]],
  },
  {
    type: 'STRIDED_SLICE',
    inputs: [[6, 5], { of: [0, 0] }, { of: [0, 0] }, { of: [-2, 1] }],
    options: { 0: 3, 1: 3 },
    outputs: [[3, 5]],
  },
  {
    type: 'STRIDED_SLICE',
    inputs: [[6, 5], { of: [0, 0, 1] }, { of: [0, 0, 3] }, { of: [1, 1, 1] }],
    options: { 2: 1, 3: 2 },
    outputs: [[6, 1, 2]],
  },
  { type: 'GATHER', inputs: [[6, 5], { of: [0, 1, 2] }], options: { 0: 1 }, outputs: [[6, 3]] },
  { type: 'PAD', inputs: [[6, 5], { of: [1, 2, 0, 3], shape: [2, 2] }], outputs: [[9, 8]] },
  {
    type: 'MIRROR_PAD',
    inputs: [[6, 5], { of: [1, 2, 0, 3], shape: [2, 2] }],
    options: { 0: { byte: 1 } },
    outputs: [[9, 8]],
  },
  { type: 'TILE', inputs: [[6, 5], { of: [2, 1] }], outputs: [[12, 5]] },
  { type: 'MEAN', inputs: [[6, 5, 3], { of: [1] }], outputs: [[6, 3]] },
  { type: 'REDUCE_MAX', inputs: [[6, 5, 3], { of: [-1, 1] }], options: { 0: YES }, outputs: [[6, 1, 1]] },
  {
    type: 'ARG_MAX',
    inputs: [[6, 5, 3], { of: [-1], shape: [] }],
    options: { 0: { byte: 4 } },
    outputs: [[6, 5]],
    dtype: 'int64',
  },
  {
    type: 'BATCH_MATMUL',
    inputs: [
      [6, 5, 3],
      [4, 3],
    ],
    options: { 1: YES },
    outputs: [[6, 5, 4]],
  },
  { type: 'RESIZE_BILINEAR', inputs: [[2, 4, 4, 3], { of: [7, 9] }], outputs: [[2, 7, 9, 3]] },
  {
    type: 'SPACE_TO_BATCH_ND',
    inputs: [[2, 6, 4, 3], { of: [2, 3] }, { of: [1, 1, 2, 0], shape: [2, 2] }],
    outputs: [[12, 4, 2, 3]],
  },
  {
    type: 'BATCH_TO_SPACE_ND',
    inputs: [[12, 4, 2, 3], { of: [2, 3] }, { of: [1, 1, 2, 0], shape: [2, 2] }],
    outputs: [[2, 6, 4, 3]],
  },
  { type: 'SPACE_TO_DEPTH', inputs: [[2, 6, 4, 3]], options: { 0: 2 }, outputs: [[2, 3, 2, 12]] },
  { type: 'DEPTH_TO_SPACE', inputs: [[2, 3, 2, 12]], options: { 0: 2 }, outputs: [[2, 6, 4, 3]] },
  { type: 'BROADCAST_TO', inputs: [[1, 5], { of: [6, 5] }], outputs: [[6, 5]] },
  {
    type: 'TOPK_V2',
    inputs: [[6, 5], { of: [2], shape: [] }],
    outputs: [
      [6, 2],
      [6, 2],
    ],
  },
]

/** The model of a case: the first plain shape is the open input, the others are weights. */
function modelOf({ type, inputs, options, outputs, dtype }: Case): { model: ModelSpec; open: Shape } {
  const tensors: TensorSpec[] = []
  const buffers: Uint8Array[] = []
  let open = -1
  for (const input of inputs) {
    const given = Array.isArray(input)
    const shape = given ? input : (input.shape ?? [input.of.length])
    const name = `t${tensors.length}`
    if (given && open < 0) {
      open = tensors.length
      tensors.push({ name, shape: shape.map(() => 1), signature: shape.map(() => -1), dtype: 'float32' })
      continue
    }
    const data = given ? new Uint8Array(4 * shape.reduce((a, b) => a * b, 1)) : words(...input.of)
    buffers.push(data)
    tensors.push({ name, shape, dtype: given ? 'float32' : 'int32', buffer: buffers.length })
  }
  const first = tensors.length
  for (const shape of outputs)
    tensors.push({
      name: `t${tensors.length}`,
      shape: shape.map(() => 1),
      signature: shape.map(() => -1),
      dtype: tensors.length === first + 1 && type === 'TOPK_V2' ? 'int32' : (dtype ?? 'float32'),
    })
  const made = outputs.map((_, index) => first + index)
  const op: OpSpec = { type, inputs: inputs.map((_, index) => index), outputs: made, ...(options ? { options } : {}) }
  const shape = inputs[open] as Shape
  return { model: { buffers, subgraphs: [{ tensors, inputs: [open], outputs: made, ops: [op] }] }, open: shape }
}

describe('what an operator makes of its inputs', () => {
  it.each(cases.map((one, index): [string, Case] => [`${index} ${one.type} ${JSON.stringify(one.inputs[0])}`, one]))(
    '%s',
    (_, one) => {
      const { model, open } = modelOf(one)
      const sides = open.map((side, axis) => [axis === 0 ? 'batch' : `dim${axis}`, side])
      const { graph } = readGraph(writeTflite(model), { dims: Object.fromEntries(sides) })
      const made = graph.tensors.filter(({ kind }) => kind.output)
      expect(made.map(({ shape }) => shape)).toEqual(one.outputs)
    },
  )
})

/** x of an open batch; SHAPE, and what it is taken apart and put together with; a RESHAPE by the result. */
function computed(ops: OpSpec[], between: TensorSpec[], buffers: Uint8Array[]): Uint8Array {
  const tensors: TensorSpec[] = [
    { name: 'x', shape: [1, 4, 6], signature: [-1, 4, 6], dtype: 'float32' },
    { name: 'y', shape: [1, 24], signature: [-1, -1], dtype: 'float32' },
    ...between,
  ]
  return writeTflite({ buffers, subgraphs: [{ tensors, inputs: [0], outputs: [1], ops }] })
}

describe('shapes that are computed', () => {
  const ints = (name: string, shape: Shape, buffer = 0): TensorSpec => ({ name, shape, dtype: 'int32', buffer })

  it('through SHAPE, STRIDED_SLICE, MUL and PACK', () => {
    const file = computed(
      [
        { type: 'SHAPE', inputs: [0], outputs: [2] },
        { type: 'STRIDED_SLICE', inputs: [2, 3, 4, 5], outputs: [6], options: { 4: 1 } },
        { type: 'MUL', inputs: [6, 7], outputs: [8] },
        { type: 'PACK', inputs: [8, 9], outputs: [10], options: { 0: 2, 1: 0 } },
        { type: 'RESHAPE', inputs: [0, 10], outputs: [1] },
      ],
      [
        ints('shape', [3]),
        ints('0', [1], 1),
        ints('1', [1], 2),
        ints('step', [1], 2),
        ints('batch', []),
        ints('2', [], 3),
        ints('twice', []),
        ints('-1', [], 4),
        ints('target', [2]),
      ],
      [words(0), words(1), words(2), words(-1)],
    )
    const { graph } = readGraph(file, { dims: { batch: 5 } })
    expect(graph.tensors.find(({ id }) => id === 'y')).toMatchObject({ shape: [10, 12], bytes: 480 })
  })

  it('are asked for where they are computed from data', () => {
    const file = computed(
      [
        { type: 'CAST', inputs: [0], outputs: [2] },
        { type: 'RESHAPE', inputs: [0, 2], outputs: [1] },
      ],
      [{ name: 'target', shape: [1, 4, 6], signature: [-1, 4, 6], dtype: 'int32' }],
      [],
    )
    expect(refusal(file, { dims: { batch: 5 } }).questions.map(({ name }) => name)).toEqual(['y[0]', 'y[1]'])
  })

  it('refuse what cannot run, and say where', () => {
    const file = computed([{ type: 'RESHAPE', inputs: [0, 2], outputs: [1] }], [ints('target', [2], 1)], [words(7, 7)])
    expect(refusal(file, { dims: { batch: 5 } }).message).toBe(
      'file: RESHAPE “subgraph 0, operator 0”: [5, 4, 6] has 120 elements, the target shape [7, 7] has 49.',
    )
  })
})

describe('damaged files with open sides', () => {
  it('never throw, whichever bytes are others', () => {
    const files = cases.map((one) => writeTflite(modelOf(one).model))
    const dims = { batch: 6, dim1: 5, dim2: 4, dim3: 3 }
    let state = 1
    const random = (below: number) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      return Math.floor((state / 2 ** 32) * below)
    }
    let refused = 0
    for (let round = 0; round < 6000; round++) {
      const file = files[round % files.length]!.slice()
      for (let flips = 1 + random(4); flips > 0; flips--) {
        const at = random(file.length)
        if (random(2) === 0) file[at]! ^= 1 << random(8)
        else file.set(words(random(3) === 0 ? -1 : random(2 ** 32) - 2 ** 31), Math.min(at & ~3, file.length - 4))
      }
      if (!read(file, { dims }).ok) refused++
    }
    expect(refused).toBeGreaterThan(600)
  })
})
