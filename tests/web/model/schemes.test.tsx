/** The schemes that the least traffic is compared with: run in the background, shown as a table, each run again on the page. */
import { act } from '@testing-library/preact'
import { describe, expect, it } from 'vitest'
import type { Plan, RunConfig, RunResult } from '../../../wasm/client/types'
import { SchemesTab } from '../../../web/src/panels/compare/schemes_tab'
import { Schemes } from '../../../web/src/panels/model/schemes'
import { startComparison, stopComparison } from '../../../web/src/run/model/schemes'
import { toCsv } from '../../../web/src/state/compare/table'
import { comparison, isLeast, movedBy, SCHEMES, schemeColumns } from '../../../web/src/state/model/schemes'
import { workbench } from '../../../web/src/state/workbench_cells'
import * as a from '../../../web/src/state/atoms'
import { FakeClient, manifest as known, statsOf } from '../support/fake'
import { openSmall, smallModel, smallProblem } from '../support/model_fixture'
import { press, screen, stand } from '../support/stand'

const on = stand()
const base = known.solvers[1]
if (base === undefined) throw new Error('no solver')
const COSMA = { ...base, id: 'cosma', domain: 'graph' as const, goals: ['fit', 'traffic'] as never }

/** Tensor a leaves the arena at time 2 and comes back with the operator at time 3; b is there throughout. */
function plan(): Plan {
  const stays: [number, number, number, number, boolean][] = [
    [2, 0, 2, 0, false],
    [2, 2, 3, -1, true],
    [2, 3, 4, 0, false],
    [3, 1, 4, 400, false],
  ]
  return {
    order: Uint32Array.from([0, 1, 2, 3, 4]),
    stays: {
      count: stays.length,
      item: Uint32Array.from(stays, ([item]) => item),
      lower: Float64Array.from(stays, (stay) => stay[1]),
      upper: Float64Array.from(stays, (stay) => stay[2]),
      offset: Float64Array.from(stays, (stay) => stay[3]),
      outside: Uint8Array.from(stays, (stay) => Number(stay[4])),
    },
  }
}

/** The rules of replacement find no plan; of the others the first is proven. */
class Background extends FakeClient {
  asked_: RunConfig[] = []
  override run(config: RunConfig): Promise<RunResult> {
    this.asked_.push(config)
    const some = config.solver === 'cosma'
    const bound = config.options.schedule === undefined ? 800 : 0
    const stats = statsOf(3, { cost: some ? 800 : -1, lowerBound: bound, height: some ? 600 : -1, seconds: 0.25 })
    return Promise.resolve({ stats, best: null, conflict: [], plan: some ? plan() : null } as unknown as RunResult)
  }
}

function open(): void {
  act(() => {
    a.manifest.set({ ...known, schedulers: [COSMA] })
    const small = openSmall()
    if (!small.ok) throw new Error('no model')
    const source = { kind: 'model' as const, name: 'm', lowering: {}, from: { kind: 'file' as const, format: '' } }
    workbench.opened.set({ problem: small.problem, model: small.model, source, text: 'graph' })
    workbench.capacity.set(700)
  })
}

describe('what a plan moves', () => {
  it('is counted apart, with the most that is resident at once', () => {
    expect(movedBy(plan(), smallModel(), smallProblem())).toEqual({ spilled: 400, fetched: 400, footprint: 600 })
  })
})

describe('the comparison', () => {
  it('runs one scheme after the other, as the paper names them, and claims what was proven', async () => {
    open()
    const client = new Background()
    await startComparison(() => client)
    expect(client.asked_.map(({ solver, options }) => [solver, ...Object.values(options)].join(' '))).toEqual([
      'cosma',
      'cosma file',
      'cosma least-peak',
      'replacement file belady',
      'replacement file greedy',
      'replacement least-peak belady',
      'replacement least-peak greedy',
    ])
    expect(client.asked_.every(({ goal, capacity }) => goal === 'traffic' && capacity === 700)).toBe(true)
    expect(client.graphs).toEqual(['graph'])
    const rows = (comparison.get()?.rows ?? []).filter((row) => row !== null)
    expect(rows.map(isLeast)).toEqual([true, false, false, false, false, false, false])
    expect(toCsv(schemeColumns, rows).split('\n').slice(0, 3)).toEqual([
      'scheme,traffic,spilled,fetched,footprint,proven,outcome,seconds',
      'COSMA,800,400,400,600,yes,optimal,0.25',
      'Given order,800,400,400,600,no,optimal,0.25',
    ])
    act(() => workbench.capacity.set(800))
    expect(comparison.get()).toBeNull()
  })

  it('is a table, each row of which opens its run', async () => {
    open()
    on.show(<Schemes />)
    screen.getByRole('button', { name: 'Compare them' })
    await act(() => startComparison(() => new Background()))
    expect(screen.getAllByText('no plan found')).toHaveLength(4)
    expect(screen.getAllByText('no plan moves less')).toHaveLength(1)
    press('Least peak')
    await on.settle()
    expect(on.client.config).toMatchObject({
      solver: 'cosma',
      goal: 'traffic',
      capacity: 700,
      options: { schedule: 'least-peak' },
    })
  })

  it('stands in Compare with what the optimum saves, and leads back to the page', async () => {
    open()
    act(() => workbench.mode.set('compare'))
    on.show(<SchemesTab />)
    screen.getByRole('button', { name: 'Run all' })
    await act(() => startComparison(() => new Background()))
    const [, first, second, , none] = screen.getAllByRole('row').map((row) => row.textContent)
    expect(first).toMatch(/^COSMA800400/)
    expect(first).toContain('no plan moves less')
    expect(second).toMatch(/^Given order8000.00 %400/)
    expect(none).toContain('no plan found')
    press('Moved')
    expect(screen.getAllByRole('rowheader')[0]?.textContent).toBe('COSMA')
    press('Least peak')
    await on.settle()
    expect(workbench.mode.get()).toBe('search')
    expect(on.client.config).toMatchObject({ solver: 'cosma', capacity: 700, options: { schedule: 'least-peak' } })
  })

  it('in Compare is of models', () => {
    act(() => workbench.opened.set(null))
    on.show(<SchemesTab />)
    screen.getByText(/open a network or a model’s graph first/)
  })

  it('keeps what is known when it is stopped', async () => {
    open()
    const client = new Background()
    const run = client.run.bind(client)
    client.run = (config) => {
      if (client.asked_.length === 2) stopComparison()
      return run(config)
    }
    await startComparison(() => client)
    expect(comparison.get()?.rows.filter((row) => row !== null)).toHaveLength(2)
    expect(comparison.get()?.rows).toHaveLength(SCHEMES.length)
    expect(comparison.get()?.running).toBe(false)
  })

  it('says why it failed', async () => {
    open()
    const client = new Background()
    client.refusesGraphs = true
    on.show(<Schemes />)
    await act(() => startComparison(() => client))
    screen.getByText('is not defined')
  })
})
