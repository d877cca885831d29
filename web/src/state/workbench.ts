/**
 * What the page shows of its workbench: the stored cells, here to be read alone, and what follows from them, which is computed when asked
 * for, remembered, and never stored. It is the reader's workbench, or that of the lesson that has the page.
 */
import { isStep, spotOf } from '../../../wasm/client/events'
import type {
  Bounds,
  Constraint,
  Frame,
  Goal,
  Manifest,
  Overview,
  Problem,
  RunConfig,
  RunResult,
  RunStats,
  SolverInfo,
} from '../../../wasm/client/types'
import type { Along, ColourMode, Operators, OpMarks, Scene, SearchScene } from '../layout/scene'
import { type ByteUnit, byteUnit } from '../base/format'
import { derived, type Readable } from '../base/cell'
import { Later } from '../base/later'
import { armHint, armNamesOf, isCode } from './solver/arms'
import { asEventsNumber, limitOf } from './problem/pools'
import { imported, manifest, playing, speed } from './atoms'
import { beam, passName } from './search/beam'
import { alsoPinned, fragments, matches, measuring } from './canvas/canvas'
import { doomedBuffers, wrongTurn } from './marks/hindsight'
import { shownMarks, shownRange } from './marks/marks'
import { overload } from './problem/overload'
import { planFrame } from './solver/plan_frame'
import { moreWords, tell } from './step/sentence'
import { reducedMotion, theme } from './ui'
import { type Workbench, workbench } from './workbench_cells'
import { eventsAt, NOTHING_LIT } from './workbench_values'

/** From this many buffers on colours follow the level, below it each buffer has its own. */
const RAMP_FROM = 100
/** Motion may ease up to this speed, in steps per second. */
const CALM_SPEED = 5

// ---- the stored cells

type ReadOnly = { readonly [K in keyof Workbench]: Readable<ReturnType<Workbench[K]['get']>> }
const readOnly: ReadOnly = workbench
export const {
  opened,
  draft,
  mistakes,
  profile,
  aside,
  capacity,
  solver,
  goal,
  options,
  seed,
  budget,
  stops,
  following,
  run,
  cursor,
  frame,
  verdict,
  why,
  whyShown,
  mode,
  setupOpen,
  hintShown,
  caption,
  watchOpen,
  colourChoice,
  pinned,
  lit,
  hovered,
  hoveredOp,
  pickedOp,
  planShownFrom,
  filter,
} = readOnly

// ---- the problem and its run

/** What is shown: the problem that is open or, of a solver that decides when buffers are alive, what its decisions so far amount to. */
export const problem = derived((): Problem | null => {
  const open = opened.get()
  return open === null ? null : (frame.get()?.situation?.problem ?? open.problem)
})

/** Time before which what is shown was decided; -1: it is as it was given. */
const frontier = derived(() => frame.get()?.situation?.frontier ?? -1)

const ended = derived(() => {
  const state = run.get()
  return state.kind === 'ended' || state.kind === 'cancelled' ? state : null
})

const progress = derived(() => {
  const state = run.get()
  return state.kind === 'running' ? state.progress : null
})

export const result = derived((): RunResult | null => ended.get()?.result ?? null)

export const stats = derived((): RunStats | null => progress.get()?.stats ?? result.get()?.stats ?? null)

export const overview = derived((): Overview | null => progress.get()?.overview ?? result.get()?.overview ?? null)
/** By buffer, how often the search has placed it; undefined: nothing has run. */
export const placings = derived(() => overview.get()?.placed)

/** The plan of a graph where the step shown has it, which is the last; null: none, or it is of buffers. */
export const shownPlan = derived(() => (cursor.get() === steps.get() ? (result.get()?.plan ?? null) : null))

/** Steps that can be shown. */
export const steps = derived(() => stats.get()?.steps ?? 0)

/** Bytes of what is shown: the run's own capacity if there is a run, else that of the form. */
export const shownCapacity = derived(() => {
  const state = run.get()
  return state.kind === 'idle' ? capacity.get() : state.config.capacity
})

