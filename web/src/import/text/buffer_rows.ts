/** A buffer of a table that some tool printed, with the place that the tool gave it. */
export interface Row {
  id: string
  /** first time at which it is alive, and first at which it is not any more */
  lower: number
  upper: number
  bytes: number
  /** null: nowhere */
  offset: number | null
}

/** As the core's reader wants a field (core/src/io/README.md). */
function field(text: string): string {
  return /^[\w.:/+-][\w.:/+ -]*$/.test(text) && !text.endsWith(' ') ? text : `"${text.replaceAll('"', '""')}"`
}

/** Without the offsets: a column of them would fix the buffers there. */
export function bufferCsv(rows: readonly Row[]): string {
  const lines = rows.map(({ id, lower, upper, bytes }) => `${field(id)},${lower},${upper},${bytes}\n`)
  return `id,lower,upper,size\n${lines.join('')}`
}
