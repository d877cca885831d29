import { Refusal } from '../refusal'
import type { Source } from '../source'

/** What a text is, from its beginning. */
const HEAD = 1 << 16
/** Texts are read whole: this is far beyond a million rows. */
const MOST = 2 ** 28

const decoders = {
  'utf-8': new TextDecoder(),
  'utf-16le': new TextDecoder('utf-16le'),
  'utf-16be': new TextDecoder('utf-16be'),
}

/** By its mark: what PowerShell redirects into a file is UTF-16. */
function decoded(bytes: Uint8Array): string {
  const mark = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0)
  return decoders[mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : 'utf-8'].decode(bytes)
}

/** Of the text that was read last: several readers look for their own in it. */
const whole = new WeakMap<Source, string>()

export function textOf(source: Source): string {
  if (source.size > MOST) throw new Refusal(`the text is longer than ${MOST} bytes.`)
  const text = whole.get(source) ?? decoded(source.read(0, source.size))
  whole.set(source, text)
  return text
}

export function head(source: Source): string {
  return decoded(source.read(0, Math.min(HEAD, source.size)))
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const COLOURS = /\u001b\[[\d;?]*[A-Za-z]/g

const plain = (text: string) => (text.includes('\u001b[') ? text.replace(COLOURS, '') : text)

/** What a tool printed, without a terminal's colours. */
export const logOf = (source: Source): string => plain(textOf(source))

/** No text of ours has control characters other than those that end lines and fields. */
function isText(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return !/[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(text)
}

/** Whether a tool's log has such a line, which may stand far below what else it printed. word: a part of the line. */
function isLogWith(source: Source, word: string, line: RegExp): boolean {
  const text = plain(head(source))
  if (!isText(text)) return false
  if (line.test(text)) return true
  return source.size > HEAD && source.size <= MOST && textOf(source).includes(word) && line.test(logOf(source))
}

/** A bracket may also begin a line of a log: “[12:00:00] …”. */
export function looksLikeJson(source: Source): boolean {
  const text = head(source)
  return isText(text) && /^\s*(\{|\[\s*([[{\]"]|$))/.test(text)
}

/** A line of GreedyMemoryPlanner::PrintMemoryPlan, behind whatever the device's log puts before it. */
export const TFLM_LINE = /\(id=(\d+)\): size=(\d+), offset=(-?\d+), first_used=(-?\d+) last_used=(-?\d+)/

export const isTflmLog = (source: Source): boolean => isLogWith(source, '(id=', TFLM_LINE)

/** The line over a table of Vela's: since version 3, before it, and since version 5, there also of constants; behind whatever a log puts before it. */
export const VELA_TITLE =
  /(?:^|[\s\]|>:])(?:Tensor Allocation for mem_area (\S+?), of mem_type_set \(([^)\n]{0,200})\)|allocation for (?:MemArea\.)?(\S+) - (non-constant|constant) tensors |Allocation, memory (\S+), usage mask: |Tensor Allocation for (read-only) NPU tensors:)/m

export const isVelaTable = (source: Source): boolean => isLogWith(source, 'llocation', VELA_TITLE)

/** The core says what is wrong with it, with line and column; here it is enough that it could be one. */
export function isCsv(source: Source): boolean {
  const text = head(source)
  return isText(text) && /[,;\t]/.test(text)
}

/** An allocation of XLA's, and the heading above its live ranges. */
export const XLA_ALLOCATION = /^allocation (\d+): size (\d+)(.*):\s*$/
export const XLA_RANGES = /^\s*BufferLiveRange:\s*$/

/** What XLA's own log puts before each line. */
export const XLA_PREFIX = /^[IWEF]\d{4}\b[^\]\n]*\] ?/gm

/** Instructions come before the ranges, more than a head holds. */
export function isXlaDump(source: Source): boolean {
  const text = plain(head(source)).replace(XLA_PREFIX, '')
  return (
    isText(text) &&
    (/^BufferAssignment:\s*$|^allocation \d+: size \d+/m.test(text) || /^\s*HloLiveRange \(max \d+\):/m.test(text))
  )
}

const IREE_PACK = 'stream.resource.pack'

/** The operation may stand far down in the IR. */
export function isIreeText(source: Source): boolean {
  if (source.size > MOST) return false
  const text = head(source)
  return (
    isText(text) &&
    (text.includes(IREE_PACK) || (/\b(stream|util|hal)\.\w+/.test(text) && textOf(source).includes(IREE_PACK)))
  )
}
