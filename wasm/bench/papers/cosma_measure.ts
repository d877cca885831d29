import { Core } from '../../client/core'
import { loadExports } from '../../client/module'

export interface Solved {
  outcome: string
  /** of the bytes copied out and back; of an optimal plan these */
  bound: number
  /** of processor time */
  seconds: number
}

/** Solves a graph in the module, from making the run to its end. */
export async function solveInModule(
  wasm: BufferSource,
  text: string,
  lowering: Record<string, string>,
  capacity: number,
  options: Record<string, string>,
  budget: number,
): Promise<Solved> {
  const core = new Core(await loadExports(wasm))
  const opened = core.openGraph(text, lowering)
  if (!opened.ok) throw new Error(opened.errors[0]?.message ?? 'cannot be read')
  const start = performance.now()
  const before = process.cpuUsage()
  core.start({ solver: 'cosma', goal: 'traffic', capacity, seed: 0, budget: 0, options })
  while (core.step(64) === 'running' && performance.now() - start < budget * 1000);
  const seconds = process.cpuUsage(before).user / 1e6
  const { outcome, lowerBound } = core.stats()
  core.free()
  return { outcome, bound: lowerBound, seconds }
}
