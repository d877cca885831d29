/** The comparison as a link carries it: which part of it is looked at, its runs or its settings, and digests of what came out. */
import type { RunConfig } from '../../../../wasm/client/types'
import { known } from '../../state/compare/compare'
import * as a from '../../state/atoms'
import * as choice from '../../state/compare/compare'
import { matrixOf, sweepOf, tabOf } from '../../state/compare/kept_choices'
import { isOther } from '../../state/compare/others'
import { cellOfRun, type ResultCell } from '../../state/compare/results'
import { boundOfCapacity } from '../../state/problem/pools'
import { options } from '../../state/share/schema'
import * as schema from '../../state/share/schema'
import type { SharedCompare } from '../../state/share/schema'
import { allSolvers, goalOf } from '../../state/workbench'
import { workbench } from '../../state/workbench_cells'
import { matrix, startMatrix } from '../compare/matrix'
import { startSweep, sweep } from '../compare/sweep'
import { enter, enterWith, race, raceProblem } from '../race/page_race'
import type { Session } from '../session'

/** FNV-1a, 64 bits; '' if one of them is not known. */
export function digestOver(digests: readonly (string | undefined)[]): string {
  if (digests.length === 0 || digests.some((one) => one === undefined || one === '')) return ''
  let hash = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(digests.join(' ')))
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  return hash.toString(16).padStart(16, '0')
}

/** A run that was refused or lost has no digest: that it was is what must be the same. */
const sign = (cell: ResultCell | null | undefined) => (cell == null ? undefined : cell.digest || cell.outcome)

const NO_PLAYHEAD: Pick<SharedCompare, 'at' | 'by'> = { at: null, by: 'steps' }

const sweepDigest = () => digestOver((sweep.get()?.points ?? []).map((point) => sign(point?.cell)))
const matrixDigest = () => digestOver((matrix.get()?.rows ?? []).flatMap(({ cells }) => cells.map(sign)))

function lanesNow(): SharedCompare['lanes'] {
  return (race.get()?.lanes.get() ?? []).map((lane) => {
    const config = lane.config.get()
    const { solver, capacity, seed, budget } = config
    const digest = lane.run.get().kind === 'ended' ? cellOfRun(lane.run.get()).digest : ''
    return { solver, goal: goalOf(config), options: config.options, capacity, seed, budget, digest }
  })
}

/** Where the playhead stands; sweep and matrix have none. */
function playheadNow(): Pick<SharedCompare, 'at' | 'by'> {
  const on = race.get()
  if (on === null) return NO_PLAYHEAD
  const at = Math.round(on.position.get())
  return { at: at < on.length ? at : null, by: on.by.get() }
}

/** null while the search itself is looked at. */
export function compareNow(): SharedCompare | null {
  if (workbench.mode.get() !== 'compare') return null
  const tab = choice.tab.get()
  const swept = sweep.get()
  if (tab === 'sweep') {
    const own = { options: swept?.options ?? {}, seed: swept?.seed ?? workbench.seed.get() }
    return {
      tab,
      lanes: [],
      ...NO_PLAYHEAD,
      choice: { ...(swept?.choice ?? choice.sweepChoice.get()), ...own },
      digest: swept?.work.kind === 'done' ? sweepDigest() : '',
    }
  }
  if (tab === 'matrix') {
    const now = matrix.get()
    const digest = now?.work.kind === 'done' ? matrixDigest() : ''
    return { tab, lanes: [], ...NO_PLAYHEAD, choice: { ...(now?.choice ?? choice.matrixChoice.get()) }, digest }
  }
  return { tab, lanes: lanesNow(), ...playheadNow(), choice: null, digest: '' }
}

const verdictOf = (theirs: string, mine: string) =>
  theirs === '' ? 'none' : mine === theirs ? 'same' : ('differs' as const)

async function showSweep(shared: SharedCompare): Promise<void> {
  const given = sweepOf(shared.choice)
  const [on, manifest, opened] = [raceProblem(), a.manifest.get(), workbench.opened.get()]
  if (given === null || on === null || manifest === null || opened === null) return
  choice.sweepChoice.set(given)
  const { seed, options: own } = shared.choice ?? {}
  workbench.seed.set(schema.read(schema.whole, seed, 1))
  for (const { id } of known(manifest.solvers, given.solvers)) {
    const theirs = typeof own === 'object' && own !== null ? (own as Record<string, unknown>)[id] : undefined
    workbench.options.update((all) => ({ ...all, [id]: schema.read(options, theirs, {}) }))
  }
  // one that had not been started waits here, too
  if (shared.digest === '') return
  if (await startSweep(on, boundOfCapacity(opened.problem), manifest, given))
    choice.verdict.set(verdictOf(shared.digest, sweepDigest()))
}

async function showMatrix(shared: SharedCompare): Promise<void> {
  const given = matrixOf(shared.choice)
  const manifest = a.manifest.get()
  if (given === null || manifest === null) return
  choice.matrixChoice.set(given)
  if (shared.digest === '') return
  // what has taken its place meanwhile, a sweep that was opened perhaps, is not what was shared
  if (await startMatrix(manifest, given)) choice.verdict.set(verdictOf(shared.digest, matrixDigest()))
}

/** All of them at once, each to its end; then their digests are compared. */
async function showLanes(session: Session, shared: SharedCompare): Promise<void> {
  const here = allSolvers(a.manifest.get())
  const lanes = shared.lanes.filter(({ solver }) => isOther(solver) || here.some(({ id }) => id === solver))
  const configs = lanes.map(
    ({ digest: _, goal, ...config }): RunConfig => (goal === 'fit' ? config : { ...config, goal }),
  )
  const made = enterWith(session, configs)
  if (made === null || lanes.length === 0) return
  await new Promise<void>((resolve) => {
    const leave = made.changes.subscribe(() => {
      const states = made.lanes.get().map((lane) => lane.run.get().kind)
      if (race.get() === made && states.some((kind) => kind === 'idle' || kind === 'running')) return
      leave()
      resolve()
    })
  })
  if (race.get() !== made) return
  made.lockBy(shared.by)
  if (shared.at !== null) made.seek(shared.at)
  const mine = made.lanes.get().map((lane) => cellOfRun(lane.run.get()).digest)
  const judged = lanes.filter(({ digest }) => digest !== '')
  if (judged.length === 0) return
  const same =
    lanes.length === shared.lanes.length && lanes.every(({ digest }, k) => digest === '' || digest === mine[k])
  choice.verdict.set(same ? 'same' : 'differs')
}

/** Lands where whoever shared it was. */
export async function showCompare(session: Session, shared: SharedCompare | null): Promise<void> {
  choice.verdict.set('none')
  workbench.mode.set(shared === null ? 'search' : 'compare')
  if (shared === null) return
  choice.tab.set(tabOf(shared.tab))
  if (shared.digest !== '' || shared.lanes.some(({ digest }) => digest !== '')) choice.verdict.set('checking')
  // the usual runs are made now: made later they would end the sweep that belongs to those before
  if (shared.lanes.length === 0) enter(session)
  if (shared.tab === 'sweep') await showSweep(shared)
  else if (shared.tab === 'matrix') await showMatrix(shared)
  else if (shared.lanes.length > 0) await showLanes(session, shared)
  if (choice.verdict.get() === 'checking') choice.verdict.set('none')
}
