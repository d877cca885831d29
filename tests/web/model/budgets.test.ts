/** M_R, M_H and M_P: what a search found of the least peak counts where it is less than what the lowering knows. */
import { describe, expect, it } from 'vitest'
import type { RunConfig, RunResult } from '../../../wasm/client/types'
import { LeastPeakWatch } from '../../../web/src/run/model/least_peak'
import * as a from '../../../web/src/state/atoms'
import { budgets, leastPeak } from '../../../web/src/state/model/budgets'
import { workbench } from '../../../web/src/state/workbench_cells'
import { FakeClient, manifest as known, statsOf } from '../support/fake'
import { openSmall } from '../support/model_fixture'

const base = known.solvers[1]
if (base === undefined) throw new Error('no solver')
const PLANNER = { ...base, id: 'planner', domain: 'graph' as const, goals: ['fit', 'height', 'traffic'] as never }

class Background extends FakeClient {
  asked_: RunConfig[] = []
  gone = 0
  constructor(private readonly height: number) {
    super()
  }
  override run(config: RunConfig): Promise<RunResult> {
    this.asked_.push(config)
    return Promise.resolve({
      stats: statsOf(3, { height: this.height }),
      best: null,
      conflict: [],
    } as unknown as RunResult)
  }
  override dispose(): void {
    this.gone += 1
  }
}

function open(peak = 901): void {
  a.manifest.set({ ...known, schedulers: [PLANNER] })
  const small = openSmall()
  if (!small.ok) throw new Error('no model')
  const model = { ...small.model, budgets: { required: 600, half: 750, peak } }
  const source = { kind: 'model' as const, name: 'm', lowering: {}, from: { kind: 'file' as const, format: '' } }
  workbench.opened.set({ problem: small.problem, model, source, text: 'graph' })
}

const settled = (client: Background) => expect.poll(() => client.gone).toBeGreaterThan(0)

describe('the budgets', () => {
  it('are those of the lowering until a search found less', async () => {
    open()
    const client = new Background(701)
    const watch = new LeastPeakWatch(() => client)
    expect(budgets.get()).toEqual({ required: 600, half: 750, peak: 901 })
    await settled(client)
    expect(budgets.get()).toEqual({ required: 600, half: 650, peak: 701 })
    expect(client.asked_).toMatchObject([{ solver: 'planner', goal: 'height' }])
    watch.stop()
    open()
    expect(budgets.get()?.peak).toBe(901)
    workbench.opened.set(null)
    expect(budgets.get()).toBeNull()
  })

  it('stay where it found no less, or nothing', async () => {
    for (const height of [950, -1]) {
      open()
      const client = new Background(height)
      const watch = new LeastPeakWatch(() => client)
      await settled(client)
      expect(budgets.get()?.peak).toBe(901)
      watch.stop()
    }
  })

  it('are not looked for where there is nothing between one operator and the best order', async () => {
    open(600)
    const client = new Background(500)
    const watch = new LeastPeakWatch(() => client)
    open()
    await settled(client)
    expect(client.graphs).toHaveLength(1)
    watch.stop()
    expect(leastPeak.get()?.bytes).toBe(500)
  })
})
