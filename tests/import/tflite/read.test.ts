import { describe, expect, it } from 'vitest'
import { lifespans, opLines, read, readGraph, refusal } from '../read'
import { looping, type ModelSpec, small, type TensorSpec, two, words, writeTflite } from './writer'

/** A chain of one operator over two tensors, the second of which is the one given. */
function one(tensor: TensorSpec, rest: Partial<ModelSpec> = {}): Uint8Array {
  const tensors = [{ name: 'in', shape: [4] }, tensor]
  return writeTflite({
    subgraphs: [{ tensors, inputs: [0], outputs: [1], ops: [{ type: 'CAST', inputs: [0], outputs: [1] }] }],
    ...rest,
  })
}

describe('tensors and operators', () => {
  it('come with their sizes, kinds and shapes in the order of the file', () => {
    const { graph, notes, plan, format } = readGraph(writeTflite(small))
    expect({ format, notes, plan, name: graph.name }).toEqual({
      format: 'tflite',
      notes: [],
      plan: undefined,
      name: 'small',
    })
    expect(graph.tensors).toEqual([
      { id: 'image', bytes: 192, kind: { input: true }, shape: [1, 8, 8, 3], dtype: 'int8', axes: 'NHWC' },
      { id: 'weights', bytes: 108, kind: { constant: true }, shape: [4, 3, 3, 3], dtype: 'int8' },
      { id: 'conv;bn', bytes: 256, kind: {}, shape: [1, 8, 8, 4], dtype: 'int8', axes: 'NHWC' },
      { id: 'relu', bytes: 256, kind: {}, shape: [1, 8, 8, 4], dtype: 'int8', axes: 'NHWC' },
      { id: 'flat', bytes: 256, kind: { output: true }, shape: [1, 256], dtype: 'int8' },
    ])
    expect(graph.ops).toEqual([
      { id: 'CONV_2D 0', type: 'CONV_2D', inputs: [0, 1], outputs: [2], windows: '1 3-1 3-1 *' },
      { id: 'RELU 1', type: 'RELU', inputs: [2], outputs: [3], inplace: [[3, 2]], windows: '1 1 1 1' },
      { id: 'RESHAPE 2', type: 'RESHAPE', inputs: [3], outputs: [4], alias: [[4, 3]] },
    ])
  })

  it.each([
    ['float32', [3], 12],
    ['float16', [3], 6],
    ['bfloat16', [3], 6],
    ['float64', [3], 24],
    ['float8_e4m3fn', [3], 3],
    ['float8_e5m2', [3], 3],
    ['bool', [3], 3],
    ['int4', [3], 2],
    ['uint4', [3, 3], 5],
    ['int2', [5], 2],
    ['int16', [3], 6],
    ['uint16', [3], 6],
    ['uint32', [3], 12],
    ['uint64', [3], 24],
    ['int64', [], 8],
    ['complex64', [3], 24],
    ['complex128', [3], 48],
  ])('%s of shape %j takes %d bytes', (dtype, shape, bytes) => {
    expect(readGraph(one({ name: 'out', shape, dtype })).graph.tensors[1]).toMatchObject({ dtype, bytes })
  })

  it.each(['string', 'variant'])('leaves out a %s and says so, or takes the size that it is told', (dtype) => {
    const file = one({ name: 'out', shape: [3], dtype })
    const { graph, notes } = readGraph(file)
    expect(opLines(graph)).toEqual(['CAST 0: in -> '])
    expect(notes).toEqual(['Left out, because texts and variants have no size in the file: out.'])
    expect(readGraph(file, { bytes: { out: 99 } }).graph.tensors[1]).toMatchObject({ id: 'out', bytes: 99 })
  })

  it('counts handles of resources as TFLite Micro does: those that VAR_HANDLE makes take nothing, others 4 bytes', () => {
    const tensors = [
      { name: 'handle', shape: [], dtype: 'resource' },
      { name: 'x', shape: [4], hasRank: true },
      { name: 'y', shape: [4], hasRank: true },
      { name: 'passed on', shape: [], dtype: 'resource' },
    ]
    const ops = [
      { type: 'VAR_HANDLE', inputs: [], outputs: [0] },
      { type: 'READ_VARIABLE', inputs: [0], outputs: [2] },
      { type: 'ASSIGN_VARIABLE', inputs: [0, 1], outputs: [] },
      { type: 'custom', inputs: [2], outputs: [3] },
    ]
    const { graph, notes, tflite } = readGraph(
      writeTflite({ subgraphs: [{ tensors, inputs: [1], outputs: [2], ops }] }),
    )
    expect(graph.tensors.map(({ id, bytes }) => [id, bytes])).toEqual([
      ['handle', 0],
      ['x', 4],
      ['y', 4],
      ['passed on', 4],
    ])
    expect(opLines(graph)[1]).toBe('READ_VARIABLE 1: handle -> y')
    expect(notes).toEqual([
      'What the kernels of custom 3 need as scratch is not known, and not part of it: add it, or a log of TFLite Micro.',
    ])
    expect(tflite!.arena).toEqual([1, 2, 3])
  })

  it('leaves out what has no elements and what nothing uses', () => {
    const { graph, notes } = readGraph(one({ name: 'out', shape: [3, 0] }))
    expect(graph.tensors.map(({ id }) => id)).toEqual(['in'])
    expect(notes).toEqual(['Left out, because they have no elements: out.'])
    const [main] = small.subgraphs
    const unused = writeTflite({
      subgraphs: [{ ...main!, tensors: [...main!.tensors, { name: 'spare', shape: [9] }] }],
    })
    expect(readGraph(unused).graph.tensors.map(({ id }) => id)).not.toContain('spare')
  })

  it('knows operators by either code, custom ones by their own name, unknown ones by their number', () => {
    const of = (type: string, oldCodes = false) => {
      const ops = [{ type, inputs: [0], outputs: [1] }]
      const tensors = [{ shape: [4] }, { shape: [4] }]
      return readGraph(writeTflite({ oldCodes, subgraphs: [{ tensors, inputs: [0], outputs: [1], ops }] })).graph.ops[0]
    }
    expect(of('GELU')?.type).toBe('GELU')
    expect(of('LOGISTIC', true)?.type).toBe('LOGISTIC')
    expect(of('STABLEHLO_CASE')?.type).toBe('STABLEHLO_CASE')
    expect(of('ethos-u')?.type).toBe('ethos-u')
    const newer = writeTflite(small)
    // RELU is the only operator with code 19: twice in its table, as a byte and as a word
    const at = newer.findIndex(
      (byte, index) => byte === 19 && newer[index + 1] === 0 && newer[index + 2] === 0 && index % 4 === 0,
    )
    newer.set([0x10, 0x27], at)
    expect(readGraph(newer).graph.ops[1]?.type).toBe('OPERATOR_10000')
  })

  it('makes ids unique and no longer than 255 bytes', () => {
    const long = 'ä'.repeat(200)
    const tensors = ['same', 'same', '', `${long}1`, `${long}2`, 'two\nlines'].map((name) => ({ name, shape: [4] }))
    const ops = tensors.slice(1).map((_, index) => ({ type: 'PAD', inputs: [index], outputs: [index + 1] }))
    const { graph } = readGraph(writeTflite({ subgraphs: [{ tensors, inputs: [0], outputs: [5], ops }] }))
    const ids = graph.tensors.map(({ id }) => id)
    expect(ids).toEqual(['same', 'same~2', 'tensor 2', `${'ä'.repeat(123)}~2`, `${'ä'.repeat(123)}~3`, 'two lines'])
    for (const id of ids) expect(new TextEncoder().encode(id).length).toBeLessThanOrEqual(255)
  })

  it('takes variables, data outside the file and data behind the FlatBuffer for what they are', () => {
    const tensors = [
      { name: 'in', shape: [4] },
      { name: 'state', shape: [2, 4], variable: true },
      { name: 'elsewhere', shape: [100], external: 1 },
      { name: 'behind', shape: [10], buffer: 1 },
      { name: 'sparse', shape: [50], buffer: 2 },
      { name: 'same weights', shape: [10], buffer: 1 },
      { name: 'out', shape: [4] },
    ]
    const ops = [{ type: 'CUSTOM_SVDF', inputs: [0, 1, 2, 3, 4, 5], outputs: [6] }]
    const buffers = [{ offset: 4096, size: 10 }, new Uint8Array(20)]
    const { graph } = readGraph(writeTflite({ buffers, subgraphs: [{ tensors, inputs: [0], outputs: [6], ops }] }))
    expect(graph.tensors.map(({ id, bytes, kind }) => [id, bytes, kind])).toEqual([
      ['in', 4, { input: true }],
      ['state', 8, { variable: true }],
      ['elsewhere', 100, { constant: true }],
      ['behind', 10, { constant: true }],
      ['sparse', 20, { constant: true }],
      ['out', 4, { output: true }],
    ])
    expect(graph.ops[0]?.inputs).toEqual([0, 1, 2, 3, 4, 3])
  })

  it('reads a file without the identifier by its version, and no other version', () => {
    expect(readGraph(writeTflite({ ...small, identifier: false })).graph.ops).toHaveLength(3)
    expect(refusal(writeTflite({ ...small, version: 2 })).message).toBe(
      'file: this is a TFLite model of version 2; version 3 can be read.',
    )
  })

  it('names a graph without a description after its file', () => {
    expect(readGraph(writeTflite(looping)).graph.name).toBe('file')
    expect(readGraph(writeTflite({ ...looping, description: 'MLIR Converted.' })).graph.name).toBe('file')
  })
})

