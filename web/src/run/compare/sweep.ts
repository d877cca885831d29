/** One problem, several solvers, a range of capacities: where it becomes hard, and where it stops to be solved. */
import type { Client, Manifest } from '../../../../wasm/client/types'
import { Cell } from '../../base/cell'
import { known, type SweepChoice } from '../../state/compare/compare'
import { othersOf } from '../../state/compare/others'
import type { ResultCell } from '../../state/compare/results'
import { solve, type Work } from './background_runs'
import { crewSize, runJobs } from './jobs'
import { type GivenProblem, openProblem } from '../model/open_model'
import { workbench } from '../../state/workbench_cells'

export interface SweepPoint {
  solver: string
  capacity: number
  cell: ResultCell
}

export interface Sweep {
  work: Work
  choice: SweepChoice
  /** solvers that take part, in the manifest's order */
  solvers: string[]
  capacities: number[]
  lowerBound: number
  /** by solver, then by capacity; null: not yet known */
  points: (SweepPoint | null)[]
  options: Record<string, Record<string, string>>
  seed: number
}

export interface SweepJob {
  solver: string
  capacity: number
  /** in Sweep.points */
  at: number
}

/** Whole capacities, increasing, evenly from the lower bound to `percent` of it; fewer than asked for if there are not as many. */
export function capacitiesOf(lowerBound: number, percent: number, points: number): number[] {
  const low = Math.max(1, lowerBound)
  const high = Math.max(low, Math.floor((low * percent) / 100))
  const list = Array.from({ length: points }, (_, k) => low + Math.round(((high - low) * k) / Math.max(1, points - 1)))
  return [...new Set(list)]
}

/** Capacity by capacity, so that the curves of all solvers grow together. */
export function sweepJobs(solvers: readonly string[], capacities: readonly number[]): SweepJob[] {
  return capacities.flatMap((capacity, c) =>
    solvers.map((solver, s) => ({ solver, capacity, at: s * capacities.length + c })),
  )
}

export const sweep = new Cell<Sweep | null>(null)
let end = new AbortController()

/** Starts anew; what was under way is given up. Whether the sweep is this one's, and all of it done. */
export async function startSweep(
  problem: GivenProblem,
  lowerBound: number,
  manifest: Manifest,
  choice: SweepChoice,
  make?: () => Client,
): Promise<boolean> {
  end.abort()
  end = new AbortController()
  const { signal } = end
  const solvers = [...known(manifest.solvers, choice.solvers).map(({ id }) => id), ...othersOf(choice.solvers)]
  const capacities = capacitiesOf(lowerBound, choice.percent, choice.points)
  const jobs = sweepJobs(solvers, capacities)
  const options = Object.fromEntries(solvers.map((id) => [id, workbench.options.get()[id] ?? {}]))
  const seed = workbench.seed.get()
  let done = 0
  const work = (kind: 'running' | 'done'): Work => ({ kind, done, total: jobs.length })
  const points = jobs.map(() => null)
  sweep.set({ work: work('running'), choice, solvers, capacities, lowerBound, points, options, seed })
  const change = (next: Partial<Sweep>) => sweep.update((now) => now && { ...now, ...next })
  const told = (index: number, cell: ResultCell) => {
    const { at, solver, capacity } = jobs[index] as SweepJob
    done += 1
    const points = (sweep.get()?.points ?? []).map((old, k) => (k === at ? { solver, capacity, cell } : old))
    change({ points, work: work('running') })
  }
  const open = opener(problem)
  try {
    await runJobs(
      jobs,
      async (client, { solver, capacity }) => {
        const answer = await open(client)
        if (!answer.ok) throw new Error(answer.errors[0]?.message ?? 'It was refused.')
        const config = { solver, capacity, seed, budget: choice.budget, options: options[solver] ?? {} }
        return solve(client, config, answer.problem, signal)
      },
      told,
      { workers: crewSize(globalThis.navigator?.hardwareConcurrency), signal, make },
    )
    if (!signal.aborted) change({ work: work('done') })
    return !signal.aborted
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    change({ work: { kind: 'failed', done, total: jobs.length, message } })
    return false
  }
}

type Opening = ReturnType<typeof openProblem>

/** Each client is given the problem once. */
function opener(problem: GivenProblem): (client: Client) => Opening {
  const opened = new WeakMap<Client, Opening>()
  return async (client) => {
    const before = opened.get(client)
    const answer = before ?? openProblem(client, problem)
    if (before === undefined) opened.set(client, answer)
    return answer
  }
}

/** What is known by then stays. */
export function cancelSweep(): void {
  end.abort()
  sweep.update((now) => {
    if (now?.work.kind !== 'running') return now
    const { done, total } = now.work
    return { ...now, work: { kind: 'cancelled', done, total } }
  })
}

/** The problem is another one. */
export function forgetSweep(): void {
  end.abort()
  sweep.set(null)
}
