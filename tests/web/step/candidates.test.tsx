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