/** The unit in which all amounts of this problem are written. */
export const unit = derived((): ByteUnit => byteUnit(shownCapacity.get()))

/** Every solver, whatever it takes. */
export const allSolvers = (core: Manifest | null): SolverInfo[] =>
  core === null ? [] : [...core.solvers, ...core.schedulers]

/** Those that take what is open: a model's graph is also lowered to buffers. */
export const solverChoices = derived((): SolverInfo[] => {
  const core = manifest.get()
  return opened.get()?.model === undefined ? (core?.solvers ?? []) : allSolvers(core)
})

export const solverInfo = derived((): SolverInfo | null => {
  const list = solverChoices.get()
  return list.find((info) => info.id === solver.get()) ?? list[0] ?? null
})

/** The solver of the run that is shown. */
export const shownSolver = derived((): SolverInfo | null => {
  const state = run.get()
  if (state.kind === 'idle') return solverInfo.get()
  return allSolvers(manifest.get()).find((info) => info.id === state.config.solver) ?? null
})

/** Whether one is above the limit. A plain loop: with a million values a call for each would be felt. */
function anyAbove(values: Float64Array, limit: number): boolean {
  for (let k = 0; k < values.length; k++) if ((values[k] as number) > limit) return true
  return false
}

/** Whether a solver takes buffers; the others take a model's graph, to schedule it or to choose what of it lives in fast memory. */
export const takesBuffers = ({ domain }: SolverInfo): boolean => domain === 'buffers'

/** Whether the buffers of a problem ask for it. O(buffers). */
const ASKED: Record<Constraint, (problem: Problem) => boolean> = {
  alignment: (problem) => anyAbove(problem.alignment, 1),
  banks: (problem) => anyAbove(problem.bank, 0),
  fixed: (problem) => anyAbove(problem.fixed, -1),
  gaps: (problem) => problem.gaps.length > 0,
  windows: (problem) => problem.gaps.some((gap) => gap.windowLower < gap.windowUpper),
  shapes: (problem) => problem.rects !== undefined,
  hints: () => false, // whoever honours none has still kept what was asked for
}

/** Whether the solver finds a plan of this problem (null: of most) or proves that there is none, if one waits long enough. O(buffers). */
export const decides = (solver: SolverInfo, problem: Problem | null): boolean =>
  solver.complete && !(problem && solver.incompleteWith.some((name) => ASKED[name](problem)))

/** What its word is worth here, in a word. */
export const worth = (solver: SolverInfo, problem: Problem | null): string =>
  decides(solver, problem) ? 'complete' : solver.complete || solver.refutes ? 'incomplete' : 'heuristic'

const ANY_POOL = 'buffers that may lie in any pool'

/** What the problem asks for and the solver does not honour, in words; empty: it takes the problem. O(buffers). */
export function lacking(solver: SolverInfo, problem: Problem): string[] {
  const { supports } = solver
  const lacks: [string, boolean][] = [
    ['alignment', !supports.alignment && ASKED.alignment(problem)],
    ['bank boundaries', !supports.banks && ASKED.banks(problem)],
    ['fixed offsets', !supports.fixed && ASKED.fixed(problem)],
    ['gaps', !supports.gaps && ASKED.gaps(problem)],
    ['gaps with windows', supports.gaps && !supports.windows && ASKED.windows(problem)],
    ['shapes of several rectangles', !supports.shapes && ASKED.shapes(problem)],
    // a pool of its own may ask for more than its buffers do
    ['alignment of a pool', !supports.alignment && (problem.pools?.some((pool) => pool.alignment > 1) ?? false)],
    ['banks of a pool', !supports.banks && (problem.pools?.some((pool) => pool.bank > 0) ?? false)],
    [ANY_POOL, problem.pool?.includes(-1) ?? false],
  ]
  return lacks.filter(([, lack]) => lack).map(([name]) => name)
}

