/** What is chosen in the mode that compares, and what of it the browser keeps between visits. */
import * as v from 'valibot'
import type { RunConfig, SolverInfo } from '../../../../wasm/client/types'
import { Cell } from '../../base/cell'
import { name, options, read, whole } from '../share/schema'

export type CompareTab = 'runs' | 'sweep' | 'schemes' | 'matrix'

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
/** of a link that shares a comparison: whether the same came out here */
export const verdict = new Cell<'none' | 'checking' | 'same' | 'differs'>('none')
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

const ids = v.pipe(
  v.array(name),
  v.transform((all) => all.slice(0, LIST_LIMIT)),
)
const within = ({ min, max }: { min: number; max: number }) =>
  v.pipe(
    whole,
    v.maxValue(max),
    v.transform((count) => Math.max(min, count)),
  )
const lane = v.object({ solver: name, options, seed: whole, budget: whole })

const tabs: v.GenericSchema<unknown, CompareTab> = v.fallback(
  v.picklist(['runs', 'sweep', 'schemes', 'matrix']),
  'runs',
)
const sweeps: v.GenericSchema<unknown, SweepChoice> = v.object({
  solvers: ids,
  points: within(POINTS),
  percent: within(PERCENT),
  budget: whole,
  shows: v.fallback(v.picklist(['steps', 'height']), 'steps'),
})
const matrices: v.GenericSchema<unknown, MatrixChoice> = v.object({
  solvers: ids,
  networks: v.fallback(v.boolean(), false),
  budget: whole,
  shows: v.fallback(v.picklist(['over', 'steps']), 'over'),
})

/** What a link asks for; null if it cannot be read. */
export const tabOf = (value: unknown): CompareTab => read(tabs, value, 'runs')
export const sweepOf = (value: unknown): SweepChoice | null => read(sweeps, value, null)
export const matrixOf = (value: unknown): MatrixChoice | null => read(matrices, value, null)

const choices: v.GenericSchema<unknown, KeptChoices> = v.object({
  tab: tabs,
  together: v.fallback(v.boolean(), true),
  lanes: v.optional(
    v.pipe(
      v.array(lane),
      v.transform((all) => all.slice(0, 3)),
    ),
    [],
  ),
  sweep: sweeps,
  matrix: matrices,
})

/** null if there is nothing, or nothing that can be read. */
export function restoreChoices(box: Box): KeptChoices | null {
  try {
    const raw = box.getItem(KEY)
    return raw === null ? null : read(choices, JSON.parse(raw), null)
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
