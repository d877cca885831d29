/**
 * Looks, in a worker of its own, for what another order and copies outside would make of the model that is open, while it does not fit the
 * capacity as it is. Whatever changes gives it up.
 */
import { createClient } from '../../../../wasm/client/client'
import type { Client, RunStats, SolverInfo } from '../../../../wasm/client/types'
import { manifest } from '../../state/atoms'
import { leaveLesson } from '../../state/lesson/lesson_workbench'
import { type Amount, largestOperator, type ReorderOffer, reorderOffer, planner } from '../../state/model/reorder_offer'
import { SELECT } from '../../state/model/selection'
import { ofModels } from '../../state/workbench'
import { workbench } from '../../state/workbench_cells'
import { type OpenModel, openModel, within } from './open_model'
import { findLeastPeak } from './least_peak'

/** Nobody waits for it, but a core is busy as long: milliseconds for the second of the two searches. */
const PATIENCE = 1500
/** While the slider is dragged nothing is begun. */
const SETTLED = 250

interface Question {
  open: OpenModel
  capacity: number
  solver: SolverInfo
}

/** The question that the page poses now; null: the model fits as it is, or there is none. */
function question(): Question | null {
  const [open, capacity] = [openModel(), workbench.capacity.get()]
  const solver = planner(manifest.get())
  // a lesson tells of its network itself
  if (leaveLesson.get() !== null) return null
  // what does not fit there is meant to live elsewhere
  if (open === null || solver === null || workbench.solver.get() === SELECT) return null
  return open.opened.problem.lowerBound > capacity ? { open, capacity, solver } : null
}

export class ReorderOfferWatch {
  private readonly exits: (() => void)[]
  private timer: ReturnType<typeof setTimeout> | undefined
  private end = new AbortController()
  private asked: Question | null = null

  constructor(private readonly make: () => Client = createClient) {
    const ask = () => this.ask()
    const { opened, capacity, profile, solver } = workbench
    this.exits = [opened, capacity, profile, solver, manifest, leaveLesson].map((cell) => cell.subscribe(ask))
    ask()
  }

  stop(): void {
    for (const exit of this.exits.splice(0)) exit()
    this.give()
  }

  private give(): void {
    clearTimeout(this.timer)
    this.end.abort()
    this.asked = null
    reorderOffer.set({ kind: 'none' })
  }

  private ask(): void {
    const next = question()
    if (next?.open.opened === this.asked?.open.opened && next?.capacity === this.asked?.capacity) return
    this.give()
    this.asked = next
    if (next === null) return
    const end = new AbortController()
    this.end = end
    reorderOffer.set({ kind: 'looking' })
    this.timer = setTimeout(() => void this.look(next, end.signal), SETTLED)
  }

  private async look(on: Question, signal: AbortSignal): Promise<void> {
    const known = await alone(on)
    const found = known ?? (await this.search(on, signal).catch((): ReorderOffer => ({ kind: 'none' })))
    if (!signal.aborted) reorderOffer.set(found)
  }

  private async search({ open, capacity, solver }: Question, signal: AbortSignal): Promise<ReorderOffer> {
    if (signal.aborted) return { kind: 'none' }
    const client = this.make()
    signal.addEventListener('abort', () => client.dispose(), { once: true })
    try {
      const least = await findLeastPeak(client, open, solver)
      if (least.height < 0) return { kind: 'none' }
      const peak = { bytes: least.height, proven: least.outcome === 'optimal' }
      if (peak.bytes <= capacity) return { kind: 'fits', peak }
      const config = { solver: solver.id, goal: 'traffic' as const, capacity, seed: 1, budget: 0, options: {} }
      const moved = (await within(client, config, PATIENCE)).stats
      return { kind: 'moves', peak, traffic: trafficIn(moved, capacity) }
    } finally {
      client.dispose()
    }
  }
}

/** A plan above the capacity is none. */
function trafficIn({ cost, height, outcome }: RunStats, capacity: number): Amount | null {
  return cost < 0 || height > capacity ? null : { bytes: cost, proven: outcome === 'optimal' }
}

/** One operator that does not fit alone needs no search. */
async function alone({ open: { model, opened }, capacity }: Question): Promise<ReorderOffer | null> {
  if (model.budgets.required <= capacity) return null
  const part = await ofModels.get()
  const { op } = largestOperator(model, opened.problem)
  return { kind: 'small', operator: part.opName(model, op), needs: model.budgets.required }
}
