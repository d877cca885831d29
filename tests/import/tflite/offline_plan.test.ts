import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  bufferPlanHeader,
  modelWithPlan,
  type OfflinePlan,
  offlinePlan,
  planWords,
  stayOffsets,
} from '../../../web/src/export/offline_plan'
import { fromBytes } from '../../../web/src/import/source'
import { TfliteFile } from '../../../web/src/import/tflite/file'
import { BufferField } from '../../../web/src/import/tflite/schema'
import { readGraph } from '../read'
import { looping, type ModelSpec, small, words, writeTflite } from './writer'

const NAME = 'OfflineMemoryAllocation'

function planOf(model: Uint8Array, offsets: (number | null)[]): OfflinePlan {
  const plan = offlinePlan(readGraph(model).tflite!, offsets)
  if (!plan.ok) throw new Error(plan.message)
  return plan
}

function rewritten(model: Uint8Array, offsets: (number | null)[]): Uint8Array {
  const made = modelWithPlan(model, readGraph(model).tflite!, planOf(model, offsets))
  if (!made.ok) throw new Error(made.message)
  return made.model
}

/** All that a file holds: tensors, operators, the bytes of every buffer, metadata by name with the bytes of theirs. */
function contents(model: Uint8Array) {
  const file = new TfliteFile(fromBytes(model))
  const dataOf = (index: number): number[] => {
    const buffer = file.buffer(index)
    if (!buffer) return []
    const at = buffer.reference(BufferField.data)
    const behind = buffer.uint64(BufferField.offset)
    if (behind > 1) return [...model.subarray(behind, behind + buffer.uint64(BufferField.size))]
    return at === null ? [] : [...model.subarray(at + 4, at + 4 + buffer.vectorBytes(BufferField.data))]
  }
  const metadata = file.metadata()
  const of = (plan: boolean) => metadata.filter(({ name }) => (name === NAME) === plan).map(({ buffer }) => buffer)
  const planned = of(true)
  // one that other metadata have, too, is no buffer of the plan's
  const others = of(false)
  return {
    description: file.description,
    subgraphs: file.subgraphs(),
    buffers: Array.from({ length: file.bufferCount }, (_, index) => index)
      .filter((index) => !planned.includes(index) || others.includes(index))
      .map(dataOf),
    metadata: metadata.filter(({ name }) => name !== NAME).map(({ name, buffer }) => [name, dataOf(buffer)]),
    plan: planned.map(dataOf),
  }
}

function withoutPlan(model: Uint8Array) {
  const { plan: _, ...rest } = contents(model)
  return rest
}

const bytesOf = (numbers: Uint8Array) => [...numbers]

describe('which tensors are planned', () => {
  it('are those in the arena, in the order of the file', () => {
    const file = writeTflite(small)
    const plan = planOf(file, [0, 64, 256, null, 512])
    expect(plan.offsets).toEqual([0, -1, 256, -1, 512])
    expect(plan.notes).toEqual([
      'Planned: 3 of the 5 tensors of the file, in its order. Constants and variables are not in the arena; -1 leaves a tensor to the runtime.',
      'Left to TFLite Micro, which may need more for them: 1 tensors of its arena that this plan does not place.',
      'Not written, because TFLite Micro does not place them by their number: 1 planned tensors.',
    ])
    expect(planWords(readGraph(file).tflite!, plan)).toEqual(words(1, 1, 5, 0, -1, 256, -1, 512))
  })

  it('of several subgraphs are counted through', () => {
    const { graph, tflite } = readGraph(writeTflite(looping))
    const plan = offlinePlan(
      tflite!,
      graph.tensors.map((_, index) => 16 * index),
    ) as OfflinePlan
    const byName = new Map(graph.tensors.map(({ id }, index) => [id, 16 * index]))
    expect(plan.offsets).toEqual(
      [
        'i',
        'x',
        'i end',
        'x end',
        'y',
        'cond/i',
        'cond/x',
        'cond/less',
        'body/i',
        'body/x',
        'body/i+1',
        'body/wide',
        'body/x next',
      ].map((id) => byName.get(id)),
    )
    expect(plan.notes[0]).toContain('the 3 subgraphs one after the other')
  })

  it('refuses offsets beyond 31 bits and plans of nothing; says which offsets are not aligned', () => {
    const { tflite } = readGraph(writeTflite(small))
    expect(offlinePlan(tflite!, [2 ** 31, null, null, null, null])).toEqual({
      ok: false,
      message: 'Offset 2147483648 does not fit: TFLite Micro counts in 32 bits, to 2147483647.',
    })
    expect(offlinePlan(tflite!, [null, 0, null, null, null])).toMatchObject({ ok: false })
    const odd = offlinePlan(tflite!, [8, null, 256, null, null]) as OfflinePlan
    expect(odd.notes.at(-1)).toBe('1 offsets are no multiples of 16, which kernels of TFLite Micro may rely on.')
  })
})

