/** Chooses what of the open model lives in fast memory, by one repacker after the other, in a worker of its own; and opens the two pools of a choice. */
import { createClient } from '../../../../wasm/client/client'
import type { Client, Text } from '../../../../wasm/client/types'
import { configOf, type Repacker, REPACKERS } from '../../state/model/repackers'
import { type Choosing, choosing } from '../../state/model/selection'
import { obstacles } from '../../state/workbench'
import { workbench } from '../../state/workbench_cells'
import { nameOf } from '../../state/workbench_values'
import type { Actions } from '../actions'
import { runJobs } from '../compare/jobs'
import { giveModel, openModel } from './beside'

/** It honours what lies already, in pools too. */
const PLACES = 'exact'

let end = new AbortController()
/** no longer watches for another problem */
let leave = () => {}
/** its own pools, or the model again, are about to take each other's place */
let exchanging = false

const change = (next: Partial<Choosing>) => choosing.update((now) => now && { ...now, ...next })

export function forgetChoosing(): void {
  leave()
  end.abort()
  choosing.set(null)
}

/** What was chosen is of the model that is open, or of the pools in its place. */
function look(): void {
  const now = workbench.opened.get()
  const known = choosing.get()
  if (!exchanging && now !== known?.whole && now !== known?.shown?.pools) forgetChoosing()
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

/** Bytes of the slow memory that a plan needs: of the main pool, whose capacity is the run's. */
function slowNeeds(offsets: ArrayLike<number>): number {
  const { size, pool } = workbench.opened.get()?.problem ?? {}
  let most = 1
  for (let k = 0; size !== undefined && k < size.length; k++)
    if ((pool?.[k] ?? 0) === 0) most = Math.max(most, (offsets[k] ?? 0) + (size[k] ?? 0))
  return most
}

async function exchange(read: () => Promise<boolean>): Promise<boolean> {
  exchanging = true
  let done = false
  try {
    done = await read()
    return done
  } finally {
    exchanging = false
    // another problem may have come in between
    if (!done) look()
  }
}

/** In the model's place, with the plan that was found in them. Whether nothing else was asked for meanwhile. */
export async function openPools({ session, page }: Actions, repacker: number): Promise<boolean> {
  const now = choosing.get()
  const csv: Text | undefined = now?.rows[repacker]?.csv
  if (now === null || csv === undefined) return false
  await session.edited()
  const name = `${nameOf(now.whole.source).replace(/\.csv$/i, '')}.fast.csv`
  // the buffers are as the model's memory took them
  const read = await exchange(() => session.read(csv, { kind: 'text', name }, name, null))
  const pools = workbench.opened.get()
  if (!read || pools === null) return false
  change({ shown: { repacker, pools } })
  workbench.capacity.set(slowNeeds(pools.problem.fixed))
  page.showTab('model')
  const mine = session.asked
  // all of them lie already: whoever honours that shows the plan
  workbench.goal.set('fit')
  if (obstacles.get().length > 0) workbench.solver.set(PLACES)
  await session.run()
  return session.asked === mine
}

/** The model in the place of its pools. */
export async function backToModel({ session, page }: Actions): Promise<void> {
  const now = choosing.get()
  if (now === null) return
  const { whole } = now
  await session.edited()
  if (!(await exchange(() => session.read(whole.text, whole.source, nameOf(whole.source))))) return
  const again = workbench.opened.get()
  if (again !== null) change({ whole: again, shown: null })
  page.showTab('model')
  await session.run()
}
