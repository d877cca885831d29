/** The rows of a sweep's Parquet files, of many seeds and options the best of each cell. A hundred thousand take seconds: it runs in a worker. */
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { thousands } from '../../base/format'
import type { ResultCell } from '../../state/compare/results'
import type { MatrixRow } from './matrix'

/** Of one file, which is held whole. */
const FILE_LIMIT = 2 ** 28
/** Of all files together. */
const ROWS_LIMIT = 20_000_000
const TEXTS = ['key', 'instance', 'problem', 'profile', 'solver', 'goal', 'outcome', 'digest'] as const
const NUMBERS = [
  'buffers',
  'bound',
  'capacity',
  'seed',
  'budget',
  'height',
  'lower_bound',
  'steps',
  'backtracks',
  'seconds',
] as const
type Row = Record<(typeof TEXTS)[number], string> &
  Record<(typeof NUMBERS)[number], number> & { options: Record<string, string> }

/** The settings of a cell's search, with which the page runs it again. */
export interface Stored {
  profile: string
  seed: number
  options: Record<string, string>
  budget: number
  goal: string
}

/** What is shown of a sweep, and of each cell the settings, by row and solver. */
export interface Swept {
  count: number
  solvers: string[]
  rows: MatrixRow[]
  settings: Map<string, Stored>
}

/** A solver's options from JSON; null: it is none of an object. */
function optionsIn(text: unknown): Record<string, string> | null {
  if (text === '' || text === undefined || text === null) return {}
  try {
    const told: unknown = JSON.parse(String(text))
    if (typeof told !== 'object' || told === null || Array.isArray(told)) return null
    return Object.fromEntries(Object.entries(told).map(([name, value]) => [name, String(value)]))
  } catch {
    return null
  }
}

/** The row, or the column whose value is none of a sweep's. What a search that failed lacks is -1, or ''. */
function rowOf(value: Record<string, unknown>): Row | string {
  const row: Record<string, string | number> = {}
  for (const name of TEXTS) {
    const text = value[name] ?? ''
    if (typeof text !== 'string') return name
    row[name] = text
  }
  for (const name of NUMBERS) {
    const number = value[name] ?? -1
    if (typeof number !== 'number' && typeof number !== 'bigint') return name
    row[name] = Number(number)
  }
  if (row.key === '') return 'key'
  if (row.solver === '') return 'solver'
  const options = optionsIn(value.options)
  return options === null ? 'options' : ({ ...row, options } as Row)
}

const height = (cell: ResultCell) => (cell.height < 0 ? Number.POSITIVE_INFINITY : cell.height)

/** Whether a search came to more than the one before: a lower plan, or a proof, or fewer steps to the same. */
function better(one: ResultCell, other: ResultCell): boolean {
  if (height(one) !== height(other)) return height(one) < height(other)
  const proves = ({ outcome }: ResultCell) => (outcome === 'optimal' || outcome === 'infeasible' ? 1 : 0)
  if (proves(one) !== proves(other)) return proves(one) > proves(other)
  return one.steps < other.steps
}

function cellOf(row: Row): ResultCell {
  const { outcome, height, lower_bound: lowerBound, steps, backtracks, digest, seconds } = row
  const known = { height, lowerBound, steps, backtracks, digest, seconds, note: '' }
  return { ...known, outcome: outcome === 'failed' ? 'refused' : (outcome as ResultCell['outcome']) }
}

interface Best {
  cell: ResultCell
  row: Row
  of: number
}

/** The searches by problem, profile and capacity, of each solver the best. */
class Gathered {
  readonly #rows = new Map<string, { row: Row; best: Map<string, Best> }>()
  readonly #keys = new Set<string>()
  readonly solvers = new Set<string>()

  get count(): number {
    return this.#keys.size
  }

  add(row: Row): void {
    // two drivers at a time may have stored a search twice
    if (this.#keys.has(row.key)) return
    this.#keys.add(row.key)
    this.solvers.add(row.solver)
    const id = `${row.problem} ${row.profile} ${row.capacity}`
    const place = this.#rows.get(id) ?? { row, best: new Map<string, Best>() }
    if (place.row.bound < 0) place.row = row
    this.#rows.set(id, place)
    const cell = cellOf(row)
    const before = place.best.get(row.solver)
    const of = (before?.of ?? 0) + 1
    if (before === undefined || better(cell, before.cell)) place.best.set(row.solver, { cell, row, of })
    else before.of = of
  }

  swept(): Swept {
    const solvers = [...this.solvers].sort()
    const settings: Swept['settings'] = new Map()
    const rows = [...this.#rows].map(([id, { row, best }]): MatrixRow => {
      for (const [solver, { row }] of best) {
        const { profile, seed, options, budget, goal } = row
        settings.set(`${id} ${solver}`, { profile, seed, options, budget, goal })
      }
      const { instance: title, bound, buffers, capacity, profile } = row
      const note = `${thousands(capacity)} bytes${profile === '' ? '' : `, ${profile}`}`
      return {
        instance: { kind: 'stored', id, title, note },
        facts: bound < 0 ? null : { count: buffers, lowerBound: bound, capacity },
        rounding: [],
        wrong: '',
        cells: solvers.map((solver) => {
          const found = best.get(solver)
          return found ? { ...found.cell, note: found.of > 1 ? `the best of ${thousands(found.of)}` : '' } : null
        }),
      }
    })
    rows.sort(
      (a, b) => a.instance.title.localeCompare(b.instance.title) || (a.facts?.capacity ?? 0) - (b.facts?.capacity ?? 0),
    )
    return { count: this.count, solvers, rows, settings }
  }
}

/** limit: of rows; the file says how many it has before any of them is made. Returns that. */
async function read(file: File, into: Gathered, limit: number): Promise<number> {
  if (file.size > FILE_LIMIT) throw new Error(`${file.name} is larger than 256 MiB.`)
  const bytes = await file.arrayBuffer()
  const told = <T>(ask: () => T | Promise<T>): Promise<T> =>
    (async () => ask())().catch((error: unknown) => {
      throw new Error(`${file.name} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
    })
  const metadata = await told(() => parquetMetadata(bytes))
  const groups = metadata.row_groups.map(({ num_rows }) => Number(num_rows))
  const count = groups.reduce((sum, rows) => sum + rows, 0)
  if (count > limit) throw new Error(`There are more than ${thousands(ROWS_LIMIT)} searches.`)
  let at = 0
  // a group at a time: its objects are gone before the next ones are made
  for (const rows of groups) {
    const [rowStart, rowEnd] = [at, at + rows]
    const columns = [...TEXTS, ...NUMBERS, 'options']
    const found = await told(() => parquetReadObjects({ file: bytes, metadata, columns, rowStart, rowEnd }))
    for (const [k, value] of found.entries()) {
      const row = rowOf(value)
      if (typeof row === 'string')
        throw new Error(`${file.name}, row ${thousands(at + k + 1)}, is none of arenascope.sweep: see its ${row}.`)
      into.add(row)
    }
    at = rowEnd
  }
  return count
}

/** done is told how many files are read. Rejects with what can be shown. limit: of rows. */
export async function sweptOf(
  shards: readonly File[],
  done: (files: number) => void,
  limit = ROWS_LIMIT,
): Promise<Swept> {
  const gathered = new Gathered()
  let left = limit
  for (const [k, shard] of shards.entries()) {
    left -= await read(shard, gathered, left)
    done(k + 1)
  }
  return gathered.swept()
}
