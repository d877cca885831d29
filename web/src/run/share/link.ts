/** From the page to a link or a file, and back: run it, go to the step, compare the digests. */
import type { Client, RunStats, Text } from '../../../../wasm/client/types'
import { beginning, visible } from '../../base/format'
import * as a from '../../state/atoms'
import { allSolvers, goalOf } from '../../state/workbench'
import { csvOf, findExample } from '../../state/problem/examples'
import { CHIPS_FLAG } from '../../state/profile/chips'
import { adopt, plain } from '../../state/profile/profile'
import { known } from '../../state/profile/profile_texts'
import * as m from '../../state/marks/marks'
import type { Checkpoint, Shared } from '../../state/share/schema'
import {
  type DecodeResult,
  decodeValue,
  encodeFile,
  encodeLink,
  fileValue,
  LINK_LIMIT,
  NO_JSON,
} from '../../state/share/codec'
import { readLong, writeLong } from './share_client'
import { showView, viewNow } from './shared_view'
import { adoptAlong } from '../marks/marking'
import { beginTour } from '../marks/tour'
import { message } from '../../state/marks/tour'
import { compareNow, showCompare } from './shared_compare'
import { followSteps, linkedStep } from './address'
import type { Session } from '../session'
import { zooGraph } from '../model/zoo_graph'
import { textOf } from '../problem/given_text'
import { dialog } from '../../state/ui'
import { workbench } from '../../state/workbench_cells'
import { type Given, type Opened, stringOf, nameOf, type Verdict, type Source } from '../../state/workbench_values'

export { decodeFile } from '../../state/share/codec'
export { readLink } from './share_client'

const NO_DIGEST = '0'.repeat(16)
/** How many earlier steps a link remembers, to narrow a difference down. */
const CHECKPOINTS = 7
/** A larger problem does not fit a link whatever it packs to. */
const TEXT_LIMIT = 1_000_000

/** Characters of a name. */
const NAME = 255

/** A file is made when it is saved. */
export type SharedOut = { kind: 'link'; fragment: string } | { kind: 'file' }

async function sharedSource(opened: Opened): Promise<Shared['source']> {
  const { source } = opened
  if (source.kind === 'example') return { kind: 'example', file: source.file }
  const name = beginning(nameOf(source), NAME)
  if (source.kind !== 'model') return { kind: 'text', name, text: stringOf(opened.text) }
  const { lowering, from } = source
  if (from.kind === 'zoo') return { kind: 'zoo', id: from.id, options: from.options, lowering }
  return { kind: 'graph', name, text: stringOf(await textOf(opened.text)), format: from.format, lowering }
}

async function checkpointsUpTo(client: Client, step: number): Promise<Checkpoint[]> {
  const list: Checkpoint[] = []
  for (let k = 1; k <= CHECKPOINTS; k++) {
    const at = Math.floor((step * k) / (CHECKPOINTS + 1))
    if (at <= (list.at(-1)?.step ?? 0)) continue
    list.push({ step: at, digest: (await client.digestAt(at)).slice(0, 8) })
  }
  return list
}

/** The problem's text where it is too long to be handled as a string: that of what is gathered is '' then. */
export function longText(): Blob | null {
  const { text = '' } = workbench.opened.get() ?? {}
  return text instanceof Blob ? text : null
}

/** All that is shown, as it would be found again. null while there is no problem or a run is going on. */
export async function gather(session: Session): Promise<Shared | null> {
  const opened = workbench.opened.get()
  const state = workbench.run.get()
  if (opened === null || state.kind === 'running') return null
  const source = await sharedSource(opened)
  const memory = workbench.profile.get()
  const profile = memory && plain(memory)
  const view = viewNow()
  const along = {
    marks: m.shownMarks.get().map(({ step, note, ask }) => (ask ? { step, note, ask } : { step, note })),
    stops: [...workbench.stops.get()],
    range: m.shownRange.get(),
    message: message.get(),
    compare: compareNow(),
  }
  if (state.kind === 'idle' || state.kind === 'failed') {
    const config = state.kind === 'failed' ? state.config : session.config()
    return {
      source,
      profile,
      ...along,
      ...config,
      goal: goalOf(config),
      step: 0,
      digest: NO_DIGEST,
      steps: 0,
      ended: false,
      finalDigest: NO_DIGEST,
      checkpoints: [],
      view,
    }
  }
  const { config, result } = state
  const step = workbench.cursor.get()
  const { steps, digest: finalDigest } = result.stats
  const digest = step === steps ? finalDigest : await session.client.digestAt(step)
  const checkpoints = await checkpointsUpTo(session.client, step)
  const ended = state.kind === 'ended'
  const goal = goalOf(config)
  return { source, profile, ...along, ...config, goal, step, digest, steps, ended, finalDigest, checkpoints, view }
}

/** All of it as a file, named after the problem. */
export async function inFile(shared: Shared, long: Blob | null = null): Promise<{ text: Text; name: string }> {
  const { source } = shared
  const named = 'name' in source ? visible(source.name) : 'file' in source ? source.file : source.id
  const text = long === null ? encodeFile(shared) : await writeLong({ value: fileValue(shared), text: long })
  return { text, name: `${named.replace(/\.\w+$/, '') || 'problem'}.arenascope.json` }
}

/** A link, or a file where the link would be too long. */
export async function pack(shared: Shared, long: Blob | null = null): Promise<SharedOut> {
  const { source } = shared
  const small = long === null && (!('text' in source) || source.text.length <= TEXT_LIMIT)
  const fragment = small ? await encodeLink(shared) : ''
  return small && fragment.length <= LINK_LIMIT ? { kind: 'link', fragment } : { kind: 'file' }
}

