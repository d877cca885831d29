/** The transport: which of its buttons act where, the step that can be typed, and the speed. */
import { act } from '@testing-library/preact'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Transport } from '../../../web/src/panels/search/transport'
import { notice, playing, speed } from '../../../web/src/state/atoms'
import { statsOf } from '../support/fake'
import { control, fireEvent, key, press, screen, stand, type } from '../support/stand'
import { workbench } from '../../../web/src/state/workbench_cells'

const on = stand()

const BACK = ['Start', 'Previous backtrack', 'Step back']
const ON = ['Step', 'Next backtrack', 'End']
const off = () => [...BACK, ...ON].filter((name) => (control('button', name) as HTMLButtonElement).disabled).sort()
const sorted = (...names: string[]) => names.sort()
const field = () => control('textbox', 'Step') as HTMLInputElement
const jumpTo = (text: string) => {
  field().focus()
  type(field(), text)
  key(field(), 'Enter')
}
const seek = (step: number) => act(() => on.actions.player.seek(step))

beforeEach(async () => {
  on.show(<Transport />)
  await act(() => on.actions.solver.run())
  await on.settle()
})

describe('the transport', () => {
  it('has nothing to do before a search and while one runs', async () => {
    await act(async () => on.actions.solver.discard())
    expect(off()).toEqual(sorted(...BACK, ...ON))
    expect((control('button', 'Play') as HTMLButtonElement).disabled).toBe(true)
    expect(field().disabled).toBe(true)
    expect((control('button', 'Jump to') as HTMLButtonElement).disabled).toBe(true)
    on.client.hold = true
    void on.actions.solver.run()
    await on.settle()
    expect(off()).toEqual(sorted(...BACK, ...ON))
    on.client.hold = false
    on.client.finish()
    await on.settle()
    expect(off()).toEqual(sorted(...ON))
  })

  it('has nothing to do where a search took no step', async () => {
    on.client.hold = true
    void on.actions.solver.run()
    await on.settle()
    on.client.finish(statsOf(0))
    await on.settle()
    expect(off()).toEqual(sorted(...BACK, ...ON))
    expect((control('button', 'Play') as HTMLButtonElement).disabled).toBe(true)
  })

  it('stops at both ends', () => {
    expect(off()).toEqual(sorted(...ON))
    press('Start')
    expect(workbench.cursor.get()).toBe(0)
    expect(off()).toEqual(sorted(...BACK))
    press('Step')
    expect(workbench.cursor.get()).toBe(1)
    expect(off()).toEqual([])
    press('Step back')
    expect(workbench.cursor.get()).toBe(0)
    press('End')
    expect(workbench.cursor.get()).toBe(100)
  })

  it('jumps from backtrack to backtrack, and says where there is no further one', async () => {
    seek(15)
    press('Next backtrack')
    await on.settle()
    expect(workbench.cursor.get()).toBe(20)
    press('Previous backtrack')
    await on.settle()
    expect(workbench.cursor.get()).toBe(10)
    press('Previous backtrack')
    await on.settle()
    expect(workbench.cursor.get()).toBe(10)
    expect(notice.get()?.title).toBe('There is no earlier backtrack.')
  })

  it('has the rarer jumps in a menu', async () => {
    const find = vi.spyOn(on.client, 'find')
    for (const [name, kind, forward] of [
      ['Next major backtrack Alt →', 'major', true],
      ['Previous major backtrack Alt ←', 'major', false],
      ['Next restart', 'restart', true],
      ['Next rejection', 'reject', true],
    ] as const) {
      seek(15)
      press('Jump to')
      press(name, 'menuitem')
      await on.settle()
      expect(find).toHaveBeenLastCalledWith(15, forward, kind)
      expect(workbench.cursor.get()).toBe(forward ? 20 : 10)
    }
  })

  it('goes to the deepest step', async () => {
    on.client.hold = true
    void on.actions.solver.run()
    await on.settle()
    on.client.finish(statsOf(100, { maxDepthStep: 64 }))
    await on.settle()
    press('Jump to')
    press('Deepest step of all D', 'menuitem')
    expect(workbench.cursor.get()).toBe(64)
  })

  it('says that it looks for a step only while it does', async () => {
    let found = (_: number) => {}
    on.client.find = () => new Promise((done) => (found = done))
    press('Previous backtrack')
    screen.getByText('Looking…')
    await act(async () => found(30))
    expect(screen.queryByText('Looking…')).toBeNull()
    expect(workbench.cursor.get()).toBe(30)
  })

  it('plays from the start again at the end, and pauses', async () => {
    press('Play')
    expect([playing.get(), workbench.cursor.get()]).toEqual([true, 0])
    await on.tick(0)
    await on.tick(250)
    await on.tick(450)
    expect(workbench.cursor.get()).toBe(2)
    press('Pause')
    await on.tick(1000)
    expect([playing.get(), workbench.cursor.get()]).toEqual([false, 2])
  })

  it('is paused by whatever else moves the step', async () => {
    seek(5)
    press('Play')
    press('Step')
    expect([playing.get(), workbench.cursor.get()]).toEqual([false, 6])
    control('button', 'Play')
  })

  it('shows Play again when the end is reached', async () => {
    seek(99)
    press('Play')
    await on.tick(0)
    await on.tick(200)
    expect(workbench.cursor.get()).toBe(100)
    control('button', 'Play')
  })
})

