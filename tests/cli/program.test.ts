/** The packing as an integer program (TelaMalloc, figure 5) in a solver of such, against the searches: they share nothing but the problem. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import highs from 'highs'
import { beforeAll, describe, expect, it } from 'vitest'
import { arenascope, folder, solveJson } from './command'

let solver: Awaited<ReturnType<typeof highs>>
beforeAll(async () => {
  solver = await highs()
})

const file = join(folder, 'program.csv')

interface Row {
  lower: number
  upper: number
  size: number
  alignment: number
  offset: number
  gap: [number, number] | null
}

/** xorshift: the same problems every time. */
function random(seed: number): (n: number) => number {
  let x = seed
  return (n) => {
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    return (x >>> 0) % n
  }
}

function draw(pick: (n: number) => number): Row[] {
  const aligned = pick(2) === 0
  return Array.from({ length: 3 + pick(5) }, () => {
    const lower = pick(6)
    const upper = lower + 1 + pick(4)
    const alignment = aligned ? [1, 2, 4][pick(3)]! : 1
    const gap: Row['gap'] = upper - lower > 2 && pick(3) === 0 ? [lower + 1, upper - 1] : null
    return { lower, upper, size: 1 + pick(7), alignment, offset: pick(9) === 0 ? pick(3) * alignment : -1, gap }
  })
}

const csvOf = (rows: Row[]) =>
  ['id,lower,upper,size,alignment,offset,gaps']
    .concat(
      rows.map((r, k) => `b${k},${r.lower},${r.upper},${r.size},${r.alignment},${r.offset},${r.gap?.join('-') ?? ''}`),
    )
    .join('\n')

function program(capacity: number, ...flags: string[]): string {
  const done = arenascope(['program', file, `--capacity=${capacity}`, ...flags])
  expect(done.code, done.err).toBe(0)
  return done.out
}

/** Offsets, or null: there is no plan. */
function solved(text: string, rows: Row[]): { offsets: number[]; height: number } | null {
  const answer = solver.solve(text, { output_flag: false, mip_rel_gap: 0 } as Parameters<typeof solver.solve>[1])
  if (answer.Status !== 'Optimal') {
    expect(answer.Status).toBe('Infeasible')
    return null
  }
  const unit = Number(/units of (\d+) bytes/.exec(text)?.[1])
  const offsets = rows.map((row, k) => {
    const value = (answer.Columns[`p_${k}`] as { Primal: number }).Primal
    expect(Math.abs(value - Math.round(value))).toBeLessThan(1e-6)
    return Math.round(value) * (row.alignment > 1 ? row.alignment : unit)
  })
  return { offsets, height: Math.round(answer.ObjectiveValue) * unit }
}

const times = (row: Row) =>
  Array.from({ length: row.upper - row.lower }, (_, k) => row.lower + k).filter(
    (t) => !row.gap || t < row.gap[0] || t >= row.gap[1],
  )

/** By the definition, byte by byte and time by time. */
function isPlan(rows: Row[], offsets: number[], capacity: number): boolean {
  const taken = new Set<string>()
  return rows.every((row, k) => {
    const at = offsets[k]!
    const suits =
      at >= 0 && at + row.size <= capacity && at % row.alignment === 0 && (row.offset < 0 || row.offset === at)
    const free = times(row).every((t) =>
      Array.from({ length: row.size }, (_, byte) => `${t}:${at + byte}`).every(
        (cell) => !taken.has(cell) && taken.add(cell),
      ),
    )
    return suits && free
  })
}

describe('the packing as an integer program', () => {
  it('agrees with every complete search, whichever way it is written', () => {
    const pick = random(20231)
    const ways = [[], ['--one_variable']]
    let [plans, none] = [0, 0]
    for (let trial = 0; trial < 60; trial++) {
      const rows = draw(pick)
      writeFileSync(file, csvOf(rows))
      const best = solveJson([file, '--solver=exact', '--minimize', '--capacity=1000'])
      // what is fixed may collide: then there is no plan at any capacity
      const least = best.outcome === 'optimal' ? best.height! : 40
      const [capacity, way] = [least - (trial % 2), ways[(trial >> 1) % 2]!]
      const found = solved(program(capacity, ...way), rows)
      expect([trial, found !== null]).toEqual([trial, best.outcome === 'optimal' && capacity === least])
      if (found) expect(isPlan(rows, found.offsets, capacity), csvOf(rows)).toBe(true)
      if (best.outcome === 'optimal') expect(solved(program(1000, '--least', ...way), rows)?.height).toBe(least)
      for (const search of trial % 5 === 0 ? ['cp', 'csp', 'meta-csp'] : []) {
        const { outcome } = solveJson([file, `--solver=${search}`, `--capacity=${capacity}`])
        expect([trial, search, outcome === 'infeasible']).toEqual([trial, search, found === null])
      }
      if (found) plans++
      else none++
    }
    expect(Math.min(plans, none)).toBeGreaterThan(20)
  }, 60_000)

  it('counts in the common divisor of what is given', () => {
    writeFileSync(file, 'id,lower,upper,size,alignment\na,0,2,4096,64\nb,1,3,1024,64\n')
    const text = program(1 << 20)
    expect(text).toContain('units of 64 bytes')
    expect(text).toContain('1 p_0 - height <= -64')
  })

  it.each([
    ['bank', 'id,lower,upper,size,bank\na,0,2,4,8\n'],
    ['pool', 'id,lower,upper,size,pool\na,0,2,4,sram\n'],
    ['gaps', 'id,lower,upper,size,gaps\na,0,4,4,1-2@0:2\n'],
  ])('names what it knows none of: %s', (field, csv) => {
    writeFileSync(file, csv)
    expect(arenascope(['program', file, '--capacity=100'])).toEqual({
      code: 2,
      out: '',
      err: `arenascope: ${field}: the program knows none\n`,
    })
  })

  it('wants a capacity, in numbers that a solver can take', () => {
    writeFileSync(file, 'id,lower,upper,size\na,0,2,3\nb,0,2,4\n')
    expect(arenascope(['program', file])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--capacity: is missing'),
    })
    const far = arenascope(['program', file, '--capacity=9000000000'])
    expect(far).toMatchObject({ code: 2, err: expect.stringContaining('2,147,483,648 units') })
  })
})
