/** A run that proved nothing: what can be done next, the exact solver first whoever it was. */
import { describe, expect, it } from 'vitest'
import type { OutcomeId } from '../../../wasm/client/types'
import { Open } from '../../../web/src/panels/solver/why_not'
import { workbench } from '../../../web/src/state/workbench_cells'
import { statsOf } from '../support/fake'
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
