/** Looks, in a worker of its own, for the order of the open model that needs the least, which the lowering's few orders may miss. */
import { createClient } from '../../../../wasm/client/client'
import type { Client, RunStats, SolverInfo } from '../../../../wasm/client/types'
import { manifest } from '../../state/atoms'
import { leastPeak } from '../../state/model/budgets'
import { planner } from '../../state/model/reorder_offer'
import { workbench } from '../../state/workbench_cells'
import { giveModel, type OpenModel, openModel, within } from './open_model'

/** Nobody waits for it, but a core is busy as long, in milliseconds. */
const PATIENCE = 1500
/** What is opened and left at once, or looked for by somebody else, is not begun. */
const SETTLED = 800

/** The least peak that a worker finds in its time; told to all who show budgets. */
export async function findLeastPeak(client: Client, open: OpenModel, { id }: SolverInfo): Promise<RunStats> {
  const { required } = open.model.budgets
  const config = { solver: id, goal: 'height' as const, capacity: required, seed: 1, budget: 0, options: {} }
  await giveModel(client, open)
  const { stats } = await within(client, config, PATIENCE)
  if (stats.height >= 0) leastPeak.set({ of: open.opened, bytes: stats.height })
  return stats
}

/** As long as budgets are shown. */
export class LeastPeakWatch {
  private readonly exits: (() => void)[]
  private timer: ReturnType<typeof setTimeout> | undefined
  private client: Client | null = null
  private asked: unknown = null

  constructor(private readonly make: () => Client = createClient) {
    const ask = () => this.ask()
    this.exits = [workbench.opened, manifest].map((cell) => cell.subscribe(ask))
    ask()
  }

  stop(): void {
    for (const exit of this.exits.splice(0)) exit()
    this.give()
  }

  private give(): void {
    clearTimeout(this.timer)
    this.client?.dispose()
    this.client = null
  }

  private ask(): void {
    const [open, solver] = [openModel(), planner(manifest.get())]
    if (open?.opened === this.asked) return
    this.give()
    this.asked = null
    if (open === null || solver === null) return
    this.asked = open.opened
    this.timer = setTimeout(() => void this.look(open, solver), SETTLED)
  }

  private async look(open: OpenModel, solver: SolverInfo): Promise<void> {
    const { required, peak } = open.model.budgets
    if (leastPeak.get()?.of === open.opened || required >= peak) return
    const client = this.make()
    this.client = client
    // what is not found stays as the lowering has it
    await findLeastPeak(client, open, solver).catch(() => undefined)
    if (this.client === client) this.give()
  }
}