describe('weights in a shorter form', () => {
  const tensors = [
    { name: 'x', shape: [1, 4], dtype: 'float32' },
    { name: 'half', shape: [3, 4], dtype: 'float16', buffer: 1 },
    { name: 'weights', shape: [3, 4], dtype: 'float32' },
    { name: 'y', shape: [1, 3], dtype: 'float32' },
  ]
  const ops = [
    { type: 'DEQUANTIZE', inputs: [1], outputs: [2] },
    { type: 'FULLY_CONNECTED', inputs: [0, 2, -1], outputs: [3] },
  ]
  const of = (outputs: number[]) =>
    writeTflite({ buffers: [new Uint8Array(24).fill(1)], subgraphs: [{ tensors, inputs: [0], outputs, ops }] })

  it('are unpacked before the model runs, or as it is written', () => {
    const { graph, notes, switches } = readGraph(of([3]))
    expect(opLines(graph)).toEqual(['FULLY_CONNECTED 1: x, weights -> y'])
    expect(graph.tensors.find(({ id }) => id === 'weights')).toMatchObject({ bytes: 48, kind: { constant: true } })
    expect(notes).toEqual([
      'Unpacked once and out of the arena, as LiteRT does: 1 constant behind DEQUANTIZE or DENSIFY.',
    ])
    expect(switches).toEqual(['fold'])
    expect(opLines(readGraph(of([3]), { fold: false }).graph)[0]).toBe('DEQUANTIZE 0: half -> weights')
  })

  it('stay where the model hands them out', () => {
    expect(opLines(readGraph(of([3, 2])).graph)).toHaveLength(2)
  })
})

