/** What is open and what its run came to, as facts that files and texts are written from. */
import type { RunConfig, RunStats, SolverInfo } from '../../../wasm/client/types'
import type { Opened } from '../state/atoms'

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

/** Greatest end of a placed buffer; -1 if there is none. O(buffers). */
export function heightOf({ problem }: Opened, offset: ArrayLike<number>): number {
  let height = -1
  for (let k = 0; k < problem.count; k++) {
    const at = offset[k] ?? -1
    if (at >= 0) height = Math.max(height, at + (problem.size[k] ?? 0))
  }
  return height
}
