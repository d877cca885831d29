import { describe, expect, test } from 'vitest'
import { FLOAT, graphOf, type ModelSpec, type NodeSpec, questionsOf, refusedOf, STRING } from './writer'

/** Two convolutions, normalised and activated. */
const cnn: ModelSpec = {
  name: 'cnn',
  opset: 13,
  inputs: [{ name: 'x', dims: ['N', 3, 8, 8] }],
  outputs: ['y'],
  stored: [
    { name: 'w1', type: FLOAT, dims: [4, 3, 3, 3] },
    { name: 'w2', type: FLOAT, dims: [2, 4, 1, 1] },
    ...['s', 'b', 'm', 'v'].map((name) => ({ name, type: FLOAT, dims: [4] })),
  ],
  nodes: [
    { op: 'Conv', name: 'first', in: ['x', 'w1'], out: ['c1'], attrs: { pads: [1, 1, 1, 1] } },
    { op: 'BatchNormalization', in: ['c1', 's', 'b', 'm', 'v'], out: ['n1'] },
    { op: 'Relu', in: ['n1'], out: ['r1'] },
    { op: 'Dropout', in: ['r1'], out: ['d1'] },
    { op: 'Conv', in: ['d1', 'w2'], out: ['y'], attrs: { strides: [2, 2] } },
  ],
}

