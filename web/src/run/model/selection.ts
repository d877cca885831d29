/** Chooses what of the open model lives in fast memory, by one repacker after the other, in a worker of its own; and opens the two pools of a choice. */
import { createClient } from '../../../../wasm/client/client'
import type { Client, Text } from '../../../../wasm/client/types'
import { configOf, type Repacker, REPACKERS } from '../../state/model/repackers'
import { type Choosing, choosing, type ModelSettings } from '../../state/model/selection'
import type { Profile } from '../../state/profile/profile'
import { obstacles } from '../../state/workbench'
import { workbench } from '../../state/workbench_cells'
import { type Given, nameOf, type Opened, type Source } from '../../state/workbench_values'
import type { Actions } from '../actions'
import { runJobs } from '../compare/jobs'
import { resetAddress } from '../page/reset_address'
import { dropExampleSettings } from '../problem/example_settings'
import type { Session } from '../session'
import { giveModel, openModel } from './beside'

/** It honours what lies already, in pools too. */
const PLACES = 'exact'

let end = new AbortController()
/** no longer watches for another problem */
let leave = () => {}
/** what was asked for last in the place of what is open: its own pools, or the model again */
let coming: { source: Source; known: (opened: Opened) => Partial<Choosing> } | null = null

const change = (next: Partial<Choosing>) => choosing.update((now) => now && { ...now, ...next })

export function forgetChoosing(): void {
  leave()
  end.abort()
  coming = null
  choosing.set(null)
}

/** What was chosen is of the model that is open, or of the pools in its place. */
function look(): void {
  const now = workbench.opened.get()
  const known = choosing.get()
  if (now !== null && now === (known?.shown?.pools ?? known?.whole)) return
  if (now === null || now.source !== coming?.source) {
    forgetChoosing()
    return
  }
  const { known: next } = coming
  coming = null
  change(next(now))
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
    shown: null,
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

/** Whether that repacker has chosen, once that is known. */
export function hasChosen(repacker: number): Promise<boolean> {
  return new Promise((resolve) => {
    let exit = () => {}
    const told = () => {
      const now = choosing.get()
      const known = now?.rows[repacker] != null
      if (now?.running && !known) return false
      exit()
      resolve(known)
      return true
    }
    if (!told()) exit = choosing.subscribe(told)
  })
}

/** Bytes of the slow memory that the open pools' plan needs: of the main pool, whose capacity is the run's. */
function slowNeeds(): number {
  const { fixed, size, pool } = workbench.opened.get()?.problem ?? {}
  let most = 1
  for (let k = 0; size !== undefined && k < size.length; k++)
    if ((pool?.[k] ?? 0) === 0) most = Math.max(most, (fixed?.[k] ?? 0) + (size[k] ?? 0))
  return most
}

/** Opens one in the place of the other, as any problem is opened. Whether it stands open then. */
async function exchange(
  session: Session,
  text: Given,
  source: Source,
  profile: Profile | null,
  known: (opened: Opened) => Partial<Choosing>,
): Promise<boolean> {
  resetAddress()
  const before = workbench.opened.get()
  coming = { source, known }
  if (!(await session.open(text, source, nameOf(source), profile))) return false
  dropExampleSettings(before)
  // another one may have come while what was being typed was put aside
  return workbench.opened.get()?.source === source
}

function settings(): ModelSettings {
  const { profile, capacity, goal, solver } = workbench
  return { profile: profile.get(), capacity: capacity.get(), goal: goal.get(), solver: solver.get() }
}

/** In the model's place, with the plan that was found in them. Whether nothing else was asked for meanwhile. */
export async function openPools({ session, page }: Actions, repacker: number): Promise<boolean> {
  await session.edited()
  // an edit leaves another model, of which nothing was chosen
  const now = choosing.get()
  const csv: Text | undefined = now?.rows[repacker]?.csv
  if (now === null || csv === undefined) return false
  const source: Source = { kind: 'text', name: `${nameOf(now.whole.source).replace(/\.csv$/i, '')}.fast.csv` }
  const model = now.shown?.model ?? settings()
  // the buffers are as the model's memory took them
  const opened = await exchange(session, csv, source, null, (pools) => ({ shown: { repacker, pools, model } }))
  if (!opened) return false
  workbench.capacity.set(slowNeeds())
  page.showTab('model')
  const mine = session.asked
  // all of them lie already: whoever honours that shows the plan
  workbench.goal.set('fit')
  if (obstacles.get().length > 0) workbench.solver.set(PLACES)
  await session.run()
  return session.asked === mine
}

/** The model in the place of its pools, as it was left. */
export async function backToModel({ session, page }: Actions): Promise<void> {
  const now = choosing.get()
  if (!now?.shown) return
  const { text, source } = now.whole
  const { profile, capacity, goal, solver } = now.shown.model
  await session.edited()
  if (!(await exchange(session, text, source, profile, (whole) => ({ whole, shown: null })))) return
  workbench.capacity.set(capacity)
  workbench.goal.set(goal)
  workbench.solver.set(solver)
  page.showTab('model')
  await session.run()
}
