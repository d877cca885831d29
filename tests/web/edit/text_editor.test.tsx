/** The editor: what is read when, what a refusal points at, and that no text is lost. */
import { act } from '@testing-library/preact'
import { beforeEach, describe, expect, it } from 'vitest'
import { Editor } from '../../../web/src/panels/edit/text_editor'
import { reading } from '../../../web/src/state/atoms'
import { exampleOf } from '../../../web/src/state/problem/examples'
import { control, CSV, fireEvent, press, screen, stand, type } from '../support/stand'
import { workbench } from '../../../web/src/state/workbench_cells'

const on = stand()

// whether a text is an example is known once all of them are there
await exampleOf('')

const NEXT = 'id,lower,upper,size\nb,0,1,2\n'
const BAD = 'bad,lower,upper\nx,0\n'
const area = () => control('textbox', 'Buffer CSV') as HTMLTextAreaElement
const load = async () => {
  press('Load')
  await on.settle()
}
const picked = () => area().value.slice(area().selectionStart, area().selectionEnd)
const paste = (text: string) => {
  const clipboardData = { getData: () => text }
  return fireEvent.paste(area(), { clipboardData })
}
const wrong = (text: string, line: number, column: number, length: number, total = 1) =>
  act(() => {
    workbench.draft.set({ text, name: 'x.csv' })
    workbench.mistakes.set({ text, errors: [{ line, column, length, field: 'size', message: 'is no number' }], total })
  })

beforeEach(() => {
  on.actions.draft.edit()
  on.client.opened = []
  on.show(<Editor />)
})

describe('the editor', () => {
  it('has the text that is open, and the focus', () => {
    expect(area().value).toBe(CSV)
    expect(document.activeElement).toBe(area())
  })

  it('reads what was typed when it is told to, and not before', async () => {
    type(area(), NEXT)
    await on.settle()
    expect(on.client.opened).toEqual([])
    await load()
    expect(on.client.opened).toEqual([NEXT])
    expect(workbench.opened.get()?.text).toBe(NEXT)
    expect(workbench.draft.get()).toBeNull()
  })

  it('reads it on Ctrl Enter as well', async () => {
    type(area(), NEXT)
    fireEvent.keyDown(area(), { key: 'Enter' })
    await on.settle()
    expect(on.client.opened).toEqual([])
    fireEvent.keyDown(area(), { key: 'Enter', ctrlKey: true })
    await on.settle()
    expect(workbench.opened.get()?.text).toBe(NEXT)
  })

  it('has nothing to read in an empty text, nor while it reads', () => {
    type(area(), '')
    expect((control('button', 'Load') as HTMLButtonElement).disabled).toBe(true)
    type(area(), NEXT)
    act(() => reading.set(true))
    expect((control('button', 'Reading…') as HTMLButtonElement).disabled).toBe(true)
  })

  it('reads at once what is pasted over the whole text, and lets be what is pasted into it', async () => {
    area().setSelectionRange(0, 3)
    expect(paste(NEXT)).toBe(true)
    await on.settle()
    expect(on.client.opened).toEqual([])
    area().select()
    expect(paste(NEXT)).toBe(false)
    await on.settle()
    expect(workbench.opened.get()?.text).toBe(NEXT)
  })

  it('is shut without a change', async () => {
    type(area(), NEXT)
    press('Close')
    expect([workbench.draft.get(), workbench.opened.get()?.text]).toEqual([null, CSV])
  })

  it('does not shut where there is nothing to go back to', async () => {
    await act(() => on.session.clear())
    act(() => on.actions.draft.pasteNew())
    expect(screen.queryByRole('button', { name: 'Close' })).toBeNull()
  })

  it('does not take a text that is too long to be typed in', () => {
    act(() => workbench.draft.set({ text: 'x'.repeat(2_000_001), name: 'x.csv' }))
    expect(screen.queryByRole('textbox')).toBeNull()
    screen.getByText('2,000,001 characters: too long to edit here.')
    act(() => workbench.draft.set({ text: new Blob(['x'.repeat(9)]), name: 'x.csv' }))
    screen.getByText('9 bytes: too long to edit here.')
    expect((control('button', 'Load') as HTMLButtonElement).disabled).toBe(false)
  })
})

describe('a text that is refused', () => {
  beforeEach(async () => {
    type(area(), BAD)
    await load()
  })

  it('stays, with what is wrong and where; what was open stays too', () => {
    expect(area().value).toBe(BAD)
    expect(area().getAttribute('aria-invalid')).toBe('true')
    const said = control('alert', '').textContent
    expect(said).toContain('1 error. Nothing was loaded.')
    expect(said).toContain('line 1idis missing')
    expect(workbench.opened.get()?.text).toBe(CSV)
  })

  it('is gone to from its error, from the list and from the button below', () => {
    press('line 1')
    expect(document.activeElement).toBe(area())
    expect(picked()).toBe('bad')
    area().setSelectionRange(0, 0)
    press('Go to first error')
    expect(picked()).toBe('bad')
  })

  it('is no longer marked once it is another text, nor listed once that is read', async () => {
    type(area(), NEXT)
    expect(area().getAttribute('aria-invalid')).toBe('false')
    expect(control('alert', '').textContent).toContain('1 error before the text was changed')
    expect(screen.queryByRole('button', { name: 'Go to first error' })).toBeNull()
    await load()
    expect([workbench.draft.get(), workbench.mistakes.get()]).toEqual([null, null])
  })

  it('gives way to what was open before', () => {
    expect(screen.queryByRole('button', { name: 'Close' })).toBeNull()
    press('Keep the previous problem')
    expect([workbench.draft.get(), workbench.mistakes.get(), workbench.opened.get()?.text]).toEqual([null, null, CSV])
  })
})

describe('an error', () => {
  it('is found in the right line, also behind letters of several bytes', () => {
    wrong('id,size\näöü,zwölf\n', 2, 8, 6)
    press('line 2')
    expect(picked()).toBe('zwölf')
  })

  it('past the end of its line does not reach into the next', () => {
    wrong('id,size\na,\nb,1\n', 2, 3, 4)
    press('line 2')
    expect([area().selectionStart, picked()]).toEqual([10, ''])
  })

  it('of the whole file is gone nowhere', () => {
    wrong('id\n', 0, 0, 0)
    screen.getByText('file')
    expect(screen.queryByRole('button', { name: /line|Go to/ })).toBeNull()
  })

  it('is one of many, of which the rest is counted', () => {
    wrong('id\n', 1, 1, 2, 1200)
    screen.getByText('1,200 errors. Nothing was loaded.')
    screen.getByText('and 1,199 more')
  })

  it('in a text that is too long is named, and not gone to', () => {
    act(() => workbench.draft.set({ text: new Blob(['x']), name: 'x.csv' }))
    act(() => {
      const text = new Blob(['x'])
      workbench.mistakes.set({
        text,
        errors: [{ line: 7000, column: 1, length: 1, field: 'id', message: 'is twice' }],
        total: 1,
      })
    })
    screen.getByText('line 7,000')
    expect(screen.queryByRole('button', { name: /line|Go to/ })).toBeNull()
  })
})
