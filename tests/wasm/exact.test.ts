import { afterEach, describe, expect, test } from 'vitest'
import type { Core, Explaining } from '../../wasm/client/core'
import { Driver } from '../../wasm/client/driver/driver'
import type { Reply, Request } from '../../wasm/client/protocol'
import type { Explanation, Frame, Problem, RunStats } from '../../wasm/client/types'
import { config, FIVE, makeCore, part, tiny } from './support'

const cores: Core[] = []
afterEach(() => {
  for (const core of cores.splice(0)) core.free()
})

async function made(): Promise<Core> {
  const core = await makeCore()
  cores.push(core)
  return core
}

function open(core: Core, csv: string): Problem {
  const result = core.open(csv)
  if (!result.ok) throw new Error(JSON.stringify(result.errors))
  return result.problem
}

/** Whether the problem fits, by the search of another solver. */
function fits(referee: Core, csv: string, capacity: number): boolean {
  open(referee, csv)
  referee.start(config('minimalloc', capacity))
  while (referee.step(10_000) === 'running');
  const { outcome } = referee.stats()
  if (outcome === 'infeasible') return false
  if (outcome !== 'feasible' && outcome !== 'optimal') throw new Error(`the referee ended as ${outcome}`)
  return true
}

interface Case {
  csv: string
  problem: Problem
}

/** Problems that do not fit their greatest load. */
function tight(referee: Core, count: number): Case[] {
  const found: Case[] = []
  for (let seed = 1; found.length < count; seed++) {
    if (seed > 3000) throw new Error('too few of the problems need more than their load')
    const csv = tiny(seed)
    const problem = open(referee, csv)
    if (!fits(referee, csv, problem.lowerBound)) found.push({ csv, problem })
  }
  return found
}

function ran(core: Core, capacity: number, options: Record<string, string> = {}, solver = 'exact'): void {
  core.start(config(solver, capacity, options))
  while (core.step(1000) === 'running');
}

describe('conflict', () => {
  test('of an infeasible end alone does not fit', async () => {
    const [core, referee] = [await made(), await made()]
    for (const { csv, problem } of tight(referee, 8)) {
      for (const capacity of [problem.lowerBound, problem.lowerBound - 1]) {
        open(core, csv)
        ran(core, capacity)
        const { stats, conflict, best } = core.result()
        expect(stats.outcome).toBe('infeasible')
        expect(best).toBeNull()
        expect(conflict.length).toBeGreaterThan(1)
        expect(conflict).toEqual([...new Set(conflict)].sort((a, b) => a - b))
        expect(fits(referee, part(problem, conflict), capacity)).toBe(false)
      }
    }
  })

  test('is empty before the end, after another end, and of a solver that keeps none', async () => {
    const core = await made()
    open(core, FIVE)
    core.start(config('exact', 11))
    expect(core.result().conflict).toEqual([])
    ran(core, 12)
    expect(core.result()).toMatchObject({ conflict: [], best: { length: 5 } })
    ran(core, 11, {}, 'minimalloc')
    expect(core.result()).toMatchObject({ stats: { outcome: 'infeasible' }, conflict: [], best: null })
  })
})

/** A run that minimises, step by step: the statistics after each. */
function minimised(core: Core, capacity: number): RunStats[] {
  const seen: RunStats[] = []
  core.start(config('exact', capacity, { goal: 'height' }))
  do seen.push(core.stats())
  while (core.step(1) === 'running')
  seen.push(core.stats())
  return seen
}

describe('minimise', () => {
  test('closes the bounds on the least height', async () => {
    const [core, referee] = [await made(), await made()]
    for (const { csv, problem } of tight(referee, 6)) {
      let least = problem.lowerBound
      while (!fits(referee, csv, least)) least++
      open(core, csv)
      const seen = minimised(core, 2 * least)
      const { stats, best } = core.result()
      expect(stats).toMatchObject({ outcome: 'optimal', height: least, lowerBound: least })
      const tops = Array.from(best ?? [], (offset, k) => offset + problem.size[k]!)
      expect(Math.max(...tops)).toBe(least)
      expect(seen[0]).toMatchObject({ outcome: 'running', height: -1 })
      expect(seen[0]?.lowerBound).toBeGreaterThanOrEqual(problem.lowerBound)
      for (const [k, now] of seen.entries()) {
        const { height, lowerBound } = seen[Math.max(0, k - 1)]!
        expect(now.lowerBound).toBeGreaterThanOrEqual(lowerBound)
        if (height >= 0) expect(now.height).toBeLessThanOrEqual(height)
        if (now.height >= 0) expect(now.lowerBound).toBeLessThanOrEqual(now.height)
      }
    }
  })

  test('there is a plan before the end, and it has the height that is told', async () => {
    const [core, referee] = [await made(), await made()]
    let plans = 0
    for (const { csv, problem } of tight(referee, 6)) {
      open(core, csv)
      core.start(config('exact', problem.lowerBound, { goal: 'height' }))
      while (core.step(1) === 'running') {
        const { height } = core.stats()
        const best = core.best()
        expect(best === null).toBe(height < 0)
        if (!best) continue
        plans++
        expect(Math.max(...Array.from(best, (offset, k) => offset + problem.size[k]!))).toBe(height)
      }
    }
    expect(plans).toBeGreaterThan(0)
  })

  test('a frame carries the bounds as they stood after its step', async () => {
    const [core, referee] = [await made(), await made()]
    for (const { csv, problem } of tight(referee, 3)) {
      open(core, csv)
      const seen = minimised(core, 2 * problem.lowerBound)
      const now = core.now()
      expect(now.bounds).toEqual(bounds(seen.at(-1)))
      for (let step = seen.length - 1; step >= 0; step -= 1 + Math.floor(seen.length / 40)) {
        const at = seen.findLast((stats) => stats.steps === step && stats.outcome === 'running')
        if (at) expect([step, core.seek(step, 2, 3).bounds]).toEqual([step, bounds(at)])
      }
    }
  })

  test('a run that does not minimise has frames without bounds', async () => {
    const core = await made()
    open(core, FIVE)
    ran(core, 12)
    expect([core.now().bounds, core.seek(1, 1, 1).bounds]).toEqual([null, null])
  })
})

