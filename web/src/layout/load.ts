/** The load profile on the canvas: what is alive at each time, as columns. */
import type { Problem } from '../../../wasm/client/types'
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

/**
 * Columns over the visible time: one per section, or, where sections are narrower than a pixel, one per pixel with the greatest load
 * in it, so that no peak is lost. O(visible sections).
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
  for (let s = first; s < sections.count; s++) {
    const lower = sections.lower[s] as number
    if (lower >= view.t1) break
    const x0 = Math.max(plate.x, space.x(lower))
    const x1 = Math.min(plate.x + plate.w, space.x(sections.upper[s] as number))
    if (x1 > x0) add(out, x0, x1, sections.load[s] as number, s)
  }
  return out
}

function add(out: LoadColumns, x0: number, x1: number, load: number, section: number): void {
  const k = out.count - 1
  const thin = x1 - x0 < 1
  if (thin && k >= 0 && Math.floor(out.x[k] as number) === Math.floor(x0) && (out.w[k] as number) <= 1) {
    out.w[k] = Math.max(out.w[k] as number, x1 - (out.x[k] as number))
    if (load > (out.load[k] as number)) {
      out.load[k] = load
      out.section[k] = section
    }
    return
  }
  if (out.count === out.x.length) return
  out.x[out.count] = x0
  out.w[out.count] = x1 - x0
  out.load[out.count] = load
  out.section[out.count] = section
  out.count++
}
