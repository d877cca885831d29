import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ClientError, type Explanation, type RunStats } from '../../wasm/client/types'
import { execute } from '../cli/small_shell'
import { config, makeCore, NATIVE, ROOT } from './support'

/** Long searches are compared up to here. */
const BUDGET = 50_000
/** A step of meta-csp updates a matrix of all pairs. */
const budgetOf = (solver: string) => (solver === 'meta-csp' ? 2000 : BUDGET)

interface Case {
  name: string
  csv: string
  capacity: number
}
type Summary = Pick<RunStats, 'outcome' | 'height' | 'lowerBound' | 'steps' | 'backtracks' | 'digest'>

const core = await makeCore()

function examples(): Case[] {
  const folder = join(ROOT, 'examples')
  const index = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as { file: string; capacity: number }[]
  return index.map(({ file, capacity }) => ({ name: file, capacity, csv: readFileSync(join(folder, file), 'utf8') }))
}

function generated(): Case[] {
  return core.manifest.generators.map(({ kind }) => {
    const { csv, capacity } = core.generate(kind, 45, 11)
    return { name: kind, csv, capacity }
  })
}

/** Whether the module does not do that for the problem. */
function refuses(act: () => void): boolean {
  try {
    act()
  } catch (error) {
    if (error instanceof ClientError && error.reason === 'argument') return true
    throw error
  }
  return false
}

/** What the module says; null if the solver does not take the problem. */
function inWasm({ csv, capacity }: Case, solver: string, options: Record<string, string>): Summary | null {
  expect(core.open(csv)).toMatchObject({ ok: true })
  if (refuses(() => core.start({ ...config(solver, capacity, options), budget: budgetOf(solver) }))) return null
  while (core.step(3001) === 'running');
  return pick(core.stats())
}

function pick({ outcome, height, lowerBound, steps, backtracks, digest }: Summary): Summary {
  return { outcome, height, lowerBound, steps, backtracks, digest }
}

/** The JSON that the command prints; null if it refuses. */
function said<T>(...args: string[]): T | null {
  const { status, stdout, stderr } = execute(NATIVE, [...args, '--json'])
  if (status === 2) {
    expect(stderr).toContain('honour')
    return null
  }
  const line = stdout.split('\n').find((text) => text.startsWith('{'))
  if (line === undefined) throw new Error(`${args.join(' ')}: exit code ${status}\n${stdout}${stderr}`)
  return JSON.parse(line) as T
}

/** What the command says of a run; null if it refuses. */
function natively(file: string, capacity: number, solver: string, options: Record<string, string>): Summary | null {
  const flags = Object.entries(options).map(([name, value]) => `--${name}=${value}`)
  const run = said<Omit<Summary, 'height'> & { height: number | null }>(
    'solve',
    `--capacity=${capacity}`,
    `--input=${file}`,
    `--solver=${solver}`,
    `--steps=${budgetOf(solver)}`,
    ...flags,
  )
  return run && pick({ ...run, height: run.height ?? -1 })
}

type Reason = Pick<Explanation, 'outcome' | 'irreducible' | 'tried' | 'steps'> & { set: string[]; load: number | null }

function reasonInWasm({ csv }: Case, capacity: number): Reason | null {
  const opened = core.open(csv)
  if (!opened.ok) throw new Error(JSON.stringify(opened.errors))
  const { ids, sections } = opened.problem
  if (refuses(() => core.startExplaining({ capacity, seed: 0, budget: BUDGET }))) return null
  for (;;) {
    const { ended } = core.explain(3001)
    if (!ended) continue
    const { outcome, irreducible, tried, steps, buffers, section } = ended
    const load = section < 0 ? null : sections.load[section]!
    return { outcome, irreducible, tried, steps, set: buffers.map((buffer) => ids.at(buffer)!), load }
  }
}

function reasonNatively(file: string, capacity: number): Reason | null {
  const reason = said<{
    ended: Explanation['outcome']
    irreducible?: boolean
    needed?: number
    section?: { load: number } | null
    pool?: string
    set?: { id: string }[]
    steps: number
  }>('explain', `--capacity=${capacity}`, `--input=${file}`, `--steps=${BUDGET}`)
  if (!reason) return null
  const { ended: outcome, irreducible = false, needed: tried = 0, section, pool, set = [], steps } = reason
  // the page is told of no section where each pool has its own
  const load = pool === undefined ? (section?.load ?? null) : null
  return { outcome, irreducible, tried, steps, set: set.map(({ id }) => id), load }
}

/** What the command generates: the text of the problem, and its capacity. */
function generatedNatively(kind: string, n: number, seed: number): { csv: string; capacity: number } {
  const { status, stdout, stderr } = execute(NATIVE, ['generate', kind, `--n=${n}`, `--seed=${seed}`])
  const capacity = /^capacity (\d+)$/m.exec(stderr)
  if (status !== 0 || !capacity) throw new Error(`generate ${kind}: exit code ${status}\n${stderr}`)
  return { csv: stdout, capacity: Number(capacity[1]) }
}