function bounds(stats: RunStats | undefined): Frame['bounds'] {
  return stats ? { lowerBound: stats.lowerBound, height: stats.height } : null
}

/** Explains in slices; `between` is called after each. */
function explained(
  core: Core,
  capacity: number,
  slice = 1000,
  budget = 0,
  between: () => void = () => {},
): Explanation {
  core.startExplaining({ capacity, seed: 0, budget })
  for (;;) {
    const state: Explaining = core.explain(slice)
    if (state.ended) return state.ended
    between()
  }
}

describe('explain', () => {
  test('finds a set that does not fit, and fits without any one of them', async () => {
    const [core, referee] = [await made(), await made()]
    for (const { csv, problem } of tight(referee, 8)) {
      open(core, csv)
      const capacity = problem.lowerBound
      const said = explained(core, capacity)
      expect(said).toMatchObject({ outcome: 'infeasible', irreducible: true, section: -1, tried: said.buffers.length })
      expect(said.buffers).toEqual([...new Set(said.buffers)].sort((a, b) => a - b))
      expect(said.steps).toBeGreaterThan(0)
      expect(fits(referee, part(problem, said.buffers), capacity)).toBe(false)
      for (const left of said.buffers) {
        const rest = said.buffers.filter((buffer) => buffer !== left)
        expect(fits(referee, part(problem, rest), capacity)).toBe(true)
      }
    }
  })

  test('slices of any size give the same', async () => {
    const [core, referee] = [await made(), await made()]
    for (const { csv, problem } of tight(referee, 2)) {
      open(core, csv)
      const whole = explained(core, problem.lowerBound, 1_000_000)
      for (const slice of [1, 7, 100]) expect(explained(core, problem.lowerBound, slice)).toEqual(whole)
    }
  })

  test('of too much load names the section', async () => {
    const core = await made()
    const problem = open(core, FIVE)
    const said = explained(core, 11)
    expect(said).toMatchObject({ outcome: 'infeasible', irreducible: true, buffers: { length: 3 } })
    const { lower, upper, load } = problem.sections
    expect(load[said.section]).toBe(12)
    for (const buffer of said.buffers) {
      expect(problem.lower[buffer]).toBeLessThanOrEqual(lower[said.section]!)
      expect(problem.upper[buffer]).toBeGreaterThanOrEqual(upper[said.section]!)
    }
  })

  test('has nothing to say of what fits', async () => {
    const core = await made()
    open(core, FIVE)
    expect(explained(core, 12)).toMatchObject({ outcome: 'feasible', buffers: [], tried: 0, irreducible: false })
  })

  test('ends with its budget or when it is cancelled, and can be begun again', async () => {
    const [core, referee] = [await made(), await made()]
    // one that a first look at each section does not decide
    const hard = tight(referee, 8).find(({ csv, problem }) => {
      open(core, csv)
      return explained(core, problem.lowerBound, 1000, 1).outcome === 'budget-spent'
    })
    if (!hard) throw new Error('all are decided in a step')
    open(core, hard.csv)
    const capacity = hard.problem.lowerBound
    expect(explained(core, capacity, 1000, 1)).toMatchObject({ outcome: 'budget-spent', irreducible: false })
    core.startExplaining({ capacity, seed: 0, budget: 0 })
    expect(core.explain(1).ended).toBeNull()
    expect(core.cancelExplaining().ended).toMatchObject({ outcome: 'cancelled', irreducible: false })
    expect(() => core.explain(1)).toThrow(expect.objectContaining({ name: 'ClientError', reason: 'argument' }))
    core.startExplaining({ capacity, seed: 0, budget: 0 })
    core.explain(1)
    expect(explained(core, capacity)).toMatchObject({ outcome: 'infeasible', irreducible: true })
  })

  test('leaves the run as it is: it goes on and is looked at meanwhile', async () => {
    const [core, alone, referee] = [await made(), await made(), await made()]
    const [{ csv, problem }] = tight(referee, 1) as [Case]
    const start = config('minimalloc', problem.lowerBound)
    open(alone, csv)
    alone.start(start)
    while (alone.step(1) === 'running');
    const { steps, digest } = alone.stats()
    open(core, csv)
    core.start(start)
    let looked = 0
    explained(core, problem.lowerBound, 1, 0, () => {
      core.step(1)
      const at = core.stats().steps
      const step = (looked * 7) % (at + 1)
      expect(core.seek(step, 1, 0)).toEqual(alone.seek(step, 1, 0))
      looked++
    })
    expect(looked).toBeGreaterThan(3)
    while (core.step(1) === 'running');
    expect(core.stats()).toMatchObject({ steps, digest })
  })

  test('needs a problem and whole numbers', async () => {
    const core = await made()
    const ask = { capacity: 11, seed: 0, budget: 0 }
    expect(() => core.startExplaining(ask)).toThrow('There is no problem yet.')
    open(core, FIVE)
    expect(() => core.explain(1)).toThrow(expect.objectContaining({ reason: 'argument' }))
    for (const wrong of [{ capacity: -1 }, { capacity: 1.5 }, { seed: Number.NaN }, { budget: -1 }])
      expect(() => core.startExplaining({ ...ask, ...wrong })).toThrow(/^(capacity|seed|budget) is /)
  })

  test('is given back with its problem', async () => {
    const core = await made()
    open(core, FIVE)
    const { used } = core.memory()
    for (let k = 0; k < 5; k++) {
      core.startExplaining({ capacity: 12, seed: k, budget: 0 })
      core.explain(1)
      open(core, FIVE)
      expect(core.memory().used).toBe(used)
    }
    expect(explained(core, 12).outcome).toBe('feasible')
    expect(core.memory().used).toBe(used)
  })
})

