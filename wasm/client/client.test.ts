import { afterEach, describe, expect, test, vi } from 'vitest'
import { createClient, PATIENCE } from './client'
import { handedOver, PROTOCOL, type Reply, type Request, transferables } from './protocol'
import type { SentFrame } from './protocol'
import type { WorkerLike } from './host'
import type { Explanation, GraphModel, Problem, RunResult, RunStats } from './types'

/** The other end of the client: what was asked, and replies at will. */
class Wire implements WorkerLike {
  onmessage: WorkerLike['onmessage'] = null
  onerror: WorkerLike['onerror'] = null
  onmessageerror: WorkerLike['onmessageerror'] = null
  onclose: WorkerLike['onclose'] = null
  readonly asked: Request[] = []
  terminated = false
  postMessage(request: Request): void {
    this.asked.push(request)
  }
  terminate(): void {
    this.terminated = true
  }
  reply(reply: Reply): void {
    this.onmessage?.({ data: reply } as MessageEvent<Reply>)
  }
  /** the number of the last request of a kind */
  lastOf(type: Request['type']): number {
    const request = this.asked.findLast((one) => one.type === type)
    if (request === undefined || !('id' in request)) throw new Error(`no ${type} was asked for`)
    return request.id
  }
}

function wired() {
  const wires: Wire[] = []
  const client = createClient(() => {
    const wire = new Wire()
    wires.push(wire)
    return wire
  })
  return { client, wires }
}

test('a worker of another version is refused', async () => {
  const { client, wires } = wired()
  const asked = client.digestAt(1)
  wires[0]!.reply({ type: 'ready', protocol: PROTOCOL + 1 })
  await expect(asked).rejects.toMatchObject({ reason: 'protocol', message: expect.stringContaining('reload') })
  expect(wires[0]!.terminated).toBe(true)
})

test('a worker whose script cannot be loaded is a protocol error, one that dies later a trap', async () => {
  const { client, wires } = wired()
  const first = client.digestAt(1)
  wires[0]!.onerror?.({ message: '' } as ErrorEvent)
  await expect(first).rejects.toMatchObject({
    reason: 'protocol',
    message: 'The solver’s worker could not be started.',
  })
  const second = client.digestAt(1)
  wires[1]!.reply({ type: 'ready', protocol: PROTOCOL })
  wires[1]!.onerror?.({ message: 'gone' } as ErrorEvent)
  await expect(second).rejects.toMatchObject({ reason: 'trap', message: 'The solver stopped (gone).' })
})

test('replies find their requests in any order', async () => {
  const { client, wires } = wired()
  const [one, two] = [client.digestAt(1), client.find(5, true, 'major')]
  const [first, second] = wires[0]!.asked
  expect(second).toMatchObject({ type: 'find', from: 5, forward: true, kind: 'major' })
  if (!first || !second || !('id' in first) || !('id' in second)) throw new Error('not asked')
  wires[0]!.reply({ type: 'found', id: second.id, step: 9 })
  wires[0]!.reply({ type: 'digest', id: first.id, digest: 'abc' })
  wires[0]!.reply({ type: 'digest', id: first.id, digest: 'a second reply to the same request' })
  expect(await one).toBe('abc')
  expect(await two).toBe(9)
})

test('only a problem that was read is given to the next worker', async () => {
  const { client, wires } = wired()
  const bad = client.open('bad')
  wires[0]!.reply({ type: 'opened', id: 1, result: { ok: false, errors: [], total: 1 } })
  expect((await bad).ok).toBe(false)
  wires[0]!.onerror?.({ message: '' } as ErrorEvent)
  const asked = client.digestAt(0)
  expect(wires[1]!.asked).toMatchObject([{ type: 'digest' }])
  client.dispose()
  await expect(asked).rejects.toThrow('closed')
})

