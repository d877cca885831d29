/** Runs in the background: a sweep over capacities and the matrix of all examples, their settings, how far they are and how they end. */
import { act } from '@testing-library/preact'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ClientError } from '../../../wasm/client/types'
import { MatrixTab } from '../../../web/src/panels/compare/matrix'
import { SweepTab } from '../../../web/src/panels/compare/sweep'
import { cancelMatrix, matrix } from '../../../web/src/run/compare/matrix'
import { forgetSweep, sweep } from '../../../web/src/run/compare/sweep'
import { examples } from '../../../web/src/state/problem/examples'
import * as a from '../../../web/src/state/atoms'
import { MATRIX, matrixChoice, SWEEP, sweepChoice } from '../../../web/src/state/compare/compare'
import * as ui from '../../../web/src/state/ui'
import { FakeClient, inPools, statsOf } from '../support/fake'
import { tableRows } from '../support/grid'
import { control, fireEvent, press, screen, stand, type, until } from '../support/stand'
import { workbench } from '../../../web/src/state/workbench_cells'

const workers: FakeClient[] = vi.hoisted(() => [])
vi.mock('../../../wasm/client/client', () => ({
  createClient: () => {
    const client = new FakeClient()
    client.hold = true
    workers.push(client)
    return client
  },
}))

const on = stand()
const worker = () => workers.at(-1) as FakeClient
/** Ends the run that the worker has been given. */
async function finish(...stats: Parameters<typeof statsOf>): Promise<void> {
  worker().finish(statsOf(...stats))
  await on.settle()
}
const status = () => screen.getAllByRole('status')[0]?.textContent
const bar = () => {
  const { value, max } = control('progressbar', 'Runs done') as HTMLProgressElement
  return [value, max]
}
const tick = (name: string) => fireEvent.click(control('checkbox', name))

beforeEach(() => {
  workers.length = 0
  vi.spyOn(navigator, 'hardwareConcurrency', 'get').mockReturnValue(1)
  forgetSweep()
  cancelMatrix()
  matrix.set(null)
  sweepChoice.set({ ...SWEEP, solvers: ['exact', 'minimalloc'], points: 2, percent: 150 })
  matrixChoice.set({ ...MATRIX, solvers: ['exact'], budget: 500 })
  return () => vi.restoreAllMocks()
})

