import { afterEach, describe, expect, test } from 'vitest'
import type { Client, Condition, Explanation, Progress, RunResult } from '../../wasm/client/types'
import { config, FIVE, nodeClient, rulesOff } from './support'

const ignore = () => undefined
const clients: Client[] = []
afterEach(() => {
  for (const client of clients.splice(0)) client.dispose()
})

async function make(...setups: Parameters<typeof nodeClient>): Promise<{ client: Client; workers: () => number }> {
  const made = await nodeClient(...setups)
  clients.push(made.client)
  return made
}

/** More than any test of a search under way looks at. */
const SOME_STEPS = 10

/**
 * A search under way, some steps into it, that would take far longer than any test: the rules are off, and the capacity is one too
 * small. In an object, for a promise returned by an async function would be awaited.
 */
async function endless(
  client: Client,
  progress: (p: Progress) => void = ignore,
): Promise<{ ended: Promise<RunResult> }> {
  const manifest = await client.manifest()
  const { csv, capacity } = await client.generate('synthetic', 40, 3)
  await client.open(csv)
  let ended: Promise<RunResult> | undefined
  await new Promise<void>((resolve, reject) => {
    ended = client.run(config('minimalloc', capacity - 1, rulesOff(manifest)), (p) => {
      progress(p)
      if (p.stats.steps >= SOME_STEPS) resolve()
    })
    ended.then(() => reject(new Error('the search was meant to be long')), reject)
  })
  if (!ended) throw new Error('not started')
  return { ended }
}

function until<T>(condition: () => T | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const start = performance.now()
    const look = () => {
      const value = condition()
      if (value !== undefined) resolve(value)
      else if (performance.now() - start > 20_000) reject(new Error('waited 20 s'))
      else setTimeout(look, 5)
    }
    look()
  })
}