describe('what the file leaves open', () => {
  const tensors = [
    { name: 'in', shape: [1, 8], signature: [-1, 8] },
    { name: 'mid', shape: [1, 8], signature: [-1, 8] },
    { name: 'out', shape: [1, 1, 4], signature: [-1, -1, 4] },
    { name: 'end', shape: [1, 1, 4], signature: [-1, -1, 4] },
  ]
  const ops = [
    { type: 'RELU', inputs: [0], outputs: [1] },
    { type: 'mystery', inputs: [1], outputs: [2] },
    { type: 'RELU', inputs: [2], outputs: [3] },
  ]
  const file = writeTflite({ subgraphs: [{ tensors, inputs: [0], outputs: [3], ops }] })

  it('is asked of the inputs first, then of what cannot be computed', () => {
    const { message, questions } = refusal(file)
    expect(message).toBe('file: the file leaves sizes open, one answer is needed.')
    expect(questions).toEqual([
      { kind: 'dim', name: 'batch', text: 'Side 0 of in is open. How long is it?', suggestion: 1 },
    ])
    const text = (axis: number) =>
      `Side ${axis} of out is open, because how mystery makes it is not known here. How long is it?`
    expect(refusal(file, { dims: { batch: 4 } }).questions).toEqual([
      { kind: 'dim', name: 'out[0]', text: text(0) },
      { kind: 'dim', name: 'out[1]', text: text(1) },
    ])
  })

  it('is computed from the answers', () => {
    const { graph, notes } = readGraph(file, { dims: { batch: 4, 'out[0]': 28, 'out[1]': 7, seq: 3 } })
    expect(graph.tensors.map(({ shape }) => shape)).toEqual([
      [4, 8],
      [4, 8],
      [28, 7, 4],
      [28, 7, 4],
    ])
    expect(graph.tensors.map(({ bytes }) => bytes)).toEqual([32, 32, 784, 784])
    expect(notes).toEqual([
      'batch = 4 in 1 tensor.',
      'Nothing in the model is called seq and open: the answer was not used.',
      'What the kernels of mystery 1 need as scratch is not known, and not part of it: add it, or a log of TFLite Micro.',
    ])
  })

  it('has a field for each of several inputs, and nothing suggested where 1 would be a guess', () => {
    const two = [
      { name: 'a', shape: [1, 1], signature: [-1, -1] },
      { name: 'b', shape: [1, 1], signature: [-1, -1] },
      { name: 'sum', shape: [1, 1], signature: [-1, -1] },
    ]
    const add = [{ type: 'ADD', inputs: [0, 1], outputs: [2] }]
    const sum = writeTflite({ subgraphs: [{ tensors: two, inputs: [0, 1], outputs: [2], ops: add }] })
    expect(refusal(sum).questions).toEqual([
      { kind: 'dim', name: 'batch', text: 'Side 0 of a, b is open. How long is it?', suggestion: 1 },
      { kind: 'dim', name: 'a[0]', text: 'Side 0 of a, where it differs.', like: 'batch' },
      { kind: 'dim', name: 'b[0]', text: 'Side 0 of b, where it differs.', like: 'batch' },
      { kind: 'dim', name: 'dim1', text: 'Side 1 of a, b is open. How long is it?' },
      { kind: 'dim', name: 'a[1]', text: 'Side 1 of a, where it differs.', like: 'dim1' },
      { kind: 'dim', name: 'b[1]', text: 'Side 1 of b, where it differs.', like: 'dim1' },
    ])
    const { graph } = readGraph(sum, { dims: { batch: 4, dim1: 3, 'b[1]': 1 } })
    expect(graph.tensors.map(({ shape }) => shape)).toEqual([
      [4, 3],
      [4, 1],
      [4, 3],
    ])
  })

  it('asks again for what is no length', () => {
    for (const batch of [-1, 0, 1.5, Number.NaN, 2 ** 60])
      expect(refusal(file, { dims: { batch, 'out[0]': 1 } }).questions.map(({ name }) => name)).toEqual(['batch'])
  })

  it('asks for the size of a tensor whose rank is unknown, if the file tells ranks at all', () => {
    const [main] = small.subgraphs
    const of = (hasRank: boolean) => [
      { name: 'in', shape: [4], hasRank },
      { name: 'out', shape: [] },
    ]
    const chain = (hasRank: boolean) =>
      writeTflite({
        subgraphs: [
          { ...main!, tensors: of(hasRank), outputs: [1], ops: [{ type: 'PAD', inputs: [0], outputs: [1] }] },
        ],
      })
    expect(readGraph(chain(false)).graph.tensors[1]).toMatchObject({ id: 'out', bytes: 1, shape: [] })
    expect(refusal(chain(true)).questions).toMatchObject([{ kind: 'bytes', name: 'out' }])
    expect(readGraph(chain(true), { bytes: { out: 12 } }).graph.tensors[1]).toEqual({
      id: 'out',
      bytes: 12,
      kind: { output: true },
      dtype: 'int8',
    })
  })
})

