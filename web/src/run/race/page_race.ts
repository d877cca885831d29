/** The race of the page: made for the problem that is open, kept while it is, told to the browser's storage. */
import type { RunConfig } from '../../../../wasm/client/types'
import { Cell } from '../../base/cell'
import * as a from '../../state/atoms'
import * as choice from '../../state/compare/compare'
import { keepChoices, restoreChoices } from '../../state/compare/kept_choices'
import { isOther, OTHERS } from '../../state/compare/others'
import { boxOf } from '../../state/share/box'
import { type Others, PAGE_CLOCK, Race } from './race'
import { type GivenProblem, openModel } from '../model/open_model'
import type { Session } from '../session'
import { askOther } from '../compare/others'
import { forgetSweep } from '../compare/sweep'
import { workbench } from '../../state/workbench_cells'
import { buffersOf, type Opened } from '../../state/workbench_values'

export const race = new Cell<Race | null>(null)
let madeFor: Opened | null = null
/** settings of the columns behind the first: of the last problem, or of the last visit */
let others: choice.LaneChoice[] = []

const OTHER_SOLVERS: Others = {
  titleOf: (solver) => OTHERS.find(({ id }) => id === solver)?.title ?? '',
  async run(client, { solver, capacity }, problem, signal) {
    if (!isOther(solver)) throw new Error(`There is no solver “${solver}”.`)
    return askOther(client, { solver, capacity }, problem, signal)
  },
}

/** null while there is no problem. */
export function raceProblem(): GivenProblem | null {
  const opened = workbench.opened.get()
  return opened === null ? null : { csv: buffersOf(opened), profile: workbench.profile.get(), model: openModel() }
}

/** What the page shows, or would run next. */
function configNow(session: Session): RunConfig {
  const state = workbench.run.get()
  return state.kind === 'idle' ? session.config() : state.config
}

/** Makes the race of the open problem, if it is not there yet, and starts it. */
export function enter(session: Session): void {
  if (workbench.opened.get() !== madeFor) enterWith(session, [])
}

/** A race of these runs, or of the usual ones if there are none; null while there is no problem. */
export function enterWith(session: Session, configs: readonly RunConfig[]): Race | null {
  madeFor = workbench.opened.get()
  race.get()?.dispose()
  race.set(null)
  forgetSweep()
  const on = raceProblem()
  const solvers = a.manifest.get()?.solvers ?? []
  if (on === null || madeFor === null) return null
  const made = new Race(on, PAGE_CLOCK, undefined, OTHER_SOLVERS)
  const first = configs.length > 0 ? configs : choice.firstLanes(configNow(session), others, solvers, madeFor.problem)
  for (const config of first) made.add(config)
  made.changes.subscribe(remember)
  made.lanes.subscribe(remember)
  race.set(made)
  void made.startAll()
  return made
}

function remember(): void {
  const lanes = race.get()?.lanes.get() ?? []
  if (lanes.length === 0) return
  const next = lanes.slice(1).map((lane): choice.LaneChoice => {
    const { capacity: _, ...rest } = lane.config.get()
    return rest
  })
  if (JSON.stringify(next) === JSON.stringify(others)) return
  others = next
  keepNow()
}

function keepNow(): void {
  const storage = boxOf('localStorage')
  if (storage === null) return
  keepChoices(storage, {
    tab: choice.tab.get(),
    together: choice.together.get(),
    lanes: others,
    sweep: choice.sweepChoice.get(),
    matrix: choice.matrixChoice.get(),
  })
}

function restore(): void {
  const storage = boxOf('localStorage')
  const kept = storage === null ? null : restoreChoices(storage)
  if (kept === null) return
  choice.tab.set(kept.tab)
  choice.together.set(kept.together)
  choice.sweepChoice.set(kept.sweep)
  choice.matrixChoice.set(kept.matrix)
  others = kept.lanes
}

restore()
for (const cell of [choice.tab, choice.together, choice.sweepChoice, choice.matrixChoice]) cell.subscribe(keepNow)
