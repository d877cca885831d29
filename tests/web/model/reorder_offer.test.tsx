/** The offer beside the canvas: what another order and copies outside would make of a model that does not fit. */
import { act } from '@testing-library/preact'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { RunConfig, RunResult, RunStats } from '../../../wasm/client/types'
import { ReorderOfferLine } from '../../../web/src/panels/model/reorder_offer'
import { ReorderOfferWatch } from '../../../web/src/run/model/reorder_offer_watch'
import * as a from '../../../web/src/state/atoms'
import { largestOperator, reorderOffer, planner } from '../../../web/src/state/model/reorder_offer'
import * as ui from '../../../web/src/state/ui'
import { workbench } from '../../../web/src/state/workbench_cells'
import type { Given } from '../../../web/src/state/workbench_values'
import { FakeClient, manifest as known, statsOf } from '../support/fake'
import { openSmall, smallModel, smallProblem } from '../support/model_fixture'
import { press, screen, stand, until } from '../support/stand'

const on = stand()
const base = known.solvers[1]
if (base === undefined) throw new Error('no solver')
const PLANNER = { ...base, id: 'planner', domain: 'graph' as const, goals: ['fit', 'height', 'traffic'] as never }

/** Ends each run at once with what is told of its goal. */
class Background extends FakeClient {
  asked_: RunConfig[] = []
  gone = 0
  constructor(private readonly ends: Partial<Record<'height' | 'traffic', Partial<RunStats>>>) {
    super()
  }
  override run(config: RunConfig): Promise<RunResult> {
    this.asked_.push(config)
    const stats = statsOf(3, this.ends[config.goal as 'height'] ?? { height: -1, cost: -1 })
    return Promise.resolve({ stats, best: null, conflict: [] } as unknown as RunResult)
  }
  override dispose(): void {
    this.gone += 1
  }
}

let watch: ReorderOfferWatch | null = null
function ask(client: FakeClient, capacity: number, required = 600, text: Given = 'graph'): void {
  act(() => {
    a.manifest.set({ ...known, schedulers: [PLANNER] })
    const small = openSmall()
    if (!small.ok) throw new Error('no model')
    const model = { ...small.model, budgets: { required, half: required, peak: 900 } }
    const source = { kind: 'model' as const, name: 'm', lowering: {}, from: { kind: 'file' as const, format: '' } }
    workbench.opened.set({ problem: small.problem, model, source, text })
    workbench.capacity.set(capacity)
  })
  watch = new ReorderOfferWatch(() => client)
}

beforeEach(() => {
  watch?.stop()
  watch = null
})

describe('the offer', () => {
  it('is made by a solver that can do both, and names the operator that alone is too much', async () => {
    expect(planner(known)).toBeNull()
    expect(planner({ ...known, schedulers: [PLANNER] })?.id).toBe('planner')
    expect(largestOperator(smallModel(), smallProblem())).toEqual({ op: 2, bytes: 1000 })
    const client = new Background({})
    ask(client, 500)
    await until(() => expect(reorderOffer.get()).toEqual({ kind: 'small', operator: 'Add', needs: 600 }))
    expect(client.asked_).toEqual([])
  })

  it('is another order where that is enough', async () => {
    const client = new Background({ height: { height: 700, outcome: 'feasible' } })
    ask(client, 800)
    await until(() => expect(reorderOffer.get()).toEqual({ kind: 'fits', peak: { bytes: 700, proven: false } }))
    expect(client.asked_.map(({ goal }) => goal)).toEqual(['height'])
    expect(client.gone).toBeGreaterThan(0)
  })

  it('is made of a graph that was imported as well', async () => {
    const client = new Background({ height: { height: 700, outcome: 'feasible' } })
    const graph = { numbers: new Float64Array(), words: new Uint32Array(), text: new Uint8Array() }
    ask(client, 800, 600, graph)
    await until(() => expect(reorderOffer.get().kind).toBe('fits'))
    expect(client.graphs).toEqual([graph])
  })

  it('is copies outside where it is not, and claims no more than was proven', async () => {
    const client = new Background({
      height: { height: 900, outcome: 'feasible' },
      traffic: { height: 800, cost: 366, outcome: 'optimal' },
    })
    ask(client, 800)
    const traffic = { bytes: 366, proven: true }
    await until(() =>
      expect(reorderOffer.get()).toEqual({ kind: 'moves', peak: { bytes: 900, proven: false }, traffic }),
    )
  })

  it('is open where no plan was found in time, and none where it fits as it is', async () => {
    const ends = { height: { height: 900 }, traffic: { height: 900, cost: 10, outcome: 'over-capacity' as const } }
    ask(new Background(ends), 800)
    await until(() => expect(reorderOffer.get()).toMatchObject({ kind: 'moves', traffic: null }))
    act(() => workbench.capacity.set(1000))
    expect(reorderOffer.get()).toEqual({ kind: 'none' })
  })

  it('is given up by what changes meanwhile', async () => {
    vi.useFakeTimers()
    const client = new Background({ height: { height: 700 } })
    ask(client, 800)
    expect(reorderOffer.get()).toEqual({ kind: 'looking' })
    act(() => workbench.capacity.set(1200))
    await vi.advanceTimersByTimeAsync(1000)
    vi.useRealTimers()
    expect(client.asked_).toEqual([])
    expect(reorderOffer.get()).toEqual({ kind: 'none' })
  })
})

describe('the line', () => {
  it('says what was found, and runs it', async () => {
    on.show(<ReorderOfferLine />)
    const client = new Background({
      height: { height: 900, outcome: 'feasible' },
      traffic: { height: 800, cost: 366, outcome: 'optimal' },
    })
    ask(client, 800)
    await until(() => expect(screen.getByRole('complementary').textContent).toContain('Reordered it needs at most 900'))
    expect(screen.getByRole('complementary').textContent).toMatch(/in 800 it fits with 366 of traffic to DRAM/)
    press('Show me')
    await on.settle()
    expect(on.client.config).toMatchObject({ solver: 'planner', goal: 'traffic', capacity: 800 })
    expect(screen.queryByRole('complementary')).toBeNull()
  })

  it('goes when it is closed', async () => {
    on.show(<ReorderOfferLine />)
    ask(new Background({}), 500)
    await until(() =>
      expect(screen.getByRole('complementary').textContent).toMatch(/^No order helps in 500: Add alone needs 600/),
    )
    press('What can be done')
    expect(ui.tab.get()).toBe('model')
    // there it stands by itself
    await on.settle()
    expect(screen.queryByRole('complementary')).toBeNull()
    ui.tab.set('step')
    await on.settle()
    press('Close the offer')
    await on.settle()
    expect(screen.queryByRole('complementary')).toBeNull()
  })
})