describe('control flow', () => {
  it('puts the subgraphs of WHILE where it runs, between its inputs and its outputs', () => {
    const { graph, notes } = readGraph(writeTflite(looping))
    expect(notes).toEqual([])
    expect(opLines(graph)).toEqual([
      'WHILE 0: i, x -> i end, x end, WHILE 0, turn 0',
      'WHILE 0, into cond: WHILE 0, turn 0 -> cond/i, cond/x, WHILE 0, turn 1',
      'cond/LESS 0: cond/i -> cond/less',
      'WHILE 0, out of cond: cond/less, WHILE 0, turn 1 -> WHILE 0, turn 2',
      'WHILE 0, into body: WHILE 0, turn 2 -> body/i, body/x, WHILE 0, turn 3',
      'body/ADD 0: body/i -> body/i+1',
      'body/FULLY_CONNECTED 1: body/x -> body/wide',
      'body/FULLY_CONNECTED 2: body/wide -> body/x next',
      'WHILE 0, out of body: body/i+1, body/x next, i, x, i end, WHILE 0, turn 3 -> WHILE 0, turn 4',
      'TANH 1: x end, WHILE 0, turn 4 -> y',
    ])
    const alive = lifespans(graph)
    expect(alive.get('x')).toEqual([0, 9])
    expect(alive.get('i end')).toEqual([0, 9])
    expect(alive.get('x end')).toEqual([0, 10])
    expect(alive.get('cond/x')).toEqual([1, 2])
    expect(alive.get('body/x next')).toEqual([7, 9])
  })

  it('puts both branches of IF, one after the other, and apart from them what nobody runs', () => {
    const branch = (name: string, type: string) => ({
      name,
      tensors: [
        { name: 'a', shape: [16] },
        { name: 'b', shape: [16] },
      ],
      inputs: [0],
      outputs: [1],
      ops: [{ type, inputs: [0], outputs: [1] }],
    })
    const main = {
      tensors: [
        { name: 'c', shape: [], dtype: 'bool' },
        { name: 'x', shape: [16] },
        { name: 'y', shape: [16] },
      ],
      inputs: [0, 1],
      outputs: [2],
      ops: [{ type: 'IF', inputs: [0, 1], outputs: [2], callees: [2, 1] }],
    }
    const { graph, notes } = readGraph(
      writeTflite({ subgraphs: [main, branch('else', 'EXP'), branch('then', 'NEG'), branch('other', 'LOG')] }),
    )
    expect(graph.ops.map(({ type }) => type)).toEqual(['IF', 'IF', 'NEG', 'IF', 'IF', 'EXP', 'IF'])
    expect(graph.ops.at(-1)?.inputs.map((index) => graph.tensors[index]?.id)).toEqual([
      'else/b',
      'c',
      'x',
      'IF 0, turn 3',
    ])
    expect(notes).toEqual(['Not run, and so left out: subgraph 3 (other). TFLite Micro allocates it all the same.'])
  })

  it('offers what else could run, and takes it', () => {
    const file = writeTflite(two)
    expect(readGraph(file).choices).toEqual([
      { runs: { signature: 'serve' }, name: 'serve' },
      { runs: { signature: 'encode' }, name: 'encode' },
    ])
    expect(readGraph(writeTflite(looping)).choices).toBeUndefined()
    expect(readGraph(writeTflite({ ...two, signatures: [] })).choices).toEqual([
      { runs: { subgraph: 0 }, name: 'main' },
      { runs: { subgraph: 1 }, name: 'encode' },
    ])
    const { graph, tflite } = readGraph(file, { runs: { signature: 'encode' } })
    expect(opLines(graph)).toEqual(['EXP 0: a -> b'])
    expect(tflite?.numbers).toEqual([2, 3])
    expect(refusal(file, { runs: { subgraph: 2 } }).message).toContain('there is no subgraph 2: the file has 2')
    const astray = writeTflite({ ...two, signatures: [{ name: 'far', subgraph: 9 }] })
    expect(refusal(astray, { runs: { signature: 'far' } }).message).toContain('names subgraph 9, and there are 2')
  })

  it('allocates what does not run at a time of its own, as TFLite Micro does', () => {
    const { graph, tflite, notes } = readGraph(writeTflite(two), { runs: 'all' })
    expect(opLines(graph)).toEqual([
      'begin:  -> begin, turn 0',
      'TANH 0: x -> y',
      'end: y -> end, turn 0',
      'allocated, and not run: end, turn 0 -> encode/a, encode/b',
    ])
    expect(tflite?.numbers).toEqual([0, 1, 2, 3, null, null])
    expect(notes).toEqual(['Allocated together, though nothing that runs uses them: 2 tensors.'])
  })

  it('holds the tensors of a subgraph that is run twice from the first run to the last, as TFLite Micro does', () => {
    const [main, cond, body] = looping.subgraphs
    const ops = [
      { type: 'WHILE', inputs: [0, 1], outputs: [2, 3], callees: [1, 2] },
      { type: 'WHILE', inputs: [2, 3], outputs: [5, 4], callees: [1, 2] },
    ]
    const tensors = [...main!.tensors, { name: 'i twice', shape: [], dtype: 'int32' }]
    const { graph, tflite } = readGraph(writeTflite({ subgraphs: [{ ...main!, tensors, ops }, cond!, body!] }), {
      runs: 'all',
    })
    expect(tflite?.repeated).toEqual([])
    const wide = graph.tensors.findIndex(({ id }) => id === 'body/wide')
    expect(graph.ops.filter(({ outputs }) => outputs.includes(wide))).toHaveLength(1)
    // made and read in the first run, and held by both operators in the second
    expect(graph.ops.filter(({ inputs }) => inputs.includes(wide)).map(({ id }) => id)).toEqual([
      'body/FULLY_CONNECTED 2',
      'body/FULLY_CONNECTED 1~2',
      'body/FULLY_CONNECTED 2~2',
    ])
  })

  it('gives a subgraph that is run twice memory of its own each time', () => {
    const [main, cond, body] = looping.subgraphs
    const ops = [
      { type: 'WHILE', inputs: [0, 1], outputs: [2, 3], callees: [1, 2] },
      { type: 'WHILE', inputs: [2, 3], outputs: [5, 4], callees: [1, 2] },
    ]
    const tensors = [...main!.tensors, { name: 'i last', shape: [], dtype: 'int32' }]
    const { graph, notes, tflite } = readGraph(writeTflite({ subgraphs: [{ ...main!, tensors, ops }, cond!, body!] }))
    expect(graph.ops).toHaveLength(18)
    expect(graph.tensors.map(({ id }) => id)).toContain('body/wide~2')
    expect(notes).toEqual(['Run from several places, with memory of its own in each: subgraph 1 (cond), 2 (body).'])
    expect(tflite?.repeated).toEqual([6, 7, 8, 9, 10, 11, 12, 13])
    expect(tflite?.numbers.flatMap((number) => number ?? [])).toEqual([0, 1, 2, 3, 4, 5])
  })

  it('refuses subgraphs that run themselves, the main one, or none that there is', () => {
    const with_ = (callees: number[]) => {
      const [main, cond, body] = looping.subgraphs
      const ops = [{ type: 'WHILE', inputs: [0, 1], outputs: [2, 4], callees }]
      return refusal(writeTflite({ subgraphs: [main!, cond!, { ...body!, ops }] })).message
    }
    expect(with_([1, 2])).toBe('file: subgraph 2, operator 0: WHILE runs subgraphs in subgraphs, deeper than 64.')
    expect(with_([1, 0])).toBe('file: subgraph 2, operator 0: WHILE runs subgraph 0, which it cannot: there are 3.')
    expect(with_([1, 3])).toBe('file: subgraph 2, operator 0: WHILE runs subgraph 3, which it cannot: there are 3.')
  })

  it('refuses a few subgraphs that run each other millions of times', () => {
    const levels = 30
    const chain = Array.from({ length: levels }, (_, level) => ({
      tensors: [{ shape: [1] }, { shape: [1] }],
      inputs: [0],
      outputs: [1],
      ops:
        level + 1 < levels
          ? [{ type: 'IF', inputs: [0], outputs: [1], callees: [level + 1, level + 1] }]
          : [{ type: 'NEG', inputs: [0], outputs: [1] }],
    }))
    expect(refusal(writeTflite({ subgraphs: chain })).message).toMatch(
      /^file: the model runs (with \d{10} tensors|\d{10} operators); at most 1048576 can be read\.$/,
    )
  })
})

