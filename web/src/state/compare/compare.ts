/** What is chosen in the mode that compares, and what of it the browser keeps between visits. */
import type { RunConfig, SolverInfo } from '../../../../wasm/client/types'
import { Cell } from '../../base/cell'
import { record, text, whole, optionValues, NAME_LIMIT } from '../share/validation'

export type CompareTab = 'runs' | 'sweep' | 'matrix'

/** Settings of a column. Its capacity is the page's when it is opened. */
export type LaneChoice = Omit<RunConfig, 'capacity'>

export interface SweepChoice {
  solvers: readonly string[]
  /** capacities, evenly from the lower bound up to `percent` of it */
  points: number
  percent: number
  /** steps for each run */
  budget: number
  shows: 'height' | 'steps'
}

export interface MatrixChoice {
  solvers: readonly string[]
  /** our networks beside the examples */
  networks: boolean
  budget: number
  shows: 'over' | 'steps'
}

export const SWEEP: SweepChoice = {
  solvers: ['exact', 'minimalloc', 'telamalloc', 'greedy'],
  points: 13,
  percent: 130,
  budget: 200_000,
  shows: 'steps',
}
export const MATRIX: MatrixChoice = {
  solvers: ['exact', 'minimalloc', 'telamalloc', 'greedy', 'bfc', 'tflm'],
  networks: false,
  budget: 100_000,
  shows: 'over',
}
export const POINTS = { min: 2, max: 60 }
export const PERCENT = { min: 101, max: 400 }

export const tab = new Cell<CompareTab>('runs')
/** one time axis and one scale of addresses for all columns */
export const together = new Cell(true)
export const sweepChoice = new Cell(SWEEP)
export const matrixChoice = new Cell(MATRIX)
/** the column whose settings are open, by its id; -1: none */
export const editing = new Cell(-1)

/** Those of the list that this version has, in its order. */
export function known(solvers: readonly SolverInfo[], ids: readonly string[]): SolverInfo[] {
  return solvers.filter(({ id }) => ids.includes(id))
}

/** The first columns: what the page shows or would run next, and another solver with its defaults. */
export function firstLanes(now: RunConfig, kept: readonly LaneChoice[], solvers: readonly SolverInfo[]): RunConfig[] {
  const { capacity, budget } = now
  const has = (id: string) => solvers.some((solver) => solver.id === id)
  const before = kept.filter(({ solver }) => has(solver)).map((choice) => ({ ...choice, capacity }))
  if (before.length > 0) return [now, ...before]
  const other = solvers.find((solver) => solver.complete && solver.id !== now.solver)
  if (other === undefined) return [now]
  return [now, { solver: other.id, capacity, seed: now.seed, budget, options: {} }]
}

// ---- between visits

const KEY = 'arenascope.compare.v1'
type Box = Pick<Storage, 'getItem' | 'setItem'>

export interface KeptChoices {
  tab: CompareTab
  together: boolean
  /** of the columns behind the first */
  lanes: LaneChoice[]
  sweep: SweepChoice
  matrix: MatrixChoice
}

const LIST_LIMIT = 64

function ids(value: unknown): string[] {
  if (!Array.isArray(value)) throw new Error('expected a list')
  return value.slice(0, LIST_LIMIT).map((id) => text(id, 'a solver', NAME_LIMIT))
}

function within(value: unknown, { min, max }: { min: number; max: number }): number {
  return Math.max(min, whole(value, 'a number', max))
}

function laneOf(value: unknown): LaneChoice {
  const from = record(value)
  return {
    solver: text(from.solver, 'the solver', NAME_LIMIT),
    options: optionValues(from.options),
    seed: whole(from.seed, 'the seed'),
    budget: whole(from.budget, 'the budget'),
  }
}

function read(raw: string): KeptChoices {
  const from = record(JSON.parse(raw))
  const sweep = record(from.sweep)
  const matrix = record(from.matrix)
  const lanes = Array.isArray(from.lanes) ? from.lanes.slice(0, 3).map(laneOf) : []
  return {
    tab: from.tab === 'sweep' || from.tab === 'matrix' ? from.tab : 'runs',
    together: from.together !== false,
    lanes,
    sweep: {
      solvers: ids(sweep.solvers),
      points: within(sweep.points, POINTS),
      percent: within(sweep.percent, PERCENT),
      budget: whole(sweep.budget, 'the budget'),
      shows: sweep.shows === 'height' ? 'height' : 'steps',
    },
    matrix: {
      solvers: ids(matrix.solvers),
      networks: matrix.networks === true,
      budget: whole(matrix.budget, 'the budget'),
      shows: matrix.shows === 'steps' ? 'steps' : 'over',
    },
  }
}

/** null if there is nothing, or nothing that can be read. */
export function restoreChoices(box: Box): KeptChoices | null {
  try {
    const raw = box.getItem(KEY)
    return raw === null ? null : read(raw)
  } catch {
    return null
  }
}

/** A full or forbidden storage is lived with. */
export function keepChoices(box: Box, choices: KeptChoices): void {
  try {
    box.setItem(KEY, JSON.stringify(choices))
  } catch {}
}
