/** The least height of a problem that a worker beside the page's has, as far as it is known in a moment. */
import type { Client, Problem } from '../../../../wasm/client/types'
import { manifest } from '../../state/atoms'
import type { KnownHeight } from '../../state/solver/known_height'
import { decides, lacking, takesBuffers } from '../../state/workbench'
import { within } from '../model/open_model'

/** By the solver that proves it, or, where that does not take the problem, by the first that does. milliseconds: patience with it. */
export async function knownHeight(client: Client, problem: Problem, milliseconds: number): Promise<KnownHeight> {
  const solvers = manifest.get()?.solvers.filter((one) => takesBuffers(one) && lacking(one, problem).length === 0) ?? []
  const solver = solvers.find((one) => decides(one, problem) && one.goals.includes('height')) ?? solvers[0]
  const bound: KnownHeight = { bytes: problem.lowerBound, known: 'least' }
  if (solver === undefined) return bound
  const goal = solver.goals.includes('height') ? ('height' as const) : ('fit' as const)
  const config = { solver: solver.id, goal, capacity: Math.max(1, problem.lowerBound), seed: 1, budget: 0, options: {} }
  const found = await within(client, config, milliseconds).catch(() => null)
  if (found === null || found.stats.height < 0) return bound
  const { height } = found.stats
  return {
    bytes: height,
    known: height === problem.lowerBound || found.stats.outcome === 'optimal' ? 'proven' : 'most',
  }
}
