/** The whole search as pixel columns: levels above the line, levels taken back below it. */
import type { Overview } from '../../../../wasm/client/types'
import { memo } from '../../base/memo'
import type { SearchScene } from '../scene'

/** Searches shorter than this are drawn step by step. */
export const POLYLINE_BELOW = 200
const BUCKETS = 4096

export interface TraceColumns {
  count: number
  /** 1: the column holds at least one step */
  used: Uint8Array
  min: Float64Array
  max: Float64Array
  last: Float64Array
  undone: Float64Array
  major: Uint8Array
  /** most levels taken back at once anywhere */
  mostUndone: number
  deepest: number
}

/**
 * Steps the axis spans. While a run goes on it is the next power of two, at least 256, so that the trace grows into free room instead
 * of shrinking with every step.
 */
export function axisSteps(overview: Overview, steps: number, running: boolean): number {
  const taken = Math.max(1, steps)
  if (!running) return taken
  let span = 256
  while (span < taken) span *= 2
  return Math.min(span, Math.max(taken, overview.width * BUCKETS))
}

/** Step under a position 0..1 of the axis, 0..steps. */
export function stepAt(share: number, axis: number, steps: number): number {
  const step = Math.round(share * axis)
  return step >= 0 ? Math.min(step, steps) : 0
}

/**
 * Min, max and most undone per pixel column; `minor` counts by bucket what the solver calls minor backtracks: one level each.
 * O(buckets + columns).
 */
export function traceColumns(
  overview: Overview,
  steps: number,
  axis: number,
  columns: number,
  minor?: Uint32Array,
): TraceColumns {
  const n = Math.max(1, Math.floor(columns))
  const out: TraceColumns = {
    count: n,
    used: new Uint8Array(n),
    min: new Float64Array(n),
    max: new Float64Array(n),
    last: new Float64Array(n),
    undone: new Float64Array(n),
    major: new Uint8Array(n),
    mostUndone: 0,
    deepest: 0,
  }
  const width = overview.width > 0 ? overview.width : 1
  for (let k = 0; k < overview.count; k++) {
    const first = k * width + 1
    if (first > steps) break
    const c0 = columnOf(first - 1, axis, n)
    // A bucket wider than a column covers several: each shows its range, so the trace has no holes.
    const c1 = columnOf(Math.min((k + 1) * width, steps) - 1, axis, n)
    for (let c = c0; c <= c1; c++) spread(out, c, overview, k, c === c0, minor?.[k] ? 1 : 0)
  }
  return out
}

function columnOf(step: number, axis: number, columns: number): number {
  return Math.max(0, Math.min(columns - 1, Math.floor((step / axis) * columns)))
}

function spread(out: TraceColumns, c: number, overview: Overview, k: number, first: boolean, least: number): void {
  const lo = overview.minDepth[k] as number
  const hi = overview.maxDepth[k] as number
  out.min[c] = out.used[c] ? Math.min(out.min[c] as number, lo) : lo
  out.max[c] = out.used[c] ? Math.max(out.max[c] as number, hi) : hi
  out.last[c] = overview.lastDepth[k] as number
  out.used[c] = 1
  out.deepest = Math.max(out.deepest, hi)
  if (!first) return
  const undone = Math.max(least, overview.maxUndone[k] as number)
  out.undone[c] = Math.max(out.undone[c] as number, undone)
  if ((overview.major[k] as number) > 0) out.major[c] = 1
  out.mostUndone = Math.max(out.mostUndone, undone)
}

export interface TraceMark {
  x: number
  kind: 'restart' | 'incumbent'
  /** '' where there is no room for a name */
  name: string
}

/** Room a name of so many characters needs to the next mark, in CSS pixels. */
const NAME_ROOM = 32

/** Restart and incumbent marks at most one per pixel and kind; x within [0, width]. */
export function traceMarks(
  overview: Overview,
  axis: number,
  width: number,
  armName: (arm: number) => string,
): TraceMark[] {
  const marks: TraceMark[] = []
  for (const mark of overview.marks) {
    if (mark.kind === 'decompose') continue
    // A restart opens its step, an incumbent is what a step ends with.
    const x = (Math.max(0, mark.kind === 'restart' ? mark.step - 1 : mark.step) / axis) * width
    const before = marks[marks.length - 1]
    if (before && before.kind === mark.kind && x - before.x < 1) continue
    marks.push({ x, kind: mark.kind, name: mark.kind === 'restart' ? armName(mark.value) : '' })
  }
  let next = width
  for (let k = marks.length - 1; k >= 0; k--) {
    const mark = marks[k] as TraceMark
    if (mark.kind !== 'restart') continue
    if (next - mark.x < Math.max(NAME_ROOM, mark.name.length * 6.6 + 8)) mark.name = ''
    next = mark.x
  }
  return marks
}

/** Most levels that were ever placed, at least one: kept for as long as the overview is the same one. O(buckets). */
export const deepestOf = memo((overview: Overview): number => {
  let most = 1
  for (let k = 0; k < overview.count; k++) most = Math.max(most, overview.maxDepth[k] as number)
  return most
})

/** It is drawn step by step. */
export function isShort(scene: SearchScene): boolean {
  return scene.beam === undefined && !scene.running && scene.steps < POLYLINE_BELOW && scene.overview.width <= 1
}
