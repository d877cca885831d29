/** Works out the least traffic of the open model at several capacities, in a worker of its own; another problem gives it up. */
import { createClient } from '../../../../wasm/client/client'
import type { Client } from '../../../../wasm/client/types'
import { manifest } from '../../state/atoms'
import { budgets } from '../../state/model/budgets'
import { planner } from '../../state/model/reorder_offer'
import { budgetsBetween, type Curve, type CurvePoint, curve } from '../../state/model/traffic_curve'
import { workbench } from '../../state/workbench_cells'
import { runJobs } from '../compare/jobs'
import { giveModel, openModel, within } from './open_model'

const POINTS = 9
/** For one capacity, in milliseconds. */
const PATIENCE = 8000

let end = new AbortController()
/** no longer watches for another problem */
let leave = () => {}

const change = (next: Partial<Curve>) => curve.update((now) => now && { ...now, ...next })

/** What is known by then stays. */
export function stopCurve(): void {
  end.abort()
  change({ running: false })
}

export function forgetCurve(): void {
  leave()
  end.abort()
  curve.set(null)
}

async function pointAt(client: Client, solver: string, capacity: number): Promise<CurvePoint> {
  const config = { solver, goal: 'traffic' as const, capacity, seed: 1, budget: 0, options: {} }
  const { cost, height, lowerBound, outcome } = (await within(client, config, PATIENCE)).stats
  return { capacity, traffic: height > capacity ? -1 : cost, bound: lowerBound, outcome }
}

export async function startCurve(make: () => Client = createClient): Promise<void> {
  const open = openModel()
  const solver = planner(manifest.get())
  if (open === null || solver === null) return
  const { opened } = open
  const { required, peak } = budgets.get() ?? open.model.budgets
  forgetCurve()
  end = new AbortController()
  const { signal } = end
  leave = workbench.opened.subscribe(() => workbench.opened.get() !== opened && forgetCurve())
  const capacities = budgetsBetween(required, peak, POINTS)
  curve.set({ capacities, points: capacities.map(() => null), failed: '', running: true })
  try {
    await runJobs(
      capacities,
      async (client, capacity) => {
        await giveModel(client, open)
        return pointAt(client, solver.id, capacity)
      },
      (index, point) => change({ points: (curve.get()?.points ?? []).map((old, k) => (k === index ? point : old)) }),
      { workers: 1, signal, make },
    )
    if (!signal.aborted) change({ running: false })
  } catch (error) {
    change({ running: false, failed: error instanceof Error ? error.message : String(error) })
  }
}
