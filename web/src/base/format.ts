/** Numbers as people read them. Every function is total: NaN and infinities give "–". */

const MISSING = '–'

/** Whole number with thousands commas: 58942 -> "58,942". Fractions are rounded. */
export function thousands(n: number): string {
  if (!Number.isFinite(n)) return MISSING
  const digits = Math.abs(Math.round(n)).toFixed(0)
  const text = digits.replace(/\B(?=(\d{3})+$)/g, ',')
  return n < 0 && text !== '0' ? `-${text}` : text
}

export interface ByteUnit {
  /** '' while the whole problem is smaller than 1 KiB: textbook numbers carry no unit */
  name: '' | 'KiB' | 'MiB' | 'GiB' | 'TiB'
  bytes: number
}

const UNITS: ByteUnit[] = [
  { name: '', bytes: 1 },
  { name: 'KiB', bytes: 1024 },
  { name: 'MiB', bytes: 1024 ** 2 },
  { name: 'GiB', bytes: 1024 ** 3 },
  { name: 'TiB', bytes: 1024 ** 4 },
]
/** A unit is left for the next at this many of it: 1 MiB reads "1,024 KiB", beside parts of it in KiB. */
const UNIT_ROOM = 10240

/** The unit in which amounts up to `max` bytes are read. */
export function byteUnit(max: number): ByteUnit {
  const plain = UNITS[0] as ByteUnit
  if (!(Math.abs(max) >= 1024)) return plain
  for (const unit of UNITS) {
    if (unit !== plain && Math.abs(max) < unit.bytes * UNIT_ROOM) return unit
  }
  return UNITS[UNITS.length - 1] as ByteUnit
}

function decimal(x: number, places: number): string {
  const whole = Math.trunc(x)
  const power = 10 ** places
  const part = Math.round(Math.abs(x - whole) * power)
  if (part === 0) return thousands(whole)
  if (part === power) return thousands(whole + (x < 0 ? -1 : 1))
  const sign = x < 0 && whole === 0 ? '-' : ''
  return `${sign}${thousands(whole)}.${String(part).padStart(places, '0').replace(/0+$/, '')}`
}

/** Bytes in a given unit with at most one decimal: "464 KiB", "24.5 KiB", "12" (no unit). */
export function bytesIn(n: number, unit: ByteUnit): string {
  if (!Number.isFinite(n)) return MISSING
  if (unit.name === '') return thousands(n)
  if (n !== 0 && Math.abs(n) < unit.bytes / 20) return `${thousands(n)} B`
  return `${decimal(n / unit.bytes, 1)} ${unit.name}`
}

/** The same where it is a claim: in the largest unit that needs no rounding, "1.5 KiB" but "2,000 B". */
export function exactly(n: number, unit: ByteUnit): string {
  if (unit.name === '') return bytesIn(n, unit)
  const fine = UNITS.findLast(({ bytes }) => bytes <= unit.bytes && ((n % bytes) * 10) % bytes === 0)
  return fine === undefined || fine.name === '' ? exactBytes(n) : bytesIn(n, fine)
}

/** Bytes in their own unit: "12 B", "464 KiB", "1,024 KiB", "73.5 KiB", "10 MiB". */
export function bytes(n: number): string {
  const unit = byteUnit(n)
  return unit.name === '' && Number.isFinite(n) ? `${thousands(n)} B` : bytesIn(n, unit)
}

/** Bytes to the last one, for tooltips: "436,224 B". */
export function exactBytes(n: number): string {
  return Number.isFinite(n) ? `${thousands(n)} B` : MISSING
}

const SUFFIXES: [number, string][] = [
  [1e15, 'P'],
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
]

/**
 * Label of a ruler tick for numbers up to `max` in steps of `step`: "200k", "1.0M". Falls back to all the digits where the suffix
 * would need more than two decimals to tell two neighbours apart.
 */
export function tickLabel(value: number, step: number, max: number): string {
  if (value === 0) return '0'
  if (!(max >= 10000)) return Number.isInteger(value) ? String(value) : MISSING
  for (const [power, suffix] of SUFFIXES) {
    if (Math.abs(value) < power) continue
    const places = Math.max(power >= 1e6 && step < power ? 1 : 0, Math.ceil(Math.log10(power / step) - 1e-9))
    if (places > 2) return thousands(value)
    return (value / power).toFixed(places) + suffix
  }
  return thousands(value)
}

/** A rate or a count in brief: "950", "12.4 k", "1.08 M". */
export function brief(n: number): string {
  if (!Number.isFinite(n)) return MISSING
  for (const [power, suffix] of SUFFIXES) {
    if (Math.abs(n) >= power) return `${Number((n / power).toPrecision(3))} ${suffix}`
  }
  return thousands(n)
}

/** Wall-clock seconds: "0.9 ms", "0.41 s", "12.3 s", "2 min 5 s". */
export function seconds(s: number): string {
  if (!Number.isFinite(s) || s < 0) return MISSING
  if (s < 0.1) return `${(s * 1000).toFixed(1)} ms`
  if (s < 10) return `${s.toFixed(2)} s`
  if (s < 60) return `${s.toFixed(1)} s`
  const whole = Math.round(s)
  return `${Math.floor(whole / 60)} min ${whole % 60} s`
}

/** A share as percent with two decimals: 0.0125 -> "1.25 %". */
export function percent(share: number): string {
  return Number.isFinite(share) ? `${(share * 100).toFixed(2)} %` : MISSING
}

/** What people read of a pool's id: the main pool has none. */
export const poolName = ({ id }: { id: string }): string => (id === '' ? 'main' : id)

/** A name from outside, fit to be shown: what would end a line or turn the letters after it is written out, as ids are (wasm/client/names.ts). */
export function visible(name: string): string {
  return name.replace(/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu, (letter) => {
    const code = letter.charCodeAt(0)
    return code < 0x80 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
  })
}

/** The beginning of a text, at most so many units of it and no half of a letter that takes two. */
export function beginning(text: string, most: number): string {
  const last = text.charCodeAt(most - 1)
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? most - 1 : most)
}

/** A text that is longer ends in an ellipsis, with which it takes at most so many units. */
export const shortened = (text: string, most: number): string =>
  text.length > most ? `${beginning(text, most - 1)}…` : text

/** A name that is longer, in at most so many units: of a path, whose beginning many share, its last parts; of any other its beginning. */
export function shortName(name: string, most: number): string {
  if (name.length <= most || !name.includes('/')) return shortened(name, most)
  const end = name.slice(1 - most).replace(/^[\udc00-\udfff]/, '')
  return `…${/\/.+/s.exec(end)?.[0] ?? end}`
}
