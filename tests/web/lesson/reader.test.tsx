/** A lesson beside the page: what an answer earns, what is kept of the reader's progress, and the ways through and out. */
import { act } from '@testing-library/preact'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { Contents } from '../../../web/src/panels/lesson/contents'
import { Reader } from '../../../web/src/panels/lesson/reader'
import { texts } from '../../../web/src/run/lesson/lesson_live'
import { KEYS } from '../../../web/src/state/share/box'
import { Ledger } from '../../../web/src/state/share/ledger'
import { progress, restoreProgress } from '../../../web/src/run/lesson/lesson_progress'
import { goTo, leave } from '../../../web/src/run/lesson/lessons'
import { title } from '../../../web/src/run/page/title'
import * as ui from '../../../web/src/state/ui'
import { FakeClient, problemOf } from '../support/fake'
import { control, fireEvent, press, screen, stand, type } from '../support/stand'
import { workbench } from '../../../web/src/state/workbench_cells'

vi.mock('../../../wasm/client/client', () => ({
  createClient: () => {
    const client = new FakeClient()
    client.open = async (csv) => ({ ok: true, problem: problemOf(csv), suggestedCapacity: null })
    return client
  },
}))

const on = stand()
/** Four buffers: input [0, 2), conv [1, 3), relu [2, 4), output [3, 5). */
const FIRST = 'static-allocation'

// on a busy machine that takes longer than a test may
beforeAll(() => texts.get(), 60_000)
beforeEach(() => {
  localStorage.clear()
  window.dispatchEvent(new StorageEvent('storage', { key: null, storageArea: localStorage }))
  progress.set({ answered: {}, last: null })
  ui.arrived.set(true)
  return leave
})

async function read(step: number, lesson = FIRST): Promise<void> {
  await goTo(on.session, lesson, step)
  on.show(<Reader />)
  await on.settle()
}

const question = () => control('region', 'Question')
const chip = (name: string) =>
  [...question().querySelectorAll('button')].find((one) => one.textContent === name) as HTMLButtonElement
const reply = () => question().querySelector('[role=status]')?.textContent
const next = () => control('button', /^(Next|Next lesson|Finish|Workbench)$/)

describe('a lesson', () => {
  it('says which it is and how far in it the reader is, and has the focus at its head', async () => {
    await read(1)
    control('button', '1. What static allocation is')
    const { lessons } = await texts.get()
    screen.getByText(`2 of ${lessons[0]?.steps.length}`)
    expect(document.activeElement).toBe(control('heading', 'Never the same byte at the same time'))
    expect(control('button', /^Step 2: /).getAttribute('aria-current')).toBe('step')
    expect(title.get()).toBe('What static allocation is, lesson 1 · Arenascope')
    expect(document.title).toBe(title.get())
  })

  it('takes the focus once it is seen, not while the page is still coming', async () => {
    ui.arrived.set(false)
    await read(1)
    expect(document.activeElement).toBe(document.body)
    act(() => ui.arrived.set(true))
    expect(document.activeElement).toBe(control('heading', 'Never the same byte at the same time'))
  })

  it('goes on and back, and is remembered and linked by its step', async () => {
    await read(0)
    expect(control('button', 'Back')).toHaveProperty('disabled', true)
    fireEvent.click(next())
    await on.settle()
    expect(ui.lesson.get()).toEqual({ id: FIRST, step: 1 })
    expect(location.hash).toBe(`#lesson=${FIRST}/2`)
    expect(restoreProgress(new Ledger(localStorage, KEYS.lessons)).last).toEqual({ id: FIRST, step: 1 })
    press('Back')
    await on.settle()
    expect(ui.lesson.get()?.step).toBe(0)
    fireEvent.click(control('button', /^Step 3: /))
    await on.settle()
    control('heading', 'Who may share')
  })

  it('ends with what was reached and what is open, leads on to the next one, and the last one out', async () => {
    const { lessons } = await texts.get()
    progress.set({ answered: { [FIRST]: [0, 1, 2, 3] }, last: null })
    await read(99)
    fireEvent.click(next())
    await on.settle()
    screen.getByText('4 of 5')
    screen.getByText(lessons[0]?.gained ?? '')
    expect(document.activeElement).toBe(control('heading', 'What static allocation is'))
    // the question that is open, and back to the end from there
    press('Before the first run')
    await on.settle()
    expect(ui.lesson.get()).toEqual({ id: FIRST, step: 4 })
    fireEvent.click(next())
    await on.settle()
    expect(next().textContent).toBe('Next lesson')
    press('Back')
    await on.settle()
    control('heading', 'Before the first run')
    fireEvent.click(next())
    fireEvent.click(next())
    await on.settle()
    expect(ui.lesson.get()).toEqual({ id: lessons[1]?.id, step: 0 })
    await read(99, lessons.at(-1)?.id)
    fireEvent.click(next())
    await on.settle()
    expect(next().textContent).toBe('Workbench')
    fireEvent.click(next())
    expect(ui.lesson.get()).toBeNull()
  })

  it('gives the reader back what was open when it is left', async () => {
    workbench.capacity.set(77)
    workbench.pinned.set(3)
    await read(0)
    expect(workbench.opened.get()?.problem.ids).toContain('conv')
    press('Leave the lesson')
    await on.settle()
    expect(workbench.opened.get()?.source).toEqual({ kind: 'text', name: 'x.csv' })
    expect([workbench.capacity.get(), workbench.pinned.get(), location.hash]).toEqual([77, 3, ''])
  })

  it('is opened in the workbench instead of what was there', async () => {
    await read(0)
    press('Open in workbench')
    await on.settle()
    expect(ui.lesson.get()).toBeNull()
    expect(on.client.opened.at(-1)).toContain('conv,1,3,4')
    expect(workbench.opened.get()?.source).toEqual({ kind: 'text', name: 'four-tensors.csv' })
  })
})

