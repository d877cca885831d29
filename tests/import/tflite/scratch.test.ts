/**
 * What kernels ask of the arena. The reference kernels' figures are from the arena heads that tflite-micro reports of such models; those of CMSIS-NN are what its
 * own *_get_buffer_size functions return.
 */
import { describe, expect, it } from 'vitest'
import { readGraph } from '../read'
import { type ModelSpec, type OpSpec, type TensorSpec, words, writeTflite } from './writer'

const int8 = (shape: number[], buffer = 0): TensorSpec => ({ shape, dtype: 'int8', buffer })
const data = (bytes: number) => new Uint8Array(bytes).fill(1)

/** One operator over an input and weights, which are told apart by their buffers. */
function one(tensors: TensorSpec[], op: OpSpec, buffers: Uint8Array[]): ModelSpec {
  const input = op.inputs.find((index) => (tensors[index]?.buffer ?? 0) === 0) ?? 0
  return { buffers, subgraphs: [{ tensors, inputs: [input], outputs: op.outputs, ops: [op] }] }
}

type Kernels = 'reference' | 'cmsis-nn-dsp' | 'cmsis-nn-helium' | 'none'
function requests(model: ModelSpec, kernels: Kernels): number[] {
  const { graph, tflite } = readGraph(writeTflite(model), { kernels })
  return tflite!.scratch.tensors.map((tensor) => graph.tensors[tensor]!.bytes)
}

const SAME = { byte: 0 }

/** [1, 16, 16, depth] to [1, 32, 32, out], 3×3, stride 2. */
const transposed = (depth: number, out: number): ModelSpec =>
  one(
    [
      { shape: [4], dtype: 'int32', buffer: 1 },
      int8([out, 3, 3, depth], 2),
      int8([1, 16, 16, depth]),
      int8([1, 32, 32, out]),
    ],
    { type: 'TRANSPOSE_CONV', inputs: [0, 1, 2], outputs: [3], options: { 0: SAME, 1: 2, 2: 2 } },
    [words(1, 32, 32, out), data(out * 9 * depth)],
  )

const conv = (input: number[], filter: number[], output: number[], options: OpSpec['options']): ModelSpec =>
  one(
    [int8(input), int8(filter, 1), int8(output)],
    { type: 'CONV_2D', inputs: [0, 1, -1], outputs: [2], ...(options ? { options } : {}) },
    [data(filter.reduce((a, b) => a * b, 1))],
  )

const reduced = (type: string, dtype: string): ModelSpec =>
  one(
    [
      { shape: [1, 8, 8, 16], dtype },
      { shape: [2], dtype: 'int32', buffer: 1 },
      { shape: [1, 16], dtype },
    ],
    { type, inputs: [0, 1], outputs: [2] },
    [words(1, 2)],
  )

describe('the scratch of kernels', () => {
  it.each<[string, ModelSpec, number[], number[], number[]]>([
    ['TRANSPOSE_CONV int8, few channels', transposed(8, 4), [16384], [1584, 0], [1584, 0]],
    ['TRANSPOSE_CONV int8, many channels', transposed(32, 8), [32768], [1152, 2304], [1152, 2304]],
    ['CONV_2D 3×3', conv([1, 9, 7, 3], [4, 3, 3, 3], [1, 5, 4, 4], { 0: SAME, 1: 2, 2: 2 }), [], [112], [128]],
    ['CONV_2D 1×1', conv([1, 9, 7, 3], [4, 1, 1, 3], [1, 9, 7, 4], { 0: SAME, 1: 1, 2: 1 }), [], [], []],
    ['MEAN int8', reduced('MEAN', 'int8'), [64, 16, 8], [64, 16, 8], [64, 16, 8]],
    ['MEAN float32', reduced('MEAN', 'float32'), [16, 8], [16, 8], [16, 8]],
    ['REDUCE_MAX', reduced('REDUCE_MAX', 'float32'), [16, 8], [16, 8], [16, 8]],
  ])('%s', (_, model, reference, dsp, helium) => {
    expect(requests(model, 'reference')).toEqual(reference)
    expect(requests(model, 'cmsis-nn-dsp')).toEqual(dsp)
    expect(requests(model, 'cmsis-nn-helium')).toEqual(helium)
  })

  it('lies behind the tensors, for the time of its operator, and is told of', () => {
    const { graph, notes, tflite } = readGraph(writeTflite(transposed(8, 4)))
    const id = 'TRANSPOSE_CONV 0, scratch'
    expect(graph.tensors.at(-1)).toEqual({ id, bytes: 16384, kind: { workspace: true } })
    expect(graph.ops[0]!.outputs).toEqual([3, 4])
    expect(tflite!.numbers).toEqual([0, 1, 2, 3, null])
    expect(notes).toEqual([
      'Scratch that TFLite Micro’s reference kernels request is part of it: 1 buffers, 16384 bytes together.',
    ])
  })

  it('is said to be unknown where it is', () => {
    const tensors = [int8([4]), int8([4])]
    const custom: ModelSpec = one(tensors, { type: 'mystery', inputs: [0], outputs: [1] }, [])
    const { notes, tflite } = readGraph(writeTflite(custom))
    expect(tflite!.scratch).toEqual({ kernels: 'reference', tensors: [], unknown: ['mystery 0'] })
    expect(notes).toEqual([
      'What the kernels of mystery 0 need as scratch is not known, and not part of it: add it, or a log of TFLite Micro.',
    ])
    expect(requests(transposed(8, 4), 'none')).toEqual([])
  })
})
