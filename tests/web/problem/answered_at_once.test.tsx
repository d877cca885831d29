/** What comes in is asked about at once, on the tab that has the answer; an example is shown where it says something. */
import { describe, expect, it, vi } from 'vitest'
import { examples } from '../../../web/src/state/problem/examples'
import { tab } from '../../../web/src/state/ui'
import { workbench } from '../../../web/src/state/workbench_cells'
import { stand } from '../support/stand'

const on = stand()
const TEXT = 'id,lower,upper,size\na,0,2,3\n'
const comeIn = async () => {
  await on.actions.problem.openText(TEXT, 'dropped.csv')
  await on.settle()
}

describe('a problem that comes in', () => {
  it('is answered by the exact solver, where the step is told', async () => {
    workbench.solver.set('exact')
    tab.set('stats')
    await comeIn()
    expect(workbench.run.get().kind).toBe('ended')
    expect(on.client.config?.solver).toBe('exact')
    expect(tab.get()).toBe('step')
  })

  it('is answered again for another capacity, until somebody presses Run', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const wait = (capacity: number) => {
      on.actions.solver.setCapacity(capacity)
      return vi.advanceTimersByTimeAsync(1000)
    }
    workbench.solver.set('exact')
    await on.actions.problem.openText(TEXT, 'dropped.csv')
    await vi.advanceTimersByTimeAsync(0)
    await wait(20)
    expect(on.client.config?.capacity).toBe(20)
    await on.actions.solver.run()
    await wait(30)
    expect(on.client.config?.capacity).toBe(20)
    vi.useRealTimers()
  })

  it('waits for Run where another solver was chosen', async () => {
    workbench.solver.set('minimalloc')
    await comeIn()
    expect(workbench.run.get().kind).toBe('idle')
  })

  it('waits for Run where it is too large for a blink', async () => {
    workbench.solver.set('exact')
    const opened = workbench.opened.get()
    if (opened === null) throw new Error('nothing is open')
    workbench.opened.set({ ...opened, problem: { ...opened.problem, count: 2001 } })
    on.actions.problem.answer()
    await on.settle()
    expect(workbench.run.get().kind).toBe('idle')
  })
})

describe('an example without a step of its own', () => {
  const example = examples.find(({ step }) => step === null)
  if (example === undefined) throw new Error('each has a step')

  it('is shown at its first rejection', async () => {
    await on.actions.problem.openExample(example)
    expect(workbench.cursor.get()).toBe(on.client.stops[0])
  })

  it('stays where the reader has gone before that was found', async () => {
    const { find } = on.client
    on.client.find = async (from, forward) => {
      on.actions.player.seek(1)
      return find.call(on.client, from, forward)
    }
    await on.actions.problem.openExample(example)
    expect(workbench.cursor.get()).toBe(1)
  })
})
