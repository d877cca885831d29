/** The Stats tab: the counts of the whole search, what it came to, and the ways to its steps. */
import { describe, expect, it } from 'vitest'
import { StatsTab } from '../../../web/src/panels/search/stats'
import type { RunStats } from '../../../wasm/client/types'
import { deafCanvas } from '../support/deaf_canvas'
import { statsOf } from '../support/fake'
import { press, screen, stand } from '../support/stand'
import { workbench } from '../../../web/src/state/workbench_cells'

deafCanvas()
const on = stand()

async function ended(more: Partial<RunStats> = {}): Promise<void> {
  on.client.hold = true
  void on.session.run()
  await on.settle()
  on.client.finish(statsOf(2000, { maxDepthStep: 30, ...more }))
  await on.settle()
}

const fact = (name: string) => screen.getByText(name).parentElement?.querySelector('dd')?.textContent

describe('the counts of a search', () => {
  it('stand there once there is one', () => {
    on.show(<StatsTab />)
    screen.getByText('Run the solver: its counts stand here.')
    expect(screen.queryByText('The whole search')).toBeNull()
  })

  it('are those of the whole run, with its pace and how deep it came', async () => {
    await ended({ nodes: 1500, backtracks: 40, skipped: 7, restarts: 2, seconds: 0.5, maxDepth: 4 })
    on.show(<StatsTab />)
    const names = ['Steps', 'Steps per second', 'Nodes', 'Backtracks', 'Candidates skipped', 'Restarts', 'Deepest']
    expect(names.map(fact)).toEqual(['2,000', '4 k', '1,500', '40', '7', '2', '4 of 5'])
  })

  it('have no pace where no time has passed', async () => {
    await ended({ seconds: 0 })
    on.show(<StatsTab />)
    expect(fact('Steps per second')).toBe('–')
  })

  it('say how far the plan is above the lower bound', async () => {
    await ended({ height: 15 })
    on.show(<StatsTab />)
    expect(['Lower bound', 'Height', 'Fragmentation'].map(fact)).toEqual(['12', '15', '25.00 %'])
    expect(screen.queryByText('Gap')).toBeNull()
  })

  it('have no height without a plan', async () => {
    await ended({ height: -1, outcome: 'budget-spent' })
    on.show(<StatsTab />)
    expect(['Height', 'Fragmentation'].map(fact)).toEqual(['–', '–'])
  })

  it('say what is left between the bounds of a search for the least height', async () => {
    workbench.solver.set('exact')
    on.actions.solver.setMinimise(true)
    await ended({ height: 15 })
    on.show(<StatsTab />)
    expect(fact('Gap')).toBe('3, 25.00 %')
    expect(screen.queryByText('Fragmentation')).toBeNull()
  })

  it('come while the run is under way', async () => {
    on.client.hold = true
    void on.session.run()
    await on.settle()
    on.show(<StatsTab />)
    screen.getByText('Run the solver: its counts stand here.')
    on.client.progress(statsOf(300, { outcome: 'cancelled' }), null)
    await on.settle()
    expect(fact('Steps')).toBe('300')
  })

  it('lead to the deepest step', async () => {
    await ended()
    on.show(<StatsTab />)
    press('Deepest step of all')
    expect(workbench.cursor.get()).toBe(30)
  })
})
