/** Chooses what of the open model lives in fast memory, by one repacker after the other, in a worker of its own; and plays a choice step by step. */
import { createClient } from '../../../../wasm/client/client'
import type { Client } from '../../../../wasm/client/types'
import { leaveLesson } from '../../state/lesson/lesson_workbench'
import { configOf, type Repacker, REPACKERS, runOf } from '../../state/model/repackers'
import { type Choosing, choosing, settingsBefore } from '../../state/model/selection'
import { usable } from '../../state/profile/profile'
import { solverChoices } from '../../state/workbench'
import { workbench } from '../../state/workbench_cells'
import type { Actions } from '../actions'
import { runJobs } from '../compare/jobs'
import { resetAddress } from '../page/reset_address'
import { openInPage } from '../race/open_in_page'
import { giveModel, openModel } from './open_model'

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

/** Resolves when all have chosen, or are not wanted any more. by: one of them alone. */
export async function startChoosing(
  capacity: number,
  by: number | 'all' = 'all',
  make: () => Client = createClient,
): Promise<void> {
  const open = openModel()
  if (open === null) return
  const order = by === 'all' ? [...REPACKERS.keys()] : [by]
  forgetChoosing()
  end = new AbortController()
  const { signal } = end
  leave = workbench.opened.subscribe(look)
  choosing.set({
    whole: open.opened,
    capacity,
    rows: REPACKERS.map(() => null),
    asked: order.length,
    failed: '',
    running: true,
  })
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

/** Another run: the address no longer names what is shown, unless a lesson is. */
function leaveAddress(): void {
  if (leaveLesson.get() === null) resetAddress()
}

/** Plays a repacker's choice, which may not be known yet, step by step. */
export async function playChoice({ session, page }: Actions, repacker: number): Promise<void> {
  await session.edited()
  // an edit leaves another model, of which nothing was chosen
  const now = choosing.get()
  const by = REPACKERS[repacker]
  if (now === null || by === undefined) return
  leaveAddress()
  page.showTab('model')
  await openInPage(session, { ...runOf(by, now.capacity), budget: workbench.budget.get() })
}

/** The model as it was before choices were played, or, if nobody knows any more, as any model is shown. */
export async function backToModel({ session }: Actions): Promise<void> {
  await session.edited()
  const { opened, profile } = workbench
  const chip = profile.get()
  const { capacity, seed, solver } = settingsBefore() ?? {
    capacity: (chip && usable(chip)) || (opened.get()?.problem.lowerBound ?? workbench.capacity.get()),
    seed: workbench.seed.get(),
    solver: solverChoices.get()[0]?.id ?? '',
  }
  leaveAddress()
  workbench.capacity.set(capacity)
  workbench.seed.set(seed)
  workbench.solver.set(solver)
  await session.run()
}
