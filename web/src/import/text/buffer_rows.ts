/** A buffer of a table that some tool printed, with the place that the tool gave it. */
export interface Row {
  id: string
  /** first time at which it is alive, and first at which it is not any more */
  lower: number
  upper: number
  bytes: number
  /** null: nowhere */
  offset: number | null
  /** absent: the main one */
  pool?: string
  /** absent: 1 */
  alignment?: number
  /** where it comes from, in the tool's words */
  from?: string
}

/** A memory of its own. */
export interface PoolRow {
  name: string
  /** 0: the run's capacity */
  capacity: number
}

/** As the core's reader wants a field (core/src/io/README.md). */
function field(text: string): string {
  return /^[\w.:/+-][\w.:/+ -]*$/.test(text) && !text.endsWith(' ') ? text : `"${text.replaceAll('"', '""')}"`
}

/** Without the offsets: a column of them would fix the buffers there. from: name of the column that says where buffers come from. */
export function bufferCsv(rows: readonly Row[], pools: readonly PoolRow[] = [], from = ''): string {
  const aligned = rows.some(({ alignment = 1 }) => alignment > 1)
  const columns = ['id', 'lower', 'upper', 'size']
  if (aligned) columns.push('alignment')
  if (pools.length > 0) columns.push('pool')
  if (from !== '') columns.push(from)
  const declared = pools.map(({ name, capacity }) => `pool,${field(name)},${capacity}\n`)
  const lines = rows.map((row) => {
    const cells = [field(row.id), row.lower, row.upper, row.bytes]
    if (aligned) cells.push(row.alignment ?? 1)
    if (pools.length > 0) cells.push(field(row.pool ?? ''))
    if (from !== '') cells.push(row.from === undefined || row.from === '' ? '' : field(row.from))
    return `${cells.join(',')}\n`
  })
  return `${declared.join('')}${columns.join(',')}\n${lines.join('')}`
}

/** What stands at the same bytes in overlapping times is one buffer, under the name of the first: a view, or the same value once more. */
export function withoutTwins(rows: readonly Row[]): Row[] {
  const at = new Map<string, Row[]>()
  for (const row of rows) {
    const key = `${row.offset} ${row.bytes} ${row.pool ?? ''}`
    const same = at.get(key)
    if (row.offset === null || same === undefined) at.set(row.offset === null ? `${key} ${row.id}` : key, [row])
    else same.push(row)
  }
  const kept = new Map<Row, Row>()
  for (const same of at.values()) {
    let last: Row | null = null
    for (const row of same.sort((a, b) => a.lower - b.lower)) {
      if (last !== null && row.lower < last.upper) last.upper = Math.max(last.upper, row.upper)
      else {
        last = { ...row }
        kept.set(row, last)
      }
    }
  }
  return rows.flatMap((row) => kept.get(row) ?? [])
}

const MOST_NAMED = 5

/** What is alive at the time of the most bytes, by where it comes from, the largest first. */
export function peakNote(rows: readonly Row[]): string {
  const changes = new Map<number, number>()
  for (const { lower, upper, bytes } of rows) {
    changes.set(lower, (changes.get(lower) ?? 0) + bytes)
    changes.set(upper, (changes.get(upper) ?? 0) - bytes)
  }
  let [now, most, at] = [0, 0, 0]
  for (const [time, change] of [...changes].sort((a, b) => a[0] - b[0])) {
    now += change
    if (now > most) [most, at] = [now, time]
  }
  const alive = rows.filter(({ lower, upper }) => lower <= at && at < upper)
  const groups = new Map<string, { bytes: number; count: number }>()
  for (const { id, from = '', bytes } of alive) {
    const group = groups.get(from || id) ?? { bytes: 0, count: 0 }
    groups.set(from || id, { bytes: group.bytes + bytes, count: group.count + 1 })
  }
  const shown = [...groups].sort((a, b) => b[1].bytes - a[1].bytes).slice(0, MOST_NAMED)
  const parts = shown.map(([name, { bytes, count }]) => {
    const times = count > 1 ? ` (${count.toLocaleString('en')})` : ''
    return `${name}${times} ${Math.round((100 * bytes) / most)} %`
  })
  const others = groups.size > shown.length ? ', and others' : ''
  return `The peak, ${most.toLocaleString('en')} bytes at time ${at.toLocaleString('en')}, is made of ${parts.join(', ')}${others}.`
}

/** A file that holds several lists of buffers has one of them read. */
export interface Parts<T> {
  chosen: T
  /** all that there are, by the names under which they are asked for; fewer than two: there is no choice */
  names: string[]
}

/** The one that was asked for, else the first. null: there is none at all. */
export function choose<T extends { name: string }>(parts: readonly T[], wanted: string | undefined): Parts<T> | null {
  const chosen = parts.find(({ name }) => name === wanted) ?? parts[0]
  if (chosen === undefined) return null
  return { chosen, names: parts.length < 2 ? [] : parts.map(({ name }) => name) }
}
