import type { Core } from '../../client/core'
import { type Warmth, warmth } from '../measure'

export interface Solved extends Warmth {
  outcome: string
  /** of the bytes copied out and back; of an optimal plan these */
  bound: number
}

/** Solves a graph in the module, from making the run to its end; a run is given up after so many seconds. */
export async function solveInModule(
  wasm: Uint8Array,
  text: string,
  lowering: Record<string, string>,
  capacity: number,
  options: Record<string, string>,
  seconds: number,
  repeat: number,
): Promise<Solved> {
  const open = (core: Core) => {
    const opened = core.openGraph(text, lowering)
    if (!opened.ok) throw new Error(opened.errors[0]?.message ?? 'cannot be read')
  }
  const run = (core: Core) => {
    const start = performance.now()
    core.start({ solver: 'cosma', goal: 'traffic', capacity, seed: 0, budget: 0, options })
    while (core.step(64) === 'running' && performance.now() - start < seconds * 1000);
  }
  const { first, warm, core } = await warmth(wasm, open, run, repeat)
  const { outcome, lowerBound } = core.stats()
  core.free()
  return { outcome, bound: lowerBound, first, warm }
}
