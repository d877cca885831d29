/** Working with the canvas: searching, pinning, ordering tables, free blocks and what colours stand for. */
import { beforeEach, describe, expect, test } from 'vitest'
import { byteUnit } from '../../../web/src/base/format'
import { pausesWhile, sortInSlices } from '../../../web/src/base/slices'
import { DensePlate } from '../../../web/src/layout/canvas/dense'
import { largestFree, shadeHoles } from '../../../web/src/layout/canvas/holes'
import { colourKey } from '../../../web/src/layout/canvas/colour_key'
import type { ColourMode } from '../../../web/src/layout/scene'
import { alignmentWaste, phaseShade, RAMP_STEPS, type Shades, shadesOf } from '../../../web/src/layout/canvas/shade'
import { Space } from '../../../web/src/layout/canvas/spaces'
import { timeIndexOf } from '../../../web/src/layout/canvas/time_index'
import { find, matcher, placeOf } from '../../../web/src/run/canvas/find_buffers'
import { clearPins, pinOnly, togglePin, unpin } from '../../../web/src/run/canvas/pins'
import { comparatorOf, type Order, unordered } from '../../../web/src/state/canvas/buffer_order'
import { matches, pins } from '../../../web/src/state/canvas/canvas'
import { frameOf, problemOf, type Row, randomFrom, sceneOf } from '../support/layout_fixture'
import { workbench } from '../../../web/src/state/workbench_cells'

function open(rows: Row[], ids?: string[]) {
  const problem = problemOf(rows)
  if (ids !== undefined) problem.ids = ids
  workbench.opened.set({ problem, source: { kind: 'none' }, text: '' })
  return problem
}
const rows = (n: number): Row[] => Array.from({ length: n }, (_, i): Row => [i, i + 2, 8])

beforeEach(() => {
  workbench.opened.set(null)
  workbench.filter.set('')
  clearPins()
})

describe('search', () => {
  test('a part of a name, whatever its case; with * and ? the whole name', () => {
    const names = ['conv1.weights', 'Conv10.out', 'add.out', 'a+b']
    const hits = (text: string) => names.filter(matcher(text))
    expect(hits('CONV1')).toEqual(['conv1.weights', 'Conv10.out'])
    expect(hits('conv?.*')).toEqual(['conv1.weights'])
    expect(hits('*.out')).toEqual(['Conv10.out', 'add.out'])
    expect(hits('a+b')).toEqual(['a+b'])
    expect(hits('a+*')).toEqual(['a+b'])
    expect(hits('(')).toEqual([])
  })
  test('what is found is there as a list and as a mask, and goes with the text and the problem', async () => {
    open(rows(5), ['a1', 'b1', 'a2', 'b2', 'a3'])
    await find('a')
    expect([...(matches.get()?.list ?? [])]).toEqual([0, 2, 4])
    expect([...(matches.get()?.mask ?? [])]).toEqual([1, 0, 1, 0, 1])
    await find('')
    expect(matches.get()).toBe(null)
    await find('b')
    open(rows(2))
    expect(matches.get()).toBe(null)
  })
  test('of two searches the later counts, also where the earlier takes longer', async () => {
    open(rows(30_000))
    await Promise.all([find('b1'), find('b29999')])
    expect([...(matches.get()?.list ?? [])]).toEqual([29_999])
  })
  test('the place of a buffer among those found', () => {
    const list = Uint32Array.of(3, 5, 9)
    expect([3, 9, 4, 10, -1].map((buffer) => placeOf(list, buffer))).toEqual([0, 2, -1, -1, -1])
    expect(placeOf(new Uint32Array(0), 0)).toBe(-1)
  })
})

