/** The rows of a sweep's Parquet files, of many seeds and options the best of each cell. A hundred thousand take seconds: it runs in a worker. */
import { parquetReadObjects } from 'hyparquet'
import { thousands } from '../../base/format'
import type { ResultCell } from '../../state/compare/results'
import type { MatrixRow } from './matrix'

/** Of one file, which is held whole. */
const FILE_LIMIT = 2 ** 28
const ROWS_LIMIT = 20_000_000
const TEXTS = ['key', 'instance', 'problem', 'profile', 'solver', 'options', 'goal', 'outcome', 'digest'] as const
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
type Row = Record<(typeof TEXTS)[number], string> & Record<(typeof NUMBERS)[number], number>

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

/** null: it is no row of a sweep. What a search that failed lacks is -1, or ''. */
function rowOf(value: Record<string, unknown>): Row | null {
  const row: Record<string, string | number> = {}
  for (const name of TEXTS) {
    const text = value[name] ?? ''
    if (typeof text !== 'string') return null
    row[name] = text
  }
  for (const name of NUMBERS) {
    const number = value[name] ?? -1
    if (typeof number !== 'number' && typeof number !== 'bigint') return null
    row[name] = Number(number)
  }
  return row.key === '' || row.solver === '' ? null : (row as Row)
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

function settingsIn({ profile, seed, options, budget, goal }: Row): Stored {
  const told: unknown = JSON.parse(options || '{}')
  const entries = typeof told === 'object' && told !== null ? Object.entries(told) : []
  return {
    profile,
    seed,
    budget,
    goal,
    options: Object.fromEntries(entries.map(([name, value]) => [name, String(value)])),
  }
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
      for (const [solver, { row }] of best) settings.set(`${id} ${solver}`, settingsIn(row))
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

async function read(file: File, into: Gathered): Promise<void> {
  if (file.size > FILE_LIMIT) throw new Error(`${file.name} is larger than 256 MiB.`)
  const bytes = await file.arrayBuffer()
  const found = await parquetReadObjects({ file: bytes, columns: [...TEXTS, ...NUMBERS] }).catch((error: unknown) => {
    throw new Error(`${file.name} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  })
  for (const value of found) {
    const row = rowOf(value)
    if (row === null) throw new Error(`${file.name} holds no rows of arenascope.sweep.`)
    if (into.count >= ROWS_LIMIT) throw new Error(`There are more than ${thousands(ROWS_LIMIT)} searches.`)
    into.add(row)
  }
}

/** done is told how many files are read. Rejects with what can be shown. */
export async function sweptOf(shards: readonly File[], done: (files: number) => void): Promise<Swept> {
  const gathered = new Gathered()
  for (const [k, shard] of shards.entries()) {
    await read(shard, gathered)
    done(k + 1)
  }
  return gathered.swept()
}
