/** A model or a list of buffers as the page would solve it: lowered and solved by the core. */
import type { Core } from '../../wasm/client/core'
import type { GraphModel, Problem, RunConfig, RunStats } from '../../wasm/client/types'
import type { Profile } from '../src/state/profile/profile'
import { Usage } from './usage'

/** Steps between two looks at how the run stands. */
const STEPS = 1 << 20

/** What of the command's flags is of the run. */
export interface Asked {
  /** undefined: the least that is enough */
  capacity: number | undefined
  profile: Profile | null
  /** undefined: the planner's, or the exact one */
  solver: string | undefined
  steps: number
  seed: number
  /** of the lowering or the solver, as they stand */
  options: Record<string, string>
}

export interface Solved {
  name: string
  problem: Problem
  /** of a graph */
  model: GraphModel | null
  config: RunConfig
  stats: RunStats
  profile: Profile | null
  best: Float64Array<ArrayBuffer> | null
  core: Core
}

type Run = Pick<Solved, 'config' | 'stats' | 'best'>

function lowered(core: Core, text: string, isGraph: boolean, options: Record<string, string>, profile: Profile | null) {
  const opened = isGraph ? core.openGraph(text, options, profile) : core.open(text, profile)
  if (opened.ok) return { problem: opened.problem, model: 'model' in opened ? opened.model : null }
  const [first] = opened.errors
  throw new Usage(
    `the core does not take it: ${first ? `line ${first.line}: ${first.field} ${first.message}` : 'it is too large'}`,
  )
}

function solverOf(core: Core, { solver = 'exact' }: Asked) {
  const found = core.manifest.solvers.find(({ id }) => id === solver)
  if (!found) throw new Usage(`--solver: there is no solver “${solver}”`)
  return found
}

/** Options that the lowering has are its own, the others the solver's. */
function split(core: Core, flags: Asked, isGraph: boolean): [Record<string, string>, Record<string, string>] {
  const own = new Set(isGraph ? core.manifest.graphOptions.map(({ name }) => name) : [])
  const entries = Object.entries(flags.options)
  const lowering = entries.filter(([name]) => own.has(name))
  const others = entries.filter(([name]) => !own.has(name))
  const solver = solverOf(core, flags)
  for (const [name] of others)
    if (!solver.options.some((option) => option.name === name))
      throw new Usage(`--${name}: there is no option of that name, neither of the lowering nor of ${solver.id}`)
  return [Object.fromEntries(lowering), Object.fromEntries(others)]
}

/** Steps for a first try within the lower bound, of a solver that can look for the least height as well. */
const FIRST = 1_000_000

/** The least that the solver comes to: as much as no plan can do without, else what it finds from above. */
function least(problem: Problem, run: (change: Partial<RunConfig>) => Run, minimises: boolean, steps: number): Run {
  const bound = Math.max(1, problem.lowerBound)
  const budget = minimises && (steps === 0 || steps > FIRST) ? FIRST : steps
  const first = run({ capacity: bound, budget })
  if (first.stats.height >= 0 && first.stats.height <= bound) return first
  if (minimises) return run({ options: { minimize: 'true' } })
  // one that ends above the capacity has looked for the least
  return first.stats.height >= 0 ? run({ capacity: first.stats.height }) : run({})
}

/** text: graph or buffer CSV. Without a capacity the least height is looked for. */
export function solve(core: Core, name: string, text: string, isGraph: boolean, flags: Asked): Solved {
  const [lowering, options] = split(core, flags, isGraph)
  const { problem, model } = lowered(core, text, isGraph, lowering, flags.profile)
  const solver = solverOf(core, flags)
  const minimises = solver.options.some((option) => option.name === 'minimize')
  const all = problem.size.reduce((sum, size) => sum + size, 0)
  const run = (change: Partial<RunConfig>): Run => {
    const asked = { solver: solver.id, capacity: Math.max(1, all), seed: flags.seed, budget: flags.steps, ...change }
    const config: RunConfig = { ...asked, options: { ...change.options, ...options } }
    core.start(config)
    while (core.step(STEPS) === 'running');
    return { config, ...core.result() }
  }
  const { capacity } = flags
  const done = capacity === undefined ? least(problem, run, minimises, flags.steps) : run({ capacity })
  return { name, problem, model, profile: flags.profile, core, ...done }
}

/** As the command ends. */
export function statusOf({ stats, problem }: Solved, capacity: number | undefined): 0 | 1 | 3 {
  if (stats.height >= 0 && (capacity === undefined || stats.height <= capacity)) return 0
  const least = Math.max(stats.lowerBound, problem.lowerBound)
  return stats.outcome === 'infeasible' || (capacity !== undefined && least > capacity) ? 1 : 3
}

const grouped = (value: number): string => value.toLocaleString('en')

/** One line. */
export function summary(solved: Solved, capacity: number | undefined): string {
  const { name, problem, stats } = solved
  const bound = grouped(Math.max(stats.lowerBound, problem.lowerBound))
  const status = statusOf(solved, capacity)
  const within = capacity === undefined ? '' : ` of ${grouped(capacity)}`
  const parts = [`${name}: ${grouped(problem.count)} buffers`]
  if (status === 0) parts.push(`${grouped(stats.height)}${within} bytes, lower bound ${bound}`)
  else if (status === 1) parts.push(`does not fit into ${grouped(capacity ?? 0)} bytes, lower bound ${bound}`)
  else
    parts.push(
      `undecided${capacity === undefined ? '' : ` whether it fits into ${grouped(capacity)} bytes`}, lower bound ${bound}`,
    )
  return `${parts.join(', ')} (${stats.outcome})`
}
