/** Sweeps and the matrix on the real core: but for the time, the same from run to run and whatever the number of workers. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Client, Manifest, RunConfig } from '../../../wasm/client/types'
import { longCsv } from '../../../web/src/panels/compare/matrix_tables'
import { solve } from '../../../web/src/run/compare/background_runs'
import * as jobs from '../../../web/src/run/compare/jobs'
import { cancelMatrix, matrix, startMatrix } from '../../../web/src/run/compare/matrix'
import { Race } from '../../../web/src/run/race/race'
import {
  cancelSweep,
  capacitiesOf,
  forgetSweep,
  startSweep,
  sweep,
  sweepJobs,
} from '../../../web/src/run/compare/sweep'
import { MATRIX, SWEEP } from '../../../web/src/state/compare/compare'
import { examples } from '../../../web/src/state/problem/examples'
import type { ResultCell } from '../../../web/src/state/compare/results'
import { nodeClient, ROOT } from '../../wasm/support'

const csv = readFileSync(join(ROOT, 'examples/synthetic-40.csv'), 'utf8')
const problem = { csv, profile: null }
let manifest: Manifest
let bound: number

/** Clients made before they are asked for: making one takes a while, and the page's way of making them takes none. */
async function crew(count: number): Promise<() => Client> {
  const made = await Promise.all(Array.from({ length: count }, () => nodeClient()))
  return () => {
    const next = made.shift()
    if (next === undefined) throw new Error('there are no more workers')
    return next.client
  }
}

beforeAll(async () => {
  const { client } = await nodeClient()
  manifest = await client.manifest()
  const opened = await client.open(csv)
  if (!opened.ok) throw new Error('the example does not open')
  bound = opened.problem.lowerBound
  client.dispose()
})

const timeless = (cell: ResultCell | null | undefined) => cell && { ...cell, seconds: 0 }

describe('a sweep', () => {
  it('goes from the lower bound up, evenly, in whole bytes', () => {
    expect(capacitiesOf(100, 130, 4)).toEqual([100, 110, 120, 130])
    expect(capacitiesOf(10, 120, 9)).toEqual([10, 11, 12])
    expect(capacitiesOf(0, 130, 5)).toEqual([1])
    const jobs = sweepJobs(['a', 'b'], [1, 2, 3])
    expect(jobs.map(({ solver, capacity }) => solver + capacity)).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'b3'])
    expect(jobs.map(({ at }) => at)).toEqual([0, 3, 1, 4, 2, 5])
  })

  it('is the same each time, by one worker or by two', async () => {
    const choice = { ...SWEEP, points: 4, percent: 110, budget: 3000 }
    const found: unknown[] = []
    for (const workers of [1, 2]) {
      vi.spyOn(jobs, 'crewSize').mockReturnValue(workers)
      await startSweep(problem, bound, manifest, choice, await crew(workers))
      const now = sweep.get()
      expect(now?.work).toEqual({ kind: 'done', done: 16, total: 16 })
      found.push(now?.points.map((point) => point && { ...point, cell: timeless(point.cell) }))
    }
    expect(found[0]).toEqual(found[1])
    const outcomes = new Set(sweep.get()?.points.map((point) => point?.cell.outcome))
    // tight, this one is too hard for some, and with room it is easy: a sweep without either says nothing
    expect(outcomes.has('optimal')).toBe(true)
    expect(outcomes.size).toBeGreaterThan(1)
    for (const point of sweep.get()?.points ?? []) expect(point?.cell.steps).toBeLessThanOrEqual(3000)
    forgetSweep()
    expect(sweep.get()).toBeNull()
  })

  it('can be cancelled; what is known stays', async () => {
    const choice = { ...SWEEP, solvers: ['minimalloc', 'greedy'], points: 20, budget: 2000 }
    const known = () => sweep.get()?.points.filter((point) => point !== null).length ?? 0
    const leave = sweep.subscribe(() => {
      if (known() > 2) cancelSweep()
    })
    vi.spyOn(jobs, 'crewSize').mockReturnValue(1)
    await startSweep(problem, bound, manifest, choice, await crew(1))
    leave()
    expect(sweep.get()?.work.kind).toBe('cancelled')
    expect(known()).toBe(3)
  })
})

