/** The form of a solver: which one, with which options, and what Run, Cancel and Reset make of it. */
import { act } from '@testing-library/preact'
import { beforeEach, describe, expect, it } from 'vitest'
import type { SolverInfo } from '../../../wasm/client/types'
import { ResultPanel } from '../../../web/src/panels/solver/result'
import { RunPanel, SolverPanel } from '../../../web/src/panels/solver/solver'
import * as a from '../../../web/src/state/atoms'
import { fiveBuffers, manifest as known } from '../support/fake'
import { control, fireEvent, key, press, screen, stand, type } from '../support/stand'
import { workbench } from '../../../web/src/state/workbench_cells'

const on = stand()

const field = (name: string) => control('textbox', name) as HTMLInputElement
const box = (name: string) => control('checkbox', name) as HTMLInputElement
const button = (name: string | RegExp) => control('button', name) as HTMLButtonElement
const choose = (id: string) => fireEvent.change(control('combobox', 'Solver'), { target: { value: id } })
const fill = (name: string, text: string) => {
  type(field(name), text)
  key(field(name), 'Enter')
}
const run = async (name = 'Run') => {
  press(name)
  await on.settle()
}
const change = (id: string, more: Partial<SolverInfo>) =>
  act(() => {
    const solvers = known.solvers.map((one) => (one.id === id ? { ...one, ...more } : one))
    a.manifest.set({ ...known, solvers })
  })

beforeEach(async () => {
  on.show(
    <>
      <SolverPanel />
      <RunPanel />
      <ResultPanel />
    </>,
  )
  await on.part()
  await screen.findByText('Rules and limits')
})

describe('the choice of a solver', () => {
  it('is that of the manifest, with what the solver can say', () => {
    const titles = screen.getAllByRole('option').map((one) => one.textContent)
    expect(titles).toEqual(['MiniMalloc', 'Arenascope exact'])
    screen.getByText('complete')
    change('minimalloc', { complete: false, refutes: true, summary: 'Tries hard.' })
    screen.getByText('incomplete')
    screen.getByText('Tries hard.')
    change('minimalloc', { complete: false, refutes: false })
    screen.getByText('heuristic')
  })

  it('is no complete one where the problem has what the solver is incomplete with', () => {
    const now = workbench.opened.get()
    if (now === null) throw new Error('nothing is open')
    const gaps = [{ buffer: 0, lower: 1, upper: 2, windowLower: 0, windowUpper: 1 }]
    act(() => workbench.opened.set({ ...now, problem: { ...now.problem, gaps } }))
    screen.getByText('incomplete')
    choose('exact')
    screen.getByText('complete')
  })

  it('brings its own options, those of the other stay as they were set', () => {
    fireEvent.click(box('Dominance'))
    choose('exact')
    expect(workbench.solver.get()).toBe('exact')
    expect(screen.queryByRole('checkbox', { name: 'Dominance' })).toBeNull()
    expect(field('Arms').value).toBe('10WATK,0WATR')
    choose('minimalloc')
    expect(box('Dominance').checked).toBe(false)
  })

  it('keeps no option that is at its default', () => {
    fireEvent.click(box('Dominance'))
    expect(workbench.options.get()).toEqual({ minimalloc: { dominance: 'false' } })
    fireEvent.click(box('Dominance'))
    expect(workbench.options.get()).toEqual({ minimalloc: {} })
  })

  it('has the goal beside Run, for a solver that can minimise', () => {
    expect(screen.queryByRole('group', { name: 'Goal' })).toBeNull()
    choose('exact')
    expect(screen.queryByRole('checkbox', { name: 'Minimise' })).toBeNull()
    expect(button('Fit').getAttribute('aria-pressed')).toBe('true')
    press('Minimise')
    expect(button('Minimise').getAttribute('aria-pressed')).toBe('true')
    expect(workbench.goal.get()).toBe('height')
  })

  it('says what the solver does not honour of this problem', () => {
    const { supports } = known.solvers[0] as SolverInfo
    change('minimalloc', { supports: { ...supports, alignment: false, banks: false } })
    expect(screen.queryByText(/does not honour/)).toBeNull()
    act(() => {
      const now = workbench.opened.get()
      const problem = { ...fiveBuffers(), alignment: new Float64Array(5).fill(8), bank: new Float64Array(5).fill(64) }
      if (now !== null) workbench.opened.set({ ...now, problem })
    })
    screen.getByText('This solver does not honour alignment, bank boundaries, which this problem has.')
    choose('exact')
    expect(screen.queryByText(/does not honour/)).toBeNull()
  })

  it('names the buffers that may lie in any pool, for no solver chooses one', () => {
    choose('exact')
    const free = (pool: number[]) =>
      act(() => {
        const now = workbench.opened.get()
        if (now !== null) workbench.opened.set({ ...now, problem: { ...fiveBuffers(), pool: Float64Array.from(pool) } })
      })
    free([0, -1, 0, 0, -1])
    const [, b, , , e] = fiveBuffers().ids.slice()
    screen.getByText(`No solver chooses between pools: in place of *, name one for ${b}, ${e}.`)
    free([0, -1, -1, -1, -1])
    screen.getByText(/name one for \w+, \w+, \w+ and 1 more\.$/)
    free([0, 0, 0, 0, 0])
    expect(screen.queryByText(/between pools/)).toBeNull()
  })

  it('is folded away but for its name, and counts what was changed', () => {
    const said = () => document.querySelector('summary')?.textContent
    expect(document.querySelector('details')?.open).toBe(false)
    expect(said()).toBe('Rules and limits')
    fireEvent.click(box('Dominance'))
    fill('Budget', '50')
    fill('Seed', '9')
    expect(said()).toBe('Rules and limits3 changed')
    press('Reset')
    expect(said()).toBe('Rules and limits')
  })
})

