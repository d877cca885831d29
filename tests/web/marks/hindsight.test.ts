/** Hindsight against all plans of small problems, and where its words come from. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client, Frame, Problem, ProfileSpec } from '../../../wasm/client/types'
import { type Case, type Finding, judge, nextQuestion } from '../../../web/src/run/marks/hindsight'
import { lacking } from '../../../web/src/state/workbench'
import { type Decision, fatesOf, type Judged, pathOf, QUESTION_BUDGET } from '../../../web/src/state/marks/hindsight'
import { nodeClient, random } from '../../wasm/support'

let search: Client
let oracle: Client
beforeAll(async () => {
  search = (await nodeClient()).client
  oracle = (await nodeClient()).client
})
afterAll(() => {
  search.dispose()
  oracle.dispose()
})

/** Whether offsets can be found for all buffers, some of which have theirs: by trying every offset on a bitmap of time and address. */
function fits(problem: Problem, capacity: number, fixed: Float64Array): boolean {
  const { lower, upper, size, alignment, bank, gaps, count } = problem
  const times = Math.max(0, ...upper)
  const taken = new Uint8Array(times * capacity)
  const away = (b: number, t: number) => gaps.some((g) => g.buffer === b && g.lower <= t && t < g.upper)
  const set = (b: number, at: number, on: 0 | 1): boolean => {
    for (let t = lower[b]!; t < upper[b]!; t++) {
      if (away(b, t)) continue
      for (let y = at; y < at + size[b]!; y++) {
        if (on === 1 && taken[t * capacity + y] === 1) return false
        if (on === 0) taken[t * capacity + y] = 0
      }
    }
    if (on === 1)
      for (let t = lower[b]!; t < upper[b]!; t++)
        if (!away(b, t)) taken.fill(1, t * capacity + at, t * capacity + at + size[b]!)
    return true
  }
  const order = Array.from({ length: count }, (_, b) => b).sort(
    (x, y) => Number(fixed[y]! >= 0) - Number(fixed[x]! >= 0),
  )
  const place = (k: number): boolean => {
    const b = order[k]
    if (b === undefined) return true
    for (let at = 0; at + size[b]! <= capacity; at++) {
      if (fixed[b]! >= 0 && at !== fixed[b]) continue
      if (at % alignment[b]! !== 0 || (bank[b]! > 0 && (at % bank[b]!) + size[b]! > bank[b]!)) continue
      if (!set(b, at, 1)) continue
      if (place(k + 1)) return true
      set(b, at, 0)
    }
    return false
  }
  return place(0)
}

/** The most first decisions that leave a plan, asked of every number of them. */
function slowly(problem: Problem, capacity: number, path: readonly Decision[]): number {
  for (let k = path.length; k >= 0; k--) {
    const fixed = problem.fixed.slice()
    for (const { buffer, offset } of path.slice(0, k)) fixed[buffer] = offset
    if (fits(problem, capacity, fixed)) return k
  }
  return -1
}

const never = new AbortController().signal

function small(pick: (below: number) => number): string {
  const rows = Array.from({ length: 5 + pick(3) }, (_, k) => {
    const lower = pick(6)
    const upper = lower + 2 + pick(6)
    const alignment = pick(4) === 0 ? 2 : 1
    const gap = pick(4) === 0 ? `${lower + 1}-${Math.min(upper - 1, lower + 2)}` : ''
    const empty = gap !== '' && gap.split('-')[0] === gap.split('-')[1]
    return `b${k},${lower},${upper},${1 + pick(4)},${alignment},${pick(5) === 0 ? 4 : ''},${empty ? '' : gap}`
  })
  return `id,lower,upper,size,alignment,bank,gaps\n${rows.join('\n')}\n`
}

async function pathAt(csv: string, solver: string, capacity: number, step: number, profile: ProfileSpec | null) {
  const opened = await search.open(csv, profile)
  if (!opened.ok) throw new Error(JSON.stringify(opened.errors))
  await search.run({ solver, capacity, seed: 1, budget: 20_000, options: {} }, () => {})
  const frame = await search.seek(step, 1, 0)
  return { problem: opened.problem, path: pathOf(frame as Frame) }
}