describe('a model becomes a graph', () => {
  test('as it is written', () => {
    const { graph, notes } = graphOf(cnn, { dims: { N: 1 } })
    expect(graph.name).toBe('cnn')
    expect(graph.ops.map((op) => [op.id, op.type])).toEqual([
      ['first', 'Conv'],
      ['n1', 'BatchNormalization'],
      ['r1', 'Relu'],
      ['d1', 'Dropout'],
      ['y', 'Conv'],
    ])
    const byId = Object.fromEntries(graph.tensors.map((tensor) => [tensor.id, tensor]))
    const plain = { id: 'x', bytes: 768, kind: { input: true }, dtype: 'float32' }
    expect(byId.x).toEqual({ ...plain, shape: [1, 3, 8, 8], axes: 'NCHW' })
    expect(byId.w1).toMatchObject({ bytes: 432, kind: { constant: true } })
    expect(byId.c1).toMatchObject({ bytes: 1024, kind: {} })
    expect(byId.y).toMatchObject({ bytes: 128, kind: { output: true }, shape: [1, 2, 4, 4] })
    expect(notes).toEqual([])
    const [, normal, relu, dropout] = graph.ops
    expect(relu?.inplace).toEqual([[relu?.outputs[0], relu?.inputs[0]]])
    expect(normal?.inplace).toEqual([[normal?.outputs[0], normal?.inputs[0]]])
    expect(dropout?.alias).toEqual([[dropout?.outputs[0], dropout?.inputs[0]]])
  })
  test('fused', () => {
    const { graph, notes } = graphOf(cnn, { dims: { N: 1 }, fuse: true })
    const names = (list: readonly number[]): string[] => list.map((i) => graph.tensors[i]?.id ?? '')
    expect(graph.ops.map((op) => [op.type, names(op.inputs), names(op.outputs)])).toEqual([
      ['Conv', ['x', 'w1', 'b'], ['r1']],
      ['Conv', ['r1', 'w2'], ['y']],
    ])
    expect(notes).toHaveLength(3)
    expect(notes.join(' ')).toContain('BatchNormalization was folded')
    expect(graph.tensors.map((tensor) => tensor.id)).toEqual(['x', 'w1', 'b', 'r1', 'w2', 'y'])
  })
  test('a convolution with a bias keeps its own', () => {
    const [conv, ...rest] = cnn.nodes
    const nodes = [{ ...(conv as NodeSpec), in: ['x', 'w1', 'm'] }, ...rest]
    const { graph } = graphOf({ ...cnn, nodes }, { dims: { N: 1 }, fuse: true })
    expect(graph.ops[0]?.inputs.map((i) => graph.tensors[i]?.id)).toEqual(['x', 'w1', 'm'])
  })
  test('an addition of a constant is a bias where it is one number a channel, and there is none yet', () => {
    const model: ModelSpec = {
      inputs: [{ name: 'x', dims: [1, 4, 5, 5] }],
      outputs: ['y'],
      stored: [
        { name: 'w', type: FLOAT, dims: [4, 4, 1, 1] },
        { name: 'm', type: FLOAT, dims: [5, 5] },
        { name: 'channel', type: FLOAT, dims: [4, 1, 1] },
        { name: 'column', type: FLOAT, dims: [5] },
      ],
      nodes: [
        { op: 'Conv', in: ['x', 'w'], out: ['c'] },
        { op: 'Add', in: ['c', 'channel'], out: ['c1'] },
        { op: 'Add', in: ['c1', 'channel'], out: ['c2'] },
        { op: 'Conv', in: ['c2', 'w'], out: ['d'] },
        { op: 'Add', in: ['d', 'column'], out: ['d1'] },
        { op: 'MatMul', in: ['d1', 'm'], out: ['e'] },
        { op: 'Add', in: ['column', 'e'], out: ['e1'] },
        { op: 'Relu', in: ['e1'], out: ['y'] },
      ],
    }
    const { graph, notes } = graphOf(model, { fuse: true })
    expect(graph.ops.map((op) => [op.type, ...op.inputs.map((i) => graph.tensors[i]?.id)])).toEqual([
      ['Conv', 'x', 'w', 'channel'],
      ['Add', 'c1', 'channel'],
      ['Conv', 'c2', 'w'],
      ['Add', 'd', 'column'],
      ['MatMul', 'd1', 'm', 'column'],
    ])
    expect(graph.ops.at(-1)?.outputs.map((i) => graph.tensors[i]?.id)).toEqual(['y'])
    expect(notes).toContain('2 Add of constants were taken as the biases of the operators before them.')
  })
  test('its open sides are asked for', () => {
    expect(questionsOf(cnn)).toEqual([
      { kind: 'dim', name: 'N', text: '“x” has the shape [N, 3, 8, 8]: how large is “N”?', suggestion: 1 },
    ])
    expect(questionsOf(cnn, { dims: { N: -1 } })).toHaveLength(1)
    expect(questionsOf(cnn, { dims: { N: 1.5 } })).toHaveLength(1)
  })
  test('a question mark is no name: each is another side', () => {
    const model: ModelSpec = {
      inputs: [{ name: 'x', dims: ['?', 3, '?', '?'] }],
      outputs: ['y'],
      nodes: [{ op: 'Relu', in: ['x'], out: ['y'] }],
    }
    expect(questionsOf(model).map(({ name, suggestion }) => [name, suggestion])).toEqual([
      ['x[0]', 1],
      ['x[2]', undefined],
      ['x[3]', undefined],
    ])
    const dims = { 'x[0]': 1, 'x[2]': 48, 'x[3]': 192 }
    expect(graphOf(model, { dims }).shapes.y).toBe('float32[1, 3, 48, 192]')
  })
  test('only an input is taken to begin with the batch', () => {
    const model: ModelSpec = {
      inputs: [
        { name: 'x', dims: ['N', 4] },
        { name: 'u', dims: ['unk__7', 'unk__8'] },
      ],
      outputs: ['y'],
      infos: [{ name: 'h', dims: [null, 4] }],
      nodes: [
        { op: 'Mystery', domain: 'my.own', in: ['x'], out: ['h'] },
        { op: 'Relu', in: ['h'], out: ['y'] },
      ],
    }
    expect(questionsOf(model).map(({ name, suggestion }) => [name, suggestion])).toEqual([
      ['N', 1],
      ['unk__7', 1],
      ['unk__8', undefined],
    ])
    const dims = { N: 1, unk__7: 1, unk__8: 2 }
    expect(questionsOf(model, { dims })).toMatchObject([{ name: 'h[0]' }])
    expect(questionsOf(model, { dims })[0]).not.toHaveProperty('suggestion')
  })
  test('answers to what is not open are named', () => {
    const { notes } = graphOf(cnn, { dims: { N: 1, M: 2 }, bytes: { c1: 3 } })
    expect(notes.map((note) => /called (\w+) and open/.exec(note)?.[1])).toEqual(['M', 'c1'])
  })
  test('shape arithmetic is folded away', () => {
    const model: ModelSpec = {
      inputs: [{ name: 'x', dims: ['batch', 6, 4] }],
      outputs: ['y'],
      stored: [
        { name: 'zero', dims: [], data: [0] },
        { name: 'axis', dims: [1], data: [0] },
        { name: 'rest', dims: [2], data: [-1, 8] },
      ],
      nodes: [
        { op: 'Shape', in: ['x'], out: ['s'] },
        { op: 'Gather', in: ['s', 'zero'], out: ['n'] },
        { op: 'Unsqueeze', in: ['n', 'axis'], out: ['n1'] },
        { op: 'Concat', in: ['n1', 'rest'], out: ['to'], attrs: { axis: 0 } },
        { op: 'Reshape', in: ['x', 'to'], out: ['y'] },
      ],
    }
    const { graph, shapes } = graphOf(model, { dims: { batch: 2 }, fuse: true })
    expect(shapes.y).toBe('float32[2, 3, 8]')
    expect(graph.ops.map((op) => op.type)).toEqual(['Reshape'])
    expect(graphOf(model, { dims: { batch: 2 } }).graph.ops).toHaveLength(5)
  })
  test('attention as PyTorch writes it, with batch and length open', () => {
    const weight = (name: string) => ({ name, type: FLOAT, dims: [64, 64] })
    const heads = (from: string, to: string, perm: number[]) => [
      { op: 'MatMul', in: ['x', `w${from}`], out: [`${from}0`] },
      { op: 'Reshape', in: [`${from}0`, 'apart'], out: [`${from}1`] },
      { op: 'Transpose', in: [`${from}1`], out: [to], attrs: { perm } },
    ]
    const side = (name: string, at: number) => [
      { op: 'Constant', in: [], out: [`at${at}`], attrs: { value_int: at } },
      { op: 'Gather', in: ['s', `at${at}`], out: [`g${name}`] },
      { op: 'Unsqueeze', in: [`g${name}`, 'zero'], out: [name] },
    ]
    const model: ModelSpec = {
      opset: 17,
      inputs: [{ name: 'x', dims: ['batch', 'seq', 64] }],
      outputs: [{ name: 'y', dims: ['batch', 'seq', 64] }],
      stored: [
        ...['wq', 'wk', 'wv', 'wo'].map(weight),
        { name: 'zero', dims: [1], data: [0] },
        { name: 'eight', dims: [1], data: [8] },
        { name: 'free', dims: [1], data: [-1] },
        { name: 'all', dims: [1], data: [64] },
      ],
      nodes: [
        { op: 'Shape', in: ['x'], out: ['s'] },
        ...side('b', 0),
        ...side('n', 1),
        { op: 'Concat', in: ['b', 'n', 'eight', 'free'], out: ['apart'], attrs: { axis: 0 } },
        { op: 'Concat', in: ['b', 'n', 'all'], out: ['together'], attrs: { axis: 0 } },
        ...heads('q', 'q', [0, 2, 1, 3]),
        ...heads('k', 'k', [0, 2, 3, 1]),
        ...heads('v', 'v', [0, 2, 1, 3]),
        { op: 'MatMul', in: ['q', 'k'], out: ['scores'] },
        { op: 'Softmax', in: ['scores'], out: ['p'], attrs: { axis: -1 } },
        { op: 'MatMul', in: ['p', 'v'], out: ['o'] },
        { op: 'Transpose', in: ['o'], out: ['o1'], attrs: { perm: [0, 2, 1, 3] } },
        { op: 'Reshape', in: ['o1', 'together'], out: ['o2'] },
        { op: 'MatMul', in: ['o2', 'wo'], out: ['y'] },
      ],
    }
    expect(questionsOf(model).map(({ name, suggestion }) => [name, suggestion])).toEqual([
      ['batch', 1],
      ['seq', undefined],
    ])
    const { graph, shapes } = graphOf(model, { dims: { batch: 2, seq: 10 }, fuse: true })
    expect(shapes).toMatchObject({
      q: 'float32[2, 8, 10, 8]',
      k: 'float32[2, 8, 8, 10]',
      scores: 'float32[2, 8, 10, 10]',
    })
    expect(shapes.y).toBe('float32[2, 10, 64]')
    expect(graph.ops.filter((op) => ['Shape', 'Gather', 'Unsqueeze', 'Concat'].includes(op.type))).toEqual([])
    expect(graph.ops).toHaveLength(15)
  })
  test('an unknown operator is asked for', () => {
    const model: ModelSpec = {
      inputs: [{ name: 'x', dims: [1, 4] }],
      outputs: ['y'],
      nodes: [
        { op: 'Mystery', domain: 'my.own', name: 'm', in: ['x'], out: ['h'] },
        { op: 'Relu', in: ['x'], out: ['y'] },
      ],
    }
    const [question] = questionsOf(model)
    expect(question).toMatchObject({ kind: 'bytes', name: 'h' })
    expect(question?.text).toContain('Mystery “m”')
    expect(graphOf(model, { bytes: { h: 99 } }).graph.tensors.find((tensor) => tensor.id === 'h')?.bytes).toBe(99)
    const told = { ...model, infos: [{ name: 'h', dims: [7, 7] }] }
    expect(graphOf(told).shapes.h).toBe('float32[7, 7]')
  })
  test('data-dependent sides are asked for, and what follows from them is not', () => {
    const model: ModelSpec = {
      inputs: [{ name: 'x', dims: [4, 5] }],
      outputs: ['y'],
      nodes: [
        { op: 'NonZero', in: ['x'], out: ['where'] },
        { op: 'Transpose', in: ['where'], out: ['y'] },
      ],
    }
    expect(questionsOf(model).map(({ kind, name }) => [kind, name])).toEqual([['dim', 'where[1]']])
    expect(graphOf(model, { dims: { 'where[1]': 7 } }).shapes.y).toBe('int64[7, 2]')
  })
  test('a wrong model is refused, naming the operator', () => {
    const wrong = { ...cnn, inputs: [{ name: 'x', dims: [1, 5, 8, 8] }] }
    expect(refusedOf(wrong).message).toBe('Conv “first”: the weight has 3 input channels, its input 5.')
    expect(refusedOf({ inputs: [], outputs: ['y'], nodes: [{ op: 'Relu', in: ['z'], out: ['y'] }] }).message).toBe(
      'Relu “y”: nothing makes its input “z”.',
    )
    expect(refusedOf({ inputs: [], outputs: ['y'], nodes: [] }).message).toBe('The output “y” is made by no node.')
  })
  test('nodes out of order are put in order', () => {
    const { graph, notes } = graphOf({
      inputs: [{ name: 'x', dims: [4] }],
      outputs: ['y'],
      nodes: [
        { op: 'Relu', in: ['b'], out: ['y'] },
        { op: 'Neg', in: ['a'], out: ['b'] },
        { op: 'Abs', in: ['x'], out: ['a'] },
      ],
    })
    expect(graph.ops.map((op) => op.id)).toEqual(['a', 'b', 'y'])
    expect(notes.join()).toContain('order')
  })
  test('a cycle and a second producer are refused', () => {
    const x = { name: 'x', dims: [4] }
    const cycle = [
      { op: 'Add', in: ['x', 'b'], out: ['a'] },
      { op: 'Relu', in: ['a'], out: ['b'] },
    ]
    expect(refusedOf({ inputs: [x], outputs: ['b'], nodes: cycle }).message).toBe(
      'Add “a” needs its own output: the graph has a cycle.',
    )
    const twice = [
      { op: 'Relu', in: ['x'], out: ['a'] },
      { op: 'Abs', in: ['x'], out: ['a'] },
    ]
    expect(refusedOf({ inputs: [x], outputs: ['a'], nodes: twice }).message).toBe(
      '“a” is made by both Relu “a” and Abs “a”.',
    )
  })
  test('weights elsewhere and sparse weights have the size of their shape', () => {
    const { graph } = graphOf({
      inputs: [{ name: 'x', dims: [1, 64] }],
      outputs: ['y'],
      stored: [{ name: 'w', type: FLOAT, dims: [64, 1000], external: true }],
      sparse: [{ name: 'z', type: FLOAT, dims: [1000, 10] }],
      nodes: [
        { op: 'MatMul', in: ['x', 'w'], out: ['h'] },
        { op: 'MatMul', in: ['h', 'z'], out: ['y'] },
      ],
    })
    const bytes = Object.fromEntries(graph.tensors.map((tensor) => [tensor.id, tensor.bytes]))
    expect(bytes).toMatchObject({ w: 256_000, z: 40_000, h: 4000, y: 40 })
  })
  test('an initializer that is listed as an input is none', () => {
    const { graph } = graphOf({
      inputs: [
        { name: 'x', dims: [2, 2] },
        { name: 'w', dims: [2, 2] },
      ],
      outputs: ['y'],
      stored: [{ name: 'w', type: FLOAT, dims: [2, 2] }],
      nodes: [{ op: 'MatMul', in: ['x', 'w'], out: ['y'] }],
    })
    expect(graph.tensors.map((tensor) => tensor.kind)).toEqual([{ input: true }, { constant: true }, { output: true }])
  })
  test('declared shapes that differ are told of', () => {
    const { notes, shapes } = graphOf({
      inputs: [{ name: 'x', dims: [2, 2] }],
      outputs: [{ name: 'y', dims: [9, 'k'] }],
      nodes: [{ op: 'Relu', in: ['x'], out: ['y'] }],
    })
    expect(shapes.y).toBe('float32[2, 2]')
    expect(notes.join()).toContain('another shape for one tensor')
  })
  test('every element type has its size', () => {
    const sizes: Record<number, number> = {
      1: 20,
      2: 5,
      3: 5,
      4: 10,
      5: 10,
      6: 20,
      7: 40,
      9: 5,
      10: 10,
      11: 40,
      12: 20,
      13: 40,
    }
    Object.assign(sizes, {
      14: 40,
      15: 80,
      16: 10,
      17: 5,
      18: 5,
      19: 5,
      20: 5,
      21: 3,
      22: 3,
      23: 3,
      24: 5,
      25: 2,
      26: 2,
    })
    const types = Object.keys(sizes).map(Number)
    const inputs = types.map((type) => ({ name: `x${type}`, type, dims: [5] }))
    const { graph } = graphOf({ inputs, outputs: ['x1'], nodes: [] })
    expect(graph.tensors.map((tensor) => tensor.bytes)).toEqual(types.map((type) => sizes[type]))
    expect(graph.tensors.every((tensor) => tensor.dtype)).toBe(true)
  })
  test('what has no fixed size is asked for', () => {
    const inputs = [
      { name: 'text', type: STRING, dims: [5] },
      { name: 'list', sequence: true },
      { name: 'shapeless' },
      { name: 'some', dims: [null, 3, null] },
    ]
    const asked = questionsOf({ inputs, outputs: ['text'], nodes: [] })
    expect(asked.map(({ kind, name, suggestion }) => [kind, name, suggestion])).toEqual([
      ['bytes', 'text', undefined],
      ['bytes', 'list', undefined],
      ['bytes', 'shapeless', undefined],
      ['dim', 'some[0]', 1],
      ['dim', 'some[2]', undefined],
    ])
    const answers = { bytes: { text: 10, list: 20, shapeless: 30 }, dims: { 'some[0]': 2, 'some[2]': 4 } }
    const { graph } = graphOf({ inputs, outputs: ['text'], nodes: [] }, answers)
    expect(graph.tensors.map((tensor) => tensor.bytes)).toEqual([10, 20, 30, 96])
  })
  test('Identity, Dropout, dead ends and constants go when fused, but not what is handed out', () => {
    const model: ModelSpec = {
      inputs: [{ name: 'x', dims: [2, 2] }],
      outputs: ['y', 'same'],
      stored: [{ name: 'w', type: FLOAT, dims: [2, 2] }],
      nodes: [
        { op: 'Identity', in: ['x'], out: ['i'] },
        { op: 'Identity', in: ['x'], out: ['same'] },
        { op: 'Transpose', in: ['w'], out: ['wt'] },
        { op: 'MatMul', in: ['i', 'wt'], out: ['y'] },
        { op: 'Neg', in: ['y'], out: ['dead'] },
        { op: 'Abs', in: ['dead'], out: ['deader'] },
      ],
    }
    const { graph, notes } = graphOf(model, { fuse: true })
    expect(graph.ops.map((op) => op.id)).toEqual(['same', 'y'])
    expect(graph.tensors.find((tensor) => tensor.id === 'wt')?.kind).toEqual({ constant: true })
    expect(notes).toHaveLength(3)
    expect(notes.join()).toContain('2 operators whose results nobody reads')
    expect(graphOf(model).graph.ops).toHaveLength(6)
  })
  test('a constant under several names is one', () => {
    const names = ['a', 'b', 'c']
    const model: ModelSpec = {
      inputs: [{ name: 'x', dims: [2, 64] }],
      outputs: ['y'],
      stored: [{ name: 'w', type: FLOAT, dims: [64, 64] }],
      nodes: [
        ...names.map((name) => ({ op: 'Identity', in: ['w'], out: [name] })),
        { op: 'MatMul', in: ['x', 'w'], out: ['x0'] },
        ...names.map((name, i) => ({ op: 'MatMul', in: [`x${i}`, name], out: [`x${i + 1}`] })),
        { op: 'Abs', in: ['x3'], out: ['y'] },
      ],
    }
    const { graph } = graphOf(model, { fold: true })
    expect(graph.tensors.filter((tensor) => tensor.kind.constant).map((tensor) => tensor.id)).toEqual(['w'])
  })
  test('constants are folded apart from batch normalisation', () => {
    const [conv, ...rest] = cnn.nodes
    const nodes = [{ op: 'Neg', in: ['w1'], out: ['w'] }, { ...(conv as NodeSpec), in: ['x', 'w'] }, ...rest]
    const types = (answers: { fold: boolean; fuse: boolean }) =>
      graphOf({ ...cnn, nodes }, { dims: { N: 1 }, ...answers }).graph.ops.map((op) => op.type)
    expect(types({ fold: true, fuse: false })).toEqual(['Conv', 'BatchNormalization', 'Relu', 'Conv'])
    expect(types({ fold: false, fuse: true })).toEqual(['Neg', 'Conv', 'BatchNormalization', 'Dropout', 'Conv'])
    expect(types({ fold: true, fuse: true })).toEqual(['Conv', 'Conv'])
  })
  test('an activation is not fused where its input has another reader or is handed out', () => {
    const nodes = [
      { op: 'Conv', in: ['x', 'w'], out: ['c'] },
      { op: 'Sigmoid', in: ['c'], out: ['g'] },
      { op: 'Mul', in: ['c', 'g'], out: ['y'] },
    ]
    const model: ModelSpec = {
      inputs: [{ name: 'x', dims: [1, 2, 4, 4] }],
      outputs: ['y'],
      stored: [{ name: 'w', type: FLOAT, dims: [2, 2, 1, 1] }],
      nodes,
    }
    expect(graphOf(model, { fuse: true }).graph.ops).toHaveLength(3)
    const handed = { ...model, outputs: ['c', 'g'], nodes: nodes.slice(0, 2) }
    expect(graphOf(handed, { fuse: true }).graph.ops).toHaveLength(2)
    const alone = { ...model, outputs: ['g'], nodes: nodes.slice(0, 2) }
    expect(graphOf(alone, { fuse: true }).graph.ops.map((op) => op.type)).toEqual(['Conv'])
  })
})