/** What the solver lacks, as a sentence about it, or about the buffers if no solver would do. subject: of the sentence. */
export function lackSentence(lacks: readonly string[], problem: Problem, subject = 'This solver'): string {
  if (!lacks.includes(ANY_POOL)) return `${subject} does not honour ${lacks.join(', ')}, which this problem has.`
  const free = [...(problem.pool ?? []).keys()].filter((buffer) => problem.pool?.[buffer] === -1)
  const names = free.slice(0, 3).flatMap((buffer) => problem.ids.at(buffer) ?? [])
  const more = free.length > 3 ? ` and ${free.length - 3} more` : ''
  return `No solver chooses between pools: in place of *, name one for ${names.join(', ')}${more}.`
}

/** What stands between the chosen solver and this problem. */
export const obstacles = derived(() => {
  const [chosen, given] = [solverInfo.get(), problem.get()]
  return chosen === null || given === null ? [] : lacking(chosen, given)
})

/** What a run is after. */
export const goalOf = ({ goal }: Pick<RunConfig, 'goal'>): Goal => goal ?? 'fit'

/** What the next run is after: what was asked for, if its solver can be asked for that. */
export const goalChosen = derived((): Goal => {
  const goals = solverInfo.get()?.goals ?? []
  return goals.includes(goal.get()) ? goal.get() : (goals[0] ?? 'fit')
})

const sortedOptions = (all: Record<string, string>) => JSON.stringify(Object.entries(all).sort())

/** The form was changed since the run that is shown. */
export const stale = derived(() => {
  const state = run.get()
  if (state.kind === 'idle' || state.kind === 'running') return false
  const { config } = state
  return (
    config.capacity !== capacity.get() ||
    config.solver !== solver.get() ||
    config.seed !== seed.get() ||
    goalOf(config) !== goalChosen.get() ||
    // a link's run is taken as far as the link goes, whatever its budget
    (config.budget !== budget.get() && verdict.get() === null) ||
    sortedOptions(options.get()[solver.get()] ?? {}) !== sortedOptions(config.options)
  )
})

// ---- the least height

/** What is shown is after: the run, or without one what is chosen. */
export const shownGoal = derived((): Goal => {
  const state = run.get()
  return state.kind === 'idle' ? goalChosen.get() : goalOf(state.config)
})

/** What is shown looks for the least height. */
export const minimising = derived(() => shownGoal.get() === 'height')

/** What the least height is known to be between, at the step shown; null unless the run minimises. */
export const bounds = derived((): Bounds | null => {
  const state = run.get()
  if (!minimising.get() || state.kind === 'idle') return null
  return (state.kind === 'running' ? stats.get() : frame.get()?.bounds) ?? null
})

/** The best plan of a search for the least height: while it runs, and where it has ended. */
const bestPlan = derived(() => {
  const state = run.get()
  if (!minimising.get()) return null
  if (state.kind === 'running') return state.plan
  if (state.kind !== 'ended' && state.kind !== 'cancelled') return null
  return cursor.get() === state.result.stats.steps ? state.result.best : null
})

const planShown = derived(() => {
  const plan = bestPlan.get()
  return plan === null ? null : planFrame(plan, steps.get(), bounds.get())
})

// ---- what fits, and what does not

/** What is worked out of a model's operators. No model is opened before it is there. */
export const ofModels = new Later(() => import('./model/operators'))

const modelPart = derived(() => {
  const now = ofModels.arrival.get()
  return now.kind === 'there' ? now.part : null
})

/** The model that is open, its operators in the order of what is shown; and that order against the one that was given. */
const reordered = derived(() => {
  const [model, part, order] = [opened.get()?.model, modelPart.get(), frame.get()?.situation?.order]
  if (model === undefined || part === null || order === undefined) return { model, changes: null }
  const [ordered, plan] = [part.inOrder(model, order), shownPlan.get()]
  const changes = part.changesOf(model, ordered, plan)
  return { model: plan === null ? ordered : part.asPlaced(ordered, plan), changes }
})

const shownModel = derived(() => reordered.get().model)

/** Why the load alone rules a plan out, null if it does not (or if the height is what is looked for). */
export const tooMuch = derived(() => {
  const [given, model, part] = [problem.get(), shownModel.get(), modelPart.get()]
  const runs = (time: number) =>
    model !== undefined && time < model.ops.count ? (part?.opName(model, time) ?? '') : ''
  // each pool's plate tells of itself
  if (given?.pools !== undefined) return null
  return given === null || minimising.get() ? null : overload(given, shownCapacity.get(), runs)
})

