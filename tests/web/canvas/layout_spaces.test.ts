import { describe, expect, test } from 'vitest'
import { byteUnit, bytes, bytesIn, exactBytes, exactly, thousands, tickLabel } from '../../../web/src/base/format'
import {
  confine,
  isWhole,
  limitsOf,
  panBy,
  plateOf,
  Space,
  wholeViewport,
  zoomAbout,
} from '../../../web/src/layout/canvas/spaces'
import { byteTicks, niceStep, stepTicks, timeTicks } from '../../../web/src/layout/ticks'
import { frameOf, problemOf, sceneOf } from '../support/layout_fixture'

const HUGE = 2 ** 53 - 1

describe('numbers', () => {
  test('bytes keep the unit of the problem until ten thousand of it', () => {
    expect(bytes(0)).toBe('0 B')
    expect(bytes(1023)).toBe('1,023 B')
    expect(bytes(1 << 20)).toBe('1,024 KiB')
    expect(bytes(24.5 * 1024)).toBe('24.5 KiB')
    expect(bytes(10240 * 1024)).toBe('10 MiB')
    expect(bytes(HUGE)).toBe('8,192 TiB')
    expect(exactBytes(HUGE)).toBe('9,007,199,254,740,991 B')
  })
  test('a unit is shared by small and large amounts', () => {
    const unit = byteUnit(1 << 20)
    expect(unit.name).toBe('KiB')
    expect(bytesIn(464 * 1024, unit)).toBe('464 KiB')
    expect(bytesIn(0, unit)).toBe('0 KiB')
    expect(bytesIn(7, unit)).toBe('7 B')
    expect(bytesIn(4, byteUnit(12))).toBe('4')
    expect(bytesIn(-1536, unit)).toBe('-1.5 KiB')
  })
  test('what is claimed is not rounded: a smaller unit is taken, down to bytes', () => {
    const unit = byteUnit(20 * 2 ** 20)
    expect(exactly(11.5 * 2 ** 20, unit)).toBe('11.5 MiB')
    expect(exactly(12056 * 1024, unit)).toBe('12,056 KiB')
    expect(exactly(12345678, unit)).toBe('12,345,678 B')
    expect(exactly(2000, byteUnit(2000))).toBe('2,000 B')
    expect(exactly(0, unit)).toBe('0 MiB')
    expect(exactly(900, byteUnit(900))).toBe('900')
    expect(exactly(HUGE, byteUnit(HUGE))).toBe('9,007,199,254,740,991 B')
    expect(exactly(Number.NaN, unit)).toBe('–')
  })
  test('nothing but numbers is refused, not printed', () => {
    for (const f of [bytes, thousands, exactBytes]) expect(f(Number.NaN)).toBe('–')
    expect(thousands(Number.POSITIVE_INFINITY)).toBe('–')
  })
  test('tick labels tell neighbours apart or fall back to all digits', () => {
    expect(tickLabel(200000, 200000, 1048576)).toBe('200k')
    expect(tickLabel(1000000, 200000, 1048576)).toBe('1.0M')
    expect(tickLabel(476161, 1, 1048576)).toBe('476,161')
    expect(tickLabel(0, 1, 1e6)).toBe('0')
    expect(tickLabel(21, 3, 21)).toBe('21')
    expect(tickLabel(-200000, 200000, 1048576)).toBe('-200k')
  })
})

describe('ticks', () => {
  test('the ruler of 1 MiB has 9 ticks of 128 KiB', () => {
    const { unit, ticks } = byteTicks(0, 1.085 * 2 ** 20, 454, 2 ** 20)
    expect(unit.name).toBe('KiB')
    expect(ticks.map((t) => t.label)).toEqual(['0', '128', '256', '384', '512', '640', '768', '896', '1024'])
  })
  test.each([
    [2000, ['0.00', '0.25', '0.50', '0.75', '1.00', '1.25', '1.50', '1.75', '2.00']],
    [1100, ['0.000', '0.125', '0.250', '0.375', '0.500', '0.625', '0.750', '0.875', '1.000', '1.125']],
  ])('ticks of %d bytes have the digits that their step needs', (top, labels) => {
    expect(byteTicks(0, 1.085 * top, 454, top).ticks.map((t) => t.label)).toEqual(labels)
  })
  test('a capacity below 1 KiB has no unit, though the ruler goes beyond', () => {
    const { unit, ticks } = byteTicks(0, 1.085 * 960, 454, 960)
    expect(unit).toEqual(byteUnit(960))
    expect(unit.name).toBe('')
    expect(ticks.map((t) => t.label)).toContain('1,024')
  })
  test.each([1, 12, 13, 1000, 4097, 2 ** 31 + 7, HUGE])(
    'addresses up to %d: few ticks, all powers of two apart',
    (top) => {
      for (const pixels of [120, 340, 454, 900, 2000]) {
        const { ticks } = byteTicks(0, top, pixels, top)
        expect(ticks.length).toBeGreaterThanOrEqual(1)
        expect(ticks.length).toBeLessThanOrEqual(11)
        const step = (ticks[1]?.value ?? 1) - (ticks[0]?.value ?? 0)
        expect(Number.isInteger(Math.log2(step))).toBe(true)
        expect(new Set(ticks.map((t) => t.label)).size).toBe(ticks.length)
      }
    },
  )
  test.each([
    [0, 1048576],
    [0, 21],
    [571950.5, 1048576],
    [HUGE - 40, HUGE],
    [-HUGE, HUGE],
    [0, 1],
  ])('times %d to %d: whole, increasing, distinct, apart', (lo, hi) => {
    const ticks = timeTicks(lo, hi, 740)
    expect(ticks.length).toBeGreaterThanOrEqual(1)
    expect(new Set(ticks.map((t) => t.label)).size).toBe(ticks.length)
    ticks.forEach((tick, k) => {
      expect(Number.isInteger(tick.value)).toBe(true)
      expect(tick.value).toBeGreaterThanOrEqual(lo - 1)
      expect(tick.value).toBeLessThanOrEqual(hi + 1)
      const before = ticks[k - 1]
      if (before) expect(((tick.value - before.value) / (hi - lo)) * 740).toBeGreaterThanOrEqual(7 * tick.label.length)
    })
  })
  test('times of a model of a million steps', () => {
    expect(timeTicks(0, 1048576, 740).map((t) => t.label)).toEqual(['0', '200k', '400k', '600k', '800k', '1.0M'])
  })
  test('no span, no pixels, no numbers: no ticks', () => {
    expect(timeTicks(5, 5, 100)).toEqual([])
    expect(timeTicks(0, 10, 0)).toEqual([])
    expect(timeTicks(Number.NaN, 10, 100)).toEqual([])
    expect(byteTicks(0, Number.NaN, 100, 1).ticks).toEqual([])
    expect(stepTicks(0, 0, 700)).toEqual([])
  })
  test('1-2-5', () => {
    expect([0.2, 1, 1.5, 3, 7, 12, 60, 2000000.5].map(niceStep)).toEqual([1, 1, 2, 5, 10, 20, 100, 5000000])
  })
})

