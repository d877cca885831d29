/** The examples keep what their texts promise. The claims about what cannot be done are checked by trying everything. */
import { describe, expect, it } from 'vitest'
import { arenascope, example, read, solveJson } from './command'

interface Entry {
  file: string
  title: string
  subtitle: string
  capacity: number
  solver: string
  text: string
  options?: Record<string, string>
  step?: number
}

const index = JSON.parse(read(example('index.json'))) as Entry[]
const byFile = (file: string) => index.find((entry) => entry.file === file) as Entry

function solve(entry: Entry, more: string[] = []) {
  const options = Object.entries(entry.options ?? {}).map(([name, value]) => `--${name}=${value}`)
  const where = [`--capacity=${entry.capacity}`, `--solver=${entry.solver}`, example(entry.file)]
  return solveJson([...where, ...options, '--validate', ...more])
}

interface Box {
  id: string
  lower: number
  upper: number
  size: number
}

function boxes(file: string): Box[] {
  const rows = read(example(file)).trim().split('\n').slice(1)
  return rows.map((row) => {
    const [id = '', lower, upper, size] = row.split(',')
    return { id, lower: Number(lower), upper: Number(upper), size: Number(size) }
  })
}

/** Is there a plan? Tries every offset of every buffer, in the order of the file. */
function brute(all: Box[], capacity: number, fixed: Record<string, number> = {}, placed: number[] = []): boolean {
  const next = all[placed.length]
  if (!next) return true
  for (let offset = 0; offset + next.size <= capacity; offset++) {
    if ((fixed[next.id] ?? offset) !== offset) continue
    const clash = placed.some((other, k) => {
      const box = all[k] as Box
      const together = box.lower < next.upper && next.lower < box.upper
      return together && other < offset + next.size && offset < other + box.size
    })
    if (!clash && brute(all, capacity, fixed, [...placed, offset])) return true
  }
  return false
}

describe('index', () => {
  it('names each file once, in one sentence', () => {
    expect(new Set(index.map((entry) => entry.file)).size).toBe(index.length)
    for (const entry of index) {
      expect(entry.text).toMatch(/^[A-Z].*[.]$/)
      expect(entry.text.match(/[.]/g)).toHaveLength(1)
      expect(entry.title.length).toBeGreaterThan(0)
    }
  })

  it.each(index)('$file', (entry) => {
    const result = solve(entry)
    const expected = /^infeasible/.test(entry.file) ? 1 : 0
    expect(result.code).toBe(expected)
    if (expected === 0) expect(result.valid).toBe(true)
    const rule = /^rule-(.*)\.csv$/.exec(entry.file)?.[1]
    if (rule === undefined) return
    expect(entry.step).toBeDefined()
    expect(entry.step as number).toBeLessThanOrEqual(10)
    if (rule === 'decomposition') return
    /* the rule fires at the step that the page opens at, and not before */
    const { rules } = solve(entry, [`--steps=${entry.step}`])
    const before = solve(entry, [`--steps=${(entry.step as number) - 1}`])
    expect(rules[rule]).toBe(1)
    expect(before.rules[rule]).toBeUndefined()
  })
})

