/** The same graph lowered in several ways and solved by the same solver, in a worker of its own: what is open stays as it is. */
import { createClient } from '../../../wasm/client/client'
import type { Client, Diagnostic, GraphModel, Problem, ProfileSpec, RunStats } from '../../../wasm/client/types'

export interface Way {
  problem: Problem
  model: GraphModel
  stats: RunStats
}

export interface Contest {
  /** graph CSV */
  text: string
  /** the memory that the buffers are placed in */
  profile: ProfileSpec | null
  solver: string
  /** of the solver, changed from the defaults */
  options: Record<string, string>
  capacity: number
  seed: number
  budget: number
}

export type WayResult = { ok: true; way: Way } | { ok: false; errors: Diagnostic[] }

/** One way after the other, so that their times compare. `told` is called as each is done. Ends early, with what is known, on abort. */
export async function compareWays(
  contest: Contest,
  lowerings: readonly Record<string, string>[],
  told: (index: number, result: WayResult) => void,
  signal: AbortSignal,
  client: Client = createClient(),
): Promise<void> {
  const leave = () => client.dispose()
  signal.addEventListener('abort', leave, { once: true })
  try {
    for (const [index, lowering] of lowerings.entries()) {
      const opened = await client.openGraph(contest.text, lowering)
      if (signal.aborted) return
      if (!opened.ok) {
        told(index, { ok: false, errors: opened.errors })
        continue
      }
      const placed = contest.profile === null ? opened : await client.open(opened.model.csv, contest.profile)
      if (signal.aborted) return
      if (!placed.ok) {
        told(index, { ok: false, errors: placed.errors })
        continue
      }
      const { solver, options, capacity, seed, budget } = contest
      const { stats } = await client.run({ solver, options, capacity, seed, budget }, () => {})
      if (signal.aborted) return
      told(index, { ok: true, way: { problem: placed.problem, model: opened.model, stats } })
    }
  } catch (error) {
    // disposing of the client rejects what it was asked
    if (!signal.aborted) throw error
  } finally {
    signal.removeEventListener('abort', leave)
    client.dispose()
  }
}