describe('spaces', () => {
  const problem = problemOf([
    [0, 21, 4],
    [3, 9, 4],
    [9, 21, 4],
  ])
  const scene = sceneOf(problem, 12, frameOf([0, 4, 4]))
  const plate = plateOf(800, 500)

  test('there and back', () => {
    const space = new Space({ t0: 3, t1: 9, b0: 2, b1: 7 }, plate)
    expect(space.x(3)).toBe(plate.x)
    expect(space.x(9)).toBeCloseTo(plate.x + plate.w)
    expect(space.y(2)).toBe(plate.y + plate.h)
    expect(space.y(7)).toBeCloseTo(plate.y)
    expect(space.time(space.x(4.5))).toBeCloseTo(4.5)
    expect(space.address(space.y(6.25))).toBeCloseTo(6.25)
  })
  test('the whole goes to 1.085 of the capacity, further only for a plan that is higher', () => {
    expect(wholeViewport(scene)).toEqual({ t0: 0, t1: 21, b0: 0, b1: 1.085 * 12 })
    const high = wholeViewport(sceneOf(problem, 6, frameOf([0, 4, 4])))
    expect(high.b1).toBeGreaterThanOrEqual(1.03 * 8)
    expect((high.b1 / 6) * 8).toBeCloseTo(Math.round((high.b1 / 6) * 8))
  })
  test('nothing, no capacity, zero spans and huge numbers stay finite', () => {
    const cases = [
      sceneOf(problemOf([]), 0, null),
      sceneOf(problem, 0, null),
      sceneOf(problem, 0, frameOf([0, 4, 4])),
      sceneOf(problemOf([[0, HUGE, HUGE]]), 1, frameOf([0])),
      sceneOf(problemOf([[HUGE - 1, HUGE, 0]]), HUGE, frameOf([0])),
    ]
    for (const one of cases) {
      const whole = wholeViewport(one)
      expect(whole.t1).toBeGreaterThan(whole.t0)
      expect(whole.b1).toBeGreaterThan(whole.b0)
      const limits = limitsOf(one.problem, whole)
      const deep = confine(zoomAbout(whole, 1e30, 1e30, 0.3, 0.7), whole, limits)
      expect(deep.t1).toBeGreaterThan(deep.t0)
      expect(deep.b1).toBeGreaterThan(deep.b0)
      const space = new Space(deep, plate)
      expect(Number.isFinite(space.x(deep.t1) + space.y(deep.b1))).toBe(true)
    }
  })
  test('zooming keeps what is under the pointer, panning keeps the scale, both stay inside', () => {
    const whole = wholeViewport(scene)
    const limits = limitsOf(problem, whole)
    const view = zoomAbout(whole, 2, 2, 0.25, 0.5)
    expect(view.t0 + 0.25 * (view.t1 - view.t0)).toBeCloseTo(21 / 4)
    expect(isWhole(view, whole)).toBe(false)
    const moved = confine(panBy(view, 5, -5), whole, limits)
    expect(moved.t1).toBeCloseTo(whole.t1)
    expect(moved.b0).toBe(0)
    expect(moved.t1 - moved.t0).toBeCloseTo(view.t1 - view.t0)
    expect(isWhole(confine(zoomAbout(view, 0.01, 0.01, 0.5, 0.5), whole, limits), whole)).toBe(true)
    expect(confine({ t0: Number.NaN, t1: 1, b0: 0, b1: 1 }, whole, limits)).toEqual(whole)
  })
  test('a plate never has a negative side', () => {
    const tiny = plateOf(10, 10)
    expect(tiny.w).toBeGreaterThan(0)
    expect(tiny.h).toBeGreaterThan(0)
  })
})
