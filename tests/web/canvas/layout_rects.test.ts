import { describe, expect, test } from 'vitest'
import { hitBuffer } from '../../../web/src/layout/canvas/hit'
import { loadColumns, sectionAfter } from '../../../web/src/layout/canvas/load'
import { DensePlate } from '../../../web/src/layout/canvas/dense'
import {
  BAR,
  COLUMN_LIMIT,
  DETAIL_LIMIT,
  type MemoryRects,
  memoryRects,
} from '../../../web/src/layout/canvas/memory_rects'
import { piecesOf } from '../../../web/src/layout/canvas/pieces'
import { RAMP_STEPS, shadesOf } from '../../../web/src/layout/canvas/shade'
import { Space } from '../../../web/src/layout/canvas/spaces'
import { timeIndexOf, visitAlive } from '../../../web/src/layout/canvas/time_index'
import { frameOf, problemOf, type Row, randomFrom, sceneOf } from '../support/layout_fixture'

const plate = { x: 58, y: 30, w: 740, h: 454 }

function offsetsOf(values: number[]): Float64Array<ArrayBuffer> {
  return Float64Array.from(values)
}

/** Of what is few enough to be told apart. */
function rectsOf(...args: Parameters<typeof memoryRects>): MemoryRects {
  const rects = memoryRects(...args)
  if (rects === null) throw new Error('too many to be told apart')
  return rects
}

describe('pieces', () => {
  const gap = (lower: number, upper: number, windowLower = 0, windowUpper = 0) => ({
    buffer: 0,
    lower,
    upper,
    windowLower,
    windowUpper,
  })
  const list = (gaps: ReturnType<typeof gap>[]) => {
    const pieces = piecesOf(problemOf([[0, 20, 10]], gaps))
    return Array.from({ length: pieces.count }, (_, k) => [
      pieces.lower[k],
      pieces.upper[k],
      pieces.from[k],
      pieces.to[k],
    ])
  }
  test('a plain buffer is one', () => expect(list([])).toEqual([[0, 20, 0, 10]]))
  test('a plain gap leaves nothing, a window leaves the window', () => {
    expect(list([gap(12, 15, 2, 5), gap(4, 8)])).toEqual([
      [0, 4, 0, 10],
      [8, 12, 0, 10],
      [12, 15, 2, 5],
      [15, 20, 0, 10],
    ])
  })
  test('gaps at the ends, over the ends and over each other', () => {
    expect(list([gap(-5, 3), gap(18, 30)])).toEqual([[3, 18, 0, 10]])
    expect(list([gap(0, 20)])).toEqual([])
    expect(list([gap(2, 10), gap(5, 12)])).toEqual([
      [0, 2, 0, 10],
      [12, 20, 0, 10],
    ])
  })
  test('several buffers keep their own', () => {
    const pieces = piecesOf(
      problemOf(
        [
          [0, 2, 1],
          [5, 9, 3],
        ],
        [{ ...gap(6, 7), buffer: 1 }],
      ),
    )
    expect([...pieces.first]).toEqual([0, 1, 3])
  })
})

