/** Runs side by side: each its own worker, one playhead, and what becomes of those that are stopped or lost. */
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ClientError, type RunConfig } from '../../../wasm/client/types'
import type { Clock } from '../../../web/src/run/search/ticker'
import { MOST_LANES, type Others, Race } from '../../../web/src/run/race/race'
import { cellOfRun } from '../../../web/src/state/compare/results'
import type { ShownResult } from '../../../web/src/state/workbench_values'
import { FakeClient, overview, statsOf } from '../support/fake'

const CSV = 'id,lower,upper,size\na,0,1,1\n'
const config = (solver: string): RunConfig => ({ solver, capacity: 12, seed: 1, budget: 0, options: {} })
const settled = () => new Promise((resolve) => setTimeout(resolve))

class FakeClock implements Clock {
  private waiting: ((now: number) => void) | null = null
  request(callback: (now: number) => void): void {
    this.waiting = callback
  }
  cancel(): void {
    this.waiting = null
  }
  frame(now: number): void {
    const callback = this.waiting
    this.waiting = null
    callback?.(now)
  }
}

let clients: (FakeClient & { gone?: boolean })[]
let clock: FakeClock
let race: Race

beforeEach(() => {
  clients = []
  clock = new FakeClock()
  race = new Race({ csv: CSV, profile: null }, clock, () => {
    const client: FakeClient & { gone?: boolean } = new FakeClient()
    client.hold = true
    client.dispose = () => {
      client.gone = true
    }
    clients.push(client)
    return client
  })
})

it('gives its workers a model as its graph, lowered in the same way', async () => {
  const client = new FakeClient()
  const lowering = { order: 'dfs' }
  const mine = new Race({ csv: CSV, profile: null, model: { graph: 'graph', lowering } }, clock, () => client)
  mine.add(config('exact'))
  await mine.lanes.get()[0]?.ready()
  expect([client.graphs, client.lowered, client.opened]).toEqual([['graph'], [lowering], []])
  mine.dispose()
})

const at = (k: number) => {
  const client = clients[k]
  const lane = race.lanes.get()[k]
  if (client === undefined || lane === undefined) throw new Error(`there is no lane ${k}`)
  return { client, lane }
}
/** Ends the run of a lane after so many steps. */
async function finish(k: number, steps: number): Promise<void> {
  at(k).client.finish(statsOf(steps))
  await settled()
}
async function two(steps: [number, number]): Promise<void> {
  race.add(config('exact'))
  race.add(config('minimalloc'))
  race.startAll()
  await settled()
  await finish(0, steps[0])
  await finish(1, steps[1])
}
const shown = () => race.lanes.get().map((lane) => lane.cursor.get())

