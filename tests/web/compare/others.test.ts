/** Solvers of others, through their packages for Node, against every plan of small problems. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Core } from '../../../wasm/client/core'
import type { Client, Problem } from '../../../wasm/client/types'
import { type OtherId, solveOther } from '../../../web/src/run/compare/other_solve'
import { type Other, refusalOf, runOther } from '../../../web/src/run/compare/others'
import { faultOf, gridOf, type Packing, pairsOf } from '../../../web/src/run/compare/packing'
import { main } from '../../../web/tools/other_command'
import { makeCore, moduleBytes } from '../../wasm/support'
import { FakeClient } from '../support/fake'

// seven megabytes of it: the optimising compiler wants longer than all of this takes
setFlagsFromString('--liftoff-only')

/** Park and Miller's */
function random(seed: number) {
  let state = seed
  return (n: number) => {
    state = (state * 48271) % 2147483647
    return state % n
  }
}

function drawn(number: number): Omit<Packing, 'capacity'> {
  const pick = random(number + 1)
  const n = 3 + pick(3)
  const lower = Array.from({ length: n }, () => pick(5))
  return {
    lower,
    upper: lower.map((begin) => begin + 1 + pick(4)),
    size: Array.from({ length: n }, () => 8 * (1 + pick(6))),
    alignment: Array.from({ length: n }, () => [1, 1, 16, 32][pick(4)] ?? 1),
    fixed: Array.from({ length: n }, () => -1),
  }
}

const lies = (packing: Omit<Packing, 'capacity'>, i: number, j: number) =>
  (packing.lower[i] ?? 0) < (packing.upper[j] ?? 0) && (packing.lower[j] ?? 0) < (packing.upper[i] ?? 0)

/** In some order of the offsets each buffer lies on those that it overlaps: the least over all orders is the least there is. */
function leastHeight(packing: Omit<Packing, 'capacity'>): number {
  const n = packing.size.length
  let least = Number.POSITIVE_INFINITY
  const place = (tops: Map<number, number>, height: number) => {
    if (tops.size === n) least = Math.min(least, height)
    for (let i = 0; i < n; i++) {
      if (tops.has(i)) continue
      const grain = packing.alignment[i] ?? 1
      const under = [...tops].filter(([j]) => lies(packing, i, j)).map(([, top]) => top)
      const top = Math.ceil(Math.max(0, ...under) / grain) * grain + (packing.size[i] ?? 0)
      place(new Map([...tops, [i, top]]), Math.max(height, top))
    }
  }
  place(new Map(), 0)
  return least
}

let core: Core
beforeAll(async () => {
  core = await makeCore()
})

/** The program as the page comes by it: the core writes it of what is open. */
function programOf({ lower, upper, size, alignment, fixed, capacity }: Packing): string {
  const rows = Array.from(lower, (from, i) => [
    i,
    from,
    upper[i],
    size[i],
    alignment[i],
    fixed[i] === -1 ? '' : fixed[i],
  ])
  const opened = core.open(['id,lower,upper,size,alignment,offset', ...rows.map((row) => row.join(','))].join('\n'))
  if (!opened.ok) throw new Error(opened.errors[0]?.message)
  return core.packing(capacity, 1e6) ?? ''
}

const ask = (solver: OtherId, packing: Packing) =>
  solveOther({ solver, packing, program: solver === 'ilp' ? programOf(packing) : '', seconds: 30 })

const verdict = async (solver: OtherId, packing: Packing) => {
  const end = await ask(solver, packing)
  if (end.offsets !== null) expect(faultOf(packing, end.offsets)).toBe('')
  return end.outcome
}

describe.each(['ilp', 'cp-sat'] as const)('%s', (solver) => {
  it('finds a plan at the least height and none below, whatever the alignments', { timeout: 120_000 }, async () => {
    for (let number = 0; number < 12; number++) {
      const packing = drawn(number)
      const least = leastHeight(packing)
      const largest = Math.max(...Array.from(packing.size))
      expect(await verdict(solver, { ...packing, capacity: least }), `problem ${number}`).toBe('feasible')
      if (least - 8 >= largest)
        expect(await verdict(solver, { ...packing, capacity: least - 8 }), `problem ${number}`).toBe('infeasible')
    }
  })

  it('keeps to fixed offsets', { timeout: 120_000 }, async () => {
    const packing = { ...drawn(1), lower: [0, 0], upper: [2, 2], size: [8, 8], alignment: [1, 1], fixed: [8, -1] }
    const end = await ask(solver, { ...packing, capacity: 16 })
    expect(end.offsets).toEqual([8, 0])
    expect(await verdict(solver, { ...packing, fixed: [4, -1], capacity: 15 })).toBe('infeasible')
  })
})

const problem = (more: Partial<Problem> = {}) =>
  ({
    count: 2,
    lower: Float64Array.of(0, 0),
    upper: Float64Array.of(2, 2),
    size: Float64Array.of(8, 8),
    alignment: Float64Array.of(1, 1),
    fixed: Float64Array.of(-1, -1),
    bank: Float64Array.of(0, 0),
    gaps: [],
    lowerBound: 16,
    ...more,
  }) as unknown as Problem

/** Answers what it is told to. */
function standIn(offsets: number[] | null): () => Other {
  return () => {
    const other: Other = {
      onmessage: null,
      onerror: null,
      postMessage: () =>
        other.onmessage?.({
          data: { kind: 'ended', end: { outcome: 'feasible', offsets, seconds: 1, nodes: 7, gap: 0 } },
        } as MessageEvent),
      terminate: () => {},
    }
    return other
  }
}

const { signal } = new AbortController()