describe('the model with the plan', () => {
  const plan = words(1, 1, 5, 16, -1, 32, 48, 64)
  const data = words(1, 1, 5, 0, -1, 256, 512, 0)
  const offsets = [0, null, 256, 512, 0]
  const other = { name: 'min_runtime_version', buffer: 2 }
  const version = new Uint8Array([49, 46, 53])
  const cases: [string, ModelSpec][] = [
    ['no metadata', small],
    ['other metadata', { ...small, buffers: [...small.buffers!, version], metadata: [other] }],
    [
      'a plan of the same length',
      { ...small, buffers: [...small.buffers!, plan], metadata: [{ name: NAME, buffer: 2 }] },
    ],
    [
      'a plan of another length, before other metadata',
      {
        ...small,
        buffers: [...small.buffers!, version, words(1, 1, 0)],
        metadata: [{ name: NAME, buffer: 3 }, other],
      },
    ],
    [
      'a plan in the buffer of other metadata',
      { ...small, buffers: [...small.buffers!, plan], metadata: [other, { name: NAME, buffer: 2 }] },
    ],
    ['a plan in no buffer that there is', { ...small, metadata: [{ name: NAME, buffer: 99 }] }],
    ['no identifier', { ...small, identifier: false }],
  ]

  it.each(cases)('is the same but for it: %s', (_, spec) => {
    const model = writeTflite(spec)
    const copy = model.slice()
    const made = rewritten(model, offsets)
    expect(model).toEqual(copy)
    expect(withoutPlan(made)).toEqual(withoutPlan(model))
    expect(contents(made).plan).toEqual([bytesOf(data)])
    expect(readGraph(made).plan).toEqual({ name: NAME, offsets })
    expect(readGraph(made).graph).toEqual(readGraph(model).graph)
    // once it has one, another takes its place in the same bytes
    const again = rewritten(made, [16, null, 32, 48, 64])
    expect(again.length).toBe(made.length)
    expect(contents(again).plan).toEqual([bytesOf(plan)])
    expect(again.filter((byte, index) => byte !== made[index]).length).toBeLessThanOrEqual(20)
  })

  it('holds the data of weights where they are aligned as before', () => {
    const made = rewritten(writeTflite(small), offsets)
    const file = new TfliteFile(fromBytes(made))
    for (let index = 0; index < file.bufferCount; index++) {
      const at = file.buffer(index)!.reference(BufferField.data)
      if (at !== null) expect((at + 4) % 16).toBe(0)
    }
  })

  it('moves what is counted from the beginning of the file', () => {
    const of = (behind: number) =>
      writeTflite({
        ...small,
        buffers: [{ offset: behind, size: 8 }],
        subgraphs: [
          { ...small.subgraphs[0]!, ops: small.subgraphs[0]!.ops.map((op) => ({ ...op, largeOptionsAt: behind })) },
        ],
      })
    const flat = of(0x10000)
    const model = new Uint8Array(flat.length + 8)
    model.set(of(flat.length))
    model.set([1, 2, 3, 4, 5, 6, 7, 8], flat.length)
    const made = rewritten(model, offsets)
    expect(withoutPlan(made)).toEqual(withoutPlan(model))
    expect(withoutPlan(made).buffers).toContainEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })

  it('is refused for another model and for none', () => {
    const file = writeTflite(small)
    const { tflite } = readGraph(file)
    const five = planOf(file, offsets)
    expect(modelWithPlan(writeTflite(looping), tflite!, five)).toEqual({
      ok: false,
      message: 'The plan is for 5 tensors, and the model has 13.',
    })
    expect(modelWithPlan(file.subarray(0, 60), tflite!, five)).toMatchObject({ ok: false })
  })
})

