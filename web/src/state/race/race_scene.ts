/** What the canvases of a column show: the page's scene with the run of that column in it. */
import type { Bounds, Frame, Problem } from '../../../../wasm/client/types'
import { memo } from '../../base/memo'
import type { Along, Scene, SearchScene } from '../../layout/scene'
import { armNamesOf, isCode } from '../solver/arms'
import { goalOf, probed } from '../workbench'
import { planFrame } from '../solver/plan_frame'
import { eventsAt, type RunState } from '../workbench_values'

export interface LaneView {
  run: RunState
  cursor: number
  frame: Frame | null
  /** of the next run, while there is none */
  capacity: number
}

const nobody: number[] = []
/** Marks and ranges are of the page's own run. */
const NOTHING_ALONG: Along = { marks: [], range: null, turn: -1 }

/** The section whose load alone rules a plan out, -1 if none does. */
function overloadedSection({ peak, sections }: Problem, capacity: number): number {
  return peak >= 0 && (sections.load[peak] ?? 0) > capacity ? peak : -1
}

/** Remembers the frame that it made of a plan, so that a canvas sees when it is another one. */
export function laneScenes(): (base: Scene, lane: LaneView, calm: boolean) => Scene {
  const plan = memo(planFrame)
  return (base, lane, calm) => {
    const { run } = lane
    const capacity = run.kind === 'idle' ? lane.capacity : run.config.capacity
    const least = run.kind !== 'idle' && goalOf(run.config) === 'height'
    const over = least ? -1 : overloadedSection(base.problem, capacity)
    const bounds = least ? boundsOf(lane) : null
    const best = least || noteOf(run) !== undefined ? planOf(lane) : null
    const frame = best === null ? stepOf(lane, over >= 0) : plan(best, lane.cursor, bounds)
    return {
      ...base,
      capacity,
      frame,
      now: eventsAt(frame),
      calm: calm && run.kind !== 'running',
      overloaded: over,
      frontier: -1,
      bounds,
      limit: least ? probed(frame) : capacity,
      unfit: nobody,
      doomed: nobody,
    }
  }
}

/** Of a solver that is not ours; it has a plan and no steps. */
const noteOf = (run: RunState) => (run.kind === 'ended' || run.kind === 'cancelled' ? run.result.note : undefined)

function boundsOf({ run, frame }: LaneView): Bounds | null {
  return (run.kind === 'running' ? run.progress?.stats : frame?.bounds) ?? null
}

function planOf({ run, cursor }: LaneView): Float64Array<ArrayBuffer> | null {
  if (run.kind === 'running') return run.plan
  if (run.kind !== 'ended' && run.kind !== 'cancelled') return null
  return cursor === run.result.stats.steps ? run.result.best : null
}

/** The step; where nothing is placed and the load alone rules a plan out, the load instead of an empty plate. */
function stepOf({ run, frame }: LaneView, overloaded: boolean): Frame | null {
  const steps = run.kind === 'ended' || run.kind === 'cancelled' ? run.result.stats.steps : 0
  const ends = frame === null || (frame.depth === 0 && (frame.step === 0 || frame.step === steps))
  return ends && overloaded ? null : frame
}

/** null while nothing is known of the search. */
export function laneSearch(base: Scene, { run, cursor, frame }: LaneView): SearchScene | null {
  if (run.kind === 'idle' || run.kind === 'failed' || noteOf(run) !== undefined) return null
  const told = run.kind === 'running' ? run.progress : run.result
  if (told === null) return null
  const { manifest, problem, theme } = base
  const solver = manifest.solvers.find(({ id }) => id === run.config.solver) ?? null
  const names = armNamesOf(solver, run.config)
  return {
    overview: told.overview,
    manifest,
    steps: told.stats.steps,
    count: problem.count,
    cursor,
    frame,
    running: run.kind === 'running',
    theme,
    armName: (arm) => (isCode(names[arm]) ? '' : (names[arm] ?? String(arm + 1))),
    along: NOTHING_ALONG,
    over: told.stats.outcome === 'over-capacity',
  }
}
