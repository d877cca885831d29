import { Refusal } from '../refusal'
import type { Source } from '../source'

/** What a text is, from its beginning. */
const HEAD = 1 << 16
/** Texts are read whole: this is far beyond a million rows. */
const MOST = 2 ** 28

const decoder = new TextDecoder()

export function textOf(source: Source): string {
  if (source.size > MOST) throw new Refusal(`the text is longer than ${MOST} bytes.`)
  return decoder.decode(source.read(0, source.size))
}

export function head(source: Source): string {
  return decoder.decode(source.read(0, Math.min(HEAD, source.size)))
}

/** No text of ours has control characters other than those that end lines and fields. */
function isText(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return !/[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(text)
}

export function looksLikeJson(source: Source): boolean {
  const text = head(source)
  return isText(text) && /^\s*[{[]/.test(text)
}

/** A line of GreedyMemoryPlanner::PrintMemoryPlan, behind whatever the device's log puts before it. */
export const TFLM_LINE = /\(id=(\d+)\): size=(\d+), offset=(-?\d+), first_used=(-?\d+) last_used=(-?\d+)/

export function isTflmLog(source: Source): boolean {
  const text = head(source)
  return isText(text) && TFLM_LINE.test(text)
}

/** The line over a table of Vela's: since version 3, before it, and since version 5, there also of constants. */
export const VELA_TITLE =
  /^(?:Tensor Allocation for mem_area (\S+?), of mem_type_set \(([^)]*)\)|allocation for (?:MemArea\.)?(\S+) - (non-constant|constant) tensors |Allocation, memory (\S+), usage mask: |Tensor Allocation for (read-only) NPU tensors:)/

export function isVelaTable(source: Source): boolean {
  const text = head(source)
  return isText(text) && text.split(/\r?\n/).some((line) => VELA_TITLE.test(line))
}

/** The core says what is wrong with it, with line and column; here it is enough that it could be one. */
export function isCsv(source: Source): boolean {
  const text = head(source)
  return isText(text) && /[,;\t]/.test(text)
}

/** An allocation of XLA's, and the heading above its live ranges. */
export const XLA_ALLOCATION = /^allocation (\d+): size (\d+)(.*):\s*$/
export const XLA_RANGES = /^\s*BufferLiveRange:\s*$/

/** Instructions come before the ranges, more than a head holds. */
export function isXlaDump(source: Source): boolean {
  const text = head(source)
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
