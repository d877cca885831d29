/** A plan that copies out and back: the model as it is placed, what is drawn outside, and the arrows between. */
import { act } from '@testing-library/preact'
import { describe, expect, it } from 'vitest'
import type { Plan } from '../../../wasm/client/types'
import { ARROW_ROOM, hostArrows, hostPlate } from '../../../web/src/layout/model/host_plate'
import { Space } from '../../../web/src/layout/canvas/spaces'
import { trafficSteps } from '../../../web/src/layout/model/traffic_line'
import { HostPlate } from '../../../web/src/panels/model/host'
import { changesOf, outOfOrder } from '../../../web/src/state/model/moves'
import {
  asPlaced,
  buffersOf,
  buffersOfStays,
  inOrder,
  operatorsOf,
  readersAt,
} from '../../../web/src/state/model/operators'
import { orderNames, trafficOf, transfersOf } from '../../../web/src/state/model/transfers'
import { viewport } from '../../../web/src/state/ui'
import { workbench } from '../../../web/src/state/workbench_cells'
import { deafCanvas } from '../support/deaf_canvas'
import { frameOf, statsOf } from '../support/fake'
import { smallModel, smallProblem } from '../support/model_fixture'
import { screen, stand } from '../support/stand'

deafCanvas()
const on = stand()

/** item, outside, lower, upper: a is copied out while b is made, and fetched for the addition. */
const STAYS: [number, number, number, number][] = [
  [0, 0, 0, 1],
  [2, 0, 0, 1],
  [2, 1, 1, 2],
  [3, 0, 1, 3],
  [2, 0, 2, 3],
  [4, 0, 2, 5],
  [6, 0, 4, 5],
  [7 + 4, 0, 4, 5],
]

function planOf(rows = STAYS): Plan {
  const column = (k: number) => rows.map((row) => row[k] as number)
  return {
    order: Uint32Array.from([0, 1, 2, 3, 4]),
    stays: {
      count: rows.length,
      item: Uint32Array.from(column(0)),
      outside: Uint32Array.from(column(1)),
      lower: Float64Array.from(column(2)),
      upper: Float64Array.from(column(3)),
      offset: Float64Array.from(rows, () => 0),
    } as unknown as Plan['stays'],
  }
}

const model = smallModel()
const plan = planOf()

describe('a model as a plan has it', () => {
  it('has a tensor for each stay, and operators that read the one that is there', () => {
    expect([...buffersOfStays(plan)]).toEqual([0, 1, -1, 2, 3, 4, 5, 6])
    const placed = asPlaced(model, plan)
    const problem = { ...smallProblem(), count: 7 }
    const all = operatorsOf(placed, problem)
    expect(buffersOf(placed, 0).outputs).toEqual([1])
    expect(buffersOf(placed, 2)).toEqual({ inputs: [3, 2], outputs: [4] })
    expect(readersAt(all, 3)).toEqual([2])
    expect([...all.maker]).toEqual([-1, 0, 1, 0, 2, 4, 4])
    expect(placed.ops.workspace[4]).toBe(6)
    // what shares bytes is in the same buffer
    expect(buffersOf(placed, 3).outputs).toEqual([4])
    // the constant stays out of the plan
    expect(placed.tensors.buffer[placed.tensors.ids.indexOf('w')]).toBe(-1)
  })

  it('moves what was copied out and fetched', () => {
    const transfers = transfersOf(plan, model)
    expect(transfers.map(({ kind, time, bytes, inside }) => [kind, time, bytes, inside])).toEqual([
      ['spill', 1, 400, 1],
      ['fetch', 2, 400, 4],
    ])
    expect(trafficOf(transfers)).toBe(800)
    expect(orderNames(plan, model)).toEqual(['Conv_0', 'Conv_1', 'add', 'Reshape', 'fc'])
  })

  it('spills no output, and takes the first coming of an input for granted', () => {
    const given = planOf([
      [0, 1, 0, 2],
      [0, 0, 2, 3],
      [6, 0, 1, 2],
      [6, 1, 2, 5],
    ])
    expect(transfersOf(given, model)).toEqual([])
  })
})

