/** A menu by its keys: what has the focus, what goes back where, and what reaches the page behind it. */
import { act, render } from '@testing-library/preact'
import { beforeEach, describe, expect, it } from 'vitest'
import { Menu, type MenuEntry, type MenuItem } from '../../web/src/panels/menu'
import { control, fireEvent, key, press, screen, stand } from './stand'

const on = stand()

let chosen: string[] = []
const item = (name: string, more: Partial<MenuItem> = {}) => ({
  key: name,
  title: name,
  act: () => chosen.push(name),
  ...more,
})
const ITEMS: MenuEntry[] = [
  item('Copy'),
  item('Paste', { disabled: true, note: 'nothing copied' }),
  { key: 'more', title: 'More', items: [item('Inner'), { key: 'deep', title: 'Deep', items: [item('Deepest')] }] },
  item('Grid', { on: true }),
]

const show = () => on.show(<Menu name="Do" label="Do" class="" items={ITEMS} />)
const focused = () => document.activeElement as HTMLElement
const strike = (name: string) => act(async () => void key(focused(), name))
const open = () => act(async () => press('Do'))

beforeEach(() => {
  chosen = []
})

describe('a menu', () => {
  it('is shut at first, opens with the focus on its first choice, and says so', async () => {
    show()
    expect(screen.queryByRole('menu')).toBeNull()
    expect(control('button', 'Do').getAttribute('aria-expanded')).toBe('false')
    await open()
    expect(control('button', 'Do').getAttribute('aria-expanded')).toBe('true')
    expect(focused()).toBe(control('menuitem', 'Copy'))
  })

  it('is gone through with the arrows, past what is disabled and round its ends', async () => {
    show()
    await open()
    await strike('ArrowDown')
    expect(focused().textContent).toBe('More')
    await strike('ArrowDown')
    await strike('ArrowDown')
    expect(focused().textContent).toBe('Copy')
    await strike('ArrowUp')
    expect(focused().textContent).toBe('Grid')
  })

  it('goes to its ends with Home and End', async () => {
    show()
    await open()
    await strike('End')
    expect(focused().textContent).toBe('Grid')
    await strike('Home')
    expect(focused().textContent).toBe('Copy')
  })

  it('keeps its arrows, Home and End from the page behind', async () => {
    const behind: string[] = []
    const hear = (event: KeyboardEvent) => void behind.push(event.key)
    document.addEventListener('keydown', hear)
    show()
    await open()
    for (const name of ['ArrowRight', 'ArrowLeft', 'Home', 'End', 'ArrowUp', 'ArrowDown', 'Escape']) await strike(name)
    document.removeEventListener('keydown', hear)
    expect(behind).toEqual([])
  })

  it('gives the focus back on Escape, having done nothing', async () => {
    show()
    await open()
    await strike('ArrowDown')
    await strike('Escape')
    expect(screen.queryByRole('menu')).toBeNull()
    expect(focused()).toBe(control('button', 'Do'))
    expect(chosen).toEqual([])
  })

  it('shuts on Tab and on a click elsewhere, not on one within', async () => {
    show()
    await open()
    await strike('Tab')
    expect(screen.queryByRole('menu')).toBeNull()
    await open()
    await act(async () => void fireEvent.pointerDown(control('menuitem', 'Copy')))
    expect(screen.queryByRole('menu')).not.toBeNull()
    await act(async () => void fireEvent.pointerDown(document.body))
    expect(screen.queryByRole('menu')).toBeNull()
  })

  it('acts once and shuts; by keyboard the focus is back at its button', async () => {
    show()
    await open()
    await act(async () => control('menuitem', 'Copy').click())
    expect(chosen).toEqual(['Copy'])
    expect(screen.queryByRole('menu')).toBeNull()
    expect(focused()).toBe(control('button', 'Do'))
  })

  it('says why a choice cannot be made, and does not make it', async () => {
    show()
    await open()
    const paste = control('menuitem', 'Paste nothing copied')
    await act(async () => paste.click())
    expect(chosen).toEqual([])
    expect(screen.queryByRole('menu')).not.toBeNull()
  })

  it('says what is on', async () => {
    show()
    await open()
    expect(control('menuitemcheckbox', 'Grid').getAttribute('aria-checked')).toBe('true')
  })

  it('goes into a group with Right and out of it with Left', async () => {
    show()
    await open()
    await strike('ArrowRight')
    expect(control('menu', 'Do')).toBeTruthy()
    await strike('ArrowDown')
    await strike('ArrowRight')
    expect(control('menu', 'More').textContent).toBe('MoreInnerDeep')
    await strike('End')
    await strike('ArrowRight')
    expect(control('menu', 'Deep').textContent).toBe('DeepDeepest')
    await strike('ArrowLeft')
    expect(control('menu', 'More').textContent).toBe('MoreInnerDeep')
    await strike('ArrowLeft')
    expect(screen.queryByRole('menuitem', { name: 'Copy' })).not.toBeNull()
  })

  it('leads out of a group by its first row, and begins anew when it is opened again', async () => {
    show()
    await open()
    await act(async () => press('More', 'menuitem'))
    await act(async () => press('More', 'menuitem'))
    expect(screen.queryByRole('menuitem', { name: 'Copy' })).not.toBeNull()
    await act(async () => press('More', 'menuitem'))
    await strike('Escape')
    await open()
    expect(focused().textContent).toBe('Copy')
  })

  it('steps out of a group that is gone meanwhile', async () => {
    const { rerender } = render(<Menu name="Do" label="Do" class="" items={ITEMS} />)
    await open()
    await act(async () => press('More', 'menuitem'))
    rerender(<Menu name="Do" label="Do" class="" items={[item('Copy')]} />)
    expect(control('menu', 'Do').textContent).toBe('Copy')
  })
})
