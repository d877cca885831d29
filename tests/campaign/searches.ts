/** What searches.c does, in the whole module: in Node, or in a page. */
import { Core } from '../../wasm/client/core'
import { loadExports } from '../../wasm/client/module'
import { ClientError, type RunConfig, type SolverInfo } from '../../wasm/client/types'

const BUDGET = 3000
const KINDS = [
  'synthetic',
  'network',
  'training',
  'heavy-tailed',
  'powers-of-two',
  'stationary',
  'random',
  'full-overlap',
]

function said(core: Core, k: number, { id, goals }: SolverInfo, capacity: number): string {
  const lowest = Math.floor(k / 8) % 2 === 1 && goals.includes('height')
  const config: RunConfig = {
    solver: id,
    goal: lowest ? 'height' : 'fit',
    capacity,
    seed: k,
    budget: BUDGET,
    options: {},
  }
  try {
    core.start(config)
  } catch (error) {
    if (error instanceof ClientError && error.reason === 'argument') return `${k} ${id} refused`
    throw error
  }
  while (core.step(BUDGET) === 'running');
  const { outcome, height, lowerBound, steps, backtracks, digest } = core.stats()
  return `${k} ${id} ${outcome} ${height} ${lowerBound} ${steps} ${backtracks} ${digest}`
}

/** A line for each search of problems from to to. */
export async function searches(module: BufferSource | Response, from: number, to: number): Promise<string> {
  const core = new Core(await loadExports(module))
  let lines = ''
  for (let k = from; k < to; k++) {
    const { csv, capacity } = core.generate(KINDS[k % 8] ?? '', 5 + (k % 41), k)
    if (!core.open(csv).ok) throw new Error(`problem ${k} cannot be read`)
    for (const solver of core.manifest.solvers) lines += `${said(core, k, solver, capacity - (k % 3))}\n`
  }
  core.free()
  return lines
}
