/** The door for what comes from outside, as much of it as is always needed: what is it, and is a value what it should be? */
import { MAX_BYTES } from './quantity'

/** True if the part after "#" claims to be a link of some version. */
export function looksLikeLink(fragment: string): boolean {
  return /^v\d+\./.test(fragment)
}

/** Whether a dropped text is a shared file rather than a CSV. */
export function looksLikeFile(text: string): boolean {
  return /^\s*\{\s*"arenascope"\s*:/.test(text.slice(0, 200))
}

export class DoorError extends Error {}

/** Characters of a solver's or an option's name. */
export const NAME_LIMIT = 64
const OPTIONS = 64
const VALUE_LIMIT = 1024

export function record(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new DoorError('expected an object')
  return value as Record<string, unknown>
}

export function text(value: unknown, field: string, max: number): string {
  if (typeof value !== 'string' || value.length > max)
    throw new DoorError(`${field} is not a text of at most ${max} characters`)
  return value
}

export function whole(value: unknown, field: string, max = MAX_BYTES): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0 || value > max) {
    throw new DoorError(`${field} is not a whole number from 0 to ${max}`)
  }
  return value
}

export function optionValues(value: unknown): Record<string, string> {
  const entries = Object.entries(record(value))
  if (entries.length > OPTIONS) throw new DoorError('there are too many options')
  return Object.fromEntries(
    entries.map(([name, v]) => [text(name, 'an option name', NAME_LIMIT), text(v, `option ${name}`, VALUE_LIMIT)]),
  )
}
