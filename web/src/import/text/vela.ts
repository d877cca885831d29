import type { Imported } from '../imported'
import { Names } from '../names'
import { Refusal } from '../refusal'
import type { Source } from '../source'
import { bufferCsv, choose, type Row } from './buffer_rows'
import { logOf, VELA_TITLE } from './sniff'
import { shortened } from '../../base/format'

/**
 * The tables of Arm's Vela under --verbose-allocation (ethosu/vela/tensor_allocation.py, print_allocation). Since version 3:
 *
 *     Start Time -   End Time: Start Addr -   End Addr: Tensor Size: Memory Usage: Purpose     : Name
 *              0 -          3:        0x0 -     0x1000:        4096:        12288: FeatureMap  : conv1
 *
 * with the end inclusive (memory_usage_histogram counts it), since version 4.5 with a column "Format" before the name, and since version 5
 * (ethosu/regor, printed by the scheduler) with that in place of "Purpose". Before version 3:
 *
 *          4096:          0x0 -       0x1000:   0 -   3 conv1 TensorPurpose.FeatureMap
 *
 * with the end exclusive (mark_sram_used_for_cascaded_passes does not count it). A log may put something before each line, and lines of others between.
 */
const ROW = /(?:^|\s)(\d+) - +(\d+): +(0x[0-9a-f]+) - +(0x[0-9a-f]+): +(\d+): +\d+: (.*)$/
const HEADER = /Start Time {1,9}- {1,9}End Time {0,9}:.{0,200}Memory Usage:(.*)$/
const OLD_ROW = /(?:^|\s)(\d+): +(0x[0-9a-f]+) - +(0x[0-9a-f]+): +(\d+) - +(\d+) (.*)$/
/** The totals under a table, or what stands over the next. */
const END = /\bAllocation (?:Peak|Overhead)\b|#{20}|^\s*$/
/** Times with an address, or two addresses: most of a row. */
const BROKEN = /\d - +\d+: +0x|\d: +0x[0-9a-f]+ -|0x[0-9a-f]+ - +0x/

interface Table {
  area: string
  /** weights and other data of the file, which are in no arena */
  constant: boolean
  rows: Row[]
  /** as printed: a tensor that shares its memory with another has the same */
  seen: Set<string>
  names: Names
  /** the text ends with a row of it */
  open: boolean
  shared: number
  /** columns between the memory usage and the name */
  before: number
}

interface Cells {
  first: number
  last: number
  inclusive: boolean
  from: number
  to: number
  bytes: number
  name: string
}

function cellsOf(text: string, before: number): Cells | null {
  const row = ROW.exec(text)
  if (row) {
    // no column but the name has a colon
    const name = (row[6] ?? '').split(':').slice(before).join(':').trim()
    const [first, last, from, to, bytes] = row.slice(1, 6).map(Number) as [number, number, number, number, number]
    return { first, last, inclusive: true, from, to, bytes, name }
  }
  const old = OLD_ROW.exec(text)
  if (!old) return null
  const [bytes, from, to, first, last] = old.slice(1, 6).map(Number) as [number, number, number, number, number]
  return { first, last, inclusive: false, from, to, bytes, name: (old[6] ?? '').replace(/ TensorPurpose\.\w+$/, '') }
}

/** The tensors of one live range are printed one by one: they are one buffer, under the first one's name. */
function add(table: Table, cells: Cells, line: number): void {
  const { first, last, inclusive, from, to, bytes, name } = cells
  const upper = inclusive ? last + 1 : last
  const bad = [first, last, from, to, bytes].find((number) => !Number.isSafeInteger(number))
  if (bad !== undefined) throw new Refusal(`line ${line}: ${bad} is more than can be counted exactly.`)
  if (upper <= first) throw new Refusal(`line ${line}: ${name} ends at time ${last}, before it starts at ${first}.`)
  if (to - from !== bytes)
    throw new Refusal(`line ${line}: ${name} takes ${bytes} bytes, but its addresses are ${to - from} apart.`)
  const same = `${first} ${last} ${from} ${to}`
  if (table.seen.has(same)) table.shared++
  else table.rows.push({ id: table.names.take(name, `line ${line}`), lower: first, upper, bytes, offset: from })
  table.seen.add(same)
}

/** stray: the first line with a row under no title; 0: there is none. */
function tablesOf(text: string): { tables: Table[]; stray: number } {
  const tables: Table[] = []
  let [inside, stray] = [false, 0]
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/)
  for (const [index, line] of lines.entries()) {
    const title = VELA_TITLE.exec(line)
    if (title) {
      const [, area3, types, area2, kind, area5, only] = title
      const constant = only !== undefined || (types === undefined ? kind === 'constant' : /Permanent/.test(types))
      const area = area3 ?? area2 ?? area5 ?? 'constants'
      tables.push({ area, constant, rows: [], seen: new Set(), names: new Names(), open: false, shared: 0, before: 1 })
      inside = true
      continue
    }
    const table = inside ? tables.at(-1) : undefined
    const cells = cellsOf(line, table?.before ?? 1)
    if (!table) {
      if (cells && stray === 0) stray = index + 1
      continue
    }
    if (cells) {
      add(table, cells, index + 1)
      continue
    }
    const header = HEADER.exec(line)
    if (header && table.rows.length === 0) table.before = (header[1] ?? '').split(':').length - 1
    // a second header is that of a table whose title is not known
    else if (header || END.test(line)) inside = false
    else if (BROKEN.test(line))
      throw new Refusal(`line ${index + 1}: this is no whole row of a table of Vela's: ${shortened(line.trim(), 80)}`)
  }
  const last = tables.at(-1)
  if (last) last.open = inside
  return { tables, stray }
}

/** By its memory; of several of one memory (one for each subgraph) also by its place among them. */
function named(tables: readonly Table[]): { name: string; table: Table }[] {
  return tables.map((table) => {
    const same = tables.filter(({ area }) => area === table.area)
    const number = same.length > 1 ? ` ${same.indexOf(table) + 1}` : ''
    return { name: `${table.area}${number} (rows: ${table.rows.length})`, table }
  })
}

/** Of several tables the one of the fast memory is read first: one that is no list of constants, one of SRAM before others. */
export function readVelaTable(source: Source, { part }: { part?: string | undefined }): Imported {
  const { tables: all, stray } = tablesOf(logOf(source))
  const tables = named(all.filter(({ rows }) => rows.length > 0))
  const worth = ({ table }: { table: Table }) => (table.constant ? 2 : /sram/i.test(table.area) ? 0 : 1)
  const found = choose(
    tables.toSorted((a, b) => worth(a) - worth(b)),
    part,
  )
  if (found === null) throw new Refusal('the allocation tables have no rows.')
  const { name, table } = found.chosen
  const notes = [
    `Read: the table of ${table.area}. Times are Vela's own, with the end inclusive where Vela prints it so.`,
  ]
  const others = tables.filter((other) => other.table !== table).map((other) => other.name)
  if (others.length > 0) notes.push(`Not read: the other tables of the text, ${others.join(', ')}.`)
  if (stray > 0) notes.push(`Not read: rows under no title of a table, the first in line ${stray}.`)
  if (table.open) notes.push('The text ends inside of this table: rows may be missing.')
  if (table.shared > 0)
    notes.push(`Tensors that share the memory of another, and are one buffer with it: ${table.shared}.`)
  return {
    ok: true,
    format: 'vela',
    csv: bufferCsv(table.rows),
    notes,
    parts: found.names,
    part: name,
    plan: { name: 'Vela', offsets: table.rows.map((row) => row.offset) },
  }
}
