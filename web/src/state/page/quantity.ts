/** Numbers as people type them. */

export const MAX_BYTES = 9007199254740991
export type Parsed = { ok: true; value: number } | { ok: false; message: string }

const UNITS: Record<string, number> = {
  '': 1,
  b: 1,
  k: 2 ** 10,
  kib: 2 ** 10,
  m: 2 ** 20,
  mib: 2 ** 20,
  g: 2 ** 30,
  gib: 2 ** 30,
  tib: 2 ** 40,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
}

/** What was typed without the signs between its thousands; null where a sign stands anywhere else: 1,5 is not 15. */
function withoutGroups(digits: string): string | null {
  if (/^\d+$/.test(digits)) return digits
  return /^[1-9]\d{0,2}([,_' ])\d{3}(?:\1\d{3})*$/.test(digits) ? digits.replace(/\D/g, '') : null
}

/** Reads "1048576", "1,024 KiB", "1.5 MiB", "0x400": bytes, 1 to 2^53 - 1. KB, MB, GB are powers of ten. */
export function parseBytes(text: string): Parsed {
  const hex = /^\s*0x[0-9a-f]+\s*$/i.test(text)
  const match = /^\s*([0-9][0-9,_' ]*?)(\.[0-9]+)?\s*([a-z]*)\s*$/i.exec(hex ? String(Number(text)) : text)
  const [, typed = '', decimals = '', name = ''] = match ?? []
  const whole = withoutGroups(typed)
  if (whole === null) return { ok: false, message: 'expected a number of bytes, like 1,500,000 or 1.5 MiB' }
  const unit = UNITS[name.toLowerCase()]
  if (unit === undefined) return { ok: false, message: `unknown unit “${name}”, expected B, KiB, MiB or GiB` }
  const value = Number(whole + decimals) * unit
  if (!Number.isInteger(value)) return { ok: false, message: 'expected a whole number of bytes' }
  if (value < 1 || value > MAX_BYTES) return { ok: false, message: 'expected 1 to 9,007,199,254,740,991 bytes' }
  return { ok: true, value }
}

/** Reads a whole number within [min, max]; thousands may be parted by commas. */
export function parseCount(text: string, min: number, max: number): Parsed {
  const [, sign = '', digits = ''] = /^\s*(-?)(.*?)\s*$/.exec(text) ?? []
  const whole = withoutGroups(digits)
  const value = whole === null ? Number.NaN : Number(sign + whole)
  if (!Number.isSafeInteger(value) || value < min || value > max) {
    return {
      ok: false,
      message: `expected a whole number from ${min.toLocaleString('en')} to ${max.toLocaleString('en')}`,
    }
  }
  return { ok: true, value }
}

/** The shortest exact way to write a capacity: whole KiB or MiB where it is, bytes otherwise. parseBytes reads it back. */
export function capacityText(value: number): string {
  if (value >= 10 * 2 ** 20 && value % 2 ** 20 === 0) return `${(value / 2 ** 20).toLocaleString('en')} MiB`
  if (value >= 1024 && value % 1024 === 0) return `${(value / 1024).toLocaleString('en')} KiB`
  return value.toLocaleString('en')
}