describe('a sweep', () => {
  const start = async () => {
    on.show(<SweepTab />)
    press('Sweep')
    await on.settle()
  }

  it('says what it would be before there is one', () => {
    on.show(<SweepTab />)
    screen.getByText(/^The same problem at every capacity from its lower bound up/)
    expect(screen.queryByRole('table')).toBeNull()
  })

  it('of several memories begins at the bound of those that have the capacity of the run', async () => {
    workbench.opened.update((now) => now && { ...now, problem: { ...inPools(now.problem, [0]), lowerBound: 76 } })
    await start()
    expect(sweep.get()?.capacities).toEqual([12, 18])
  })

  it('runs the chosen solvers at each capacity, and says how far it is', async () => {
    await start()
    expect(worker().config).toMatchObject({ solver: 'minimalloc', capacity: 12, budget: 200_000 })
    expect(status()).toBe('0 of 4 runs, in the background: the page stays free.')
    await finish(70, { outcome: 'infeasible', height: -1 })
    expect(worker().config).toMatchObject({ solver: 'exact', capacity: 12 })
    expect(status()).toBe('1 of 4 runs, in the background: the page stays free.')
    expect(bar()).toEqual([1, 4])
    expect(tableRows('Runs').map((row) => row.slice(0, 4))).toEqual([['MiniMalloc', '12', 'infeasible', '–']])
    for (let k = 0; k < 3; k++) await finish(5, { height: 14 })
    expect(status()).toBe('4 runs.')
    expect(tableRows('Runs')).toHaveLength(4)
    expect(worker().config).toMatchObject({ solver: 'exact', capacity: 18 })
    control('button', 'Sweep again')
  })

  it('is cancelled: what is known stays', async () => {
    await start()
    await finish(70)
    press(/^Cancel/)
    await on.settle()
    expect(status()).toBe('Cancelled after 1 of 4 runs. What is known stays.')
    expect(tableRows('Runs')).toHaveLength(1)
  })

  it('is cancelled by Esc, which leads back to the search after that', async () => {
    workbench.mode.set('compare')
    await start()
    await act(() => void ui.modeKeys.get()?.('Escape'))
    expect(sweep.get()?.work.kind).toBe('cancelled')
    expect(workbench.mode.get()).toBe('compare')
    await on.settle()
    ui.modeKeys.get()?.('Escape')
    expect(workbench.mode.get()).toBe('search')
  })

  it('goes on past a run whose worker was lost', async () => {
    await start()
    worker().fail(new ClientError('There is no more.', 'memory'))
    await on.settle()
    expect(tableRows('Runs')[0]?.slice(0, 3)).toEqual(['MiniMalloc', '12', 'out-of-memory'])
    expect(worker().config).toMatchObject({ solver: 'exact' })
  })

  it('stops where there is no worker to be had, and says why', async () => {
    await start()
    worker().fail(new ClientError('No worker could be started.', 'protocol'))
    await on.settle()
    expect(status()).toBe('Stopped after 0 of 4 runs: No worker could be started.')
  })

  it('says its capacities to the byte: two that differ do not read alike', async () => {
    const bound = { lowerBound: 1380, size: new Float64Array(5).fill(460) }
    workbench.opened.update((now) => now && { ...now, problem: { ...now.problem, ...bound } })
    workbench.capacity.set(1380)
    sweepChoice.update((now) => ({ ...now, points: 3, percent: 101 }))
    await start()
    for (let k = 0; k < 6; k++) await finish(5, { height: 1381 })
    const rows = tableRows('Runs')
    expect(rows.filter((row) => row[0] === 'MiniMalloc').map((row) => row[1])).toEqual([
      '1,380 B',
      '1,387 B',
      '1,393 B',
    ])
    expect(new Set(rows.map((row) => row[3]))).toEqual(new Set(['1,381 B']))
  })

  it('offers CP-SAT only where it can run, and says once why not', async () => {
    sweepChoice.update((now) => ({ ...now, solvers: ['exact', 'cp-sat'] }))
    await start()
    const box = () => control('checkbox', 'CP-SAT') as HTMLInputElement
    expect([box().disabled, box().checked]).toEqual([true, false])
    expect(screen.getAllByText(/cross-origin isolated/)).toHaveLength(1)
    expect(sweep.get()?.solvers).toEqual(['exact'])
    vi.stubGlobal('crossOriginIsolated', true)
    on.show(<SweepTab />)
    expect([box().disabled, box().checked]).toEqual([false, true])
    expect(screen.queryByText(/This one is not/)).toBeNull()
    vi.unstubAllGlobals()
  })

  it('needs a solver', () => {
    on.show(<SweepTab />)
    tick('Arenascope exact')
    expect(control('button', 'Sweep')).toHaveProperty('disabled', false)
    tick('MiniMalloc')
    expect(control('button', 'Sweep')).toHaveProperty('disabled', true)
    tick('MiniMalloc')
    expect(sweepChoice.get().solvers).toEqual(['minimalloc'])
  })

  it('does not start while a field holds no value', async () => {
    on.show(<SweepTab />)
    const field = screen.getByLabelText('Capacities')
    type(field, '1')
    fireEvent.blur(field)
    press('Sweep')
    await on.settle()
    expect(document.activeElement).toBe(field)
    expect(workers).toHaveLength(0)
    type(field, '3')
    fireEvent.blur(field)
    press('Sweep')
    await on.settle()
    expect(sweep.get()?.capacities).toEqual([12, 15, 18])
  })

  it('leads from a run to the page, with the options that it had', async () => {
    workbench.options.set({ minimalloc: { dominance: 'false' } })
    await start()
    await finish(70)
    workbench.options.set({})
    fireEvent.click(screen.getByTitle('Open in the page'))
    await on.settle()
    expect(on.client.config).toMatchObject({
      solver: 'minimalloc',
      capacity: 12,
      budget: 200_000,
      options: { dominance: 'false' },
    })
    expect(workbench.mode.get()).toBe('search')
  })

  it('is taken along as a table once there is something in it', async () => {
    await start()
    expect(control('button', 'Copy CSV')).toHaveProperty('disabled', true)
    await finish(70)
    expect(control('button', 'Copy CSV')).toHaveProperty('disabled', false)
  })

  it('is of one problem: another one has none', async () => {
    await start()
    await finish(70)
    forgetSweep()
    await on.settle()
    expect(screen.queryByRole('table')).toBeNull()
    control('button', 'Sweep')
  })
})