describe('rectangles', () => {
  test('placed buffers where they are, the others not at all', () => {
    const problem = problemOf([
      [0, 10, 4],
      [0, 5, 4],
      [5, 10, 4],
    ])
    const space = new Space({ t0: 0, t1: 10, b0: 0, b1: 8 }, plate)
    const rects = rectsOf(problem, offsetsOf([0, 4, -1]), space)
    expect(rects.count).toBe(2)
    expect(rects.visible).toBe(2)
    expect([rects.x[1], rects.y[1], rects.w[1], rects.h[1]]).toEqual([58, 30, 370, 227])
  })
  test('what lies outside the view is left out, what crosses its edge is cut one pixel beyond', () => {
    const problem = problemOf([
      [0, 100, 4],
      [200, 300, 4],
    ])
    const rects = rectsOf(problem, offsetsOf([0, 0]), new Space({ t0: 50, t1: 150, b0: 0, b1: 8 }, plate))
    expect(rects.count).toBe(1)
    expect(rects.x[0]).toBe(plate.x - 1)
  })
  test('sub-pixel buffers are drawn at 0.8 px; more than four in a column become one bar', () => {
    const rows = (n: number): Row[] => [...Array.from({ length: n }, (): Row => [500, 501, 1]), [0, 1e6, 1]]
    const space = new Space({ t0: 0, t1: 1e6, b0: 0, b1: 100 }, plate)
    const few = rectsOf(problemOf(rows(COLUMN_LIMIT)), offsetsOf([0, 10, 20, 30, 90]), space)
    expect(few.count).toBe(COLUMN_LIMIT + 1)
    for (let k = 0; k < few.count; k++) expect(few.w[k]).toBeGreaterThanOrEqual(0.799)
    const five = problemOf(rows(5))
    const many = rectsOf(five, offsetsOf([0, 1, 2, 30, 31, 90]), space)
    const bars = [...many.buffer.slice(0, many.count)].filter((b) => b === BAR)
    // two runs of addresses, 0..3 and 30..32, and the long buffer
    expect(many.count).toBe(3)
    expect(bars.length).toBe(2)
    expect(many.visible).toBe(6)
  })
  test('flat buffers piled up in a pixel row become one bar, side by side they stay', () => {
    const space = new Space({ t0: 0, t1: 1000, b0: 0, b1: 1e6 }, plate)
    const beside = problemOf(Array.from({ length: 50 }, (_, i): Row => [i * 20, i * 20 + 10, 1]))
    expect(rectsOf(beside, offsetsOf(Array.from({ length: 50 }, () => 7)), space).count).toBe(50)
    const piled = problemOf(Array.from({ length: 50 }, (): Row => [0, 1000, 1]))
    const rects = rectsOf(piled, offsetsOf(Array.from({ length: 50 }, (_, i) => i)), space)
    expect(rects.count).toBe(1)
    expect(rects.buffer[0]).toBe(BAR)
  })
  test('nothing is dropped: every visible buffer is covered by a rectangle', () => {
    const { problem, rows, offset } = scattered(DETAIL_LIMIT)
    const rects = rectsOf(problem, offset, wide)
    expect(rects.visible).toBe(DETAIL_LIMIT)
    expect(rects.count).toBeLessThanOrEqual(DETAIL_LIMIT)
    const covered = (x: number, y: number): boolean => {
      for (let k = 0; k < rects.count; k++) {
        const dx = x - (rects.x[k] as number)
        const dy = y - (rects.y[k] as number)
        if (dx >= -1 && dx <= (rects.w[k] as number) + 1 && dy >= -1 && dy <= (rects.h[k] as number) + 1) return true
      }
      return false
    }
    for (let i = 0; i < rows.length; i += 37) {
      const [lower, upper, size] = rows[i] as Row
      expect(covered(wide.x((lower + upper) / 2), wide.y((offset[i] as number) + size / 2))).toBe(true)
    }
  })
  test('too many to be told apart are none, unless few of them are in view', () => {
    const { problem, offset } = scattered(DETAIL_LIMIT + 1)
    expect(memoryRects(problem, offset, wide)).toBe(null)
    const close = new Space({ t0: 1000, t1: 1100, b0: 0, b1: 1.1e6 }, plate)
    expect(memoryRects(problem, offset, close)?.visible).toBeGreaterThan(0)
  })
  test('of all that is in view or of a list of what is placed: the same rectangles in the same order', () => {
    const random = randomFrom(5)
    const rows = Array.from({ length: DETAIL_LIMIT }, (): Row => {
      const lower = Math.floor(random() * 4000)
      return [lower, lower + 1 + Math.floor(8 ** (4 * random())), 1 + Math.floor(9000 * random())]
    })
    const problem = problemOf(rows)
    const offset = offsetsOf(rows.map(() => Math.floor(random() * 1e6)))
    const all = rectsOf(problem, offset, wide, DETAIL_LIMIT, Uint32Array.from(rows.keys()))
    expect(timeIndexOf(problem).classes.length).toBeGreaterThan(3)
    expect(rectsOf(problem, offset, wide, Number.POSITIVE_INFINITY)).toEqual(all)
  })
  test('no buffers, huge times', () => {
    expect(rectsOf(problemOf([]), offsetsOf([]), new Space({ t0: 0, t1: 1, b0: 0, b1: 1 }, plate)).count).toBe(0)
    const top = 2 ** 53 - 1
    const rects = rectsOf(
      problemOf([[top - 1, top, top]]),
      offsetsOf([0]),
      new Space({ t0: 0, t1: top, b0: 0, b1: top }, plate),
    )
    expect(rects.count).toBe(1)
    expect(Number.isFinite((rects.x[0] as number) + (rects.h[0] as number))).toBe(true)
  })
})

