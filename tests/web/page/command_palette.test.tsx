/** The command palette: what it finds, how its keys go through that, and that it shuts before it acts. */
import { act } from '@testing-library/preact'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Palette } from '../../../web/src/panels/palette/command_palette'
import { texts } from '../../../web/src/run/lesson/lesson_live'
import { solverInfo } from '../../../web/src/state/workbench'
import { dialog, recent, tab, theme } from '../../../web/src/state/ui'
import { control, fireEvent, key, screen, stand, type } from '../support/stand'
import { workbench } from '../../../web/src/state/workbench_cells'

const on = stand()

// by what they are said to be: to work out the roles of hundreds of rows takes long
const field = () => screen.getByLabelText('Command') as HTMLInputElement
const rows = () => [...document.querySelectorAll<HTMLElement>('[role=listbox] > [role=option]')]
const titles = () => rows().map((row) => row.firstElementChild?.textContent)
const chosen = () => rows().findIndex((row) => row.getAttribute('aria-selected') === 'true')
const ask = async (query: string) => {
  type(field(), query)
  await on.settle()
}

beforeEach(() => {
  dialog.set('palette')
  on.show(<Palette />)
})

describe('the palette', () => {
  it('has the focus at once, and all there is with the first of it chosen', () => {
    expect(control('combobox', 'Command')).toBe(field())
    expect(document.activeElement).toBe(field())
    expect(rows().length).toBeGreaterThan(40)
    expect(chosen()).toBe(0)
  })

  it('finds by a few letters, and shows which', async () => {
    await ask('theme')
    expect(titles()[0]).toBe('Change theme')
    expect([...(rows()[0]?.querySelectorAll('b') ?? [])].map((b) => b.textContent).join('')).toBe('theme')
    expect(rows()[0]?.querySelector('kbd')?.textContent).toBe('T')
  })

  it('says so where nothing fits, and then does nothing', async () => {
    await ask('zqzqzq')
    expect(rows()).toEqual([])
    expect(control('status', '').textContent).toBe('Nothing fits “zqzqzq”.')
    expect(field().getAttribute('aria-activedescendant')).toBeNull()
    for (const name of ['ArrowDown', 'ArrowUp', 'PageDown', 'Enter']) key(field(), name)
    expect(dialog.get()).toBe('palette')
    await ask('theme')
    expect(chosen()).toBe(0)
  })

  it('knows lessons, rules of the solver, the link, the sweep and the matrix', async () => {
    const { lessons } = await texts.get()
    await on.settle()
    for (const title of [
      'Copy link',
      'Capacity sweep',
      'Matrix of solvers and examples',
      lessons.at(-1)?.title ?? '',
    ]) {
      await ask(title)
      expect(titles()[0]).toBe(title)
    }
    const rule = solverInfo.get()?.options.find(({ type }) => type === 'bool')
    if (rule === undefined) throw new Error('the solver has no rule')
    const now = () => workbench.options.get()[solverInfo.get()?.id ?? '']?.[rule.name]
    await ask(`${rule.title}: turn`)
    key(field(), 'Enter')
    await on.settle()
    expect(now()).toBe(String(rule.initial !== 'true'))
  })

  it('is gone through with the arrows, round its ends, a page at a time without', async () => {
    await ask('show')
    const last = rows().length - 1
    key(field(), 'ArrowUp')
    expect(chosen()).toBe(last)
    expect(field().getAttribute('aria-activedescendant')).toBe(rows()[last]?.id)
    key(field(), 'ArrowDown')
    expect(chosen()).toBe(0)
    key(field(), 'PageDown')
    expect(chosen()).toBe(Math.min(8, last))
    key(field(), 'PageUp')
    key(field(), 'PageUp')
    expect(chosen()).toBe(0)
  })

  it('begins at its first row again with each letter', async () => {
    await ask('show')
    key(field(), 'ArrowDown')
    await ask('show s')
    expect(chosen()).toBe(0)
  })

  it('shuts, does it, and remembers it on Enter', async () => {
    const before = theme.get()
    await ask('change theme')
    key(field(), 'Enter')
    expect(dialog.get()).toBe('none')
    expect(theme.get()).not.toBe(before)
    expect(recent.get()).toEqual(['command theme'])
  })

  it('acts on a click, and points at what is under the pointer', async () => {
    await ask('show st')
    const at = titles().indexOf('Show Stats')
    const row = rows()[at] as HTMLElement
    fireEvent.pointerMove(row)
    expect(chosen()).toBe(at)
    fireEvent.click(row)
    expect(tab.get()).toBe('stats')
    expect(dialog.get()).toBe('none')
  })

  it('offers what was used lately first', async () => {
    act(() => recent.set(['command help']))
    on.show(<Palette />)
    expect(titles()[0]).toBe('Help')
  })

  it('may open another sheet', async () => {
    await ask('random')
    key(field(), 'Enter')
    expect(dialog.get()).toBe('random')
  })

  it('knows the solvers', async () => {
    await ask('arenascope exact')
    key(field(), 'Enter')
    expect(workbench.solver.get()).toBe('exact')
  })

  it('goes to steps of this search, with or without the word', async () => {
    await ask('7')
    expect(titles()).not.toContain('Go to step 7')
    await act(() => on.actions.solver.run())
    for (const query of ['42', 'go to step 42', 'step 42']) {
      await ask(query)
      expect(titles()[0]).toBe('Go to step 42')
    }
    await ask('101')
    expect(titles()).not.toContain('Go to step 101')
    await ask('4')
    key(field(), 'Enter')
    expect(workbench.cursor.get()).toBe(4)
    expect(recent.get()).toEqual([])
  })

  it('goes to buffers by what their names hold', async () => {
    await ask('b4')
    await vi.waitFor(() => expect(titles()).toContain('Go to buffer b4'))
    fireEvent.click(rows()[titles().indexOf('Go to buffer b4')] as HTMLElement)
    expect(workbench.pinned.get()).toBe(3)
  })

  it('has a row chosen also where the first of them come later than the keys', async () => {
    type(field(), 'b5')
    expect(rows()).toEqual([])
    key(field(), 'PageDown')
    await vi.waitFor(() => expect(titles()).toEqual(['Go to buffer b5']))
    expect(chosen()).toBe(0)
  })

  it('is shut by the keys that opened it', () => {
    fireEvent.keyDown(field(), { key: 'k', ctrlKey: true })
    expect(dialog.get()).toBe('none')
  })

  it('leaves keys that are not its own alone', () => {
    const left = fireEvent.keyDown(field(), { key: 'ArrowLeft' })
    expect(left).toBe(true)
    expect(fireEvent.keyDown(field(), { key: 'ArrowDown' })).toBe(false)
  })
})
