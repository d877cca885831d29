/**
 * Where did the search go wrong? The exact solver, in a worker of its own, is asked of the path shown: with its first k placements fixed, is
 * there a plan within the capacity? More fixed placements leave fewer plans, so that the answer changes once along the path.
 */
import type { Condition } from '../../../../wasm/client/types'
import { createClient } from '../../../../wasm/client/client'
import type { Client, Problem } from '../../../../wasm/client/types'
import * as a from '../../state/atoms'
import { limit, result } from '../../state/workbench'
import * as h from '../../state/marks/hindsight'
import { searchKey } from '../../state/marks/marks'
import { type GivenProblem, openModel, openProblem } from '../model/open_model'
import type { Session } from '../session'
import { workbench } from '../../state/workbench_cells'
import { buffersOf } from '../../state/workbench_values'

/** With placements that nobody can be sure of, questions could go on for every level. */
export const MOST_QUESTIONS = 40

export interface Case extends GivenProblem {
  problem: Problem
  capacity: number
  path: readonly h.Decision[]
  /** offsets of a plan within the capacity, if one is known */
  plan: Float64Array | null
  /** it is proved that nothing fits */
  infeasible: boolean
  /** steps of one question */
  budget: number
}

export type Finding = Pick<h.Judged, 'solvable' | 'doomed' | 'questions' | 'steps'>

/**
 * The number of placements to ask of next: the middle of the longest stretch that is open and was not asked, the deeper one of two equal ones,
 * for what is nearly fixed is quickly answered; -1: nothing is left to ask. asked: without an answer.
 */
export function nextQuestion(solvable: number, doomed: number, asked: ReadonlySet<number>): number {
  let best = { from: 0, length: 0 }
  for (let from = solvable + 1; from < doomed; from++) {
    let to = from
    while (to < doomed && !asked.has(to)) to++
    if (to - from > 0 && to - from >= best.length) best = { from, length: to - from }
    from = to
  }
  return best.length === 0 ? -1 : best.from + Math.floor((best.length - 1) / 2)
}

/** How many first decisions of a path a plan keeps. */
function kept(path: readonly h.Decision[], plan: Float64Array): number {
  const end = path.findIndex(({ buffer, offset }) => plan[buffer] !== offset)
  return end < 0 ? path.length : end
}

/** The first k placements, and the buffers that the problem fixes. */
function fixedBy({ problem, path }: Case, k: number): Float64Array<ArrayBuffer> {
  const offsets = problem.fixed.slice()
  for (const { buffer, offset } of path.slice(0, k)) offsets[buffer] = offset
  return offsets
}

/** One question. plan: one that has the first k placements; doomed: it is proved that there is none; neither: the budget is spent. */
async function ask(
  client: Client,
  now: Case,
  k: number,
): Promise<{ plan: Float64Array | null; doomed: boolean; steps: number }> {
  const csv = await client.exportCsv(fixedBy(now, k))
  const opened = await client.open(csv, now.profile)
  // a placement that the problem itself refuses (above all bounds of an offset) is in no plan
  if (!opened.ok) return { plan: null, doomed: true, steps: 0 }
  const config = { solver: 'exact', capacity: now.capacity, seed: 0, budget: now.budget, options: {} }
  const { stats, best } = await client.run(config, () => {})
  const fits = stats.outcome === 'feasible' || stats.outcome === 'optimal'
  return { plan: fits ? best : null, doomed: stats.outcome === 'infeasible', steps: stats.steps }
}

/** Asks until the turn is known, or nothing is left to ask. told: before each question, with what is known. */
export async function judge(
  now: Case,
  client: Client,
  told: (finding: Finding, level: number) => void,
  signal: AbortSignal,
): Promise<Finding> {
  const { path } = now
  const known: Finding = { solvable: -1, doomed: path.length + 1, questions: 0, steps: 0 }
  if (now.infeasible) known.doomed = 0
  if (now.plan !== null) known.solvable = kept(path, now.plan)
  const asked = new Set<number>()
  const opened = known.solvable + 1 < known.doomed ? await openProblem(client, now) : null
  if (opened?.ok === false) throw new Error('The problem could not be opened a second time.')
  while (!signal.aborted && known.questions < MOST_QUESTIONS) {
    const k = nextQuestion(known.solvable, known.doomed, asked)
    if (k < 0) break
    told({ ...known }, k)
    const answer = await ask(client, now, k)
    known.questions += 1
    known.steps += answer.steps
    asked.add(k)
    if (answer.doomed) known.doomed = k
    else if (answer.plan !== null) known.solvable = Math.max(k, kept(path, answer.plan))
  }
  return known
}

