/** A run of a solver that is not ours, in a worker of its own: outcome, plan, seconds, nodes, gap. It has no steps, and is never said to have any. */
import type { Problem } from '../../../../wasm/client/types'
import { thousands, percent } from '../../base/format'
import { emptyCell, type ResultCell } from '../../state/compare/results'
import { faultOf, lackOf } from './packing'
import type { OtherEnd, OtherId, OtherTask } from './other_solve'

type News = { kind: 'ended'; end: OtherEnd } | { kind: 'broken'; message: string }

/** As much of a worker as is used here. */
export interface Other {
  onmessage: ((event: MessageEvent<News>) => void) | null
  onerror: ((event: ErrorEvent) => void) | null
  postMessage(task: OtherTask): void
  terminate(): void
}

const makeOther = (): Other =>
  new Worker(new URL('./other_worker.ts', import.meta.url), { type: 'module', name: 'Solver of others' })

/** Seconds for a run, and how much longer it is waited for: HiGHS may go on for long after its limit. */
export const SECONDS = 10
const PATIENCE = 30
/** Pairs above which neither comes to anything here. */
const MOST_BUFFERS = 4_000

const ISOLATION =
  'needs a page that is cross-origin isolated (headers Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp): this one is not'

/** '' if the solver can be asked about the problem here, else why not. */
export function refusalOf(solver: OtherId, problem: Problem, isolated = globalThis.crossOriginIsolated): string {
  // without threads CP-SAT would wait for ever, and say nothing
  if (solver === 'cp-sat' && isolated !== true) return ISOLATION
  if (problem.count > MOST_BUFFERS) return `takes at most ${thousands(MOST_BUFFERS)} buffers here`
  return lackOf(problem)
}

function ask(task: OtherTask, make: () => Other, signal: AbortSignal): Promise<OtherEnd | null> {
  return new Promise((resolve, reject) => {
    const worker = make()
    const over = (end: OtherEnd | null) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', leave)
      worker.terminate()
      resolve(end)
    }
    const leave = () => over(null)
    const timer = setTimeout(leave, 1000 * (task.seconds + PATIENCE))
    signal.addEventListener('abort', leave, { once: true })
    const broken = (message: string) => {
      over(null)
      reject(new Error(message))
    }
    worker.onmessage = ({ data }) => (data.kind === 'ended' ? over(data.end) : broken(data.message))
    worker.onerror = ({ message }) => broken(message || 'It could not be fetched.')
    worker.postMessage(task)
  })
}

/** A plan that is not one makes the run stopped, whatever the solver says of it. */
export async function runOther(
  solver: OtherId,
  problem: Problem,
  capacity: number,
  signal: AbortSignal,
  make: () => Other = makeOther,
): Promise<ResultCell> {
  const why = refusalOf(solver, problem)
  if (why !== '') return emptyCell('refused', why)
  const { lower, upper, size, alignment, fixed, lowerBound } = problem
  const told = (part: Partial<ResultCell>): ResultCell => ({ ...emptyCell('budget-spent'), lowerBound, ...part })
  if (lowerBound > capacity) return told({ outcome: 'infeasible', seconds: 0, note: 'the load alone is more' })
  const packing = { lower, upper, size, alignment, fixed, capacity }
  try {
    const end = await ask({ solver, packing, seconds: SECONDS }, make, signal)
    if (end === null) return told({ note: signal.aborted ? '' : `no answer within ${SECONDS + PATIENCE} s` })
    const gap = end.gap === null || !Number.isFinite(end.gap) ? '' : `, gap ${percent(end.gap)}`
    const note = `${thousands(end.nodes)} nodes${gap}`
    const { offsets, outcome, seconds } = end
    if (offsets === null) return told({ outcome, seconds, note })
    const fault = faultOf(packing, offsets)
    if (fault !== '') return told({ outcome: 'stopped', seconds, note: `its plan is none: ${fault}` })
    const height = offsets.reduce((most, at, i) => Math.max(most, at + (size[i] ?? 0)), 0)
    return told({ outcome: height === lowerBound ? 'optimal' : outcome, height, seconds, note })
  } catch (error) {
    return told({ outcome: 'stopped', note: error instanceof Error ? error.message : String(error) })
  }
}
