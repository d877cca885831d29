import { existsSync, readFileSync } from 'node:fs'
import { Core } from '../client/core'
import { loadExports } from '../client/module'
import type { Goal, OutcomeId } from '../client/types'

export interface Case {
  instance: string
  csv: string
  capacity: number
  solver: string
  /** those changed from the defaults */
  goal?: Goal
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
  /** of the processor, best of the repetitions: making the run and stepping it to its end, keyframes included; parsing and page apart */
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
  { instance, csv, capacity, solver, goal = 'fit', options = {} }: Case,
  repeat: number,
  seeks = true,
): Promise<Row> {
  const core = new Core(await loadExports(wasm))
  const opened = core.open(csv)
  if (!opened.ok) throw new Error(`${instance}: ${opened.errors[0]?.message ?? 'cannot be read'}`)
  const times = new Float64Array(repeat)
  for (let k = 0; k < repeat; k++) {
    const start = processorMs(true)
    core.start({ solver, goal, capacity, seed: 0, budget: 0, options })
    while (core.step(SLICE) === 'running');
    times[k] = processorMs(true) - start
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

/** When a run is given up, and from which height on it is near enough. */
export interface Limits {
  ms: number
  /** 0: none */
  nodes: number
  /** in millionths above the lower bound; null: nothing is near enough */
  within: number | null
}

export interface Watched {
  outcome: OutcomeId
  height: number
  lowerBound: number
  steps: number
  digest: string
  /** from the start until the last height was found, and until the first that is within; null if none was */
  msHeight: number
  msWithin: number | null
  /** of the whole module, problem and text of the CSV included */
  heapBytes: number
}

const ACCOUNT = '/proc/thread-self/schedstat'
const isAccounted = existsSync(ACCOUNT)
const nothing = new Int32Array(new SharedArrayBuffer(4))

/**
 * Milliseconds of this thread on the processor, in which neither a busy machine nor the engine's other threads count. The scheduler brings its
 * account up to date when the thread sleeps, and else every few milliseconds. Elsewhere than on Linux those of the clock.
 */
function processorMs(upToDate: boolean): number {
  if (!isAccounted) return performance.now()
  if (upToDate) Atomics.wait(nothing, 0, 0, 0.01)
  return Number(readFileSync(ACCOUNT, 'utf8').split(' ')[0]) / 1e6
}

/** The same module in other bytes, a section that nobody reads: an engine may know the code of bytes that it has compiled before. */
const unknown = (wasm: Uint8Array, k: number) => new Uint8Array([...wasm, 0, 3, 1, 0x6b, k])

/** Milliseconds of the processor. */
export interface Warmth {
  /** of the first run in an instance whose code is new to the engine; median of FRESH instances */
  first: number
  /** of later ones, once what is hot has been compiled well; median */
  warm: number
}
const FRESH = 3
/** Runs that the engine may take until it has. */
const WARMING = 12

/** open: makes an instance ready; run: from making a run to its end, in it. Its last instance is given back, to be freed. */
export async function warmth(
  wasm: Uint8Array,
  open: (core: Core) => void,
  run: (core: Core) => void,
  repeat: number,
): Promise<Warmth & { core: Core }> {
  const time = (core: Core) => {
    const start = processorMs(true)
    run(core)
    return processorMs(true) - start
  }
  const middle = (times: number[]) => times.sort((a, b) => a - b)[times.length >> 1]!
  const firsts: number[] = []
  for (let k = 0; ; k++) {
    const core = new Core(await loadExports(unknown(wasm, k)))
    open(core)
    firsts.push(time(core))
    if (firsts.length < FRESH) {
      core.free()
      continue
    }
    for (let n = 1; n < WARMING; n++) run(core)
    return { first: middle(firsts), warm: middle(Array.from({ length: repeat }, () => time(core))), core }
  }
}

/** So few that a new height is seen when it comes. */
const LOOK = 256
/** Milliseconds of the clock after which the processor's account is read again: to read it takes as long as dozens of steps. */
const STALE = 5

function watchOnce(core: Core, capacity: number, made: Omit<Case, 'instance' | 'csv' | 'capacity'>, limits: Limits) {
  const start = processorMs(true)
  core.start({
    solver: made.solver,
    goal: made.goal ?? 'fit',
    capacity,
    seed: 0,
    budget: 0,
    options: made.options ?? {},
  })
  let [height, msHeight, msWithin]: [number, number, number | null] = [-1, 0, null]
  let [ms, readAt] = [0, performance.now()]
  for (;;) {
    const outcome = core.step(LOOK)
    const stats = core.stats()
    const isBetter = stats.height !== height
    if (isBetter || performance.now() - readAt >= STALE) {
      ms = processorMs(isBetter) - start
      readAt = performance.now()
    }
    if (isBetter) {
      ;[height, msHeight] = [stats.height, ms]
      const most = limits.within === null ? -1 : stats.lowerBound * (1 + limits.within / 1e6)
      if (height <= most) msWithin ??= ms
    }
    if (outcome !== 'running' || ms >= limits.ms || (limits.nodes > 0 && stats.nodes >= limits.nodes))
      return { stats, msHeight, msWithin }
  }
}

/**
 * Solves a problem at its lower bound `repeat` times and says when it was how low: medians. What is null in one of two is null. Throws what the
 * client throws.
 */
export async function watch(
  wasm: BufferSource,
  { csv, ...made }: Omit<Case, 'instance' | 'capacity'>,
  limits: Limits,
  repeat: number,
): Promise<Watched> {
  const core = new Core(await loadExports(wasm))
  const opened = core.open(csv)
  if (!opened.ok) throw new Error(opened.errors[0]?.message ?? 'cannot be read')
  const runs = Array.from({ length: repeat }, () => watchOnce(core, opened.problem.lowerBound, made, limits))
  const { outcome, height, lowerBound, steps, digest } = runs[repeat - 1]!.stats
  const heapBytes = core.memory().heap
  core.free()
  const middle = (pick: (run: (typeof runs)[number]) => number | null) => {
    const sorted = runs.map((run) => pick(run) ?? Number.POSITIVE_INFINITY).sort((a, b) => a - b)
    return sorted[repeat >> 1]!
  }
  const within = middle((run) => run.msWithin)
  return {
    outcome,
    height,
    lowerBound,
    steps,
    digest,
    msHeight: middle((run) => run.msHeight),
    msWithin: Number.isFinite(within) ? within : null,
    heapBytes,
  }
}
