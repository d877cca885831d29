/**
 * Changes of a problem as changes of its text: edit(text, change) is the text with that change and with nothing else touched, so that
 * unknown columns, comments, blanks and the order of lines stay. The text is the truth; the core reads it again after every change.
 */
import { type Column, COLUMNS, placesOf, type Places, recordOf } from './csv_places'

/** null: empty, that is no alignment, no fixed offset. upper is the first time at which the buffer lives no more, whatever the file has. */
export type Values = Partial<Record<Column, number | string | null>>

export type Change =
  | { kind: 'set'; buffer: number; values: Values }
  /** at the end */
  | { kind: 'add'; values: Values }
  /** each behind its original, under a new id and not fixed */
  | { kind: 'duplicate'; buffers: readonly number[] }
  | { kind: 'delete'; buffers: readonly number[] }

/** A piece of the text and what takes its place. */
interface Splice {
  from: number
  to: number
  text: string
}

const ID_BYTES = 255

/** Quoted where the reader, or another one, would need it. */
function cellText(text: string): string {
  return /[,;\t"\r\n]|^[\s#]|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function written(places: Places, column: Column, value: number | string | null): string {
  if (value === null) return ''
  if (typeof value === 'string') return cellText(value)
  return String(column === 'upper' && places.inclusive ? value - 1 : value)
}

function splice(text: string, splices: Splice[]): string {
  const pieces: string[] = []
  let at = 0
  for (const part of splices.sort((x, y) => x.from - y.from || x.to - y.to)) {
    pieces.push(text.slice(at, part.from), part.text)
    at = part.to
  }
  return pieces.join('') + text.slice(at)
}

/** A column of which the change speaks and which the file does not have yet comes behind the others, empty. */
function withColumns(text: string, values: Values): string {
  const places = placesOf(text)
  const more = COLUMNS.filter((column) => (values[column] ?? null) !== null && !places.columns.includes(column))
  if (more.length === 0) return text
  const { separator } = places
  return splice(
    text,
    places.rows.map((_, row) => {
      const { end } = recordOf(places, row - 1)
      const cells = more.map((column) => separator + (row === 0 ? column : ''))
      return { from: end, to: end, text: cells.join('') }
    }),
  )
}

function set(before: string, buffer: number, values: Values): string {
  const text = withColumns(before, values)
  const places = placesOf(text)
  const { fields } = recordOf(places, buffer)
  const splices = places.columns.flatMap((column, k): Splice[] => {
    const value = column === null ? undefined : values[column]
    const field = fields[k]
    if (column === null || value === undefined || field === undefined) return []
    return [{ from: field.from, to: field.to, text: written(places, column, value) }]
  })
  return splice(text, splices)
}

/** The line break that the file uses. */
function breakOf(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n'
}

function add(before: string, values: Values): string {
  const text = withColumns(before, values)
  const places = placesOf(text)
  const cells = places.columns.map((column) => (column === null ? '' : written(places, column, values[column] ?? null)))
  const end = breakOf(text)
  const last = recordOf(places, places.rows.length - 2)
  // behind the last buffer, so that comments below it stay below
  const glue = last.next > last.end ? '' : end
  return splice(text, [{ from: last.next, to: last.next, text: glue + cells.join(places.separator) + end }])
}

function idsOf(places: Places): string[] {
  const column = places.columns.indexOf('id')
  return places.rows.slice(1).map((_, buffer) => recordOf(places, buffer).fields[column]?.value ?? '')
}

/** Cut so that it has at most so many bytes. */
function cut(id: string, bytes: number): string {
  let short = id
  while (new TextEncoder().encode(short).length > bytes) short = Array.from(short).slice(0, -1).join('')
  return short
}

/** `wanted`, or with a number behind it if that is taken; it is taken then. */
export function freshId(wanted: string, taken: Set<string>): string {
  for (let k = 1; ; k++) {
    const tail = k === 1 ? '' : String(k)
    const id = cut(wanted, ID_BYTES - tail.length) + tail
    if (taken.has(id)) continue
    taken.add(id)
    return id
  }
}

function duplicate(text: string, buffers: readonly number[]): string {
  const places = placesOf(text)
  const ids = idsOf(places)
  const taken = new Set(ids)
  const end = breakOf(text)
  const splices = buffers.map((buffer): Splice => {
    const { from, end: to, next, fields } = recordOf(places, buffer)
    const inside = places.columns.flatMap((column, k): Splice[] => {
      const field = fields[k]
      if (field === undefined || (column !== 'id' && column !== 'offset')) return []
      const value = column === 'id' ? cellText(freshId(cut(`${ids[buffer]}_copy`, ID_BYTES), taken)) : ''
      return [{ from: field.from - from, to: field.to - from, text: value }]
    })
    const copy = splice(text.slice(from, to), inside)
    return { from: next, to: next, text: next > to ? copy + end : end + copy }
  })
  return splice(text, splices)
}

function remove(text: string, buffers: readonly number[]): string {
  const places = placesOf(text)
  const splices = [...new Set(buffers)].map((buffer): Splice => {
    const { from, next } = recordOf(places, buffer)
    return { from, to: next, text: '' }
  })
  return splice(text, splices)
}

/** The text with the change. Throws for a buffer that it does not have. O(characters). */
export function edit(text: string, change: Change): string {
  switch (change.kind) {
    case 'set':
      return set(text, change.buffer, change.values)
    case 'add':
      return add(text, change.values)
    case 'duplicate':
      return duplicate(text, change.buffers)
    case 'delete':
      return remove(text, change.buffers)
  }
}

/** What the file says of a buffer, as a person would type it; '' for an empty cell and for a column that it does not have. */
export function cellOf(text: string, buffer: number, column: Column): string {
  const places = placesOf(text)
  const value = recordOf(places, buffer).fields[places.columns.indexOf(column)]?.value ?? ''
  if (column === 'offset' && value === '-1') return ''
  return column === 'upper' && places.inclusive ? String(Number(value) + 1) : value
}

/** An id that no buffer of the text has. */
export function idFor(text: string, wanted: string): string {
  return freshId(wanted, new Set(idsOf(placesOf(text))))
}
