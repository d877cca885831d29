import { Core } from '../client/core'
import { loadExports } from '../client/module'
import type { OutcomeId } from '../client/types'

export interface Case {
  instance: string
  csv: string
  capacity: number
  solver: string
  /** those changed from the defaults */
  options?: Record<string, string>
}

export interface Row {
  solver: string
  instance: string
  outcome: OutcomeId
  height: number
  lowerBound: number
  steps: number
  nodes: number
  backtracks: number
  digest: string
  /** best of the repetitions: making the run and stepping it to its end, keyframes included; parsing and page apart */
  ms: number
  msMedian: number
  /** slowest of SEEKS steps all over the search, with the window of events that the page asks for; 0 if none was asked for */
  seekMs: number
}

const SEEKS = 20
const WINDOW = 42
/** About what a slice of the page's worker holds: one endless call would stay in the engine's first, slow code. */
const SLICE = 200_000

/** Solves a case `repeat` times in a fresh instance of the module, and seeks in the last search. Throws what the client throws. */
export async function measure(
  wasm: BufferSource,
  { instance, csv, capacity, solver, options = {} }: Case,
  repeat: number,
  seeks = true,
): Promise<Row> {
  const core = new Core(await loadExports(wasm))
  const opened = core.open(csv)
  if (!opened.ok) throw new Error(`${instance}: ${opened.errors[0]?.message ?? 'cannot be read'}`)
  const times = new Float64Array(repeat)
  for (let k = 0; k < repeat; k++) {
    const start = performance.now()
    core.start({ solver, capacity, seed: 0, budget: 0, options })
    while (core.step(SLICE) === 'running');
    times[k] = performance.now() - start
  }
  times.sort()
  const { outcome, height, lowerBound, steps, nodes, backtracks, digest } = core.stats()
  const seekMs = seeks ? slowestSeek(core, steps, repeat) : 0
  core.free()
  const [ms, msMedian] = [times[0]!, times[repeat >> 1]!]
  return { solver, instance, outcome, height, lowerBound, steps, nodes, backtracks, digest, ms, msMedian, seekMs }
}

/** Each step counts with the best of its repetitions, so that a pause of the machine is not taken for a slow seek. */
function slowestSeek(core: Core, steps: number, repeat: number): number {
  const best = new Float64Array(SEEKS).fill(Number.POSITIVE_INFINITY)
  for (let round = 0; round < repeat; round++) {
    for (let k = 0; k < SEEKS; k++) {
      // multiples of the golden ratio modulo 1 spread over the whole search, and are the same every time
      const step = Math.floor((((k + 1) * 0.6180339887498949) % 1) * (steps + 1))
      const start = performance.now()
      core.seek(step, WINDOW, WINDOW)
      best[k] = Math.min(best[k]!, performance.now() - start)
    }
  }
  return Math.max(...best)
}
