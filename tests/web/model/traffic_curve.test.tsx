/** The least traffic at several capacities: worked out in the background, read with a slider, taken along as CSV. */
import { act } from '@testing-library/preact'
import { describe, expect, it } from 'vitest'
import type { RunConfig, RunResult } from '../../../wasm/client/types'
import { TrafficCurve } from '../../../web/src/panels/model/traffic_curve'
import { startCurve, stopCurve } from '../../../web/src/run/model/traffic_curve'
import * as a from '../../../web/src/state/atoms'
import { byteUnit } from '../../../web/src/base/format'
import { plotChart, plotCsv } from '../../../web/src/export/plot_files'
import { budgetsBetween, curve, curveColumns, plotOf } from '../../../web/src/state/model/traffic_curve'
import { toCsv } from '../../../web/src/state/compare/table'
import { workbench } from '../../../web/src/state/workbench_cells'
import { FakeClient, manifest as known, statsOf } from '../support/fake'
import { openSmall } from '../support/model_fixture'
import { control, fireEvent, press, screen, stand } from '../support/stand'

const on = stand()
const base = known.solvers[1]
if (base === undefined) throw new Error('no solver')
const PLANNER = { ...base, id: 'planner', domain: 'graph' as const, goals: ['fit', 'height', 'traffic'] as never }

/** Half of what is missing to 1,000 has to move; from 900 on that is not proven. */
class Background extends FakeClient {
  asked_: RunConfig[] = []
  override run(config: RunConfig): Promise<RunResult> {
    this.asked_.push(config)
    const cost = (1000 - config.capacity) / 2
    const stats = statsOf(3, { cost, lowerBound: config.capacity < 900 ? cost : 0, height: config.capacity })
    return Promise.resolve({ stats, best: null, conflict: [] } as unknown as RunResult)
  }
}

function open(): void {
  act(() => {
    a.manifest.set({ ...known, schedulers: [PLANNER] })
    const small = openSmall()
    if (!small.ok) throw new Error('no model')
    const model = { ...small.model, budgets: { required: 600, half: 800, peak: 1000 } }
    const source = { kind: 'model' as const, name: 'm', lowering: {}, from: { kind: 'file' as const, format: '' } }
    workbench.opened.set({
      problem: small.problem,
      model,
      source,
      text: { numbers: new Float64Array(), words: new Uint32Array(), text: new Uint8Array() },
    })
  })
}

describe('budgets', () => {
  it('go evenly from one operator to the best known order', () => {
    expect(budgetsBetween(600, 1000, 5)).toEqual([600, 700, 800, 900, 1000])
    expect(budgetsBetween(10, 12, 9)).toEqual([10, 11, 12])
    expect(budgetsBetween(10, 8, 9)).toEqual([10])
  })
})

describe('the curve', () => {
  it('is worked out point by point, and is gone with its problem', async () => {
    open()
    const client = new Background()
    await startCurve(() => client)
    expect(client.asked_.map(({ goal, solver }) => `${solver} ${goal}`)).toEqual(Array(9).fill('planner traffic'))
    expect(curve.get()).toMatchObject({ running: false, failed: '' })
    expect(curve.get()?.points.map((point) => point?.traffic)).toEqual([200, 175, 150, 125, 100, 75, 50, 25, 0])
    const rows = (curve.get()?.points ?? []).filter((point) => point !== null)
    expect(toCsv(curveColumns, rows).split('\n').slice(0, 2)).toEqual([
      'capacity,traffic,bound,outcome',
      '600,200,200,optimal',
    ])
    expect(client.lowered).toEqual([{}])
    const now = curve.get()
    if (now === null) throw new Error('no curve')
    const plot = plotOf(now, byteUnit(1000))
    expect(plotCsv(plot).split('\n').slice(0, 2)).toEqual(['series,"capacity, bytes","moved, bytes"', 'moved,600,200'])
    expect(plot.series.map(({ name }) => name)).toEqual(['moved', 'no plan moves less'])
    const told = plotChart(plot, 'Traffic').shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.text] : []))
    expect(told).toEqual(expect.arrayContaining(['capacity, bytes', 'moved, bytes', '600', '1000']))
    act(() => workbench.opened.set(null))
    expect(curve.get()).toBeNull()
  })

  it('says what it found, claims what was proven, and runs it', async () => {
    open()
    on.show(<TrafficCurve />)
    screen.getByRole('button', { name: 'Work it out' })
    await act(() => startCurve(() => new Background()))
    screen.getByText('200 moved')
    const slider = control('slider', 'Budget')
    fireEvent.input(slider, { target: { value: '7' } })
    screen.getByText('at most 25 moved')
    fireEvent.input(slider, { target: { value: '8' } })
    screen.getByText('nothing moves')
    fireEvent.input(slider, { target: { value: '2' } })
    press('Run it')
    await on.settle()
    expect(on.client.config).toMatchObject({ solver: 'planner', goal: 'traffic', capacity: 700 })
  })

  it('keeps what is known when it is stopped, and nothing of another problem', async () => {
    open()
    const client = new Background()
    const run = client.run.bind(client)
    client.run = (config) => {
      if (client.asked_.length === 3) stopCurve()
      return run(config)
    }
    await startCurve(() => client)
    expect(curve.get()?.points.filter((point) => point !== null).length).toBe(3)
    expect(curve.get()?.running).toBe(false)
    client.run = (config) => {
      act(() => workbench.opened.set(null))
      return run(config)
    }
    await startCurve(() => client)
    expect(curve.get()).toBeNull()
  })
})