/** Has a problem open, and writes a program of it. */
function client(text: string | null = 'some'): Client {
  const made = new FakeClient()
  made.packingText = text
  return made
}
const at = (capacity: number) => ({ solver: 'ilp', capacity }) as const

describe('a run of a solver of others', () => {
  it('has an outcome, a height, seconds and nodes, and no steps', async () => {
    const cell = await runOther(client(), at(16), problem(), signal, standIn([8, 0]))
    expect(cell).toMatchObject({ outcome: 'optimal', height: 16, seconds: 1, steps: -1, backtracks: -1, digest: '' })
    expect(cell.note).toBe('7 nodes, gap 0.00 %')
  })

  it('is not believed: a plan that overlaps is none', async () => {
    const cell = await runOther(client(), at(20), problem(), signal, standIn([8, 4]))
    expect(cell).toMatchObject({ outcome: 'refused', height: -1 })
    expect(cell.note).toContain('overlap')
  })

  it('is not begun where the load alone is more', async () => {
    const none = () => {
      throw new Error('asked all the same')
    }
    expect(await runOther(client(), at(15), problem(), signal, none)).toMatchObject({
      outcome: 'infeasible',
      seconds: 0,
    })
  })

  it('says what is lacking instead of hanging', async () => {
    expect(refusalOf(problem(), false)).toContain('cross-origin isolated')
    expect(refusalOf(problem(), true)).toBe('')
    expect(refusalOf(problem({ bank: Float64Array.of(0, 64) }), true)).toBe('takes no banks')
    const asked = await runOther(client(), { solver: 'cp-sat', capacity: 16 }, problem(), signal, standIn([8, 0]))
    expect(asked).toMatchObject({ outcome: 'refused' })
    expect(asked.note).toContain('cross-origin isolated')
    const banked = problem({ bank: Float64Array.of(0, 64) })
    expect(await runOther(client(), at(16), banked, signal, standIn([8, 0]))).toMatchObject({
      outcome: 'refused',
      note: 'It takes no banks.',
    })
    expect(await runOther(client(null), at(16), problem(), signal, standIn([8, 0]))).toMatchObject({
      outcome: 'refused',
      note: 'It takes no program above 32 MB here.',
    })
  })

  it('is refused by the core where its program has no words for the problem', () => {
    core.open('id,lower,upper,size,gaps\na,0,9,4,3-6@2:4\nb,3,6,2,\n')
    expect(() => core.packing(16, 1e6)).toThrow(/the program knows none/)
    core.open('id,lower,upper,size\na,0,4,8\nb,0,4,8\n')
    expect(core.packing(16, 100)).toBeNull()
  })

  it('leaves at once when it is given up', async () => {
    const end = new AbortController()
    const gone: string[] = []
    const silent = (): Other => ({
      onmessage: null,
      onerror: null,
      postMessage: () => setTimeout(() => end.abort()),
      terminate: () => gone.push('gone'),
    })
    const cell = await runOther(client(), at(16), problem(), end.signal, silent)
    expect(cell.outcome).toBe('cancelled')
    expect(gone).toEqual(['gone'])
  })
})

describe('the command', () => {
  const folder = mkdtempSync(join(tmpdir(), 'arenascope-others-'))
  const run = async (...args: string[]) => {
    const got = { out: '', err: '' }
    const code = await main(
      args,
      moduleBytes('core'),
      (line) => (got.out += line),
      (text) => (got.err += text),
    )
    return { code, ...got }
  }
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }

  it('says what became of it, and writes the plan', { timeout: 60_000 }, async () => {
    const csv = file('two.csv', 'id,lower,upper,size\na,0,4,8\nb,0,4,8\n')
    for (const solver of ['ilp', 'cp-sat']) {
      const plan = join(folder, `${solver}.csv`)
      const some = await run(csv, `--solver=${solver}`, '--capacity=16', `--csv=${plan}`)
      expect(some).toMatchObject({ code: 0, err: '' })
      expect(some.out).toMatch(/^two\.csv: 2 buffers, feasible, [\d.]+ s, \d+ nodes, gap 0\.00 %$/)
      expect(readFileSync(plan, 'utf8')).toMatch(/offset\na,0,4,8,(0|8)\n/)
      expect(await run(csv, `--solver=${solver}`, '--capacity=15')).toMatchObject({ code: 1 })
    }
  })

  it('refuses what it does not take', async () => {
    const banked = file('banks.csv', 'id,lower,upper,size,bank\na,0,4,8,64\n')
    expect(await run(banked, '--solver=ilp', '--capacity=64')).toMatchObject({
      code: 2,
      err: 'others: ilp takes no banks\n',
    })
    expect((await run('none.csv', '--solver=ilp', '--capacity=64')).err).toContain('no such file')
    expect((await run(banked, '--solver=exact', '--capacity=64')).err).toMatch(/^usage: /)
    expect((await run(banked, '--solver=ilp', '--cap=64')).err).toMatch(/^others: /)
    expect(await run('--help')).toMatchObject({ code: 0, out: expect.stringMatching(/^usage: /), err: '' })
  })
})

describe('the grid', () => {
  it('counts in the greatest common divisor, and pairs are those alive together', () => {
    const packing = { ...drawn(3), size: [48, 32, 80], alignment: [1, 16, 1], fixed: [-1, -1, 64], capacity: 100 }
    expect(gridOf({ ...packing, lower: [0, 0, 0], upper: [1, 1, 1] })).toMatchObject({ unit: 16, capacity: 6 })
    expect([...pairsOf({ lower: [0, 1, 2], upper: [2, 3, 4] })]).toEqual([
      [0, 1],
      [1, 2],
    ])
  })
})
