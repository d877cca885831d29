/** The long table: of its rows only those in sight exist, keys move through all of them, and the grid tells where one is. */
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Cell as State } from '../../../web/src/base/cell'
import { useValue } from '../../../web/src/base/use_value'
import { Cell, Rows, type RowsProps } from '../../../web/src/panels/controls/virtual_rows'
import { control, fireEvent, key, screen, stand } from '../support/stand'

const on = stand()

const count = new State(5)

function Things(more: Partial<RowsProps>) {
  return (
    <Rows
      name="Things"
      columns={1}
      count={useValue(count)}
      head={<span>Thing</span>}
      row={(index) => <Cell>{`thing ${index}`}</Cell>}
      rowClass={() => ''}
      empty="There is none."
      {...more}
    />
  )
}

beforeEach(() => count.set(5))

function show(more: Partial<RowsProps> = {}): HTMLElement {
  on.show(<Things {...more} />)
  return control(more.depth === undefined ? 'grid' : 'treegrid', 'Things')
}

/** What a screen reader reads out as the grid's active row. */
const active = (grid: HTMLElement) =>
  document.getElementById(grid.getAttribute('aria-activedescendant') ?? '')?.textContent ?? null

describe('rows', () => {
  it('say how many there are, of which only those in sight exist', () => {
    const grid = show({ count: 1000 })
    expect(grid.getAttribute('aria-rowcount')).toBe('1001')
    expect(grid.getAttribute('aria-colcount')).toBe('1')
    const rows = screen.getAllByRole('row').slice(1)
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.length).toBeLessThan(50)
    expect(rows[0]?.getAttribute('aria-rowindex')).toBe('2')
  })

  it('follow the bar: what comes into sight is made', () => {
    const grid = show({ count: 1000 })
    grid.scrollTop = 500 * 22
    fireEvent.scroll(grid)
    screen.getByText('thing 500')
    expect(screen.queryByText('thing 0')).toBeNull()
  })

  it('say what there is to say where there is none', () => {
    show({ count: 0 })
    screen.getByText('There is none.')
    show()
    expect(screen.queryByText('There is none.')).toBeNull()
  })

  it('are moved through by arrows, and stop at both ends', () => {
    const grid = show({ count: 2 })
    expect(active(grid)).toBeNull()
    key(grid, 'ArrowDown')
    expect(active(grid)).toBe('thing 0')
    key(grid, 'ArrowDown')
    key(grid, 'ArrowDown')
    expect(active(grid)).toBe('thing 1')
    key(grid, 'ArrowUp')
    key(grid, 'ArrowUp')
    expect(active(grid)).toBe('thing 0')
  })

  it('go to the first and the last, which comes into sight', () => {
    const grid = show({ count: 1000 })
    key(grid, 'End')
    fireEvent.scroll(grid)
    expect(active(grid)).toBe('thing 999')
    key(grid, 'PageUp')
    expect(active(grid)).toBe('thing 998')
    key(grid, 'Home')
    fireEvent.scroll(grid)
    expect(active(grid)).toBe('thing 0')
  })

  it('light what a key or the pointer comes to, and nothing once both have left', () => {
    const hover = vi.fn()
    const grid = show({ hover })
    key(grid, 'ArrowDown')
    expect(hover).toHaveBeenLastCalledWith(0)
    fireEvent.pointerEnter(screen.getByText('thing 3').closest('[role=row]') as Element)
    expect(hover).toHaveBeenLastCalledWith(3)
    fireEvent.pointerLeave(grid)
    expect(hover).toHaveBeenLastCalledWith(-1)
    key(grid, 'ArrowDown')
    fireEvent.blur(grid)
    expect(hover).toHaveBeenLastCalledWith(-1)
  })

  it('are taken by a click or Enter, beside others with Shift', () => {
    const pick = vi.fn()
    const grid = show({ pick })
    key(grid, 'Enter')
    expect(pick).not.toHaveBeenCalled()
    key(grid, 'ArrowDown')
    key(grid, 'Enter')
    fireEvent.keyDown(grid, { key: 'Enter', shiftKey: true })
    fireEvent.click(screen.getByText('thing 2'))
    fireEvent.click(screen.getByText('thing 4'), { shiftKey: true })
    expect(pick.mock.calls).toEqual([
      [0, false],
      [0, true],
      [2, false],
      [4, true],
    ])
  })

  it('keep the keys they know from the page, and no others', () => {
    const page = vi.fn()
    document.addEventListener('keydown', page)
    const grid = show({ keys: (event) => event.key === 'x' })
    expect(key(grid, 'ArrowDown')).toBe(false)
    expect(key(grid, 'x')).toBe(false)
    expect(page).not.toHaveBeenCalled()
    expect(key(grid, 'r')).toBe(true)
    document.removeEventListener('keydown', page)
    expect(page).toHaveBeenCalledOnce()
  })

  it('hand keys of their own the active row, or -1 once that is gone', async () => {
    const keys = vi.fn(() => true)
    const grid = show({ keys })
    key(grid, 'Delete')
    expect(keys).toHaveBeenLastCalledWith(expect.anything(), -1)
    key(grid, 'End')
    key(grid, 'Delete')
    expect(keys).toHaveBeenLastCalledWith(expect.anything(), 4)
    count.set(3)
    await on.settle()
    key(grid, 'Delete')
    expect(keys).toHaveBeenLastCalledWith(expect.anything(), -1)
  })

  it('scroll to what is looked at elsewhere', () => {
    const grid = show({ count: 1000, focus: 700 })
    fireEvent.scroll(grid)
    screen.getByText('thing 700')
  })

  it('say how deep they are where they are those of a tree, and that they are being put in order', () => {
    const grid = show({ depth: (index) => index + 1, busy: true })
    expect(grid.getAttribute('aria-busy')).toBe('true')
    expect(screen.getAllByRole('row').map((row) => row.getAttribute('aria-level'))).toEqual([
      null,
      '1',
      '2',
      '3',
      '4',
      '5',
    ])
  })
})
