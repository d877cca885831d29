/** A search in layers: its layers from what the steps told, its figures, and the beam that it has instead of a tree. */
import { act } from '@testing-library/preact'
import { describe, expect, it } from 'vitest'
import { layerAt, shareOf } from '../../../web/src/layout/search/beam'
import { BeamReadout, BeamTab } from '../../../web/src/panels/search/beam'
import { tabsOf } from '../../../web/src/panels/page/tabs'
import { beamOf } from '../../../web/src/state/search/beam_layers'
import { beam } from '../../../web/src/state/search/beam'
import { layered, progressWords } from '../../../web/src/state/workbench'
import { workbench } from '../../../web/src/state/workbench_cells'
import * as a from '../../../web/src/state/atoms'
import { event, frameOf, manifest as known, statsOf } from '../support/fake'
import { openSmall } from '../support/model_fixture'
import { control, key, screen, stand, until } from '../support/stand'

const on = stand()

const expand = (step: number, stage: number, layer: number, states: number, dominated = 0, pruned = 0, best = -1) =>
  event(step, 'expand', { stage, layer, states, dominated, pruned, best })

/** Two passes; the second layer of the second took two steps. */
const SEARCH = [
  expand(1, 0, 0, 1),
  expand(2, 0, 1, 1, 0, 0, 40),
  expand(3, 6, 0, 2, 1, 0, 40),
  expand(4, 6, 1, 3, 2, 1, 40),
  expand(5, 6, 1, 5, 4, 3, 40),
  expand(6, 6, 2, 0, 4, 9, 40),
  event(7, 'allocate', { height: 9, peak: 9, steps: 1 }),
]

function plan(): void {
  const small = openSmall()
  const base = known.solvers[1]
  if (!small.ok || base === undefined) throw new Error('no model')
  act(() => {
    a.manifest.set({ ...known, schedulers: [{ ...base, id: 'layers', domain: 'graph', goals: ['fit', 'traffic'] }] })
    workbench.opened.set({ ...small, source: { kind: 'none' }, text: '' })
    const config = { solver: 'layers', goal: 'traffic' as const, capacity: 100, seed: 1, budget: 0, options: {} }
    const none = new Uint32Array()
    const overview = {
      width: 1,
      count: 0,
      minDepth: none,
      maxDepth: none,
      lastDepth: none,
      maxUndone: none,
      placed: new Uint32Array(),
      backtracks: none,
      major: none,
      rules: [],
      marks: [],
    }
    const stats = statsOf(7, { cost: 40, lowerBound: 40, maxDepth: 0 })
    workbench.run.set({ kind: 'ended', config, result: { stats, overview, best: null, conflict: [] } })
    workbench.cursor.set(4)
    workbench.frame.set(frameOf(4, SEARCH))
  })
}

describe('layers', () => {
  it('has the cuts that it was told of last', () => {
    const cut = (step: number, nth: number, live: number, operators: number[]) =>
      event(step, 'cut-at', { nth, of: 2, op: 0, time: 0, live, operators: Uint32Array.from(operators) })
    expect(beamOf(SEARCH)?.cuts).toEqual([])
    const told = [...SEARCH, cut(8, 1, 5, [0]), cut(9, 1, 40, [0, 2]), cut(9, 2, 30, [1])]
    expect(beamOf(told)?.cuts.map(({ live, operators }) => [live, ...operators])).toEqual([
      [40, 0, 2],
      [30, 1],
    ])
  })

  it('are told pass by pass, with what each left out', () => {
    const made = beamOf(SEARCH)
    expect(made?.passes.map(({ stage, from, to, widest }) => [stage, from, to, widest])).toEqual([
      [0, 0, 2, 1],
      [6, 2, 5, 5],
    ])
    expect(made?.layers[3]).toEqual({
      pass: 1,
      layer: 1,
      states: 5,
      dominated: 3,
      pruned: 3,
      first: 4,
      last: 5,
      best: 40,
    })
    expect(made?.layers[4]).toMatchObject({ layer: 2, states: 0, dominated: 0, pruned: 6 })
    expect(made?.most).toBe(11)
  })

  it('are none of a search that has none', () => {
    expect(beamOf([event(1, 'place', { buffer: 0, offset: 0 })])).toBeNull()
    expect(beamOf([])).toBeNull()
  })

  it('begin anew where a pass of the same stage begins again', () => {
    const made = beamOf([expand(1, 5, 0, 2), expand(2, 5, 1, 2), expand(3, 5, 0, 4)])
    expect(made?.passes.map(({ from, to }) => [from, to])).toEqual([
      [0, 2],
      [2, 3],
    ])
  })

  it('are found by step, and share their room by the logarithm', () => {
    const made = beamOf(SEARCH)
    if (made === null) throw new Error('no layers')
    expect([0, 1, 4, 5, 7].map((step) => layerAt(made, step))).toEqual([-1, 0, 3, 3, 4])
    expect([shareOf(0, 10), shareOf(10, 10)]).toEqual([0, 1])
  })
})

describe('the page of a search in layers', () => {
  it('speaks of operators, and has a beam for a tree', () => {
    expect(layered.get()).toBe(false)
    expect(progressWords.get().what).toBe('placed')
    plan()
    expect(layered.get()).toBe(true)
    expect(progressWords.get()).toMatchObject({ done: 1, what: 'operators in order' })
    expect(tabsOf(true, true).map(([, title]) => title)).toContain('Beam')
    expect(tabsOf(true).map(([, title]) => title)).toContain('Tree')
  })

  it('asks for all steps once the run has ended, and tells the layer shown', async () => {
    plan()
    on.client.seek = async (step) => frameOf(step, SEARCH)
    const shown = on.show(<BeamReadout />)
    await on.settle()
    expect(beam.get()?.layers.length).toBe(5)
    expect(shown.textContent).toContain('Passevery order')
    expect(shown.textContent).toContain('States5')
    expect(shown.textContent).toMatch(/Best so far40.*Proved bound40/)
  })

  it('asks again where the page itself was looking for a step', async () => {
    plan()
    let asked = 0
    on.client.seek = async (step) => (asked++ === 0 ? null : frameOf(step, SEARCH))
    on.show(<BeamReadout />)
    await until(() => expect(beam.get()?.layers.length).toBe(5))
    expect(asked).toBe(2)
  })

  it('goes to the step of a layer', async () => {
    plan()
    act(() => beam.set(beamOf(SEARCH)))
    on.show(<BeamTab />)
    await on.settle()
    expect((control('combobox', 'Pass') as HTMLSelectElement).value).toBe('1')
    screen.getByText(/^After 2 operators: 5 states kept, 3 dominated, 3 too dear/)
    key(screen.getByRole('group'), 'ArrowUp')
    await on.settle()
    expect(workbench.cursor.get()).toBe(3)
  })
})
