/** The open tiles against whole tensors: the lowest plan of both, in a worker of its own; another problem gives it up. */
import { createClient } from '../../../../wasm/client/client'
import type { Client, Problem, Text } from '../../../../wasm/client/types'
import { type Comparison, comparison, type Side } from '../../state/tiles/tiles'
import { workbench } from '../../state/workbench_cells'
import { buffersOf } from '../../state/workbench_values'
import { runJobs } from '../compare/jobs'
import { within } from '../model/open_model'

const SOLVER = 'taa-exact'
/** For each, in milliseconds. */
const PATIENCE = 8000

let end = new AbortController()
let leave = () => {}

const change = (next: Partial<Comparison>) => comparison.update((now) => now && { ...now, ...next })

export function forgetComparison(): void {
  leave()
  end.abort()
  comparison.set(null)
}

/** Each tensor from when its first part is needed until its last one is not, all of it. */
export function wholeCsv({ count, lower, upper, size, alignment }: Problem): string {
  const rows = Array.from({ length: count }, (_, k) => [k, lower[k], upper[k], size[k], alignment[k]].join(','))
  return `id,lower,upper,size,alignment\n${rows.join('\n')}\n`
}

async function sideOf(client: Client, csv: Text): Promise<Side> {
  const opened = await client.open(csv, workbench.profile.get())
  if (!opened.ok) throw new Error(opened.errors[0]?.message ?? 'The tasks could not be read.')
  const { problem } = opened
  const config = {
    solver: SOLVER,
    goal: 'height' as const,
    capacity: problem.lowerBound,
    seed: 1,
    budget: 0,
    options: {},
  }
  const { best, stats } = await within(client, config, PATIENCE)
  if (best === null) throw new Error('No plan was found in time.')
  const { height, lowerBound, outcome } = stats
  return { problem, offset: best, height, lowerBound, outcome }
}

export async function compareWhole(make: () => Client = createClient): Promise<void> {
  const opened = workbench.opened.get()
  if (opened?.problem.tasks === undefined) return
  forgetComparison()
  end = new AbortController()
  const { signal } = end
  leave = workbench.opened.subscribe(() => workbench.opened.get() !== opened && forgetComparison())
  comparison.set({ tiles: null, whole: null, running: true, failed: '' })
  try {
    await runJobs(
      [buffersOf(opened), wholeCsv(opened.problem)],
      sideOf,
      (index, side) => change(index === 0 ? { tiles: side } : { whole: side }),
      { workers: 1, signal, make },
    )
    if (!signal.aborted) change({ running: false })
  } catch (error) {
    change({ running: false, failed: error instanceof Error ? error.message : String(error) })
  }
}
