/**
 * The link: `#v4.<payload>`, payload = base64url(deflate-raw(bytes)); what stands behind an "&" is for the page, not for the search. The
 * bytes are parts, each with a tag and its length in front, in any order, and a checksum. Parts:
 *   1 the problem: 0 text (name, text), 1 example (file), 2 graph (name, text, format, lowering), 3 zoo (id, parameters, lowering); both
 *     of these as options are
 *   2 the run: solver, options (count, then name and value each), capacity, seed, budget
 *   3 where it is looked at: step, digest, steps, ended, last digest, checkpoints (count, then step and 4 bytes of digest each)
 *   4 the profile, which may be missing: id, title, vendor, capacity, reserved, alignment, what it applies to, bank, may cross
 *   5 the view, which may be missing: 0 or 1 and then the four edges of the viewport, tab, colouring, pinned buffers (count, then each)
 *   7 the goal, which is missing where it is to fit: its name
 *   6 what is marked along the search, which may be missing: marks (count, then step and note each), range (0, or 1 and its ends), stops
 *     (count, then kind, on or off, and what it is about)
 * A reader refuses a tag that it does not know: what is shown would lack it. Version 4 had no goal but to fit, version 3 nothing marked, and
 * what has neither is still written so, for pages from before to open it. Version 2 had no view. Version 1 had the contents of the first
 * three parts one after the other. A later version gets its own number; readers of the old ones stay.
 */
import type { AlignBy } from '../../../../wasm/client/types'
import { ByteReader, ByteWriter } from './link_bytes'
import { InvalidInput } from './validation'
import { MARK_LIMIT, type Noted, type Stop, STOP_LIMIT } from '../marks/marks'
import type { Profile } from '../profile/profile'
import { type Checkpoint, parseShared, type Shared, type SharedSource, type SharedView } from './schema'

/** Past this many characters a link breaks in too many places (mail, chat): a file is offered instead. */
export const LINK_LIMIT = 32 * 1024
/** A link's problem, unpacked: enough for what fits the limit, too little for a bomb. */
const UNPACKED_LIMIT = 32 * 2 ** 20
const VERSION = 5
const MARKED = 4
const READERS: Record<number, (from: ByteReader) => Shared> = {
  1: readFlat,
  2: (from) => readParts(from, Tag.View),
  3: (from) => readParts(from, Tag.View),
  [MARKED]: (from) => readParts(from, Tag.Along),
  [VERSION]: (from) => readParts(from, Tag.Goal),
}

/** The least version that can say all of it. */
function versionOf({ goal, marks, stops, range }: Shared): number {
  if (goal !== 'fit') return VERSION
  return marks.length > 0 || stops.length > 0 || range !== null ? MARKED : 3
}

/** long: the problem's text, if it is too long to be handled as a string. */
export type DecodeResult = { ok: true; shared: Shared; long?: Blob } | { ok: false; message: string }

function toBase64url(bytes: Uint8Array): string {
  let binary = ''
  for (let k = 0; k < bytes.length; k += 0x2000) binary += String.fromCharCode(...bytes.subarray(k, k + 0x2000))
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  if (!/^[\w-]*$/.test(text)) throw new InvalidInput('it holds characters that no link has')
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0))
  } catch {
    throw new InvalidInput('it is cut short')
  }
}

/** Pushes bytes through a stream; null if more than `limit` come out. Rejects on damaged input. */
async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
  limit: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader()
  const parts: Uint8Array[] = []
  let length = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    length += value.length
    if (length > limit) {
      await reader.cancel()
      return null
    }
    parts.push(value)
  }
  const all = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

enum Tag {
  Problem = 1,
  Run,
  Look,
  Profile,
  View,
  Along,
  Goal,
}

function writeProblem(out: ByteWriter, source: SharedSource): void {
  if (source.kind === 'text') {
    out.count(0)
    out.text(source.name)
    out.text(source.text)
  } else if (source.kind === 'example') {
    out.count(1)
    out.text(source.file)
  } else if (source.kind === 'graph') {
    out.count(2)
    for (const value of [source.name, source.text, source.format]) out.text(value)
    writeOptions(out, source.lowering)
  } else {
    out.count(3)
    out.text(source.id)
    writeOptions(out, source.options)
    writeOptions(out, source.lowering)
  }
}

function writeOptions(out: ByteWriter, values: Record<string, string>): void {
  const options = Object.entries(values)
  out.count(options.length)
  for (const [name, value] of options) {
    out.text(name)
    out.text(value)
  }
}

function writeRun(out: ByteWriter, shared: Shared): void {
  out.text(shared.solver)
  writeOptions(out, shared.options)
  for (const value of [shared.capacity, shared.seed, shared.budget]) out.count(value)
}