describe('pins', () => {
  test('a click pins one or lets go, with Shift the others stay', () => {
    open(rows(9))
    togglePin(3, false)
    togglePin(5, true)
    togglePin(7, true)
    expect(pins.get()).toEqual([3, 5, 7])
    togglePin(5, true)
    expect(pins.get()).toEqual([3, 7])
    togglePin(-1, true)
    expect(pins.get()).toEqual([3, 7])
    unpin(7)
    expect([workbench.pinned.get(), pins.get()]).toEqual([3, [3]])
    togglePin(3, false)
    expect(pins.get()).toEqual([])
  })
  test('a click without Shift leaves one, on the ground none', () => {
    open(rows(9))
    togglePin(1, true)
    togglePin(2, true)
    togglePin(2, false)
    expect(pins.get()).toEqual([2])
    togglePin(4, true)
    togglePin(-1, false)
    expect(pins.get()).toEqual([])
  })
  test('what was pinned last may be pinned from elsewhere without being counted twice', () => {
    open(rows(9))
    togglePin(1, true)
    togglePin(2, true)
    workbench.pinned.set(1)
    expect(pins.get()).toEqual([1])
    pinOnly(6)
    expect(pins.get()).toEqual([6])
  })
  test('another problem has none of them', () => {
    open(rows(9))
    togglePin(1, true)
    togglePin(2, true)
    open(rows(9))
    workbench.pinned.set(-1)
    expect(pins.get()).toEqual([])
  })
})

describe('order of a table', () => {
  const order = (column: Order['column'], down = false): Order => ({ column, down })

  test('in slices it is what a sort at once gives, ties by index', async () => {
    const random = randomFrom(11)
    const many = Array.from({ length: 30_000 }, (): Row => [0, 1, Math.floor(random() * 100)])
    const problem = Object.assign(problemOf([]), {
      count: many.length,
      size: Float64Array.from(many, (row) => row[2]),
    })
    for (const by of [order('size'), order('size', true)]) {
      const compare = comparatorOf(problem, null, by)
      const list = unordered(problem, null)
      expect(
        await sortInSlices(
          list,
          compare,
          pausesWhile(() => true),
        ),
      ).toBe(true)
      expect(list).toEqual(unordered(problem, null).sort(compare))
    }
  })
  test('is given up when nobody wants it', async () => {
    const list = Uint32Array.from({ length: 200_000 }, (_, k) => (k * 7919) % 200_000)
    expect(
      await sortInSlices(
        list,
        (x, y) => x - y,
        async () => false,
      ),
    ).toBe(false)
  })
  test('ids by their numbers, offsets of the step, only what was found', () => {
    const problem = open(rows(3), ['b10', 'b9', 'a'])
    const list = (by: Order, found: Uint32Array | null = null) => [
      ...unordered(problem, found).sort(comparatorOf(problem, frameOf([4, -1, 2]), by)),
    ]
    expect(list(order('id'))).toEqual([2, 1, 0])
    expect(list(order('offset', true))).toEqual([0, 2, 1])
    expect(list(order('lower'), Uint32Array.of(1, 2))).toEqual([1, 2])
  })
})

describe('free blocks', () => {
  const plateOf = (buffers: Row[], offsets: number[], b0 = 0) => {
    const made = new DensePlate()
    const space = new Space({ t0: 0, t1: 4, b0, b1: b0 + 8 }, { x: 0, y: 0, w: 4, h: 8 })
    const inks = { shade: () => 0, fills: Uint32Array.of(7), bars: Uint32Array.of(7) }
    const index = timeIndexOf(problemOf(buffers))
    made.paint({ index, offset: Float64Array.from(offsets), space, dpr: 1, inks, only: null, least: 1 })
    return made
  }
  const holes = (made: DensePlate) => {
    const out = new Uint32Array(32)
    shadeHoles(made, out, 1, 1, 6)
    return Array.from({ length: 4 }, (_, x) => Array.from({ length: 8 }, (_, y) => out[(7 - y) * 4 + x]).join(''))
  }
  const PLAN: [Row[], number[]] = [
    [
      [0, 2, 2],
      [0, 4, 1],
      [2, 3, 2],
    ],
    [0, 5, 1],
  ]

  test('are what lies free under something, from the ground up', () => {
    expect(holes(plateOf(...PLAN))).toEqual(['00111000', '00111000', '10011000', '11111000'])
  })
  test('reach down from what lies above the view', () => {
    expect(holes(plateOf([[1, 2, 4]], [20]))).toEqual(['00000000', '11111111', '00000000', '00000000'])
  })
  test('the largest, by time', () => {
    const out = new Float64Array(4)
    largestFree(plateOf(...PLAN), out)
    expect([...out].map((share) => share * 8)).toEqual([3, 3, 2, 5])
  })
})