describe('lanes', () => {
  it('have a worker and the problem each, and run their own settings', async () => {
    race.add(config('exact'))
    race.add(config('minimalloc'))
    expect(race.running).toBe(false)
    race.startAll()
    expect(race.running).toBe(true)
    await settled()
    expect(clients.map(({ opened }) => opened)).toEqual([[CSV], [CSV]])
    expect(clients.map((client) => client.config?.solver)).toEqual(['exact', 'minimalloc'])
    await finish(1, 30)
    expect(at(0).lane.run.get().kind).toBe('running')
    expect(at(1).lane.run.get().kind).toBe('ended')
  })

  it('start together: nobody runs before the last worker has the problem', async () => {
    race.add(config('exact'))
    race.add(config('minimalloc'))
    let ready = () => {}
    const late = at(1).client
    const open = late.open.bind(late)
    late.open = async (csv, profile) => {
      await new Promise<void>((resolve) => (ready = resolve))
      return open(csv, profile)
    }
    race.startAll()
    await settled()
    expect(clients.map((client) => client.config)).toEqual([null, null])
    ready()
    await settled()
    expect(clients.map((client) => client.config?.solver)).toEqual(['exact', 'minimalloc'])
    await finish(0, 3)
    await finish(1, 3)
    const times = race.lanes.get().map((lane) => lane.times.get())
    expect(times[0]?.race).toBe(times[1]?.race)
    race.start(at(0).lane)
    await settled()
    await finish(0, 3)
    expect(at(0).lane.times.get()?.race).not.toBe(times[1]?.race)
  })

  it('are four at most, a copy stands beside its original, and one that is removed lets its worker go', () => {
    const first = race.add(config('exact'))
    race.add(config('minimalloc'))
    if (first === null) throw new Error('there was room for it')
    const copy = race.add({ ...first.config.get(), seed: 7 }, first)
    expect(race.lanes.get().map((lane) => lane.config.get().seed)).toEqual([1, 7, 1])
    race.add(config('exact'))
    expect(race.lanes.get().length).toBe(MOST_LANES)
    expect(race.add(config('exact'))).toBeNull()
    if (copy !== null) race.remove(copy)
    expect(clients.map(({ gone }) => gone === true)).toEqual([false, false, true, false])
    race.dispose()
    expect(clients.every(({ gone }) => gone)).toBe(true)
  })

  it('tell live what they do', async () => {
    race.add(config('exact'))
    race.startAll()
    await settled()
    const before = race.changes.get()
    at(0).client.progress(statsOf(5, { outcome: 'running' }), null)
    expect(at(0).lane.run.get()).toMatchObject({ kind: 'running', progress: { stats: { steps: 5 } } })
    expect(race.changes.get()).toBeGreaterThan(before)
  })

  it('can be cancelled while the problem is still being read', async () => {
    race.add(config('exact'))
    const { client, lane } = at(0)
    const cancel = vi.spyOn(client, 'cancel')
    race.startAll()
    race.cancel()
    await settled()
    expect(lane.run.get()).toMatchObject({ kind: 'cancelled', result: { stats: { outcome: 'cancelled' } } })
    expect(cancel).toHaveBeenCalled()
  })

  it('say that a worker was lost; the others go on, and it can be run again', async () => {
    race.add(config('exact'))
    race.add(config('minimalloc'))
    race.startAll()
    await settled()
    at(0).client.progress(statsOf(9, { outcome: 'running' }), null)
    at(0).client.fail(new ClientError('The solver stopped.', 'trap'))
    await settled()
    expect(at(0).lane.run.get()).toMatchObject({ kind: 'failed', reason: 'trap', step: 9 })
    expect(at(1).lane.run.get().kind).toBe('running')
    await finish(1, 20)
    expect(shown()[1]).toBe(20)
    race.start(at(0).lane)
    await settled()
    await finish(0, 4)
    expect(at(0).lane.run.get().kind).toBe('ended')
  })

  it('with other settings forget their run, and what it still tells', async () => {
    race.add(config('exact'))
    race.startAll()
    await settled()
    const { client, lane } = at(0)
    lane.set(config('minimalloc'))
    expect(lane.run.get().kind).toBe('idle')
    client.finish(statsOf(50))
    await settled()
    expect(lane.run.get().kind).toBe('idle')
    expect(lane.config.get().solver).toBe('minimalloc')
  })
})