function writeLook(out: ByteWriter, shared: Shared): void {
  out.count(shared.step)
  out.hex(shared.digest)
  out.count(shared.steps)
  out.count(shared.ended ? 1 : 0)
  out.hex(shared.finalDigest)
  out.count(shared.checkpoints.length)
  for (const { step, digest } of shared.checkpoints) {
    out.count(step)
    out.hex(digest)
  }
}

const ALIGN_BY: readonly AlignBy[] = ['offset', 'size', 'both']

function writeProfile(out: ByteWriter, profile: Profile): void {
  for (const value of [profile.id, profile.title, profile.vendor]) out.text(value)
  for (const value of [profile.capacity, profile.reserved, profile.alignment]) out.count(value)
  out.count(ALIGN_BY.indexOf(profile.alignBy))
  out.count(profile.bank)
  out.count(profile.mayCross ? 1 : 0)
}

function writeView(out: ByteWriter, { viewport, tab, colour, pinned }: SharedView): void {
  out.count(viewport === null ? 0 : 1)
  if (viewport !== null) for (const edge of [viewport.t0, viewport.t1, viewport.b0, viewport.b1]) out.real(edge)
  out.text(tab)
  out.text(colour)
  out.count(pinned.length)
  for (const buffer of pinned) out.count(buffer)
}

const STOPS = ['placed', 'tried', 'undone', 'deeper', 'rule', 'section', 'step'] as const satisfies Stop['what'][]

function writeStop(out: ByteWriter, stop: Stop): void {
  out.count(STOPS.indexOf(stop.what))
  out.count(stop.on ? 1 : 0)
  if ('buffer' in stop) out.text(stop.buffer)
  else if (stop.what === 'deeper') out.count(stop.than)
  else if (stop.what === 'section') out.count(stop.section)
  else out.text(stop.what === 'rule' ? stop.rule : stop.event)
}

function writeAlong(out: ByteWriter, { marks, range, stops }: Shared): void {
  out.count(marks.length)
  for (const { step, note } of marks) {
    out.count(step)
    out.text(note)
  }
  out.count(range === null ? 0 : 1)
  if (range !== null) for (const value of [range.from, range.to]) out.count(value)
  out.count(stops.length)
  for (const stop of stops) writeStop(out, stop)
}

function write(shared: Shared): Uint8Array<ArrayBuffer> {
  const out = new ByteWriter()
  const { profile, view } = shared
  out.section(Tag.Problem, (part) => writeProblem(part, shared.source))
  out.section(Tag.Run, (part) => writeRun(part, shared))
  out.section(Tag.Look, (part) => writeLook(part, shared))
  if (profile !== null) out.section(Tag.Profile, (part) => writeProfile(part, profile))
  if (view !== null) out.section(Tag.View, (part) => writeView(part, view))
  if (versionOf(shared) >= MARKED) out.section(Tag.Along, (part) => writeAlong(part, shared))
  if (versionOf(shared) === VERSION) out.section(Tag.Goal, (part) => part.text(shared.goal))
  return out.seal()
}

function readSource(from: ByteReader): SharedSource {
  const kind = from.count()
  if (kind === 0) return { kind: 'text', name: from.text(), text: from.text() }
  if (kind === 1) return { kind: 'example', file: from.text() }
  if (kind === 2) {
    const [name, text, format] = [from.text(), from.text(), from.text()]
    return { kind: 'graph', name, text, format, lowering: readOptions(from) }
  }
  if (kind === 3) return { kind: 'zoo', id: from.text(), options: readOptions(from), lowering: readOptions(from) }
  throw new InvalidInput('the problem is of an unknown kind')
}

function readList<T>(from: ByteReader, max: number, one: () => T): T[] {
  const count = from.count()
  if (count > max) throw new InvalidInput('a list in it is too long')
  return Array.from({ length: count }, one)
}

function readOptions(from: ByteReader): Record<string, string> {
  return Object.fromEntries(readList(from, 64, () => [from.text(), from.text()]))
}

type Raw = Partial<Record<keyof Shared, unknown>>

function readRun(from: ByteReader): Raw {
  return {
    solver: from.text(),
    options: readOptions(from),
    capacity: from.count(),
    seed: from.count(),
    budget: from.count(),
  }
}

function readLook(from: ByteReader): Raw {
  return {
    step: from.count(),
    digest: from.hex(16),
    steps: from.count(),
    ended: from.count() === 1,
    finalDigest: from.hex(16),
    checkpoints: readList(from, 64, (): Checkpoint => ({ step: from.count(), digest: from.hex(8) })),
  }
}

function readProfile(from: ByteReader): Record<keyof Profile, unknown> {
  return {
    id: from.text(),
    title: from.text(),
    vendor: from.text(),
    capacity: from.count(),
    reserved: from.count(),
    alignment: from.count(),
    alignBy: ALIGN_BY[from.count()],
    bank: from.count(),
    mayCross: from.count() === 1,
  }
}

