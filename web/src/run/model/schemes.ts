/** Runs the schemes that the least traffic is compared with, in a worker of its own; another problem or capacity gives it up. */
import { createClient } from '../../../../wasm/client/client'
import type { Client } from '../../../../wasm/client/types'
import {
  type Comparison,
  comparison,
  configOf,
  movedBy,
  SCHEMES,
  type Scheme,
  type SchemeRow,
} from '../../state/model/schemes'
import { workbench } from '../../state/workbench_cells'
import { runJobs } from '../compare/jobs'
import type { Session } from '../session'
import { giveModel, type OpenModel, openModel, within } from './open_model'

/** For one scheme, in milliseconds. */
const PATIENCE = 20_000

let end = new AbortController()
/** no longer watches for another problem */
let leave = () => {}

const change = (next: Partial<Comparison>) => comparison.update((now) => now && { ...now, ...next })

/** What is known by then stays. */
export function stopComparison(): void {
  end.abort()
  change({ running: false })
}

export function forgetComparison(): void {
  leave()
  end.abort()
  comparison.set(null)
}

async function rowOf(client: Client, open: OpenModel, scheme: Scheme, capacity: number): Promise<SchemeRow> {
  await giveModel(client, open)
  const { stats, plan } = await within(client, configOf(scheme, capacity), PATIENCE)
  const fits = plan != null && stats.height >= 0 && stats.height <= capacity
  const { lowerBound: bound, outcome, seconds } = stats
  return { scheme, moved: fits ? movedBy(plan, open.model, open.opened.problem) : null, bound, outcome, seconds }
}

export async function startComparison(make: () => Client = createClient): Promise<void> {
  const open = openModel()
  if (open === null) return
  forgetComparison()
  end = new AbortController()
  const { signal } = end
  const capacity = workbench.capacity.get()
  const other = () =>
    (openModel()?.opened !== open.opened || workbench.capacity.get() !== capacity) && forgetComparison()
  const exits = [workbench.opened, workbench.capacity].map((cell) => cell.subscribe(other))
  leave = () => {
    for (const exit of exits) exit()
  }
  comparison.set({ capacity, rows: SCHEMES.map(() => null), failed: '', running: true })
  try {
    await runJobs(
      SCHEMES,
      (client, scheme) => rowOf(client, open, scheme, capacity),
      (index, row) => change({ rows: (comparison.get()?.rows ?? []).map((old, k) => (k === index ? row : old)) }),
      { workers: 1, signal, make },
    )
    if (!signal.aborted) change({ running: false })
  } catch (error) {
    change({ running: false, failed: error instanceof Error ? error.message : String(error) })
  }
}

/** Runs a scheme on the page, as it was run here. */
export async function openScheme(session: Session, scheme: Scheme): Promise<void> {
  const { solver, options } = scheme
  workbench.mode.set('search')
  workbench.goal.set('traffic')
  workbench.solver.set(solver)
  workbench.options.update((all) => ({ ...all, [solver]: options }))
  await session.run()
}