/** All that a worker would reply, on a clock that lets 60 ms pass whenever it is looked at: each slice is a step and tells of itself. */
async function replies(core: Core, ...requests: Request[]): Promise<Reply[]> {
  const seen: Reply[] = []
  const tasks: (() => void)[] = []
  let time = 0
  const clock = {
    now: () => {
      time += 60
      return time
    },
  }
  const driver = new Driver(
    { post: (reply) => seen.push(reply) },
    { load: async () => core, families: { exact: ['exact'] } },
    clock,
    (task) => tasks.push(task),
  )
  await Promise.resolve()
  for (const request of requests) driver.handle(request)
  for (let task = tasks.shift(); task; task = tasks.shift()) task()
  return seen
}

describe('progress', () => {
  test('of a search that minimises brings each better plan once', async () => {
    const [core, referee] = [await made(), await made()]
    for (const { csv, problem } of tight(referee, 3)) {
      const run = config('exact', problem.lowerBound, { goal: 'height' })
      const seen = await replies(core, { type: 'open', id: 1, csv, profile: null }, { type: 'run', id: 2, config: run })
      const told = seen.flatMap((reply) => (reply.type === 'progress' ? [reply.progress] : []))
      let height = -1
      for (const { stats, frame, incumbent } of told) {
        expect(frame?.bounds).toEqual(bounds(stats))
        expect(incumbent !== null).toBe(stats.height !== height)
        height = stats.height
        if (!incumbent) continue
        expect(Math.max(...Array.from(incumbent, (offset, k) => offset + problem.size[k]!))).toBe(height)
      }
      expect(height).toBeGreaterThanOrEqual(problem.lowerBound)
      expect(seen.at(-1)).toMatchObject({ type: 'ended', id: 2, result: { stats: { outcome: 'optimal' } } })
    }
  })

  test('of an explanation goes on to its end', async () => {
    const [core, referee] = [await made(), await made()]
    for (const { csv, problem } of tight(referee, 3)) {
      const ask = { capacity: problem.lowerBound, seed: 0, budget: 0 }
      const seen = await replies(core, { type: 'open', id: 1, csv, profile: null }, { type: 'explain', id: 2, ...ask })
      const told = seen.flatMap((reply) => (reply.type === 'explaining' ? [reply.progress] : []))
      const last = seen.at(-1)
      if (last?.type !== 'explained') throw new Error(`the last reply is ${last?.type}`)
      expect(told.length).toBeGreaterThan(1)
      let before = { steps: 0, tried: 0, count: problem.count }
      for (const now of [
        ...told.filter(({ count }) => count > 0),
        { ...last.explanation, count: last.explanation.buffers.length },
      ]) {
        expect(now.steps).toBeGreaterThanOrEqual(before.steps)
        expect(now.tried).toBeGreaterThanOrEqual(before.tried)
        expect(now.count).toBeLessThanOrEqual(before.count)
        expect(now.tried).toBeLessThanOrEqual(now.count)
        before = now
      }
      expect(last.explanation).toEqual(explained(core, problem.lowerBound))
    }
  })
})
