/** What is open and what its run came to, as facts that files and texts are written from. */
import type { Problem, RunConfig, RunStats, SolverInfo } from '../../../wasm/client/types'
import type { Opened } from '../state/workbench_values'

export interface Facts {
  /** of the problem, as files are named after it */
  name: string
  opened: Opened
  capacity: number
  /** title of the memory it is placed in, '' for none */
  profile: string
  solver: SolverInfo | null
  /** null: nothing was run */
  run: { config: RunConfig; stats: RunStats; outcome: string; best: Float64Array | null } | null
}

/** Of several pools: the greatest end of what is placed in each, 0 of an empty one. O(buffers). */
export function heightsOf({ count, size, pool, pools = [] }: Problem, offset: ArrayLike<number>): number[] {
  const heights = pools.map(() => 0)
  for (let k = 0; k < count; k++) {
    const [at, where] = [offset[k] ?? -1, pool?.[k] ?? -1]
    if (at >= 0 && where >= 0) heights[where] = Math.max(heights[where] ?? 0, at + (size[k] ?? 0))
  }
  return heights
}

/** Buffers that are placed, and the greatest end of one; -1 if there is none. O(buffers). */
export function measure({ count, size }: Problem, offset: ArrayLike<number>): { placed: number; height: number } {
  let placed = 0
  let height = -1
  // a loop, not a call for each: of a million, calls that are made for the first time hold up the page
  for (let k = 0; k < count; k++) {
    const at = offset[k] ?? -1
    if (at < 0) continue
    placed++
    height = Math.max(height, at + (size[k] ?? 0))
  }
  return { placed, height }
}
