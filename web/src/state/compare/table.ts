/** Tables of results: in which order their rows stand, and how they read as Markdown and as CSV. */

export interface Column<R> {
  id: string
  title: string
  /** what rows are ordered by and what a CSV holds, to the last digit; null: not known */
  value: (row: R) => number | string | null
  /** as people read it */
  shown: (row: R) => string
  /** of numbers, which stand to the right */
  number: boolean
}

export interface Order {
  column: string
  down: boolean
}

/** What is not known comes last in either direction; equal rows stay as they stood. O(n log n). */
export function ordered<R>(rows: readonly R[], columns: readonly Column<R>[], order: Order | null): R[] {
  const column = columns.find(({ id }) => id === order?.column)
  if (order === null || column === undefined) return [...rows]
  const keyed = rows.map((row) => ({ row, key: column.value(row) }))
  keyed.sort((x, y) => {
    if (x.key === null || y.key === null) return Number(x.key === null) - Number(y.key === null)
    return order.down ? compare(y.key, x.key) : compare(x.key, y.key)
  })
  return keyed.map(({ row }) => row)
}

function compare(x: number | string, y: number | string): number {
  if (typeof x === 'number' && typeof y === 'number') return x - y
  return String(x).localeCompare(String(y), 'en', { numeric: true })
}

/** The order after a click on a column's head: up first, then down, then as the rows came. */
export function turned(order: Order | null, column: string): Order | null {
  if (order?.column !== column) return { column, down: false }
  return order.down ? null : { column, down: true }
}

function markdownCell(text: string): string {
  return text
    .replace(/\\/g, '\\\\')
    .replace(/\|/g, '\\|')
    .replace(/\r\n|\r|\n/g, ' ')
}

/** A table as GitHub and most others read it. */
export function toMarkdown<R>(columns: readonly Column<R>[], rows: readonly R[]): string {
  const line = (cells: string[]) => `| ${cells.map(markdownCell).join(' | ')} |\n`
  const rule = `| ${columns.map(({ number }) => (number ? '---:' : ':---')).join(' | ')} |\n`
  const body = rows.map((row) => line(columns.map(({ shown }) => shown(row))))
  return line(columns.map(({ title }) => title)) + rule + body.join('')
}

export function csvCell(value: number | string | null): string {
  const text = value === null ? '' : String(value)
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replace(/"/g, '""')}"` : text
}

/** RFC 4180 with line feeds: the columns' ids as a head, then exact values. */
export function toCsv<R>(columns: readonly Column<R>[], rows: readonly R[]): string {
  const line = (cells: (number | string | null)[]) => `${cells.map(csvCell).join(',')}\n`
  const body = rows.map((row) => line(columns.map(({ value }) => value(row))))
  return line(columns.map(({ id }) => id)) + body.join('')
}
