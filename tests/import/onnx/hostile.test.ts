/** Files that are cut off, changed or made to mislead: a message or a graph, never an exception and never for ever. */
import { describe, expect, test } from 'vitest'
import { writeGraphCsv } from '../../../web/src/import/graph_csv'
import { NO_ANSWERS } from '../../../web/src/import/imported'
import { importModel } from '../../../web/src/import/model'
import { plainName } from '../../../web/src/import/names'
import { importOnnx, isOnnx } from '../../../web/src/import/onnx/read'
import { fromBytes } from '../../../web/src/import/source'
import { cases, modelOf } from './cases'
import { BOOL, FLOAT, type GraphSpec, graphOf, importBytes, type ModelSpec, writeModel } from './writer'
import { Random } from '../random'

/** Of everything some. */
const inner: GraphSpec = { nodes: [{ op: 'Relu', in: ['x'], out: ['t'] }], outputs: ['t'] }
const model: ModelSpec = {
  name: 'all',
  opset: 18,
  opsets: { d: 1 },
  inputs: [
    { name: 'x', dims: ['N', 3, 8, 8] },
    { name: 'flag', type: BOOL, dims: [] },
  ],
  outputs: [{ name: 'y', dims: ['N', null] }, 'z', 'f'],
  infos: [{ name: 'c', dims: [1, 4, 8, 8] }],
  stored: [
    { name: 'w', type: FLOAT, dims: [4, 3, 3, 3], raw: new Uint8Array(432) },
    { name: 'scales', type: FLOAT, dims: [4], data: [1, 1, 2, 2] },
    { name: 'to', dims: [2], data: [0, -1] },
  ],
  functions: [{ name: 'F', domain: 'd', in: ['a'], out: ['b'], nodes: [{ op: 'Abs', in: ['a'], out: ['b'] }] }],
  nodes: [
    { op: 'Conv', name: 'conv', in: ['x', 'w'], out: ['c'], attrs: { pads: [1, 1, 1, 1], auto_pad: 'NOTSET' } },
    { op: 'Resize', in: ['c', '', 'scales'], out: ['r'] },
    { op: 'Reshape', in: ['r', 'to'], out: ['y'] },
    { op: 'If', in: ['flag'], out: ['z'], attrs: { then_branch: { graph: inner }, else_branch: { graph: inner } } },
    { op: 'F', domain: 'd', in: ['z'], out: ['f'] },
  ],
}
const answers = { ...NO_ANSWERS, dims: { N: 1 } }

/** The message of a refusal, or '' for a graph that is one. */
function outcome(bytes: Uint8Array): string {
  const made = importBytes(bytes, answers)
  if (!made.ok) {
    expect(made.message).not.toBe('')
    return made.message
  }
  if (!('graph' in made)) throw new Error('no graph')
  const { tensors, ops } = made.graph
  expect(new Set(tensors.map((tensor) => tensor.id)).size).toBe(tensors.length)
  for (const tensor of tensors) expect(Number.isSafeInteger(tensor.bytes) && tensor.bytes >= 0).toBe(true)
  for (const op of ops) {
    for (const i of [...op.inputs, ...op.outputs]) expect(tensors[i]).toBeDefined()
    expect([op.id, op.type]).toEqual([plainName(op.id), plainName(op.type)])
    expect(Math.min(op.id.length, op.type.length)).toBeGreaterThan(0)
  }
  return ''
}

