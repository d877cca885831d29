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

/** By its mark, as what PowerShell redirects into a file is UTF-16; without one by where an ASCII letter has its zero. */
function encodingOf([first = 0, second = 0, third = 1, fourth = 1]: Uint8Array): keyof typeof decoders {
  const mark = (first << 8) | second
  const half = (letter: number, zero: number) => letter >= 0x09 && letter < 0x7f && zero === 0
  if (mark === 0xfffe || (half(first, second) && half(third, fourth))) return 'utf-16le'
  return mark === 0xfeff || (half(second, first) && half(fourth, third)) ? 'utf-16be' : 'utf-8'
}

/** Without the zeros or the mark of DOS that its end may be filled with. */
function decoded(bytes: Uint8Array): string {
  const text = decoders[encodingOf(bytes)].decode(bytes)
  let end = text.length
  while (text[end - 1] === '\0' || text[end - 1] === '\u001a') end--
  return text.slice(0, end)
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

function plain(text: string): string {
  const bare = text.includes('\u001b[') ? text.replace(COLOURS, '') : text
  // a progress bar begins its line again by a return alone
  return bare.includes('\r') ? bare.replace(/\r+\n?/g, '\n') : bare
}

/** What a tool printed, without a terminal's colours, its lines ended by \\n. */
export const logOf = (source: Source): string => plain(textOf(source))

/** Other than those that end lines and fields. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/g

const isText = (text: string) => text.search(CONTROLS) < 0
/** A device's log may have some noise of its line. */
const isLog = (text: string) => (text.match(CONTROLS)?.length ?? 0) <= text.length >> 5

/** Whether a tool's log has such a line, which may stand far below what else it printed. word: a part of the line. */
function isLogWith(source: Source, word: string, line: RegExp): boolean {
  const text = plain(head(source))
  if (!isLog(text)) return false
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

const XLA_LINE =
  /^(?:[IWEF]\d{4}\b[^\]\n]*\] ?)?(?:BufferAssignment:\s*$|allocation \d+: size \d+|\s*HloLiveRange \(max \d+\):)/m
/** Of the files that XLA writes beside these two: of each value its uses, and what takes how much. */
const XLA_BESIDE =
  /^<\d+ \S+ @\d+>\r?\n positions:|^Memory Space: .* \(color=\d+\)|^\s*cumulative_size; +size; +offset;/m

export const isXlaBeside = (source: Source): boolean => XLA_BESIDE.test(head(source))

/** Instructions come before the ranges, and a log or another module before either. */
export const isXlaDump = (source: Source): boolean =>
  isLogWith(source, 'BufferAssignment:', XLA_LINE) || isLogWith(source, 'HloLiveRange (max', XLA_LINE)

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
