/** What follows from the atoms: computed when asked for, remembered, never stored. */
import { isStep, spotOf } from '../../../wasm/client/events'
import type {
  Bounds,
  Frame,
  Goal,
  Overview,
  Problem,
  RunConfig,
  RunResult,
  RunStats,
  SolverInfo,
} from '../../../wasm/client/types'
import type { Along, ColourMode, Operators, OpMarks, Scene, SearchScene } from '../layout/scene'
import { type ByteUnit, byteUnit } from '../base/format'
import { Derived } from '../base/atom'
import { Later } from '../base/later'
import { armNamesOf } from './solver/arms'
import * as a from './atoms'
import * as canvas from './canvas/canvas'
import { alsoPinned, matches } from './canvas/canvas'
import { givenPlan } from './model/given_plan'
import { doomedBuffers, wrongTurn } from './marks/hindsight'
import { shownMarks, shownRange } from './marks/marks'
import { overload } from './problem/overload'
import { planFrame } from './solver/plan_frame'
import { moreWords, tell } from './step/sentence'
import * as ui from './ui'
import { stackUnfit } from './solver/unfit'

/** From this many buffers on colours follow the level, below it each buffer has its own. */
const RAMP_FROM = 100
/** Motion may ease up to this speed, in steps per second. */
const CALM_SPEED = 4

export const problem = new Derived([a.opened], (opened): Problem | null => opened?.problem ?? null)

export const result = new Derived([a.run], (run): RunResult | null =>
  run.kind === 'ended' || run.kind === 'cancelled' ? run.result : null,
)

export const stats = new Derived([a.run], (run): RunStats | null => {
  if (run.kind === 'running') return run.progress?.stats ?? null
  return run.kind === 'ended' || run.kind === 'cancelled' ? run.result.stats : null
})

export const overview = new Derived([a.run], (run): Overview | null => {
  if (run.kind === 'running') return run.progress?.overview ?? null
  return run.kind === 'ended' || run.kind === 'cancelled' ? run.result.overview : null
})

/** Steps that can be shown. */
export const steps = new Derived([stats], (stats) => stats?.steps ?? 0)

/** Bytes of what is shown: the run's own capacity if there is a run, else that of the form. */
export const shownCapacity = new Derived([a.run, a.capacity], (run, capacity) =>
  run.kind === 'idle' ? capacity : run.config.capacity,
)

/** The unit in which all amounts of this problem are written. */
export const unit = new Derived([shownCapacity], (capacity): ByteUnit => byteUnit(capacity))

export const solverInfo = new Derived([a.manifest, a.solver], (manifest, solver): SolverInfo | null => {
  const list = manifest?.solvers ?? []
  return list.find((info) => info.id === solver) ?? list[0] ?? null
})

/** The solver of the run that is shown. */
export const shownSolver = new Derived([a.manifest, a.run, solverInfo], (manifest, run, chosen): SolverInfo | null => {
  if (run.kind === 'idle') return chosen
  return manifest?.solvers.find((info) => info.id === run.config.solver) ?? null
})

/** Whether one is above the limit. A plain loop: with a million values a call for each would be felt. */
function anyAbove(values: Float64Array, limit: number): boolean {
  for (let k = 0; k < values.length; k++) if ((values[k] as number) > limit) return true
  return false
}

/** Whether a solver takes buffers; the others schedule a model's graph. */
export const takesBuffers = ({ domain }: SolverInfo): boolean => domain === 'buffers'

/** What the problem asks for and the solver does not honour, in words; empty: it takes the problem. O(buffers). */
export function lacking(solver: SolverInfo, problem: Problem): string[] {
  const { supports } = solver
  const lacks: [string, boolean][] = [
    ['alignment', !supports.alignment && anyAbove(problem.alignment, 1)],
    ['bank boundaries', !supports.banks && anyAbove(problem.bank, 0)],
    ['fixed offsets', !supports.fixed && anyAbove(problem.fixed, -1)],
    ['gaps', !supports.gaps && problem.gaps.length > 0],
    [
      'gaps with windows',
      supports.gaps && !supports.windows && problem.gaps.some((g) => g.windowLower < g.windowUpper),
    ],
  ]
  return lacks.filter(([, lack]) => lack).map(([name]) => name)
}

