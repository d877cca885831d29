/** A run that proved nothing: what can be done next, the exact solver first whoever it was. */
import { describe, expect, it } from 'vitest'
import type { OutcomeId, SolverInfo } from '../../../wasm/client/types'
import type { Opened } from '../../../web/src/state/workbench_values'
import { Failed, Open } from '../../../web/src/panels/solver/why_not'
import { manifest } from '../../../web/src/state/atoms'
import { workbench } from '../../../web/src/state/workbench_cells'
import { manifest as known, fiveBuffers, statsOf } from '../support/fake'
import { press, screen, stand } from '../support/stand'

const on = stand()

async function end(outcome: OutcomeId): Promise<HTMLElement> {
  on.client.hold = true
  void on.actions.solver.run()
  await on.settle()
  const stats = statsOf(1000, { outcome, height: outcome === 'over-capacity' ? 15 : -1 })
  on.client.finish(stats)
  await on.settle()
  return on.show(<Open stats={stats} />)
}
const buttons = () => screen.getAllByRole('button').map((one) => one.textContent)
const primary = (host: HTMLElement) => [...host.querySelectorAll('.primary')].map((one) => one.textContent)

describe('after a run that proved nothing', () => {
  it.each(['budget-spent', 'cancelled', 'exhausted', 'over-capacity', 'out-of-memory'] as OutcomeId[])(
    'that ended %s, the exact solver is asked first',
    async (outcome) => {
      workbench.solver.set('minimalloc')
      const host = await end(outcome)
      expect(buttons()[0]).toBe('Ask Arenascope exact')
      expect(primary(host)).toEqual(['Ask Arenascope exact'])
      on.client.hold = false
      press('Ask Arenascope exact')
      await on.settle()
      expect(on.client.config?.solver).toBe('exact')
    },
  )

  it('the exact solver is not asked what it has just been asked', async () => {
    workbench.solver.set('exact')
    const host = await end('budget-spent')
    expect(buttons()).not.toContain('Ask Arenascope exact')
    expect(primary(host)).toEqual(['Continue'])
  })
})

describe('out of memory', () => {
  const solver = known.solvers[1] as SolverInfo
  const others = [
    { ...solver, id: 'large', title: 'Large', complete: false, refutes: true },
    { ...solver, id: 'greedy', title: 'Greedy', complete: false },
  ]
  const open = (count: number) => {
    manifest.set({ ...known, solvers: [...known.solvers, ...others] })
    const now = workbench.opened.get() as Opened
    workbench.opened.set({ ...now, problem: { ...fiveBuffers(), count } })
    workbench.solver.set('exact')
  }

  it.each([
    [100_000, 'Large'],
    [5, 'Greedy'],
  ])('of %d buffers names the solver that can do with less', async (count, title) => {
    open(count)
    const config = { solver: 'exact', capacity: 12, seed: 0, budget: 0, options: {} }
    workbench.run.set({ kind: 'failed', config, reason: 'memory', message: '', step: 0 })
    on.show(<Failed />)
    screen.getByText(`Use ${title}`)
  })

  it('of many buffers asks no other search that decides', async () => {
    open(100_000)
    workbench.solver.set('minimalloc')
    const host = await end('out-of-memory')
    expect(primary(host)).toEqual(['Use Large'])
  })
})