describe('an order against the given one', () => {
  it('marks as few operators as moved as can be', () => {
    expect([...outOfOrder([0, 1, 2, 3])]).toEqual([0, 0, 0, 0])
    expect([...outOfOrder([1, 2, 3, 0])]).toEqual([0, 0, 0, 1])
    expect([...outOfOrder([3, 0, 1, 2])]).toEqual([1, 0, 0, 0])
    expect([...outOfOrder([])]).toEqual([])
  })

  it('knows where each came from, and what was outside on its way', () => {
    expect(changesOf(model, model, null)).toBeNull()
    const changes = changesOf(model, inOrder(model, Uint32Array.from([0, 1, 2, 3, 4])), plan)
    expect(changes?.outside).toEqual([[0, 2]])
    const turned = changesOf(model, inOrder(model, Uint32Array.from([1, 0, 2, 3, 4])), null)
    expect([...(turned?.from ?? [])]).toEqual([1, 0, 2, 3, 4])
    expect(turned?.moved.reduce((sum, one) => sum + one, 0)).toBe(1)
  })
})

describe('the memory outside', () => {
  const transfer = (kind: 'spill' | 'fetch', time: number, outside: number, bytes = 10) => ({
    kind,
    time,
    tensor: outside,
    bytes,
    inside: 0,
    outside,
  })
  const three = planOf([
    [0, 1, 1, 5],
    [1, 1, 2, 4],
    [2, 1, 5, 6],
  ])
  const moves = [
    transfer('spill', 1, 0),
    transfer('spill', 2, 1, 20),
    transfer('fetch', 4, 1, 20),
    transfer('fetch', 5, 0),
    transfer('spill', 5, 2, 5),
    transfer('fetch', 6, 2, 5),
  ]

  it('has copies above each other while they are there', () => {
    const { blocks, top } = hostPlate(three, moves)
    expect(blocks.map(({ from, bytes, lower, upper }) => [from, bytes, lower, upper])).toEqual([
      [0, 10, 1, 5],
      [10, 20, 2, 4],
      [0, 5, 5, 6],
    ])
    expect(top).toBe(30)
  })

  it('draws arrows that are too near to each other as one, with the sum of their bytes', () => {
    const wide = new Space({ t0: 0, t1: 10, b0: 0, b1: 1 }, { x: 0, y: 0, w: 1000, h: 10 })
    expect(hostArrows(moves, wide).map(({ kind, bytes }) => [kind, bytes])).toEqual([
      ['spill', 10],
      ['spill', 20],
      ['fetch', 20],
      ['spill', 5],
      ['fetch', 10],
      ['fetch', 5],
    ])
    const narrow = new Space({ t0: 0, t1: 10, b0: 0, b1: 1 }, { x: 0, y: 0, w: ARROW_ROOM * 5, h: 10 })
    expect(hostArrows(moves, narrow).map(({ kind, bytes, of }) => [kind, bytes, of.length])).toEqual([
      ['spill', 30, 2],
      ['fetch', 30, 2],
      ['spill', 5, 1],
      ['fetch', 5, 1],
    ])
    const past = new Space({ t0: 7, t1: 10, b0: 0, b1: 1 }, { x: 0, y: 0, w: 1000, h: 10 })
    expect(hostArrows(moves, past)).toEqual([])
  })

  it('stands under the canvas where the plan is shown, and nowhere else', async () => {
    const load = { current: document.createElement('div') }
    const shown = on.show(<HostPlate load={load} />)
    expect(shown.textContent).toBe('')
    act(() => {
      workbench.opened.set({ model, problem: smallProblem(), source: { kind: 'none' }, text: '' })
      const config = { solver: 'x', capacity: 900, seed: 1, budget: 0, options: {} }
      const none = new Uint32Array()
      const overview = { width: 1, count: 0, rules: [], marks: [], minDepth: none, maxDepth: none } as never
      workbench.run.set({
        kind: 'ended',
        config,
        result: { stats: statsOf(3, { cost: 800 }), overview, best: null, plan, conflict: [] },
      })
      workbench.frame.set(frameOf(3, []))
      workbench.cursor.set(3)
      viewport.set({ t0: 0, t1: 5, b0: 0, b1: 900 })
    })
    await on.settle()
    screen.getByText(/^800 B moved in 2 copies$|moved in 2 copies/)
    expect(load.current.querySelector('[role="img"]')?.getAttribute('aria-label')).toBe(
      'Traffic over time: 800 moved by time 2',
    )
    act(() => workbench.cursor.set(2))
    await on.settle()
    expect(shown.textContent).toBe('')
    expect(load.current.children).toHaveLength(0)
  })

  it('adds up over time', () => {
    const move = (time: number, bytes: number) => ({
      kind: 'fetch' as const,
      time,
      tensor: 0,
      bytes,
      inside: 0,
      outside: 0,
    })
    expect(trafficSteps([])).toEqual([])
    expect(trafficSteps([move(2, 5), move(2, 3), move(7, 4)])).toEqual([
      { time: 2, bytes: 8, sum: 8 },
      { time: 7, bytes: 4, sum: 12 },
    ])
  })
})