describe('a question', () => {
  it('says why an answer is wrong, and lets go on once it is right', async () => {
    await read(0)
    expect(next().className).not.toContain('primary')
    fireEvent.click(chip('relu'))
    expect(reply()).toBe('Not yet. relu begins at time 2. Look for the left edge that is furthest left.')
    expect(next().className).not.toContain('primary')
    fireEvent.click(chip('input'))
    expect(reply()).toBe('Right. Its left edge is at the beginning of time.')
    await on.settle()
    expect(next().className).toContain('primary')
    expect(document.activeElement).toBe(next())
    expect(chip('relu').disabled).toBe(true)
  })

  it('keeps that it was answered, and says so at its step', async () => {
    await read(0)
    control('button', 'Step 1: A tensor is a rectangle, with a question')
    fireEvent.click(chip('relu'))
    expect(restoreProgress(new Ledger(localStorage, KEYS.lessons)).answered).toEqual({})
    fireEvent.click(chip('input'))
    await on.settle()
    control('button', 'Step 1: A tensor is a rectangle, answered')
    expect(restoreProgress(new Ledger(localStorage, KEYS.lessons)).answered).toEqual({ [FIRST]: [0] })
  })

  it('leaves the focus where the pointer left it', async () => {
    await read(0)
    fireEvent.pointerDown(chip('input'))
    chip('input').focus()
    fireEvent.click(chip('input'))
    await on.settle()
    expect(document.activeElement).not.toBe(next())
  })

  it('is answered on the canvas too, by pinning', async () => {
    await read(0)
    workbench.pinned.set(2)
    await on.settle()
    expect(reply()).toContain('Not yet.')
    workbench.pinned.set(0)
    await on.settle()
    expect(reply()).toContain('Right.')
  })

  it('lights the buffer that is looked at', async () => {
    await read(0)
    fireEvent.focus(chip('conv'))
    expect(workbench.lit.get().buffers).toEqual([1])
    fireEvent.blur(chip('conv'))
    expect(workbench.lit.get().buffers).toEqual([])
  })

  it('shows the answer after two wrong ones, and counts as answered then', async () => {
    await read(0)
    fireEvent.click(chip('relu'))
    expect(screen.queryByRole('button', { name: 'Show me' })).toBeNull()
    fireEvent.click(chip('conv'))
    press('Show me')
    await on.settle()
    expect(reply()).toBe('Its left edge is at the beginning of time.')
    expect(chip('input').getAttribute('aria-pressed')).toBe('true')
    expect(progress.get().answered).toEqual({ [FIRST]: [0] })
  })

  it('is open again when the lesson comes back to it', async () => {
    await read(0)
    fireEvent.click(chip('input'))
    await on.settle()
    fireEvent.click(next())
    await on.settle()
    press('Back')
    await on.settle()
    expect(reply()).toBe('')
    expect(next().className).toContain('primary')
  })
})

describe('a question for a number', () => {
  const field = () => screen.getByLabelText('Bytes, each buffer its own') as HTMLInputElement
  const answer = (text: string) => {
    type(field(), text)
    fireEvent.submit(field().form as HTMLFormElement)
  }

  it('speaks of the numbers of its problem', async () => {
    await read(1)
    expect(question().textContent).toContain('The sizes are 3, 4, 4 and 2.')
  })

  it('takes a whole number, and says why another one is wrong', async () => {
    await read(1)
    expect(control('button', 'Check')).toHaveProperty('disabled', true)
    answer('much')
    expect(reply()).toBe('Not yet. Type a whole number.')
    answer('12')
    expect(reply()).toBe('Not yet. That is enough if buffers share. Here none of them does: add up all sizes.')
    answer('13')
    await on.settle()
    expect(reply()).toBe('Right. The plan on the canvas needs 8. The rest is saved by sharing.')
    expect(field().readOnly).toBe(true)
  })

  it('writes the number down when it is shown', async () => {
    await read(1)
    answer('1')
    answer('2')
    press('Show me')
    await on.settle()
    expect(field().value).toBe('13')
  })
})

