/** What the page makes of a lowered graph: makers, readers, colours, the strip's blocks, the peak. */
import { describe, expect, it } from 'vitest'
import type { OpBlock } from '../../../web/src/layout/model/op_blocks'
import { opAt, opBlocks } from '../../../web/src/layout/model/op_blocks'
import { opGraph, windowAround } from '../../../web/src/layout/model/op_graph'
import type { Operators } from '../../../web/src/layout/scene'
import { Space } from '../../../web/src/layout/canvas/spaces'
import {
  buffersOf,
  heldAt,
  makerName,
  opName,
  operatorsOf,
  readersAt,
  shadeTypes,
  shapeText,
} from '../../../web/src/state/model/operators'
import { aliveIn, peakOf } from '../../../web/src/state/problem/peak'
import { smallModel, smallProblem } from '../support/model_fixture'

const model = smallModel()
const problem = smallProblem()
const all = operatorsOf(model, problem)

describe('makers and readers', () => {
  it('knows who makes each buffer, the first of those that share it', () => {
    expect([...all.maker]).toEqual([-1, 0, 1, 2, 4, 4])
    expect(makerName(all, 0)).toBe('Input')
    expect(makerName(all, 1)).toBe('Conv_0')
    expect(makerName(all, 3)).toBe('Add')
    expect(makerName(all, 5)).toBe('FullyConnected fc')
  })

  it('knows who reads each, through every tensor that a buffer holds', () => {
    expect(readersAt(all, 1)).toEqual([1, 2])
    expect(readersAt(all, 3)).toEqual([3, 4])
    expect(readersAt(all, 4)).toEqual([])
    expect(heldAt(all, 3)).toEqual([4, 5])
  })

  it('tells what an operator reads from what it writes; in place is a write', () => {
    expect(buffersOf(model, 2)).toEqual({ inputs: [1, 2], outputs: [3] })
    expect(buffersOf(model, 3)).toEqual({ inputs: [], outputs: [3] })
    expect(buffersOf(model, 4)).toEqual({ inputs: [3], outputs: [4, 5] })
    // the weights are out of the plan
    expect(buffersOf(model, 0)).toEqual({ inputs: [0], outputs: [1] })
  })

  it('names operators by their id, after their type where the id does not say it', () => {
    expect([0, 2, 4].map((op) => opName(model, op))).toEqual(['Conv_0', 'Add', 'FullyConnected fc'])
    expect(shapeText(all, 2)).toBe('1×10×10×2 int8')
    expect(shapeText(all, 5)).toBe('')
  })
})

describe('colours of types', () => {
  it('gives each type a colour of its own and buffers that of their maker', () => {
    const shadeOf = (type: string) => all.legend.find((entry) => entry.type === type)?.shade
    expect(new Set(all.legend.map(({ shade }) => shade)).size).toBe(all.legend.length)
    expect(shadeOf('Conv')).toBe(0)
    expect([...all.bufferShade]).toEqual(
      ['Input', 'Conv', 'Conv', 'Add', 'FullyConnected', 'Workspace'].map((type) => shadeOf(type)),
    )
  })

  it('keeps a type its colour whatever else there is, and gives the more frequent of two the first', () => {
    const legend = shadeTypes(
      new Map([
        ['CONV_2D', 5],
        ['Conv3D', 9],
        ['DEPTHWISE_CONV_2D', 2],
      ]),
    )
    expect(legend.map(({ type, shade }) => [type, shade])).toEqual([
      ['Conv3D', 0],
      ['CONV_2D', 1],
      ['DEPTHWISE_CONV_2D', 2],
    ])
  })

  it('paints the rarest of more than twelve types in stone', () => {
    const counts = new Map(Array.from({ length: 15 }, (_, k) => [`T${k}`, 100 - k]))
    const legend = shadeTypes(counts)
    expect(legend.slice(11).every(({ shade }) => shade === 10)).toBe(true)
    expect(new Set(legend.slice(0, 11).map(({ shade }) => shade)).size).toBe(11)
    expect(legend.slice(0, 11).some(({ shade }) => shade === 10)).toBe(false)
  })
})

