/** The least height: how the next run is meant, what is known between its bounds, and what a search for it has ended with. */
import { beforeEach, describe, expect, it } from 'vitest'
import { act } from '@testing-library/preact'
import type { RunStats, SolverInfo } from '../../../wasm/client/types'
import { Gap, Interval, Goals } from '../../../web/src/panels/solver/least_height'
import { Least } from '../../../web/src/panels/solver/least_height_result'
import * as a from '../../../web/src/state/atoms'
import { manifest as known, statsOf } from '../support/fake'
import { openSmall } from '../support/model_fixture'
import { control, press, screen, stand } from '../support/stand'
import { workbench } from '../../../web/src/state/workbench_cells'

const on = stand()
const between = (lowerBound: number, height: number): RunStats => statsOf(9, { lowerBound, height })
const words = (part: HTMLElement) => part.textContent?.replace(/\s+/g, ' ') ?? ''
const pressed = (name: string) => control('button', name).getAttribute('aria-pressed')

describe('the goal of the next run', () => {
  it('is to fit, until the least height is asked for', async () => {
    workbench.solver.set('exact')
    on.show(<Goals />)
    expect([pressed('Fit'), pressed('Minimise')]).toEqual(['true', 'false'])
    press('Minimise')
    await on.settle()
    expect([pressed('Fit'), pressed('Minimise')]).toEqual(['false', 'true'])
    await on.actions.solver.run()
    expect(on.client.config).toMatchObject({ solver: 'exact', goal: 'height' })
  })

  it('is no question where the solver can only fit', () => {
    workbench.solver.set('minimalloc')
    expect(on.show(<Goals />).textContent).toBe('')
  })

  it('is in the words of graphs for a solver of graphs, all that it can be asked for', async () => {
    const exact = known.solvers.find(({ id }) => id === 'exact') as SolverInfo
    const planner: SolverInfo = { ...exact, id: 'planner', domain: 'graph', goals: ['fit', 'height', 'traffic'] }
    act(() => {
      a.manifest.set({ ...known, schedulers: [planner] })
      workbench.solver.set('planner')
      const small = openSmall()
      if (small.ok) workbench.opened.set({ ...small, source: { kind: 'none' }, text: '' })
    })
    on.show(<Goals />)
    expect(screen.getAllByRole('button').map((one) => one.textContent)).toEqual(['Fit', 'Least peak', 'Least traffic'])
    press('Least traffic')
    await on.settle()
    expect([workbench.goal.get(), workbench.solver.get()]).toEqual(['traffic', 'planner'])
    expect(on.session.config()).toMatchObject({ solver: 'planner', goal: 'traffic' })
  })

  it('stays as it is while a run is under way', async () => {
    workbench.solver.set('exact')
    on.client.hold = true
    void on.actions.solver.run()
    on.show(<Goals />)
    await on.settle()
    expect(control('button', 'Minimise')).toHaveProperty('disabled', true)
  })
})

describe('bounds', () => {
  beforeEach(() => workbench.capacity.set(1024 * 1024))

  it('are an interval until they meet, in one unit', () => {
    expect(words(on.show(<Interval stats={between(512_000, 768_000)} />))).toBe('[500, 750 KiB]')
    expect(words(on.show(<Interval stats={between(512_000, 512_000)} />))).toBe('500 KiB')
    expect(words(on.show(<Interval stats={between(512_000, -1)} />))).toBe('[500 KiB, –]')
  })

  it('leave a gap, which is none once they have met and not known without a plan', () => {
    expect(words(on.show(<Gap stats={between(512_000, 768_000)} />))).toBe('250 KiB, 50.00 %')
    expect(words(on.show(<Gap stats={between(512_000, 512_000)} />))).toBe('none')
    expect(words(on.show(<Gap stats={between(512_000, -1)} />))).toBe('–')
    expect(words(on.show(<Gap stats={between(0, 1024)} />))).toBe('1 KiB')
  })
})

describe('what a search for the least height ended with', () => {
  beforeEach(() => workbench.capacity.set(20))

  it('is the least height, proved, where the bounds have met', () => {
    const part = on.show(<Least stats={between(12, 12)} />)
    expect(words(part)).toContain('The least height is 12: a plan reaches it, and none can be lower.')
    expect(words(part)).toContain('The capacity leaves 8 free.')
    screen.getByText('the bounds have met')
  })

  it('is an interval where they have not, and no proof', () => {
    const part = on.show(<Least stats={between(12, 25)} />)
    expect(words(part)).toContain('The least height is between 12 and 25, the height of the plan shown.')
    expect(words(part)).toContain('The capacity is 5 too small for it.')
    expect(screen.queryByText('the bounds have met')).toBeNull()
  })

  it('is only the bound without a plan, and no capacity to set', () => {
    const part = on.show(<Least stats={between(12, -1)} />)
    expect(words(part)).toContain('No plan can be lower than 12. None was found.')
    expect(screen.queryByRole('button', { name: /^Set capacity/ })).toBeNull()
  })

  it('becomes the capacity to fit', async () => {
    workbench.solver.set('exact')
    on.actions.solver.setMinimise(true)
    on.show(<Least stats={between(12, 14)} />)
    press('Set capacity to 14')
    await on.settle()
    expect(on.client.config).toMatchObject({ solver: 'exact', capacity: 14, options: {} })
  })
})
