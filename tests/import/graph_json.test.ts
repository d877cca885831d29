import { describe, expect, it } from 'vitest'
import { writeGraphJson } from '../../web/src/import/graph_json'
import { read, readGraph, refusal } from './read'
import { looping, small, writeTflite } from './tflite/writer'

const tiny = {
  name: 'tiny',
  tensors: [
    { id: 'x', shape: [2, 3], dtype: 'float16', kind: 'input' },
    { id: 'w', bytes: 10, kind: 'constant', alignment: 16 },
    { id: 'h', shape: [2, 3], dtype: 'float16' },
    { id: 'y', shape: [2, 3], dtype: 'float16' },
  ],
  ops: [
    { type: 'Conv', inputs: ['x', 'w'], outputs: ['h'], scratch: 99 },
    { id: 'act', type: 'Relu', inputs: ['h'], outputs: ['y'] },
  ],
  outputs: ['y'],
}
const changed = (change: (graph: typeof tiny) => void) => {
  const graph = structuredClone(tiny)
  change(graph)
  return JSON.stringify(graph)
}

describe('graph JSON', () => {
  it('is read with what it leaves out', () => {
    const { graph, format } = readGraph(JSON.stringify(tiny))
    expect(format).toBe('graph-json')
    expect(graph).toEqual({
      name: 'tiny',
      tensors: [
        { id: 'x', bytes: 12, kind: { input: true }, shape: [2, 3], dtype: 'float16' },
        { id: 'w', bytes: 10, kind: { constant: true }, alignment: 16 },
        { id: 'h', bytes: 12, kind: {}, shape: [2, 3], dtype: 'float16' },
        { id: 'y', bytes: 12, kind: { output: true }, shape: [2, 3], dtype: 'float16' },
      ],
      ops: [
        { id: 'Conv 0', type: 'Conv', inputs: [0, 1], outputs: [2], workspace: 99 },
        { id: 'act', type: 'Relu', inputs: [2], outputs: [3], inplace: [[3, 2]] },
      ],
    })
  })

  it.each([
    ['small', writeTflite(small)],
    ['looping', writeTflite(looping)],
    ['tiny', JSON.stringify(tiny)],
    ['pairs taken away', changed((graph) => Object.assign(graph.ops[1]!, { inplace: {} }))],
    ['two pairs', changed((graph) => Object.assign(graph.ops[0]!, { inplace: { h: ['x', 'w'] }, alias: { h: 'x' } }))],
    ['names like those of objects', JSON.stringify(tiny).replaceAll('"y"', '"__proto__"')],
  ])('written and read again is the same graph: %s', (_, file) => {
    const { graph } = readGraph(file)
    expect(readGraph(writeGraphJson(graph)).graph).toEqual(graph)
  })

  it('knows kinds of several words', () => {
    const file = changed((graph) => Object.assign(graph.tensors[1]!, { kind: 'output+constant' }))
    expect(readGraph(file).graph.tensors[1]?.kind).toEqual({ output: true, constant: true })
    expect(writeGraphJson(readGraph(file).graph)).toContain('"kind":"output+constant"')
  })

  it('asks for sizes that it cannot know', () => {
    const file = changed((graph) => {
      graph.tensors[2] = { id: 'h', shape: [2], dtype: 'string' }
    })
    expect(refusal(file).questions).toMatchObject([{ kind: 'bytes', name: 'h' }])
    expect(readGraph(file, { bytes: { h: 7 } }).graph.tensors[2]?.bytes).toBe(7)
  })

  it.each<[string, (graph: typeof tiny) => void]>([
    ['tensors[1].id: "x" is the id of another tensor, too.', (graph) => Object.assign(graph.tensors[1]!, { id: 'x' })],
    [
      'tensors[1].bytes is -1, expected a whole number of at least 0.',
      (graph) => Object.assign(graph.tensors[1]!, { bytes: -1 }),
    ],
    [
      'tensors[0].shape[1] is "3", expected a whole number of at least 0.',
      (graph) => Object.assign(graph.tensors[0]!, { shape: [2, '3'] }),
    ],
    [
      'tensors[0].shape: more than 2^53 bytes.',
      (graph) => Object.assign(graph.tensors[0]!, { shape: [2 ** 40, 2 ** 40] }),
    ],
    [
      'tensors[0].kind is "toString", expected activation or one or more of input, output, constant, variable and workspace with + between.',
      (graph) => Object.assign(graph.tensors[0]!, { kind: 'toString' }),
    ],
    [
      'tensors[0].id is "a\\nb", expected a text of 1 to 255 bytes without control characters.',
      (graph) => Object.assign(graph.tensors[0]!, { id: 'a\nb' }),
    ],
    [
      'ops[0].inputs[1] is "v", expected the id of a tensor.',
      (graph) => Object.assign(graph.ops[0]!, { inputs: ['x', 'v'] }),
    ],
    ['ops[0].inputs is 5, expected a list.', (graph) => Object.assign(graph.ops[0]!, { inputs: 5 })],
    ['ops[1].id: "act" is the id of another operator, too.', (graph) => Object.assign(graph.ops[0]!, { id: 'act' })],
    ['ops[1] is null, expected an object.', (graph) => Object.assign(graph.ops, { 1: null })],
    ['outputs[0] is "z", expected the id of a tensor.', (graph) => Object.assign(graph, { outputs: ['z'] })],
    [
      'this JSON is no graph: that has the lists “tensors” and “ops”.',
      (graph) => Object.assign(graph, { ops: undefined }),
    ],
    [
      'this is an order of operators without its model: open the model, or the shared file of the search.',
      (graph) => Object.assign(graph, { format: 'arenascope-schedule', ops: undefined }),
    ],
  ])('is refused with the place: %s', (message, change) => {
    const { message: got, questions } = refusal(changed(change))
    expect(got).toBe(`file: ${message}`)
    expect(questions).toEqual([])
  })

  it('never throws, wherever the text ends', () => {
    const text = writeGraphJson(readGraph(JSON.stringify(tiny)).graph)
    for (let length = 0; length < text.length - 2; length++)
      expect(read(text.slice(0, length))).toMatchObject({ ok: false })
    expect(refusal('{"tensors": [').message).toMatch(/^file: this is no JSON: /)
    const deep = '['.repeat(200_000) + ']'.repeat(200_000)
    expect(refusal(deep).message).toBe('file: the file is a list, expected an object.')
    expect(refusal(`{"tensors": [${deep}], "ops": []}`).message).toBe('file: tensors[0] is a list, expected an object.')
  })
})
