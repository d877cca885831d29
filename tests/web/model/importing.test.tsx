/** A file on its way: when it is spoken of, what it asks, and the ways to give it up. */
import { act } from '@testing-library/preact'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { NO_ANSWERS, type Question } from '../../../web/src/import/imported'
import { Importing } from '../../../web/src/panels/model/importing'
import { importing, type Importing as State } from '../../../web/src/state/atoms'
import { control, fireEvent, key, press, screen, stand, type } from '../support/stand'

const on = stand()

const say = (state: State) => act(() => importing.set(state))
const wait = (ms: number) => act(() => void vi.advanceTimersByTime(ms))
const reading = (done: number, rows?: { rows: number; of: number }): State =>
  rows === undefined ? { kind: 'reading', name: 'net.onnx', done } : { kind: 'reading', name: 'long.csv', done, rows }
const button = (name: string | RegExp) => control('button', name) as HTMLButtonElement

afterEach(() => {
  vi.useRealTimers()
})

describe('a file that is being read', () => {
  it('is spoken of only once it takes its time', () => {
    vi.useFakeTimers()
    on.show(<Importing />)
    say(reading(0.1))
    wait(299)
    expect(screen.queryByRole('status')).toBeNull()
    wait(1)
    expect(control('status', '').textContent).toContain('Reading net.onnx')
    expect(control('progressbar', 'Read so far').getAttribute('value')).toBe('0.1')
    screen.getByText('10 %')
    say(reading(0.559))
    screen.getByText('55 %')
    say({ kind: 'none' })
    expect(screen.queryByRole('status')).toBeNull()
  })

  it('that was there soon enough was never spoken of', () => {
    vi.useFakeTimers()
    on.show(<Importing />)
    say(reading(0.1))
    wait(200)
    say({ kind: 'none' })
    wait(200)
    say(reading(0.1))
    wait(200)
    expect(screen.queryByRole('status')).toBeNull()
  })

  it('tells of its rows, about how many there are, and what comes after them', () => {
    vi.useFakeTimers()
    on.show(<Importing />)
    say(reading(0.25, { rows: 250_000, of: 1_034_567 }))
    wait(100)
    screen.getByText('250,000 of about 1,000,000 rows')
    expect(button(/^Cancel/).disabled).toBe(false)
    say(reading(1, { rows: 1_000_000, of: 1_000_000 }))
    screen.getByText('1,000,000 rows, being sorted')
    expect(button(/^Cancel/).disabled).toBe(true)
  })

  it('is given up with Cancel', async () => {
    vi.useFakeTimers()
    on.show(<Importing />)
    say(reading(0.1))
    wait(300)
    vi.useRealTimers()
    fireEvent.click(button(/^Cancel/))
    await vi.waitFor(() => expect(importing.get().kind).toBe('none'))
  })
})

const BATCH: Question = { kind: 'dim', name: 'batch', text: 'The first side is open.', suggestion: 1 }
const LENGTH: Question = { kind: 'dim', name: 'dim1', text: 'The second side is open.' }
const BLOB: Question = { kind: 'bytes', name: 'blob', text: 'Its size is in no table.' }
const asking = (...questions: Question[]): State => ({
  kind: 'asking',
  file: new File(['x'], 'net.tflite'),
  message: 'Some sides are open.',
  questions,
  answers: { ...NO_ANSWERS, dims: { before: 3 }, fuse: false },
})

describe('a file that asks', () => {
  const field = (name: string) => control('textbox', name) as HTMLInputElement
  const fill = (name: string, text: string) => {
    type(field(name), text)
    key(field(name), 'Enter')
  }
  const ask = (...questions: Question[]) => {
    on.show(<Importing />)
    say(asking(...questions))
    return vi.spyOn(on.actions.model, 'answerImport').mockResolvedValue()
  }

  it('says what it asks, with what it suggests', () => {
    ask(BATCH, LENGTH)
    control('group', 'Questions about net.tflite')
    for (const text of ['Some sides are open.', BATCH.text, LENGTH.text]) screen.getByText(text)
    expect([field('batch').value, field('dim1').value]).toEqual(['1', ''])
  })

  it('waits until all is answered, and hands the answers over beside the earlier ones', () => {
    const answered = ask(BATCH, LENGTH, BLOB)
    expect(button('Read with these').disabled).toBe(true)
    fill('dim1', '128')
    expect(button('Read with these').disabled).toBe(true)
    fill('blob', '4 KiB')
    press('Read with these')
    expect(answered).toHaveBeenCalledWith({
      ...NO_ANSWERS,
      dims: { before: 3, batch: 1, dim1: 128 },
      bytes: { blob: 4096 },
      fuse: false,
    })
  })

  it('takes the value of an input, or none', () => {
    const rate: Question = { kind: 'value', name: 'sr', text: 'What is its value?', optional: true }
    const answered = ask(BATCH, rate)
    press('Read with these')
    expect(answered).toHaveBeenLastCalledWith({ ...NO_ANSWERS, dims: { before: 3, batch: 1 }, fuse: false })
    fill('sr', '16000')
    press('Read with these')
    expect(answered.mock.lastCall?.[0].values).toEqual({ sr: [16000] })
    fill('sr', '')
    press('Read with these')
    expect(answered.mock.lastCall?.[0].values).toEqual({})
  })

  it('takes another answer than the suggested one', () => {
    const answered = ask(BATCH)
    fill('batch', '8')
    press('Read with these')
    expect(answered.mock.lastCall?.[0].dims).toEqual({ before: 3, batch: 8 })
  })

  it('has fields for single tensors, which take the common answer until they have their own', () => {
    const own = (name: string): Question => ({ kind: 'dim', name, text: 'Where it differs.', like: 'batch' })
    const answered = ask(BATCH, own('a[0]'), own('b[0]'))
    fill('batch', '8')
    expect(field('a[0]').value).toBe('8')
    fill('b[0]', '2')
    press('Read with these')
    expect(answered.mock.lastCall?.[0].dims).toEqual({ before: 3, batch: 8, 'b[0]': 2 })
  })

  it('does not go on with a suggestion while something else stands in its field', () => {
    const answered = ask(BATCH)
    fill('batch', '0')
    press('Read with these')
    expect(answered).not.toHaveBeenCalled()
    expect(document.activeElement).toBe(field('batch'))
  })

  it('may be left', async () => {
    ask(LENGTH)
    press('Leave it')
    await vi.waitFor(() => expect(importing.get().kind).toBe('none'))
  })
})

describe('a file that cannot be read', () => {
  it('says so, and is put away', async () => {
    on.show(<Importing />)
    say({ kind: 'failed', name: 'net.onnx', message: 'It ends in the middle of node 3.' })
    expect(control('alert', '').textContent).toContain('Nothing was loaded.It ends in the middle of node 3.')
    press('Close')
    await vi.waitFor(() => expect(importing.get().kind).toBe('none'))
  })
})
