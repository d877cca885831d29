/** The pinned buffers: what is known of each, what they have in common, and letting go. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Pins } from '../../../web/src/panels/canvas/pins'
import { clearPins, togglePin } from '../../../web/src/run/canvas/pins'
import { adding, pins } from '../../../web/src/state/canvas/canvas'
import { frameOf } from '../support/fake'
import { control, fireEvent, press, screen, stand } from '../support/stand'
import { workbench } from '../../../web/src/state/workbench_cells'

const on = stand()
const pin = (...buffers: number[]) => {
  for (const buffer of buffers) togglePin(buffer, true)
}
const rows = () => screen.getAllByRole('listitem').map((row) => row.textContent)

beforeEach(() => clearPins())
afterEach(() => clearPins())

describe('pins', () => {
  it('are nothing while nothing is pinned', () => {
    expect(on.show(<Pins />).textContent).toBe('')
  })

  it('say what each is and where it lies at the step shown', async () => {
    pin(1, 3)
    workbench.frame.set(frameOf(2, [], { offset: Float64Array.from([-1, 8, -1, -1, -1]) }))
    on.show(<Pins />)
    expect(rows()).toEqual(['b2[3, 9)4at 8', 'b4[9, 21)4not placed'])
    workbench.frame.set(frameOf(3, [], { offset: Float64Array.from([-1, -1, -1, 4, -1]) }))
    await on.settle()
    expect(rows()).toEqual(['b2[3, 9)4not placed', 'b4[9, 21)4at 4'])
  })

  it('tell of several when they are all alive', () => {
    pin(1, 2)
    on.show(<Pins />)
    screen.getByText('8 together, all alive in [3, 9)')
  })

  it('tell of several that never are, where one ends as another begins', () => {
    pin(0, 1)
    on.show(<Pins />)
    screen.getByText('8 together, never all alive at once')
  })

  it('have nothing in common where there is one', () => {
    pin(0)
    on.show(<Pins />)
    expect(screen.queryByText(/together/)).toBeNull()
  })

  it('are let go of one by one, or all at once', () => {
    pin(0, 1, 2)
    on.show(<Pins />)
    press('Let go of b2')
    expect(pins.get()).toEqual([0, 2])
    press('Let go of b3')
    expect(pins.get()).toEqual([0])
    pin(4)
    adding.set(true)
    press('Let go')
    expect(pins.get()).toEqual([])
    expect(adding.get()).toBe(false)
  })

  it('are joined by what is chosen next while that is wished', async () => {
    pin(0)
    on.show(<Pins />)
    press('Pin several')
    await on.settle()
    expect(control('button', 'Pin several').getAttribute('aria-pressed')).toBe('true')
    togglePin(2, false)
    expect(pins.get()).toEqual([0, 2])
    press('Pin several')
    togglePin(4, false)
    expect(pins.get()).toEqual([4])
  })

  it('light the buffer under the pointer, and bring it into sight', () => {
    const centred: number[] = []
    on.actions.view = { centre: (buffer: number) => centred.push(buffer) } as unknown as typeof on.actions.view
    pin(3)
    on.show(<Pins />)
    const row = screen.getByRole('listitem')
    fireEvent.pointerEnter(row)
    expect(workbench.lit.get().buffers).toEqual([3])
    fireEvent.pointerLeave(row)
    expect(workbench.lit.get().buffers).toEqual([])
    press(/^b4/)
    expect(centred).toEqual([3])
  })
})
