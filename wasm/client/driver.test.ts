import { expect, test, vi } from 'vitest'
import type { Core } from './core'
import { Driver } from './driver'
import { PROTOCOL, type Reply } from './protocol'
import { ClientError, type Frame, type Manifest, type Overview, type RunStats } from './types'

/** As much of a Core as the driver asks of it, with a clock that goes on by the time each step takes. */
class Stub {
  time = 0
  steps = 0
  last = Number.POSITIVE_INFINITY
  slices: number[] = []
  manifest = { version: '0' } as Manifest
  bufferCount = 1
  step(steps: number) {
    this.slices.push(steps)
    this.time += steps * 0.01
    this.steps = Math.min(this.last, this.steps + steps)
    return this.steps < this.last ? 'running' : 'feasible'
  }
  start(): void {
    this.steps = 0
  }
  cancel(): void {}
  resume(): void {}
  stats = () => ({ steps: this.steps }) as RunStats
  overview = () => ({ rules: [] as Uint32Array<ArrayBuffer>[], ...columns() }) as Overview
  best = () => null
  now = () => this.seek(this.steps)
  result = () => ({ stats: this.stats(), overview: this.overview(), best: null })
  find = vi.fn((from: number, _forward: boolean, _kind: string, limit: number) =>
    from + limit < 1_000_000 ? { step: 0, next: from + limit } : { step: 999_999, next: null },
  )
  seek = vi.fn(
    (step: number): Frame => ({
      step,
      depth: 0,
      offset: new Float64Array(1),
      minOffset: null,
      level: new Int32Array(1),
      stack: new Uint32Array(0),
      tried: null,
      candidates: null,
      events: [],
      undone: [],
    }),
  )
}

function columns() {
  const words = () => new Uint32Array(1)
  return {
    minDepth: words(),
    maxDepth: words(),
    lastDepth: words(),
    maxUndone: words(),
    backtracks: words(),
    major: words(),
  }
}

const config = { solver: 's', capacity: 1, seed: 0, budget: 0, options: {} }

/** A driver whose tasks run when the test says so. */
async function driven(stub = new Stub()) {
  const replies: Reply[] = []
  const tasks: (() => void)[] = []
  const driver = new Driver(
    { post: (reply) => replies.push(reply) },
    Promise.resolve(stub as unknown as Core),
    { now: () => stub.time },
    (task) => tasks.push(task),
  )
  await Promise.resolve()
  const turn = () => tasks.shift()?.()
  return { stub, driver, replies, turn, tasks }
}

test('messages that come before the module are answered after "ready", in order', async () => {
  const replies: Reply[] = []
  let loaded: (core: Core) => void = () => undefined
  const core = new Promise<Core>((resolve) => {
    loaded = resolve
  })
  const driver = new Driver({ post: (reply) => replies.push(reply) }, core, { now: () => 0 }, () => undefined)
  driver.handle({ type: 'manifest', id: 1 })
  driver.handle({ type: 'manifest', id: 2 })
  expect(replies).toEqual([])
  loaded(new Stub() as unknown as Core)
  await core
  expect(replies[0]).toEqual({ type: 'ready', protocol: PROTOCOL })
  expect(replies.slice(1).map((reply) => 'id' in reply && reply.id)).toEqual([1, 2])
})

test('slices grow until they take about 8 ms, and shrink when steps get slow', async () => {
  const { stub, driver, turn } = await driven()
  driver.handle({ type: 'run', id: 1, config })
  for (let k = 0; k < 12; k++) turn()
  // 100 steps take a millisecond
  expect(stub.slices[0]).toBeLessThan(100)
  expect(stub.slices.at(-1)).toBeGreaterThan(600)
  expect(stub.slices.at(-1)).toBeLessThan(1000)
  const step = stub.step.bind(stub)
  stub.step = (steps) => {
    stub.time += steps
    return step(steps)
  }
  for (let k = 0; k < 8; k++) turn()
  expect(stub.slices.at(-1)).toBeLessThan(16)
})

test('progress comes every 100 ms of work', async () => {
  const { stub, driver, replies, turn } = await driven()
  driver.handle({ type: 'run', id: 7, config })
  while (stub.time < 1050) turn()
  const reports = replies.filter((reply) => reply.type === 'progress')
  expect(reports.length).toBeGreaterThanOrEqual(8)
  expect(reports.length).toBeLessThanOrEqual(10)
})

test('a long find goes in slices and lets the run and messages in between', async () => {
  const { stub, driver, replies, turn, tasks } = await driven()
  driver.handle({ type: 'run', id: 1, config })
  driver.handle({ type: 'find', id: 2, from: 0, forward: true, kind: 'place' })
  stub.find.mockImplementation((from: number, _f: boolean, _k: string, limit: number) => {
    stub.time += limit * 0.01
    return from + limit < 20_000 ? { step: 0, next: from + limit } : { step: 20_000, next: null }
  })
  for (let k = 0; k < 200 && !replies.some((reply) => reply.type === 'found'); k++) turn()
  expect(stub.find.mock.calls.length).toBeGreaterThan(10)
  expect(stub.slices.length).toBe(stub.find.mock.calls.length)
  expect(replies.find((reply) => reply.type === 'found')).toMatchObject({ id: 2, step: 20_000 })
  expect(tasks).toHaveLength(1)
})

test('the newest seek of a burst is the only one done, and it ends a find', async () => {
  const { stub, driver, replies, turn } = await driven()
  driver.handle({ type: 'find', id: 1, from: 0, forward: true, kind: 'place' })
  for (let id = 2; id < 6; id++) driver.handle({ type: 'seek', id, step: id, before: 0, after: 0 })
  turn()
  turn()
  expect(stub.seek).toHaveBeenCalledTimes(1)
  expect(stub.find).not.toHaveBeenCalled()
  const answers = replies.slice(1).map((reply) => {
    if (reply.type === 'found') return [reply.id, reply.step]
    return reply.type === 'frame' ? [reply.id, reply.frame?.step ?? null] : null
  })
  expect(answers).toEqual([
    [1, 0],
    [2, null],
    [3, null],
    [4, null],
    [5, 5],
  ])
})

test('an error of a request answers it; anything else ends the worker', async () => {
  const { stub, driver, replies, turn, tasks } = await driven()
  stub.seek.mockImplementationOnce(() => {
    throw new ClientError('no', 'argument')
  })
  driver.handle({ type: 'seek', id: 1, step: 1, before: 0, after: 0 })
  turn()
  expect(replies.at(-1)).toEqual({ type: 'error', id: 1, reason: 'argument', message: 'no' })
  driver.handle({ type: 'run', id: 2, config })
  stub.step = () => {
    throw new WebAssembly.RuntimeError('unreachable')
  }
  turn()
  expect(replies.at(-1)).toEqual({ type: 'broken', reason: 'trap', message: 'unreachable' })
  const count = replies.length
  driver.handle({ type: 'manifest', id: 3 })
  turn()
  expect(tasks).toEqual([])
  expect(replies).toHaveLength(count)
})

test.each([
  [new RangeError('Array buffer allocation failed'), 'memory'],
  [new RangeError('Maximum call stack size exceeded'), 'trap'],
  [new ClientError('of another version', 'protocol'), 'protocol'],
])('a module that fails to start with %s is reported', async (error, reason) => {
  const replies: Reply[] = []
  const core = Promise.reject(error)
  new Driver({ post: (reply) => replies.push(reply) }, core, { now: () => 0 }, () => undefined)
  await core.catch(() => undefined)
  expect(replies).toEqual([{ type: 'broken', reason, message: error.message }])
})
