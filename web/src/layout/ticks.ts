/** Ruler ticks: addresses at powers of two, times at 1-2-5. Both are bounded by pixels, never by the range. */
import { type ByteUnit, byteUnit, thousands, tickLabel } from '../base/format'

export interface Tick {
  value: number
  label: string
}

/** More than this many ticks are never returned. */
const MOST = 64

function multiples(lo: number, hi: number, step: number): number[] {
  const list: number[] = []
  if (!(step > 0) || !Number.isFinite(lo + hi)) return list
  const last = Math.floor(hi / step + 1e-9)
  for (let k = Math.ceil(lo / step - 1e-9); k <= last && list.length < MOST; k++) list.push(k === 0 ? 0 : k * step)
  return list
}

/** Least power of two, at least 1, that is at least x. */
function powerOfTwo(x: number): number {
  let p = 1
  while (p < x && p < 2 ** 53) p *= 2
  return p
}

/**
 * Ticks of the address ruler over [lo, hi] bytes on `pixels` of height: 6 to 9 of them where there is room, at multiples of a power
 * of two. Labels carry no unit: it stands once at the top of the ruler. capacity: what decides on the unit, here as in the panels.
 */
export function byteTicks(lo: number, hi: number, pixels: number, capacity: number): { unit: ByteUnit; ticks: Tick[] } {
  const unit = byteUnit(capacity)
  const span = hi - lo
  if (!(span > 0) || !(pixels > 0)) return { unit, ticks: [] }
  const step = powerOfTwo((span * Math.max(36, pixels / 9.5)) / pixels)
  const ticks = multiples(lo, hi, step).map((value) => ({ value, label: byteLabel(value, step, unit) }))
  return { unit, ticks }
}

function byteLabel(value: number, step: number, unit: ByteUnit): string {
  if (unit.name === '') return thousands(value)
  // a half takes one digit, a quarter two, an eighth three
  const places = step >= unit.bytes ? 0 : Math.min(3, Math.log2(unit.bytes / step))
  return (value / unit.bytes).toFixed(places)
}

/** Width of a ruler label of that many characters, in CSS pixels (11 px mono). */
export function labelWidth(text: string): number {
  return text.length * 6.6
}

/** Ticks of the time ruler over [lo, hi] on `pixels` of width: whole numbers, 1-2-5, as many as fit without touching. */
export function timeTicks(lo: number, hi: number, pixels: number): Tick[] {
  const span = hi - lo
  if (!(span > 0) || !(pixels > 0)) return []
  const max = Math.max(Math.abs(lo), Math.abs(hi))
  let step = niceStep((span * Math.max(74, pixels / 12)) / pixels)
  for (let k = 0; k < 60; k++) {
    const far = Math.abs(hi) > Math.abs(lo) ? Math.floor(hi / step) * step : Math.ceil(lo / step) * step
    if (labelWidth(tickLabel(far, step, max)) + 16 <= (step / span) * pixels) break
    step = niceStep(step * 1.01)
  }
  return multiples(lo, hi, step).map((value) => ({ value, label: tickLabel(value, step, max) }))
}

/** Least of 1, 2, 5 x 10^k, at least 1, that is at least x. */
export function niceStep(x: number): number {
  if (!(x > 1)) return 1
  const power = 10 ** Math.floor(Math.log10(x))
  for (const m of [1, 2, 5, 10]) if (m * power >= x * (1 - 1e-12)) return m * power
  return 10 * power
}

/** Ticks of a ruler of search steps, at multiples of a 1-2-5 step. */
export function stepTicks(first: number, last: number, pixels: number, least = 76): Tick[] {
  const span = last - first
  if (!(span > 0) || !(pixels > 0)) return []
  const widest = Math.max(least, labelWidth(thousands(last)) + 24)
  const step = niceStep((span * widest) / pixels)
  return multiples(first, last, step).map((value) => ({ value, label: thousands(value) }))
}