describe('client over a worker', () => {
  test('opens, runs and exports', async () => {
    const { client, workers } = await make()
    const opened = await client.open(FIVE)
    expect(opened).toMatchObject({ ok: true, problem: { count: 5, lowerBound: 12 }, suggestedCapacity: null })
    const { stats, best, overview } = await client.run(config('minimalloc', 12), ignore)
    expect(stats).toMatchObject({ outcome: 'optimal', height: 12 })
    expect(overview.count * overview.width).toBeGreaterThanOrEqual(stats.steps)
    expect(await client.digestAt(stats.steps)).toBe(stats.digest)
    const plan = new Float64Array(best ?? [])
    const exported = await client.exportCsv(plan)
    expect(String(exported).split('\n')[1]).toMatch(new RegExp(`,${best?.[0]}\\r?$`))
    expect(plan.length).toBe(0)
    expect(workers()).toBe(1)
  })

  test('a bad CSV changes nothing, not even a run under way', async () => {
    const { client } = await make()
    const { ended } = await endless(client)
    expect(await client.open('id,lower,upper,size\na,1,1,1\n')).toMatchObject({ ok: false, total: 1 })
    client.cancel()
    expect((await ended).stats.outcome).toBe('cancelled')
    expect((await client.seek(1, 0, 0))?.step).toBe(1)
  })

  test('a good one ends the run under way first', async () => {
    const { client } = await make()
    const { ended } = await endless(client)
    const order: string[] = []
    await Promise.all([
      ended.then(({ stats }) => order.push(stats.outcome)),
      client.open(FIVE).then((result) => order.push(`opened ${result.ok}`)),
    ])
    expect(order).toEqual(['cancelled', 'opened true'])
    await expect(client.seek(0, 0, 0)).rejects.toThrow('There is no run yet.')
  })

  test('reports progress about ten times a second while it runs', async () => {
    const { client } = await make()
    const reports: Progress[] = []
    const start = performance.now()
    const { ended } = await endless(client, (p) => reports.push(p))
    await until(() => (reports.length >= 5 ? true : undefined))
    const elapsed = performance.now() - start
    client.cancel()
    const { stats } = await ended
    const whole = performance.now() - start
    expect(elapsed).toBeGreaterThan(400)
    const steps = reports.map((p) => p.stats.steps)
    expect(steps).toEqual([...steps].sort((a, b) => a - b))
    expect(new Set(steps).size).toBe(steps.length)
    for (const { stats: now, overview, frame } of reports) {
      expect(now.outcome).toBe('running')
      expect(frame?.step).toBe(now.steps)
      expect(frame?.offset.filter((offset) => offset >= 0)).toHaveLength(frame?.depth ?? -1)
      expect(overview.count * overview.width).toBeGreaterThanOrEqual(now.steps)
    }
    expect(stats.seconds).toBeGreaterThan(0.1)
    expect(stats.seconds).toBeLessThan(whole / 1000)
  })

  test('cancels at once and resumes to the same search', async () => {
    const { client } = await make()
    const first: Progress[] = []
    const { ended } = await endless(client, (p) => first.push(p))
    await until(() => first[0])
    const before = first.length
    client.cancel()
    const { stats } = await ended
    // reports come ten times a second
    expect(first.length - before).toBeLessThan(5)
    expect(stats.outcome).toBe('cancelled')
    const budget = stats.steps + 10_000
    const further = await client.resume(budget, ignore)
    expect(further.stats).toMatchObject({ outcome: 'budget-spent', steps: budget })
    expect(await client.digestAt(stats.steps)).toBe(stats.digest)
    const whole = await client.resume(budget, ignore)
    expect(whole.stats.digest).toBe(further.stats.digest)
  })

  test('a new run takes the place of the one under way', async () => {
    const { client } = await make()
    const { ended } = await endless(client)
    const next = client.run({ ...config('greedy', 2 ** 40) }, ignore)
    expect((await ended).stats.outcome).toBe('cancelled')
    expect(['feasible', 'optimal']).toContain((await next).stats.outcome)
  })

  test('of a burst of seeks only the newest is done', async () => {
    const { client } = await make()
    const { ended } = await endless(client)
    const frames = await Promise.all([client.seek(1, 0, 0), client.seek(2, 0, 0), client.seek(3, 1, 0)])
    expect(frames.map((frame) => frame?.step)).toEqual([undefined, undefined, 3])
    expect(frames[2]?.events[0]?.step).toBe(3)
    client.cancel()
    await ended
  })

  test('finds while the run goes on, and gives way to newer requests', async () => {
    const { client } = await make()
    const { ended } = await endless(client)
    // none, as long as the run has taken no step
    await expect.poll(() => client.find(0, true, 'place'), { timeout: 20_000 }).toBeGreaterThan(0)
    const place = await client.find(0, true, 'place')
    const frame = await client.seek(place, 1, 0)
    expect(frame?.events.map((event) => event.kind)).toContain('place')
    const [old, , backtrack] = await Promise.all([
      client.find(0, true, 'restart'),
      client.seek(1, 0, 0),
      client.find(0, true, 'backtrack'),
    ])
    expect(old).toBe(0)
    expect(backtrack).toBeGreaterThan(place)
    client.cancel()
    await ended
  })

  test('scans for a condition under seeks, within a budget, until it is given up', async () => {
    const { client } = await make()
    await client.open(FIVE)
    await client.run(config('minimalloc', 12), ignore)
    const steps: number[] = []
    for (let from = 0; ; ) {
      const sought = await client.scan(from, true, [{ kinds: ['place'], buffer: 3 }], 1)
      if (sought === null) throw new Error('nobody gave it up')
      if (sought.over) break
      if (sought.step > 0) steps.push(sought.step)
      expect(sought.stopped).toBeGreaterThan(from)
      from = sought.stopped
    }
    const frame = await client.seek(1000, 1000, 0)
    const places = frame?.events.filter((event) => event.kind === 'place')
    const placed = places?.filter(({ buffer }) => buffer === 3).map(({ step }) => step)
    expect(placed?.length).toBeGreaterThan(0)
    expect(steps).toEqual(placed)
    await expect(client.scan(0, true, [{ rule: 99 }], 0)).rejects.toMatchObject({ reason: 'argument' })
    await expect(client.scan(0, true, [{ buffer: -2 }], 0)).rejects.toMatchObject({ reason: 'argument' })

    const { ended } = await endless(client)
    const never: Condition = { kinds: ['new-slot'] }
    const [kept] = await Promise.all([client.scan(0, true, [{ kinds: ['place'] }], 0), client.seek(1, 0, 0)])
    expect(kept?.step).toBeGreaterThan(0)
    const [overtaken] = await Promise.all([client.scan(0, true, [never], 0), client.find(0, true, 'place')])
    expect(overtaken).toBeNull()
    const cancelled = client.scan(0, true, [never], 0)
    client.cancel()
    expect(await cancelled).toBeNull()
    await ended
  })

  test('looks back along the path while the run goes on; the newest question wins', async () => {
    const { client } = await make()
    const { ended } = await endless(client)
    const step = await client.find(50, true, 'place')
    const [old, path] = await Promise.all([client.path(step, 4, 4, 1), client.path(step, 8, 8, 1_000_000)])
    expect(old).toBeNull()
    expect(path).toMatchObject({ step, whole: true })
    expect(path?.nodes.at(-1)).toMatchObject({ step, attempts: [], more: 0, whole: true })
    expect(path?.nodes).toHaveLength((path?.depth ?? 0) - (path?.top ?? 0) + 1)
    client.cancel()
    await ended
  })

  test('says what is wrong with a request and stays usable', async () => {
    const { client, workers } = await make()
    await expect(client.run(config('minimalloc', 1), ignore)).rejects.toMatchObject({ reason: 'argument' })
    await client.open(FIVE)
    await expect(client.run(config('nobody', 1), ignore)).rejects.toMatchObject({ reason: 'argument' })
    await expect(client.seek(1, 0, 0)).rejects.toMatchObject({ reason: 'argument' })
    await expect(client.generate('nothing', 5, 1)).rejects.toMatchObject({ reason: 'argument' })
    expect((await client.run(config('minimalloc', 12), ignore)).stats.outcome).toBe('optimal')
    await expect(client.seek(-1, 0, 0)).rejects.toMatchObject({ reason: 'argument' })
    expect(workers()).toBe(1)
  })
})

