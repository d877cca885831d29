/**
 * Names of fields, cut short for links: a name's place in this list, in base 36. It only grows, at its end. A name that is not here travels as
 * it is, so that a new field needs no place.
 */
const NAMES =
  'source solver capacity step digest steps finalDigest kind file ended checkpoints view name text options lowering viewport tab colour pinned t0 t1 b0 b1 profile goal seed budget marks note stops what on range from to id title vendor reserved alignment alignBy bank mayCross format buffer than rule section event message ask question hint answer compare lanes choice'.split(
    ' ',
  )
/** Tables whose keys are no fields. */
const TABLES = new Set(['options', 'lowering'])

const CODES = new Map(NAMES.map((name, k) => [name, k.toString(36)]))
const LONG = new Map(NAMES.map((name, k) => [k.toString(36), name]))

function renamed(value: unknown, key: (key: string) => string, isTable: (key: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((one) => renamed(one, key, isTable))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([own, one]) => [key(own), isTable(own) ? one : renamed(one, key, isTable)])
  return Object.fromEntries(entries)
}

/** Of JSON values. */
export const shortened = (value: unknown): unknown =>
  renamed(
    value,
    (key) => CODES.get(key) ?? key,
    (key) => TABLES.has(key),
  )

/** The other way. */
export const lengthened = (value: unknown): unknown =>
  renamed(
    value,
    (key) => LONG.get(key) ?? key,
    (key) => TABLES.has(LONG.get(key) ?? key),
  )