const wide = new Space({ t0: 0, t1: 1.3e5, b0: 0, b1: 1.1e6 }, plate)

/** Short and long, small and large buffers anywhere, over each other too. Without sections. */
function scattered(count: number) {
  const random = randomFrom(7)
  const rows = Array.from({ length: count }, (): Row => {
    const lower = Math.floor(random() * 1e5)
    return [lower, lower + 1 + Math.floor(random() ** 8 * 2e4), 1 + Math.floor(random() ** 4 * 2e4)]
  })
  const problem = Object.assign(problemOf([]), {
    count,
    lower: Float64Array.from(rows, (r) => r[0]),
    upper: Float64Array.from(rows, (r) => r[1]),
    size: Float64Array.from(rows, (r) => r[2]),
  })
  return { problem, rows, offset: offsetsOf(rows.map(() => Math.floor(random() * 1e6))) }
}

describe('pieces by time', () => {
  test('every piece alive in a range is in the runs, once', () => {
    const { problem, rows } = scattered(3000)
    const index = timeIndexOf(problem)
    expect(index.classes.length).toBeGreaterThan(3)
    for (const [t0, t1] of [
      [0, 1.3e5],
      [500, 520],
      [90_000, 90_000],
      [-10, -1],
    ] as const) {
      const seen: number[] = []
      visitAlive(index, t0, t1, (first, end) => {
        for (let i = first; i < end; i++) seen.push(index.buffer[i] as number)
        return true
      })
      expect(new Set(seen).size).toBe(seen.length)
      const alive = rows.flatMap(([lower, upper], i) => (lower <= t1 && upper >= t0 ? [i] : []))
      expect(seen).toEqual(expect.arrayContaining(alive))
      expect(seen.length).toBeLessThanOrEqual(9 * alive.length + 60)
    }
  })
  test('times up to 2^53, and a visitor that has seen enough', () => {
    const top = 2 ** 53 - 1
    const index = timeIndexOf(
      problemOf([
        [top - 1, top, 1],
        [0, top, 1],
        [5, 6, 1],
      ]),
    )
    expect([...index.lower]).toEqual([5, top - 1, 0])
    let runs = 0
    visitAlive(index, 0, top, () => ++runs < 1)
    expect(runs).toBe(1)
  })
})

