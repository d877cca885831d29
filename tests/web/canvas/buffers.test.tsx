/** The Buffers tab: the table of all buffers in any order, the search in it, and pinning from it. */
import { beforeEach, describe, expect, it } from 'vitest'
import { BuffersTab } from '../../../web/src/panels/canvas/buffers'
import { adding, pins } from '../../../web/src/state/canvas/canvas'
import { setEditing } from '../../../web/src/state/edit/editing'
import { FIVE, frameOf, inPools } from '../support/fake'
import { gridRow, gridRows, sortOf } from '../support/grid'
import { control, fireEvent, key, press, screen, stand, type } from '../support/stand'
import { workbench } from '../../../web/src/state/workbench_cells'

const on = stand()

beforeEach(() => {
  setEditing(false)
  adding.set(false)
})

const ids = () => gridRows('Buffers').map(([id]) => id)
const search = () => control('searchbox', 'Find by id') as HTMLInputElement
const find = async (text: string) => {
  type(search(), text)
  await on.settle()
}
/** What stands beside the search field. */
const count = () => screen.getByRole('status').textContent
const showAt = (offsets: number[]) => {
  workbench.frame.set(frameOf(1, [], { offset: Float64Array.from(offsets), level: Int32Array.from([2, 0, 1, 0, 0]) }))
}

/** The second and the fourth lie in a memory beside the main one. */
function inTwoPools(): void {
  workbench.opened.update((now) => now && { ...now, problem: inPools(now.problem, [0, 1, 0, 1, 0]) })
}

describe('the table of buffers', () => {
  it('shows what each is, and no place before there is one', () => {
    on.show(<BuffersTab />)
    expect(gridRows('Buffers')[1]).toEqual(['b2', '3', '9', '4', '1', '–', '–'])
  })

  it('names the pool of each where there are several, in place of the alignment, and sorts by it', () => {
    inTwoPools()
    on.show(<BuffersTab />)
    expect(gridRows('Buffers')[1]).toEqual(['b2', '3', '9', '4', 'dram', '–', '–'])
    press('Pool')
    press('Pool')
    expect(gridRows('Buffers').map((row) => row[4])).toEqual(['dram', 'dram', 'main', 'main', 'main'])
  })

  it('shows where each lies at the step shown, and the level that placed it', () => {
    showAt([8, -1, 0, -1, -1])
    on.show(<BuffersTab />)
    expect(gridRows('Buffers').map((row) => row.slice(-2))).toEqual([
      ['8', '2'],
      ['–', '–'],
      ['0', '1'],
      ['–', '–'],
      ['–', '–'],
    ])
  })

  it('sorts by a head, the other way round at the second press, and says so', () => {
    on.show(<BuffersTab />)
    expect([sortOf('Buffer'), sortOf('Upper')]).toEqual(['ascending', 'none'])
    press('Upper')
    expect(ids()).toEqual(['b1', 'b2', 'b3', 'b4', 'b5'])
    press('Upper')
    expect(ids()).toEqual(['b4', 'b5', 'b2', 'b3', 'b1'])
    expect([sortOf('Buffer'), sortOf('Upper')]).toEqual(['none', 'descending'])
  })

  it('sorted by offset goes with the step', async () => {
    showAt([8, 4, 0, 16, 12])
    on.show(<BuffersTab />)
    press('Offset')
    expect(ids()).toEqual(['b3', 'b2', 'b1', 'b5', 'b4'])
    showAt([0, 4, 8, 16, 12])
    await on.settle()
    expect(ids()).toEqual(['b1', 'b2', 'b3', 'b5', 'b4'])
  })

  it('is nothing without a problem', async () => {
    await on.session.clear()
    expect(on.show(<BuffersTab />).textContent).toBe('')
  })
})

describe('pinning from the table', () => {
  it('pins the row that is clicked instead of the one before', () => {
    on.show(<BuffersTab />)
    fireEvent.click(gridRow('Buffers', 1))
    fireEvent.click(gridRow('Buffers', 3))
    expect(pins.get()).toEqual([3])
  })

  it('pins the one the keys have come to, in the order shown', () => {
    on.show(<BuffersTab />)
    press('Buffer')
    const grid = control('grid', 'Buffers')
    key(grid, 'ArrowDown')
    key(grid, 'ArrowDown')
    expect(workbench.lit.get().buffers).toEqual([3])
    key(grid, 'Enter')
    expect(pins.get()).toEqual([3])
  })

  it('pins beside what is pinned with Shift, or while several are pinned', () => {
    on.show(<BuffersTab />)
    fireEvent.click(gridRow('Buffers', 0))
    fireEvent.click(gridRow('Buffers', 2), { shiftKey: true })
    expect(pins.get()).toEqual([0, 2])
    press('Pin several')
    fireEvent.click(gridRow('Buffers', 4))
    expect(pins.get()).toEqual([0, 2, 4])
  })
})