describe('what is open already', () => {
  const graph = () => ({ numbers: new Float64Array(2), words: new Uint32Array(3), text: new Uint8Array(4) })
  const problem = () => ({ ids: [] }) as unknown as Problem
  const model = { notes: [] } as unknown as GraphModel
  const npu = { capacity: 0, reserved: 0, alignment: 64, alignBy: 'offset', bank: 0, mayCross: true } as const
  /** Answers the last request; what the client makes of it. */
  async function answered<T>(wire: Wire | undefined, asked: Promise<T>, ok = true): Promise<T> {
    const request = wire?.asked.at(-1)
    if (!wire || !request || !('id' in request)) throw new Error('not asked')
    const { id, type } = request
    const bad = { ok: false as const, errors: [], total: 1 }
    if (type === 'open')
      wire.reply({ type: 'opened', id, result: ok ? { ok, problem: problem(), suggestedCapacity: 7 } : bad })
    else if (type === 'openGraph')
      wire.reply({ type: 'graph', id, result: ok ? { ok, problem: problem(), model } : bad })
    else {
      const of = wire.asked[0]?.type === 'openGraph' ? model : null
      wire.reply({ type: 'reopened', id, result: ok ? { ok, problem: problem(), model: of } : bad })
    }
    return asked
  }
  const typesOf = (wire: Wire | undefined) => wire?.asked.map(({ type }) => type) ?? []

  test('is lowered and placed again without being sent', async () => {
    const { client, wires } = wired()
    const mine = graph()
    const first = client.openGraph(mine, {})
    await answered(wires[0], first)
    expect(await answered(wires[0], client.openGraph(mine, { order: 'greedy' }, npu))).toMatchObject({
      ok: true,
      model,
    })
    expect(wires[0]?.asked.at(-1)).toEqual({ type: 'reopen', id: 2, options: { order: 'greedy' }, profile: npu })
    // refused: it is still there, and so is what is asked for next
    await answered(wires[0], client.openGraph(mine, { order: 'file' }), false)
    await answered(wires[0], client.openGraph(mine, {}))
    expect(typesOf(wires[0])).toEqual(['openGraph', 'reopen', 'reopen', 'reopen'])
    // the page has its own arrays still, for the next worker
    wires[0]?.onerror?.({ message: '' } as ErrorEvent)
    const next = client.openGraph(mine, { inplace: 'true' })
    expect(wires[1]?.asked).toMatchObject([
      { type: 'openGraph', graph: mine, options: {} },
      { type: 'openGraph', graph: mine, options: { inplace: 'true' } },
    ])
    await answered(wires[1], next)
  })

  test('crosses with arrays of its own, which are handed over', () => {
    const request = { type: 'openGraph', id: 1, graph: graph(), options: {}, profile: null } as const
    expect(handedOver(request)).toEqual([
      request.graph.numbers.buffer,
      request.graph.words.buffer,
      request.graph.text.buffer,
    ])
    const { client, wires } = wired()
    const mine = graph()
    void client.openGraph(mine, {}).catch(() => undefined)
    const [sent] = wires[0]?.asked ?? []
    if (sent?.type !== 'openGraph' || typeof sent.graph === 'string') throw new Error('not sent')
    expect(sent.graph).toEqual(mine)
    expect(sent.graph.words.buffer).not.toBe(mine.words.buffer)
    client.dispose()
  })

  test('of buffers is their very text, with what it suggests', async () => {
    const { client, wires } = wired()
    const first = client.open('a problem')
    await answered(wires[0], first)
    expect(await answered(wires[0], client.open('a problem', npu))).toMatchObject({ ok: true, suggestedCapacity: 7 })
    const other = client.open('another one')
    expect(typesOf(wires[0])).toEqual(['open', 'reopen', 'open'])
    await answered(wires[0], other)
    await answered(wires[0], client.open('a problem'))
    expect(typesOf(wires[0])).toEqual(['open', 'reopen', 'open', 'open'])
  })

  test('is sent again while another one is on its way, and after it could not be taken', async () => {
    const { client, wires } = wired()
    const mine = graph()
    const first = client.openGraph(mine, {})
    await answered(wires[0], first)
    const other = client.open('another one')
    const back = client.openGraph(mine, {})
    expect(typesOf(wires[0])).toEqual(['openGraph', 'open', 'openGraph'])
    wires[0]?.reply({ type: 'opened', id: 2, result: { ok: false, errors: [], total: 1 } })
    await other
    await answered(wires[0], back)
    const failed = client.openGraph(mine, { order: 'no-such' })
    wires[0]?.reply({ type: 'error', id: 4, reason: 'argument', message: 'no such order' })
    await expect(failed).rejects.toThrow('no such order')
    await answered(wires[0], client.openGraph(mine, {}))
    expect(typesOf(wires[0]).slice(3)).toEqual(['reopen', 'openGraph'])
  })
})