describe('explaining over a worker', () => {
  const ask = (capacity: number) => ({ capacity, seed: 0, budget: 0 })

  test('names buffers that do not fit, and leaves the run as it is', async () => {
    const { client, workers } = await make()
    await client.open(FIVE)
    const said = await client.explain(ask(11), ignore)
    expect(said).toMatchObject({ outcome: 'infeasible', irreducible: true, tried: 3, buffers: { length: 3 } })
    const { stats } = await client.run(config('minimalloc', 12), ignore)
    const frame = await client.seek(3, 1, 1)
    expect(await client.explain(ask(12), ignore)).toMatchObject({ outcome: 'feasible', buffers: [] })
    expect(await client.seek(3, 1, 1)).toEqual(frame)
    expect(await client.digestAt(stats.steps)).toBe(stats.digest)
    expect(workers()).toBe(1)
  })

  test('goes on beside a run, which can be looked at meanwhile', async () => {
    const { client } = await make()
    const steps: number[] = []
    const { ended } = await endless(client, (p) => steps.push(p.stats.steps))
    const [said, frame] = await Promise.all([client.explain(ask(2 ** 40), ignore), client.seek(2, 0, 0)])
    expect([said.outcome, frame?.step]).toEqual(['feasible', 2])
    const seen = steps.length
    await until(() => (steps.length > seen ? true : undefined))
    expect(await client.explain(ask(1), ignore)).toMatchObject({ outcome: 'infeasible', buffers: { length: 1 } })
    client.cancel()
    expect((await ended).stats.outcome).toBe('cancelled')
  })

  test('is cancelled with the run, and by what is newer', async () => {
    const { client } = await make()
    // what is asked while the worker is busy waits there together, so that nothing is done before all has come
    const busy = () => client.generate('random', 50_000, 1)
    const { ended } = await endless(client)
    const outcomes = async (...explanations: Promise<Explanation>[]) =>
      (await Promise.all(explanations)).map(({ outcome }) => outcome)
    let made = busy()
    const beside = client.explain(ask(2 ** 40), ignore)
    client.cancel()
    expect([(await ended).stats.outcome, (await beside).outcome]).toEqual(['cancelled', 'cancelled'])
    await made
    made = busy()
    const pair = [client.explain(ask(2 ** 40), ignore), client.explain(ask(2 ** 40), ignore)]
    // of the module at hand: while another is fetched, an explanation may come to its end
    const { stats } = await client.run(config('minimalloc', 2 ** 40), ignore)
    expect(stats.outcome).toMatch(/^(feasible|optimal)$/)
    expect(await outcomes(...pair)).toEqual(['cancelled', 'cancelled'])
    await made
    made = busy()
    const last = client.explain(ask(2 ** 40), ignore)
    expect(await client.open(FIVE)).toMatchObject({ ok: true })
    expect(await last).toMatchObject({ outcome: 'cancelled', buffers: [] })
    await made
    await expect(client.explain(ask(-1), ignore)).rejects.toMatchObject({ reason: 'argument' })
  })
})

