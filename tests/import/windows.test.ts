/** What importers say that a part of an output needs: by hand for single operators, and by the core for whole models. */
import { describe, expect, it } from 'vitest'
import { writeGraphCsv } from '../../web/src/import/graph_csv'
import type { Graph } from '../../web/src/import/graph'
import { each, resized, slide, spread, windowsOf, windowsOfInputs, windowsText } from '../../web/src/import/windows'
import { arenascope, solveJson } from '../cli/command'
import { type Attr, FLOAT, graphOf, type NodeSpec, type Stored } from './onnx/writer'
import { readGraph } from './read'
import { type ModelSpec, small, writeTflite } from './tflite/writer'

describe('entries', () => {
  it('are as short as they can be', () => {
    expect([slide(1), slide(3, 1, 1), slide(3, 2, 1), slide(5, 2), slide(1, 1, -4)]).toEqual([
      '1',
      '3-1',
      '3/2-1',
      '5/2',
      '1+4',
    ])
    expect([spread(4, 2, 1), spread(2, 2)]).toEqual(['4^2-1', '2^2'])
    expect([resized(4, 8), resized(8, 4), resized(4, 4), resized(4, 6)]).toEqual(['6^2-2', '6/2-2', '3-1', '*'])
    expect(each([1, 8, 1], [2, 1, 8, 4])).toEqual(['1:1', '2:1', '*'])
  })

  it('are listed once where they repeat, and lose the inputs that go', () => {
    expect(
      windowsText([
        ['1', '+'],
        ['1', '+'],
        ['1', '+'],
      ]),
    ).toBe('1 +')
    expect(windowsOf('1 *;* 1', [true, false])).toBe('1 *')
    expect(windowsOf('1 *;* 1', [false, true, true])).toBe('* 1')
    const constant = { constant: true, rank: 4, reads: undefined }
    expect(windowsOfInputs([{ constant: false, rank: 2, reads: ['1', '*'] }, constant, constant])).toBe('1 *')
    expect(windowsOfInputs([{ constant: false, rank: 3, reads: ['1', '*'] }])).toBe('')
    expect(windowsOfInputs([{ constant: false, rank: 2, reads: undefined }])).toBe('')
    expect(windowsOfInputs([constant])).toBe('')
  })
})

/** x is [1,8,9,9] unless said; a weight w of these sides. */
function onnx(
  op: string,
  attrs: Record<string, Attr>,
  more: { x?: number[]; w?: number[]; in?: string[] } = {},
): Graph {
  const node: NodeSpec = { op, in: more.in ?? ['x', ...(more.w ? ['w'] : [])], out: ['y'], attrs }
  const stored: Stored[] = more.w ? [{ name: 'w', type: FLOAT, dims: more.w, external: true }] : []
  const inputs = [{ name: 'x', type: FLOAT, dims: more.x ?? [1, 8, 9, 9] }]
  if (more.in?.includes('z')) inputs.push({ name: 'z', type: FLOAT, dims: [1, 8, 1, 1] })
  return graphOf({ nodes: [node], inputs, outputs: ['y'], stored }, { fold: false, fuse: false }).graph
}

