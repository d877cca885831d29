/** Every solver on every example: what each makes of it within a budget. */
import { type Client, ClientError, type Manifest, type Problem, type SolverInfo } from '../../../wasm/client/types'
import { Atom } from '../base/atom'
import { known, type MatrixChoice } from '../state/compare'
import { lacking } from '../state/derive'
import { csvOf, examples } from '../state/examples'
import { zoo } from '../state/zoo'
import { type Cell, emptyCell } from '../state/results'
import { hopeless, solve, type Work } from './bench'
import { crewSize, runJobs } from './jobs'
import { loweringFor } from './models'
import { zooText } from './zoo_text'

/** A problem by the name under which the page opens it. */
export interface Instance {
  kind: 'example' | 'network'
  /** file of an example, id of a network */
  id: string
  title: string
  note: string
}

export interface MatrixRow {
  instance: Instance
  /** null until it was opened */
  facts: { count: number; lowerBound: number; capacity: number } | null
  /** why it could not be opened, else '' */
  wrong: string
  /** by solver; null: not yet known */
  cells: (Cell | null)[]
}

export interface Matrix {
  work: Work
  choice: MatrixChoice
  /** the columns, in the manifest's order */
  solvers: string[]
  rows: MatrixRow[]
}

interface Opened {
  problem: Problem
  capacity: number
}

export const matrix = new Atom<Matrix | null>(null)
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
  const made = await zooText(id, {})
  if (made === null) throw new Error(`There is no network “${id}” in this version.`)
  const answer = await client.openGraph(made.text, loweringFor(made.network.show?.prefetch))
  if (!answer.ok) throw new Error(answer.errors[0]?.message ?? 'It was refused.')
  return { problem: answer.problem, capacity: Math.max(1, answer.problem.lowerBound) }
}

async function openExample(client: Client, file: string): Promise<Opened> {
  const answer = await client.open(await csvOf(file), null)
  if (!answer.ok) throw new Error(answer.errors[0]?.message ?? 'It was refused.')
  const { problem, suggestedCapacity } = answer
  const own = examples.find((example) => example.file === file)?.capacity ?? 0
  return { problem, capacity: own > 0 ? own : (suggestedCapacity ?? Math.max(1, problem.lowerBound)) }
}

async function solveOn(client: Client, open: Opened, solver: SolverInfo, budget: number): Promise<Cell> {
  const lacks = lacking(solver, open.problem)
  if (lacks.length > 0) return emptyCell('refused', `does not honour ${lacks.join(', ')}`)
  return solve(client, { solver: solver.id, capacity: open.capacity, seed: 1, budget, options: {} })
}

/** Starts anew, with every solver's defaults; what was under way is given up. */
export async function startMatrix(manifest: Manifest, choice: MatrixChoice, make?: () => Client): Promise<void> {
  end.abort()
  end = new AbortController()
  const { signal } = end
  const solvers = known(manifest.solvers, choice.solvers)
  const instances = await instancesOf(choice)
  if (signal.aborted) return
  const total = instances.length * solvers.length
  const rows = instances.map(
    (instance): MatrixRow => ({
      instance,
      facts: null,
      wrong: '',
      cells: solvers.map(() => null),
    }),
  )
  matrix.set({ work: { kind: 'running', done: 0, total }, choice, solvers: solvers.map(({ id }) => id), rows })
  let done = 0
  const told = (row: number, change: (row: MatrixRow) => MatrixRow, cells: number) => {
    if (signal.aborted) return
    done += cells
    matrix.update(
      (now) =>
        now && {
          ...now,
          rows: now.rows.map((one, k) => (k === row ? change(one) : one)),
          work: { kind: 'running', done, total },
        },
    )
  }
  // A job is a whole row: the problem is then read once for all of its solvers.
  const work = async (client: Client, row: number): Promise<void> => {
    const { kind, id } = instances[row] as Instance
    let open: Opened
    try {
      open = await (kind === 'example' ? openExample(client, id) : openNetwork(client, id))
    } catch (error) {
      if (error instanceof ClientError && hopeless(error)) throw error
      const wrong = error instanceof Error ? error.message : String(error)
      told(row, (one) => ({ ...one, wrong }), solvers.length)
      return
    }
    const { capacity, problem } = open
    const facts = { count: problem.count, lowerBound: problem.lowerBound, capacity }
    told(row, (one) => ({ ...one, facts }), 0)
    for (const [k, solver] of solvers.entries()) {
      const cell = await solveOn(client, open, solver, choice.budget)
      told(row, (one) => ({ ...one, cells: one.cells.map((old, at) => (at === k ? cell : old)) }), 1)
    }
  }
  try {
    const crew = { workers: crewSize(globalThis.navigator?.hardwareConcurrency), signal, make }
    await runJobs([...instances.keys()], work, () => {}, crew)
    if (!signal.aborted) matrix.update((now) => now && { ...now, work: { kind: 'done', done, total } })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    matrix.update((now) => now && { ...now, work: { kind: 'failed', done, total, message } })
  }
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