describe('the playhead', () => {
  it('stands at the end of all when they have ended', async () => {
    await two([30, 400])
    expect(race.length).toBe(400)
    expect(race.position.get()).toBe(400)
    expect(shown()).toEqual([30, 400])
  })

  it('shows the deepest step where a search has ended with nothing placed, and the end where it has a plan', async () => {
    race.add(config('exact'))
    race.add(config('minimalloc'))
    race.startAll()
    await settled()
    const bare = { outcome: 'exhausted', height: -1, depth: 0, maxDepthStep: 17 } as const
    at(0).client.finish(statsOf(30, bare))
    at(1).client.finish(statsOf(30, { ...bare, outcome: 'over-capacity' }), new Float64Array(5))
    await settled()
    expect(shown()).toEqual([30, 30])
    expect(clients.map(({ asked }) => asked.at(-1))).toEqual([17, 30])
    race.seek(29)
    for (const client of clients) client.release()
    await settled()
    expect(at(0).client.asked.at(-1)).toBe(29)
  })

  it('goes by steps or by shares, and stays where it is between them', async () => {
    await two([30, 400])
    race.seek(200)
    expect(shown()).toEqual([30, 200])
    race.lockBy('share')
    expect(race.position.get()).toBe(200)
    expect(shown()).toEqual([15, 200])
    race.stride(1)
    expect(shown()).toEqual([15, 204])
    race.scrub(at(0).lane, 3)
    expect(shown()).toEqual([3, 40])
    race.toEnd()
    expect(shown()).toEqual([30, 400])
  })

  it('keeps its place when a run comes or goes', async () => {
    await two([30, 400])
    race.seek(20)
    race.start(at(0).lane)
    await settled()
    await finish(0, 25)
    expect(shown()).toEqual([20, 20])
    race.remove(at(1).lane)
    expect(race.position.get()).toBe(20)
    race.toEnd()
    expect(shown()).toEqual([25])
  })

  it('plays all of them to the end, then from the start again', async () => {
    await two([10, 40])
    race.setSpeed(100)
    race.play()
    expect(race.position.get()).toBe(0)
    clock.frame(1000)
    clock.frame(1100)
    expect(shown()).toEqual([10, 10])
    clock.frame(1200)
    expect(shown()).toEqual([10, 20])
    expect(race.playing.get()).toBe(true)
    for (let k = 0; k < 4; k++) clock.frame(1400 + 200 * k)
    expect(race.playing.get()).toBe(false)
    expect(shown()).toEqual([10, 40])
  })

  it('does not play while one of them still runs', async () => {
    await two([10, 40])
    race.start(at(0).lane)
    race.play()
    expect(race.playing.get()).toBe(false)
  })
})

describe('a lane of a solver that is not ours', () => {
  const foreign = (ended: (signal: AbortSignal) => Promise<ShownResult>): Others => ({
    titleOf: (solver) => (solver === 'ilp' ? 'ILP (HiGHS)' : ''),
    run: (_client, _config, _problem, signal) => ended(signal),
  })
  const result = (note: string): ShownResult => ({
    stats: { ...statsOf(0), outcome: 'feasible', height: 12, digest: '' },
    overview,
    best: Float64Array.of(0),
    conflict: [],
    note,
  })

  it('has a plan and what is said of it, no steps, and is never asked for one', async () => {
    const client = new FakeClient()
    const mine = new Race(
      { csv: CSV, profile: null },
      clock,
      () => client,
      foreign(async () => result('7 nodes')),
    )
    const lane = mine.add(config('ilp'))
    await mine.startAll()
    expect(lane?.foreign).toBe('ILP (HiGHS)')
    expect(lane?.steps).toBe(0)
    expect(cellOfRun(lane?.run.get() ?? { kind: 'idle' })).toMatchObject({
      ...{ outcome: 'feasible', height: 12, steps: -1, backtracks: -1, digest: '', note: '7 nodes' },
    })
    mine.seek(0)
    await settled()
    expect(client.asked).toEqual([])
  })

  it('is given up like one of ours', async () => {
    const gone = (signal: AbortSignal) =>
      new Promise<ShownResult>((resolve) =>
        signal.addEventListener('abort', () => {
          const { stats, ...others } = result('')
          resolve({ stats: { ...stats, outcome: 'cancelled' }, ...others })
        }),
      )
    const mine = new Race({ csv: CSV, profile: null }, clock, () => new FakeClient(), foreign(gone))
    const lane = mine.add(config('ilp'))
    const over = mine.startAll()
    await settled()
    mine.cancel()
    await over
    expect(lane?.run.get().kind).toBe('cancelled')
  })
})