describe('the search for buffers', () => {
  it('leaves those whose id has the text, and says how many', async () => {
    on.show(<BuffersTab />)
    expect(screen.queryByRole('button', { name: 'Next match' })).toBeNull()
    await find('B2')
    expect(ids()).toEqual(['b2'])
    expect(count()).toBe('1 of 5')
    await find('b?')
    expect(count()).toBe('5 of 5')
    await find('')
    expect(ids()).toHaveLength(5)
  })

  it('says that there is none, and leads nowhere then', async () => {
    on.show(<BuffersTab />)
    await find('zz')
    screen.getByText('No id holds “zz”.')
    expect(control('button', 'Next match')).toHaveProperty('disabled', true)
    expect(control('button', 'Previous match')).toHaveProperty('disabled', true)
    key(search(), 'Enter')
    expect(pins.get()).toEqual([])
  })

  it('goes from one match to the next and round, by button and by Enter, and says at which it is', async () => {
    on.show(<BuffersTab />)
    await find('*')
    press('Next match')
    expect(pins.get()).toEqual([0])
    key(search(), 'Enter')
    expect(pins.get()).toEqual([1])
    await on.settle()
    expect(count()).toBe('2 of 5')
    press('Previous match')
    press('Previous match')
    expect(pins.get()).toEqual([4])
    fireEvent.keyDown(search(), { key: 'Enter', shiftKey: true })
    expect(pins.get()).toEqual([3])
  })

  it('finds what was typed before the tab was there', async () => {
    workbench.filter.set('b4')
    on.show(<BuffersTab />)
    await on.settle()
    expect(search().value).toBe('b4')
    expect(ids()).toEqual(['b4'])
  })

  it('has the focus and its text marked once it is called for', async () => {
    on.show(<BuffersTab />)
    await find('b4')
    search().setSelectionRange(2, 2)
    on.actions.canvas.find()
    await on.settle()
    expect(document.activeElement).toBe(search())
    expect([search().selectionStart, search().selectionEnd]).toEqual([0, 2])
  })

  it('lets the text go with Escape, then the focus, which goes back to where it was', async () => {
    on.show(
      <>
        <button type="button">before</button>
        <BuffersTab />
      </>,
    )
    control('button', 'before').focus()
    on.actions.canvas.find()
    await on.settle()
    await find('b4')
    key(search(), 'Escape')
    await on.settle()
    expect([search().value, ids().length, document.activeElement]).toEqual(['', 5, search()])
    key(search(), 'Escape')
    expect(document.activeElement).toBe(control('button', 'before'))
  })

  it('keeps the last part of a long name in sight', async () => {
    await on.session.open(FIVE, { kind: 'text', name: 'five.csv' }, 'five.csv')
    workbench.opened.update(
      (now) => now && { ...now, problem: { ...now.problem, ids: ['a', 'model/block/MatMul:0', 'b', 'c', 'd'] } },
    )
    on.show(<BuffersTab />)
    await on.settle()
    expect(screen.getByText('/MatMul:0').previousElementSibling?.textContent).toBe('model/block')
  })

  it('finds by operator too where there is a model, and spares the columns that say less', async () => {
    await on.session.open('op', { kind: 'model', name: 'm', lowering: {}, from: { kind: 'file', format: '' } }, 'm')
    on.show(<BuffersTab />)
    const field = control('searchbox', 'Find by id or operator')
    type(field, 'Conv_1')
    await on.settle()
    expect(ids()).toEqual(['b'])
    expect(screen.queryByRole('columnheader', { name: 'Align' })).toBeNull()
  })
})

describe('editing the table', () => {
  it('is switched on and off, and says what amounts are in then', async () => {
    await on.session.open(FIVE, { kind: 'text', name: 'five.csv' }, 'five.csv')
    on.show(<BuffersTab />)
    press('Edit')
    await on.settle()
    await screen.findByRole('grid', { name: 'Buffers, to edit' })
    expect(control('button', 'Done').getAttribute('aria-pressed')).toBe('true')
    expect(screen.getAllByRole('status')[0]?.textContent).toBe('in bytes')
    press('Done')
    expect(screen.queryByRole('grid', { name: 'Buffers, to edit' })).toBeNull()
  })

  it('is refused where the text is too long for it', () => {
    workbench.opened.update((now) => now && { ...now, text: new Blob(['long']) })
    on.show(<BuffersTab />)
    expect(control('button', 'Edit')).toHaveProperty('disabled', true)
    expect(control('button', 'Edit').title).toBe('Too long to be edited here')
  })
})