describe('a run', () => {
  it('is of what the form says', async () => {
    choose('exact')
    fill('Arms', '0WATR')
    fill('Budget', '0')
    fill('Seed', '1,234')
    await run()
    expect(on.client.config).toEqual({
      solver: 'exact',
      capacity: 12,
      seed: 1234,
      budget: 0,
      options: { portfolio: '0WATR' },
    })
    button('Run again')
  })

  it('is not there without a problem', async () => {
    await act(() => on.session.clear())
    expect(button('Run').disabled).toBe(true)
  })

  it('shuts the drawer that it was begun in', async () => {
    act(() => workbench.setupOpen.set(true))
    await run()
    expect(workbench.setupOpen.get()).toBe(false)
  })

  it('is cancelled while it goes on, and not reset', async () => {
    on.client.hold = true
    await run()
    expect(screen.queryByRole('button', { name: 'Run' })).toBeNull()
    expect(button('Reset').disabled).toBe(true)
    press(/^Cancel/)
    await on.settle()
    expect(workbench.run.get().kind).toBe('cancelled')
    button('Run again')
  })

  it('is told apart from a form that has changed since', async () => {
    const said = () => {
      const changed = screen.queryByRole('button', { name: 'Run with the changes' }) !== null
      expect(screen.queryByTitle('Of the settings before the changes') !== null).toBe(changed)
      return changed
    }
    await run()
    expect(said()).toBe(false)
    fill('Seed', '2')
    expect(said()).toBe(true)
    fill('Seed', '1')
    expect(said()).toBe(false)
    fireEvent.click(box('Dominance'))
    expect(said()).toBe(true)
    await run('Run with the changes')
    expect(said()).toBe(false)
  })

  it('and all changes of this solver are gone with Reset; the other keeps its own', async () => {
    choose('exact')
    fill('Arms', '0WATR')
    choose('minimalloc')
    fireEvent.click(box('Dominance'))
    fill('Budget', '50')
    fill('Seed', '9')
    await run()
    press('Reset')
    expect(box('Dominance').checked).toBe(true)
    expect([field('Budget').value, field('Seed').value]).toEqual(['10,000,000', '1'])
    expect(workbench.run.get().kind).toBe('idle')
    expect(workbench.options.get().exact).toEqual({ portfolio: '0WATR' })
    button('Run')
  })

  it('that failed can be made again', async () => {
    on.client.hold = true
    await run()
    on.client.fail(new Error('trap'))
    await on.settle()
    expect(workbench.run.get().kind).toBe('failed')
    on.client.hold = false
    await run('Run again')
    expect(workbench.run.get().kind).toBe('ended')
  })
})
