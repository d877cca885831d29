/** The table while it is edited: a cell takes input or says why not, and buffers come and go, with the way back. */
import { act } from '@testing-library/preact'
import { beforeEach, describe, expect, it } from 'vitest'
import { EditTable } from '../../../web/src/panels/edit/edit_table'
import { edits, travel } from '../../../web/src/panels/edit/edits'
import { change } from '../../../web/src/run/edit/edit'
import { history, watch } from '../../../web/src/run/edit/undo_history'
import * as a from '../../../web/src/state/atoms'
import { chosen, editing, refused, setEditing, typed } from '../../../web/src/state/edit/editing'
import { type Example, FIRST, findExample } from '../../../web/src/state/problem/examples'
import { FIVE, inPools, problemOf, profileOf } from '../support/fake'
import { gridRow } from '../support/grid'
import { control, fireEvent, key, press, screen, stand, type } from '../support/stand'
import { workbench } from '../../../web/src/state/workbench_cells'
import type { Opened } from '../../../web/src/state/workbench_values'

const on = stand()
const FIRST_EXAMPLE = findExample(FIRST) as Example
const GRID = 'Buffers, to edit'

beforeEach(async () => {
  await edits.get()
  on.client.open = async (csv) => {
    on.client.opened.push(csv as string)
    return { ok: true, problem: problemOf(csv), suggestedCapacity: null }
  }
  await on.session.open(FIVE, { kind: 'text', name: 'five.csv' }, 'five.csv')
  workbench.capacity.set(12)
  chosen.set(new Set())
  refused.set('')
  setEditing(true)
  return watch()
})

const text = () => workbench.opened.get()?.text
// by label: in a table of so many buttons a look-up by role takes long
const cell = (name: string) => screen.getByLabelText(name) as HTMLInputElement
/** Opens a cell for input, and types. */
const typeInto = (name: string, typed: string) => {
  fireEvent.click(screen.getByLabelText(new RegExp(`^${name}:`)))
  type(cell(name), typed)
  return cell(name)
}
const tick = (id: string) => fireEvent.click(screen.getByLabelText(`Choose ${id}`))
const button = (text: string) => screen.getByText(text) as HTMLButtonElement
const why = () => screen.getByRole('alert').textContent