/** What stands between the chosen solver and this problem. */
export const obstacles = new Derived([solverInfo, problem], (solver, problem) =>
  solver === null || problem === null ? [] : lacking(solver, problem),
)

/** What a run is after. */
export const goalOf = ({ goal }: Pick<RunConfig, 'goal'>): Goal => goal ?? 'fit'

/** What the next run is after: what was asked for, if its solver can be asked for that. */
export const goalChosen = new Derived([solverInfo, a.goal], (solver, goal) =>
  solver?.goals.includes(goal) ? goal : 'fit',
)

/** The form was changed since the run that is shown. */
export const stale = new Derived(
  [a.run, a.capacity, a.solver, goalChosen, a.options, a.seed, a.budget, a.verdict],
  (run, capacity, solver, chosen, options, seed, budget, verdict) => {
    if (run.kind === 'idle' || run.kind === 'running') return false
    const { config } = run
    const now = JSON.stringify(Object.entries(options[solver] ?? {}).sort())
    const then = JSON.stringify(Object.entries(config.options).sort())
    return (
      config.capacity !== capacity ||
      config.solver !== solver ||
      config.seed !== seed ||
      goalOf(config) !== chosen ||
      // a link's run is taken as far as the link goes, whatever its budget
      (config.budget !== budget && verdict === null) ||
      now !== then
    )
  },
)

/** Can be asked for the least height. */
export const canMinimise = new Derived([solverInfo], (solver) => solver?.goals.includes('height') ?? false)

/** What is chosen for the next run. */
export const minimiseChosen = new Derived([goalChosen], (goal) => goal === 'height')

/** What is shown looks for the least height: the run, or without one what is chosen. */
export const minimising = new Derived([a.run, minimiseChosen], (run, chosen) =>
  run.kind === 'idle' ? chosen : goalOf(run.config) === 'height',
)

/** What the least height is known to be between, at the step shown; null unless the run minimises. */
export const bounds = new Derived(
  [a.run, a.frame, minimising, stats],
  (run, frame, minimising, stats): Bounds | null => {
    if (!minimising || run.kind === 'idle') return null
    return (run.kind === 'running' ? stats : frame?.bounds) ?? null
  },
)

/** What is worked out of a model's operators. No model is opened before it is there. */
export const ofModels = new Later(() => import('./model/operators'))

const modelPart = new Derived([ofModels.arrival], (now) => (now.kind === 'there' ? now.part : null))

/** Why the load alone rules a plan out, null if it does not (or if the height is what is looked for). */
export const tooMuch = new Derived(
  [problem, shownCapacity, minimising, a.opened, modelPart],
  (problem, capacity, minimising, opened, part) => {
    const model = opened?.model
    const runs = (time: number) =>
      model !== undefined && time < model.ops.count ? (part?.opName(model, time) ?? '') : ''
    return problem === null || minimising ? null : overload(problem, capacity, runs)
  },
)

/** The limit of the probe under way; null if none of the events at hand begins it. */
export function probed(frame: Frame | null): number | null {
  const probes = frame?.events.filter((event) => event.kind === 'probe') ?? []
  return probes.findLast((event) => event.step <= (frame?.step ?? 0))?.capacity ?? null
}

/** What the search may not exceed at the step shown; null: not known. */
export const limit = new Derived([shownCapacity, minimising, a.frame], (capacity, minimising, frame) =>
  minimising ? probed(frame) : capacity,
)

/** The set of the explanation that is looked at; empty: none. */
export const unfit = new Derived([a.why, a.whyShown, shownCapacity], (why, shown, capacity): number[] =>
  why.kind === 'known' && shown && why.capacity === capacity ? why.explanation.buffers : NOBODY,
)
const NOBODY: number[] = []

const armNames = new Derived([shownSolver, a.run], (solver, run): string[] =>
  armNamesOf(solver, run.kind === 'idle' ? { options: {} } : run.config),
)

export const armName = new Derived([armNames], (names) => (arm: number) => names[arm] ?? String(arm + 1))

/** The arm under way at the step shown: that of the last restart up to it. */
const arm = new Derived([a.frame, overview, armName, armNames], (frame, overview, armName, names): string => {
  const at = frame?.step ?? 0
  const mark = overview?.marks.findLast((m) => m.kind === 'restart' && m.step <= at)
  return mark === undefined ? (names[0] ?? '') : armName(mark.value)
})

