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
  /** options of the lowering that a planner has, where they say nothing else; a list of buffers is lowered by none */
  lowering?: Readonly<Record<string, string>> | undefined
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
type Solve = (asked: Pick<RunConfig, 'capacity'> & Partial<RunConfig>) => Run

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
  return [{ ...(isGraph && flags.lowering), ...Object.fromEntries(lowering) }, Object.fromEntries(others)]
}

/** Steps for a first try within the lower bound, of a solver that can look for the least height as well. */
const FIRST = 1_000_000

/** The least that the solver comes to: as much as no plan can do without, else what it finds from above. */
function least({ lowerBound, size, alignment, bank }: Problem, run: Solve, minimises: boolean, steps: number): Run {
  const goal = minimises ? 'height' : 'fit'
  // what is fixed, or a bank that its alignment does not part, may want more
  const enough = size.reduce((sum, bytes, b) => sum + bytes + (alignment[b] ?? 0) + (bank[b] ?? 0), 1)
  let done = run({ capacity: Math.max(1, lowerBound), budget: minimises ? Math.min(FIRST, steps || FIRST) : steps })
  const most = Number.MAX_SAFE_INTEGER
  for (const capacity of [Math.min(enough, most), most]) if (done.stats.height < 0) done = run({ capacity, goal })
  const { height } = done.stats
  return height > done.config.capacity ? run({ capacity: height, goal }) : done
}

/** text: graph or buffer CSV. Without a capacity the least height is looked for. */
export function solve(core: Core, name: string, text: string, isGraph: boolean, flags: Asked): Solved {
  const [lowering, options] = split(core, flags, isGraph)
  const { problem, model } = lowered(core, text, isGraph, lowering, flags.profile)
  const solver = solverOf(core, flags)
  const run: Solve = (asked) => {
    const config = { solver: solver.id, seed: flags.seed, budget: flags.steps, options, ...asked }
    core.start(config)
    while (core.step(STEPS) === 'running');
    return { config, ...core.result() }
  }
  const { capacity, profile, steps } = flags
  // the least height would be that whatever a pool has room for
  const minimises = solver.goals.includes('height') && !problem.pools?.some((pool) => pool.capacity > 0)
  const done = capacity === undefined ? least(problem, run, minimises, steps) : run({ capacity })
  return { name, problem, model, profile, core, ...done }
}

/** As the command ends. */
export function statusOf({ stats, problem }: Solved, capacity: number | undefined): 0 | 1 | 3 {
  const { outcome, height } = stats
  // of several pools each has its own capacity, which the height of them all says nothing of
  if (outcome === 'feasible' || outcome === 'optimal') return 0
  if (capacity === undefined && height >= 0 && outcome !== 'over-capacity') return 0
  const least = Math.max(stats.lowerBound, problem.lowerBound)
  const isLess = capacity !== undefined && !problem.pools && least > capacity
  return outcome === 'infeasible' || isLess ? 1 : 3
}

const grouped = (value: number): string => value.toLocaleString('en')

/** One line. */
export function summary(solved: Solved, capacity: number | undefined): string {
  const { name, problem, stats } = solved
  const bound = grouped(Math.max(stats.lowerBound, problem.lowerBound))
  const memory = capacity === undefined ? 'any memory' : `${grouped(capacity)} bytes`
  const within = capacity === undefined || problem.pools ? 'bytes' : `of ${memory}`
  const found = {
    0: `${grouped(stats.height)} ${within}`,
    1: `does not fit into ${memory}`,
    3: `undecided whether it fits into ${memory}`,
  }[statusOf(solved, capacity)]
  return `${name}: ${grouped(problem.count)} buffers, ${found}, lower bound ${bound} (${stats.outcome})`
}