describe('the plan that a file brings', () => {
  const name = 'OfflineMemoryAllocation'
  const with_ = (data: Uint8Array, rest: Partial<ModelSpec> = {}) =>
    readGraph(writeTflite({ ...small, buffers: [...small.buffers!, data], metadata: [{ name, buffer: 2 }], ...rest }))

  it('is read tensor by tensor', () => {
    const { plan, tflite } = with_(words(1, 1, 5, 0, -1, 256, 512, -1))
    expect(plan).toEqual({ name, offsets: [0, null, 256, 512, null] })
    expect(tflite).toEqual({
      tensors: 5,
      subgraphs: 1,
      numbers: [0, 1, 2, 3, 4],
      repeated: [],
      arena: [0, 2, 3, 4],
      kept: { variables: 0, operators: 3, inputs: 1, outputs: 1, tail: { bytes: 584, late: 104, word: 4, by: 'rule' } },
      scratch: { kernels: 'reference', tensors: [], unknown: [] },
    })
  })

  it('is not shown if it is for other tensors, or not there', () => {
    expect(with_(words(1, 1, 4, 0, -1, 256, 512)).notes).toEqual([
      "The file's offline memory plan is not shown: it is for 4 tensors, and the file has 5; TFLite Micro refuses such a model.",
    ])
    expect(with_(words(1, 1, 5, 0)).notes[0]).toMatch(/not shown/)
    expect(with_(words(1), { metadata: [{ name, buffer: 9 }] }).notes).toEqual([
      `The file's offline memory plan is not shown: metadata ${name} names buffer 9, which has no such plan.`,
    ])
    expect(with_(words(1, 1, 5, 0, -1, 256, 512, -1), { metadata: [{ name: 'other', buffer: 2 }] })).not.toHaveProperty(
      'plan',
    )
  })
})