test('only the first worker begins with the lean module', async () => {
  const { client, wires } = wired()
  client.beginLean()
  const asked = client.digestAt(1)
  expect(wires[0]!.asked.map(({ type }) => type)).toEqual(['lean', 'digest'])
  wires[0]!.onerror?.({ message: '' } as ErrorEvent)
  await expect(asked).rejects.toThrow('could not be started')
  const again = client.digestAt(1)
  client.beginLean()
  expect(wires[1]!.asked.map(({ type }) => type)).toEqual(['digest'])
  client.dispose()
  await expect(again).rejects.toThrow('closed')
})

test('no worker is started before the first request', () => {
  const { client, wires } = wired()
  client.cancel()
  client.dispose()
  expect(wires).toHaveLength(0)
})

test('every array of a frame and of an ending is handed over, not copied', () => {
  const frame: SentFrame = {
    step: 1,
    depth: 1,
    offset: new Float64Array(2),
    minOffset: new Float64Array(2),
    level: new Int32Array(2),
    stack: new Uint32Array(1),
    tried: null,
    candidates: null,
    phases: new Uint32Array(2),
    events: [],
    undone: [],
    bounds: null,
  }
  expect(transferables({ type: 'frame', id: 1, frame })).toHaveLength(5)
  const words = () => new Uint32Array(1)
  const overview = {
    width: 1,
    count: 1,
    minDepth: words(),
    maxDepth: words(),
    lastDepth: words(),
    maxUndone: words(),
    placed: words(),
    backtracks: words(),
    major: words(),
    rules: [words(), words()],
    marks: [],
  }
  const stats = { outcome: 'feasible' } as RunStats
  const best = new Float64Array(2)
  const ended: Reply = { type: 'ended', id: 1, result: { stats, overview, best, conflict: [] } }
  expect(new Set(transferables(ended)).size).toBe(10)
  const copy = structuredClone(ended, { transfer: transferables(ended) })
  expect(best.buffer.byteLength).toBe(0)
  expect(copy.type === 'ended' && copy.result.best).toHaveLength(2)
  const incumbent = new Float64Array(2)
  expect(transferables({ type: 'progress', id: 1, progress: { stats, overview, frame, incumbent } })).toHaveLength(15)
})

test('an explanation has a progress of its own', async () => {
  const { client, wires } = wired()
  const seen: unknown[] = []
  const ran = client.run({ solver: 's', capacity: 1, seed: 0, budget: 0, options: {} }, (p) => seen.push(p))
  const asked = client.explain({ capacity: 5, seed: 1, budget: 9 }, (p) => seen.push(p))
  const [wire] = wires
  if (!wire) throw new Error('not started')
  expect(wire.asked[1]).toEqual({ type: 'explain', id: 2, capacity: 5, seed: 1, budget: 9 })
  const progress = { steps: 3, count: 2, tried: 1 }
  wire.reply({ type: 'explaining', id: 2, progress })
  expect(seen).toEqual([progress])
  const explanation: Explanation = {
    outcome: 'infeasible',
    buffers: [4],
    tried: 1,
    irreducible: true,
    section: -1,
    steps: 9,
  }
  wire.reply({ type: 'explained', id: 2, explanation })
  expect(await asked).toEqual(explanation)
  client.dispose()
  await expect(ran).rejects.toThrow('closed')
})