function readView(from: ByteReader): Record<keyof SharedView, unknown> {
  const whole = from.count() === 0
  const viewport = whole ? null : { t0: from.real(), t1: from.real(), b0: from.real(), b1: from.real() }
  return { viewport, tab: from.text(), colour: from.text(), pinned: readList(from, 64, () => from.count()) }
}

/** What parseShared makes of it says whether it is a stop. */
function readStop(from: ByteReader): Record<string, unknown> {
  const what = STOPS[from.count()]
  const on = from.count() === 1
  switch (what) {
    case 'deeper':
      return { what, on, than: from.count() }
    case 'section':
      return { what, on, section: from.count() }
    case 'rule':
      return { what, on, rule: from.text() }
    case 'step':
      return { what, on, event: from.text() }
    default:
      return { what, on, buffer: from.text() }
  }
}

function readAlong(from: ByteReader): Raw {
  return {
    marks: readList(from, MARK_LIMIT, (): Noted => ({ step: from.count(), note: from.text() })),
    range: from.count() === 1 ? { from: from.count(), to: from.count() } : null,
    stops: readList(from, STOP_LIMIT, () => readStop(from)),
  }
}

/** Version 1: one after the other, and neither profile nor view. */
function readFlat(from: ByteReader): Shared {
  const value: Raw = { source: readSource(from), ...readRun(from), ...readLook(from) }
  from.end()
  return parseShared(value)
}

function readPart(tag: number, part: ByteReader): Raw {
  switch (tag) {
    case Tag.Problem:
      return { source: readSource(part) }
    case Tag.Run:
      return readRun(part)
    case Tag.Look:
      return readLook(part)
    case Tag.Profile:
      return { profile: readProfile(part) }
    case Tag.View:
      return { view: readView(part) }
    case Tag.Along:
      return readAlong(part)
    case Tag.Goal:
      return { goal: part.text() }
    default:
      throw new InvalidInput('it has a part of a kind that is not known here')
  }
}

/** last: the last tag that there was in this version. */
function readParts(from: ByteReader, last: Tag): Shared {
  const value: Raw = {}
  const seen = new Set<number>()
  for (let next = from.section(); next !== null; next = from.section()) {
    if (seen.has(next.tag)) throw new InvalidInput('it has a part twice')
    seen.add(next.tag)
    Object.assign(value, readPart(next.tag > last ? 0 : next.tag, next.part))
    next.part.end()
  }
  return parseShared(value)
}

/** The part after "#". */
export async function encodeLink(shared: Shared): Promise<string> {
  const packed = await through(write(shared), new CompressionStream('deflate-raw'), Number.POSITIVE_INFINITY)
  return `v${versionOf(shared)}.${toBase64url(packed ?? new Uint8Array())}`
}

/** Never throws: whatever arrives gives a problem to open or a sentence to show. */
export async function decodeLink(fragment: string): Promise<DecodeResult> {
  const match = /^v(\d{1,6})\.([^&]*)/.exec(fragment)
  if (match === null) return { ok: false, message: 'This is not a link that Arenascope knows.' }
  const version = Number(match[1])
  const read = READERS[version]
  if (read === undefined) {
    const why =
      version > VERSION
        ? 'comes from a later version of Arenascope. Reload the page to get it'
        : 'has an unknown version'
    return { ok: false, message: `This link ${why}.` }
  }
  try {
    const bytes = fromBase64url(match[2] ?? '')
    const unpacked = await through(bytes, new DecompressionStream('deflate-raw'), UNPACKED_LIMIT)
    if (unpacked === null) return { ok: false, message: 'This link holds more than a link may.' }
    return { ok: true, shared: read(ByteReader.open(unpacked)) }
  } catch (error) {
    const why = error instanceof InvalidInput ? error.message : 'it is cut short or changed'
    return { ok: false, message: `This link cannot be read: ${why}.` }
  }
}

/** What a file holds as JSON. */
export const fileValue = (shared: Shared) => ({ arenascope: versionOf(shared), ...shared })

/** The same content as a file, for what is too large for a link. */
export function encodeFile(shared: Shared): string {
  return `${JSON.stringify(fileValue(shared), null, 1)}\n`
}

export function decodeFile(text: string): DecodeResult {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return NO_JSON
  }
  return decodeValue(value)
}

export const NO_JSON = { ok: false, message: 'This file cannot be read: it is cut short or no JSON.' } as const

export function decodeValue(value: unknown): DecodeResult {
  try {
    const version = typeof value === 'object' && value !== null && 'arenascope' in value ? value.arenascope : undefined
    // what earlier versions lack, parseShared takes for none
    if (typeof version !== 'number' || READERS[version] === undefined)
      return { ok: false, message: 'This file comes from another version of Arenascope.' }
    return { ok: true, shared: parseShared(value) }
  } catch (error) {
    const why = error instanceof InvalidInput ? error.message : 'it is cut short or no JSON'
    return { ok: false, message: `This file cannot be read: ${why}.` }
  }
}
