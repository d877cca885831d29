import { expect, test } from 'vitest'
import { createClient, type WorkerLike } from './client'
import { PROTOCOL, type Reply, type Request, transferables } from './protocol'
import type { Explanation, Frame, RunStats } from './types'

/** The other end of the client: what was asked, and replies at will. */
class Wire implements WorkerLike {
  onmessage: WorkerLike['onmessage'] = null
  onerror: WorkerLike['onerror'] = null
  onmessageerror: WorkerLike['onmessageerror'] = null
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
  const frame: Frame = {
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
    backtracks: words(),
    major: words(),
    rules: [words(), words()],
    marks: [],
  }
  const stats = { outcome: 'feasible' } as RunStats
  const best = new Float64Array(2)
  const ended: Reply = { type: 'ended', id: 1, result: { stats, overview, best, conflict: [] } }
  expect(new Set(transferables(ended)).size).toBe(9)
  const copy = structuredClone(ended, { transfer: transferables(ended) })
  expect(best.buffer.byteLength).toBe(0)
  expect(copy.type === 'ended' && copy.result.best).toHaveLength(2)
  const incumbent = new Float64Array(2)
  expect(transferables({ type: 'progress', id: 1, progress: { stats, overview, frame, incumbent } })).toHaveLength(14)
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