describe('the strip', () => {
  const strip = (shade: number[], t0: number, t1: number, width: number): [OpBlock[], Space] => {
    const operators: Operators = { ...all, shade: Uint8Array.from(shade) }
    const space = new Space({ t0, t1, b0: 0, b1: 1 }, { x: 50, y: 0, w: width, h: 14 })
    return [opBlocks(operators, space), space]
  }

  it('has a block for each operator that is wide enough', () => {
    const [blocks] = strip([0, 0, 1, 0], 0, 4, 40)
    expect(blocks.map(({ first, last, x, w }) => [first, last, x, w])).toEqual([
      [0, 0, 50, 10],
      [1, 1, 60, 10],
      [2, 2, 70, 10],
      [3, 3, 80, 10],
    ])
  })

  it('merges neighbours of one type where they are narrow', () => {
    const [blocks] = strip([0, 0, 1, 1, 1, 0], 0, 6, 12)
    expect(blocks.map(({ first, last, shade }) => [first, last, shade])).toEqual([
      [0, 1, 0],
      [2, 4, 1],
      [5, 5, 0],
    ])
  })

  it('shows what prevails where there are more operators than pixels, without a gap', () => {
    const shade = Array.from({ length: 100_000 }, (_, k) => (k < 50_000 ? (k % 3 === 0 ? 1 : 0) : 2))
    const [blocks, space] = strip(shade, 0, 100_000, 200)
    expect(blocks.map(({ shade }) => shade)).toEqual([0, 2])
    expect(blocks[0]).toMatchObject({ first: 0, last: 49_999, x: 50, w: 100 })
    expect(opAt(100_000, space, 249.999)).toBe(99_999)
    expect(opAt(100_000, space, 250)).toBe(-1)
  })

  it('cuts what is out of sight', () => {
    const [blocks, space] = strip([0, 1, 0, 1], 1.5, 2.5, 40)
    expect(blocks.map(({ first, x, w }) => [first, x, w])).toEqual([
      [1, 50, 20],
      [2, 70, 20],
    ])
    expect(opAt(4, space, 49)).toBe(-1)
    expect(opAt(4, space, 51)).toBe(1)
  })
})

describe('the peak', () => {
  it('lists what is alive there, the largest first', () => {
    expect(peakOf(problem)).toEqual({ section: 2, time: 2, bytes: 1000, buffers: [1, 3, 2] })
    expect(aliveIn(problem, 4)).toEqual([3, 4, 5])
  })

  it('leaves out a buffer that rests in a gap then, but not one that only shrinks', () => {
    const gap = { buffer: 1, lower: 2, upper: 3, windowLower: 0, windowUpper: 0 }
    expect(aliveIn({ ...problem, gaps: [gap] }, 2)).toEqual([2, 3])
    expect(aliveIn({ ...problem, gaps: [{ ...gap, windowUpper: 8 }] }, 2)).toEqual([1, 2, 3])
  })
})

describe('the graph', () => {
  it('has an edge for each tensor that goes from one operator to another', () => {
    const graph = opGraph(model, 0, 5)
    expect(graph.edges).toEqual([
      [0, 1],
      [0, 2],
      [1, 2],
      [2, 3],
      [3, 4],
    ])
    expect(graph.cut).toBe(0)
  })

  it('counts what comes from outside of a window', () => {
    const graph = opGraph(model, 2, 4)
    expect(graph.edges).toEqual([[0, 1]])
    expect(graph.cut).toBe(2)
    expect(graph.width.length).toBe(2)
  })

  it('keeps the window inside the schedule', () => {
    expect(windowAround(500, 20, 600)).toEqual([0, 500])
    expect(windowAround(10_000, 20, 600)).toEqual([0, 600])
    expect(windowAround(10_000, 5000, 600)).toEqual([4700, 5300])
    expect(windowAround(10_000, 9999, 600)).toEqual([9400, 10_000])
  })
})
