/** Has COSMA's program solved by HiGHS, in a worker that is fetched for it, and the same by our own search; another problem or capacity gives it up. */
import { errorWhenGone } from '../../../../wasm/client/alive'
import { createClient } from '../../../../wasm/client/client'
import type { Client, ProgramModel, RunConfig } from '../../../../wasm/client/types'
import { type Own, program, type ProgramSize, type ProgramState } from '../../state/model/program'
import { workbench } from '../../state/workbench_cells'
import { giveModel, type OpenModel, openModel, within } from './open_model'
import type { ProgramNews, ProgramTask } from './program_solve'

/** Seconds for HiGHS, and milliseconds for our own search. */
const PATIENCE = 60
const OWN_PATIENCE = 20_000
/** Programs above this many bytes HiGHS does not come to the end of here. */
const MOST = 4_000_000

const TOO_LARGE =
  'Too large: of a program above 4 MB HiGHS would not find the end here. Take a smaller network or another program.'

export type News = ProgramNews | { kind: 'broken'; message: string }

/** As much of a worker as is used here. */
export interface Solver {
  onmessage: ((event: MessageEvent<News>) => void) | null
  onerror: ((event: ErrorEvent) => void) | null
  postMessage(task: ProgramTask): void
  terminate(): void
}

const makeSolver = (): Solver =>
  errorWhenGone(new Worker(new URL('./program_worker.ts', import.meta.url), { type: 'module', name: 'HiGHS' }))

let end = new AbortController()
/** no longer watches for another problem */
let leave = () => {}

export function stopProgram(): void {
  leave()
  end.abort()
  program.set(null)
}

function configOf(model: ProgramModel, capacity: number): RunConfig {
  const options: Record<string, string> = model === 'gaps' ? { schedule: 'file' } : {}
  return { solver: 'cosma', goal: 'traffic', capacity, seed: 1, budget: 0, options }
}

/** What our search finds, and the program's text; null: that is too long. */
async function write(client: Client, open: OpenModel, model: ProgramModel, capacity: number) {
  await giveModel(client, open)
  const { stats } = await within(client, configOf(model, capacity), OWN_PATIENCE)
  const { cost, height, outcome } = stats
  const some = cost >= 0 && height <= capacity
  const own: Own = { traffic: some ? cost : -1, proven: outcome === 'optimal' || outcome === 'infeasible' }
  return { own, text: await client.program(capacity, model, MOST) }
}

function solve(task: ProgramTask, make: () => Solver, signal: AbortSignal, heard: (news: News) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = make()
    const over = () => {
      worker.terminate()
      resolve()
    }
    signal.addEventListener('abort', over, { once: true })
    worker.onmessage = ({ data }) => {
      if (signal.aborted) return
      heard(data)
      if (data.kind === 'ended') over()
      else if (data.kind === 'broken') reject(new Error(data.message))
    }
    worker.onerror = ({ message }) => reject(new Error(message || 'HiGHS could not be fetched.'))
    worker.postMessage(task)
  })
}

export async function startProgram(
  model: ProgramModel,
  make: () => Client = createClient,
  solver: () => Solver = makeSolver,
): Promise<void> {
  stopProgram()
  const open = openModel()
  if (open === null) return
  end = new AbortController()
  const { signal } = end
  const capacity = workbench.capacity.get()
  const other = () => (openModel()?.opened !== open.opened || workbench.capacity.get() !== capacity) && stopProgram()
  const exits = [workbench.opened, workbench.capacity].map((cell) => cell.subscribe(other))
  leave = () => {
    for (const exit of exits) exit()
  }
  const client = make()
  signal.addEventListener('abort', () => client.dispose(), { once: true })
  const show = (state: ProgramState) => {
    if (!signal.aborted) program.set(state)
  }
  const asked = { model, capacity }
  show({ ...asked, kind: 'writing' })
  try {
    const { own, text } = await write(client, open, model, capacity)
    if (text === null) return show({ ...asked, kind: 'refused', why: TOO_LARGE })
    let size: ProgramSize = { variables: 0, constraints: 0 }
    show({ ...asked, kind: 'solving', seconds: 0, size: null, best: null, bound: null })
    await solve({ text, patience: PATIENCE }, solver, signal, (news) => {
      if (news.kind === 'read') size = news.size
      else if (news.kind === 'progress') show({ ...asked, ...news, kind: 'solving', size })
      else if (news.kind === 'ended') show({ ...asked, kind: 'ended', end: news.end, size, own })
    })
  } catch (error) {
    show({ ...asked, kind: 'refused', why: error instanceof Error ? error.message : String(error) })
  } finally {
    client.dispose()
  }
}
