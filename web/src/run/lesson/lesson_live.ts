/** What a lesson knows beside what the page shows. Fetched with the first lesson. */
import type { SearchEvent } from '../../../../wasm/client/types'
import { Cell, derived } from '../../base/cell'
import { Later } from '../../base/later'
import type { Live, Other } from '../../lessons/lesson'
import { manifest } from '../../state/atoms'
import { result, shownCapacity } from '../../state/workbench'
import { lesson } from '../../state/ui'
import { workbench } from '../../state/workbench_cells'

/** The texts. */
export const texts = new Later(() => import('../../lessons/list'))

/** of the whole run that is shown */
export const events = new Cell<SearchEvent[]>([])
/** the ends of what is run beside it, null: not known yet */
export const others = new Cell<Other[] | null>(null)
/** buffers placed by hand, in order; null: a solver places them */
export const order = new Cell<readonly number[] | null>(null)
/** the question of the step shown has its answer, by the reader or for them, since it was gone to */
export const settled = new Cell(false)
export const settle = () => settled.set(true)
/** the end of a lesson is shown in place of its last step */
export const atEnd = new Cell(false)
export const showEnd = () => atEnd.set(true)
/** the step's own problem and run are being prepared: what is shown still belongs to the step before */
export const preparing = new Cell(false)
/** something is being run, for a step or for a change of the reader's */
export const busy = new Cell(false)

export const live = derived((): Live | null => {
  const [core, opened] = [manifest.get(), workbench.opened.get()]
  if (core === null || opened === null || preparing.get()) return null
  const { stats = null, best = null, plan = null } = result.get() ?? {}
  return {
    manifest: core,
    problem: opened.problem,
    capacity: shownCapacity.get(),
    stats,
    best,
    plan,
    model: opened.model ?? null,
    events: events.get(),
    frame: workbench.frame.get(),
    others: others.get(),
  }
})

/** The lesson that is open, with its number from 1. */
export const current = derived(() => {
  const [place, arrival] = [lesson.get(), texts.arrival.get()]
  if (place === null || arrival.kind !== 'there') return null
  const { lessons } = arrival.part
  const index = lessons.findIndex((one) => one.id === place.id)
  const found = lessons[index]
  const step = found?.steps[place.step]
  return found === undefined || step === undefined ? null : { lesson: found, number: index + 1, step, at: place.step }
})

/** What would say the answer of the open question. */
export const kept = derived(() => (settled.get() ? undefined : current.get()?.step.keeps))
