/** A row of a paper's table: its run is of what it opens, and of nothing that came after it. */
import { expect, it } from 'vitest'
import { openRow } from '../../../web/src/run/papers/open_row'
import { workbench } from '../../../web/src/state/workbench_cells'
import { CSV, stand, until } from '../support/stand'

const on = stand()
const NETWORK = { network: 'fsrcnn', options: {}, lowering: { order: 'greedy' }, capacity: 4321, solver: 'exact' }
const TILES = { budget: 64, options: {} }
const source = () => workbench.opened.get()?.source
const running = () => until(() => expect(workbench.run.get().kind).toBe('running'))

/** Opens a row and, while its first run goes on, what somebody drops. */
async function overtaken(row: Parameters<typeof openRow>[1]): Promise<void> {
  on.client.hold = true
  const opening = openRow(on.actions, row)
  await running()
  await on.actions.problem.openText(CSV, 'mine.csv')
  await opening
}

it('is run with what it says, once it stands open', async () => {
  await openRow(on.actions, NETWORK)
  expect(source()).toMatchObject({ kind: 'model', from: { id: 'fsrcnn' }, lowering: { order: 'greedy' } })
  expect(on.client.config).toMatchObject({ solver: 'exact', capacity: 4321, seed: 0 })
  await openRow(on.actions, { generate: 'random', n: 5, seed: 1, capacity: 77, solver: 'exact' })
  expect(source()).toMatchObject({ kind: 'text', name: 'random-5-1.csv' })
  expect(on.client.config).toMatchObject({ solver: 'exact', capacity: 77 })
  on.client.tiled = CSV
  await openRow(on.actions, { ...NETWORK, tiles: TILES, capacity: 99 })
  expect(source()).toMatchObject({ kind: 'text', name: expect.stringMatching(/\.tasks\.csv$/) })
  expect(on.client.config).toMatchObject({ capacity: 99 })
})

it('leaves alone what was dropped while it was opened', async () => {
  on.client.tiled = CSV
  for (const row of [
    NETWORK,
    { ...NETWORK, tiles: TILES },
    { generate: 'random', n: 5, seed: 1, capacity: 4321, solver: 'exact' },
  ]) {
    workbench.solver.set('minimalloc')
    await overtaken(row)
    expect(source()).toEqual({ kind: 'text', name: 'mine.csv' })
    expect(workbench.capacity.get()).not.toBe(4321)
    expect(on.client.config?.capacity).not.toBe(4321)
    expect(workbench.run.get().kind).toBe('idle')
  }
})

it('does not run a model whose tiling is refused', async () => {
  on.client.tiled = new Error('so much does not go into a tile')
  await openRow(on.actions, { ...NETWORK, tiles: TILES })
  expect(source()).toMatchObject({ kind: 'model', from: { id: 'fsrcnn' } })
  expect(on.client.config?.capacity).not.toBe(4321)
})

it('does not run a network that is not lowered as it was measured', async () => {
  const lower = on.client.openGraph.bind(on.client)
  on.client.openGraph = async (graph, options, profile) =>
    options.order === 'greedy' ? { ok: false, errors: [], total: 0 } : lower(graph, options, profile)
  await openRow(on.actions, NETWORK)
  expect(source()).toMatchObject({ kind: 'model', from: { id: 'fsrcnn' } })
  expect(on.client.config?.capacity).not.toBe(4321)
})