describe('the matrix', () => {
  const start = async () => {
    on.show(<MatrixTab />)
    press('Run all')
    await until(() => expect(worker()?.config).toBeTruthy())
    await on.settle()
  }
  const cell = (name: RegExp) => control('button', name)

  it('says what it would be before there is one', () => {
    on.show(<MatrixTab />)
    screen.getByText('Every chosen solver on every example: what each makes of it within the budget.')
  })

  it('has a row for each example, and says what became of each run', async () => {
    await start()
    expect(tableRows('Solvers on all examples')).toHaveLength(examples.length)
    expect(worker().config).toMatchObject({ solver: 'exact', budget: 500, seed: 1, options: {} })
    await finish(40, { height: 15 })
    const title = examples[0]?.title as string
    expect(cell(new RegExp(`^${title}, Arenascope exact`)).getAttribute('aria-label')).toBe(
      `${title}, Arenascope exact: optimal +25.00 %`,
    )
    expect(bar()).toEqual([1, examples.length])
    press('Steps')
    await on.settle()
    expect(cell(new RegExp(`^${title}, Arenascope exact`)).textContent).toBe('40')
  })

  it('says that an example could not be opened, and goes on', async () => {
    on.show(<MatrixTab />)
    const open = vi.spyOn(FakeClient.prototype, 'open').mockRejectedValueOnce(new ClientError('It is broken.', 'trap'))
    press('Run all')
    await until(() => expect(worker()?.config).toBeTruthy())
    await on.settle()
    expect(open).toHaveBeenCalledTimes(2)
    screen.getByText('not opened')
    expect(screen.getByText('not opened').parentElement).toHaveProperty('title', 'It is broken.')
    expect(bar()[0]).toBe(1)
  })

  it('is refused by a solver that does not honour what a problem has', async () => {
    a.manifest.update(
      (now) =>
        now && {
          ...now,
          solvers: now.solvers.map((one) => ({ ...one, supports: { ...one.supports, alignment: false } })),
        },
    )
    const open = FakeClient.prototype.open
    vi.spyOn(FakeClient.prototype, 'open').mockImplementationOnce(async function (this: FakeClient, csv) {
      const answer = await open.call(this, csv)
      if (answer.ok) answer.problem.alignment.fill(2)
      return answer
    })
    await start()
    const title = examples[0]?.title as string
    expect(cell(new RegExp(`^${title},`)).textContent).toBe('refused')
    expect(cell(new RegExp(`^${title},`)).title).toContain('does not honour alignment')
  })

  it('is cancelled: what is known stays', async () => {
    await start()
    await finish(40)
    press(/^Cancel/)
    await on.settle()
    expect(status()).toBe(`Cancelled after 1 of ${examples.length} runs. What is known stays.`)
    control('button', 'Run all again')
  })

  it('leads from a cell to the page', async () => {
    workbench.mode.set('compare')
    await start()
    await finish(40)
    fireEvent.click(cell(new RegExp(`^${examples[0]?.title},`)))
    await until(() => expect(on.client.config).toMatchObject({ solver: 'exact', budget: 500, seed: 1 }))
    expect(workbench.mode.get()).toBe('search')
    expect(workbench.opened.get()?.source).toMatchObject({ kind: 'example', file: examples[0]?.file })
  })

  it('needs a solver', () => {
    on.show(<MatrixTab />)
    tick('Arenascope exact')
    expect(control('button', 'Run all')).toHaveProperty('disabled', true)
  })
})