describe('colours', () => {
  const problem = problemOf(Array.from({ length: 40 }, (_, i): Row => [i, i + 1, 10 + i]))
  const shades = (colour: ColourMode, more: Parameters<typeof frameOf>[1] = {}) => {
    const offsets = Array.from({ length: 40 }, (_, i) => (i < 10 ? i : -1))
    return shadesOf({ ...sceneOf(problem, 1e6, frameOf(offsets, more)), colour })
  }

  const indexOf = ({ of }: Shades) => Array.from({ length: 40 }, (_, i) => of(i))

  test('by order placed a buffer keeps its colour while the search goes on', () => {
    const order = shades('order')
    const level = shades('level')
    expect(level.of(9)).toBe(RAMP_STEPS - 1)
    expect(order.of(9)).toBe(Math.round((9 / 39) * (RAMP_STEPS - 1)))
    expect(order.kind).toBe('ramp')
  })
  test('phases have a category each, from the twelfth on they share one', () => {
    const phases = Uint32Array.from({ length: 40 }, (_, i) => (i === 0 ? 0xffffffff : i - 1))
    const made = shades('phase', { phases })
    expect(made.kind).toBe('categories')
    const index = indexOf(made)
    expect(new Set(index.slice(1, 12)).size).toBe(11)
    expect([index[0], index[12], index[39]]).toEqual([phaseShade(99), phaseShade(99), phaseShade(99)])
    expect(index.slice(1, 12)).not.toContain(phaseShade(99))
  })
  test('how often a buffer was placed goes by its logarithm, from once to most often', () => {
    const placed = Uint32Array.from({ length: 40 }, (_, i) => 10 ** Math.min(4, i))
    const scene = sceneOf(problem, 1e6, frameOf(Array.from({ length: 40 }, () => 0)))
    const { of, kind } = shadesOf({ ...scene, colour: 'churn', placed })
    expect(kind).toBe('heat')
    expect([0, 1, 2, 4, 39].map(of)).toEqual([0, 0.25, 0.5, 1, 1].map((share) => Math.round(share * (RAMP_STEPS - 1))))
    // nothing was placed twice: all is pale, and nothing divides by nothing
    const calm = shadesOf({ ...scene, colour: 'churn', placed: new Uint32Array(40).fill(1) })
    expect(new Set(indexOf(calm))).toEqual(new Set([0]))
    expect(colourKey({ ...scene, colour: 'churn', placed }, byteUnit(1))).toMatchObject({
      of: 'heat',
      low: '1',
      high: '10,000',
    })
    expect(colourKey({ ...scene, colour: 'churn' }, byteUnit(1))).toBeNull()
  })
  test('a search without phases is coloured as buffers are', () => {
    expect(indexOf(shades('phase'))).toEqual(indexOf(shades('buffer')))
  })
  test('alignment wastes what is left up to its next multiple', () => {
    const aligned = problemOf([
      [0, 1, 30],
      [0, 1, 32],
      [0, 1, 0],
      [0, 1, 33],
    ])
    aligned.alignment.set([16, 16, 16, 1])
    expect([0, 1, 2, 3].map((i) => alignmentWaste(aligned, i))).toEqual([2, 0, 0, 0])
    const { of } = shadesOf({ ...sceneOf(aligned, 100, null), colour: 'waste' })
    expect(of(0)).toBeGreaterThan(of(1))
  })
})