const overloaded = derived(() => tooMuch.get()?.section ?? -1)

/** The limit of the probe under way; null if none of the events at hand begins it. */
export function probed(frame: Frame | null): number | null {
  const probes = frame?.events.filter((event) => event.kind === 'probe') ?? []
  return probes.findLast((event) => event.step <= (frame?.step ?? 0))?.capacity ?? null
}

/** What the search may not exceed at the step shown; null: not known. */
export const limit = derived(() => (minimising.get() ? probed(frame.get()) : shownCapacity.get()))

const NOBODY: number[] = []
/** The set of the explanation that is looked at; empty: none. */
export const unfit = derived((): number[] => {
  const now = why.get()
  const looked = now.kind === 'known' && whyShown.get() && now.capacity === shownCapacity.get()
  return looked ? now.explanation.buffers : NOBODY
})

/** Stacks them. No explanation is shown before it is there, or could not be fetched. */
export const ofUnfit = new Later(() => import('./solver/unfit'))

/** The set of an explanation, on top of each other: null if it is too large for a picture. */
const stacked = derived(() => {
  const [given, now] = [problem.get(), ofUnfit.arrival.get()]
  return given === null || now.kind !== 'there' ? null : now.part.stackUnfit(given, unfit.get())
})

// ---- arms

const armNames = derived((): string[] => {
  const state = run.get()
  return armNamesOf(shownSolver.get(), state.kind === 'idle' ? { options: {} } : state.config)
})

export const armName = derived(() => {
  const names = armNames.get()
  return (arm: number) => names[arm] ?? String(arm + 1)
})

/** The arm under way at the step shown: that of the last restart up to it. */
const arm = derived((): string => {
  const at = frame.get()?.step ?? 0
  const mark = overview.get()?.marks.findLast((m) => m.kind === 'restart' && m.step <= at)
  return mark === undefined ? (armNames.get()[0] ?? '') : armName.get()(mark.value)
})

// ---- models

/** Of a model: the operators' names by their rows. */
const operatorNames = derived((): string[] => {
  const names: string[] = []
  const ops = opened.get()?.model?.ops
  for (let k = 0; ops !== undefined && k < ops.count; k++) names[ops.row[k] ?? k] = ops.ids[k] ?? ''
  return names
})

const operatorName = derived(() => {
  const names = operatorNames.get()
  return (row: number) => names[row] ?? String(row)
})

/** Of a model: who makes and reads what. */
export const operators = derived((): Operators | null => {
  const [given, model, part] = [problem.get(), shownModel.get(), modelPart.get()]
  if (model === undefined || given === null || part === null) return null
  const accessed = given.pool !== undefined && selects.get() ? part.accessedOf(model, given) : null
  return { ...part.operatorsOf(model, given), changes: reordered.get().changes, accessed }
})

/** What came with the file that is open; null: it came from no imported file. */
export const fileOpen = derived(() => {
  const [open, file] = [opened.get(), imported.get()]
  return open !== null && file?.text === open.text ? file : null
})

/** What is worked out of a plan that a file brings along. Who sets `imported` to such a file has it there. */
export const ofGivenPlans = new Later(() => import('./model/given_plan'))

/** The plan that it brought along, for the buffers of this lowering. */
export const filePlan = derived(() => {
  const [given, plan, of] = [problem.get(), fileOpen.get()?.plan ?? null, ofGivenPlans.arrival.get()]
  // it is of the buffers as they were given, which those of another order are not
  return given === null || plan === null || of.kind !== 'there' || shownPlan.get() !== null
    ? null
    : of.part.givenPlan(given, operators.get(), plan.offsets)
})

const filePlanShown = derived(() => {
  const plan = filePlan.get()
  return plan === null || planShownFrom.get() !== 'file' ? null : planFrame(plan.offset, 0, null)
})

