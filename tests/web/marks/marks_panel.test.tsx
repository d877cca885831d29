/** Marks with their notes, the range between two steps, and the button that opens them. */
import { act } from '@testing-library/preact'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useValue } from '../../../web/src/base/use_value'
import { Watch } from '../../../web/src/panels/marks/marks_panel'
import { WatchButton } from '../../../web/src/panels/marks/marks_button'
import { playing } from '../../../web/src/state/atoms'
import { looping, marks, NOTE_LIMIT, range, shownMarks, shownRange } from '../../../web/src/state/marks/marks'
import { control, fireEvent, key, press, screen, stand, type } from '../support/stand'
import { workbench } from '../../../web/src/state/workbench_cells'

const on = stand()

const button = (name: string) => control('button', name) as HTMLButtonElement
const field = (name: string) => control('textbox', name) as HTMLInputElement
const seek = (step: number) => act(() => on.actions.player.seek(step))
const mark = (step: number) => {
  seek(step)
  press(`Mark step ${step}`)
}
const commit = (name: string, text: string) => {
  field(name).focus()
  type(field(name), text)
  key(field(name), 'Enter')
}
const rows = () =>
  screen.queryAllByRole('textbox', { name: /^Note on step/ }).map((one) => one.getAttribute('aria-label'))

beforeEach(async () => {
  on.show(<Watch />)
  void on.actions.solver.run()
  await on.settle()
})
afterEach(() => {
  marks.set([])
  workbench.stops.set([])
  range.set(null)
  looping.set(true)
  workbench.watchOpen.set(false)
})

describe('marks', () => {
  it('are of the step that is shown, once, in the order of steps', () => {
    mark(42)
    expect(button('Mark step 42').disabled).toBe(true)
    mark(7)
    expect(rows()).toEqual(['Note on step 7', 'Note on step 42'])
  })

  it('are gone to, and say which of them is shown', () => {
    mark(42)
    mark(7)
    press('42')
    expect(workbench.cursor.get()).toBe(42)
    expect(field('Note on step 42').closest('li')?.getAttribute('aria-current')).toBe('step')
    expect(field('Note on step 7').closest('li')?.getAttribute('aria-current')).toBeNull()
  })

  it('keep a note when it is left, on one line', () => {
    mark(42)
    commit('Note on step 42', '  here   it turns ')
    expect(shownMarks.get()[0]?.note).toBe('here it turns')
    expect(field('Note on step 42').value).toBe('here it turns')
    expect(field('Note on step 42').maxLength).toBe(NOTE_LIMIT)
  })

  it('keep a note that is being typed while the panel is shut', () => {
    // what has no focus to give takes none, and what is gone tells of no blur in every browser
    vi.spyOn(document.body, 'focus').mockImplementation(() => {})
    const WhileOpen = () => (useValue(workbench.watchOpen) ? <Watch /> : null)
    on.show(<WhileOpen />)
    act(() => workbench.watchOpen.set(true))
    mark(42)
    field('Note on step 42').focus()
    type(field('Note on step 42'), 'nearly')
    key(field('Note on step 42'), 'Escape')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(shownMarks.get()[0]?.note).toBe('nearly')
  })

  it('go by their button, with the note', () => {
    mark(42)
    mark(7)
    press('Delete the mark at step 42')
    expect(rows()).toEqual(['Note on step 7'])
  })

  it('beyond the end of a shorter run cannot be gone to', async () => {
    mark(80)
    on.client.steps = 50
    void on.actions.solver.run()
    await on.settle()
    expect(button('80').disabled).toBe(true)
    expect(button('80').title).toBe('This run ended before this step')
  })

  it('of another search are kept and counted, and come back with it', async () => {
    mark(42)
    on.actions.solver.setCapacity(20)
    void on.actions.solver.run()
    await on.settle()
    expect(rows()).toEqual([])
    screen.getByText('1 of other searches come back when those are run.')
    on.actions.solver.setCapacity(12)
    void on.actions.solver.run()
    await on.settle()
    expect(rows()).toEqual(['Note on step 42'])
  })
})

describe('the range', () => {
  it('is all of the search at first, with nothing to play or clear', () => {
    expect([field('From').value, field('to').value]).toEqual(['0', '100'])
    expect(button('Play the range').disabled).toBe(true)
    expect(button('Clear the range').disabled).toBe(true)
  })

  it('is typed, held within the search, and turned round where it ends before it begins', () => {
    commit('From', '30')
    expect(shownRange.get()).toMatchObject({ from: 30, to: 100 })
    commit('to', '900')
    expect(shownRange.get()).toMatchObject({ from: 30, to: 100 })
    commit('to', '10')
    expect(shownRange.get()).toMatchObject({ from: 10, to: 30 })
    commit('to', 'soon')
    expect([field('From').value, field('to').value]).toEqual(['10', '30'])
  })

  it('is taken from marks', () => {
    mark(20)
    mark(60)
    type(field('From'), '5')
    const [from] = screen.getAllByRole('button', { name: 'from' })
    const [, to] = screen.getAllByRole('button', { name: 'to' })
    fireEvent.click(from as HTMLElement)
    expect(field('From').value).toBe('20')
    fireEvent.click(to as HTMLElement)
    expect(shownRange.get()).toMatchObject({ from: 20, to: 60 })
    press('Clear the range')
    expect(shownRange.get()).toBeNull()
    expect(field('to').value).toBe('100')
  })

  it('is played from its start', () => {
    commit('From', '30')
    press('Play the range')
    expect([workbench.cursor.get(), playing.get()]).toEqual([30, true])
  })

  it('is played round or once', () => {
    const loop = control('checkbox', 'Loop') as HTMLInputElement
    expect(loop.checked).toBe(true)
    fireEvent.click(loop)
    expect(looping.get()).toBe(false)
  })
})

describe('the button of marks and stops', () => {
  it('counts what holds for this search: marks, and stops that are on', () => {
    mark(42)
    act(() =>
      workbench.stops.set([
        { what: 'deeper', than: 2, on: true },
        { what: 'deeper', than: 3, on: false },
      ]),
    )
    on.show(<WatchButton off={false} />)
    expect(button('Marks and stops 2: 1 marked, 1 stops on').textContent).toBe('2')
  })

  it('opens and shuts, and shuts also where there is nothing to watch', () => {
    on.show(<WatchButton off={false} />)
    press('Marks and stops')
    expect(workbench.watchOpen.get()).toBe(true)
    on.show(<WatchButton off={true} />)
    expect(button('Marks and stops').getAttribute('aria-expanded')).toBe('true')
    press('Marks and stops')
    expect(workbench.watchOpen.get()).toBe(false)
    expect(button('Marks and stops').disabled).toBe(true)
  })
})