/** What becomes of work that is done again and again. */
async function untilLost(work: () => Promise<unknown>): Promise<unknown> {
  for (;;) {
    const error: unknown = await work().then(
      () => null,
      (why: unknown) => why,
    )
    if (error !== null) return error
  }
}

describe('replacing a worker', () => {
  const trap = { trap: 'glue_step', trapAfter: 3 } as const
  const well = { trap: '', trapAfter: 0 } as const

  test('one that traps is thrown away, and the next call works on the same problem', async () => {
    const { client, workers } = await make(trap, well)
    await client.open(FIVE)
    const untilItTraps = async () => {
      for (;;) await client.run(config('minimalloc', 12), ignore)
    }
    await expect(untilItTraps()).rejects.toMatchObject({
      name: 'ClientError',
      reason: 'trap',
      message: expect.stringContaining('unreachable'),
    })
    expect(workers()).toBe(1)
    const { stats } = await client.run(config('minimalloc', 12), ignore)
    expect(stats.outcome).toBe('optimal')
    expect(workers()).toBe(2)
  })

  test('the next worker has the problem in the same profile', async () => {
    const { client } = await make({ trap: 'glue_generate', trapAfter: 0 }, well)
    await client.open(FIVE, { capacity: 64, reserved: 0, alignment: 8, alignBy: 'size', bank: 0, mayCross: true })
    await expect(client.generate('random', 5, 1)).rejects.toMatchObject({ reason: 'trap' })
    const { stats } = await client.run(config('exact', 64), ignore)
    expect(stats.height).toBe(24)
  })

  test('all that was waiting is rejected', async () => {
    const { client } = await make({ trap: 'glue_generate', trapAfter: 0 }, well)
    await client.open(FIVE)
    const waiting = [client.generate('random', 5, 1), client.manifest(), client.exportCsv(null)]
    const settled = await Promise.allSettled(waiting)
    expect(settled.map((s) => s.status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect((await client.manifest()).solvers.length).toBeGreaterThan(0)
    expect((await client.generate('random', 5, 1)).csv).toContain('lower')
  })

  test('a module that cannot start says so', async () => {
    const { client } = await make({ trap: 'glue_session_new', trapAfter: 0 }, well)
    await expect(client.manifest()).rejects.toMatchObject({ name: 'ClientError', reason: 'trap' })
    expect((await client.manifest()).version).toMatch(/^\d/)
  })

  test('one that ends without a word is replaced at once, one that hangs when it is asked to stop', async () => {
    for (const instead of ['ends', 'hangs'] as const) {
      const { client, workers } = await make({ ...trap, instead }, well)
      await client.open(FIVE)
      const lost = untilLost(() => client.run(config('minimalloc', 12), ignore))
      // again, where it came before the worker hung: that run was well and ended; later than a worker is given up
      const stop = instead === 'hangs' ? setInterval(() => client.cancel(), 2500) : undefined
      expect(await lost).toMatchObject({ name: 'ClientError', reason: 'silent' })
      clearInterval(stop)
      await expect(client.seek(1, 0, 0)).rejects.toMatchObject({ reason: 'silent' })
      expect((await client.run(config('minimalloc', 12), ignore)).stats.outcome).toBe('optimal')
      expect((await client.seek(1, 0, 0))?.step).toBe(1)
      expect(workers()).toBe(2)
    }
  })

  test('after dispose nothing is answered', async () => {
    const { client } = await make()
    const waiting = client.manifest()
    client.dispose()
    await expect(waiting).rejects.toMatchObject({ reason: 'protocol' })
    await expect(client.open(FIVE)).rejects.toMatchObject({ reason: 'protocol' })
  })
})
