/** The problem that is open: its name and size, the ways to another one, and the ways back. */
import { act } from '@testing-library/preact'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { edits } from '../../../web/src/panels/edit/edits'
import { CapacityPanel, ProblemPanel } from '../../../web/src/panels/problem/problem'
import { UndoButtons, undoItems } from '../../../web/src/panels/edit/undo'
import { watch } from '../../../web/src/run/edit/undo_history'
import { reading } from '../../../web/src/state/atoms'
import type { Profile } from '../../../web/src/state/profile/profile'
import { dialog } from '../../../web/src/state/ui'
import { control, CSV, fireEvent, press, screen, stand } from '../support/stand'
import { workbench } from '../../../web/src/state/workbench_cells'

const on = stand()

// the parts that come when they are wanted are there
await import('../../../web/src/panels/edit/text_editor')

const NEXT = 'id,lower,upper,size\nb,0,1,2\n'
const button = (name: string) => control('button', name) as HTMLButtonElement
const text = () => workbench.opened.get()?.text ?? null

describe('the problem', () => {
  beforeEach(() => {
    on.show(
      <>
        <ProblemPanel />
        <CapacityPanel />
      </>,
    )
  })

  it('is named, with its size', () => {
    screen.getByText('x.csv')
    screen.getByText('5 buffers, 3 sections')
  })

  it('is cleared, and then there is nothing to clear, edit or fit', async () => {
    press('Clear')
    await on.settle()
    screen.getByText('Nothing is loaded.')
    for (const name of ['Clear', 'Edit']) expect(screen.queryByRole('button', { name })).toBeNull()
    expect(screen.queryByRole('slider')).toBeNull()
  })

  it('is edited in its place, or another one pasted', async () => {
    press('Edit')
    await on.settle()
    expect((control('textbox', 'Buffer CSV') as HTMLTextAreaElement).value).toBe(CSV)
    expect(screen.queryByRole('button', { name: 'Paste' })).toBeNull()
    press('Close')
    press('Paste')
    await on.settle()
    expect((control('textbox', 'Buffer CSV') as HTMLTextAreaElement).value).toBe('')
  })

  it('that is too long is not edited, and says why', () => {
    act(() => {
      const now = workbench.opened.get()
      if (now !== null) workbench.opened.set({ ...now, text: new Blob([CSV]) })
    })
    expect(button('Edit').disabled).toBe(true)
    expect(button('Edit').title).not.toBe('')
  })

  it('comes from a file, and the same file can be chosen again', async () => {
    const input = document.querySelector('input[type=file]') as HTMLInputElement
    const asked = vi.spyOn(on.actions.problem, 'openFile').mockResolvedValue(true)
    const file = new File([NEXT], 'y.csv')
    Object.defineProperty(input, 'files', { value: [file], configurable: true })
    // a browser tells of no change to the file that the field already has
    const cleared = vi.spyOn(input, 'value', 'set')
    fireEvent.change(input)
    fireEvent.change(input)
    expect(asked.mock.calls).toEqual([[file], [file]])
    expect(cleared.mock.calls).toEqual([[''], ['']])
    Object.defineProperty(input, 'files', { value: [] })
    fireEvent.change(input)
    expect(asked).toHaveBeenCalledTimes(2)
  })

  it('is said to be read, while it is', () => {
    act(() => reading.set(true))
    expect(control('status', '').textContent).toBe('Reading…')
  })

  it('may be made at random, or be placed in a memory', () => {
    press('Random…')
    expect(dialog.get()).toBe('random')
    press('Profile: none')
    expect(dialog.get()).toBe('profiles')
  })

  it('may be a part of another one, to which it leads back', () => {
    act(() => workbench.aside.set({ source: { kind: 'none' }, text: CSV, capacity: 12, count: 1200 }))
    screen.getByText('A part of 1,200 buffers.')
    const back = vi.spyOn(on.actions.solver, 'backToAll').mockResolvedValue()
    press('Back to all')
    expect(back).toHaveBeenCalledOnce()
  })

  it('says what its memory asks, and offers all of that memory', () => {
    const chip: Profile = {
      id: 'own-1',
      title: 'Chip',
      vendor: '',
      capacity: 65536,
      reserved: 1024,
      alignment: 16,
      alignBy: 'both',
      bank: 4096,
      mayCross: false,
    }
    act(() => workbench.profile.set(chip))
    button('Profile: Chip')
    screen.getByText('In it: offsets and sizes in 16 B, banks of 4 KiB not crossed.')
    press('Use that')
    expect(workbench.capacity.get()).toBe(64512)
    expect(screen.queryByRole('button', { name: 'Use that' })).toBeNull()
  })
})

describe('the way back', () => {
  beforeEach(async () => {
    await edits.get()
    on.show(<UndoButtons />)
    return watch()
  })
  const open = async () => {
    await on.session.open(NEXT, { kind: 'text', name: 'y.csv' }, 'y.csv')
    await on.settle()
  }
  const undo = async (name: 'Undo' | 'Redo') => {
    press(name)
    await on.settle()
  }

  it('is there once there is something to go back to', async () => {
    expect([button('Undo').disabled, button('Redo').disabled]).toEqual([true, true])
    await open()
    expect([button('Undo').disabled, button('Redo').disabled]).toEqual([false, true])
  })

  it('leads back and on again, with the capacity', async () => {
    on.actions.solver.setCapacity(20)
    await open()
    on.actions.solver.setCapacity(30)
    await undo('Undo')
    expect([text(), workbench.capacity.get()]).toEqual([CSV, 20])
    expect([button('Undo').disabled, button('Redo').disabled]).toEqual([true, false])
    await undo('Redo')
    expect([text(), workbench.capacity.get()]).toEqual([NEXT, 30])
  })

  it('says where it leads: to another problem, whatever the capacity of this one was since', async () => {
    await open()
    on.actions.solver.setCapacity(30)
    await on.settle()
    expect(button('Undo').title).toMatch(/^Undo: back to x\.csv \(/)
    expect(undoItems(on.actions).map(({ note }) => note)).toEqual(['back to x.csv', undefined])
    await undo('Undo')
    expect(button('Redo').title).toMatch(/^Redo: on to y\.csv \(/)
    await on.session.open(NEXT, { kind: 'text', name: 'x.csv' }, 'x.csv')
    await on.settle()
    expect(button('Undo').title).toMatch(/^Undo: back to x\.csv before the change \(/)
  })

  it('leads back from Clear as well', async () => {
    await on.actions.problem.clear()
    await on.settle()
    expect(text()).toBeNull()
    await undo('Undo')
    expect(text()).toBe(CSV)
  })

  it('on again is lost with another problem', async () => {
    await open()
    await undo('Undo')
    await on.session.open('id,lower,upper,size\nc,0,1,2\n', { kind: 'text', name: 'z.csv' }, 'z.csv')
    await on.settle()
    expect(button('Redo').disabled).toBe(true)
  })

  it('is the same in a menu', async () => {
    const off = () => undoItems(on.actions).map(({ disabled }) => disabled)
    expect(off()).toEqual([true, true])
    await open()
    expect(off()).toEqual([false, true])
    undoItems(on.actions)[0]?.act()
    await on.settle()
    expect(text()).toBe(CSV)
  })
})
