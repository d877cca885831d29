/** A plan as a frame: for what no step of the search shows, such as the best plan while its bounds close. */
import type { Bounds, Frame } from '../../../wasm/client/types'

/** offsets: -1 where the plan leaves a buffer out. Levels follow the offsets, so that colours make strata. O(n log n). */
export function planFrame(offsets: Float64Array<ArrayBuffer>, step: number, bounds: Bounds | null): Frame {
  const placed = [...offsets.keys()].filter((k) => (offsets[k] ?? -1) >= 0)
  const stack = Uint32Array.from(placed.sort((x, y) => (offsets[x] ?? 0) - (offsets[y] ?? 0) || x - y))
  const level = new Int32Array(offsets.length)
  stack.forEach((buffer, k) => {
    level[buffer] = k + 1
  })
  return {
    step,
    depth: stack.length,
    offset: offsets,
    minOffset: null,
    level,
    stack,
    tried: null,
    candidates: null,
    phases: null,
    events: [],
    undone: [],
    bounds,
  }
}
