/** What is chosen in the mode that compares. */
import type { Problem, RunConfig, SolverInfo } from '../../../../wasm/client/types'
import { forMany, MANY } from '../solver/for_many'
import { Cell } from '../../base/cell'
import { decides, lacking, takesBuffers } from '../workbench'
import { isOther } from './others'

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

export function setTab(next: CompareTab): void {
  tab.set(next)
}
export function setTogether(on: boolean): void {
  together.set(on)
}
export function setSweepChoice(part: Partial<SweepChoice>): void {
  sweepChoice.update((before) => ({ ...before, ...part }))
}
export function setMatrixChoice(part: Partial<MatrixChoice>): void {
  matrixChoice.update((before) => ({ ...before, ...part }))
}
export function editColumn(id: number): void {
  editing.set(id)
}

/** Those of the list that this version has, in its order. */
export function known(solvers: readonly SolverInfo[], ids: readonly string[]): SolverInfo[] {
  return solvers.filter(({ id }) => ids.includes(id))
}

/** Of the solvers that take the problem the first that decides it; of a large one the one for large ones, or a heuristic. */
function opponent(problem: Problem, solvers: readonly SolverInfo[]): SolverInfo | undefined {
  if (problem.count > MANY) return forMany(problem, solvers) ?? solvers.find(({ complete }) => !complete) ?? solvers[0]
  return solvers.find((solver) => decides(solver, problem)) ?? solvers.find(({ complete }) => complete) ?? solvers[0]
}

/** The first columns: what the page shows or would run next, and what was beside it before or another solver with its defaults, if they take the problem. */
export function firstLanes(
  now: RunConfig,
  kept: readonly LaneChoice[],
  all: readonly SolverInfo[],
  problem: Problem,
): RunConfig[] {
  const { capacity, budget, seed } = now
  const solvers = all.filter((solver) => takesBuffers(solver) && lacking(solver, problem).length === 0)
  const has = (id: string) => isOther(id) || solvers.some((solver) => solver.id === id)
  const before = kept.filter(({ solver }) => has(solver)).map((choice) => ({ ...choice, capacity }))
  if (before.length > 0) return [now, ...before]
  const other = opponent(
    problem,
    solvers.filter(({ id }) => id !== now.solver),
  )
  return other === undefined ? [now] : [now, { solver: other.id, capacity, seed, budget, options: {} }]
}
