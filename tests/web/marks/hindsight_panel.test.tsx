/** Hindsight's panel: what it asks, finds, does not know, and how it is stopped. The oracle is a client whose answers the test times. */
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { OutcomeId } from '../../../wasm/client/types'
import { Hindsight } from '../../../web/src/panels/marks/hindsight'
import { stopHindsight } from '../../../web/src/run/marks/hindsight'
import * as h from '../../../web/src/state/marks/hindsight'
import { FakeClient, frameOf, statsOf } from '../support/fake'
import { control, fireEvent, press, screen, stand } from '../support/stand'
import { workbench } from '../../../web/src/state/workbench_cells'

const oracles: FakeClient[] = vi.hoisted(() => [])
vi.mock('../../../wasm/client/client', () => ({
  createClient: () => {
    const client = new FakeClient()
    client.hold = true
    oracles.push(client)
    return client
  },
}))

const on = stand()
const LOOK = 'Look for the wrong turn'
/** b1, b2, b3 on top of each other: what the step shown has. */
const OFFSETS = Float64Array.from([0, 4, 8, -1, -1])
const oracle = () => oracles.at(-1) as FakeClient

beforeEach(() => {
  stopHindsight()
  oracles.length = 0
  h.hindsight.set({ kind: 'none' })
  workbench.following.set(false)
})

/** A run that has ended, looked at after three placements. */
async function ended(outcome: OutcomeId = 'optimal', best: Float64Array<ArrayBuffer> | null = null): Promise<void> {
  on.client.hold = true
  void on.session.run()
  await on.settle()
  on.client.finish(statsOf(100, { outcome, height: outcome === 'optimal' ? 12 : -1 }), best)
  on.client.hold = false
  await on.settle()
  workbench.frame.set(frameOf(40, [], { offset: OFFSETS, stack: Uint32Array.from([0, 1, 2]), depth: 3 }))
}

/** What the oracle says to the question under way. */
async function answer(outcome: OutcomeId, best: number[] | null = null): Promise<void> {
  oracle().finish(statsOf(50, { outcome }), best === null ? null : Float64Array.from(best))
  await on.settle()
}

const words = () => (document.body.textContent ?? '').replace(/\s+/g, ' ')

async function asked(): Promise<void> {
  on.show(<Hindsight />)
  press(LOOK)
  await on.settle()
}

