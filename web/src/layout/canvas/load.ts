/** The load profile on the canvas: what is alive at each time, as columns. */
import type { Problem } from '../../../../wasm/client/types'
import type { Space } from './spaces'

export interface LoadColumns {
  count: number
  x: Float32Array
  w: Float32Array
  /** bytes */
  load: Float64Array
  /** section of the greatest load in the column */
  section: Uint32Array
}

/** Index of the first section that ends after `time`. O(log sections). */
export function sectionAfter(problem: Problem, time: number): number {
  const { count, upper } = problem.sections
  let lo = 0
  let hi = count
  while (lo < hi) {
    const mid = (lo + hi) >> 1
    if ((upper[mid] as number) > time) hi = mid
    else lo = mid + 1
  }
  return lo
}

/** Sections of which the one with the greatest load is remembered. */
const BLOCK = 256
const blocks = new WeakMap<Problem, Uint32Array>()

/** Of each block of sections the first with the greatest load. O(sections), cached per problem. */
function blocksOf(problem: Problem): Uint32Array {
  const known = blocks.get(problem)
  if (known) return known
  const { count, load } = problem.sections
  const made = new Uint32Array(Math.ceil(count / BLOCK))
  for (let k = 0; k < made.length; k++) made[k] = scan(load, k * BLOCK, Math.min(count, (k + 1) * BLOCK))
  blocks.set(problem, made)
  return made
}

function scan(load: Float64Array, from: number, to: number): number {
  let best = from
  for (let s = from + 1; s < to; s++) if ((load[s] as number) > (load[best] as number)) best = s
  return best
}

/** The first section in [from, to) with the greatest load. */
function greatest(problem: Problem, from: number, to: number): number {
  const { load } = problem.sections
  const first = Math.ceil(from / BLOCK)
  const last = Math.floor(to / BLOCK)
  if (first >= last) return scan(load, from, to)
  let best = scan(load, from, Math.max(from + 1, first * BLOCK))
  const better = (s: number): void => {
    if ((load[s] as number) > (load[best] as number)) best = s
  }
  const peaks = blocksOf(problem)
  for (let k = first; k < last; k++) better(peaks[k] as number)
  if (last * BLOCK < to) better(scan(load, last * BLOCK, to))
  return best
}

/** The first section in (from, end) that begins at x or right of it, else end. O(log of how far it is). */
function sectionAt(problem: Problem, space: Space, from: number, end: number, x: number): number {
  const { lower } = problem.sections
  const reaches = (s: number): boolean => space.x(lower[s] as number) >= x
  let step = 1
  while (from + step < end && !reaches(from + step)) step *= 2
  let lo = from + Math.floor(step / 2) + 1
  let hi = Math.min(end, from + step)
  while (lo < hi) {
    const mid = (lo + hi) >> 1
    if (reaches(mid)) hi = mid
    else lo = mid + 1
  }
  return hi
}

/**
 * Columns over the visible time: one per section, or, where sections are narrower than a pixel, one per pixel with the greatest load
 * in it, so that no peak is lost. O(pixels log sections), and O(sections) once per problem.
 */
export function loadColumns(problem: Problem, space: Space): LoadColumns {
  const { sections } = problem
  const { plate, view } = space
  const first = sectionAfter(problem, view.t0)
  const room = Math.min(Math.max(0, sections.count - first), 2 * Math.ceil(plate.w) + 4)
  const out: LoadColumns = {
    count: 0,
    x: new Float32Array(room),
    w: new Float32Array(room),
    load: new Float64Array(room),
    section: new Uint32Array(room),
  }
  const end = sectionAfter(problem, view.t1)
  const beyond = end < sections.count && (sections.lower[end] as number) < view.t1 ? end + 1 : end
  const left = (s: number): number => Math.max(plate.x, space.x(sections.lower[s] as number))
  const right = (s: number): number => Math.min(plate.x + plate.w, space.x(sections.upper[s] as number))
  for (let s = first; s < beyond; ) {
    const x0 = left(s)
    let next = s + 1
    if (right(s) - x0 < 1) {
      next = sectionAt(problem, space, s, beyond, Math.floor(x0) + 1)
      // the last one that begins in this pixel may reach far beyond it
      if (next > s + 1 && right(next - 1) - left(next - 1) >= 1) next--
    }
    const x1 = right(next - 1)
    if (x1 > x0) add(out, x0, x1, greatest(problem, s, next), sections.load)
    s = next
  }
  return out
}

function add(out: LoadColumns, x0: number, x1: number, section: number, load: Float64Array): void {
  if (out.count === out.x.length) return
  out.x[out.count] = x0
  out.w[out.count] = x1 - x0
  out.load[out.count] = load[section] as number
  out.section[out.count] = section
  out.count++
}
