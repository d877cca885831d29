/** Opens lessons and leaves them. A lesson has workers of its own: those of the reader keep their problem, run and all. */
import { createClient } from '../../../../wasm/client/client'
import type { Client, Frame, Problem, RunConfig, RunResult } from '../../../../wasm/client/types'
import { batch } from '../../base/cell'
import type { PackedGraph } from '../../import/packed'
import type { Live, Network, OtherRun, Show, Step } from '../../lessons/lesson'
import { indexOf, stepOf } from '../../lessons/answers/live'
import { packing, restingPlace } from '../../lessons/answers/orders'
import * as a from '../../state/atoms'
import { goalOf, ofModels } from '../../state/workbench'
import { setEditing } from '../../state/edit/editing'
import { csvOf } from '../../state/problem/examples'
import { setBricks } from '../../state/lesson/bricks'
import { bricks, leaveLesson, lessonWorkbench } from '../../state/lesson/lesson_workbench'
import { planFrame } from '../../state/solver/plan_frame'
import * as ui from '../../state/ui'
import { atEnd, busy, current, events, live, order, others, preparing, settled, texts } from './lesson_live'
import { reached } from './lesson_progress'
import { AFTER, BEFORE } from '../search/seeker'
import type { Session } from '../session'
import { copyWorkbench, own, shownWorkbench, workbench } from '../../state/workbench_cells'
import { type Opened, type Source, NOTHING_LIT } from '../../state/workbench_values'

/** A lesson's runs are small; one that is not would be a mistake in the lesson. */
const BUDGET = 1_000_000
/** The lessons' workers stay for the next one: what is on its way in them when a lesson ends must not be torn. */
const workers: { shown: Client | null; beside: Client | null } = { shown: null, beside: null }
/** counts what is to be shown; of two that are under way the newer one wins */
let asked = 0
/** counts the steps of lessons that were gone to: what is run beside one serves as long as it is open */
let visited = 0
/** What a step's problem is read from. */
export type Material = string | PackedGraph
/** of the problem that the lesson's worker holds, and how it was lowered */
let held: { material: Material; lowering: string } | null = null
const loweringOf = ({ problem }: Show) => JSON.stringify('network' in problem ? problem.lowering : {})
/** of networks, by what made them: one is made once */
const graphs = new Map<string, PackedGraph>()

// ---- in and out

/** The page goes over to the lesson's workbench, which looks like the reader's until its first step is there. A run that is going on rests meanwhile. */
async function enterLesson(session: Session): Promise<void> {
  if (leaveLesson.get() !== null) return
  await session.edited()
  if (leaveLesson.get() !== null) return
  const going = workbench.run.get().kind === 'running'
  if (going) await session.stop()
  if (workbench.why.get().kind === 'looking') {
    session.client.cancel()
    workbench.why.set({ kind: 'none' })
  }
  const { client } = session
  session.player.pause()
  session.player.seeker.forget()
  copyWorkbench(own, lessonWorkbench)
  // whatever the reader compares
  lessonWorkbench.mode.set('search')
  shownWorkbench.set(lessonWorkbench)
  leaveLesson.set(() => leaveFor(session, client, going))
  workers.shown ??= createClient()
  session.client = workers.shown
  held = null
}