const there = existsSync(NATIVE)
if (!there) console.warn(`skipped: ${NATIVE} has not been built, so that nothing can be compared with it`)

describe.skipIf(!there)('native and WASM take the same steps', () => {
  const folder = there ? mkdtempSync(join(tmpdir(), 'arenascope-parity-')) : ''
  const cases = [...examples(), ...generated()]

  const written = (made: Case) => {
    const file = join(folder, `${made.name.replace(/\.csv$/, '')}.csv`)
    writeFileSync(file, made.csv)
    return file
  }
  const runs: { title: string; solver: string; options: Record<string, string> }[] = []
  for (const { id, domain, goals } of core.manifest.solvers) {
    if (domain !== 'buffers') continue
    runs.push({ title: id, solver: id, options: {} })
    if (goals.includes('height')) runs.push({ title: `${id}, minimising`, solver: id, options: { goal: 'height' } })
  }

  // trees in whole numbers, and draws from the seed
  runs.push({ title: 'telamalloc, learned jumps', solver: 'telamalloc', options: { jump: 'learned' } })

  test.each(runs)('$title', ({ solver, options }) => {
    let compared = 0
    for (const made of cases) {
      const expected = natively(written(made), made.capacity, solver, options)
      expect([made.name, inWasm(made, solver, options)]).toEqual([made.name, expected])
      if (expected) compared++
    }
    expect(compared).toBeGreaterThan(5)
  })

  // of the files that both are given elsewhere; from a thousand buffers on training steps are made differently
  test.each([
    [45, 11],
    [45, 2 ** 40 + 3],
    [1500, 4],
  ])('generators, %d buffers, seed %d', (n, seed) => {
    for (const { kind } of core.manifest.generators) {
      const expected = generatedNatively(kind, n, seed)
      expect(expected.csv.trimEnd().split('\n').length, kind).toBeGreaterThan(n)
      const made = core.generate(kind, n, seed)
      expect([kind, made.capacity]).toEqual([kind, expected.capacity])
      expect(made.csv === expected.csv, `${kind}: the same text`).toBe(true)
    }
  })

  const compare = (kind: string, n: number, seed: number, solver: string, options: Record<string, string>) => {
    const { csv, capacity } = core.generate(kind, n, seed)
    const made = { name: `${kind}-${n}-${seed}`, csv, capacity }
    const ours = inWasm(made, solver, options)
    expect([kind, ours]).toEqual([kind, natively(written(made), capacity, solver, options)])
    if (!ours) throw new Error(`${solver} does not take ${kind}`)
    return ours
  }

  // where blocks are many, tries fail, buffers are forced in and the exact solver begins with tries
  test.each(['large', 'first-fit', 'exact'])(
    '%s on a thousand buffers',
    (solver) => {
      const options: Record<string, string> = solver === 'first-fit' ? {} : { goal: 'height' }
      for (const kind of ['network', 'random', 'synthetic']) compare(kind, 1000, 4, solver, options)
    },
    60_000,
  )

  // the first try is a dive up to five thousand buffers; two of a kind for which one try is not enough
  test.each([
    { kind: 'training', n: 2000, seed: 4, least: 2000 },
    { kind: 'training', n: 5200, seed: 4, least: 5200 },
    { kind: 'heavy-tailed', n: 2000, seed: 4, least: 2000 },
    { kind: 'powers-of-two', n: 2000, seed: 3, least: 4000 },
    { kind: 'stationary', n: 2000, seed: 4, least: 20_000 },
    { kind: 'stationary', n: 5200, seed: 1, least: 6000 },
  ])(
    'large, minimising, on $n of $kind',
    ({ kind, n, seed, least }) => {
      const { steps, outcome } = compare(kind, n, seed, 'large', { goal: 'height' })
      expect([outcome, steps]).toEqual(['optimal', expect.toSatisfy((made: number) => made > least)])
    },
    60_000,
  )

  test.each([
    { solver: 'tvm-hill-climb', options: {} },
    { solver: 'vela-hill-climb', options: { patience: '0' } },
  ])('$solver on three hundred buffers', ({ solver, options }) => {
    const climbed = (attempts: string) => compare('synthetic', 300, 4, solver, { goal: 'height', attempts, ...options })
    const first = climbed('1')
    const { steps, height } = climbed('300')
    // or no swap would be compared
    expect(steps).toBeGreaterThan(first.steps + 200)
    expect(height).toBeLessThan(first.height)
  })

  test('explanations', () => {
    for (const made of cases) {
      const file = written(made)
      for (const capacity of [made.capacity, made.capacity - 1, Math.floor(made.capacity / 2)])
        expect([made.name, capacity, reasonInWasm(made, capacity)]).toEqual([
          made.name,
          capacity,
          reasonNatively(file, capacity),
        ])
    }
  })
})