/** A file that is too long to be handled as a string. */
export async function decodeLongFile(file: Blob): Promise<DecodeResult> {
  const read = await readLong(file)
  if (read === null) return NO_JSON
  const result = decodeValue(read.value)
  return result.ok && result.shared.source.kind === 'text' ? { ...result, long: read.text } : result
}

/** The options that the solver knows; the others would make the whole run be refused. */
function knownOptions(shared: Shared): Record<string, string> {
  const solver = allSolvers(a.manifest.get()).find((info) => info.id === shared.solver)
  const known = new Set(solver?.options.map((option) => option.name))
  return Object.fromEntries(Object.entries(shared.options).filter(([name]) => known.has(name)))
}

async function firstDifference(client: Client, shared: Shared, stats: RunStats): Promise<Verdict> {
  const short = (digest: string) => digest.slice(0, 8)
  const points: Checkpoint[] = [
    ...shared.checkpoints,
    { step: shared.step, digest: short(shared.digest) },
    { step: shared.steps, digest: short(shared.finalDigest) },
  ]
  let after = 0
  for (const point of points) {
    if (point.step === 0) continue
    const here = point.step > stats.steps ? '' : await client.digestAt(point.step)
    if (short(here) !== point.digest) return { kind: 'differs', after, by: point.step }
    after = point.step
  }
  return { kind: 'differs', after, by: Math.max(stats.steps, shared.steps) }
}

async function compare(client: Client, shared: Shared, stats: RunStats): Promise<Verdict> {
  const sameLength = stats.steps === shared.steps
  const there = shared.step === 0 ? shared.digest : shared.step <= stats.steps ? await client.digestAt(shared.step) : ''
  const same = sameLength && stats.digest === shared.finalDigest && (shared.step === 0 || there === shared.digest)
  return same ? { kind: 'same' } : firstDifference(client, shared, stats)
}

/** What was shared, and where it came from; null, with a notice, if this version does not have it. */
async function givenOf(source: Shared['source'], long: Blob | null): Promise<{ text: Given; from: Source } | null> {
  const missing = (what: string) => {
    const text = `It shows the ${what}, which this version does not have.`
    a.notice.set({ tone: 'why', title: 'This link cannot be opened.', text })
    return null
  }
  if (source.kind === 'text') return { text: long ?? source.text, from: { kind: 'text', name: visible(source.name) } }
  if (source.kind === 'graph') {
    const { name, text, format, lowering } = source
    return { text, from: { kind: 'model', name, lowering, from: { kind: 'file', format } } }
  }
  if (source.kind === 'example') {
    const example = findExample(source.file)
    if (example === undefined) return missing(`example “${visible(source.file)}”`)
    const text = await csvOf(source.file)
    return { text, from: { kind: 'example', file: source.file, title: example.title } }
  }
  const made = await zooGraph(source.id, source.options)
  if (made === null) return missing(`network “${visible(source.id)}”`)
  const { id, options, lowering } = source
  const name = made.network.title
  return { text: made.graph, from: { kind: 'model', name, lowering, from: { kind: 'zoo', id, options } } }
}

/** Its runs may take minutes, which nobody waits for. */
function showComparison(session: Session, { compare }: Shared): void {
  showCompare(session, compare).catch((error: unknown) => {
    const text = error instanceof Error ? error.message : String(error)
    a.notice.set({ tone: 'why', title: 'The comparison was not opened.', text })
  })
}

/** Opens what a link or a file holds, runs it, goes to its step and says whether it is the same search. */
export async function reopen(session: Session, shared: Shared, long: Blob | null = null): Promise<void> {
  if (!allSolvers(a.manifest.get()).some((info) => info.id === shared.solver)) {
    const text = `It uses the solver “${visible(shared.solver)}”, which this version does not have.`
    a.notice.set({ tone: 'why', title: 'This link cannot be opened.', text })
    return
  }
  const shown = await givenOf(shared.source, long)
  if (shown === null) return
  const profile = shared.profile && adopt(shared.profile, known, a.ownProfiles.get())
  if (!(await session.open(shown.text, shown.from, '', profile))) return
  // a profile that was not here before stays here
  if (profile?.vendor === '' && workbench.profile.get() === profile && !a.ownProfiles.get().includes(profile))
    a.ownProfiles.update((own) => [...own, profile])
  workbench.capacity.set(shared.capacity)
  workbench.solver.set(shared.solver)
  workbench.goal.set(shared.goal)
  workbench.options.update((all) => ({ ...all, [shared.solver]: knownOptions(shared) }))
  workbench.seed.set(shared.seed)
  workbench.budget.set(shared.budget)
  if (shared.view !== null) showView(shared.view)
  if (globalThis.location?.hash.endsWith(`&${CHIPS_FLAG}`)) dialog.set('chips')
  if (shared.steps === 0) {
    beginTour(shared)
    showComparison(session, shared)
    return
  }
  // A run that was stopped from outside is taken exactly as far as it had gone.
  await session.run({ ...session.config(), budget: shared.ended ? shared.budget : shared.steps })
  const state = workbench.run.get()
  if (state.kind !== 'ended') return
  adoptAlong(shared)
  beginTour(shared)
  linkedStep.set(shared.step)
  followSteps()
  session.player.seek(shared.step)
  showComparison(session, shared)
  workbench.verdict.set({ kind: 'checking' })
  const mine = session.asked
  const verdict = await compare(session.client, shared, state.result.stats).catch((error: unknown) => {
    // another problem was asked for meanwhile, and the worker has that: nobody waits for this verdict any more
    if (mine !== session.asked) return null
    throw error
  })
  if (verdict !== null && workbench.run.get() === state) workbench.verdict.set(verdict)
}
