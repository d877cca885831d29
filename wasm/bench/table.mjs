/** What the benches print: cells in columns, and the figures that stand for many rows. */

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

export function printTable(columns, rows) {
  console.log(
    line(
      columns,
      columns.map(([title]) => title),
    ),
  )
  for (const row of rows)
    console.log(
      line(
        columns,
        columns.map(([, , cell]) => cell(row)),
      ),
    )
}
