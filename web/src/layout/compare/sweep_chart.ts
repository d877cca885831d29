/** The chart of a capacity sweep: where a run stands, and the rulers beside it. Pixels of the chart, y down. */
import { type ByteUnit, brief } from '../../base/format'
import { clamp, type Rect } from '../../base/geom'
import { byteTicks, type Tick } from '../ticks'

/** A run: y is what it is plotted by, null where it has none (no plan has no height). */
export interface SweepDot {
  series: number
  x: number
  y: number | null
}

export interface SweepChart {
  plate: Rect
  /** y of the row of runs that have no y */
  rail: number
  x: (value: number) => number
  y: (value: number | null) => number
  xTicks: Tick[]
  yTicks: Tick[]
  unit: ByteUnit
}

const GUTTER = { left: 64, right: 22, top: 26, rail: 26, bottom: 34 }
/** Dots nearer than this would hide each other, and stand so far apart instead. */
const DODGE = 7
/** Half a dot: the first and the last stand inside of the plate with all that steps aside of them. */
const HALF = 6
/** A dot within so many pixels of the pointer is meant. */
const NEAR = 14

/** Powers of ten that cover [lo, hi], hi > 0, with 1 as the least. */
export function decades(lo: number, hi: number): number[] {
  const first = Math.floor(Math.log10(Math.max(1, lo)))
  const last = Math.max(first + 1, Math.ceil(Math.log10(Math.max(1, hi)) - 1e-12))
  return Array.from({ length: last - first + 1 }, (_, k) => 10 ** (first + k))
}

/** log: y counts steps, over powers of ten; else y is bytes from the lower bound up. */
export function sweepChart(
  dots: readonly SweepDot[],
  range: { low: number; high: number; bound: number },
  size: { width: number; height: number },
  log: boolean,
): SweepChart {
  const plate = {
    x: GUTTER.left,
    y: GUTTER.top,
    w: Math.max(1, size.width - GUTTER.left - GUTTER.right),
    h: Math.max(1, size.height - GUTTER.top - GUTTER.rail - GUTTER.bottom),
  }
  const values = dots.flatMap(({ y }) => (y === null ? [] : [y]))
  const most = values.reduce((max, v) => Math.max(max, v), log ? 1 : range.bound)
  const powers = decades(log ? values.reduce((min, v) => Math.min(min, v), most) : 1, most)
  const [y0, y1] = log
    ? [Math.log10(powers[0] ?? 1), Math.log10(powers.at(-1) ?? 10)]
    : [range.bound * 0.98, Math.max(range.high, most) * 1.02]
  const span = Math.max(1e-9, y1 - y0)
  const wide = Math.max(1e-9, range.high - range.low)
  const series = dots.reduce((count, dot) => Math.max(count, dot.series + 1), 1)
  const inset = Math.min(plate.w / 4, HALF + ((series - 1) / 2) * DODGE)
  const rail = plate.y + plate.h + GUTTER.rail / 2
  const toY = (value: number) => {
    const at = log ? Math.log10(Math.max(1, value)) : value
    return plate.y + plate.h - clamp((at - y0) / span, 0, 1) * plate.h
  }
  const along = byteTicks(range.low, range.high, plate.w / 2.2, range.high)
  return {
    plate,
    rail,
    x: (value) => plate.x + inset + ((value - range.low) / wide) * (plate.w - 2 * inset),
    y: (value) => (value === null ? rail : toY(value)),
    xTicks: along.ticks,
    yTicks: log
      ? powers.map((value) => ({ value, label: brief(value).replace(' ', '') }))
      : byteTicks(y0, y1, plate.h, range.high).ticks,
    unit: along.unit,
  }
}

/** Where each dot stands: those of one capacity that would cover each other step aside, in the order of their series. O(dots²) per capacity. */
export function placesOf(chart: SweepChart, dots: readonly SweepDot[]): { x: number; y: number }[] {
  const byX = new Map<number, number[]>()
  dots.forEach((dot, k) => {
    byX.set(dot.x, [...(byX.get(dot.x) ?? []), k])
  })
  const aside = dots.map(() => 0)
  for (const list of byX.values()) {
    for (const k of list) {
      const y = chart.y(dots[k]?.y ?? null)
      const near = list.filter((j) => Math.abs(chart.y(dots[j]?.y ?? null) - y) < DODGE)
      aside[k] = near.length < 2 ? 0 : (near.indexOf(k) - (near.length - 1) / 2) * DODGE
    }
  }
  return dots.map((dot, k) => ({ x: chart.x(dot.x) + (aside[k] ?? 0), y: chart.y(dot.y) }))
}

/** The dot nearest to a point, -1 if none is near. O(dots). */
export function dotAt(places: readonly { x: number; y: number }[], x: number, y: number): number {
  let best = -1
  let least = NEAR
  places.forEach((at, k) => {
    const d = Math.hypot(at.x - x, at.y - y)
    if (d < least) [best, least] = [k, d]
  })
  return best
}

/** From one dot to another by the arrows: along its series, or to the series before or behind at the same x. -1: none to go to. */
export function dotBeside(dots: readonly SweepDot[], at: number, key: string): number {
  const from = dots[at]
  if (from === undefined) return dots.length > 0 ? 0 : -1
  const along = key === 'ArrowLeft' ? -1 : key === 'ArrowRight' ? 1 : 0
  const across = key === 'ArrowUp' ? -1 : key === 'ArrowDown' ? 1 : 0
  let best = at
  let least = Number.POSITIVE_INFINITY
  dots.forEach((dot, k) => {
    const dx = dot.x - from.x
    const ds = dot.series - from.series
    const fits = across === 0 ? ds === 0 && dx * along > 0 : dx === 0 && ds * across > 0
    const d = across === 0 ? Math.abs(dx) : Math.abs(ds)
    if (fits && d < least) [best, least] = [k, d]
  })
  return best
}

/** The line of a series through its dots that have a y, broken where one has none. */
export function linesOf(chart: SweepChart, dots: readonly SweepDot[], series: number): string {
  let path = ''
  let open = false
  for (const dot of dots) {
    if (dot.series !== series) continue
    if (dot.y === null) {
      open = false
      continue
    }
    path += `${open ? 'L' : 'M'}${chart.x(dot.x).toFixed(1)} ${chart.y(dot.y).toFixed(1)}`
    open = true
  }
  return path
}