describe('the wrong turn', () => {
  it('is the same of a model, which is given as its graph, and of its buffers as CSV', async () => {
    const graph = readFileSync(new URL('../../../examples/graphs/blazeface.graph.csv', import.meta.url), 'utf8')
    const profile: ProfileSpec = { capacity: 0, reserved: 0, alignment: 64, alignBy: 'both', bank: 0, mayCross: true }
    const lowering = { order: 'greedy', inplace: 'true' }
    const opened = await search.openGraph(graph, lowering, profile)
    if (!opened.ok) throw new Error(JSON.stringify(opened.errors))
    const { problem, model } = opened
    const capacity = problem.lowerBound
    await search.run({ solver: 'greedy', capacity, seed: 1, budget: 0, options: { order: 'start' } }, () => {})
    const path = pathOf((await search.seek(problem.count, 1, 0)) as Frame)
    const one = { csv: model.csv, profile, problem, capacity, path, plan: null, infeasible: false, budget: 20_000 }
    const asText = await judge(one, oracle, () => {}, never)
    expect(await judge({ ...one, model: { graph, lowering } }, oracle, () => {}, never)).toEqual(asText)
    expect(asText.questions).toBeGreaterThan(1)
    expect(asText.doomed).toBeLessThan(path.length)
  })

  it('is where the last plan is lost, by trying all of them: aligned, with gaps and banks, in a profile', async () => {
    const pick = random(17)
    const profile: ProfileSpec = { capacity: 0, reserved: 0, alignment: 2, alignBy: 'both', bank: 0, mayCross: true }
    let turns = 0
    const used = new Set<string>()
    for (let trial = 0; trial < 100; trial++) {
      const csv = small(pick)
      const memory = pick(3) === 0 ? profile : null
      const first = await search.open(csv, memory)
      if (!first.ok) throw new Error(JSON.stringify(first.errors))
      const capacity = first.problem.lowerBound + pick(2)
      const solvers = (await search.manifest()).solvers.filter((solver) => lacking(solver, first.problem).length === 0)
      const solver = solvers[pick(solvers.length)]?.id ?? ''
      used.add(solver)
      const { problem, path } = await pathAt(csv, solver, capacity, 1 + pick(30), memory)
      const now: Case = {
        csv,
        profile: memory,
        problem,
        capacity,
        path,
        plan: null,
        infeasible: false,
        budget: QUESTION_BUDGET,
      }
      const found = await judge(now, oracle, () => {}, never)
      const expected = slowly(problem, capacity, path)
      expect([trial, found.solvable, found.doomed]).toEqual([trial, expected, expected + 1])
      if (expected >= 0 && expected < path.length) turns += 1
    }
    // a test of nothing but easy paths would say little
    expect(turns).toBeGreaterThan(3)
    expect(used.size).toBeGreaterThan(3)
  })

  it('of “Wrong gap” is step 3, where b6 takes the gap that b7 needs', async () => {
    const csv = readFileSync(new URL('../../../examples/wrong-gap.csv', import.meta.url), 'utf8')
    // step 10 takes five levels back: the path that failed is still asked about
    const { problem, path } = await pathAt(csv, 'telamalloc', 8, 10, null)
    expect(path).toHaveLength(7)
    const now: Case = {
      csv,
      profile: null,
      problem,
      capacity: 8,
      path,
      plan: null,
      infeasible: false,
      budget: QUESTION_BUDGET,
    }
    const found = await judge(now, oracle, () => {}, never)
    expect(found).toMatchObject({ solvable: 2, doomed: 3 })
    const turn = path[2] as Decision
    expect(problem.ids.at(turn.buffer)).toBe('b6')
    const placed = await search.scan(11, false, [{ role: 'puts', buffer: turn.buffer }], 0)
    expect(placed?.step).toBe(3)
  })

  it('takes a known plan and a known proof for answers', async () => {
    const csv = 'id,lower,upper,size\na,0,2,1\nb,0,2,1\n'
    const { problem } = await pathAt(csv, 'minimalloc', 2, 0, null)
    const path = [
      { buffer: 0, offset: 0 },
      { buffer: 1, offset: 1 },
    ]
    const now: Case = {
      csv,
      profile: null,
      problem,
      capacity: 2,
      path,
      plan: Float64Array.of(0, 1),
      infeasible: false,
      budget: 1,
    }
    const nobody = undefined as unknown as Client
    expect(await judge(now, nobody, () => {}, never)).toMatchObject({ solvable: 2, doomed: 3, questions: 0 })
    const proved = { ...now, plan: null, infeasible: true }
    expect(await judge(proved, nobody, () => {}, never)).toMatchObject({ solvable: -1, doomed: 0, questions: 0 })
  })

  it('stays unknown where the budget does not decide, and stops when it is told to', async () => {
    const { csv, capacity } = await search.generate('synthetic', 40, 3)
    const { problem, path } = await pathAt(String(csv), 'minimalloc', capacity - 1, 200, null)
    const now: Case = {
      csv,
      profile: null,
      problem,
      capacity: capacity - 1,
      path,
      plan: null,
      infeasible: false,
      budget: 1,
    }
    const levels: number[] = []
    const all = await judge(now, oracle, (_, level) => levels.push(level), never)
    expect(all.solvable).toBeLessThan(all.doomed - 1)
    expect(new Set(levels).size).toBe(levels.length)
    const stop = new AbortController()
    const early = await judge(now, oracle, (finding: Finding) => finding.questions === 1 && stop.abort(), stop.signal)
    expect(early.questions).toBe(2)
  })
})