describe('damaged files', () => {
  it('are refused at whatever byte they end', () => {
    const file = writeTflite({
      ...looping,
      buffers: small.buffers!,
      metadata: [{ name: 'OfflineMemoryAllocation', buffer: 1 }],
    })
    for (let length = 0; length < file.length; length++) {
      const imported = read(file.subarray(0, length))
      if (!imported.ok) expect(imported.message).toMatch(/^file: .+\.$/s)
    }
    expect(read(file.subarray(0, file.length / 2))).toMatchObject({ ok: false })
    expect(refusal(file.subarray(0, 200)).message).toMatch(/the file is cut off or damaged|reaches past the end/)
  })

  it('never throw, whichever bits are flipped', () => {
    const files = [small, looping].map(writeTflite)
    let state = 1
    const random = (below: number) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      return Math.floor((state / 2 ** 32) * below)
    }
    let refused = 0
    for (let round = 0; round < 4000; round++) {
      const file = files[round % 2]!.slice()
      for (let flips = 1 + random(4); flips > 0; flips--) {
        const at = random(file.length)
        if (random(2) === 0) file[at]! ^= 1 << random(8)
        else file.set(words(random(3) === 0 ? -1 : random(2 ** 32) - 2 ** 31), Math.min(at & ~3, file.length - 4))
      }
      const imported = read(file)
      if (!imported.ok) refused++
      else if ('graph' in imported) expect(imported.graph.tensors.length).toBeLessThanOrEqual(30)
    }
    expect(refused).toBeGreaterThan(400)
  })

  it('cannot claim lists longer than themselves', () => {
    const file = writeTflite(small)
    const view = new DataView(file.buffer)
    let lists = 0
    for (let at = 8; at + 8 <= file.length; at += 4) {
      const length = view.getUint32(at, true)
      if (length === 0 || length > 5) continue
      lists++
      for (const claim of [file.length, 0x3fffffff, 0xffffffff]) {
        const copy = file.slice()
        new DataView(copy.buffer).setUint32(at, claim, true)
        read(copy)
      }
    }
    expect(lists).toBeGreaterThan(20)
  })

  it('cannot make much of little by naming it again and again', () => {
    const tensor = { name: 'x'.repeat(4000), shape: [1] }
    const op = { type: 'ADD_N', inputs: Array<number>(2000).fill(0), outputs: [1] }
    const of = (tensors: TensorSpec[], ops: object[]) =>
      writeTflite({ subgraphs: [{ tensors, inputs: [0], outputs: [1], ops: ops as [] }] })
    expect(refusal(of(Array(300_000).fill(tensor), [])).message).toMatch(
      /^file: subgraph 0, tensor \d+: the same parts of the file are named too often\.$/,
    )
    expect(refusal(of([tensor, { shape: [1] }], Array(50_000).fill(op))).message).toMatch(
      /named too often|more than 4194304 inputs and outputs/,
    )
    expect(refusal(of(Array(1_100_000).fill(tensor), [])).message).toBe(
      'file: the model has more than 1048576 tensors.',
    )
  })
})
