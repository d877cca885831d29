import { expect, test, vi } from 'vitest'
import type { Core, Explaining } from '../core'
import { Driver } from './driver'
import { PROTOCOL, type Reply } from '../protocol'
import {
  ClientError,
  type Condition,
  type Explanation,
  type Frame,
  type Manifest,
  type OpenResult,
  type Overview,
  type Problem,
  type RunStats,
  type TreePath,
} from '../types'

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
  height = -1
  /** steps after which an explanation is done */
  provenAt = Number.POSITIVE_INFINITY
  explained = 0
  startExplaining = vi.fn(() => {
    this.explained = 0
  })
  explain = vi.fn((steps: number): Explaining => {
    this.time += steps * 0.01
    this.explained += steps
    return this.explaining(this.explained >= this.provenAt ? 'infeasible' : null)
  })
  cancelExplaining = () => this.explaining('cancelled')
  private explaining(outcome: Explanation['outcome'] | null): Explaining {
    const [steps, count, tried] = [this.explained, 2, 1]
    const ended = outcome && { outcome, buffers: [3, 5], tried, irreducible: false, section: -1, steps }
    return { steps, count, tried, ended }
  }
  open = (csv: string): OpenResult =>
    csv === 'bad' ? { ok: false, errors: [], total: 1 } : { ok: true, problem: onlyBuffer(), suggestedCapacity: null }
  /** rows of the text that is read in parts, each of four bytes; a millisecond each hundred */
  rows = 0
  startReading = vi.fn(() => {
    this.rows = 0
  })
  read = vi.fn((rows: number) => {
    this.time += rows * 0.01
    this.rows = Math.min(100_000, this.rows + rows)
    return { rows: this.rows, bytes: 4 * this.rows, more: this.rows < 100_000 }
  })
  cancelReading = vi.fn()
  endReading = vi.fn(() => this.open('bad'))
  stats = () => ({ steps: this.steps, height: this.height }) as RunStats
  overview = () => ({ rules: [] as Uint32Array<ArrayBuffer>[], ...columns() }) as Overview
  best = vi.fn(() => Float64Array.of(this.height))
  now = () => this.seek(this.steps)
  result = () => ({ stats: this.stats(), overview: this.overview(), best: null, conflict: [] })
  find = vi.fn((from: number, _forward: boolean, _conditions: readonly Condition[], limit: number) =>
    from + limit < 1_000_000 ? { step: 0, next: from + limit } : { step: 999_999, next: null },
  )
  /** steps looked back over so far */
  seen = 0
  path = vi.fn((step: number, _levels: number, _most: number, limit: number) => {
    this.time += limit * 0.01
    this.seen += limit
    return { step, whole: this.seen >= 20_000 } as TreePath
  })
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
      phases: null,
      events: [],
      undone: [],
      bounds: null,
    }),
  )
}

function onlyBuffer(): Problem {
  const problem = { sections: {} } as Problem
  const arrays = ['lower', 'upper', 'size', 'alignment', 'fixed', 'hint', 'bank'] as const
  for (const name of arrays) problem[name] = new Float64Array(1)
  for (const name of ['lower', 'upper', 'load'] as const) problem.sections[name] = new Float64Array(1)
  problem.sections.live = new Uint32Array(1)
  return problem
}

function columns() {
  const words = () => new Uint32Array(1)
  return {
    minDepth: words(),
    maxDepth: words(),
    lastDepth: words(),
    maxUndone: words(),
    placed: words(),
    backtracks: words(),
    major: words(),
  }
}

const modulesOf = (core: Promise<Core>) => ({ load: () => core, families: { exact: ['s', 'exact'] } })
const config = { solver: 's', capacity: 1, seed: 0, budget: 0, options: {} }

