/** The candidates of the open decision point: in order of trying, with who proposed each and what became of it. */
import { describe, expect, it } from 'vitest'
import type { SearchEvent } from '../../../wasm/client/types'
import { Candidates } from '../../../web/src/panels/step/candidates'
import { event, frameOf } from '../support/fake'
import { gridRow, gridRows } from '../support/grid'
import { control, fireEvent, key, screen, stand } from '../support/stand'
import { workbench } from '../../../web/src/state/workbench_cells'

const on = stand()

const candidate = (step: number, buffer: number, offset: number, source: number, before = 0): SearchEvent =>
  event(step, 'candidate', { buffer, offset, source, phase: 1, index: before }, { depth: 2 })
/** Two steps: a point with three candidates was opened at step 8, the first of which was rejected at step 9. */
const EVENTS = [
  event(8, 'place', { buffer: 0, offset: 0 }),
  candidate(8, 1, 4, 0),
  candidate(8, 2, 0, 3),
  candidate(8, 3, 8, 2),
  event(9, 'reject', { buffer: 1, offset: 4, rule: 1 }),
]
const show = (step: number, events: SearchEvent[]) => {
  workbench.frame.set(frameOf(step, events))
  return on.show(<Candidates />)
}
const states = () =>
  [...screen.getByRole('grid').querySelectorAll('.rows-body [role=row]')].map(
    (row) => (row.firstElementChild as HTMLElement).title,
  )

describe('a learned jump', () => {
  const jump = (drawn: boolean) => [
    event(8, 'backtrack', { from: 3, to: 1 }),
    event(8, 'jump', { level: 1, fallback: 2, of: 2, learned: true, drawn, threshold: 320 }),
    event(8, 'score', { buffer: 2, level: 2, score: 200, weighted: 160, chosen: false, best: drawn }),
    event(8, 'score', { buffer: 1, level: 1, score: 400, weighted: 336, chosen: true, best: !drawn }),
    candidate(8, 3, 8, 2),
  ]

  it('shows each level it could go back to with its score, and which it took', () => {
    show(8, jump(false))
    expect(gridRows('Where to go back').map((row) => row.slice(1))).toEqual([
      ['b3', '3', '3.1', '2.5'],
      ['b2', '2', '6.3', '5.3'],
    ])
    expect(screen.getByTitle('Where the rules would go').textContent).toBe('3')
    screen.getByText('2 scored')
    screen.getByTitle('It goes back there')
    expect(screen.getByTitle('The highest').textContent).toBe('5.3')
    expect(gridRows('Candidates')).toHaveLength(1)
    key(control('grid', 'Where to go back'), 'Home')
    expect(workbench.lit.get().buffers).toEqual([2])
  })

  it('says that it was drawn where no score is high enough; at the next step it is gone', () => {
    show(8, jump(true))
    screen.getByText('none reaches 5.0: by lot')
    expect(show(9, [...jump(true), event(9, 'place', { buffer: 2, offset: 0 })]).textContent).toBe('')
  })
})

describe('the candidates', () => {
  it('are told with their lowest position, who proposed them and their phase', () => {
    show(8, EVENTS)
    expect(gridRows('Candidates').map((row) => row.slice(1))).toEqual([
      ['b2', '4', 'lifetime', '2'],
      ['b3', '0', 'promoted', '2'],
      ['b4', '8', 'area', '2'],
    ])
    screen.getByText('for level 3')
    expect(screen.getByText('promoted').closest('[role=gridcell]')).toHaveProperty(
      'title',
      'Moved up: it failed at the point gone back from',
    )
  })

  it('wait, are tried next, or have failed here', () => {
    show(8, EVENTS)
    expect(states()).toEqual(['Tried next', 'Waits', 'Waits'])
    show(9, EVENTS)
    expect(states()).toEqual(['Tried here: a minor backtrack', 'Tried next', 'Waits'])
  })

  it('say how many were tried before the search came back to them', () => {
    show(8, [event(8, 'backtrack', { from: 0, to: 2 }), candidate(8, 3, 8, 2, 1200)])
    screen.getByText('1,200 tried before, for level 3')
  })

  it('are not there where no point is open', () => {
    expect(show(10, [...EVENTS, event(10, 'place', { buffer: 2, offset: 0 })]).textContent).toBe('')
    workbench.frame.set(null)
    expect(on.show(<Candidates />).textContent).toBe('')
  })

  it('light their buffer, and show it when taken', () => {
    show(8, EVENTS)
    key(control('grid', 'Candidates'), 'End')
    expect(workbench.lit.get().buffers).toEqual([3])
    key(control('grid', 'Candidates'), 'Enter')
    expect(workbench.pinned.get()).toBe(3)
    fireEvent.click(gridRow('Candidates', 0))
    expect(workbench.pinned.get()).toBe(1)
  })
})
