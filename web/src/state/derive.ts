/** What follows from the atoms: computed when asked for, remembered, never stored. */
import type { Overview, Problem, RunResult, RunStats, SolverInfo } from '../../../wasm/client/types'
import type { ColourMode, Scene, SearchScene } from '../layout/scene'
import { type ByteUnit, byteUnit } from '../base/format'
import { Derived } from '../base/atom'
import * as a from './atoms'
import { overload, tell } from './sentence'
import * as ui from './ui'

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

/** What the problem asks for and the solver does not honour, in words; empty: it takes the problem. O(buffers). */
export function lacking(solver: SolverInfo, problem: Problem): string[] {
  const { supports } = solver
  const lacks: [string, boolean][] = [
    ['alignment', !supports.alignment && problem.alignment.some((a) => a > 1)],
    ['fixed offsets', !supports.fixed && problem.fixed.some((offset) => offset >= 0)],
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

/** The form was changed since the run that is shown. */
export const stale = new Derived(
  [a.run, a.capacity, a.solver, a.options, a.seed, a.budget, a.verdict],
  (run, capacity, solver, options, seed, budget, verdict) => {
    if (run.kind === 'idle' || run.kind === 'running') return false
    const { config } = run
    const now = JSON.stringify(Object.entries(options[solver] ?? {}).sort())
    const then = JSON.stringify(Object.entries(config.options).sort())
    return (
      config.capacity !== capacity ||
      config.solver !== solver ||
      config.seed !== seed ||
      // a link's run is taken as far as the link goes, whatever its budget
      (config.budget !== budget && verdict === null) ||
      now !== then
    )
  },
)

/** Why the load alone rules a plan out, null if it does not. */
export const tooMuch = new Derived([problem, shownCapacity], (problem, capacity) =>
  problem === null ? null : overload(problem, capacity),
)

const armNames = new Derived([shownSolver, a.run], (solver, run): string[] => {
  const option = solver?.options.find((o) => o.name === 'preordering_heuristics')
  if (option === undefined) return []
  const value = run.kind === 'idle' ? undefined : run.config.options[option.name]
  return (value ?? option.initial).split(',').map((name) => name.trim())
})

export const armName = new Derived([armNames], (names) => (arm: number) => names[arm] ?? String(arm + 1))

export const colour = new Derived([ui.colourChoice, problem], (choice, problem): ColourMode => {
  return choice ?? ((problem?.count ?? 0) >= RAMP_FROM ? 'level' : 'buffer')
})

const calm = new Derived([a.playing, a.speed, a.run], (playing, speed, run) => {
  return run.kind !== 'running' && (!playing || speed <= CALM_SPEED)
})

const overloaded = new Derived([tooMuch], (tooMuch) => tooMuch?.section ?? -1)

const look = new Derived(
  [ui.theme, ui.reducedMotion, colour, calm, ui.pinned, ui.lit],
  (theme, reducedMotion, colour, calm, pinned, lit) => ({ theme, reducedMotion, colour, calm, pinned, lit }),
)

/** Where the load alone rules a plan out, the beginning and the end of the search show the load instead of an empty plate. */
const shownFrame = new Derived([a.frame, tooMuch, steps], (frame, tooMuch, steps) =>
  tooMuch !== null && frame !== null && frame.depth === 0 && (frame.step === 0 || frame.step === steps) ? null : frame,
)

export const scene = new Derived(
  [problem, a.manifest, shownCapacity, shownFrame, overloaded, look],
  (problem, manifest, capacity, frame, overloaded, look): Scene | null => {
    if (problem === null || manifest === null) return null
    return { problem, manifest, capacity, frame, now: a.eventsAt(frame), overloaded, ...look }
  },
)

export const searchScene = new Derived(
  [overview, a.manifest, steps, problem, a.cursor, a.frame, a.run, ui.theme, armName],
  (overview, manifest, steps, problem, cursor, frame, run, theme, armName): SearchScene | null => {
    if (overview === null || manifest === null || problem === null) return null
    const running = run.kind === 'running'
    return { overview, manifest, steps, count: problem.count, cursor, frame, running, theme, armName }
  },
)

export const told = new Derived(
  [problem, a.manifest, shownCapacity, a.frame, armName],
  (problem, manifest, capacity, frame, armName) =>
    problem === null || manifest === null || frame === null
      ? null
      : tell({ problem, manifest, capacity, frame, armName }),
)

/** The buffer that the step shown is about, with the level it would have; null if it is about none. */
export const candidate = new Derived(
  [a.frame],
  (frame): { buffer: number; offset: number; level: number; placed: boolean } | null => {
    const event = a.eventsAt(frame).find((e) => e.id === 'place' || e.id === 'reject' || e.id === 'skip')
    if (event === undefined) return null
    const placed = event.id === 'place'
    return { buffer: event.args[0], offset: event.args[1], level: placed ? event.depth : event.depth + 1, placed }
  },
)
