/** From a cell of the matrix to the page: the same problem, solver and budget, run by the page itself. */
import * as a from '../../state/atoms'
import { findExample } from '../../state/problem/examples'
import { mode } from '../../state/ui'
import type { Actions } from '../actions'
import { openInPage } from '../race/page_race'
import type { MatrixRow } from './matrix'
import { openZoo } from '../model/models'

export async function openCell(actions: Actions, row: MatrixRow, solver: string, budget: number): Promise<void> {
  const { kind, id } = row.instance
  const example = kind === 'example' ? findExample(id) : undefined
  mode.set('search')
  if (example !== undefined) await actions.openExample(example, false)
  else if (!(await openZoo(actions.session, id, {}))) return
  const capacity = row.facts?.capacity ?? a.capacity.get()
  await openInPage(actions.session, { solver, capacity, seed: 1, budget, options: {} })
}
