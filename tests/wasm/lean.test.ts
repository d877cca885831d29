/** The lean module shows the first example as the whole one does, and gives its place up without anyone noticing. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { decodeManifest } from '../../wasm/client/decode'
import { LEAN_SOLVER } from '../../wasm/client/visit'
import { withWords } from '../../wasm/client/words'
import type { Client, Condition, Progress, RunConfig } from '../../wasm/client/types'
import { findExample, FIRST } from '../../web/src/state/problem/examples'
import { builtManifest, config, FIVE, makeCore, makeCoreOf, nodeClient, ROOT, rulesOff } from './support'

const first = findExample(FIRST)!
const csv = readFileSync(join(ROOT, 'examples', FIRST), 'utf8')
const shown: RunConfig = config(first.solver, first.capacity, first.options)
const ignore = () => undefined

const clients: Client[] = []
afterEach(() => {
  for (const client of clients.splice(0)) client.dispose()
})

async function begin(missing = 0): Promise<{ client: Client; workers: () => number }> {
  const made = await nodeClient({ trap: '', trapAfter: 0, missing })
  clients.push(made.client)
  made.client.beginLean()
  return made
}

describe('the lean module', () => {
  test('has the manifest of the whole one', async () => {
    const [lean, whole] = [await makeCoreOf('lean'), await makeCore()]
    expect(builtManifest().length).toBeGreaterThan(10_000)
    expect(lean.manifest).toEqual(whole.manifest)
  })

  test('has it on the page once the words are there that the first view does not show', async () => {
    const whole = (await makeCore()).manifest
    const { manifest } = decodeManifest(builtManifest('first'))
    const codes = manifest.solvers.filter(({ pseudocode }) => pseudocode.length > 0)
    expect(codes.map(({ id }) => id)).toEqual([first.solver])
    expect(manifest).not.toEqual(whole)
    expect(withWords(manifest)).toEqual(whole)
  })

  test('shows every step of the first example as the whole one does', async () => {
    const [lean, whole] = [await makeCoreOf('lean'), await makeCore()]
    expect(shown.solver).toBe(LEAN_SOLVER)
    expect(lean.open(csv)).toEqual(whole.open(csv))
    for (const core of [lean, whole]) {
      core.start(shown)
      while (core.step(1000) === 'running');
    }
    const { seconds: _, ...stats } = lean.stats()
    expect(whole.stats()).toMatchObject(stats)
    expect(stats.steps).toBeGreaterThan(5)
    for (let step = 0; step <= stats.steps; step++) {
      expect(lean.seek(step, 3, 2)).toEqual(whole.seek(step, 3, 2))
      expect(lean.digestAt(step)).toBe(whole.digestAt(step))
    }
    const conditions: Condition[] = [{ kinds: ['reject'] }, { kinds: ['backtrack'] }, {}]
    for (const condition of conditions)
      expect(lean.find(0, true, [condition], 100)).toEqual(whole.find(0, true, [condition], 100))
  })

  test('has no other solver', async () => {
    const lean = await makeCoreOf('lean')
    lean.open(FIVE)
    expect(() => lean.start(config('exact', 12))).toThrow('there is no solver of that name')
  })
})

describe('a visit that begins with the lean module', () => {
  test('keeps its run when the whole one takes over', async () => {
    const { client, workers } = await begin()
    expect((await client.open(csv)).ok).toBe(true)
    const { stats } = await client.run(shown, ignore)
    const frame = await client.seek(6, 4, 4)
    await client.complete()
    expect(await client.seek(6, 4, 4)).toEqual(frame)
    expect(await client.digestAt(stats.steps)).toBe(stats.digest)
    const { csv: made } = await client.generate('synthetic', 10, 1)
    expect(made).toContain('lower')
    expect(await client.seek(6, 4, 4)).toEqual(frame)
    expect((await client.explain({ capacity: first.capacity - 1, seed: 1, budget: 0 }, ignore)).outcome).toBeTruthy()
    expect(workers()).toBe(1)
  })

  test('answers what the lean module cannot, in order, without being told to fetch the whole one', async () => {
    const { client } = await begin()
    const order: string[] = []
    const told = (name: string) => () => order.push(name)
    const all = [
      client.open(csv).then(told('open')),
      client.run(shown, ignore).then(told('run')),
      client.open(FIVE).then(told('another')),
      client.run(config('exact', 12), ignore).then(({ stats }) => order.push(stats.outcome)),
      client.exportCsv(null).then(told('export')),
      client.complete().then(told('complete')),
    ]
    await Promise.all(all)
    expect(order).toEqual(['open', 'run', 'another', 'export', 'complete', 'optimal'])
  })

  test('says what is missing, keeps what it has, and asks again', async () => {
    const { client, workers } = await begin(2)
    await client.open(csv)
    const { stats } = await client.run(shown, ignore)
    await expect(client.complete()).rejects.toMatchObject({ reason: 'protocol' })
    const message = expect.stringContaining('could not be fetched')
    const [lost, at] = [client.generate('synthetic', 10, 1), client.digestAt(stats.steps)]
    await expect(lost).rejects.toMatchObject({ reason: 'protocol', message })
    expect(await at).toBe(stats.digest)
    expect((await client.generate('synthetic', 10, 1)).capacity).toBeGreaterThan(0)
    expect(await client.digestAt(stats.steps)).toBe(stats.digest)
    expect(workers()).toBe(1)
  })

  test('goes on with a run under way in the whole module', async () => {
    const { client } = await begin()
    const manifest = await client.manifest()
    const { csv, capacity } = (await makeCore()).generate('synthetic', 40, 3)
    await client.open(csv)
    const seen: Progress[] = []
    const run = client.run(config(LEAN_SOLVER, capacity - 1, rulesOff(manifest)), (p) => seen.push(p))
    await expect.poll(() => seen.length, { timeout: 20_000 }).toBeGreaterThan(0)
    const before = seen.length
    await client.complete()
    await expect.poll(() => seen.length, { timeout: 20_000 }).toBeGreaterThan(before)
    client.cancel()
    const { stats } = await run
    expect(stats.outcome).toBe('cancelled')
    expect(stats.steps).toBeGreaterThan(seen[0]!.stats.steps)
    const further = stats.steps + 1000
    const resumed = await client.resume(further, ignore)
    expect(resumed.stats).toMatchObject({ outcome: 'budget-spent', steps: further })
  })

  test('begins with the whole module after a trap', async () => {
    const made = await nodeClient({ trap: 'glue_find', trapAfter: 0 }, { trap: '', trapAfter: 0 })
    clients.push(made.client)
    made.client.beginLean()
    await made.client.open(csv)
    await made.client.run(shown, ignore)
    await expect(made.client.find(0, true, 'event')).rejects.toMatchObject({ reason: 'trap' })
    const { stats } = await made.client.run(config('exact', first.capacity), ignore)
    expect(stats.steps).toBeGreaterThan(0)
    expect(made.workers()).toBe(2)
  })
})