describe('questions', () => {
  it('halve what is open, and leave out what was asked in vain', () => {
    expect(nextQuestion(-1, 9, new Set())).toBe(4)
    expect(nextQuestion(4, 9, new Set())).toBe(6)
    expect(nextQuestion(4, 5, new Set())).toBe(-1)
    expect(nextQuestion(-1, 9, new Set([4]))).toBe(6)
    expect(nextQuestion(-1, 3, new Set([0, 1, 2]))).toBe(-1)
    for (let turn = -1; turn < 100; turn++) {
      let [solvable, doomed] = [-1, 100]
      let count = 0
      for (
        let k = nextQuestion(solvable, doomed, new Set());
        k >= 0;
        count++, k = nextQuestion(solvable, doomed, new Set())
      ) {
        if (k <= turn) solvable = k
        else doomed = k
      }
      expect([solvable, doomed]).toEqual([turn, turn + 1])
      expect(count).toBeLessThanOrEqual(7)
    }
  })
})

describe('fates', () => {
  const path = [3, 1, 4, 0].map((buffer, k) => ({ buffer, offset: 10 * k }))
  const judged: Judged = {
    of: '',
    capacity: 1,
    step: 9,
    path,
    solvable: 1,
    doomed: 3,
    turn: 0,
    questions: 0,
    steps: 0,
    budget: 1,
  }

  it('hold on other paths as far as they go together', () => {
    expect(fatesOf(judged, path)).toEqual(['solvable', 'unknown', 'doomed', 'doomed'])
    expect(fatesOf(judged, path.slice(0, 2))).toEqual(['solvable', 'unknown'])
    expect(fatesOf(judged, [...path.slice(0, 3), { buffer: 7, offset: 0 }])).toEqual([
      'solvable',
      'unknown',
      'doomed',
      'doomed',
    ])
    expect(fatesOf(judged, [...path.slice(0, 2), { buffer: 7, offset: 0 }])).toEqual(['solvable', 'unknown', 'unknown'])
    expect(fatesOf(judged, [{ buffer: 3, offset: 1 }])).toEqual(['unknown'])
    expect(fatesOf({ ...judged, solvable: -1, doomed: 0 }, path.slice(0, 1))).toEqual(['doomed'])
  })
})
