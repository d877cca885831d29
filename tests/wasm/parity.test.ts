import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ClientError, type RunStats } from '../../wasm/client/types'
import { config, makeCore, NATIVE, ROOT } from './support'

/** Long searches are compared up to here. */
const BUDGET = 50_000

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

/** What the module says; null if the solver does not take the problem. */
function inWasm({ csv, capacity }: Case, solver: string): Summary | null {
  expect(core.open(csv)).toMatchObject({ ok: true })
  try {
    core.start({ ...config(solver, capacity), budget: BUDGET })
  } catch (error) {
    if (error instanceof ClientError && error.reason === 'argument') return null
    throw error
  }
  while (core.step(3001) === 'running');
  return pick(core.stats())
}

function pick({ outcome, height, lowerBound, steps, backtracks, digest }: Summary): Summary {
  return { outcome, height, lowerBound, steps, backtracks, digest }
}

/** What the command says; null if it refuses. */
function natively(file: string, capacity: number, solver: string): Summary | null {
  const args = [
    'solve',
    `--capacity=${capacity}`,
    `--input=${file}`,
    `--solver=${solver}`,
    `--steps=${BUDGET}`,
    '--json',
  ]
  const { status, stdout, stderr } = spawnSync(NATIVE, args, { encoding: 'utf8', timeout: 60_000 })
  if (status === 2) {
    expect(stderr).toContain('honour')
    return null
  }
  const line = stdout.split('\n').find((text) => text.startsWith('{'))
  if (line === undefined) throw new Error(`${args.join(' ')}: exit code ${status}\n${stdout}${stderr}`)
  const said = JSON.parse(line) as Omit<Summary, 'height'> & { height: number | null }
  return pick({ ...said, height: said.height ?? -1 })
}

const there = existsSync(NATIVE)
if (!there) console.warn(`skipped: ${NATIVE} has not been built, so that nothing can be compared with it`)

describe.skipIf(!there)('native and WASM take the same steps', () => {
  const folder = there ? mkdtempSync(join(tmpdir(), 'arenascope-parity-')) : ''
  const cases = [...examples(), ...generated()]

  test.each(core.manifest.solvers.map((solver) => solver.id))('%s', (solver) => {
    let compared = 0
    for (const made of cases) {
      const file = join(folder, `${made.name.replace(/\.csv$/, '')}.csv`)
      writeFileSync(file, made.csv)
      const expected = natively(file, made.capacity, solver)
      expect([made.name, inWasm(made, solver)]).toEqual([made.name, expected])
      if (expected) compared++
    }
    expect(compared).toBeGreaterThan(5)
  })
})
