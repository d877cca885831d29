/** From a cell of the matrix to the page: the same problem, solver and budget, run by the page itself. */
import { Later } from '../../base/later'
import { findExample } from '../../state/problem/examples'
import type { Actions } from '../actions'
import { openInPage } from '../race/open_in_page'
import type { MatrixRow } from './matrix'
import { problemOf, settingsOf } from './stored_sweep'
import { isOther } from '../../state/compare/others'
import { openZoo } from '../model/models'
import { workbench } from '../../state/workbench_cells'

const profiles = new Later(() => import('../../state/profile/profile_texts'))

/** Of a sweep that was opened, in its own words. */
async function openStored({ problem, session }: Actions, row: MatrixRow, solver: string): Promise<void> {
  const [digest = ''] = row.instance.id.split(' ')
  const file = problemOf(digest)
  const stored = settingsOf(row, solver)
  if (file === undefined || stored === undefined)
    throw new Error(`The problem is not in the folder that was opened: it is problems/${digest}.csv.`)
  const { profile: id, goal, ...config } = stored
  const profile = id === '' ? null : ((await profiles.get()).known.find((one) => one.id === id) ?? null)
  problem.brought = true
  workbench.mode.set('search')
  const name = `${row.instance.title.replace(/\.csv$/, '')}.csv`
  if (!(await session.open(await file.text(), { kind: 'text', name }, name, profile))) return
  const capacity = row.facts?.capacity ?? workbench.capacity.get()
  await openInPage(session, { solver, capacity, ...config, ...(goal === 'height' ? { goal } : {}) })
}

export async function openCell(actions: Actions, row: MatrixRow, solver: string, budget: number): Promise<void> {
  const { kind, id } = row.instance
  if (kind === 'stored') return openStored(actions, row, solver)
  const example = kind === 'example' ? findExample(id) : undefined
  workbench.mode.set('search')
  if (example !== undefined) await actions.problem.openExample(example, false)
  else if (!(await openZoo(actions.session, id, {}))) return
  const capacity = row.facts?.capacity ?? workbench.capacity.get()
  // one of others has no steps to show: the problem is opened, and the page's own solver stays
  if (isOther(solver)) workbench.capacity.set(capacity)
  else await openInPage(actions.session, { solver, capacity, seed: 1, budget, options: {} })
}
