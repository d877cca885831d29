/** Makes the networks of ours, one after the other in a worker of its own, and asks the greedy planners about each. */
import type { Client, SolverInfo } from '../../../../wasm/client/types'
import { manifest } from '../../state/atoms'
import { type ZooFacts, zooFacts } from '../../state/model/zoo_facts'
import type { Entry } from '../../state/model/zoo_networks'
import { runJobs } from '../compare/jobs'
import { loweringFor } from './models'
import { zooGraph } from './zoo_graph'

/** Planners that place each buffer once, in an order of their own. */
const GREEDY = ['greedy', 'tflm', 'litert']

async function factsOf(client: Client, { id, show }: Entry, solvers: readonly SolverInfo[]): Promise<ZooFacts> {
  const made = await zooGraph(id, {})
  if (made === null) throw new Error(`There is no network “${id}” in this version.`)
  const answer = await client.openGraph(made.graph, loweringFor(show?.prefetch))
  if (!answer.ok) throw new Error(answer.errors[0]?.message ?? 'It was refused.')
  const { problem, model } = answer
  const { sections, lowerBound: peak } = problem
  let loss = { share: 0, solver: '' }
  for (const { id: solver, title } of solvers) {
    const config = { solver, capacity: Math.max(1, peak), seed: 1, budget: 0, options: {} }
    const { height } = (await client.run(config, () => {})).stats
    const share = height < 0 || peak <= 0 ? 0 : height / peak - 1
    if (share > loss.share) loss = { share, solver: title }
  }
  return { peak, operators: model.ops.count, loss, sections }
}

/** Those that are not known yet. They are told as they come; on abort the rest is left for the next time. */
export function lookAtZoo(all: readonly Entry[], signal: AbortSignal, make?: () => Client): Promise<void> {
  const solvers = (manifest.get()?.solvers ?? []).filter(({ id }) => GREEDY.includes(id))
  const left = all.filter(({ id }) => !zooFacts.get().has(id))
  const told = (k: number, facts: ZooFacts) => zooFacts.update((now) => new Map([...now, [left[k]?.id ?? '', facts]]))
  return runJobs(left, (client, entry) => factsOf(client, entry, solvers), told, { workers: 1, signal, make })
}
