/** A menu by its keys: what has the focus, what goes back where, and what reaches the page behind it. */
import { render } from '@testing-library/preact'
import { beforeEach, describe, expect, it } from 'vitest'
import { Menu, type MenuEntry, type MenuItem } from '../../../web/src/panels/controls/menu'
import { control, fireEvent, key, press, screen, stand } from '../support/stand'

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
const strike = (name: string) => key(focused(), name)
const open = () => press('Do')

beforeEach(() => {
  chosen = []
})

describe('a menu', () => {
  it('is shut at first, opens with the focus on its first choice, and says so', () => {
    show()
    expect(screen.queryByRole('menu')).toBeNull()
    expect(control('button', 'Do').getAttribute('aria-expanded')).toBe('false')
    open()
    expect(control('button', 'Do').getAttribute('aria-expanded')).toBe('true')
    expect(focused()).toBe(control('menuitem', 'Copy'))
  })

  it('is gone through with the arrows, past what is disabled and round its ends', () => {
    show()
    open()
    strike('ArrowDown')
    expect(focused().textContent).toBe('More')
    strike('ArrowDown')
    strike('ArrowDown')
    expect(focused().textContent).toBe('Copy')
    strike('ArrowUp')
    expect(focused().textContent).toBe('Grid')
  })

  it('goes to its ends with Home and End', () => {
    show()
    open()
    strike('End')
    expect(focused().textContent).toBe('Grid')
    strike('Home')
    expect(focused().textContent).toBe('Copy')
  })

  it('keeps its arrows, Home and End from the page behind', () => {
    const behind: string[] = []
    const hear = (event: KeyboardEvent) => void behind.push(event.key)
    document.addEventListener('keydown', hear)
    show()
    open()
    for (const name of ['ArrowRight', 'ArrowLeft', 'Home', 'End', 'ArrowUp', 'ArrowDown', 'Escape']) strike(name)
    document.removeEventListener('keydown', hear)
    expect(behind).toEqual([])
  })

  it('gives the focus back on Escape, having done nothing', () => {
    show()
    open()
    strike('ArrowDown')
    strike('Escape')
    expect(screen.queryByRole('menu')).toBeNull()
    expect(focused()).toBe(control('button', 'Do'))
    expect(chosen).toEqual([])
  })

  it('shuts on Tab and on a click elsewhere, not on one within', () => {
    show()
    open()
    strike('Tab')
    expect(screen.queryByRole('menu')).toBeNull()
    open()
    fireEvent.pointerDown(control('menuitem', 'Copy'))
    expect(screen.queryByRole('menu')).not.toBeNull()
    fireEvent.pointerDown(document.body)
    expect(screen.queryByRole('menu')).toBeNull()
  })

  it('acts once and shuts; by keyboard the focus is back at its button', () => {
    show()
    open()
    fireEvent.click(control('menuitem', 'Copy'))
    expect(chosen).toEqual(['Copy'])
    expect(screen.queryByRole('menu')).toBeNull()
    expect(focused()).toBe(control('button', 'Do'))
  })

  it('says why a choice cannot be made, and does not make it', () => {
    show()
    open()
    const paste = control('menuitem', 'Paste nothing copied')
    fireEvent.click(paste)
    expect(chosen).toEqual([])
    expect(screen.queryByRole('menu')).not.toBeNull()
  })

  it('says what is on', () => {
    show()
    open()
    expect(control('menuitemcheckbox', 'Grid').getAttribute('aria-checked')).toBe('true')
  })

  it('goes into a group with Right and out of it with Left', () => {
    show()
    open()
    strike('ArrowRight')
    expect(control('menu', 'Do')).toBeTruthy()
    strike('ArrowDown')
    strike('ArrowRight')
    expect(control('menu', 'More').textContent).toBe('MoreInnerDeep')
    strike('End')
    strike('ArrowRight')
    expect(control('menu', 'Deep').textContent).toBe('DeepDeepest')
    strike('ArrowLeft')
    expect(control('menu', 'More').textContent).toBe('MoreInnerDeep')
    expect(focused().textContent).toBe('Deep')
    strike('ArrowLeft')
    expect(screen.queryByRole('menuitem', { name: 'Copy' })).not.toBeNull()
    expect(focused().textContent).toBe('More')
  })

  it('goes to the next choice of a letter, round its end, and keeps letters from the page behind', () => {
    let heard = ''
    const hear = (event: KeyboardEvent) => {
      heard += event.key
    }
    document.addEventListener('keydown', hear)
    show()
    open()
    for (const [letter, row] of ['g Grid', 'M More', 'm More', 'p More', 'z More'].map((pair) => pair.split(' '))) {
      strike(letter as string)
      expect(focused().textContent, letter).toBe(row)
    }
    expect(heard).toBe('')
    fireEvent.keyDown(focused(), { key: 'k', ctrlKey: true })
    strike(' ')
    expect(heard).toBe('k ')
    document.removeEventListener('keydown', hear)
  })

  it('leads out of a group by its first row, and begins anew when it is opened again', () => {
    show()
    open()
    press('More', 'menuitem')
    press('More', 'menuitem')
    expect(screen.queryByRole('menuitem', { name: 'Copy' })).not.toBeNull()
    press('More', 'menuitem')
    strike('Escape')
    open()
    expect(focused().textContent).toBe('Copy')
  })

  it('steps out of a group that is gone meanwhile', () => {
    const { rerender } = render(<Menu name="Do" label="Do" class="" items={ITEMS} />)
    open()
    press('More', 'menuitem')
    rerender(<Menu name="Do" label="Do" class="" items={[item('Copy')]} />)
    expect(control('menu', 'Do').textContent).toBe('Copy')
  })
})
