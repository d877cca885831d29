/** Chooses what of the open model lives in fast memory, by one repacker after the other, in a worker of its own; and opens the two pools of a choice. */
import { createClient } from '../../../../wasm/client/client'
import type { Client } from '../../../../wasm/client/types'
import { leaveLesson } from '../../state/lesson/lesson_workbench'
import { configOf, type Repacker, REPACKERS, runOf, SELECT } from '../../state/model/repackers'
import { type Choosing, choosing } from '../../state/model/selection'
import { solverChoices } from '../../state/workbench'
import { workbench } from '../../state/workbench_cells'
import type { Actions } from '../actions'
import { runJobs } from '../compare/jobs'
import { openInPage } from '../race/open_in_page'
import { giveModel, openModel } from './beside'

let end = new AbortController()
/** no longer watches for another problem */
let leave = () => {}
const change = (next: Partial<Choosing>) => choosing.update((now) => now && { ...now, ...next })

export function forgetChoosing(): void {
  leave()
  end.abort()
  choosing.set(null)
}

/** What was chosen is of the model that is open; a lesson's is not in its place. */
function look(): void {
  if (leaveLesson.get() === null && workbench.opened.get() !== choosing.get()?.whole) forgetChoosing()
}

/** What is known by then stays. */
export function stopChoosing(): void {
  end.abort()
  change({ running: false })
}

/** Resolves when all have chosen, or are not wanted any more. first: who chooses before the others. */
export async function startChoosing(capacity: number, first = 0, make: () => Client = createClient): Promise<void> {
  const open = openModel()
  if (open === null) return
  const known = choosing.get()
  const before = known?.whole === open.opened ? known.before : null
  forgetChoosing()
  end = new AbortController()
  const { signal } = end
  leave = workbench.opened.subscribe(look)
  choosing.set({
    whole: open.opened,
    capacity,
    rows: REPACKERS.map(() => null),
    failed: '',
    running: true,
    before,
  })
  const order = [...REPACKERS.keys()].sort((a, b) => Number(b === first) - Number(a === first) || a - b)
  try {
    await runJobs(
      order,
      async (client, at) => {
        await giveModel(client, open)
        return client.select(configOf(REPACKERS[at] as Repacker, capacity))
      },
      (turn, row) => change({ rows: (choosing.get()?.rows ?? []).map((old, k) => (k === order[turn] ? row : old)) }),
      { workers: 1, signal, make },
    )
    if (!signal.aborted) change({ running: false })
  } catch (error) {
    change({ running: false, failed: error instanceof Error ? error.message : String(error) })
  }
}

/** Plays a repacker's choice, which may not be known yet, step by step. */
export async function playChoice({ session, page }: Actions, repacker: number): Promise<void> {
  await session.edited()
  // an edit leaves another model, of which nothing was chosen
  const now = choosing.get()
  const by = REPACKERS[repacker]
  if (now === null || by === undefined) return
  const { capacity, goal, solver, budget } = workbench
  if (solver.get() !== SELECT) change({ before: { capacity: capacity.get(), goal: goal.get(), solver: solver.get() } })
  page.showTab('model')
  await openInPage(session, { ...runOf(by, now.capacity), budget: budget.get() })
}

/** The model as it was before the first choice was played, or, if nobody knows any more, as any model is shown. */
export async function backToModel({ session }: Actions): Promise<void> {
  const { capacity, goal, solver } = choosing.get()?.before ?? {
    capacity: workbench.opened.get()?.problem.lowerBound ?? workbench.capacity.get(),
    goal: 'fit' as const,
    solver: solverChoices.get()[0]?.id ?? '',
  }
  await session.edited()
  workbench.capacity.set(capacity)
  workbench.goal.set(goal)
  workbench.solver.set(solver)
  await session.run()
}
