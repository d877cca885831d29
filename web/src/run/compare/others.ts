/** A run of a solver that is not ours, in a worker of its own: outcome, plan, seconds, nodes, gap. It has no steps, and is never said to have any. */
import { errorWhenGone } from '../../../../wasm/client/alive'
import { type Client, ClientError, type Problem, type RunResult, type RunStats } from '../../../../wasm/client/types'
import { thousands, percent } from '../../base/format'
import { cellOfResult, emptyCell, outcomeOfFailure, type ResultCell } from '../../state/compare/results'
import type { ShownResult } from '../../state/workbench_values'
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
  errorWhenGone(new Worker(new URL('./other_worker.ts', import.meta.url), { type: 'module', name: 'Solver of others' }))

/** Seconds for a run, and how much longer it is waited for: HiGHS may go on for long after its limit. */
export const SECONDS = 10
const PATIENCE = 30
/** Buffers above which CP-SAT comes to nothing here, and bytes of a program above which HiGHS does. */
const MOST_BUFFERS = 4_000
const MOST_BYTES = 32_000_000

const ISOLATION =
  'needs a page that is cross-origin isolated (headers Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp): this one is not'

const refused = (why: string) => new ClientError(why, 'argument')

/** '' if CP-SAT can be asked about the problem here, else why not. */
export function refusalOf(problem: Problem, isolated = globalThis.crossOriginIsolated): string {
  // without threads it would wait for ever, and say nothing
  if (isolated !== true) return ISOLATION
  if (problem.count > MOST_BUFFERS) return `takes at most ${thousands(MOST_BUFFERS)} buffers here`
  return lackOf(problem)
}

/** What the worker is told. Rejects with a ClientError where the solver does not take the problem. */
async function taskOf(client: Client, solver: OtherId, problem: Problem, capacity: number): Promise<OtherTask> {
  const { lower, upper, size, alignment, fixed } = problem
  const task = { solver, packing: { lower, upper, size, alignment, fixed, capacity }, program: '', seconds: SECONDS }
  const why = solver === 'cp-sat' ? refusalOf(problem) : lackOf(problem)
  if (why !== '') throw refused(`It ${why}.`)
  if (solver === 'cp-sat') return task
  const program = await client.packing(capacity, MOST_BYTES)
  if (program === null) throw refused(`It takes no program above ${thousands(MOST_BYTES / 1e6)} MB here.`)
  return { ...task, program }
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

const noteOf = ({ nodes, gap }: OtherEnd) =>
  `${thousands(nodes)} ${nodes === 1 ? 'node' : 'nodes'}${gap === null || !Number.isFinite(gap) ? '' : `, gap ${percent(gap)}`}`

/** As a run of ours ends, without what only those have: steps, a digest, an overview. */
function ended(problem: Problem, stats: Partial<RunStats>, best: RunResult['best'], note: string): ShownResult {
  const none = new Uint32Array(0)
  const height = stats.height ?? -1
  const zero = { steps: 0, backtracks: 0, nodes: 0, skipped: 0, depth: 0, maxDepth: 0, maxDepthStep: 0, restarts: 0 }
  return {
    stats: {
      outcome: 'budget-spent',
      lowerBound: problem.lowerBound,
      seconds: -1,
      height,
      cost: height,
      digest: '',
      rules: [],
      ...zero,
      ...stats,
    },
    overview: {
      width: 1,
      count: 0,
      minDepth: none,
      maxDepth: none,
      lastDepth: none,
      maxUndone: none,
      backtracks: none,
      major: none,
      rules: [],
      placed: none,
      marks: [],
    },
    best,
    conflict: [],
    note,
  }
}

/** Rejects with a ClientError ('argument') where the solver does not take the problem, or what it says is no plan. The client has the problem open. */
export async function askOther(
  client: Client,
  { solver, capacity }: { solver: OtherId; capacity: number },
  problem: Problem,
  signal: AbortSignal,
  make: () => Other = makeOther,
): Promise<ShownResult> {
  const task = await taskOf(client, solver, problem, capacity)
  if (problem.lowerBound > capacity)
    return ended(problem, { outcome: 'infeasible', seconds: 0 }, null, 'the load alone is more')
  const end = await ask(task, make, signal)
  if (end === null) {
    if (signal.aborted) return ended(problem, { outcome: 'cancelled' }, null, '')
    return ended(problem, {}, null, `no answer within ${SECONDS + PATIENCE} s`)
  }
  const { offsets, outcome, seconds, nodes } = end
  if (offsets === null) return ended(problem, { outcome, seconds, nodes }, null, noteOf(end))
  const fault = faultOf(task.packing, offsets)
  if (fault !== '') throw refused(`Its plan is none: ${fault}.`)
  const height = offsets.reduce((most, at, i) => Math.max(most, at + (problem.size[i] ?? 0)), 0)
  const told = { outcome: height === problem.lowerBound ? 'optimal' : outcome, height, seconds, nodes } as const
  return ended(problem, told, Float64Array.from(offsets), noteOf(end))
}

/** The same as a cell of a table. */
export async function runOther(...asked: Parameters<typeof askOther>): Promise<ResultCell> {
  try {
    return cellOfResult(await askOther(...asked))
  } catch (error) {
    if (error instanceof ClientError) return emptyCell(outcomeOfFailure(error.reason), error.message)
    return emptyCell('stopped', error instanceof Error ? error.message : String(error))
  }
}
