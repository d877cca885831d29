/** The capacity as a field and as a slider, which are one value. */
import { act } from '@testing-library/preact'
import { describe, expect, it } from 'vitest'
import { Capacity } from '../../../web/src/panels/problem/capacity'
import { control, key, screen, stand, type } from '../support/stand'
import { fiveBuffers } from '../support/fake'
import { workbench } from '../../../web/src/state/workbench_cells'

const on = stand()

const field = () => control('textbox', 'Capacity') as HTMLInputElement
const slider = () => control('slider', 'Capacity') as HTMLInputElement
const drag = (to: number) => type(slider(), String(to))
const enter = (text: string) => {
  type(field(), text)
  key(field(), 'Enter')
}
const bound = (lowerBound: number) =>
  act(() => {
    const now = workbench.opened.get()
    if (now !== null) workbench.opened.set({ ...now, problem: { ...fiveBuffers(), lowerBound } })
  })

describe('the capacity', () => {
  it('is not there without a problem', async () => {
    on.show(<Capacity />)
    await act(() => on.session.clear())
    expect(screen.queryByRole('slider')).toBeNull()
    expect(screen.queryByRole('textbox')).toBeNull()
  })

  it('begins at the lower bound, four fifths along the slider', () => {
    on.show(<Capacity />)
    expect(field().value).toBe('12')
    expect(slider().value).toBe('320')
  })

  it('follows the slider, and snaps to the lower bound near it', () => {
    on.show(<Capacity />)
    drag(200)
    expect(workbench.capacity.get()).toBe(8)
    expect(field().value).toBe('8')
    bound(1000)
    for (const near of [316, 324]) {
      drag(near)
      expect(workbench.capacity.get()).toBe(1000)
    }
  })

  it('goes past the bound on both sides of where it snaps', () => {
    on.show(<Capacity />)
    bound(1000)
    drag(315)
    expect(workbench.capacity.get()).toBe(984)
    drag(325)
    expect(workbench.capacity.get()).toBe(1016)
  })

  it('is never 0', () => {
    on.show(<Capacity />)
    drag(0)
    expect(workbench.capacity.get()).toBe(1)
  })

  it('holds its scale still while it is dragged', () => {
    on.show(<Capacity />)
    for (const to of [400, 100, 400]) {
      drag(to)
      expect(slider().value).toBe(String(Math.round((workbench.capacity.get() / 15) * 400)))
    }
    expect(workbench.capacity.get()).toBe(15)
  })

  it('makes the scale longer for a value that is typed, and short again for a small one', () => {
    on.show(<Capacity />)
    enter('60')
    expect(slider().value).toBe('400')
    drag(200)
    expect(workbench.capacity.get()).toBe(30)
    enter('12')
    expect(slider().value).toBe('320')
  })

  it('grows with a value that comes from elsewhere, and with the next problem begins anew', () => {
    on.show(<Capacity />)
    act(() => on.actions.solver.setCapacity(60))
    expect(slider().value).toBe('400')
    act(() => on.actions.solver.setCapacity(30))
    expect(slider().value).toBe('200')
    bound(24)
    expect(slider().value).toBe('400')
  })

  it('is dragged in whole KiB where there are many', () => {
    on.show(<Capacity />)
    bound(100_000)
    drag(200)
    expect(workbench.capacity.get()).toBe(61 * 1024)
    drag(320)
    expect(workbench.capacity.get()).toBe(100_000)
  })

  it('takes amounts with units, and keeps what it does not understand', () => {
    on.show(<Capacity />)
    enter('1.5 KiB')
    expect(workbench.capacity.get()).toBe(1536)
    enter('2 parsecs')
    expect(workbench.capacity.get()).toBe(1536)
    expect(field().value).toBe('2 parsecs')
    screen.getByText(/unknown unit “parsecs”/)
  })

  it('says its unit once', () => {
    on.show(<Capacity />)
    const unit = () => field().parentElement?.textContent
    enter('1500')
    expect([field().value, unit()]).toEqual(['1,500', 'B'])
    enter('16 KiB')
    expect([field().value, unit()]).toEqual(['16 KiB', ''])
    expect(slider().getAttribute('aria-valuetext')).toBe('16 KiB, lower bound 12 bytes')
  })
})