describe('a question with several answers', () => {
  it('says what is wrong with each, and marks the one that is shown', async () => {
    await read(4)
    fireEvent.click(chip('The lifespans'))
    expect(reply()).toBe('Not yet. Those follow from the schedule of the operators, which is fixed by then.')
    fireEvent.click(chip('The sizes'))
    press('Show me')
    await on.settle()
    expect(chip('The offsets').getAttribute('aria-pressed')).toBe('true')
    expect(reply()).toContain('Lifespans and sizes are given')
    expect(chip('The sizes').disabled).toBe(true)
  })
})

describe('a question that asks for something to be done', () => {
  it('looks at what was done, and says what is missing', async () => {
    await read(2, 'fragmentation')
    press('Check')
    expect(reply()).toBe('Not yet. Not all buffers are placed yet.')
    press('Check')
    press('Show me')
    await on.settle()
    expect([...(workbench.frame.get()?.stack ?? [])]).toEqual([1, 0, 2, 3])
    expect(progress.get().answered).toEqual({ fragmentation: [2] })
  })
})

describe('buffers that are placed by hand', () => {
  const place = async (id: string) => {
    fireEvent.click([...question().querySelectorAll('.chip')].find((one) => one.textContent?.startsWith(id)) as Element)
    await on.settle()
  }

  it('say where each would come to lie, and are taken back one by one', async () => {
    await read(2, 'fragmentation')
    await place('a')
    expect(question().textContent).toContain('bat 3')
    expect(question().textContent).toContain('dat 0')
    await place('b')
    screen.getByText('a → b')
    press('Take back')
    await on.settle()
    screen.getByText('a')
    expect([...(workbench.frame.get()?.stack ?? [])]).toEqual([0])
  })

  it('are right once all are placed low enough', async () => {
    await read(2, 'fragmentation')
    for (const id of ['a', 'b', 'c', 'd']) await place(id)
    press('Check')
    expect(reply()).toContain('Not yet. This plan is 11 high')
    press('Take back')
    await on.settle()
    // what was said of another plan is gone with it
    expect(reply()).toBe('')
    for (let k = 0; k < 3; k++) {
      press('Take back')
      await on.settle()
    }
    for (const id of ['b', 'a', 'c', 'd']) await place(id)
    screen.getByText('All are placed.')
    press('Check')
    expect(reply()).toContain('Right. No byte is lost now')
  })
})

describe('bricks', () => {
  const move = async (id: string, to: number) => {
    fireEvent.input(control('slider', `Offset of ${id}`), { target: { value: String(to) } })
    await on.settle()
  }

  it('lie where they are put, through each other too, and are right without a clash below the line', async () => {
    await read(3)
    press('Check')
    expect(reply()).toContain('Not yet. This plan is 13 high, and the capacity is 8.')
    await move('relu', 1)
    expect([...(workbench.frame.get()?.offset ?? [])]).toEqual([0, 3, 1, 11])
    press('Check')
    expect(reply()).toContain('Not yet. conv and relu are in the same bytes at the same time.')
    for (const [id, to] of Object.entries({ conv: 0, output: 0, relu: 4, input: 4 })) await move(id, to)
    press('Check')
    expect(reply()).toContain('Right. You have made a static memory plan.')
  })
})

describe('the list of lessons', () => {
  const row = (title: RegExp) => control('button', title)
  const list = async () => {
    on.show(<Contents />)
    await screen.findByRole('list')
  }

  it('says how long each takes, or how far the reader has come', async () => {
    const { lessons } = await texts.get()
    const asks = (k: number) => lessons[k]?.steps.flatMap((step, at) => (step.ask === undefined ? [] : [at])) ?? []
    progress.set({ answered: { [FIRST]: [0], [lessons[1]?.id as string]: asks(1) }, last: null })
    await list()
    const states = [...document.querySelectorAll('.contents-state')].map((one) => one.textContent?.trim())
    expect(states.slice(0, 3)).toEqual([`1 of ${asks(0).length}`, 'done', `${lessons[2]?.minutes} min`])
    expect(states).toHaveLength(lessons.length)
    expect(screen.queryByRole('button', { name: /^Go on with/ })).toBeNull()
  })

  it('goes on where the reader was last', async () => {
    progress.set({ answered: {}, last: { id: FIRST, step: 2 } })
    ui.dialog.set('lessons')
    await list()
    press('Go on with “What static allocation is”')
    await on.settle()
    expect(ui.lesson.get()).toEqual({ id: FIRST, step: 2 })
    expect(ui.dialog.get()).toBe('none')
  })

  it('opens a lesson at its beginning, but the last one where it was left', async () => {
    const { lessons } = await texts.get()
    progress.set({ answered: {}, last: { id: FIRST, step: 2 } })
    await list()
    fireEvent.click(row(/^2/))
    await on.settle()
    expect(ui.lesson.get()).toEqual({ id: lessons[1]?.id, step: 0 })
    progress.set({ answered: {}, last: { id: FIRST, step: 2 } })
    await on.settle()
    fireEvent.click(row(/^1 ?What/))
    await on.settle()
    expect(ui.lesson.get()).toEqual({ id: FIRST, step: 2 })
    expect(row(/^1 ?What/).getAttribute('aria-current')).toBe('true')
  })
})
