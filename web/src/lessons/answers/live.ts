/** Small questions to what is shown. All are total: what is not there is -1 or an empty list. */
import type { EventKind, EventOf, Problem, SearchEvent } from '../../../../wasm/client/types'
import type { Live, OtherRun, Wanted } from '../lesson'

export function indexOf(problem: Problem, id: string): number {
  return problem.ids.indexOf(id)
}

export function idOf(problem: Problem, buffer: number): string {
  return problem.ids.at(buffer) ?? ''
}

export function sizeOf(live: Live, id: string): number {
  return live.problem.size[indexOf(live.problem, id)] ?? -1
}

export function overlap(problem: Problem, x: number, y: number): boolean {
  const [xl = 0, xu = 0, yl = 0, yu = 0] = [problem.lower[x], problem.upper[x], problem.lower[y], problem.upper[y]]
  return xl < yu && yl < xu
}

/** Offset at the step shown, -1: not placed. */
export function offsetAt(live: Live, id: string): number {
  return live.frame?.offset[indexOf(live.problem, id)] ?? -1
}

/** Offset in the plan that was found. */
export function offsetOf(live: Live, id: string): number {
  return live.best?.[indexOf(live.problem, id)] ?? -1
}

/** Top of what is placed at the step shown. */
export function heightShown(live: Live): number {
  const { frame, problem } = live
  if (frame === null) return 0
  return Math.max(0, ...[...frame.stack].map((k) => (frame.offset[k] ?? 0) + (problem.size[k] ?? 0)))
}

export function totalSize(problem: Problem): number {
  return problem.size.reduce((sum, size) => sum + size, 0)
}

export function loadOf(problem: Problem, section: number): number {
  return problem.sections.load[section] ?? 0
}

/** "[3, 9)" */
export function spanOf(problem: Problem, section: number): string {
  const { lower, upper } = problem.sections
  return `[${lower[section]}, ${upper[section]})`
}

/** The buffers that are alive throughout a section. */
export function membersOf(problem: Problem, section: number): number[] {
  const { lower, upper } = problem.sections
  const [from = 0, to = 0] = [lower[section], upper[section]]
  return [...problem.ids.keys()].filter((k) => (problem.lower[k] ?? 0) <= from && to <= (problem.upper[k] ?? 0))
}

/** The section that holds a time. */
export function sectionAt(problem: Problem, time: number): number {
  const { count, lower, upper } = problem.sections
  for (let k = 0; k < count; k++) if ((lower[k] ?? 0) <= time && time < (upper[k] ?? 0)) return k
  return -1
}

function fits<K extends EventKind>(live: Live, event: SearchEvent, wanted: Wanted<K>): event is EventOf<K> {
  if (event.kind !== wanted.event) return false
  const rule = 'rule' in event ? live.manifest.rules[event.rule]?.id : undefined
  if (wanted.rule !== undefined && rule !== wanted.rule) return false
  const buffer = 'buffer' in event ? idOf(live.problem, event.buffer) : undefined
  if (wanted.buffer !== undefined && buffer !== wanted.buffer) return false
  return wanted.major === undefined || ('major' in event && event.major === wanted.major)
}

export function eventsLike<K extends EventKind>(live: Live, wanted: Wanted<K>): EventOf<K>[] {
  return live.events.filter((event) => fits(live, event, wanted))
}

export function eventLike<K extends EventKind>(live: Live, wanted: Wanted<K>): EventOf<K> | null {
  return eventsLike(live, wanted)[(wanted.nth ?? 1) - 1] ?? null
}

/** The event of a kind at the step shown. */
export function eventNow<K extends EventKind>(live: Live, wanted: Wanted<K>): EventOf<K> | null {
  const now = live.frame?.events.filter((event) => event.step === live.frame?.step) ?? []
  return now.find((event) => fits(live, event, wanted)) ?? null
}

/** A number that an event says. */
export function argOf<N extends string>(event: Record<N, number> | null, name: N): number {
  return event === null ? -1 : event[name]
}

export function stepOf(live: Live, at: number | Wanted | undefined): number {
  const end = live.stats?.steps ?? 0
  if (at === undefined) return end
  return typeof at === 'number' ? at : (eventLike(live, at)?.step ?? end)
}

export function other(live: Live, name: string) {
  return live.others?.find((one) => one.name === name)
}

/** The least capacity among the runs beside the one shown at which there is a plan; -1: none, or not known yet. */
export function leastFit(live: Live): number {
  const fit = live.others?.filter(({ outcome }) => outcome === 'feasible' || outcome === 'optimal') ?? []
  return fit.length === 0 ? -1 : Math.min(...fit.map(({ capacity }) => capacity))
}

/** The same run at each capacity of a range. */
export function sweep(
  solver: string,
  from: number,
  to: number,
  by = 1,
  options: Record<string, string> = {},
): OtherRun[] {
  const count = Math.floor((to - from) / by) + 1
  return Array.from({ length: count }, (_, k) => {
    const capacity = from + k * by
    return { name: String(capacity), config: { solver, capacity, options } }
  })
}