function leaveFor(session: Session, client: Client, going: boolean): void {
  leaveLesson.set(null)
  asked += 1
  visited += 1
  session.discard()
  session.client = client
  batch(() => {
    shownWorkbench.set(own)
    ui.lesson.set(null)
    order.set(null)
    bricks.set(null)
    atEnd.set(false)
    preparing.set(false)
    busy.set(false)
  })
  // not where the browser itself has gone back
  if (/^#lesson=/.test(location.hash)) history.pushState(history.state, '', location.pathname + location.search)
  const state = own.run.get()
  if (going && state.kind === 'cancelled') void session.resume(state.config.budget)
  // a step that was asked for but not there yet
  else if (own.frame.get()?.step !== own.cursor.get()) session.player.seek(own.cursor.get())
}

export function leave(): void {
  leaveLesson.get()?.()
}

export function fragmentOf(id: string, step: number): string {
  return step === 0 ? `lesson=${id}` : `lesson=${id}/${step + 1}`
}

/** Where a fragment leads: by number or by name, steps from 1. Null if there is no such lesson. */
export function placeOf(fragment: string, ids: readonly string[]): { id: string; step: number } | null {
  const match = /^lesson=([\w-]{1,40})(?:\/(\d{1,3}))?$/.exec(fragment)
  if (match === null) return null
  const [, name = '', step = '1'] = match
  const id = ids.includes(name) ? name : ids[Number(name) - 1]
  return id === undefined ? null : { id, step: Math.max(0, Number(step) - 1) }
}

/** Opens what a link names. */
export async function follow(session: Session, fragment: string): Promise<void> {
  const { lessons } = await texts.get()
  const place = placeOf(
    fragment,
    lessons.map((one) => one.id),
  )
  if (place !== null) return goTo(session, place.id, place.step, 'replaceState')
  const text = 'It names a lesson that this version does not have. The others are under Lessons.'
  a.notice.set({ tone: 'why', title: 'This link cannot be opened.', text })
}

/** Opens a lesson at a step, from 0; one past its end is its last. The browser's way back leads from a lesson to what was there before it. */
export async function goTo(
  session: Session,
  id: string,
  wanted: number,
  way: 'pushState' | 'replaceState' = ui.lesson.get()?.id === id ? 'replaceState' : 'pushState',
): Promise<void> {
  const { lessons } = await texts.get()
  const lesson = lessons.find((one) => one.id === id)
  if (lesson === undefined) return
  const step = Math.min(Math.max(0, wanted), lesson.steps.length - 1)
  await enterLesson(session)
  batch(() => {
    preparing.set(true)
    settled.set(false)
    atEnd.set(false)
    ui.lesson.set({ id, step })
  })
  reached(id, step)
  history[way](history.state, '', `#${fragmentOf(id, step)}`)
  const shown = lesson.steps[step]
  if (shown !== undefined) await prepare(session, shown)
}

// ---- what a step shows

async function prepare(session: Session, step: Step): Promise<void> {
  visited += 1
  const mine = visited
  others.set(null)
  await present(session, step.show)
  const problem = workbench.opened.get()?.problem
  if (mine === visited && step.others !== undefined && problem !== undefined)
    await runOthers(await materialOf(step.show), step.show, step.others(problem))
}

async function materialOf({ problem }: Show): Promise<Material> {
  if ('network' in problem) return graphOf(problem)
  return 'csv' in problem ? problem.csv : csvOf(problem.example)
}

export async function graphOf({ network, parameters }: Network): Promise<PackedGraph> {
  const key = JSON.stringify([network, parameters])
  const known = graphs.get(key)
  if (known !== undefined) return known
  const [{ zooGraph }] = await Promise.all([import('../model/zoo_graph'), ofModels.get()])
  const made = await zooGraph(network, parameters)
  if (made === null) throw new Error(`There is no network “${network}” in this version.`)
  graphs.set(key, made.graph)
  return made.graph
}

/** Shows something else of the open step's problem: the end of its run, if no step is named. */
export async function change(session: Session, more: Partial<Show>): Promise<void> {
  const show = current.get()?.step.show
  if (show === undefined) return
  const { at: _, light: __, bricks: ___, ...rest } = show
  const { solver } = show
  const settings = {
    capacity: workbench.capacity.get(),
    options: solver ? (workbench.options.get()[solver] ?? {}) : {},
  }
  const now: Show = { ...rest, ...settings, ...more }
  // controls follow the hand, not the worker
  workbench.capacity.set(now.capacity)
  if (solver !== undefined) workbench.options.set({ [solver]: now.options ?? {} })
  await present(session, now)
}

/** False if something else was asked for meanwhile, or the worker gave up; the page then says so. */
async function present(session: Session, show: Show): Promise<boolean> {
  asked += 1
  const mine = asked
  busy.set(true)
  session.player.pause()
  session.player.seeker.forget()
  try {
    const material = await materialOf(show)
    const lowering = loweringOf(show)
    const same = material === held?.material && lowering === held.lowering ? workbench.opened.get() : null
    const { problem, model } = same ?? (await readMaterial(session.client, material, show))
    held = mine === asked ? { material, lowering } : null
    const ended = show.solver === undefined ? null : await run(session.client, problem, show)
    if (mine !== asked) return false
    if (same === null) openIt(session, { source: sourceOf(show), text: material, problem, model })
    settle(session, show)
    if (ended !== null) showRun(ended)
    else if (show.bricks === undefined) place(problem, show.order ?? null)
    else lay(problem.ids, show.bricks)
    if (show.light !== undefined)
      workbench.lit.set({ buffers: show.light.map((id) => indexOf(problem, id)), section: -1, inputs: [] })
    return true
  } catch (error) {
    if (mine !== asked) return false
    held = null
    a.notice.set({
      tone: 'why',
      title: 'That did not work.',
      text: error instanceof Error ? error.message : String(error),
    })
    return false
  } finally {
    if (mine === asked) {
      preparing.set(false)
      busy.set(false)
    }
  }
}

export async function readMaterial(
  client: Client,
  material: Material,
  { problem }: Show,
): Promise<Pick<Opened, 'problem' | 'model'>> {
  const lowering = 'network' in problem ? problem.lowering : {}
  const answer = await (typeof material === 'string' ? client.open(material) : client.openGraph(material, lowering))
  if (!answer.ok) throw new Error(answer.errors[0]?.message ?? 'The problem could not be read.')
  return answer
}

interface Ended {
  config: RunConfig
  result: RunResult
  /** at the end, and at the step to show */
  last: Frame
  frame: Frame
}

const SEED = 1

/** Runs what a step shows, on the problem that the client holds. */
export async function run(client: Client, problem: Problem, show: Show): Promise<Ended> {
  const manifest = await client.manifest()
  const { capacity, goal, solver = '', options = {} } = show
  const config: RunConfig = { solver, capacity, seed: SEED, budget: BUDGET, options, ...(goal && { goal }) }
  const result = await client.run(config, () => {})
  const { stats, best, plan = null } = result
  const last = await client.seek(stats.steps, BEFORE, AFTER)
  if (last === null) throw new Error('The step was not told.')
  const found = { stats, best, plan, events: last.events, frame: last }
  const live: Live = { manifest, problem, capacity, ...found, model: null, others: null }
  const at = stepOf(live, show.at)
  const frame = at === stats.steps ? last : await client.seek(at, BEFORE, AFTER)
  return { config, result, last, frame: frame ?? last }
}

function sourceOf({ problem }: Show): Source {
  if ('csv' in problem) return { kind: 'text', name: problem.name }
  if ('example' in problem) return { kind: 'example', file: problem.example, title: problem.example }
  const { network: id, parameters: options, lowering } = problem
  return { kind: 'model', name: id, lowering, from: { kind: 'zoo', id, options } }
}

function openIt(session: Session, opened: Opened): void {
  session.discard()
  workbench.draft.set(null)
  workbench.mistakes.set(null)
  workbench.aside.set(null)
  workbench.profile.set(null)
  workbench.filter.set('')
  workbench.planShownFrom.set('search')
  workbench.opened.set(opened)
}

/** The settings of the form: what Run would run again. */
function settle(session: Session, show: Show): void {
  const { solver, options = {} } = show
  if (solver === undefined) session.discard()
  workbench.why.set({ kind: 'none' })
  workbench.verdict.set(null)
  workbench.capacity.set(show.capacity)
  if (solver !== undefined) workbench.solver.set(solver)
  workbench.goal.set(show.goal ?? 'fit')
  workbench.options.set(solver === undefined ? {} : { [solver]: options })
  workbench.seed.set(SEED)
  workbench.budget.set(BUDGET)
  workbench.stops.set([])
  workbench.watchOpen.set(false)
  workbench.following.set(false)
  setEditing(false)
  workbench.mode.set('search')
  workbench.caption.set('')
  workbench.hintShown.set(false)
  workbench.pinned.set(-1)
  workbench.hovered.set(null)
  workbench.lit.set(NOTHING_LIT)
  workbench.colourChoice.set(show.colour ?? 'buffer')
}

function showRun({ config, result, last, frame }: Ended): void {
  order.set(null)
  bricks.set(null)
  events.set(last.events)
  workbench.run.set({ kind: 'ended', config, result })
  workbench.cursor.set(frame.step)
  workbench.frame.set(frame)
}

/** Buffers by hand: each on top of those before it. Null: nothing is placed, and nothing can be. */
function place(problem: Problem, ids: readonly string[] | null): void {
  events.set([])
  workbench.cursor.set(0)
  bricks.set(null)
  const list = ids?.map((id) => indexOf(problem, id)) ?? null
  order.set(list)
  workbench.frame.set(list === null ? null : handFrame(problem, list))
}

export function handFrame(problem: Problem, list: readonly number[]): Frame {
  const frame = planFrame(packing(problem, list), 0, null)
  const level = new Int32Array(problem.count)
  list.forEach((buffer, k) => {
    level[buffer] = k + 1
  })
  // where the others would come to lie: the canvas brackets it
  const minOffset = Float64Array.from(problem.ids, (_, k) => restingPlace(problem, frame.offset, k))
  return { ...frame, minOffset, level, stack: Uint32Array.from(list) }
}

/** Places buffers by hand in this order. */
export function setOrder(list: readonly number[]): void {
  const problem = workbench.opened.get()?.problem
  if (problem === undefined) return
  order.set(list)
  workbench.frame.set(handFrame(problem, list))
}

/** Where each buffer lies, by hand: over others perhaps. */
function lay(ids: Problem['ids'], where: Record<string, number>): void {
  events.set([])
  workbench.cursor.set(0)
  order.set(null)
  setBricks(Float64Array.from(ids, (id) => where[id] ?? 0))
}

/** Moves bricks to where they are shown. */
export function layBricks(where: Record<string, number>): void {
  const ids = workbench.opened.get()?.problem.ids
  if (ids !== undefined) lay(ids, where)
}

// ---- runs beside

async function runOthers(material: Material, show: Show, list: OtherRun[]): Promise<void> {
  const mine = visited
  workers.beside ??= createClient()
  try {
    const ended = await endsOf(workers.beside, material, show, list, () => mine === visited)
    if (ended !== null && mine === visited) others.set(ended)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    if (mine === visited) a.notice.set({ tone: 'why', title: 'That did not work.', text: why })
  }
}

/** Runs one after the other. Null if they are no longer wanted. */
export async function endsOf(client: Client, material: Material, show: Show, list: OtherRun[], wanted: () => boolean) {
  const ends: NonNullable<Live['others']> = []
  await readMaterial(client, material, show)
  for (const { name, config } of list) {
    if (!wanted()) return null
    const { stats, plan } = await client.run({ ...config, seed: SEED, budget: BUDGET }, () => {})
    const { outcome, steps, height, cost } = stats
    ends.push({ name, capacity: config.capacity, outcome, steps, height, cost, order: plan?.order ?? null })
  }
  return ends
}

/** The step's problem and run in the workbench, in place of what the reader had there. */
export async function openInWorkbench(session: Session): Promise<void> {
  const opened = workbench.opened.get()
  const config = session.config()
  const [at, ran] = [workbench.cursor.get(), live.get()?.stats !== null]
  if (opened === null) return
  leave()
  if (!(await session.open(opened.text, opened.source, '', null))) return
  workbench.solver.set(config.solver)
  workbench.goal.set(goalOf(config))
  workbench.options.update((all) => ({ ...all, [config.solver]: config.options }))
  workbench.capacity.set(config.capacity)
  await session.run()
  if (ran) session.player.seek(at)
}