it('never throws for a damaged model, whichever bits are flipped', () => {
  const model = writeTflite({ ...looping, buffers: [words(1, 1, 13)], metadata: [{ name: NAME, buffer: 1 }] })
  const { graph, tflite } = readGraph(model)
  const plan = planOf(
    model,
    graph.tensors.map(({ bytes }) => (bytes > 0 ? 0 : null)),
  )
  let refused = 0
  for (let bit = 0; bit < 8 * model.length; bit += 3) {
    const copy = model.slice()
    copy[bit >> 3]! ^= 1 << (bit & 7)
    const made = modelWithPlan(copy, tflite!, plan)
    if (!made.ok) refused++
    else expect(made.model.length).toBeLessThan(2 * model.length + 2048)
  }
  expect(refused).toBeGreaterThan(100)
})

describe('the BufferPlan', () => {
  it('has an entry for each tensor of the arena, in the order of the allocator', () => {
    const [main] = small.subgraphs
    const tensors = [...main!.tensors, { name: 'spare */', shape: [9] }]
    const file = writeTflite({ ...small, subgraphs: [{ ...main!, tensors }] })
    const { graph, tflite } = readGraph(file)
    const ids = graph.tensors.map(({ id }) => id)
    const offsets = [0, null, 256, 512, 0]
    const header = bufferPlanHeader('model */ x', tflite!, planOf(file, offsets), offsets, ids)
    expect(header).toContain(`= {
    5,
    {
        {0}, /* [0] tensor 0: image */
        {256}, /* [1] tensor 2: conv;bn */
        {512}, /* [2] tensor 3: relu */
        {0}, /* [3] tensor 4: flat */
        {0}, /* [4] tensor 5: not used */
    },
};`)
    expect(header).toContain('model * / x')
    expect(header).toContain('buffer_plan_entries[5]')
  })

  it('has entries for scratch behind them, and says which is not known', () => {
    const tensors = [
      { name: 'x', shape: [1, 8] },
      { name: 'axis', shape: [1], dtype: 'int32', buffer: 1 },
      { name: 'mean', shape: [1] },
      { name: 'y', shape: [1] },
    ]
    const ops = [
      { type: 'MEAN', inputs: [0, 1], outputs: [2] },
      { type: 'mystery', inputs: [2], outputs: [3] },
    ]
    const file = writeTflite({ buffers: [words(1)], subgraphs: [{ tensors, inputs: [0], outputs: [3], ops }] })
    const { graph, tflite } = readGraph(file)
    const ids = graph.tensors.map(({ id }) => id)
    const offsets = [0, null, 16, 32, 48, 64, 80]
    const header = bufferPlanHeader('m', tflite!, planOf(file, offsets), offsets, ids)
    expect(header).toContain(`
        {32}, /* [2] tensor 3: y */
        {48}, /* [3] MEAN 0, scratch 1 */
        {64}, /* [4] MEAN 0, scratch 2 */
        {80}, /* [5] MEAN 0, scratch 3 */
    },`)
    expect(header).toContain('WHAT THE KERNELS OF mystery 1 REQUEST IS NOT KNOWN')
    const without = [0, null, 16, 32, null, null, null]
    expect(bufferPlanHeader('m', tflite!, planOf(file, without), without, ids)).toMatchObject({
      ok: false,
      message: expect.stringContaining('leaves out MEAN 0, scratch 1'),
    })
  })

  it('is refused where a tensor has no place, or more than one', () => {
    const file = writeTflite(small)
    const { tflite } = readGraph(file)
    const ids = ['image', 'w', 'conv', 'relu', 'flat']
    const offsets = [0, null, 256, null, 0]
    expect(bufferPlanHeader('m', tflite!, planOf(file, offsets), offsets, ids)).toEqual({
      ok: false,
      message: 'A BufferPlan places every buffer, and this plan leaves out relu.',
    })
    expect(
      bufferPlanHeader('m', { ...tflite!, repeated: [4] }, planOf(file, [0, null, 0, 0, 0]), [], []),
    ).toMatchObject({
      ok: false,
    })
  })
})

