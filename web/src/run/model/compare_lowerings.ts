/** The same graph lowered in several ways and solved by the same solver, in a worker of its own: what is open stays as it is. */
import { createClient } from '../../../../wasm/client/client'
import type {
  Client,
  Diagnostic,
  Goal,
  GraphModel,
  PackedGraph,
  Problem,
  ProfileSpec,
  RunStats,
} from '../../../../wasm/client/types'
import { runJobs } from '../compare/jobs'

export interface Way {
  problem: Problem
  model: GraphModel
  stats: RunStats
}

export interface Contest {
  graph: string | PackedGraph
  /** the memory that the buffers are placed in */
  profile: ProfileSpec | null
  solver: string
  goal: Goal
  /** of the solver, changed from the defaults */
  options: Record<string, string>
  capacity: number
  seed: number
  budget: number
}

export type WayResult = { ok: true; way: Way } | { ok: false; errors: Diagnostic[] }

async function solveWay(client: Client, contest: Contest, lowering: Record<string, string>): Promise<WayResult> {
  const opened = await client.openGraph(contest.graph, lowering, contest.profile)
  if (!opened.ok) return { ok: false, errors: opened.errors }
  const { solver, goal, options, capacity, seed, budget } = contest
  const { stats } = await client.run({ solver, goal, options, capacity, seed, budget }, () => {})
  return { ok: true, way: { problem: opened.problem, model: opened.model, stats } }
}

/** One way after the other, so that their times compare. `told` is called as each is done. Ends early, with what is known, on abort. */
export function compareWays(
  contest: Contest,
  lowerings: readonly Record<string, string>[],
  told: (index: number, result: WayResult) => void,
  signal: AbortSignal,
  client: Client = createClient(),
): Promise<void> {
  const crew = { workers: 1, signal, make: () => client }
  return runJobs(lowerings, (one, lowering) => solveWay(one, contest, lowering), told, crew)
}