/** Of a model: the operators' names by their rows. */
const operatorNames = new Derived([a.opened], (opened): string[] => {
  const names: string[] = []
  const ops = opened?.model?.ops
  for (let k = 0; ops !== undefined && k < ops.count; k++) names[ops.row[k] ?? k] = ops.ids[k] ?? ''
  return names
})

const operatorName = new Derived([operatorNames], (names) => (row: number) => names[row] ?? String(row))

/** Of a model: who makes and reads what. */
export const operators = new Derived([a.opened, modelPart], (opened, part): Operators | null =>
  opened?.model === undefined || part === null ? null : part.operatorsOf(opened.model, opened.problem),
)

/** The search goes by phases. */
export const phased = new Derived([a.frame], (frame) => (frame?.phases ?? null) !== null)

export const colour = new Derived(
  [ui.colourChoice, problem, operators, phased],
  (choice, problem, operators, phased): ColourMode => {
    const can = (choice !== 'type' || operators !== null) && (choice !== 'phase' || phased)
    if (choice !== null && can) return choice
    if (operators !== null) return 'type'
    return (problem?.count ?? 0) >= RAMP_FROM ? 'level' : 'buffer'
  },
)

/** What came with the file that is open; null: it came from no imported file. */
export const fileOpen = new Derived([a.opened, a.imported], (opened, imported) =>
  opened !== null && imported?.text === opened.text ? imported : null,
)

/** The plan that it brought along, for the buffers of this lowering. */
export const filePlan = new Derived([fileOpen, problem, operators], (file, problem, operators) =>
  problem === null || file === null || file.plan === null ? null : givenPlan(problem, operators, file.plan.offsets),
)

/** The operator that is looked at: under the pointer, else the chosen one, else -1. */
const lookedAt = new Derived([ui.hoveredOp, ui.pickedOp], (hovered, picked) => hovered?.op ?? picked)

/** Lit on the canvas: what a panel names, else what the operator that is looked at reads and writes. */
const lit = new Derived([ui.lit, lookedAt, operators, modelPart], (lit, op, operators, part) => {
  if (lit !== ui.NOTHING_LIT || operators === null || part === null) return lit
  if (op < 0 || op >= operators.shade.length) return lit
  const { inputs, outputs } = part.buffersOf(operators.model, op)
  return { buffers: outputs, section: -1, inputs }
})

/** The buffer that is looked at: under the pointer, lit alone, or pinned; else -1. */
const bufferLookedAt = new Derived([ui.hovered, ui.lit, ui.pinned], (hovered, lit, pinned) => {
  const alone = lit.buffers.length === 1 ? (lit.buffers[0] ?? -1) : -1
  return hovered?.buffer ?? (alone >= 0 ? alone : pinned)
})

/** What the operator strip points out: the operator looked at, and who makes and reads the buffer looked at. */
export const opMarks = new Derived(
  [lookedAt, ui.hoveredOp, bufferLookedAt, operators, modelPart],
  (op, hovered, buffer, operators, part): OpMarks => {
    const none = operators === null || part === null || hovered !== null || buffer < 0
    if (none || buffer >= operators.maker.length) return { current: op, makes: [], reads: [] }
    const maker = operators.maker[buffer] ?? -1
    return { current: op, makes: maker < 0 ? [] : [maker], reads: part.readersAt(operators, buffer) }
  },
)

const calm = new Derived([a.playing, a.speed, a.run], (playing, speed, run) => {
  return run.kind !== 'running' && (!playing || speed <= CALM_SPEED)
})

const overloaded = new Derived([tooMuch], (tooMuch) => tooMuch?.section ?? -1)

const tools = new Derived(
  [alsoPinned, matches, canvas.fragments, canvas.measuring],
  (alsoPinned, matches, fragments, measuring) => ({ alsoPinned, matches, fragments, measuring }),
)

const look = new Derived(
  [ui.theme, ui.reducedMotion, colour, calm, ui.pinned, lit, operators, tools],
  (theme, reducedMotion, colour, calm, pinned, lit, operators, tools) => ({
    ...tools,
    theme,
    reducedMotion,
    colour,
    calm,
    pinned,
    lit,
    operators,
  }),
)

/** The set of an explanation, on top of each other: null if it is too large for a picture. */
const stacked = new Derived([problem, unfit], (problem, set) => (problem === null ? null : stackUnfit(problem, set)))