const python = spawnSync('python3', ['-c', 'import tflite, flatbuffers'], { encoding: 'utf8' }).status === 0

/** Lists a model as its generated schema sees it. */
const LIST = `
import json, sys, tflite
def text(s): return s.decode() if s else ''
def ints(n, at): return [int(at(i)) for i in range(n)]
m = tflite.Model.GetRootAs(open(sys.argv[1], 'rb').read(), 0)
codes = {v: k for k, v in vars(tflite.BuiltinOperator).items() if isinstance(v, int)}
types = {v: k.lower() for k, v in vars(tflite.TensorType).items() if isinstance(v, int)}
out = {'subgraphs': [], 'buffers': [], 'metadata': []}
for s in range(m.SubgraphsLength()):
    g = m.Subgraphs(s)
    tensors = [g.Tensors(i) for i in range(g.TensorsLength())]
    ops = [g.Operators(i) for i in range(g.OperatorsLength())]
    out['subgraphs'].append({
        'name': text(g.Name()),
        'inputs': ints(g.InputsLength(), g.Inputs), 'outputs': ints(g.OutputsLength(), g.Outputs),
        'tensors': [{'name': text(t.Name()), 'dtype': types[t.Type()], 'shape': ints(t.ShapeLength(), t.Shape),
                     'buffer': t.Buffer(), 'variable': bool(t.IsVariable())} for t in tensors],
        'ops': [{'type': codes[m.OperatorCodes(o.OpcodeIndex()).BuiltinCode()],
                 'inputs': ints(o.InputsLength(), o.Inputs), 'outputs': ints(o.OutputsLength(), o.Outputs)} for o in ops]})
for b in range(m.BuffersLength()):
    out['buffers'].append(ints(m.Buffers(b).DataLength(), m.Buffers(b).Data))
for i in range(m.MetadataLength()):
    out['metadata'].append({'name': text(m.Metadata(i).Name()), 'buffer': m.Metadata(i).Buffer()})
print(json.dumps(out))
`