describe('hindsight', () => {
  it('is offered once a search has ended, and where there is a capacity to ask about', async () => {
    expect(on.show(<Hindsight />).textContent).toBe('')
    await ended()
    on.show(<Hindsight />)
    control('button', LOOK)
  })

  it('says that a search for the least height has none', async () => {
    on.actions.solver.setMinimise(true)
    await ended()
    on.show(<Hindsight />)
    screen.getByText('Looking for the least height, a search has no capacity to ask about.')
    expect(screen.queryByRole('button', { name: LOOK })).toBeNull()
  })

  it('says what it is asking', async () => {
    await ended()
    await asked()
    expect(words()).toContain('Question 1: is there a plan after level 1 of 3?')
    await answer('feasible', [0, 8, 4, 0, 0])
    expect(words()).toContain('Question 2: is there a plan after level 2 of 3?')
    expect(oracle().config).toMatchObject({ solver: 'exact', capacity: 12, budget: 200_000 })
  })

  it('names the decision after which no plan was left, and leads there', async () => {
    on.client.stops = [5, 60]
    await ended()
    await asked()
    await answer('feasible', [0, 8, 4, 0, 0])
    await answer('infeasible')
    expect(words()).toContain('Level 2 was the wrong turn: with b2 at 4 no plan within 12 is left')
    expect(words()).toContain('and the decision after it could not help.')
    expect(words()).toContain('Step 40: 2 questions, 100 steps of the exact solver, at most 200,000 each.')
    fireEvent.focus(control('button', 'b2'))
    expect(workbench.lit.get().buffers).toEqual([1])
    press('Go to the wrong turn')
    expect(workbench.cursor.get()).toBe(5)
  })

  it('does not claim to know the levels that the budget left open', async () => {
    await ended()
    await asked()
    await answer('budget-spent')
    await answer('infeasible')
    await answer('feasible', [4, 0, 0, 0, 0])
    expect(words()).toContain('At the latest level 2 was the wrong turn')
    expect(words()).toContain('Of levels 1 to 1 it is not known.')
    expect(screen.queryByRole('button', { name: 'Go to the wrong turn' })).not.toBeNull()
  })

  it('keeps unknown what no question decided, and asks with more steps', async () => {
    await ended('budget-spent')
    await asked()
    for (let k = 0; k < 4; k++) await answer('budget-spent')
    expect(words()).toContain('Unknown: the budget did not decide about any level.')
    expect(words()).not.toContain('was the wrong turn')
    expect(words()).not.toContain('Nothing is lost')
    press('Ask with ten times the steps')
    await on.settle()
    expect(oracle().config?.budget).toBe(2_000_000)
  })

  it('says that nothing is lost where the plan that was found keeps every placement', async () => {
    await ended('optimal', Float64Array.from([0, 4, 8, 0, 0]))
    await asked()
    expect(words()).toContain('Nothing is lost here: a plan exists that keeps every placement of this path.')
    expect(oracle().config).toBeNull()
  })

  it('blames no decision where nothing fits at all', async () => {
    await ended('infeasible')
    await asked()
    expect(words()).toContain('Nothing fits this capacity at all: no decision is to blame.')
    expect(oracle().config).toBeNull()
  })

  it('can be stopped: what is known by then stays', async () => {
    await ended()
    await asked()
    await answer('feasible', [0, 8, 4, 0, 0])
    press('Stop asking')
    await on.settle()
    expect(words()).toContain('After level 1 a plan still exists; of the levels above it is not known.')
    expect(h.hindsight.get().kind).toBe('known')
  })

  it('says why it could not ask, and asks again', async () => {
    await ended()
    await asked()
    oracle().fail(new Error('The worker stopped.'))
    await on.settle()
    screen.getByText('The worker stopped.')
    press('Ask about this step')
    await on.settle()
    expect(oracles).toHaveLength(2)
    expect(words()).toContain('Question 1')
  })

  it('tells of the step that was asked about, and of another one only when asked', async () => {
    await ended('infeasible')
    await asked()
    workbench.frame.set(frameOf(41, [], { offset: OFFSETS, stack: Uint32Array.from([0]) }))
    await on.settle()
    expect(words()).toContain('Step 40:')
    press('Ask about this step')
    await on.settle()
    expect(words()).toContain('Step 41:')
  })

  it('gives up a question about a search that is no longer shown', async () => {
    await ended()
    await asked()
    expect(h.hindsight.get().kind).toBe('asking')
    on.actions.solver.setSeed(7)
    await on.actions.solver.run()
    await on.settle()
    expect(h.hindsight.get().kind).toBe('known')
    expect(words()).not.toContain('Question')
  })

  it('asks at every step come to rest at, once that is wished', async () => {
    await ended()
    await asked()
    await answer('feasible', [0, 8, 4, 0, 0])
    await answer('infeasible')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    fireEvent.click(control('checkbox', 'at every step'))
    const before = oracles.length
    workbench.frame.set(
      frameOf(50, [], { offset: Float64Array.from([8, -1, -1, -1, -1]), stack: Uint32Array.from([0]) }),
    )
    await vi.advanceTimersByTimeAsync(100)
    expect(oracles).toHaveLength(before)
    await vi.advanceTimersByTimeAsync(200)
    vi.useRealTimers()
    await on.settle()
    expect(oracles.length).toBeGreaterThan(before)
    expect(h.hindsight.get()).toMatchObject({ kind: 'asking', judged: { step: 50 } })
  })
})