describe('a cell', () => {
  it('says what the file says, and none where it says nothing', () => {
    on.show(<EditTable />)
    screen.getByLabelText('Size of b2: 4')
    expect(screen.getByLabelText('Fixed at of b2: none').textContent).toBe('–')
  })

  it('takes what is typed once Enter is pressed', async () => {
    on.show(<EditTable />)
    key(typeInto('Size of b2', '1 KiB'), 'Enter')
    await on.settle()
    expect(text()).toBe(FIVE.replace('b2,3,9,4', 'b2,3,9,1024'))
    screen.getByLabelText('Size of b2: 1024')
    expect(document.activeElement).toBe(screen.getByRole('grid'))
  })

  it('keeps what is no value, and says why', async () => {
    on.show(<EditTable />)
    const field = typeInto('Lower of b2', '9')
    key(field, 'Enter')
    await on.settle()
    expect(text()).toBe(FIVE)
    expect(why()).toBe('lower is 9, expected less than upper, 9')
    expect(field.value).toBe('9')
    expect(field.getAttribute('aria-invalid')).toBe('true')
    expect(document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent).toBe(why())
    type(field, '8')
    key(field, 'Enter')
    await on.settle()
    expect(text()).toBe(FIVE.replace('b2,3,9', 'b2,8,9'))
    expect(why()).toBe('')
  })

  it('is in the file that is kept when the tab is closed over it', () => {
    on.show(<EditTable />)
    const field = typeInto('Size of b2', '77')
    expect(typed.get()?.()?.text).toBe(FIVE.replace('b2,3,9,4', 'b2,3,9,77'))
    expect(text()).toBe(FIVE)
    type(field, 'x')
    expect(typed.get()?.()).toBe(null)
    key(field, 'Escape')
    expect(typed.get()).toBe(null)
  })

  it('refuses an id that another buffer has', async () => {
    on.show(<EditTable />)
    key(typeInto('Buffer of b2', 'b3'), 'Enter')
    await on.settle()
    expect(why()).toBe('id “b3” is already used')
    expect(text()).toBe(FIVE)
  })

  it('is as it was after Esc, and its reason is gone', async () => {
    on.show(<EditTable />)
    const field = typeInto('Size of b2', 'x')
    key(field, 'Enter')
    expect(why()).not.toBe('')
    key(field, 'Escape')
    await on.settle()
    expect(why()).toBe('')
    screen.getByLabelText('Size of b2: 4')
    expect(text()).toBe(FIVE)
  })

  it('says what the core has against a change, which is then not made', async () => {
    on.client.open = async () => {
      const error = { line: 3, column: 1, length: 1, field: 'size', message: 'is larger than the capacity' }
      return { ok: false, errors: [error], total: 1 }
    }
    on.show(<EditTable />)
    key(typeInto('Size of b2', '99'), 'Enter')
    await on.settle()
    expect(why()).toBe('size is larger than the capacity')
    expect(text()).toBe(FIVE)
    expect(workbench.draft.get()).toBeNull()
  })

  it('has the pool and the shape where the problem has them, empty ones too, and names the pools that there are', async () => {
    const csv = 'pool,dram,64\nid,lower,upper,size,pool,shape\na,0,4,8,,0-2@0:8 2-4@0:4\nb,1,3,8,dram,\n'
    const rects = [{ buffer: 0, lower: 0, upper: 2, from: 0, to: 8 }]
    on.client.open = async () => ({
      ok: true,
      problem: { ...inPools(problemOf('id,lower,upper,size\na,0,4,8\nb,1,3,8\n'), [0, 1]), rects },
      suggestedCapacity: null,
    })
    await on.session.open(csv, { kind: 'text', name: 'pools.csv' }, 'pools.csv')
    on.show(<EditTable />)
    screen.getByLabelText('Shape of a: 0-2@0:8 2-4@0:4')
    screen.getByLabelText('Pool of b: dram')
    key(typeInto('Pool of a', 'flash'), 'Enter')
    expect(why()).toBe('pool is “flash”, expected “dram” or nothing for the main one')
    type(cell('Pool of a'), 'dram')
    key(cell('Pool of a'), 'Enter')
    await on.settle()
    expect(text()).toBe(csv.replace('a,0,4,8,,', 'a,0,4,8,dram,'))
  })

  it('hands on to the next with Tab, over the end of the row, and back with Shift', async () => {
    on.show(<EditTable />)
    key(typeInto('Fixed at of b2', ''), 'Tab')
    expect(document.activeElement).toBe(cell('Buffer of b3'))
    fireEvent.keyDown(cell('Buffer of b3'), { key: 'Tab', shiftKey: true })
    expect(document.activeElement).toBe(cell('Fixed at of b2'))
  })

  it('hands on to the one below and above with arrows', () => {
    on.show(<EditTable />)
    key(typeInto('Size of b2', '4'), 'ArrowDown')
    key(cell('Size of b3'), 'ArrowUp')
    key(cell('Size of b2'), 'ArrowUp')
    cell('Size of b1')
  })

  it('keeps its keys from the page', () => {
    on.show(<EditTable />)
    let heard = false
    const page = () => {
      heard = true
    }
    document.addEventListener('keydown', page)
    key(typeInto('Size of b2', '4'), 'r')
    document.removeEventListener('keydown', page)
    expect(heard).toBe(false)
  })
})

