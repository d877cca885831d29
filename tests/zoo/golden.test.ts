/** Sums, loads and greedy heights of the networks against figures that were computed elsewhere, by an independent lowering. */
import { describe, expect, it } from 'vitest'
import { type Entry, entryOf, generate, type Options } from '../../examples/zoo'
import { type Buffer, greedy, lower, packed, peak, widest } from './lower'

const graphOf = (id: string, options: Options = {}) => generate(entryOf(id) as Entry, options)

/**
 * One byte for each element, batch 1, normalisation and activations fused, weights left out, nothing shared. at: the first operator of the
 * peak; live: the tensors there; widest: the largest operator's inputs and outputs. load16 and greedy16: sizes rounded up to 16, first
 * fit with the larger first.
 */
interface Row {
  id: string
  options?: Options
  tensors: number
  ops: number
  sum: number
  load: number
  at: number
  live: number
  widest: number
  load16: number
  greedy16: number
}

const row = (id: string, figures: readonly number[], options?: Options): Row => {
  const [tensors, ops, sum, load, at, live, most, load16, greedy16] = figures as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  return { id, ...(options && { options }), tensors, ops, sum, load, at, live, widest: most, load16, greedy16 }
}

const rows: Row[] = [
  row('mobilenet_v1', [30, 29, 5195240, 1204224, 2, 2, 1204224, 1204224, 1204224]),
  row('mobilenet_v2', [65, 64, 7047304, 1505280, 4, 2, 1505280, 1505280, 1505280]),
  row('squeezenet1_1', [39, 38, 4521552, 982144, 1, 2, 982144, 982144, 982144]),
  row('resnet50', [73, 72, 16987624, 2408448, 6, 3, 2408448, 2408448, 2408448]),
  row('resnet152', [209, 208, 36054504, 2408448, 6, 3, 2408448, 2408448, 2408448]),
  row('resnet50_fpn', [86, 85, 21228544, 2671872, 82, 6, 2408448, 2671872, 2872576]),
  row('densenet121', [247, 246, 28150760, 2107392, 22, 8, 1605632, 2107392, 2107392]),
  row('inception_v3', [125, 124, 14619411, 2074464, 2, 2, 2074464, 2074464, 2074464]),
  row('unet', [32, 31, 57868288, 16777216, 27, 3, 16777216, 16777216, 16777216]),
  row('srgan', [24, 23, 61652992, 33554432, 21, 2, 33554432, 33554432, 33554432]),
  row('fsrcnn', [9, 8, 11599872, 4456448, 1, 2, 4456448, 4456448, 4456448]),
  row('vit_b_16', [161, 160, 37199368, 1234008, 7, 4, 931416, 1234016, 1234016]),
  row('darts_v1', [360, 359, 9202792, 451584, 0, 2, 451584, 451584, 451584]),
  row('darts_nasnet', [448, 447, 11056360, 564480, 66, 7, 451584, 564480, 564480]),
  row('darts_amoebanet', [410, 409, 9738856, 451584, 0, 2, 451584, 451584, 451584]),
  /* the figures elsewhere, 390 tensors and 9,917,800 bytes, come from a cell that was remembered: the published one has no halving skip */
  row('darts_v2', [384, 383, 9729640, 451584, 0, 2, 451584, 451584, 489216]),
  row('pnasnet5_large', [514, 513, 62348779, 3029376, 31, 8, 1881600, 3029376, 3198720], { size: 225 }),
]

describe('figures of the networks', () => {
  it.each(rows)('$id', async ({ id, options, ...expected }) => {
    const graph = await graphOf(id, options)
    const plain = lower(graph)
    const rounded = lower(graph, { multiple: 16 })
    const sum = plain.reduce((all, b) => all + b.size, 0)
    expect({
      tensors: plain.length,
      ops: graph.ops.length,
      sum,
      ...peak(plain),
      widest: widest(graph),
      load16: peak(rounded).load,
      greedy16: greedy(rounded),
    }).toEqual(expected)
  })
})

const ratios = (buffers: readonly Buffer[]) => {
  const { load } = peak(buffers)
  const heights = [
    greedy(buffers),
    greedy(buffers, 'size', 'best'),
    greedy(buffers, 'start'),
    greedy(buffers, 'life'),
    greedy(buffers, 'area'),
  ]
  return heights.map((height) => (height / load).toFixed(3))
}

/** By size, by size into the smallest gap, by start time, by length of life, by area; against the load. */
const orders: [string, Options | undefined, number | undefined, number, number, string[]][] = [
  ['resnet50_fpn', undefined, undefined, 86, 2671872, ['1.075', '1.075', '1.352', '1.131', '1.000']],
  ['darts_v2', undefined, undefined, 384, 451584, ['1.083', '1.083', '1.167', '1.083', '1.083']],
  ['darts_v1', undefined, undefined, 360, 451584, ['1.000', '1.083', '1.167', '1.083', '1.000']],
  ['darts_nasnet', undefined, undefined, 448, 564480, ['1.000', '1.000', '1.133', '1.067', '1.067']],
  ['pnasnet5_large', { size: 225 }, undefined, 514, 3029376, ['1.056', '1.056', '1.236', '1.012', '1.012']],
  ['resnet50', undefined, 3, 127, 6350848, ['1.087', '1.087', '1.240', '1.398', '1.087']],
  ['squeezenet1_1', { first: 9 }, 3, 50, 783232, ['1.096', '1.096', '1.258', '1.129', '1.096']],
]

describe('other orders of greedy', () => {
  it.each(orders)('%s %o, weights %s ahead', async (id, options, prefetch, n, load, expected) => {
    const graph = packed(await graphOf(id, options))
    const buffers = lower(graph, { multiple: 16, ...(prefetch !== undefined && { prefetch }) })
    expect(buffers).toHaveLength(n)
    expect(peak(buffers).load).toBe(load)
    expect(ratios(buffers)).toEqual(expected)
  })

  it('densenet121 from operator 61, weights 3 ahead', async () => {
    const graph = packed(await graphOf('densenet121', { first: 61 }))
    const bare = graph.ops.map((op) => {
      if (op.type !== 'BatchNormalization') return op
      return { ...op, inputs: op.inputs.filter((k) => !graph.tensors[k]?.kind.constant) }
    })
    const buffers = lower({ ...graph, ops: bare }, { multiple: 16, prefetch: 3 })
    /* the figures elsewhere leave out the constants of normalisation, and give the last convolution of a layer a bias: 128 bytes more and,
       against a smaller bound here, 1.098, 1.068, 1.419, 1.200, 1.057 */
    expect(buffers).toHaveLength(286)
    expect(peak(buffers).load).toBe(1227904 - 128)
    expect(ratios(buffers)).toEqual(['1.097', '1.067', '1.419', '1.199', '1.056'])
  })
})