describe('of ONNX', () => {
  const cases: [string, Record<string, Attr>, Parameters<typeof onnx>[2], string][] = [
    ['Conv', { pads: [1, 1, 1, 1], strides: [2, 2] }, { w: [4, 8, 3, 3] }, '1 * 3/2-1 3/2-1'],
    ['Conv', { auto_pad: 'SAME_UPPER', dilations: [2, 1] }, { w: [4, 8, 3, 2] }, '1 * 5-2 2'],
    ['Conv', { auto_pad: 'SAME_LOWER' }, { w: [4, 8, 2, 1] }, '1 * 2-1 1'],
    ['Conv', { group: 8, pads: [1, 0, 1, 0] }, { w: [8, 1, 3, 1] }, '1 1 3-1 1'],
    ['ConvTranspose', { strides: [2, 2], pads: [1, 1, 1, 1] }, { w: [8, 4, 4, 4] }, '1 * 4^2-1 4^2-1'],
    ['MaxPool', { kernel_shape: [3, 3], strides: [2, 2] }, {}, '1 1 3/2 3/2'],
    ['GlobalAveragePool', {}, {}, '1 1 * *'],
    ['Relu', {}, {}, '1 1 1 1'],
    ['Mul', {}, { in: ['x', 'z'] }, '1 1 1 1;1 1 * *'],
    ['Concat', { axis: -3 }, { in: ['x', 'x'] }, '1 + 1 1'],
    ['Softmax', { axis: 1 }, {}, '1 * 1 1'],
    ['Transpose', { perm: [0, 2, 3, 1] }, {}, '0:1 3:1 1:1 2:1'],
    ['DepthToSpace', { blocksize: 2 }, {}, '1 * 2^2 2^2'],
    ['Gemm', { transB: 1 }, { x: [2, 8], w: [5, 8] }, '1 *'],
    ['MatMul', {}, { x: [3, 2, 8], w: [8, 5] }, '1 1 *'],
    ['ReduceMean', { axes: [1], keepdims: 0 }, { x: [2, 8, 3] }, '1 * 1:1'],
    ['LRN', { size: 3 }, {}, ''],
  ]
  it.each(cases)('%s %j', (op, attrs, more, expected) => {
    expect(onnx(op, attrs, more).ops[0]?.windows ?? '').toBe(expected)
  })

  it('says what is a picture', () => {
    const axes = ({ tensors }: Graph) => tensors.map((tensor) => tensor.axes ?? '')
    expect(axes(onnx('Conv', {}, { w: [4, 8, 3, 3] }))).toEqual(['NCHW', '', 'NCHW'])
    expect(axes(onnx('Relu', {}))).toEqual(['', ''])
  })
})

describe('of TFLite', () => {
  const one = (op: ModelSpec['subgraphs'][number]['ops'][number], shapes: number[][], weights?: number[]): Graph =>
    readGraph(
      writeTflite({
        buffers: [new Uint8Array(4096).fill(7)],
        subgraphs: [
          {
            name: 'main',
            tensors: [
              { name: 'x', shape: shapes[0] as number[] },
              { name: 'y', shape: shapes[1] as number[] },
              ...(weights ? [{ name: 'w', shape: weights, buffer: 1 }] : []),
            ],
            inputs: [0],
            outputs: [1],
            ops: [op],
          },
        ],
      }),
    ).graph

  it('convolutions, pooling and rows', () => {
    const conv = { type: 'CONV_2D', inputs: [0, 2], outputs: [1], options: { 0: { byte: 0 }, 1: 2, 2: 2 } }
    const graph = one(
      conv,
      [
        [1, 8, 8, 3],
        [1, 4, 4, 4],
      ],
      [4, 3, 3, 3],
    )
    expect(graph.ops[0]?.windows).toBe('1 3/2 3/2 *')
    expect(graph.tensors.map(({ axes }) => axes)).toEqual(['NHWC', 'NHWC', undefined])
    const pool = { type: 'MAX_POOL_2D', inputs: [0], outputs: [1], options: { 0: { byte: 1 }, 1: 2, 2: 1, 3: 3, 4: 2 } }
    expect(
      one(pool, [
        [1, 8, 9, 3],
        [1, 7, 4, 3],
      ]).ops[0]?.windows,
    ).toBe('1 2 3/2 1')
    const mean = { type: 'MEAN', inputs: [0], outputs: [1] }
    expect(
      one(mean, [
        [1, 8, 9, 3],
        [1, 3],
      ]).ops[0]?.windows,
    ).toBe('1 * * 1:1')
    expect(
      one(
        { type: 'FULLY_CONNECTED', inputs: [0, 2], outputs: [1] },
        [
          [2, 8],
          [2, 5],
        ],
        [5, 8],
      ).ops[0]?.windows,
    ).toBe('1 *')
  })

  it('goes from a model to tiles and a plan', () => {
    const text = writeGraphCsv(readGraph(writeTflite(small)).graph)
    expect(text).toContain(',NHWC')
    const { code, out, err } = arenascope(['tile', '-', '--capacity=128', '--layout=NC32HW32'], text)
    expect([code, err]).toEqual([2, expect.stringContaining('the least tile of “CONV_2D 0” takes')])
    expect(out).toBe('')
    const made = arenascope(['tile', '-', '--capacity=3KiB'], text)
    expect(made.code).toBe(0)
    const flags = ['--solver=taa', '--io', '--capacity=1MiB', '--minimize', '--validate']
    expect(solveJson(['-', ...flags], made.out)).toMatchObject({ valid: true, code: 0 })
  })
})
