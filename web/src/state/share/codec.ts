/**
 * Links and files. A link is `#s1.<payload>`: s and the version, payload = base64url(deflate(JSON)), whose Adler-32 finds damage; what stands
 * behind an "&" is for the page, not for the search (url_flags.ts). The names of fields are cut short (short_keys.ts). A file is the same JSON,
 * unpacked and with the names as they are. What either holds is in schema.ts. A version that says more gets its own number, and a reader of the
 * older ones stays.
 */
import { brief, parseShared, reasonOf, type Shared } from './schema'
import { lengthened, shortened } from './short_keys'

/** Past this many characters a link breaks in too many places (mail, chat): a file is offered instead. */
export const LINK_LIMIT = 32 * 1024
/** A link's JSON, unpacked: a problem of a million characters (run/share/link.ts makes none of more), and too little for a bomb to be felt. */
const UNPACKED_LIMIT = 4 * 2 ** 20
const VERSION = 1

/** long: the problem's text, if it is too long to be handled as a string. */
export type DecodeResult = { ok: true; shared: Shared; long?: Blob } | { ok: false; message: string }

const no = (message: string): DecodeResult => ({ ok: false, message })

function toBase64url(bytes: Uint8Array): string {
  let binary = ''
  for (let k = 0; k < bytes.length; k += 0x2000) binary += String.fromCharCode(...bytes.subarray(k, k + 0x2000))
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** null: it is cut short. */
function fromBase64url(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0))
  } catch {
    return null
  }
}

/** Bytes that go through a stream in one go: deflate makes a thousand of each at most, and a browser unpacks all that it is given before it is asked to stop. */
const SLICE = 1024

function sliced(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0
  return new ReadableStream({
    pull(out) {
      if (at < bytes.length) out.enqueue(bytes.slice(at, at + SLICE))
      else out.close()
      at += SLICE
    },
  })
}

/** Pushes bytes through a stream; null if more than `limit` come out. Rejects on damaged input. */
async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
  limit: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const reader = sliced(bytes).pipeThrough(stream).getReader()
  const parts: BlobPart[] = []
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
  return new Uint8Array(await new Blob(parts).arrayBuffer())
}

/** The part after "#". */
export async function encodeLink(shared: Shared): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(shortened(brief(shared))))
  const packed = await through(bytes, new CompressionStream('deflate'), Number.POSITIVE_INFINITY)
  return `s${VERSION}.${toBase64url(packed ?? new Uint8Array())}`
}

const OLDER = 'was made by an older version of Arenascope, which was never released, and cannot be read any more.'
const LATER = 'comes from a later version of Arenascope. Reload the page to get it.'
const DAMAGED = 'This link cannot be read: it is cut short or changed.'

async function unpack(payload: string): Promise<DecodeResult> {
  if (!/^[\w-]*$/.test(payload)) return no('This link cannot be read: it holds characters that no link has.')
  const bytes = fromBase64url(payload)
  const unpacked = bytes && (await through(bytes, new DecompressionStream('deflate'), UNPACKED_LIMIT))
  if (bytes === null) return no(DAMAGED)
  if (unpacked === null) return no('This link holds more than a link may.')
  const json = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(unpacked)
  return { ok: true, shared: parseShared(lengthened(JSON.parse(json))) }
}

/** Never throws: whatever arrives gives a problem to open or a sentence to show. */
export async function decodeLink(fragment: string): Promise<DecodeResult> {
  if (/^v\d{1,6}\./.test(fragment)) return no(`This link ${OLDER}`)
  const match = /^s(\d{1,6})\.([^&]*)/.exec(fragment)
  if (match === null) return no('This is not a link that Arenascope knows.')
  const version = Number(match[1])
  if (version > VERSION) return no(`This link ${LATER}`)
  if (version !== VERSION) return no('This link has an unknown version.')
  try {
    return await unpack(match[2] ?? '')
  } catch (error) {
    const why = reasonOf(error)
    return no(why === '' ? DAMAGED : `This link cannot be read: ${why}.`)
  }
}

/** What a file holds as JSON. All fields are written out: a file may be read by others. */
export const fileValue = (shared: Shared) => ({ arenascope: 'search', version: VERSION, ...shared })

/** The same content as a file, for what is too large for a link. */
export function encodeFile(shared: Shared): string {
  return `${JSON.stringify(fileValue(shared), null, 1)}\n`
}

export const NO_JSON = { ok: false, message: 'This file cannot be read: it is cut short or no JSON.' } as const

export function decodeFile(text: string): DecodeResult {
  try {
    return decodeValue(JSON.parse(text))
  } catch {
    return NO_JSON
  }
}

/** Never throws. */
export function decodeValue(value: unknown): DecodeResult {
  const { arenascope, version } = (value ?? {}) as { arenascope?: unknown; version?: unknown }
  if (typeof arenascope === 'number') return no(`This file ${OLDER}`)
  if (arenascope !== 'search' || typeof version !== 'number') return no('This file is none of Arenascope’s.')
  if (version > VERSION) return no(`This file ${LATER}`)
  if (version !== VERSION) return no('This file has an unknown version.')
  try {
    return { ok: true, shared: parseShared(value) }
  } catch (error) {
    return no(`This file cannot be read: ${reasonOf(error) || 'it is damaged'}.`)
  }
}