describe('a worker that is lost in silence', () => {
  const config = { solver: 's', capacity: 1, seed: 0, budget: 50, options: {} }
  const ignore = () => undefined
  const stats = (steps: number) => ({ outcome: 'cancelled', steps }) as RunStats

  /** A client whose worker is ready and has a problem. */
  async function ready() {
    const made = wired()
    const opened = made.client.open('a problem')
    const [wire] = made.wires
    if (!wire) throw new Error('not started')
    wire.reply({ type: 'ready', protocol: PROTOCOL })
    const problem = { ids: [] } as unknown as Problem
    wire.reply({ type: 'opened', id: 1, result: { ok: true, problem, suggestedCapacity: null } })
    await opened
    return { ...made, wire }
  }
  const typesOf = (wire: Wire | undefined) => wire?.asked.map(({ type }) => type)

  afterEach(() => {
    vi.useRealTimers()
  })

  test('is replaced when it leaves a cancel unread, and the next has the problem and the run', async () => {
    vi.useFakeTimers()
    const { client, wires, wire } = await ready()
    const ran = client.run(config, ignore)
    client.cancel()
    client.cancel()
    expect(typesOf(wire)).toEqual(['open', 'run', 'cancel', 'ping', 'cancel'])
    vi.advanceTimersByTime(PATIENCE - 1)
    expect(wire.terminated).toBe(false)
    vi.advanceTimersByTime(1)
    expect(wire.terminated).toBe(true)
    await expect(ran).rejects.toMatchObject({ reason: 'silent', message: expect.stringContaining('2 seconds') })
    const again = client.run(config, ignore)
    expect(wires[1]?.asked).toMatchObject([{ type: 'open', csv: 'a problem' }, { type: 'run' }])
    client.dispose()
    await expect(again).rejects.toThrow('closed')
  })

  test('is left alone while it reads its messages, however long it takes to end', async () => {
    vi.useFakeTimers()
    const { client, wire } = await ready()
    const ran = client.run(config, ignore)
    client.cancel()
    wire.reply({ type: 'pong', id: wire.lastOf('ping') })
    await vi.advanceTimersByTimeAsync(10 * PATIENCE)
    expect(wire.terminated).toBe(false)
    client.cancel()
    const lost = expect(ran).rejects.toMatchObject({ reason: 'silent' })
    await vi.advanceTimersByTimeAsync(2 * PATIENCE)
    expect(wire.terminated).toBe(true)
    await lost
  })

  test('is not suspected before it has started, nor when nothing is under way', async () => {
    vi.useFakeTimers()
    const { client, wires } = wired()
    const asked = client.run(config, ignore)
    client.cancel()
    await vi.advanceTimersByTimeAsync(10 * PATIENCE)
    expect(wires[0]?.terminated).toBe(false)
    client.dispose()
    await expect(asked).rejects.toThrow('closed')
    const idle = await ready()
    idle.client.cancel()
    await vi.advanceTimersByTimeAsync(10 * PATIENCE)
    expect(idle.wire.terminated).toBe(false)
  })

  test('is replaced when it leaves the end of a long reading unread', async () => {
    vi.useFakeTimers()
    const { client, wire } = await ready()
    const reading = client.open(new Blob(['another']))
    client.leaveOpen()
    const lost = expect(reading).rejects.toMatchObject({ reason: 'silent' })
    await vi.advanceTimersByTimeAsync(PATIENCE)
    expect(wire.terminated).toBe(true)
    await lost
  })

  test('is told of at once where the host knows that it has ended', async () => {
    const { client, wires, wire } = await ready()
    const ran = client.run(config, ignore)
    wire.onclose?.()
    await expect(ran).rejects.toMatchObject({ reason: 'silent', message: 'Its worker ended without a word.' })
    // what is asked the moment it is known goes to the next one
    const asked = client.exportCsv(null)
    expect(typesOf(wires[1])).toEqual(['open', 'export'])
    wire.onclose?.()
    wires[1]?.reply({ type: 'exported', id: wires[1].lastOf('export'), csv: 'kept' })
    expect(await asked).toBe('kept')
  })

  test('takes its search with it: what asks about that is told so, and going on begins again', async () => {
    const { client, wires, wire } = await ready()
    const ran = client.run(config, ignore)
    const result = { stats: stats(7), best: null, conflict: [] } as unknown as RunResult
    wire.reply({ type: 'ended', id: wire.lastOf('run'), result })
    await ran
    wire.onclose?.()
    for (const asked of [
      client.seek(3, 0, 0),
      client.find(0, true, 'place'),
      client.digestAt(2),
      client.path(1, 1, 1, 1),
    ])
      await expect(asked).rejects.toMatchObject({
        reason: 'silent',
        message: expect.stringContaining('ended without a word'),
      })
    expect(wires).toHaveLength(1)
    const further = client.resume(90, ignore)
    expect(wires[1]?.asked).toMatchObject([{ type: 'open' }, { type: 'run', config: { ...config, budget: 90 } }])
    wires[1]?.reply({ type: 'ended', id: wires[1].lastOf('run'), result })
    await further
    const sought = client.seek(3, 0, 0)
    expect(typesOf(wires[1])).toEqual(['open', 'run', 'seek'])
    client.dispose()
    await expect(sought).rejects.toThrow('closed')
  })
})