describe('the matrix', () => {
  const choice = { ...MATRIX, solvers: ['exact', 'greedy', 'bfc'], budget: 2000 }

  it('has a cell for every solver on every example, the same each time', async () => {
    const found: string[] = []
    for (const workers of [1, 2]) {
      vi.spyOn(jobs, 'crewSize').mockReturnValue(workers)
      await startMatrix(manifest, choice, await crew(workers))
      const now = matrix.get()
      if (now === null) throw new Error('there is no matrix')
      expect(now.work).toEqual({ kind: 'done', done: 3 * examples.length, total: 3 * examples.length })
      expect(now.rows.every((row) => row.wrong === '' && row.facts !== null)).toBe(true)
      const rows = now.rows.map((row) => ({ ...row, cells: row.cells.map((cell) => timeless(cell) ?? null) }))
      found.push(longCsv(now, rows))
    }
    expect(found[0]).toBe(found[1])
    const lines = (found[0] ?? '').trim().split('\n')
    expect(lines.length).toBe(1 + 3 * examples.length)
    expect(lines.some((line) => /^five\.csv,5,12,12,exact,optimal,12,0,\d+,\d+,0,[0-9a-f]{16},$/.test(line))).toBe(true)
    // gaps are not for the online best fit, and it says so instead of planning past them
    expect(lines.find((line) => line.startsWith('gaps.csv') && line.includes(',bfc,'))).toMatch(/,bfc,refused,,/)
    expect(lines.find((line) => line.startsWith('infeasible.csv') && line.includes(',exact,'))).toMatch(/,infeasible,,/)
  })

  it('can be cancelled; what is known stays', async () => {
    const leave = matrix.subscribe(() => {
      const work = matrix.get()?.work
      if (work?.kind === 'running' && work.done === 4) cancelMatrix()
    })
    vi.spyOn(jobs, 'crewSize').mockReturnValue(1)
    await startMatrix(manifest, choice, await crew(1))
    leave()
    const now = matrix.get()
    expect(now?.work).toEqual({ kind: 'cancelled', done: 4, total: 3 * examples.length })
    expect(now?.rows.flatMap((row) => row.cells.filter((cell) => cell !== null)).length).toBe(4)
  })
})

describe('runs', () => {
  it('that lose their worker cost that run only', async () => {
    const { client, workers } = await nodeClient({ trap: 'glue_step', trapAfter: 1 }, { trap: '', trapAfter: 0 })
    const answer = await client.open(csv)
    if (!answer.ok) throw new Error('refused')
    const { signal } = new AbortController()
    const run = (one: RunConfig) => solve(client, one, answer.problem, signal)
    const config = { solver: 'minimalloc', capacity: bound, seed: 1, budget: 50_000, options: {} }
    expect((await run(config)).outcome).toBe('stopped')
    expect((await run(config)).steps).toBeGreaterThan(0)
    expect(workers()).toBe(2)
    expect((await run({ ...config, solver: 'nobody' })).outcome).toBe('refused')
    client.dispose()
    await expect(run(config)).rejects.toThrow('closed')
  })

  it('of a race are the same each time, but for the time', async () => {
    const clock = { request: () => {}, cancel: () => {} }
    const found: unknown[] = []
    for (let k = 0; k < 2; k++) {
      const race = new Race(problem, clock, await crew(2))
      for (const solver of ['minimalloc', 'telamalloc'])
        race.add({ solver, capacity: Math.round(bound * 1.02), seed: 1, budget: 20_000, options: {} })
      const over = new Promise<void>((resolve) => {
        race.changes.subscribe(() => {
          if (race.lanes.get().every((lane) => lane.run.get().kind === 'ended')) resolve()
        })
      })
      race.startAll()
      await over
      found.push(
        race.lanes.get().map((lane) => {
          const state = lane.run.get()
          return state.kind === 'ended' ? { ...state.result, stats: { ...state.result.stats, seconds: 0 } } : state.kind
        }),
      )
      race.dispose()
    }
    expect(found[0]).toEqual(found[1])
  })
})
