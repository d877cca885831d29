import type { Core } from '../../client/core'
import type { Goal } from '../../client/types'
import { type Warmth, warmth } from '../measure'

/** Packs a problem in the module, from making the run to its end. */
export async function packInModule(
  wasm: Uint8Array,
  { csv, capacity, solver, goal }: { csv: string; capacity: number; solver: string; goal: Goal },
  repeat: number,
): Promise<Warmth & { outcome: string; height: number }> {
  const open = (core: Core) => {
    const opened = core.open(csv)
    if (!opened.ok) throw new Error(opened.errors[0]?.message ?? 'cannot be read')
  }
  const run = (core: Core) => {
    core.start({ solver, goal, capacity, seed: 0, budget: 0, options: {} })
    while (core.step(200_000) === 'running');
  }
  const { first, warm, core } = await warmth(wasm, open, run, repeat)
  const { outcome, height } = core.stats()
  core.free()
  return { outcome, height, first, warm }
}