/** Builds a model with the generated schema: a convolution with weights, and a while loop. */
const BUILD = `
import sys, flatbuffers, tflite as t
b = flatbuffers.Builder(0)
def vector(start, items, add):
    start(b, len(items))
    for item in reversed(items): add(item)
    return b.EndVector()
def tensor(name, shape, kind, buffer=0, variable=False):
    n = b.CreateString(name); s = vector(t.TensorStartShapeVector, shape, b.PrependInt32)
    t.TensorStart(b); t.TensorAddName(b, n); t.TensorAddShape(b, s); t.TensorAddType(b, kind)
    t.TensorAddBuffer(b, buffer); t.TensorAddIsVariable(b, variable)
    return t.TensorEnd(b)
def op(code, inputs, outputs, kind=0, options=None):
    i = vector(t.OperatorStartInputsVector, inputs, b.PrependInt32); o = vector(t.OperatorStartOutputsVector, outputs, b.PrependInt32)
    t.OperatorStart(b); t.OperatorAddOpcodeIndex(b, code); t.OperatorAddInputs(b, i); t.OperatorAddOutputs(b, o)
    if options is not None: t.OperatorAddBuiltinOptionsType(b, kind); t.OperatorAddBuiltinOptions(b, options)
    return t.OperatorEnd(b)
def subgraph(name, tensors, inputs, outputs, ops):
    n = b.CreateString(name); ts = vector(t.SubGraphStartTensorsVector, tensors, b.PrependUOffsetTRelative)
    i = vector(t.SubGraphStartInputsVector, inputs, b.PrependInt32); o = vector(t.SubGraphStartOutputsVector, outputs, b.PrependInt32)
    os = vector(t.SubGraphStartOperatorsVector, ops, b.PrependUOffsetTRelative)
    t.SubGraphStart(b); t.SubGraphAddName(b, n); t.SubGraphAddTensors(b, ts); t.SubGraphAddInputs(b, i)
    t.SubGraphAddOutputs(b, o); t.SubGraphAddOperators(b, os)
    return t.SubGraphEnd(b)
def code(number):
    t.OperatorCodeStart(b); t.OperatorCodeAddDeprecatedBuiltinCode(b, min(number, 127)); t.OperatorCodeAddBuiltinCode(b, number)
    t.OperatorCodeAddVersion(b, 1)
    return t.OperatorCodeEnd(b)
def buffer(data):
    v = b.CreateByteVector(data) if data else None
    t.BufferStart(b)
    if v is not None: t.BufferAddData(b, v)
    return t.BufferEnd(b)
T, B = t.TensorType, t.BuiltinOperator
buffers = [buffer(b''), buffer(bytes(range(36)))]
t.WhileOptionsStart(b); t.WhileOptionsAddCondSubgraphIndex(b, 1); t.WhileOptionsAddBodySubgraphIndex(b, 2); loop = t.WhileOptionsEnd(b)
main = subgraph('main',
    [tensor('in', [1, 4, 4, 1], T.INT8), tensor('w', [1, 6, 6, 1], T.INT8, 1), tensor('conv', [1, 4, 4, 1], T.INT8),
     tensor('state', [7], T.FLOAT32, 0, True), tensor('looped', [1, 4, 4, 1], T.INT8), tensor('gelu', [1, 4, 4, 1], T.INT8)],
    [0], [5],
    [op(0, [0, 1, -1, 3], [2]), op(1, [2], [4], t.BuiltinOptions.WhileOptions, loop), op(3, [4], [5])])
cond = subgraph('cond', [tensor('a', [1, 4, 4, 1], T.INT8), tensor('go', [], T.BOOL)], [0], [1], [op(2, [0], [1])])
body = subgraph('body', [tensor('a', [1, 4, 4, 1], T.INT8), tensor('b', [1, 4, 4, 1], T.INT8)], [0], [1], [op(3, [0], [1])])
codes = [code(c) for c in (B.CONV_2D, B.WHILE, B.REDUCE_ANY, B.GELU)]
subgraphs = vector(t.ModelStartSubgraphsVector, [main, cond, body], b.PrependUOffsetTRelative)
codes = vector(t.ModelStartOperatorCodesVector, codes, b.PrependUOffsetTRelative)
buffers = vector(t.ModelStartBuffersVector, buffers, b.PrependUOffsetTRelative)
about = b.CreateString('built in Python')
t.ModelStart(b); t.ModelAddVersion(b, 3); t.ModelAddDescription(b, about); t.ModelAddSubgraphs(b, subgraphs)
t.ModelAddOperatorCodes(b, codes); t.ModelAddBuffers(b, buffers)
b.Finish(t.ModelEnd(b), b'TFL3')
open(sys.argv[1], 'wb').write(b.Output())
`

describe.skipIf(!python)(
  'beside the Python packages tflite and flatbuffers (skipped where they are not installed)',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'arenascope-tflite-'))
    const run = (script: string, path: string) => {
      const done = spawnSync('python3', ['-c', script, path], { encoding: 'utf8', maxBuffer: 1 << 26 })
      if (done.status !== 0) throw new Error(done.stderr)
      return done.stdout
    }
    interface Listed {
      subgraphs: object[]
      buffers: number[][]
      metadata: { name: string; buffer: number }[]
    }
    const list = (path: string) => JSON.parse(run(LIST, path)) as Listed

    it('a model that they wrote reads the same here', () => {
      const path = join(folder, 'built.tflite')
      run(BUILD, path)
      const model = new Uint8Array(readFileSync(path))
      const { graph, tflite } = readGraph(model)
      expect(graph.name).toBe('built in Python')
      const sized = graph.tensors.filter(({ bytes }) => bytes > 0)
      expect(sized.map(({ id, bytes, kind }) => [id, bytes, kind])).toEqual([
        ['in', 16, { input: true }],
        ['w', 36, { constant: true }],
        ['state', 28, { variable: true }],
        ['conv', 16, {}],
        ['looped', 16, {}],
        ['cond/a', 16, {}],
        ['cond/go', 1, {}],
        ['body/a', 16, {}],
        ['body/b', 16, {}],
        ['gelu', 16, { output: true }],
      ])
      expect(graph.ops.map(({ type }) => type)).toEqual(
        'CONV_2D WHILE WHILE REDUCE_ANY WHILE WHILE GELU WHILE GELU'.split(' '),
      )
      expect(tflite).toMatchObject({ tensors: 10, subgraphs: 3, arena: [0, 2, 4, 5, 6, 7, 8, 9] })
      const mine = new TfliteFile(fromBytes(model)).subgraphs()
      const theirs = list(path).subgraphs
      expect(mine).toMatchObject(theirs)
    })

    it.each(['small', 'looping', 'built'])('a model with a plan reads the same there but for it: %s', (name) => {
      const before = join(folder, `${name}.tflite`)
      if (name === 'built') run(BUILD, before)
      else writeFileSync(before, writeTflite(name === 'small' ? small : looping))
      const model = new Uint8Array(readFileSync(before))
      const { graph } = readGraph(model)
      const after = join(folder, `${name}.planned.tflite`)
      writeFileSync(
        after,
        rewritten(
          model,
          graph.tensors.map(({ bytes, kind }, index) =>
            kind.constant || kind.variable || bytes === 0 ? null : 16 * index,
          ),
        ),
      )
      const [was, is] = [list(before), list(after)]
      expect(is.subgraphs).toEqual(was.subgraphs)
      expect(is.buffers.slice(0, -1)).toEqual(was.buffers)
      expect(is.metadata).toEqual([...was.metadata, { name: NAME, buffer: was.buffers.length }])
      expect(is.buffers.at(-1)?.slice(0, 8)).toEqual([1, 0, 0, 0, name === 'small' ? 1 : 3, 0, 0, 0])
    })
  },
)

