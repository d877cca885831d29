/** What the benches print: cells in columns, and the figures that stand for many rows. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'

/** Where what is printed is taken down as well, one table on a line, for `bench papers`; the bench has no other use of it. */
const RECORD = process.env.ARENASCOPE_RECORD

/** Where each row of a long measurement is kept when it is there, and when to leave off, in milliseconds of the clock: `bench papers` goes on where it was left. */
const KEPT = process.env.ARENASCOPE_KEPT
const UNTIL = Number(process.env.ARENASCOPE_UNTIL ?? Number.POSITIVE_INFINITY)
/** How a bench ends that was left: what it has is kept. */
export const LEFT = 75

let before

/** What make returns, which is data; what was made under that key by the run before is taken instead. Ends the process where the time is up. */
export function kept(key, make) {
  if (!KEPT) return make()
  before ??= new Map(
    existsSync(KEPT)
      ? readFileSync(KEPT, 'utf8')
          .split('\n')
          .filter(Boolean)
          .map((text) => JSON.parse(text))
      : [],
  )
  if (before.has(key)) return before.get(key)
  if (Date.now() > UNTIL) process.exit(LEFT)
  const made = make()
  appendFileSync(KEPT, `${JSON.stringify([key, made])}\n`)
  return made
}

/** How the benches of graphs and tiles take their times, for a caption. */
export const BOTH_WAYS =
  'Milliseconds of the processor, the median of several runs, natively and in the module: once compiled well, and of a first run.'

export const group = (number) => number.toLocaleString('en-US')

export const geometricMean = (numbers) => Math.exp(numbers.reduce((sum, x) => sum + Math.log(x), 0) / numbers.length)

export const sum = (numbers) => numbers.reduce((total, x) => total + x, 0)

/** The least value that at least the share `part` of the numbers does not exceed. */
export function quantile(numbers, part) {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)]
}

export const median = (numbers) => quantile(numbers, 0.5)

/** One line of cells, as strings. columns: [title, width, cell of a row]; a width below 0 aligns to the right. */
export function line(columns, cells) {
  return cells
    .map((cell, k) => {
      const width = columns[k][1]
      return width < 0 ? cell.padStart(-width) : cell.padEnd(width)
    })
    .join('  ')
    .trimEnd()
}

/**
 * Takes a table down under an id. columns as for a line, cells: of each row; opens: how the page comes by each row's instance; chart: what can be drawn of it.
 * Nothing where nobody asked for a record.
 */
export function record(id, columns, cells, { opens = [], chart, note } = {}) {
  if (!RECORD) return
  const heads = columns.map(([title, width]) => ({ title: title.trim(), right: width < 0 }))
  const rows = cells.map((texts, k) => ({ cells: texts, ...(opens[k] ? { open: opens[k] } : {}) }))
  appendFileSync(RECORD, `${JSON.stringify({ id, columns: heads, rows, chart, note })}\n`)
}

/** figure: {id, open: of a row, chart, note}, for the record */
export function printTable(columns, rows, figure) {
  const cells = rows.map((row) => columns.map(([, , cell]) => cell(row)))
  console.log(
    line(
      columns,
      columns.map(([title]) => title),
    ),
  )
  for (const texts of cells) console.log(line(columns, texts))
  if (figure) {
    const { id, open = () => null, ...more } = figure
    record(id, columns, cells, { ...more, opens: rows.map(open) })
  }
}
