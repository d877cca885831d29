/** A search under way, and what is known of it once it has ended. */
import { describe, expect, it } from 'vitest'
import type { OutcomeId, RunStats } from '../../../wasm/client/types'
import { leadOf, ResultPanel } from '../../../web/src/panels/solver/result'
import { Running } from '../../../web/src/panels/solver/running'
import { statsOf } from '../support/fake'
import { control, press, screen, stand } from '../support/stand'
import { workbench } from '../../../web/src/state/workbench_cells'

const on = stand()

async function begin(): Promise<void> {
  on.client.hold = true
  void on.actions.solver.run()
  await on.settle()
}

async function tell(stats: RunStats): Promise<void> {
  on.client.progress(stats, null)
  await on.settle()
}

async function end(outcome: OutcomeId, more: Partial<RunStats> = {}): Promise<void> {
  await begin()
  on.client.finish(statsOf(1000, { outcome, ...more }))
  await on.settle()
}

describe('a search under way', () => {
  it('is not there before it runs', () => {
    expect(on.show(<Running />).textContent).toBe('')
  })

  it('says how far it is, and how fast', async () => {
    workbench.budget.set(4000)
    await begin()
    on.show(<Running />)
    screen.getByText('0 of 4,000 steps')
    await tell(statsOf(1000, { seconds: 0.5, maxDepth: 3, outcome: 'running' as OutcomeId }))
    screen.getByText('1,000 of 4,000 steps')
    screen.getByText('deepest 3 of 5')
    screen.getByText(/^2\s?k steps\/s$/)
    const bar = control('progressbar', 'Steps of the budget') as HTMLProgressElement
    expect([bar.value, bar.max]).toEqual([1000, 4000])
  })

  it('has no end in sight without a budget', async () => {
    workbench.budget.set(0)
    await begin()
    await tell(statsOf(1000))
    on.show(<Running />)
    screen.getByText('1,000 steps')
    expect(control('progressbar', 'Steps of the budget').className).toBe('endless')
  })

  it('says between what the least height is known to be', async () => {
    workbench.solver.set('exact')
    workbench.goal.set('height')
    await begin()
    await tell(statsOf(1000, { height: 16, lowerBound: 12 }))
    const host = on.show(<Running />)
    expect(host.textContent).toContain('least height [12, 16], gap 4, 33.33 %')
  })

  it('is cancelled by its button', async () => {
    await begin()
    on.show(<Running />)
    press(/^Cancel/)
    await on.settle()
    expect(workbench.run.get().kind).toBe('cancelled')
    expect(screen.queryByRole('region', { name: 'Running' })).toBeNull()
  })
})

const fact = (name: string) => screen.getByText(name).nextElementSibling?.textContent

