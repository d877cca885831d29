/** What somebody said along a search: written without code, walked, and answered. */
import { act } from '@testing-library/preact'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Watch } from '../../../web/src/panels/marks/marks_panel'
import { Tour } from '../../../web/src/panels/marks/tour'
import { askOf, beginTour } from '../../../web/src/run/marks/tour'
import { type MarkAsk, marks, shownMarks } from '../../../web/src/state/marks/marks'
import { shownTour, tour } from '../../../web/src/state/marks/tour'
import { workbench } from '../../../web/src/state/workbench_cells'
import { control, press, screen, stand, type } from '../support/stand'

const on = stand()
const field = (name: string) => control('textbox', name) as HTMLInputElement

beforeEach(async () => {
  void on.actions.solver.run()
  await on.settle()
})
afterEach(() => {
  marks.set([])
  tour.set(null)
})

const buffer: MarkAsk = { kind: 'buffer', question: 'Which is in the way?', answer: 'b2', hint: 'Look at the red.' }
const arrive = async (noted: { step: number; note: string; ask?: MarkAsk }[], message = 'Hello.') => {
  beginTour({ message, step: 5, marks: noted, compare: null })
  on.show(<Tour />)
  await on.settle()
}

describe('a question at a mark', () => {
  const open = () => {
    act(() => on.actions.player.seek(7))
    on.show(<Watch />)
    press('Mark step 7')
    press('ask')
  }

  it('says what is missing of it, one thing after the other, and is kept', () => {
    open()
    const wrong = () => {
      press('Keep question')
      return screen.getByRole('alert').textContent
    }
    expect(wrong()).toBe('Write the question.')
    type(field('Question'), ' Why? ')
    expect(wrong()).toBe('Give 2 to 6 answers, one a line.')
    type(field('Answers'), 'so\n\nnot so\n')
    expect(wrong()).toBe('Say which line is right: 1, 2, …')
    type(field('Right line'), '3')
    expect(wrong()).toBe('Say which line is right: 1, 2, …')
    type(field('Right line'), '2')
    type(field('If wrong'), 'No.')
    press('Keep question')
    expect(shownMarks.get()[0]?.ask).toEqual({
      kind: 'choice',
      question: 'Why?',
      options: ['so', 'not so'],
      answer: 1,
      hint: 'No.',
    })
    press('ask')
    expect(field('Answers').value).toBe('so\nnot so')
    press('No question')
    expect(shownMarks.get()[0]?.ask).toBeUndefined()
  })
})

describe('a tour', () => {
  it('is walked from the message over what marks say, each at its step', async () => {
    await arrive([
      { step: 2, note: 'First.' },
      { step: 3, note: '' },
      { step: 9, note: '', ask: buffer },
    ])
    screen.getByText('1 of 3')
    screen.getByText('Hello.')
    expect(workbench.cursor.get()).not.toBe(2)
    press('Next')
    screen.getByText('First.')
    expect(workbench.cursor.get()).toBe(2)
    press('Next')
    expect(workbench.cursor.get()).toBe(9)
    expect((control('button', 'Next') as HTMLButtonElement).disabled).toBe(true)
    act(() => on.actions.player.seek(4))
    press('Go to step 9')
    expect(workbench.cursor.get()).toBe(9)
    press('Close what was said')
    expect(shownTour.get()).toBeNull()
  })

  it('leads out of a comparison to the search that its steps are of', async () => {
    workbench.mode.set('compare')
    beginTour({ message: 'Look.', step: 5, marks: [{ step: 2, note: 'Here.' }], compare: { tab: 'runs' } as never })
    on.show(<Tour />)
    expect(screen.queryByRole('button', { name: /^Go to step/ })).toBeNull()
    press('Next')
    expect(workbench.mode.get()).toBe('search')
  })

  it('tells a wrong answer from the right one, and shows it after two misses', async () => {
    await arrive([{ step: 9, note: '', ask: buffer }], '')
    press('b1')
    screen.getByText('Look at the red.')
    press('b3')
    press('Show me')
    expect(control('button', 'b2').getAttribute('aria-pressed')).toBe('true')
  })

  it('takes a number, and one of several answers', async () => {
    await arrive(
      [
        { step: 1, note: '', ask: { kind: 'number', question: 'How many?', answer: 3, hint: '' } },
        {
          step: 2,
          note: '',
          ask: { kind: 'choice', question: '{constructor}?', options: ['x', 'y'], answer: 1, hint: '' },
        },
      ],
      '',
    )
    type(field('Your answer'), '4')
    press('Check')
    screen.getByText('Look once more.')
    type(field('Your answer'), '3')
    press('Check')
    screen.getByText('That is it.')
    press('Next')
    screen.getByText('{constructor}')
    press('y')
    screen.getByText('That is it.')
  })

  it('asks for a buffer by its name where there are many', async () => {
    const opened = workbench.opened.get()
    if (opened === null) throw new Error('nothing is open')
    const ids = Array.from({ length: 50 }, (_, k) => `t${k}`)
    workbench.opened.set({ ...opened, problem: { ...opened.problem, ids } })
    await arrive([{ step: 1, note: '', ask: { ...buffer, answer: 't7' } }], '')
    type(field('Buffer'), 'nobody')
    press('Check')
    screen.getByText('There is no buffer of that name.')
    type(field('Buffer'), 't7')
    press('Check')
    screen.getByText('That is it.')
  })
})

it('what a question is, a lesson can ask', () => {
  expect(askOf(buffer)).toMatchObject({ kind: 'buffer', question: 'Which is in the way?' })
})