/** The best plan of a search for the least height: while it runs, and where it has ended. */
const bestPlan = new Derived([a.run, minimising, a.cursor], (run, minimising, cursor) => {
  if (!minimising) return null
  if (run.kind === 'running') return run.plan
  if (run.kind !== 'ended' && run.kind !== 'cancelled') return null
  return cursor === run.result.stats.steps ? run.result.best : null
})

const planShown = new Derived([bestPlan, steps, bounds], (plan, steps, bounds) =>
  plan === null ? null : planFrame(plan, steps, bounds),
)

const filePlanShown = new Derived([filePlan, ui.planShownFrom], (plan, from) =>
  plan === null || from !== 'file' ? null : planFrame(plan.offset, 0, null),
)

/**
 * What the canvas shows. The file's own plan while it is asked for; the best plan of a search that minimises; where nothing is placed, the buffers that do not fit, or, where the
 * load alone rules a plan out, the load instead of an empty plate; else the step.
 */
export const shownFrame = new Derived(
  [a.frame, tooMuch, steps, stacked, planShown, filePlanShown],
  (frame, tooMuch, steps, stacked, planShown, filePlanShown): Frame | null => {
    if (filePlanShown !== null) return filePlanShown
    if (planShown !== null) return planShown
    const ends = frame === null || (frame.depth === 0 && (frame.step === 0 || frame.step === steps))
    if (!ends) return frame
    if (stacked !== null) return planFrame(stacked, frame?.step ?? 0, null)
    return tooMuch === null ? frame : null
  },
)

/** Buffers with an offset in what is shown; a set that does not fit is no plan. */
export const placedCount = new Derived(
  [a.frame, planShown, filePlanShown],
  (frame, plan, file) => (file ?? plan ?? frame)?.depth ?? 0,
)

/** The banks to be drawn: the profile's, or those that all buffers of the file have in common. */
export const banks = new Derived([a.profile, problem], (profile, problem): Scene['banks'] => {
  if (profile !== null && profile.bank > 0) return { bytes: profile.bank, mayCross: profile.mayCross }
  const first = problem?.bank[0] ?? 0
  return first > 0 && problem?.bank.every((bank) => bank === first) ? { bytes: first, mayCross: false } : null
})

const shownLimits = new Derived(
  [bounds, limit, unfit, banks, doomedBuffers],
  (bounds, limit, unfit, banks, doomed) => ({ bounds, limit, unfit, banks, doomed }),
)

export const scene = new Derived(
  [problem, a.manifest, shownCapacity, shownFrame, overloaded, look, shownLimits],
  (problem, manifest, capacity, frame, overloaded, look, limits): Scene | null => {
    if (problem === null || manifest === null) return null
    return { problem, manifest, capacity, frame, now: a.eventsAt(frame), overloaded, ...look, ...limits }
  },
)

const along = new Derived([shownMarks, shownRange, wrongTurn], (marks, range, turn): Along => ({ marks, range, turn }))

export const searchScene = new Derived(
  [overview, a.manifest, steps, problem, a.cursor, a.frame, a.run, ui.theme, armName, along],
  (overview, manifest, steps, problem, cursor, frame, run, theme, armName, along): SearchScene | null => {
    if (overview === null || manifest === null || problem === null) return null
    const running = run.kind === 'running'
    return { overview, manifest, steps, count: problem.count, cursor, frame, running, theme, armName, along }
  },
)

export const told = new Derived(
  // the last: what is told of a step may change when it comes
  [problem, a.manifest, limit, a.frame, armName, arm, minimising, operatorName, moreWords.arrival],
  (problem, manifest, capacity, frame, armName, arm, minimising, operator) =>
    problem === null || manifest === null || frame === null
      ? null
      : tell({ problem, manifest, capacity, frame, minimising, operator, armName, arm }),
)

/** The buffer that the step shown is about, with the level it would have; null if it is about none. */
export const candidate = new Derived(
  [a.frame],
  (frame): { buffer: number; offset: number; level: number; placed: boolean } | null => {
    const event = a.eventsAt(frame).find(isStep)
    const spot = event === undefined ? null : spotOf(event)
    if (event === undefined || spot === null) return null
    const placed = spot.role === 'puts'
    return { buffer: spot.buffer, offset: spot.offset, level: event.depth + (placed ? 0 : 1), placed }
  },
)