/** Two branches, of which either may run first. */
const branches: ModelSpec = {
  ...small,
  subgraphs: [
    {
      name: 'main',
      tensors: ['image', 'left', 'right', 'sum'].map((name) => ({ name, shape: [1, 16] })),
      inputs: [0],
      outputs: [3],
      ops: [
        { type: 'RELU', inputs: [0], outputs: [1] },
        { type: 'LOGISTIC', inputs: [0], outputs: [2] },
        { type: 'ADD', inputs: [1, 2], outputs: [3] },
      ],
    },
  ],
}

describe('a plan with an order of its own', () => {
  const model = writeTflite(branches)
  const { tflite } = readGraph(model)
  const plan = planOf(model, [0, 16, 32, 48])

  it('is written with the operators in that order, and all else as it was', () => {
    const made = modelWithPlan(model, tflite!, plan, [1, 0, 2])
    if (!made.ok) throw new Error(made.message)
    const [was, is] = [contents(model), contents(made.model)]
    expect(is.subgraphs[0]?.ops.map(({ type }) => type)).toEqual(['LOGISTIC', 'RELU', 'ADD'])
    expect(is.plan).toEqual([[...planWords(tflite!, plan)]])
    const again = modelWithPlan(made.model, tflite!, plan, [1, 0, 2])
    expect(again.ok && contents(again.model).subgraphs).toEqual(was.subgraphs)
    expect(is.buffers).toEqual(was.buffers)
  })

  it('is refused of several subgraphs, and of another number of operators', () => {
    const loop = writeTflite(looping)
    const numbers = readGraph(loop).tflite!
    const ofLoop = planOf(
      loop,
      numbers.numbers.map((_, k) => 16 * k),
    )
    expect(modelWithPlan(loop, numbers, ofLoop, [0])).toMatchObject({
      ok: false,
      message: expect.stringMatching(/subgraphs/),
    })
    expect(modelWithPlan(model, tflite!, plan, [0, 1])).toMatchObject({
      ok: false,
      message: expect.stringMatching(/3 operators/),
    })
  })

  it('has no offsets for what moves or is copied out', () => {
    const stays = (item: number[], outside: number[]) => ({
      count: item.length,
      item: Uint32Array.from(item),
      lower: new Float64Array(item.length),
      upper: new Float64Array(item.length),
      offset: Float64Array.from(item, (one) => 16 * one),
      outside: Uint8Array.from(outside),
    })
    // tensors 1 and 2 share a buffer, 3 has none, 4 is a workspace
    const buffers = Int32Array.from([0, 1, 1, -1])
    expect(stayOffsets(stays([1, 0], [0, 0]), buffers)).toEqual([0, 16, 16, null])
    expect(stayOffsets(stays([1, 0], [0, 1]), buffers)).toBeNull()
    expect(stayOffsets(stays([1, 0, 1], [0, 0, 0]), buffers)).toBeNull()
  })
})
