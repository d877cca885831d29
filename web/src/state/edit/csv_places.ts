/**
 * Where a buffer CSV has what. Lines, separators, quotes and names of columns are those of the core's reader (core/src/io/README.md), but
 * what is given are places in the text, so that a part of it can be replaced and all else stays as it was written.
 */
import { memo } from '../../base/memo'

/** The columns that can be edited one by one, in the order of the table. */
export const COLUMNS = ['id', 'lower', 'upper', 'size', 'alignment', 'offset', 'pool', 'shape'] as const
export type Column = (typeof COLUMNS)[number]

const NAMES: Record<string, Column> = {
  id: 'id',
  buffer: 'id',
  buffer_id: 'id',
  lower: 'lower',
  start: 'lower',
  begin: 'lower',
  upper: 'upper',
  end: 'upper',
  size: 'size',
  alignment: 'alignment',
  offset: 'offset',
  pool: 'pool',
  shape: 'shape',
}

/** A cell without the blanks around it; its quotes belong to it. */
export interface Field {
  from: number
  to: number
  /** without quotes, doubled ones are one */
  value: string
}

interface Row {
  fields: Field[]
  /** before its line break */
  end: number
  /** behind it */
  next: number
}

export interface Places {
  text: string
  separator: string
  /** as often as the header has cells; null: none that is edited here */
  columns: (Column | null)[]
  /** the column of ends holds the last time at which a buffer lives */
  inclusive: boolean
  /** begins of the header's record and of each buffer's, by row: row k + 1 is buffer k */
  rows: number[]
}

const isBreak = (c: string | undefined) => c === '\n' || c === '\r'

function behindBreak(text: string, at: number): number {
  return at + (text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1)
}

/** Behind blank lines and comments: the begin of a line with something in it, or the end. */
function passIdle(text: string, from: number): number {
  let line = from
  while (line < text.length) {
    let at = line
    while (text[at] === ' ' || text[at] === '\t') at++
    if (text[at] === '#') while (at < text.length && !isBreak(text[at])) at++
    else if (at < text.length && !isBreak(text[at])) return line
    if (at >= text.length) return at
    line = behindBreak(text, at)
  }
  return line
}

function separatorOf(text: string, from: number): string {
  const count: Record<string, number> = { ',': 0, ';': 0, '\t': 0 }
  let quoted = false
  for (let at = from; at < text.length && (quoted || !isBreak(text[at])); at++) {
    const c = text[at] as string
    if (c === '"') quoted = !quoted
    else if (!quoted && c in count) count[c] = (count[c] ?? 0) + 1
  }
  const { ',': commas = 0, ';': semicolons = 0, '\t': tabs = 0 } = count
  if (semicolons > commas && semicolons >= tabs) return ';'
  return tabs > commas ? '\t' : ','
}

/** The place behind the closing quote, of which a doubled one is none. */
function behindQuote(text: string, from: number): number {
  let at = from + 1
  while (at < text.length) {
    if (text[at] !== '"') at++
    else if (text[at + 1] === '"') at += 2
    else return at + 1
  }
  return at
}

/** The record that begins at `from`. keep: false when only its end is wanted. */
function rowAt(text: string, from: number, separator: string, keep = true): Row {
  const blank = (c: string | undefined) => c === ' ' || (c === '\t' && separator !== '\t')
  const fields: Field[] = []
  let at = from
  for (;;) {
    while (blank(text[at])) at++
    const begin = at
    const quoted = text[at] === '"'
    if (quoted) at = behindQuote(text, at)
    const closed = at
    while (at < text.length && text[at] !== separator && !isBreak(text[at])) at++
    let to = quoted ? closed : at
    while (!quoted && to > begin && blank(text[to - 1])) to--
    if (keep) {
      const raw = text.slice(begin, to)
      fields.push({ from: begin, to, value: quoted ? raw.slice(1, -1).replaceAll('""', '"') : raw })
    }
    if (text[at] !== separator) break
    at++
  }
  return { fields, end: at, next: at < text.length ? behindBreak(text, at) : at }
}

/** A record of nothing but separators is passed over. */
function holdsSomething(text: string, from: number, end: number, separator: string): boolean {
  for (let at = from; at < end; at++) if (!`${separator} \t`.includes(text[at] as string)) return true
  return false
}

/** A row above the header, which names one of the columns that every file has, too. */
function declaresPool([first, ...others]: Field[]): boolean {
  const needed = others.filter(({ value }) =>
    ['id', 'lower', 'upper', 'size'].includes(NAMES[value.toLowerCase()] ?? ''),
  )
  return first?.value.toLowerCase() === 'pool' && needed.length === 0 && others.length > 0 && others.length < 5
}

/** The places of a text that the core has read as buffers. O(characters). */
export const placesOf = memo((text: string): Places => {
  const start = passIdle(text, text.startsWith('\ufeff') ? 1 : 0)
  const separator = separatorOf(text, start)
  const rows: number[] = []
  for (let at = start; at < text.length; at = passIdle(text, at)) {
    const { end, next } = rowAt(text, at, separator, false)
    if (holdsSomething(text, at, end, separator)) rows.push(at)
    at = next
  }
  while (rows.length > 1 && declaresPool(rowAt(text, rows[0] as number, separator).fields)) rows.shift()
  const header = start < text.length ? rowAt(text, rows[0] ?? start, separator).fields : []
  const names = header.map(({ value }) => value.toLowerCase())
  return {
    text,
    separator,
    columns: names.map((name) => NAMES[name] ?? null),
    inclusive: names.includes('end'),
    rows,
  }
})

/** The record of a buffer; -1: the header's. */
export function recordOf(places: Places, buffer: number): Row & { from: number } {
  const from = places.rows[buffer + 1]
  if (from === undefined) throw new Error(`the text has no buffer ${buffer}`)
  return { from, ...rowAt(places.text, from, places.separator) }
}