/** The operator that is looked at: under the pointer, else the chosen one, else -1. */
const lookedAt = derived(() => hoveredOp.get()?.op ?? pickedOp.get())

/** Lit on the canvas: what a panel names, else what the operator that is looked at reads and writes. */
const litNow = derived(() => {
  const [named, all, part, op] = [lit.get(), operators.get(), modelPart.get(), lookedAt.get()]
  if (named !== NOTHING_LIT || all === null || part === null) return named
  if (op < 0 || op >= all.shade.length) return named
  const { inputs, outputs } = part.buffersOf(all.model, op)
  return { buffers: outputs, section: -1, inputs }
})

/** The buffer that is looked at: under the pointer, lit alone, or pinned; else -1. */
const bufferLookedAt = derived(() => {
  const { buffers } = lit.get()
  const alone = buffers.length === 1 ? (buffers[0] ?? -1) : -1
  return hovered.get()?.buffer ?? (alone >= 0 ? alone : pinned.get())
})

/** What the operator strip points out: the operator looked at, and who makes and reads the buffer looked at. */
export const opMarks = derived((): OpMarks => {
  const [current, buffer, all, part] = [lookedAt.get(), bufferLookedAt.get(), operators.get(), modelPart.get()]
  const none = all === null || part === null || hoveredOp.get() !== null || buffer < 0
  if (none || buffer >= all.maker.length) return { current, makes: [], reads: [] }
  const maker = all.maker[buffer] ?? -1
  return { current, makes: maker < 0 ? [] : [maker], reads: part.readersAt(all, buffer) }
})

// ---- what the canvas shows

/** The search goes by phases. */
export const phased = derived(() => (frame.get()?.phases ?? null) !== null)

const MODES: ColourMode[] = ['level', 'order', 'buffer', 'size', 'lifetime', 'waste']

/** What buffers can be coloured by: types of a model, phases of a search that has some, how often one of buffers placed them. */
export const colourModes = derived((): readonly ColourMode[] => [
  ...(operators.get() === null ? [] : (['type'] as const)),
  ...MODES,
  ...(phased.get() ? (['phase'] as const) : []),
  ...((placings.get()?.length ?? 0) > 0 ? (['churn'] as const) : []),
])

export const colour = derived((): ColourMode => {
  const choice = colourChoice.get()
  if (choice !== null && colourModes.get().includes(choice)) return choice
  if (operators.get() !== null) return 'type'
  return (problem.get()?.count ?? 0) >= RAMP_FROM ? 'level' : 'buffer'
})

const calm = derived(() => run.get().kind !== 'running' && (!playing.get() || speed.get() <= CALM_SPEED))

/**
 * What the canvas shows. The file's own plan while it is asked for; the best plan of a search that minimises; where nothing is placed, the buffers that do not fit, or, where the
 * load alone rules a plan out, the load instead of an empty plate; else the step.
 */
export const shownFrame = derived((): Frame | null => {
  const plan = filePlanShown.get() ?? planShown.get()
  if (plan !== null) return plan
  const now = frame.get()
  // no buffer has an address yet: the load tells more than an empty plate
  if (now?.situation !== undefined && !now.offset.some((offset) => offset >= 0)) return null
  const ends = now === null || (now.depth === 0 && (now.step === 0 || now.step === steps.get()))
  if (!ends) return now
  const set = stacked.get()
  if (set !== null) return planFrame(set, now?.step ?? 0, null)
  return tooMuch.get() === null ? now : null
})

/** Buffers with an offset in what is shown; a set that does not fit is no plan. */
export const placedCount = derived(() => (filePlanShown.get() ?? planShown.get() ?? frame.get())?.depth ?? 0)

/** The banks to be drawn: the profile's, or those that all buffers of the file have in common. */
export const banks = derived((): Scene['banks'] => {
  const [memory, given] = [profile.get(), problem.get()]
  if (memory !== null && memory.bank > 0) return { bytes: memory.bank, mayCross: memory.mayCross }
  const first = given?.bank[0] ?? 0
  return first > 0 && given?.bank.every((bank) => bank === first) ? { bytes: first, mayCross: false } : null
})

