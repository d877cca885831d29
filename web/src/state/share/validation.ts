/** The door for what comes from outside, as much of it as is always needed: what is it, and is a value what it should be? */
import type { Viewport } from '../../layout/scene'
import { MAX_BYTES } from '../page/quantity'
import type { ModelOrigin } from '../workbench_values'

/** True if the part after "#" claims to be a link of some version. */
export function looksLikeLink(fragment: string): boolean {
  return /^v\d+\./.test(fragment)
}

/** True if the part after "#" asks for a lesson. */
export function namesLesson(fragment: string): boolean {
  return fragment.startsWith('lesson=')
}

/** Whether a dropped text is a shared file rather than a CSV. */
export function looksLikeFile(text: string): boolean {
  return /^\s*\{\s*"arenascope"\s*:/.test(text.slice(0, 200))
}

/** So much of the beginning of a file tells what it is, in characters. */
export const HEAD = 65536

/** No text: bytes that are none in UTF-8, or control characters that no text has. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const BINARY = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\ufffd]/
/** JSON, a line of TFLite Micro's PrintMemoryPlan, the title of one of Vela's tables. */
const FOREIGN = /^\s*[{[]|\(id=\d+\): size=\d+, offset=|^(Tensor )?allocation for /im

/**
 * What a text is, as far as its beginning tells: a search that was shared, a graph as the core reads it, something that an importer has
 * to look at, or buffers, which is what the core takes all else for, to say what is wrong with it.
 */
export function kindOfText(text: string): 'shared' | 'graph' | 'foreign' | 'buffers' {
  if (looksLikeFile(text)) return 'shared'
  const head = text.slice(0, HEAD)
  if (BINARY.test(head) || FOREIGN.test(head)) return 'foreign'
  const lines = head.split(/\r\n|\n|\r/).map((line) => line.replace(/^\ufeff/, '').trim())
  const first = lines.find((line) => line !== '' && !line.startsWith('#')) ?? ''
  return /^"?(tensor|op)"?\s*,/.test(first) ? 'graph' : 'buffers'
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

/** Where a model's graph came from. */
export function modelOrigin(value: unknown): ModelOrigin {
  const from = record(value)
  if (from.kind === 'file') return { kind: 'file', format: text(from.format, 'the format', NAME_LIMIT) }
  if (from.kind !== 'zoo') throw new DoorError('the model comes from nowhere that is known')
  return { kind: 'zoo', id: text(from.id, 'the network', NAME_LIMIT), options: optionValues(from.options) }
}

function edge(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new DoorError('an edge of the view is no number')
  return value
}

/** Throws DoorError. */
export function parseViewport(value: unknown): Viewport | null {
  if (value === null) return null
  const from = record(value)
  const made = { t0: edge(from.t0), t1: edge(from.t1), b0: edge(from.b0), b1: edge(from.b1) }
  if (!(made.t0 < made.t1 && made.b0 < made.b1)) throw new DoorError('the view shows nothing')
  return made
}