describe('the many', () => {
  const inks = { shade: () => 0, fills: Uint32Array.of(7), bars: Uint32Array.of(1, 2, 3, 4, 5) }
  const paint = (
    rows: Row[],
    offsets: number[],
    view: { t0: number; t1: number; b0: number; b1: number },
    only: Uint8Array | null = null,
    least = 1,
  ) => {
    const made = new DensePlate()
    const space = new Space(view, { x: 0, y: 0, w: 10, h: 8 })
    const input = { index: timeIndexOf(problemOf(rows)), space, dpr: 1, inks, only, least }
    made.paint({ ...input, offset: offsetsOf(offsets) })
    return made
  }
  const column = (made: DensePlate, x: number) => Array.from({ length: 8 }, (_, y) => made.pixels[y * 10 + x])

  test('large ones are filled, from the ground up', () => {
    const made = paint([[2, 4, 3]], [1], { t0: 0, t1: 10, b0: 0, b1: 8 })
    expect(column(made, 2)).toEqual([0, 0, 0, 0, 7, 7, 7, 0])
    expect(column(made, 3)).toEqual(column(made, 2))
    expect(column(made, 4).every((pixel) => pixel === 0)).toBe(true)
  })
  test('four thin ones in a column keep their colour, five become their occupancy', () => {
    const view = { t0: 0, t1: 100, b0: 0, b1: 8 }
    const thin = (n: number): Row[] => Array.from({ length: n }, (_, i): Row => [10 + i, 11 + i, 4])
    expect(column(paint(thin(4), [0, 0, 0, 0], view), 1)).toEqual([0, 0, 0, 0, 7, 7, 7, 7])
    // half of the time there is one: the middle of five
    expect(column(paint(thin(5), [0, 0, 0, 0, 0], view), 1)).toEqual([0, 0, 0, 0, 3, 3, 3, 3])
    expect(column(paint(thin(5), [0, 0, 0, 0, 4], view), 1)).toEqual([1, 1, 1, 1, 3, 3, 3, 3])
  })
  test('flat ones piled up in a row become their occupancy where they are', () => {
    const view = { t0: 0, t1: 10, b0: 0, b1: 800 }
    const flat = Array.from({ length: 100 }, (_, i): Row => [i < 6 ? 0 : 5, 10, 1])
    const made = paint(
      flat,
      flat.map((_, i) => i),
      view,
    )
    // at the left six of a hundred bytes, at the right all of them
    expect([made.pixels[70], made.pixels[79]]).toEqual([1, 5])
  })
  test('what is left out is not there, what is wanted large is', () => {
    const view = { t0: 0, t1: 1000, b0: 0, b1: 800 }
    const rows: Row[] = [
      [500, 501, 1],
      [700, 701, 1],
    ]
    const made = paint(rows, [0, 0], view, Uint8Array.of(1, 0), 3)
    expect([...made.pixels].filter((pixel) => pixel !== 0).length).toBe(9)
  })
  test('columns that something lies above are known', () => {
    const made = paint([[2, 4, 3]], [10], { t0: 0, t1: 10, b0: 0, b1: 8 })
    expect([...made.above].slice(0, 6)).toEqual([0, 0, 1, 1, 0, 0])
  })
  test('nothing is dropped, and painting again gives the same', () => {
    const { problem, rows, offset } = scattered(6000)
    const made = new DensePlate()
    const input = { index: timeIndexOf(problem), offset, space: wide, dpr: 1, inks, only: null, least: 1 }
    made.paint(input)
    const first = made.pixels.slice()
    made.paint(input)
    expect(made.pixels).toEqual(first)
    for (let i = 0; i < rows.length; i += 37) {
      const [lower, upper, size] = rows[i] as Row
      const x = wide.x((lower + upper) / 2) - plate.x
      const y = wide.y((offset[i] as number) + size / 2) - plate.y
      expect(made.covered(x - 2, y - 2, x + 3, y + 3)).toBeGreaterThan(0)
    }
  })
})

describe('hit', () => {
  const problem = problemOf([
    [0, 10, 4],
    [0, 5, 4],
    [5, 10, 4],
    [4, 6, 1],
  ])
  const space = new Space({ t0: 0, t1: 10, b0: 0, b1: 10 }, plate)
  const offset = offsetsOf([0, 4, 4, -1])
  const at = (t: number, b: number): number => hitBuffer(problem, offset, space, space.x(t), space.y(b))

  test('the one under the pointer, none on the ground', () => {
    expect(at(2, 1)).toBe(0)
    expect(at(4.99, 6)).toBe(1)
    expect(at(5.01, 6)).toBe(2)
    expect(at(5, 9)).toBe(-1)
  })
  test('a gap is not hit, its window is', () => {
    const holed = problemOf(
      [[0, 10, 10]],
      [
        { buffer: 0, lower: 2, upper: 4, windowLower: 0, windowUpper: 0 },
        { buffer: 0, lower: 6, upper: 8, windowLower: 5, windowUpper: 7 },
      ],
    )
    const hit = (t: number, b: number): number => hitBuffer(holed, offsetsOf([0]), space, space.x(t), space.y(b))
    expect([hit(1, 5), hit(3, 5), hit(7, 6), hit(7, 2)]).toEqual([0, -1, 0, -1])
  })
  test('something smaller than a few pixels can be hit beside it', () => {
    const thin = problemOf([[5000, 5001, 5]])
    const wide = new Space({ t0: 0, t1: 10000, b0: 0, b1: 10 }, plate)
    expect(hitBuffer(thin, offsetsOf([0]), wide, wide.x(5000) + 1.9, wide.y(2))).toBe(0)
    expect(hitBuffer(thin, offsetsOf([0]), wide, wide.x(5000) + 6, wide.y(2))).toBe(-1)
  })
  test('agrees with looking at all of many, long and short', () => {
    const random = randomFrom(3)
    const rows = Array.from({ length: 400 }, (): Row => {
      const lower = Math.floor(random() * 9000)
      return [lower, lower + 60 + Math.floor(random() ** 5 * (10000 - lower - 60)), 10]
    })
    const many = problemOf(rows)
    const offsets = rows.map((_, i) => i * 10)
    const whole = new Space({ t0: 0, t1: 10000, b0: 0, b1: 4000 }, { ...plate, w: 5000, h: 4000 })
    for (let k = 0; k < 2000; k++) {
      const t = random() * 10000
      const b = random() * 4000
      const row = rows[Math.floor(b / 10)] as Row
      const truth = row[0] < t && t < row[1] ? Math.floor(b / 10) : -1
      expect(hitBuffer(many, offsetsOf(offsets), whole, whole.x(t), whole.y(b))).toBe(truth)
    }
  })
  test('an empty problem has nothing to hit', () => {
    expect(hitBuffer(problemOf([]), offsetsOf([]), space, 100, 100)).toBe(-1)
  })
})