export const scene = derived((): Scene | null => {
  const [given, core, shown] = [problem.get(), manifest.get(), shownFrame.get()]
  if (given === null || core === null) return null
  return {
    problem: given,
    manifest: core,
    capacity: shownCapacity.get(),
    frame: shown,
    now: eventsAt(shown),
    overloaded: overloaded.get(),
    frontier: frontier.get(),
    theme: theme.get(),
    reducedMotion: reducedMotion.get(),
    colour: colour.get(),
    placed: placings.get(),
    calm: calm.get(),
    pinned: pinned.get(),
    lit: litNow.get(),
    operators: operators.get(),
    alsoPinned: alsoPinned.get(),
    matches: matches.get(),
    fragments: fragments.get(),
    measuring: measuring.get(),
    bounds: bounds.get(),
    limit: limit.get(),
    unfit: unfit.get(),
    banks: banks.get(),
    doomed: doomedBuffers.get(),
  }
})

// ---- the search and the step

/** What is shown was made by a solver of a model's graph: it puts operators in order, whatever it places. */
export const ordersOperators = derived(() => run.get().kind !== 'idle' && shownSolver.get()?.domain === 'graph')

/** What is shown was made by a solver that chooses which tensors live in fast memory. */
export const selects = derived(() => run.get().kind !== 'idle' && shownSolver.get()?.domain === 'selection')

/** The search goes in layers of states, and places nothing on its way. */
export const layered = derived(() => {
  if (!ordersOperators.get()) return false
  return beam.get() !== null || (frame.get()?.events.some(({ kind }) => kind === 'expand') ?? false)
})

/** How far the step shown is: buffers placed, or, of a solver of graphs, operators in order. */
export const progressWords = derived((): { done: number; of: number; what: string } => {
  const [open, now] = [opened.get(), frame.get()]
  if (!ordersOperators.get() || open?.model === undefined)
    return { done: placedCount.get(), of: open?.problem.count ?? 0, what: selects.get() ? 'in fast memory' : 'placed' }
  const layer = eventsAt(now).find((event) => event.kind === 'expand')?.layer
  return { done: layer ?? Math.max(0, frontier.get()), of: open.model.ops.count, what: 'operators in order' }
})

const along = derived((): Along => ({ marks: shownMarks.get(), range: shownRange.get(), turn: wrongTurn.get() }))

export const searchScene = derived((): SearchScene | null => {
  const [seen, core, given] = [overview.get(), manifest.get(), problem.get()]
  if (seen === null || core === null || given === null) return null
  const names = armNames.get()
  return {
    overview: seen,
    manifest: core,
    steps: steps.get(),
    count: given.count,
    cursor: cursor.get(),
    frame: frame.get(),
    running: run.get().kind === 'running',
    theme: theme.get(),
    armName: (arm) => (isCode(names[arm]) ? '' : (names[arm] ?? String(arm + 1))),
    armHint: (arm) => armHint(names[arm], arm),
    along: along.get(),
    over: stats.get()?.outcome === 'over-capacity',
    ...(layered.get() && { beam: beam.get(), passName }),
  }
})

export const told = derived(() => {
  // what is told of a step may change when these come
  moreWords.arrival.get()
  const [given, core, now] = [problem.get(), manifest.get(), frame.get()]
  if (given === null || core === null || now === null) return null
  return tell({
    problem: asEventsNumber(given),
    manifest: core,
    capacity: limitOf(given, eventsAt(now), limit.get()),
    frame: now,
    minimising: minimising.get(),
    operator: operatorName.get(),
    armName: armName.get(),
    arm: arm.get(),
  })
})

/** The buffer that the step shown is about, with the level it would have; null if it is about none. */
export const candidate = derived((): { buffer: number; offset: number; level: number; placed: boolean } | null => {
  const event = eventsAt(frame.get()).find(isStep)
  const spot = event === undefined ? null : spotOf(event)
  if (event === undefined || spot === null) return null
  const placed = spot.role === 'puts'
  return { buffer: spot.buffer, offset: spot.offset, level: event.depth + (placed ? 0 : 1), placed }
})