describe('a cell that is being typed in', () => {
  const OTHER = FIVE.replaceAll('b', 'B').replaceAll(',4\n', ',100\n')
  const SHORT = 'id,lower,upper,size\nS,0,1,7\n'
  const TYPED = FIVE.replace('b3,0,9,4', 'b3,0,9,999')
  const past = () => history.get().past.map((state) => state?.text)

  const ways: [string, () => Promise<unknown>, string | undefined][] = [
    ['a text', () => on.actions.problem.openText(OTHER, 'other.csv'), OTHER],
    ['a shorter text', () => on.actions.problem.openText(SHORT, 'short.csv'), SHORT],
    ['a file', () => on.actions.problem.openFile(new File([OTHER], 'other.csv')), OTHER],
    ['an example', () => on.actions.problem.openExample(FIRST_EXAMPLE), undefined],
    ['what is generated', () => on.actions.problem.generate('random', 5, 1), 'id,lower,upper,size\n'],
    ['the first page', () => on.actions.problem.clear(), undefined],
  ]

  it.each(ways)('goes into its own file before another takes its place: %s', async (_, open, expected) => {
    on.show(<EditTable />)
    typeInto('Size of b3', '999')
    await act(async () => void (await open()))
    await on.settle()
    if (expected !== undefined) expect(text()).toBe(expected)
    expect(text() ?? '').not.toContain('999')
    expect(past()).toContain(TYPED)
    expect(a.notice.get()).toBeNull()
    for (const field of document.querySelectorAll('.cell-input')) throw new Error(`still open: ${field.outerHTML}`)
  })

  it('is not waited for where its edit is run again', async () => {
    on.client.hold = true
    void on.actions.solver.run()
    on.client.finish()
    await on.settle()
    on.show(<EditTable />)
    key(typeInto('Size of b3', '999'), 'Enter')
    await on.settle()
    expect(workbench.run.get().kind).toBe('running')
    await act(async () => void (await on.actions.problem.openText(OTHER, 'other.csv')))
    expect(text()).toBe(OTHER)
    expect(past()).toContain(TYPED)
  })

  it('goes into its file before that is undone, or placed in another memory', async () => {
    on.show(<EditTable />)
    typeInto('Size of b3', '999')
    await act(async () => void (await on.actions.profile.chooseProfile(profileOf())))
    expect(text()).toBe(TYPED)
    expect(workbench.profile.get()?.id).toBe('own-1')
    typeInto('Size of b4', '888')
    await act(() => travel(on.actions, -1))
    await on.settle()
    expect(text()).toBe(TYPED)
    expect(history.get().future.map((state) => state?.text)).toContain(TYPED.replace('b4,9,21,4', 'b4,9,21,888'))
  })

  it('is named where it is no value, and stays out of the other file', async () => {
    on.show(<EditTable />)
    typeInto('Size of b3', '9 apples\u202e')
    await act(async () => void (await on.actions.problem.openText(OTHER, 'other.csv')))
    await on.settle()
    expect(text()).toBe(OTHER)
    expect(past()).toEqual([FIVE])
    expect(why()).toBe('')
    expect(a.notice.get()).toMatchObject({ title: '“9 apples\\u202e” was not taken.' })
    expect(a.notice.get()?.text).toContain('Size of b3 in five.csv')
  })

  it('stays open over an edit of another row', async () => {
    on.show(<EditTable />)
    typeInto('Size of b3', '99')
    await act(async () => void (await change(on.session, { kind: 'set', buffer: 0, values: { size: 7 } })))
    expect(cell('Size of b3').value).toBe('99')
    key(cell('Size of b3'), 'Enter')
    await on.settle()
    expect(text()).toBe(FIVE.replace('b1,0,3,4', 'b1,0,3,7').replace('b3,0,9,4', 'b3,0,9,99'))
  })
})

describe('an edit that waits for another', () => {
  it('is of the buffer that was shown in its row', async () => {
    const first = change(on.session, { kind: 'delete', buffers: [0] })
    const second = change(on.session, { kind: 'set', buffer: 2, values: { size: 9 } })
    const third = change(on.session, { kind: 'delete', buffers: [0, 3] })
    expect(await Promise.all([first, second, third])).toEqual(['', '', ''])
    expect(text()).toBe('id,lower,upper,size\nb2,3,9,4\nb3,0,9,9\nb5,0,21,4\n')
    const gone = change(on.session, { kind: 'delete', buffers: [0] })
    const late = change(on.session, { kind: 'set', buffer: 0, values: { size: 9 } })
    expect(await Promise.all([gone, late])).toEqual(['', '“b2” is no longer there.'])
  })

  it('is of its file alone', async () => {
    const before = workbench.opened.get() as Opened
    await on.session.open('id,lower,upper,size\nS,0,1,7\n', { kind: 'text', name: 'short.csv' }, 'short.csv')
    const why = await change(on.session, { kind: 'set', buffer: 0, values: { size: 9 } }, before)
    expect(why).toBe('Something else was opened meanwhile.')
    expect(text()).toBe('id,lower,upper,size\nS,0,1,7\n')
  })
})

