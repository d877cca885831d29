/** From a cell of the matrix to the page: the same problem, solver and budget, run by the page itself. */
import { findExample } from '../../state/problem/examples'
import type { Actions } from '../actions'
import { openInPage } from '../race/open_in_page'
import type { MatrixRow } from './matrix'
import { isOther } from '../../state/compare/others'
import { openZoo } from '../model/models'
import { workbench } from '../../state/workbench_cells'

export async function openCell(actions: Actions, row: MatrixRow, solver: string, budget: number): Promise<void> {
  const { kind, id } = row.instance
  const example = kind === 'example' ? findExample(id) : undefined
  workbench.mode.set('search')
  if (example !== undefined) await actions.problem.openExample(example, false)
  else if (!(await openZoo(actions.session, id, {}))) return
  const capacity = row.facts?.capacity ?? workbench.capacity.get()
  // one of others has no steps to show: the problem is opened, and the page's own solver stays
  if (isOther(solver)) workbench.capacity.set(capacity)
  else await openInPage(actions.session, { solver, capacity, seed: 1, budget, options: {} })
}