/** A driver whose tasks run when the test says so. */
async function driven(stub = new Stub()) {
  const replies: Reply[] = []
  const tasks: (() => void)[] = []
  const driver = new Driver(
    { post: (reply) => replies.push(reply) },
    modulesOf(Promise.resolve(stub as unknown as Core)),
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
  const driver = new Driver(
    { post: (reply) => replies.push(reply) },
    modulesOf(core),
    { now: () => 0 },
    () => undefined,
  )
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

const LONG = { type: 'open', id: 4, csv: new Blob(['12\n\n'.repeat(100_000)]), profile: null } as const

test('a long text is read in slices that say how far it is, and what comes meanwhile waits', async () => {
  const { stub, driver, replies, turn, tasks } = await driven()
  driver.handle(LONG)
  driver.handle({ type: 'manifest', id: 5 })
  await vi.waitFor(() => expect(tasks.length).toBe(1))
  driver.handle({ type: 'ping', id: 6 })
  expect(replies.at(-1)).toEqual({ type: 'pong', id: 6 })
  while (tasks.length > 0) turn()
  expect(stub.read.mock.calls.length).toBeGreaterThan(50)
  const told = replies.flatMap((reply) => (reply.type === 'opening' ? [reply.progress] : []))
  expect(told.length).toBeGreaterThan(5)
  expect(told.length).toBeLessThan(12)
  expect(told.every(({ rows, of }) => rows > 0 && of === 100_000)).toBe(true)
  expect(told.at(-1)).toEqual({ rows: 100_000, of: 100_000 })
  expect(replies.at(-2)).toMatchObject({ type: 'opened', id: 4, result: { ok: false, total: 1 } })
  expect(replies.at(-1)).toMatchObject({ id: 5 })
})

test('a text that takes seconds is read in the whole module, which a run then finds there', async () => {
  const [first, whole] = [new Stub(), new Stub()]
  whole.endReading = vi.fn(() => whole.open('good'))
  whole.last = 1000
  const cores: Record<string, Stub> = { exact: first, core: whole }
  const [replies, tasks]: [Reply[], (() => void)[]] = [[], []]
  const driver = new Driver(
    { post: (reply) => replies.push(reply) },
    { load: async (module) => cores[module] as unknown as Core, families: { exact: ['exact'], core: ['exact', 's'] } },
    { now: () => whole.time },
    (task) => tasks.push(task),
  )
  driver.handle({ ...LONG, csv: new Blob(['12\n\n'.repeat(2_000_000)]) })
  driver.handle({ type: 'run', id: 5, config })
  await vi.waitFor(() => expect(tasks.length).toBe(1))
  for (let task = tasks.shift(); task; task = tasks.shift()) task()
  expect(replies.map(({ type }) => type)).toContain('ended')
  expect(first.startReading).not.toHaveBeenCalled()
  expect(whole.startReading).toHaveBeenCalledOnce()
  expect(whole.slices.length).toBeGreaterThan(0)
})

test('a long text that is left changes nothing, wherever it is', async () => {
  const { stub, driver, replies, turn, tasks } = await driven()
  const left = { type: 'opened', id: 4, result: { ok: false, errors: [], total: 0 } }
  // while it is read
  driver.handle(LONG)
  driver.handle({ type: 'manifest', id: 5 })
  await vi.waitFor(() => expect(tasks.length).toBe(1))
  turn()
  driver.handle({ type: 'leave', open: 3 })
  expect(replies.some((reply) => reply.type === 'opened')).toBe(false)
  driver.handle({ type: 'leave', open: 4 })
  expect(stub.cancelReading).toHaveBeenCalledTimes(1)
  expect(replies.slice(-2)).toMatchObject([left, { type: 'manifest', id: 5 }])
  while (tasks.length > 0) turn()
  // while it is fetched, and while it waits behind another
  driver.handle({ ...LONG, id: 6 })
  driver.handle(LONG)
  driver.handle({ type: 'leave', open: 4 })
  expect(replies.at(-1)).toMatchObject(left)
  driver.handle({ type: 'leave', open: 6 })
  expect(replies.at(-1)).toMatchObject({ ...left, id: 6 })
  await LONG.csv.arrayBuffer()
  expect(tasks).toEqual([])
  expect(stub.endReading).not.toHaveBeenCalled()
})

test('a long text that finds no memory fails alone', async () => {
  const { stub, driver, replies, turn, tasks } = await driven()
  stub.read.mockImplementationOnce(() => {
    throw new ClientError('no room', 'memory')
  })
  driver.handle(LONG)
  driver.handle({ type: 'manifest', id: 5 })
  await vi.waitFor(() => expect(tasks.length).toBe(1))
  turn()
  expect(replies.slice(-2)).toMatchObject([
    { type: 'error', id: 4, reason: 'memory', message: 'no room' },
    { type: 'manifest', id: 5 },
  ])
})

test('progress comes every 100 ms of work', async () => {
  const { stub, driver, replies, turn } = await driven()
  driver.handle({ type: 'run', id: 7, config })
  while (stub.time < 1050) turn()
  const reports = replies.filter((reply) => reply.type === 'progress')
  expect(reports.length).toBeGreaterThanOrEqual(8)
  expect(reports.length).toBeLessThanOrEqual(10)
})

test('a plan comes with the first progress after it was found, and only with that', async () => {
  const { stub, driver, replies, turn } = await driven()
  driver.handle({ type: 'run', id: 7, config })
  const after = (time: number) => {
    const seen = replies.length
    while (stub.time < time) turn()
    return replies.slice(seen).map((reply) => (reply.type === 'progress' ? reply.progress.incumbent?.[0] : 'other'))
  }
  expect(new Set(after(250))).toEqual(new Set([undefined]))
  stub.height = 40
  expect(after(450)[0]).toBe(40)
  expect(stub.best).toHaveBeenCalledTimes(1)
  stub.height = 30
  expect(after(650).filter((height) => height !== undefined)).toEqual([30])
  driver.handle({ type: 'resume', id: 8, budget: 0 })
  expect(after(stub.time + 250).filter((height) => height !== undefined)).toEqual([30])
})

test('a long find goes in slices and lets the run and messages in between', async () => {
  const { stub, driver, replies, turn, tasks } = await driven()
  driver.handle({ type: 'run', id: 1, config })
  driver.handle({ type: 'find', id: 2, from: 0, forward: true, kind: 'place' })
  stub.find.mockImplementation((from: number, _f: boolean, _c: readonly Condition[], limit: number) => {
    stub.time += limit * 0.01
    return from + limit < 20_000 ? { step: 0, next: from + limit } : { step: 20_000, next: null }
  })
  for (let k = 0; k < 200 && !replies.some((reply) => reply.type === 'found'); k++) turn()
  expect(stub.find.mock.calls.length).toBeGreaterThan(10)
  expect(stub.slices.length).toBe(stub.find.mock.calls.length)
  expect(replies.find((reply) => reply.type === 'found')).toMatchObject({ id: 2, step: 20_000 })
  expect(tasks).toHaveLength(1)
})

test('a long look along the path goes in slices, and stops at its limit', async () => {
  const { driver, stub, replies, turn, tasks } = await driven()
  const drain = () => {
    while (tasks.length > 0) turn()
  }
  driver.handle({ type: 'path', id: 1, step: 5, levels: 3, most: 4, limit: 5000 })
  driver.handle({ type: 'seek', id: 2, step: 9, before: 0, after: 0 })
  drain()
  expect(stub.path.mock.calls.length).toBeGreaterThan(3)
  expect(stub.seen).toBeGreaterThanOrEqual(5000)
  expect(stub.seen).toBeLessThan(20_000)
  expect(replies.map((reply) => reply.type)).toEqual(['ready', 'frame', 'path'])
  driver.handle({ type: 'path', id: 3, step: 5, levels: 3, most: 4, limit: 1_000_000 })
  drain()
  expect(replies.at(-1)).toMatchObject({ type: 'path', id: 3, path: { whole: true } })
})

test('a newer look along the path takes the place of the one before, and a run ends it', async () => {
  const { driver, replies, turn, tasks } = await driven()
  driver.handle({ type: 'path', id: 1, step: 5, levels: 3, most: 4, limit: 50_000 })
  driver.handle({ type: 'path', id: 2, step: 6, levels: 3, most: 4, limit: 50_000 })
  while (tasks.length > 0) turn()
  expect(replies.slice(1)).toMatchObject([
    { type: 'path', id: 1, path: null },
    { type: 'path', id: 2, path: { step: 6 } },
  ])
  driver.handle({ type: 'path', id: 3, step: 5, levels: 3, most: 4, limit: 50_000 })
  driver.handle({ type: 'run', id: 4, config })
  expect(replies.at(-1)).toEqual({ type: 'path', id: 3, path: null })
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

const explain = (id: number) => ({ type: 'explain', id, capacity: 1, seed: 0, budget: 0 }) as const

/** What came of explanations and runs, in order: [id, outcome], or [id, steps] of a progress. */
function story(replies: Reply[]): [number, unknown][] {
  return replies.flatMap((reply): [number, unknown][] => {
    if (reply.type === 'explained') return [[reply.id, reply.explanation.outcome]]
    if (reply.type === 'explaining') return [[reply.id, reply.progress.steps]]
    return reply.type === 'ended' ? [[reply.id, 'ended']] : []
  })
}

test('an explanation goes in slices, tells of itself every 100 ms, and lets the run and seeks in between', async () => {
  const { stub, driver, replies, turn, tasks } = await driven()
  stub.provenAt = 30_000
  driver.handle({ type: 'run', id: 1, config })
  driver.handle(explain(2))
  for (let k = 0; k < 20; k++) turn()
  const slices = [stub.slices.length, stub.explain.mock.calls.length]
  driver.handle({ type: 'seek', id: 3, step: 4, before: 0, after: 0 })
  turn()
  expect(replies.find((reply) => reply.type === 'frame')).toMatchObject({ id: 3, frame: { step: 4 } })
  expect(slices).toEqual([20, 20])
  for (let k = 0; k < 200 && !replies.some((reply) => reply.type === 'explained'); k++) turn()
  const told = story(replies)
  // 30,000 steps are 300 ms of its own, and the run had as many
  expect(told.length).toBeGreaterThanOrEqual(5)
  expect(told.length).toBeLessThanOrEqual(8)
  expect(told.at(-1)).toEqual([2, 'infeasible'])
  expect(stub.startExplaining).toHaveBeenCalledTimes(1)
  const calls = stub.explain.mock.calls.length
  turn()
  expect(stub.explain).toHaveBeenCalledTimes(calls)
  expect(tasks).toHaveLength(1)
})

test.each([
  ['cancel', { type: 'cancel' }],
  ['a newer explanation', explain(9)],
  ['a run', { type: 'run', id: 9, config }],
  ['a resumption', { type: 'resume', id: 9, budget: 0 }],
] as const)('%s ends an explanation, which keeps its set', async (_, request) => {
  const { driver, replies, turn } = await driven()
  driver.handle(explain(2))
  turn()
  driver.handle(request)
  expect(story(replies)).toEqual([[2, 'cancelled']])
  expect(replies.at(-1)).toMatchObject({ explanation: { buffers: [3, 5], steps: 1 } })
})

test('a good problem ends an explanation, a bad one does not', async () => {
  const { stub, driver, replies, turn } = await driven()
  driver.handle(explain(2))
  turn()
  driver.handle({ type: 'open', id: 3, csv: 'bad', profile: null })
  turn()
  expect(stub.explain).toHaveBeenCalledTimes(2)
  driver.handle({ type: 'open', id: 4, csv: 'good', profile: null })
  expect(replies.slice(-2)).toMatchObject([
    {
      type: 'explained',
      id: 2,
      explanation: { outcome: 'cancelled', buffers: [], steps: 1 + stub.explain.mock.calls[1]![0] },
    },
    { type: 'opened', id: 4 },
  ])
  turn()
  expect(stub.explain).toHaveBeenCalledTimes(2)
})

test('an explanation that runs out of memory is an error, and the run goes on', async () => {
  const { stub, driver, replies, turn } = await driven()
  driver.handle({ type: 'run', id: 1, config })
  driver.handle(explain(2))
  stub.explain.mockImplementationOnce(() => {
    throw new ClientError('no room', 'memory')
  })
  turn()
  expect(replies.at(-1)).toEqual({ type: 'error', id: 2, reason: 'memory', message: 'no room' })
  turn()
  expect(stub.slices).toHaveLength(2)
  expect(stub.explain).toHaveBeenCalledTimes(1)
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
  new Driver({ post: (reply) => replies.push(reply) }, modulesOf(core), { now: () => 0 }, () => undefined)
  await core.catch(() => undefined)
  expect(replies).toEqual([{ type: 'broken', reason, message: error.message }])
})
