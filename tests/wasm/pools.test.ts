/** Pools and shapes on their way through the module, and what the page makes of them: a plate for each pool. */
import { expect, test } from 'vitest'
import type { Problem, SearchEvent } from '../../wasm/client/types'
import { eventIn, frameIn, heightIn, platesOf } from '../../web/src/layout/canvas/plates'
import { piecesOf } from '../../web/src/layout/canvas/pieces'
import { timeExtent } from '../../web/src/layout/canvas/spaces'
import { cHeader } from '../../web/src/export/c_header'
import { onOnePlate } from '../../web/src/layout/canvas/plates'
import type { Scene } from '../../web/src/layout/scene'
import { edit } from '../../web/src/state/edit/edit_csv'
import { asEventsNumber, boundOfCapacity, limitOf, poolOf, roomOf } from '../../web/src/state/problem/pools'
import { lacking } from '../../web/src/state/workbench'
import { config, makeCore } from './support'

const TWO = `pool,far,96,8,48
id,lower,upper,size,pool
a,0,4,10,
b,2,6,7,
w,1,9,20,far
v,3,5,16,far
`

async function opened(csv: string) {
  const core = await makeCore()
  const result = core.open(csv)
  if (!result.ok) throw new Error(JSON.stringify(result.errors))
  return { core, problem: result.problem }
}

test('pools cross with their sections', async () => {
  const { problem } = await opened(TWO)
  expect(problem.pools).toHaveLength(2)
  expect([...(problem.pool ?? [])]).toEqual([0, 0, 1, 1])
  const [main, far] = problem.pools ?? []
  expect(main).toMatchObject({ id: '', capacity: 0, alignment: 1, bank: 0, lowerBound: 17, peak: 1 })
  expect(far).toMatchObject({ id: 'far', capacity: 96, alignment: 8, bank: 48, lowerBound: 36, peak: 1 })
  expect([...(main?.sections.load ?? [])]).toEqual([10, 17, 7])
  expect([...(far?.sections.lower ?? [])]).toEqual([1, 3, 5])
  expect(problem.lowerBound).toBe(53)
  expect(boundOfCapacity(problem)).toBe(17)
  expect(roomOf(problem, 40)).toBe(40 + 96)
})

test('one memory has no pools, and shapes are pieces', async () => {
  const { problem } = await opened('id,lower,upper,size,shape\na,0,4,10,0-2@0:6 0-4@6:10\nb,1,3,2,\n')
  expect(problem.pools).toBeUndefined()
  expect(problem.rects).toHaveLength(2)
  const pieces = piecesOf(problem)
  expect([...pieces.first]).toEqual([0, 2, 3])
  expect([...pieces.lower.subarray(0, 3)]).toEqual([0, 0, 1])
  expect([...pieces.from.subarray(0, 3)]).toEqual([0, 6, 0])
  expect([...pieces.to.subarray(0, 3)]).toEqual([6, 10, 2])
})

test('who does not honour a shape or choose a pool is told by name', async () => {
  const { core, problem } = await opened('id,lower,upper,size,shape,pool\na,0,4,10,0-2@0:6 0-4@6:10,\nb,1,3,2,,*\n')
  const { solvers } = core.manifest
  const lacks = (id: string) => lacking(solvers.find((solver) => solver.id === id) as (typeof solvers)[number], problem)
  expect(lacks('exact')).toEqual(['shapes of several rectangles', 'buffers that may lie in any pool'])
  expect(lacks('greedy')).toEqual(['buffers that may lie in any pool'])
})

/** In the numbers of the plate, the buffers that it has. */
function check(problem: Problem, event: SearchEvent): void {
  for (const plate of platesOf(problem)) {
    const own = eventIn(plate, event)
    if (event.kind !== 'place') continue
    const here = plate.own[event.buffer] as number
    expect(own === null).toBe(here < 0)
    if (own?.kind === 'place') expect(plate.buffers[own.buffer]).toBe(event.buffer)
  }
}

test('a plate has what lies in its pool, at every step', async () => {
  const { core, problem } = await opened(TWO)
  core.start(config('exact', 20))
  while (core.step(1000) === 'running');
  const stats = core.stats()
  expect(stats).toMatchObject({ outcome: 'feasible', height: 17 + 40 })
  const plates = platesOf(problem)
  expect(plates.map(({ problem: { ids } }) => [...ids])).toEqual([
    ['a', 'b'],
    ['w', 'v'],
  ])
  for (const plate of plates) expect(timeExtent(plate.problem)).toEqual([0, 9])
  let passed = 0
  for (let step = 0; step <= stats.steps; step++) {
    const frame = core.seek(step, 1, 0)
    for (const event of frame.events) check(problem, event)
    passed += frame.events.filter(({ kind }) => kind === 'pool').length
    const parts = plates.map((plate) => frameIn(plate, frame))
    expect(parts.reduce((sum, { depth }) => sum + depth, 0)).toBe(frame.depth)
    for (const [k, part] of parts.entries())
      expect([...part.offset]).toEqual([...(plates[k]?.buffers ?? [])].map((buffer) => frame.offset[buffer]))
    if (step === stats.steps) expect(plates.map((plate) => heightIn(plate, frame))).toEqual([17, 40])
    const placed = frame.events.find(({ kind }) => kind === 'place')
    if (placed) expect(limitOf(problem, [placed], 20)).toBe(poolOf(problem, placed)?.id === 'far' ? 96 : 20)
  }
  expect(passed).toBe(1)
  expect(asEventsNumber(problem).sections.count).toBe(6)
})

test('a header and a figure tell the pools apart', async () => {
  const { core, problem } = await opened(TWO)
  const text = [...cHeader(problem, Float64Array.of(0, 10, 0, 24), 'x')].join('')
  expect(text).toContain('#define X_POOL_MAIN_BYTES 17ul\n#define X_POOL_1_FAR_BYTES 40ul\n')
  expect(text).toContain('/* w: 20 bytes in pool far */')
  core.start(config('exact', 20))
  while (core.step(1000) === 'running');
  const frame = core.seek(core.stats().steps, 0, 0)
  const shown = onOnePlate({ problem, capacity: 20, frame } as Scene)
  expect([...(shown.frame?.offset ?? [])]).toEqual([...frame.offset].map((at, k) => at + (k < 2 ? 0 : 20)))
  expect(shown.capacity).toBe(20 + 96)
})

test('rows above the header are not buffers when the text is edited', () => {
  const text = edit(TWO, { kind: 'set', buffer: 2, values: { size: 24 } })
  expect(text).toBe(TWO.replace('w,1,9,20', 'w,1,9,24'))
})