describe('shades', () => {
  const problem = problemOf(Array.from({ length: 40 }, (_, i): Row => [i, i + 1 + i * i, 2 ** (i % 20)]))
  test('buffers have categories, levels a ramp from first to last', () => {
    const frame = frameOf(Array.from({ length: 40 }, (_, i) => i))
    const scene = sceneOf(problem, 1e6, frame)
    expect(shadesOf(scene).kind).toBe('categories')
    expect(Math.max(...problem.ids.map((_, i) => shadesOf(scene).of(i)))).toBe(11)
    const levels = shadesOf({ ...scene, colour: 'level' })
    expect([levels.of(0), levels.of(39)]).toEqual([0, RAMP_STEPS - 1])
  })
  test('sizes go by their logarithm', () => {
    const { of } = shadesOf({ ...sceneOf(problem, 1e6, null), colour: 'size' })
    expect(of(0)).toBe(0)
    expect(of(19)).toBe(RAMP_STEPS - 1)
    expect(Math.abs(of(10) - (10 / 19) * (RAMP_STEPS - 1))).toBeLessThanOrEqual(1)
  })
  test('all alike, size 0, nothing placed: still on the ramp', () => {
    const flat = problemOf([
      [0, 1, 0],
      [0, 1, 0],
    ])
    for (const colour of ['size', 'lifetime', 'level', 'buffer'] as const) {
      const { of } = shadesOf({ ...sceneOf(flat, 1, frameOf([-1, -1])), colour })
      for (const value of [of(0), of(1)]) {
        expect(value).toBeLessThan(RAMP_STEPS)
      }
    }
  })
})

describe('load', () => {
  test('a column per section, none where nothing lives', () => {
    const problem = problemOf([
      [0, 4, 5],
      [2, 4, 3],
      [8, 10, 1],
    ])
    const columns = loadColumns(problem, new Space({ t0: 0, t1: 10, b0: 0, b1: 10 }, plate))
    expect(columns.count).toBe(3)
    expect([...columns.load.slice(0, 3)]).toEqual([5, 8, 1])
    expect(sectionAfter(problem, 4)).toBe(2)
    expect(sectionAfter(problem, 100)).toBe(3)
  })
  test('sections below a pixel keep their peaks', () => {
    const rows = Array.from({ length: 3000 }, (_, i): Row => [i, i + 1, i === 1234 ? 999 : 1 + (i % 7)])
    const problem = problemOf(rows)
    const columns = loadColumns(problem, new Space({ t0: 0, t1: 3000, b0: 0, b1: 1000 }, plate))
    expect(columns.count).toBeLessThanOrEqual(2 * plate.w + 4)
    const k = columns.load.indexOf(999)
    expect(k).toBeGreaterThanOrEqual(0)
    expect(columns.section[k]).toBe(1234)
    const right = (columns.x[columns.count - 1] as number) + (columns.w[columns.count - 1] as number)
    expect(right).toBeCloseTo(plate.x + plate.w, 0)
  })
})
