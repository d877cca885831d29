/** Stops: what a new one may be about, how it is refused, and what looking for one says. */
import { act } from '@testing-library/preact'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Watch } from '../../../web/src/panels/marks/marks_panel'
import { manifest } from '../../../web/src/state/atoms'
import { STOP_LIMIT, stopped } from '../../../web/src/state/marks/marks'
import { statsOf } from '../support/fake'
import { control, fireEvent, key, press, screen, stand, type } from '../support/stand'
import { workbench } from '../../../web/src/state/workbench_cells'

const on = stand()

const run = async () => {
  void on.actions.solver.run()
  await on.settle()
}
const kind = (what: string) => fireEvent.change(control('combobox', 'Stop when'), { target: { value: what } })
const value = (name: string) => control(/Rule|Kind/.test(name) ? 'combobox' : 'textbox', name) as HTMLInputElement
const add = () => fireEvent.submit(document.querySelector('form') as HTMLFormElement)
const give = (label: string, text: string) => {
  type(value(label), text)
  add()
}
const refused = () => screen.queryByRole('alert')?.textContent
const listed = () => screen.queryAllByRole('checkbox', { name: /placed|vain|back|exceeds|discards|capacity|a / })
const words = () => listed().map((box) => box.parentElement?.textContent)
const button = (name: string) => control('button', name) as HTMLButtonElement

beforeEach(() => {
  on.show(<Watch />)
})
afterEach(() => {
  workbench.stops.set([])
  stopped.set('')
})

describe('a new stop', () => {
  it('is about the buffer that is looked at, or the one that is typed', () => {
    expect(value('Buffer').value).toBe('b1')
    act(() => workbench.pinned.set(2))
    expect(value('Buffer').value).toBe('b3')
    add()
    give('Buffer', ' b5 ')
    expect(words()).toEqual(['b3 is placed', 'b5 is placed'])
    expect(value('Buffer').value).toBe('b3')
  })

  it('is refused for a buffer that is not there, and for none; what was typed stays', () => {
    give('Buffer', 'nobody')
    expect(refused()).toBe('There is no buffer “nobody” in this problem.')
    expect(value('Buffer').value).toBe('nobody')
    expect(value('Buffer').getAttribute('aria-invalid')).toBe('true')
    type(value('Buffer'), ' ')
    expect(refused()).toBeUndefined()
    add()
    expect(refused()).toBe('Type the id of a buffer.')
    expect(workbench.stops.get()).toEqual([])
  })

  it('at a depth that is never reached is refused', () => {
    kind('deeper')
    expect(value('Buffers placed').value).toBe('2')
    give('Buffers placed', '5')
    expect(refused()).toBe('There are 5 buffers: never are more than 5 placed.')
    give('Buffers placed', 'some')
    expect(refused()).toMatch(/^expected a whole number/)
    give('Buffers placed', '4')
    expect(words()).toEqual(['depth exceeds 4'])
  })

  it('at a section begins with the fullest, and knows how many there are', () => {
    kind('section')
    expect(value('Section').value).toBe('0')
    give('Section', '3')
    expect(refused()).toBe('The sections go from 0 to 2.')
    give('Section', '2')
    expect(words()).toEqual(['section 2’s bound passes the capacity'])
  })

  it('at a rule offers what discarded something in this search before the rest', async () => {
    kind('rule')
    expect(screen.queryByRole('group', { name: 'In this search' })).toBeNull()
    on.client.hold = true
    await run()
    on.client.finish(statsOf(100, { rules: [0, 0, 7] }))
    await on.settle()
    const [, , second] = manifest.get()?.rules ?? []
    expect(control('group', 'In this search').textContent).toBe(second?.title)
    expect(value('Rule').value).toBe(second?.id)
    add()
    expect(words()).toEqual([`the rule ${second?.title} discards`])
  })

  it('at steps of a kind', () => {
    kind('step')
    fireEvent.change(value('Kind'), { target: { value: 'restart' } })
    add()
    expect(words()).toEqual(['a restart'])
  })

  it('of another kind forgets what was typed for the last, and what was wrong with it', () => {
    give('Buffer', 'nobody')
    kind('deeper')
    expect(refused()).toBeUndefined()
    expect(value('Buffers placed').value).toBe('2')
  })

  it('that is there already is switched on instead', () => {
    add()
    fireEvent.click(listed()[0] as HTMLElement)
    expect(workbench.stops.get()[0]?.on).toBe(false)
    add()
    expect(workbench.stops.get()).toEqual([{ what: 'placed', buffer: 'b1', on: true }])
  })

  it('is refused where there are too many', () => {
    act(() =>
      workbench.stops.set(
        Array.from({ length: STOP_LIMIT }, (_, than) => ({ what: 'deeper', than, on: true }) as const),
      ),
    )
    add()
    expect(refused()).toBe('There are 32 stops. Delete one to make room.')
    press('Delete the stop: depth exceeds 7')
    add()
    expect(workbench.stops.get().length).toBe(STOP_LIMIT)
    expect(words()).toContain('b1 is placed')
  })
})

describe('the stops', () => {
  it('that this problem cannot meet say why', () => {
    act(() => workbench.stops.set([{ what: 'placed', buffer: 'gone', on: true }]))
    screen.getByText('There is no buffer “gone” in this problem.')
  })

  it('are looked for both ways, and told when they are found', async () => {
    expect(button('Find next').disabled).toBe(true)
    add()
    await run()
    await act(async () => on.actions.player.seek(15))
    press('Find next')
    await on.settle()
    expect(workbench.cursor.get()).toBe(20)
    screen.getByText('Stopped: b1 is placed.')
    press('Find previous')
    await on.settle()
    expect(workbench.cursor.get()).toBe(10)
    press('Find previous')
    await on.settle()
    expect(workbench.cursor.get()).toBe(10)
    screen.getByText('No step before this one meets a stop.')
  })

  it('are not looked for while all are off', async () => {
    add()
    fireEvent.click(listed()[0] as HTMLElement)
    await run()
    press('Find next')
    screen.getByText('There is no stop to go to: add one, or switch one on.')
    expect(on.client.scans).toEqual([])
  })

  it('are looked for a good while at a time, and further on demand', async () => {
    on.client.steps = 30_000_000
    on.client.stops = [25_000_000]
    add()
    await run()
    await act(async () => on.actions.player.toStart())
    press('Find next')
    await on.settle()
    expect(workbench.cursor.get()).toBe(0)
    screen.getByText('No stop up to step 20,000,000.')
    press('Look on from there')
    await on.settle()
    expect(workbench.cursor.get()).toBe(25_000_000)
    expect(screen.queryByRole('button', { name: 'Look on from there' })).toBeNull()
  })

  it('say that they are being looked for, until that is given up', async () => {
    add()
    await run()
    await act(async () => on.actions.player.toStart())
    on.client.hold = true
    press('Find next')
    screen.getByText('Looking at up to 20,000,000 steps…')
    press('Stop looking')
    on.client.hold = false
    on.client.release()
    await on.settle()
    expect(workbench.cursor.get()).toBe(0)
    expect(screen.queryByRole('button', { name: 'Stop looking' })).toBeNull()
    expect(stopped.get()).toBe('')
  })
})

describe('the panel', () => {
  it('shuts on Escape', async () => {
    act(() => workbench.watchOpen.set(true))
    key(control('dialog', 'Marks and stops'), 'Escape')
    expect(workbench.watchOpen.get()).toBe(false)
  })
})
