/**
 * Looks, in a worker of its own, for what another order and copies outside would make of the model that is open, while it does not fit the
 * capacity as it is. Whatever changes gives it up.
 */
import { createClient } from '../../../../wasm/client/client'
import type { Client, Goal, RunStats, SolverInfo } from '../../../../wasm/client/types'
import { manifest } from '../../state/atoms'
import { type Amount, largestOperator, type Offer, offer, planner } from '../../state/model/offer'
import { ofModels } from '../../state/workbench'
import { workbench } from '../../state/workbench_cells'
import type { Opened } from '../../state/workbench_values'
import { within } from './within'

/** Nobody waits for it, but a core is busy as long: milliseconds for each of the two searches. */
const PATIENCE = 1500
/** While the slider is dragged nothing is begun. */
const SETTLED = 250

interface Question {
  opened: Opened
  capacity: number
  solver: SolverInfo
}

/** The question that the page poses now; null: the model fits as it is, or there is none. */
function question(): Question | null {
  const [opened, capacity] = [workbench.opened.get(), workbench.capacity.get()]
  const solver = planner(manifest.get())
  if (opened?.model === undefined || typeof opened.text !== 'string' || solver === null) return null
  return opened.problem.lowerBound > capacity ? { opened, capacity, solver } : null
}

export class OfferWatch {
  private readonly exits: (() => void)[]
  private timer: ReturnType<typeof setTimeout> | undefined
  private end = new AbortController()
  private asked: Question | null = null

  constructor(private readonly make: () => Client = createClient) {
    const ask = () => this.ask()
    const { opened, capacity, profile } = workbench
    this.exits = [opened, capacity, profile, manifest].map((cell) => cell.subscribe(ask))
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
    offer.set({ kind: 'none' })
  }

  private ask(): void {
    const next = question()
    if (next?.opened === this.asked?.opened && next?.capacity === this.asked?.capacity) return
    this.give()
    this.asked = next
    if (next === null) return
    const end = new AbortController()
    this.end = end
    offer.set({ kind: 'looking' })
    this.timer = setTimeout(() => void this.look(next, end.signal), SETTLED)
  }

  private async look(on: Question, signal: AbortSignal): Promise<void> {
    const known = await alone(on)
    const found = known ?? (await this.search(on, signal).catch((): Offer => ({ kind: 'none' })))
    if (!signal.aborted) offer.set(found)
  }

  private async search({ opened, capacity, solver }: Question, signal: AbortSignal): Promise<Offer> {
    if (signal.aborted || opened.source.kind !== 'model' || typeof opened.text !== 'string') return { kind: 'none' }
    const client = this.make()
    signal.addEventListener('abort', () => client.dispose(), { once: true })
    try {
      const read = await client.openGraph(opened.text, opened.source.lowering, workbench.profile.get())
      if (!read.ok) return { kind: 'none' }
      const run = (goal: Goal) =>
        within(client, { solver: solver.id, goal, capacity, seed: 1, budget: 0, options: {} }, PATIENCE)
      const least = await run('height')
      if (least.height < 0) return { kind: 'none' }
      const peak = { bytes: least.height, proven: least.outcome === 'optimal' }
      if (peak.bytes <= capacity) return { kind: 'fits', peak }
      const moved = await run('traffic')
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
async function alone({ opened: { model, problem }, capacity }: Question): Promise<Offer | null> {
  if (model === undefined || model.budgets.required <= capacity) return null
  const part = await ofModels.get()
  const { op } = largestOperator(model, problem)
  return { kind: 'small', operator: part.opName(model, op), needs: model.budgets.required }
}
