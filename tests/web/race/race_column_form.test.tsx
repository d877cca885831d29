/** The settings of one column: nothing changes before they are taken, and nothing is taken that is wrong. */
import { act } from '@testing-library/preact'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LaneForm } from '../../../web/src/panels/race/race_column_form'
import { race } from '../../../web/src/run/race/page_race'
import { Race } from '../../../web/src/run/race/race'
import { manifest } from '../../../web/src/state/atoms'
import { editing } from '../../../web/src/state/compare/compare'
import { dialog, misfilled } from '../../../web/src/state/ui'
import { FakeClient, fiveBuffers, manifest as known } from '../support/fake'
import { control, fireEvent, key, press, screen, stand, type } from '../support/stand'
import { workbench } from '../../../web/src/state/workbench_cells'

const on = stand()

const CONFIG = { solver: 'minimalloc', capacity: 12, seed: 1, budget: 1000, options: { dominance: 'false' } }
const client = new FakeClient()
const made = () => race.get() as Race
const config = () => made().lanes.get()[0]?.config.get()
const field = (name: string) => control('textbox', name) as HTMLInputElement
const fill = (name: string, text: string) => {
  type(field(name), text)
  key(field(name), 'Enter')
}
const choose = (id: string) => fireEvent.change(control('combobox', 'Solver'), { target: { value: id } })

beforeEach(() => {
  const clock = { request: () => {}, cancel: () => {} }
  const fresh = new Race({ csv: 'id,lower,upper,size\n', profile: null }, clock, () => client)
  const lane = fresh.add(CONFIG)
  client.config = null
  act(() => {
    race.set(fresh)
    editing.set(lane?.id ?? -1)
    dialog.set('race-column')
  })
  on.show(<LaneForm />)
})
afterEach(() => {
  made().dispose()
  race.set(null)
  editing.set(-1)
})

describe('the settings of a column', () => {
  it('are shown as they are', () => {
    expect((control('combobox', 'Solver') as HTMLSelectElement).value).toBe('minimalloc')
    expect((control('checkbox', 'Dominance') as HTMLInputElement).checked).toBe(false)
    expect(field('Capacity').value).toBe('12')
    expect(field('Budget').value).toBe('1,000')
    expect(field('Seed').value).toBe('1')
  })

  it('are taken with the button, which runs that column', async () => {
    fireEvent.click(control('checkbox', 'Dominance'))
    fill('Capacity', '16')
    fill('Budget', '0')
    fill('Seed', '7')
    expect(config()).toEqual(CONFIG)
    press('Run with these')
    expect(dialog.get()).toBe('none')
    expect(config()).toEqual({ solver: 'minimalloc', capacity: 16, seed: 7, budget: 0, options: {} })
    await on.settle()
    expect(client.config).toEqual(config())
  })

  it('are as they were when they are left', async () => {
    fill('Capacity', '16')
    press('Leave as it was')
    await on.settle()
    expect([dialog.get(), config(), client.config]).toEqual(['none', CONFIG, null])
  })

  it('of another solver begin with its defaults', () => {
    choose('exact')
    expect(screen.queryByRole('checkbox', { name: 'Dominance' })).toBeNull()
    expect(field('Arms').value).toBe('10WATK,0WATR')
    press('Run with these')
    expect(config()).toEqual({ ...CONFIG, solver: 'exact', options: {} })
  })

  it('say what the solver does not honour', () => {
    act(() => {
      const now = workbench.opened.get()
      const problem = { ...fiveBuffers(), fixed: new Float64Array(5).fill(0) }
      if (now !== null) workbench.opened.set({ ...now, problem })
      const solvers = known.solvers.map((one) =>
        one.id === 'exact' ? { ...one, supports: { ...one.supports, fixed: false } } : one,
      )
      manifest.set({ ...known, solvers })
    })
    expect(screen.queryByText(/does not honour/)).toBeNull()
    choose('exact')
    screen.getByText('This solver does not honour fixed offsets, which this problem has.')
  })

  it('are not taken while a field holds no value; it has the focus then', () => {
    fill('Seed', 'none')
    press('Run with these')
    expect(dialog.get()).toBe('race-column')
    expect(config()).toEqual(CONFIG)
    expect(document.activeElement).toBe(field('Seed'))
  })

  it('do not mind what is wrong on the page behind', () => {
    const behind = document.body.appendChild(document.createElement('input'))
    behind.id = 'behind'
    act(() => misfilled.set([behind.id]))
    press('Run with these')
    behind.remove()
    expect(dialog.get()).toBe('none')
  })

  it('are gone with their column', () => {
    const [lane] = made().lanes.get()
    if (lane !== undefined) made().remove(lane)
    on.show(<LaneForm />)
    screen.getByText('This run is gone.')
  })
})