/** The step that placed the last of the first k decisions of the path at `step`. */
async function stepOf(session: Session, judged: h.Judged): Promise<number> {
  const decision = judged.path[judged.doomed - 1]
  if (decision === undefined) return 0
  const condition: Condition = { role: 'puts', buffer: decision.buffer }
  const found = await session.client.scan(judged.step + 1, false, [condition], 0)
  return found?.step ?? 0
}

let underWay: AbortController | null = null
let oracle: Client | null = null

function caseNow(budget: number): Case | null {
  const opened = workbench.opened.get()
  const frame = workbench.frame.get()
  const capacity = limit.get()
  const ended = result.get()
  if (opened === null || frame === null || capacity === null || ended === null) return null
  const { outcome, height } = ended.stats
  return {
    csv: buffersOf(opened),
    profile: workbench.profile.get(),
    model: openModel(),
    problem: opened.problem,
    capacity,
    path: h.pathOf(frame),
    plan: height >= 0 && height <= capacity ? ended.best : null,
    infeasible: outcome === 'infeasible',
    budget,
  }
}

/** Gives up the question under way; what is known by then stays. */
export function stopHindsight(): void {
  underWay?.abort()
  underWay = null
  oracle?.dispose()
  oracle = null
  const now = h.hindsight.get()
  if (now.kind === 'asking') h.hindsight.set({ kind: 'known', judged: now.judged })
}

/** Asks about the step shown. A newer question ends the one before. */
export async function askHindsight(session: Session, budget = h.QUESTION_BUDGET): Promise<void> {
  stopHindsight()
  const now = caseNow(budget)
  const of = searchKey.get()
  const step = workbench.frame.get()?.step
  if (now === null || step === undefined) return
  const mine = new AbortController()
  underWay = mine
  oracle = createClient()
  const path = [...now.path]
  const judged: h.Judged = {
    of,
    capacity: now.capacity,
    step,
    path,
    solvable: -1,
    doomed: path.length + 1,
    turn: 0,
    questions: 0,
    steps: 0,
    budget,
  }
  h.hindsight.set({ kind: 'asking', judged, level: 0 })
  try {
    const told = (finding: Finding, level: number) => {
      if (!mine.signal.aborted) h.hindsight.set({ kind: 'asking', judged: { ...judged, ...finding }, level })
    }
    const found = { ...judged, ...(await judge(now, oracle, told, mine.signal)) }
    if (mine.signal.aborted) return
    const turn = found.doomed > 0 ? await stepOf(session, found) : 0
    if (!mine.signal.aborted) h.hindsight.set({ kind: 'known', judged: { ...found, turn } })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    if (!mine.signal.aborted) h.hindsight.set({ kind: 'failed', message })
  } finally {
    if (underWay === mine) {
      underWay = null
      oracle?.dispose()
      oracle = null
    }
  }
}

let followed: Session | null = null

/** From now on asks again wherever the search comes to rest, while that is wished; of a path that is known already there is nothing to ask. */
export function follow(session: Session): void {
  if (followed === session) return
  followed = session
  let timer: ReturnType<typeof setTimeout> | undefined
  const REST = 250
  const later = () => {
    clearTimeout(timer)
    if (workbench.following.get()) timer = setTimeout(() => rested(session), REST)
  }
  for (const cell of [workbench.frame, a.playing, workbench.following]) cell.subscribe(later)
}

function rested(session: Session): void {
  const frame = workbench.frame.get()
  const kind = workbench.run.get().kind
  if (!workbench.following.get() || a.playing.get() || frame === null || (kind !== 'ended' && kind !== 'cancelled'))
    return
  if (h.judged.get() !== null && !h.fates.get().includes('unknown')) return
  void askHindsight(session)
}
