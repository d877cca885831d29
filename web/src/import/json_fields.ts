/** JSON of a file, and the values in it: what is not as it should be is refused with its place. */
import { shortened } from '../base/format'
import { plainName } from './names'
import { Refusal } from './refusal'
import type { Source } from './source'
import { textOf } from './text/sniff'

const MOST = 1 << 20
const MOST_BYTES = 255

export type Fields = Readonly<Record<string, unknown>>

export function object(value: unknown, place: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Refusal(`${place} is ${shown(value)}, expected an object.`)
  return value as Fields
}

export function list(value: unknown, place: string): readonly unknown[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw new Refusal(`${place} is ${shown(value)}, expected a list.`)
  if (value.length > MOST) throw new Refusal(`${place} has ${value.length} items, at most ${MOST} can be read.`)
  return value
}

export function shown(value: unknown): string {
  if (value === undefined) return 'missing'
  // not in words of its own: it may be nested more deeply than can be written
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object'
  const text = JSON.stringify(value)
  return shortened(text, 41)
}

export function text(value: unknown, place: string): string {
  if (typeof value !== 'string' || value === '' || plainName(value) !== value)
    throw new Refusal(
      `${place} is ${shown(value)}, expected a text of 1 to ${MOST_BYTES} bytes without control characters.`,
    )
  return value
}

export function count(value: unknown, place: string, least: number): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < least)
    throw new Refusal(`${place} is ${shown(value)}, expected a whole number of at least ${least}.`)
  return value
}

/** Throws Refusal. */
export function parse(source: Source): unknown {
  try {
    return JSON.parse(textOf(source).replace(/^\ufeff/, ''))
  } catch (error) {
    if (error instanceof SyntaxError) throw new Refusal(`this is no JSON: ${error.message}`)
    throw error
  }
}
