/** Every solver on every example: what each makes of it within a budget. */
import { type Client, ClientError, type Manifest, type Problem, type SolverInfo } from '../../../../wasm/client/types'
import { Cell } from '../../base/cell'
import { known, type MatrixChoice } from '../../state/compare/compare'
import { leastCapacity } from '../../state/problem/pools'
import { lacking } from '../../state/workbench'
import { csvOf, examples } from '../../state/problem/examples'
import { zoo } from '../../state/model/zoo'
import { granuleOf, roundingLoss } from '../../state/compare/rounding'
import { othersOf } from '../../state/compare/others'
import { type ResultCell, emptyCell } from '../../state/compare/results'
import { hopeless, solve, type Work } from './background_runs'
import { crewSize, runJobs } from './jobs'
import { loweringFor } from '../model/models'
import { zooGraph } from '../model/zoo_graph'

/** A problem by the name under which the page opens it. */
export interface Instance {
  kind: 'example' | 'network' | 'stored'
  /** file of an example, id of a network; of a sweep that was opened the problem's digest, profile and capacity */
  id: string
  title: string
  note: string
}

export interface MatrixRow {
  instance: Instance
  /** null until it was opened */
  facts: { count: number; lowerBound: number; capacity: number } | null
  /** by solver: what rounding to its granules costs it there at least, as a share of the lower bound */
  rounding: number[]
  /** why it could not be opened, else '' */
  wrong: string
  /** by solver; null: not yet known */
  cells: (ResultCell | null)[]
}

export interface Matrix {
  work: Work
  choice: MatrixChoice
  /** the columns, in the manifest's order */
  solvers: string[]
  rows: MatrixRow[]
  /** name of the folder of a sweep that was opened; else it was run here */
  stored?: string
}

/** A solver of ours, or the id of one of others. */
type Column = SolverInfo | string
const idOf = (column: Column): string => (typeof column === 'string' ? column : column.id)

interface Opened {
  problem: Problem
  capacity: number
}

export const matrix = new Cell<Matrix | null>(null)
let end = new AbortController()

export async function instancesOf(choice: MatrixChoice): Promise<Instance[]> {
  const list = examples.map(
    ({ file, title, subtitle }): Instance => ({ kind: 'example', id: file, title, note: subtitle }),
  )
  if (!choice.networks) return list
  const { networks } = await zoo.get()
  return [...list, ...networks.map(({ id, title }): Instance => ({ kind: 'network', id, title, note: 'network' }))]
}

async function openNetwork(client: Client, id: string): Promise<Opened> {
  const made = await zooGraph(id, {})
  if (made === null) throw new Error(`There is no network “${id}” in this version.`)
  const answer = await client.openGraph(made.graph, loweringFor(made.network.show?.prefetch))
  if (!answer.ok) throw new Error(answer.errors[0]?.message ?? 'It was refused.')
  return { problem: answer.problem, capacity: leastCapacity(answer.problem) }
}

async function openExample(client: Client, file: string): Promise<Opened> {
  const answer = await client.open(await csvOf(file), null)
  if (!answer.ok) throw new Error(answer.errors[0]?.message ?? 'It was refused.')
  const { problem, suggestedCapacity } = answer
  const own = examples.find((example) => example.file === file)?.capacity ?? 0
  return { problem, capacity: own > 0 ? own : (suggestedCapacity ?? leastCapacity(problem)) }
}

async function solveOn(
  client: Client,
  open: Opened,
  solver: Column,
  budget: number,
  signal: AbortSignal,
): Promise<ResultCell> {
  const lacks = typeof solver === 'string' ? [] : lacking(solver, open.problem)
  if (lacks.length > 0) return emptyCell('refused', `does not honour ${lacks.join(', ')}`)
  const config = { solver: idOf(solver), capacity: open.capacity, seed: 1, budget, options: {} }
  return solve(client, config, open.problem, signal)
}

/** A job is a whole row: the problem is then read once for all of its solvers. `told` is called for what is learned, with the cells that are done by it. */
async function solveRow(
  client: Client,
  instance: Instance,
  solvers: readonly Column[],
  budget: number,
  signal: AbortSignal,
  told: (change: (row: MatrixRow) => MatrixRow, cells: number) => void,
): Promise<void> {
  let open: Opened
  try {
    open = await (instance.kind === 'example' ? openExample(client, instance.id) : openNetwork(client, instance.id))
  } catch (error) {
    if (error instanceof ClientError && hopeless(error)) throw error
    const wrong = error instanceof Error ? error.message : String(error)
    told((row) => ({ ...row, wrong }), solvers.length)
    return
  }
  const { capacity, problem } = open
  const facts = { count: problem.count, lowerBound: problem.lowerBound, capacity }
  const rounding = solvers.map((solver) => (typeof solver === 'string' ? 0 : roundingLoss(problem, granuleOf(solver))))
  told((row) => ({ ...row, facts, rounding }), 0)
  for (const [k, solver] of solvers.entries()) {
    const cell = await solveOn(client, open, solver, budget, signal)
    told((row) => ({ ...row, cells: row.cells.map((old, at) => (at === k ? cell : old)) }), 1)
  }
}

/** Starts anew, with every solver's defaults; what was under way is given up. Whether the matrix is this one's, and all of it done. */
export async function startMatrix(manifest: Manifest, choice: MatrixChoice, make?: () => Client): Promise<boolean> {
  const signal = takeMatrix()
  const solvers: Column[] = [...known(manifest.solvers, choice.solvers), ...othersOf(choice.solvers)]
  const instances = await instancesOf(choice)
  if (signal.aborted) return false
  const total = instances.length * solvers.length
  const blank = solvers.map(() => null)
  const rows = instances.map(
    (instance): MatrixRow => ({ instance, facts: null, rounding: [], wrong: '', cells: blank }),
  )
  let done = 0
  const work = (kind: 'running' | 'done'): Work => ({ kind, done, total })
  const change = (next: (now: Matrix) => Partial<Matrix>) => matrix.update((now) => now && { ...now, ...next(now) })
  const told = (at: number, row: (row: MatrixRow) => MatrixRow, cells: number) => {
    if (signal.aborted) return
    done += cells
    change(({ rows }) => ({ work: work('running'), rows: rows.map((one, k) => (k === at ? row(one) : one)) }))
  }
  matrix.set({ work: work('running'), choice, solvers: solvers.map(idOf), rows })
  try {
    await runJobs(
      [...instances.entries()],
      (client, [at, instance]) =>
        solveRow(client, instance, solvers, choice.budget, signal, (row, cells) => told(at, row, cells)),
      () => {},
      { workers: crewSize(globalThis.navigator?.hardwareConcurrency), signal, make },
    )
    if (!signal.aborted) change(() => ({ work: work('done') }))
    return !signal.aborted
  } catch (error) {
    if (signal.aborted) return false
    const message = error instanceof Error ? error.message : String(error)
    change(() => ({ work: { kind: 'failed', done, total, message } }))
    return false
  }
}

/** For what is to be the matrix from now on, a run of it or a sweep that is opened: aborted once something else is, or on Cancel. */
export function takeMatrix(): AbortSignal {
  cancelMatrix()
  end = new AbortController()
  return end.signal
}

/** What is known by then stays. */
export function cancelMatrix(): void {
  end.abort()
  matrix.update((now) => {
    if (now?.work.kind !== 'running') return now
    const { done, total } = now.work
    return { ...now, work: { kind: 'cancelled', done, total } }
  })
}