describe('hostile files', () => {
  const bytes = writeModel(model)
  test('the file itself is fine', () => {
    expect(outcome(bytes)).toBe('')
    expect(isOnnx(fromBytes(bytes))).toBe(true)
    expect(isOnnx(fromBytes(bytes.subarray(0, 100)))).toBe(true)
  })
  test('cut off at every byte', () => {
    let told = 0
    for (let length = 0; length < bytes.length; length++) {
      const message = outcome(bytes.subarray(0, length))
      if (/^byte \d+, in the model/.test(message)) told++
    }
    // but for cuts between fields, the place is named
    expect(told).toBeGreaterThan(bytes.length * 0.9)
  })
  test('changed in a few bytes, thousands of times', () => {
    const random = new Random(7)
    const below = (n: number): number => random.below(n)
    let refused = 0
    for (let round = 0; round < 3000; round++) {
      const changed = bytes.slice()
      for (let k = below(4); k >= 0; k--) {
        const at = below(changed.length)
        const kind = below(4)
        if (kind === 0) changed[at] = below(256)
        else if (kind === 1) changed[at] = (changed[at] as number) ^ (1 << below(8))
        else if (kind === 2) changed[at] = [0, 127, 128, 255][below(4)] as number
        else changed.copyWithin(at, below(changed.length), below(changed.length))
      }
      if (outcome(changed) !== '') refused++
    }
    expect(refused).toBeGreaterThan(500)
    expect(refused).toBeLessThan(3000)
  })
  test('every operator, with its bytes changed', () => {
    const random = new Random(11)
    for (const one of cases) {
      const small = writeModel(modelOf(one))
      for (let round = 0; round < 10; round++) {
        const changed = small.slice()
        changed[random.below(changed.length)] = random.below(256)
        outcome(changed)
      }
    }
  })
  test('operators of no type or a strange one, and a shape too long to be told', () => {
    const dims = [0, ...Array.from({ length: 63 }, () => 1000)]
    const { graph } = graphOf({
      inputs: [{ name: 'x', dims }],
      outputs: [{ name: 'y', dims: [2] }],
      infos: [{ name: 't', dims: [3] }],
      nodes: [
        { op: 'Con\nv\0', domain: 'd', in: ['x'], out: ['t'] },
        { op: '', domain: 'd', in: ['t'], out: ['y'] },
      ],
    })
    expect(graph.ops.map((op) => op.type)).toEqual(['Con v ', 'unnamed'])
    expect(writeGraphCsv(graph)).toContain('tensor,x,0,input,,64 sides,float32\n')
  })
  test('a model that does nothing', () => {
    const nothing = writeModel({ inputs: [{ name: 'x', dims: [1] }], outputs: ['x'], nodes: [] })
    expect(importModel(fromBytes(nothing), 'none.onnx', NO_ANSWERS)).toEqual({
      ok: false,
      message: 'none.onnx: the model has no operators, so there is nothing to plan.',
      questions: [],
    })
  })
  test('numbers and lengths that lie', () => {
    const long = Uint8Array.from([0x3a, ...new Array(9).fill(0xff), 0x01])
    expect(outcome(long)).toMatch(/^byte 0, in the model: field 7 wants/)
    expect(outcome(Uint8Array.from(new Array(12).fill(0xff)))).toBe(
      'byte 0, in the model: a number has more than 10 bytes.',
    )
    expect(outcome(Uint8Array.of(0x3b))).toBe('byte 0, in the model: field 7 has wire type 3, which ONNX does not use.')
    expect(outcome(Uint8Array.of(0x38, 1))).toBe('byte 0, in the model: field 7 should have a length.')
    expect(outcome(new Uint8Array(0))).toBe('This is not an ONNX model: it has no graph.')
  })
  test('messages nested for ever', () => {
    // graph, node, attribute, graph, …: written from within
    let inside = new Uint8Array(0)
    const wrap = (tag: number, body: Uint8Array): Uint8Array => {
      const size: number[] = []
      for (let left = body.length; ; left = Math.floor(left / 128)) {
        size.push((left & 127) | (left > 127 ? 128 : 0))
        if (left < 128) break
      }
      return Uint8Array.from([tag, ...size, ...body])
    }
    for (let depth = 0; depth < 200; depth++)
      inside = wrap(0x0a, wrap(0x2a, wrap(0x32, inside))) as Uint8Array<ArrayBuffer>
    expect(outcome(wrap(0x3a, inside))).toContain('messages are nested more than')
  })
  test('sizes beyond every memory', () => {
    const huge = { name: 'w', type: FLOAT, dims: [2 ** 40, 2 ** 40] }
    const one: ModelSpec = { inputs: [], outputs: ['w'], stored: [huge], nodes: [] }
    expect(outcome(writeModel(one))).toContain('the tensor “w” is larger than 2^53 bytes')
    const x = { name: 'x', dims: [2 ** 40, 2 ** 20] }
    expect(outcome(writeModel({ inputs: [x], outputs: ['x'], nodes: [] }))).toContain('is larger than 2^53 bytes')
  })
  test('is told from other files', () => {
    const texts = [
      '',
      'id,lower,upper,size\n',
      '{"tensors":[]}',
      '\u0000\u0000\u0000\u0000TFL3',
      '<html>',
      'name: "net"',
    ]
    for (const text of texts) expect(isOnnx(fromBytes(new TextEncoder().encode(text)))).toBe(false)
  })
  test('importModel takes it for what it is, cut off or not', () => {
    expect(importModel(fromBytes(bytes), 'a.onnx', answers)).toMatchObject({ ok: true, format: 'onnx' })
    const cut = importModel(fromBytes(bytes.subarray(0, 200)), 'a.onnx', answers)
    expect(cut).toMatchObject({ ok: false, message: expect.stringMatching(/^a\.onnx: byte \d+, in the model/) })
  })
  test('weights are passed over, not read', () => {
    const stored = Array.from({ length: 4 }, (_, k) => ({
      name: `w${k}`,
      type: FLOAT,
      dims: [1 << 20],
      raw: new Uint8Array(4 << 20),
    }))
    const nodes = stored.map(({ name }, k) => ({ op: 'Add', in: [k ? `y${k - 1}` : 'x', name], out: [`y${k}`] }))
    const whole = fromBytes(writeModel({ inputs: [{ name: 'x', dims: [1] }], outputs: ['y3'], stored, nodes }))
    let read = 0
    const counting = {
      size: whole.size,
      read: (from: number, length: number) => {
        read += length
        return whole.read(from, length)
      },
    }
    expect(importOnnx(counting, answers)).toMatchObject({ ok: true })
    expect(read).toBeLessThan(whole.size / 16)
  })
  test('progress goes from nothing to all', () => {
    const seen: number[] = []
    importOnnx(fromBytes(bytes), answers, (done) => seen.push(done))
    expect(seen[0]).toBe(0)
    expect(seen.at(-1)).toBe(1)
    expect(seen).toEqual([...seen].sort((a, b) => a - b))
  })
})