describe('the step', () => {
  it('stands with the number of all', () => {
    seek(42)
    expect(field().value).toBe('42')
    screen.getByText('of 100')
  })

  it('is gone to when it is typed', async () => {
    jumpTo(' 12 ')
    await on.settle()
    expect(workbench.cursor.get()).toBe(12)
    expect(field().value).toBe('12')
    expect(on.client.asked.at(-1)).toBe(12)
  })

  it('is the last one where there are fewer', () => {
    seek(1)
    jumpTo('5000')
    expect(workbench.cursor.get()).toBe(100)
    expect(field().value).toBe('100')
  })

  it('is as it was after what is no step', () => {
    seek(7)
    for (const text of ['', '-1', 'soon', '1.5', '1,2']) {
      jumpTo(text)
      expect([field().value, workbench.cursor.get()]).toEqual(['7', 7])
    }
  })

  it('is what it has come to, if it moves while another is typed', () => {
    seek(7)
    type(field(), '50')
    act(() => workbench.cursor.set(8))
    expect(field().value).toBe('8')
    fireEvent.blur(field())
    expect(workbench.cursor.get()).toBe(8)
  })

  it('stands alone where the end of the search is not known any more', () => {
    act(() => workbench.cursor.set(150))
    expect(field().value).toBe('150')
    expect(screen.queryByText(/^of /)).toBeNull()
  })

  it('is let be with Escape, which goes no further', () => {
    const heard: string[] = []
    const hear = (event: KeyboardEvent) => void heard.push(event.key)
    document.addEventListener('keydown', hear)
    seek(7)
    field().focus()
    type(field(), '50')
    key(field(), 'Escape')
    document.removeEventListener('keydown', hear)
    fireEvent.blur(field())
    expect([field().value, workbench.cursor.get(), heard]).toEqual(['7', 7, []])
  })

  it('with nothing typed leaves Escape to the page, which closes what is open', () => {
    const heard: string[] = []
    const hear = (event: KeyboardEvent) => void heard.push(event.key)
    document.addEventListener('keydown', hear)
    field().focus()
    type(field(), '50')
    key(field(), 'Escape')
    expect(heard).toEqual([])
    key(field(), 'Escape')
    document.removeEventListener('keydown', hear)
    expect(heard).toEqual(['Escape'])
  })

  it('that is typed does not pause a play before it is taken', async () => {
    seek(7)
    press('Play')
    type(field(), '50')
    expect(playing.get()).toBe(true)
    fireEvent.blur(field())
    expect([playing.get(), workbench.cursor.get()]).toEqual([false, 50])
  })
})

describe('the speed', () => {
  const slider = () => control('slider', 'Speed') as HTMLInputElement

  it('goes by powers of ten from 1 to a million', () => {
    expect([speed.get(), slider().value]).toEqual([5, '7'])
    for (const [at, steps, text] of [
      [0, 1, '1/s'],
      [25, 316, '320/s'],
      [30, 1000, '1k/s'],
      [60, 1e6, '1M/s'],
    ] as const) {
      type(slider(), String(at))
      expect(speed.get()).toBe(steps)
      screen.getByText(text)
    }
    expect(slider().getAttribute('aria-valuetext')).toBe('1,000,000 steps per second')
  })

  it('is that of the play under way from then on', async () => {
    press('Play')
    await on.tick(0)
    type(slider(), '20')
    await on.tick(200)
    expect(workbench.cursor.get()).toBe(20)
  })
})
