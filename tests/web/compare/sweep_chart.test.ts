import { describe, expect, it } from 'vitest'
import {
  decades,
  dotAt,
  dotBeside,
  linesOf,
  placesOf,
  type SweepDot,
  sweepChart,
} from '../../../web/src/layout/compare/sweep_chart'

const dot = (series: number, x: number, y: number | null): SweepDot => ({ series, x, y })
const RANGE = { low: 1000, high: 1300, bound: 1000 }
const SIZE = { width: 600, height: 400 }

describe('the chart of a sweep', () => {
  const dots = [dot(0, 1000, 10), dot(0, 1100, 100_000), dot(0, 1300, null), dot(1, 1000, 10), dot(1, 1300, 400)]

  it('has whole powers of ten that cover the steps', () => {
    expect(decades(3, 90)).toEqual([1, 10, 100])
    expect(decades(100, 100_000)).toEqual([100, 1000, 10_000, 100_000])
    expect(decades(1, 1)).toEqual([1, 10])
    expect(decades(0, 0)).toEqual([1, 10])
  })

  it('keeps every run on the plate, or in the row of those that have no value', () => {
    for (const log of [true, false]) {
      const chart = sweepChart(dots, RANGE, SIZE, log)
      for (const { x, y } of dots) {
        expect(chart.x(x)).toBeGreaterThanOrEqual(chart.plate.x)
        expect(chart.x(x)).toBeLessThanOrEqual(chart.plate.x + chart.plate.w)
        if (y === null) expect(chart.y(y)).toBeGreaterThan(chart.plate.y + chart.plate.h)
        else expect(chart.y(y)).toBeLessThanOrEqual(chart.plate.y + chart.plate.h)
      }
    }
    const log = sweepChart(dots, RANGE, SIZE, true)
    const [a, b, c] = [log.y(10), log.y(100), log.y(1000)]
    expect(a - b).toBeCloseTo(b - c)
    expect(log.yTicks.map(({ label }) => label)).toEqual(['10', '100', '1k', '10k', '100k'])
  })

  it('survives no room, no runs and a single capacity', () => {
    for (const size of [SIZE, { width: 0, height: 0 }])
      for (const log of [true, false]) {
        const chart = sweepChart([], { low: 5, high: 5, bound: 5 }, size, log)
        expect(Number.isFinite(chart.x(5))).toBe(true)
        expect(Number.isFinite(chart.y(7))).toBe(true)
      }
  })

  it('lets no run hide another', () => {
    const chart = sweepChart(dots, RANGE, SIZE, true)
    const places = placesOf(chart, dots)
    expect(places[0]?.y).toBe(places[3]?.y)
    expect(Math.abs((places[0]?.x ?? 0) - (places[3]?.x ?? 0))).toBeGreaterThanOrEqual(6)
    expect(places[1]?.x).toBe(chart.x(1100))
  })

  it('keeps what steps aside off the rulers, however many solvers there are', () => {
    const many = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((series) => [dot(series, 1000, null), dot(series, 1300, null)])
    const chart = sweepChart(many, RANGE, SIZE, false)
    for (const { x } of placesOf(chart, many)) {
      expect(x - 5).toBeGreaterThan(chart.plate.x)
      expect(x + 5).toBeLessThan(chart.plate.x + chart.plate.w)
    }
  })

  it('finds the run under the pointer, and none far from all', () => {
    const places = placesOf(sweepChart(dots, RANGE, SIZE, true), dots)
    places.forEach(({ x, y }, k) => {
      expect(dotAt(places, x + 1, y - 1)).toBe(k)
    })
    expect(dotAt(places, -50, -50)).toBe(-1)
  })

  it('is walked by the arrows: along a solver, across at one capacity, no further than the last', () => {
    expect(dotBeside(dots, -1, 'ArrowRight')).toBe(0)
    expect(dotBeside(dots, 0, 'ArrowRight')).toBe(1)
    expect(dotBeside(dots, 1, 'ArrowRight')).toBe(2)
    expect(dotBeside(dots, 2, 'ArrowRight')).toBe(2)
    expect(dotBeside(dots, 1, 'ArrowLeft')).toBe(0)
    expect(dotBeside(dots, 0, 'ArrowDown')).toBe(3)
    expect(dotBeside(dots, 3, 'ArrowUp')).toBe(0)
    expect(dotBeside(dots, 1, 'ArrowDown')).toBe(1)
    expect(dotBeside([], -1, 'ArrowRight')).toBe(-1)
  })

  it('draws a line that breaks where a run has no value', () => {
    const list = [dot(0, 1000, 10), dot(0, 1100, null), dot(0, 1200, 10), dot(0, 1300, 10)]
    const path = linesOf(sweepChart(list, RANGE, SIZE, true), list, 0)
    expect(path.match(/M/g)?.length).toBe(2)
    expect(path.match(/L/g)?.length).toBe(1)
  })
})