describe('buffers', () => {
  it('that were chosen are so in their own file only', async () => {
    on.show(<EditTable />)
    tick('b2')
    await act(async () => void (await on.actions.problem.openText(FIVE.replaceAll('b', 'B'), 'other.csv')))
    await on.settle()
    expect(chosen.get().size).toBe(0)
  })

  it('are duplicated and deleted together, as they were chosen', async () => {
    on.show(<EditTable />)
    tick('b2')
    tick('b4')
    fireEvent.click(button('Delete 2'))
    await on.settle()
    expect(text()).toBe('id,lower,upper,size\nb1,0,3,4\nb3,0,9,4\nb5,0,21,4\n')
    expect(chosen.get().size).toBe(0)
    tick('b1')
    fireEvent.click(button('Duplicate'))
    await on.settle()
    expect(workbench.opened.get()?.problem.count).toBe(4)
    expect(text()).toContain('b1,0,3,4\n')
  })

  it('are all chosen at once, and a problem keeps one at least', async () => {
    on.show(<EditTable />)
    const all = screen.getByLabelText('Choose all') as HTMLInputElement
    fireEvent.click(all)
    expect(chosen.get().size).toBe(5)
    fireEvent.click(button('Delete 5'))
    await on.settle()
    expect(why()).toBe('A problem has at least one buffer.')
    expect(text()).toBe(FIVE)
    fireEvent.click(all)
    expect(chosen.get().size).toBe(0)
  })

  it('cannot be duplicated or deleted while none is chosen; the pinned one is', async () => {
    on.show(<EditTable />)
    expect(button('Duplicate')).toHaveProperty('disabled', true)
    expect(button('Delete')).toHaveProperty('disabled', true)
    workbench.pinned.set(2)
    await on.settle()
    fireEvent.click(button('Delete'))
    await on.settle()
    expect(text()).toBe(FIVE.replace('b3,0,9,4\n', ''))
  })

  it('are added like the chosen one, under a name of their own that can be typed over', async () => {
    workbench.filter.set('b4')
    on.show(<EditTable />)
    tick('b4')
    fireEvent.click(button('Add'))
    await on.settle()
    expect(text()).toBe(`${FIVE}new,9,21,4\n`)
    expect(workbench.filter.get()).toBe('')
    expect(document.activeElement).toBe(cell('Buffer of new'))
  })

  it('are chosen by the space key, edited with F2 and deleted with Delete, where the keys are', async () => {
    on.show(<EditTable />)
    const grid = control('grid', GRID)
    key(grid, 'ArrowDown')
    key(grid, 'ArrowDown')
    key(grid, ' ')
    expect([...chosen.get()]).toEqual([1])
    key(grid, ' ')
    expect(chosen.get().size).toBe(0)
    key(grid, 'F2')
    key(cell('Size of b2'), 'Escape')
    key(grid, 'Delete')
    await on.settle()
    expect(text()).toBe(FIVE.replace('b2,3,9,4\n', ''))
  })

  it('are edited by a click on their row', () => {
    on.show(<EditTable />)
    fireEvent.click(gridRow(GRID, 2))
    cell('Size of b3')
  })
})

describe('the way back', () => {
  it('undoes an edit and makes it again', async () => {
    on.show(<EditTable />)
    expect(screen.getByLabelText('Undo')).toHaveProperty('disabled', true)
    key(typeInto('Size of b2', '8'), 'Enter')
    await on.settle()
    expect(screen.getByLabelText('Redo')).toHaveProperty('disabled', true)
    fireEvent.click(screen.getByLabelText('Undo'))
    await on.settle()
    expect(text()).toBe(FIVE)
    expect(screen.getByLabelText('Undo')).toHaveProperty('disabled', true)
    fireEvent.click(screen.getByLabelText('Redo'))
    await on.settle()
    screen.getByLabelText('Size of b2: 8')
  })
})

describe('the buffers of a model', () => {
  it('are not edited one by one, but as a problem of their own', async () => {
    await on.session.open('op', { kind: 'model', name: 'm.csv', lowering: {}, from: { kind: 'file', format: '' } }, 'm')
    on.show(<EditTable />)
    screen.getByText('These buffers are made from a model’s graph, so they are not edited one by one.')
    on.client.open = async () => ({ ok: true, problem: problemOf(FIVE), suggestedCapacity: null })
    press('Edit as buffers')
    await on.settle()
    expect(workbench.opened.get()?.source).toEqual({ kind: 'text', name: 'm-buffers.csv' })
  })

  it('can be left as they are', async () => {
    await on.session.open('op', { kind: 'model', name: 'm.csv', lowering: {}, from: { kind: 'file', format: '' } }, 'm')
    on.show(<EditTable />)
    press('Done')
    expect(editing.get()).toBe(false)
  })
})