describe('what the texts say', () => {
  it('ten.csv: b7 where greedy puts it leaves no plan, two bytes higher there is one', () => {
    const entry = byFile('ten.csv')
    const all = boxes(entry.file)
    expect(all).toHaveLength(10)
    const greedy = solveJson([`--capacity=${entry.capacity}`, '--solver=contention', example(entry.file)])
    expect(greedy.outcome).toBe('over-capacity')
    expect(brute(all, entry.capacity, { b7: 3 })).toBe(false)
    expect(brute(all, entry.capacity, { b7: 5 })).toBe(true)
    for (const other of all.filter((box) => box.id !== 'b7'))
      expect(
        [...Array(entry.capacity).keys()].some((offset) => brute(all, entry.capacity, { [other.id]: offset })),
      ).toBe(true)
  })

  it('wrong-gap.csv: with b6 in the gap there is no plan, with b7 there is, and one major backtrack mends it', () => {
    const entry = byFile('wrong-gap.csv')
    const all = boxes(entry.file)
    expect(all).toHaveLength(10)
    expect(brute(all, entry.capacity, { b5: 0, b8: 4, b6: 3 })).toBe(false)
    expect(brute(all, entry.capacity, { b5: 0, b8: 4, b7: 3 })).toBe(true)
    /* ten placements, two minor backtracks, one major one, and what it took back placed again: 18 steps */
    const [before, after, end] = [(entry.step as number) - 1, entry.step as number, 18].map((step) =>
      solve(entry, [`--steps=${step}`]),
    )
    expect([before?.backtracks, after?.backtracks]).toEqual([2, 3])
    expect(end).toMatchObject({ outcome: 'optimal', steps: 18, backtracks: 3, rules: { unsatisfiable: 2 } })
  })

  it('phases.csv: two subproblems, placed at first sight', () => {
    const entry = byFile('phases.csv')
    expect(JSON.parse(arenascope(['stats', '--json', example(entry.file)]).out)).toMatchObject({ partitions: 2 })
    expect(solve(entry)).toMatchObject({ outcome: 'optimal', steps: 7, backtracks: 0 })
  })

  it('greedy-misses.csv: no greedy solver fits it', () => {
    const entry = byFile('greedy-misses.csv')
    const solvers = JSON.parse(arenascope(['solvers', '--json']).out) as {
      id: string
      complete: boolean
      refutes: boolean
      domain: string
    }[]
    /* a hill climb changes the order until greedy does fit */
    const greedy = solvers.filter(
      ({ id, complete, refutes, domain }) =>
        domain === 'buffers' && !(complete || refutes || id.endsWith('hill-climb')),
    )
    expect(greedy.length).toBeGreaterThan(8)
    for (const { id } of greedy) expect(solve({ ...entry, solver: id }).outcome).toBe('over-capacity')
    expect(solve(entry)).toMatchObject({ outcome: 'optimal', backtracks: 0 })
  })

  it('backjump.csv: decisions are jumped over in one step, and without jumping it takes longer', () => {
    const entry = byFile('backjump.csv')
    const before = solve(entry, [`--steps=${(entry.step as number) - 1}`])
    const after = solve(entry, [`--steps=${entry.step}`])
    expect(after.rules.backjump as number).toBeGreaterThan((before.rules.backjump ?? 0) + 1)
    const without = solve(entry, ['--backjumping=false'])
    expect(without.steps as number).toBeGreaterThan(1.5 * (solve(entry).steps as number))
  })

  it('infeasible-32.csv: seven buffers, and none of them can be spared', () => {
    const entry = byFile('infeasible-32.csv')
    expect(solve(entry)).toMatchObject({ outcome: 'infeasible', lowerBound: entry.capacity })
    const all = boxes(entry.file)
    const core = all.filter((box) => ['t12', 't13', 't14', 't15', 't17', 't18', 't19'].includes(box.id))
    expect([all.length, core.length]).toEqual([32, 7])
    expect(brute(core, entry.capacity)).toBe(false)
    for (const spared of core)
      expect(
        brute(
          core.filter((box) => box !== spared),
          entry.capacity,
        ),
      ).toBe(true)
  })

  it('infeasible.csv: the load fits, nothing else does', () => {
    const entry = byFile('infeasible.csv')
    expect(solve(entry)).toMatchObject({ outcome: 'infeasible', lowerBound: entry.capacity })
    expect(brute(boxes(entry.file), entry.capacity)).toBe(false)
    expect(brute(boxes(entry.file), entry.capacity + 1)).toBe(true)
  })

  it('aligned.csv: 520 is the least height', () => {
    const least = solve(byFile('aligned.csv'), ['--minimize_capacity'])
    expect(least).toMatchObject({ outcome: 'optimal', height: 520, lowerBound: 520 })
    expect(JSON.parse(arenascope(['stats', '--json', example('aligned.csv')]).out)).toMatchObject({ lowerBound: 432 })
  })

  it('rule-decomposition.csv: without it the search is longer', () => {
    const entry = byFile('rule-decomposition.csv')
    expect(solve(entry).steps).toBeLessThan(solve(entry, ['--nodynamic_decomposition']).steps)
  })
})

/* Links carry digests. They were told on 2026-11-23, when the digest got eight bits for the kind of a step, those of telamalloc and exact on 2026-11-25,
   when its runs began to use all of their budget and when it got the option exchange, that of exact again on 2026-11-26, with the option piles; a solver
   that comes later leaves them as they are. */
describe('digests that links carry', () => {
  it.each([
    ['minimalloc', 'b38e392b05c2ae65'],
    ['exact', '98c3003ffdff0e7b'],
    ['telamalloc', '9945e689aaad22ac'],
    ['greedy', '3776c3a4b6287c03'],
    ['contention', '4a525cd58eda107c'],
    ['bfc', 'ca14823dc1d87b13'],
    ['xla', '10a0814075abc075'],
    ['simple', '62066f880a24a6bf'],
  ])('five.csv by %s', (solver, digest) => {
    expect(solveJson(['--capacity=12', `--solver=${solver}`, example('five.csv')])).toMatchObject({ digest })
  })
})