describe('the result', () => {
  it('is not there before a run', () => {
    expect(on.show(<ResultPanel />).textContent).toBe('')
  })

  it('is said while it is still running', async () => {
    await begin()
    on.show(<ResultPanel />)
    screen.getByText('Running')
    await tell(statsOf(10, { height: -1, maxDepth: 4 }))
    expect(fact('Deepest')).toBe('4 of 5 placed')
  })

  it.each([
    ['optimal', { height: 12 }, 'Fits: 12, and nothing lower exists.'],
    ['feasible', { height: 12 }, 'Fits: 12, and nothing below 10 exists.'],
    ['infeasible', {}, 'Does not fit: no plan is within 12.'],
    ['budget-spent', { maxDepth: 3 }, 'Undecided: at most 3 of 5 were placed at once.'],
    ['exhausted', { maxDepth: 0 }, 'Undecided: no plan was found.'],
    ['over-capacity', { height: 15 }, 'Its plan needs 15, 3 more than there are.'],
    ['out-of-memory', { maxDepth: 3 }, 'Undecided: at most 3 of 5 were placed at once.'],
  ] as [OutcomeId, Partial<RunStats>, string][])('says in a sentence what %s means', async (outcome, stats, text) => {
    await end(outcome, { height: -1, lowerBound: 10, ...stats })
    const host = on.show(<ResultPanel />)
    expect(control('status', '').textContent).toBe(text)
    expect(host.querySelector('.outcome')?.textContent).toBe(outcome)
  })

  it('says it to the byte where a rounded figure would say another amount', async () => {
    workbench.capacity.set(2000)
    await end('optimal', { height: 2000, lowerBound: 2000 })
    on.show(<ResultPanel />)
    expect(control('status', '').textContent).toBe('Fits: 2,000 B, and nothing lower exists.')
    expect(fact('Height')).toBe('2,000 B')
  })

  it.each([
    ['optimal', { cost: 7 }, 'Moves 7, and nothing moves less.'],
    ['budget-spent', { cost: 7, lowerBound: 4 }, 'Moves 7; at least 4 must be moved.'],
    ['infeasible', {}, 'Does not fit: no plan is within 12.'],
    ['budget-spent', {}, 'Undecided: no plan was found.'],
  ] as [OutcomeId, Partial<RunStats>, string][])('of traffic says what must be moved: %s', (outcome, stats, text) => {
    const told = { ...statsOf(10, { height: 12, lowerBound: 0, cost: -1, ...stats }), outcome }
    expect(leadOf(told, 'traffic', 12, 5, String)).toBe(text)
  })

  it.each([
    ['optimal', 108, 'Fits: 108, and nothing lower exists.'],
    ['over-capacity', 140, 'Its plan needs 140, 4 more than there are.'],
    // there is room in the other one
    ['over-capacity', 120, 'Its plan ends above the capacity of a pool.'],
  ] as [OutcomeId, number, string][])('of pools with room for 40 and 96: %s at %d', (outcome, height, text) => {
    const told = { ...statsOf(10, { height, lowerBound: 100 }), outcome }
    for (const goal of ['fit', 'height'] as const) {
      if (goal === 'fit' || told.outcome === 'over-capacity') expect(leadOf(told, goal, 40, 12, String, 136)).toBe(text)
    }
  })

  it('of a search for the least height says what is open of that', async () => {
    workbench.solver.set('exact')
    workbench.goal.set('height')
    await end('feasible', { height: 15, lowerBound: 12 })
    on.show(<ResultPanel />)
    expect(control('status', '').textContent).toBe('Needs 15, and nothing below 12 exists.')
    expect(fact('Least height')).toBe('[12, 15]')
    expect(fact('Gap')).toBe('3, 25.00 %')
  })

  it('has the figures of the plan', async () => {
    await end('feasible', { height: 15, lowerBound: 12, backtracks: 1234, seconds: 0.25, digest: '0123456789abcdef' })
    on.show(<ResultPanel />)
    expect(fact('Height')).toContain('15')
    expect(fact('Fragmentation')).toBe('25.00 %')
    expect(fact('Steps')).toBe('1,000')
    expect(fact('Backtracks')).toBe('1,234')
    expect(fact('Time')).toBe('0.25 s')
    expect(screen.queryByText('Digest')).toBeNull()
    press('Digest')
    expect(fact('Digest')).toBe('0123 cdef')
  })

  it('says whether a link was reproduced, and where it was not', async () => {
    await end('optimal')
    workbench.verdict.set({ kind: 'checking' })
    on.show(<ResultPanel />)
    screen.getByText('Comparing with the link…')
    workbench.verdict.set({ kind: 'same' })
    await on.settle()
    screen.getByText('Reproduced exactly')
    workbench.verdict.set({ kind: 'differs', after: 16, by: 32 })
    await on.settle()
    screen.getByText('Differs from step 17')
    screen.getByText('or a later one up to 32. The link was made by another version.')
    workbench.verdict.set({ kind: 'differs', after: 16, by: 17 })
    await on.settle()
    screen.getByText('The link was made by another version.')
  })

  it('says why there is none', async () => {
    await begin()
    await tell(statsOf(500))
    on.client.fail(new Error('gone'))
    await on.settle()
    on.show(<ResultPanel />)
    screen.getByText('Stopped')
    screen.getByText('at step 500')
  })
})
