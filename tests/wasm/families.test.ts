/** The modules by family take the steps of the whole one, and a visit goes from one to the other with its problem. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { Client } from '../../wasm/client/types'
import { builtFamilies, config, makeCore, makeCoreOf, type ModuleName, nodeClient, ROOT } from './support'

const BUDGET = 5000
const CAPACITY = 1 << 20
const families = builtFamilies()
const own = Object.entries(families).filter(([name]) => name !== 'core') as [ModuleName, string[]][]
const whole = await makeCore()
const { csv, capacity } = whole.generate('network', 60, 7)
const ignore = () => undefined

const clients: Client[] = []
afterEach(() => {
  for (const client of clients.splice(0)) client.dispose()
})

async function visit(): Promise<Client> {
  const { client } = await nodeClient()
  clients.push(client)
  return client
}

describe('the modules by family', () => {
  test('have each solver of buffers once, in families of their own; the whole has all', () => {
    const all = whole.manifest.solvers.map(({ id }) => id)
    expect(families.core).toEqual(expect.arrayContaining(all))
    const buffers = whole.manifest.solvers.filter(({ domain }) => domain === 'buffers').map(({ id }) => id)
    expect(own.flatMap(([, solvers]) => solvers).sort()).toEqual(buffers.sort())
    expect(own.length).toBeGreaterThan(3)
  })

  test.each(own)('%s takes the steps of the whole', async (name, solvers) => {
    const core = await makeCoreOf(name)
    expect(core.manifest).toEqual(whole.manifest)
    expect(core.open(csv)).toEqual(whole.open(csv))
    for (const solver of solvers) {
      for (const one of [core, whole]) {
        one.start({ ...config(solver, capacity), budget: BUDGET })
        while (one.step(1001) === 'running');
      }
      const { seconds: _, ...stats } = core.stats()
      expect([solver, whole.stats()]).toEqual([solver, expect.objectContaining(stats)])
      expect(stats.steps).toBeGreaterThan(0)
      const step = Math.ceil(stats.steps / 2)
      expect([solver, core.seek(step, 3, 3)]).toEqual([solver, whole.seek(step, 3, 3)])
      expect(core.digestAt(step)).toBe(whole.digestAt(step))
    }
  })

  test('weigh less than the whole', () => {
    const bytes = (name: string) => readFileSync(join(ROOT, 'build/wasm', `${name}.wasm`)).length
    for (const [name] of own) expect(bytes(name), name).toBeLessThan(bytes('core'))
  })
})

describe('a visit', () => {
  test('runs solvers of every family on one problem, and opens another one in between', async () => {
    const client = await visit()
    const text = new Blob([csv])
    await client.open(text)
    for (const solver of ['exact', 'telamalloc', 'greedy', 'large', 'minimalloc', 'vela-hill-climb']) {
      const { stats, best } = await client.run({ ...config(solver, capacity), budget: BUDGET }, ignore)
      expect(await client.digestAt(stats.steps)).toBe(stats.digest)
      expect(best === null).toBe(stats.height < 0)
      const frame = await client.seek(3, 1, 1)
      expect([solver, frame?.step]).toEqual([solver, Math.min(3, stats.steps)])
      whole.open(csv)
      whole.start({ ...config(solver, capacity), budget: BUDGET })
      while (whole.step(1001) === 'running');
      expect([solver, stats.digest]).toEqual([solver, whole.stats().digest])
    }
    const first = readFileSync(join(ROOT, 'examples/aligned.csv'), 'utf8')
    const opened = await client.open(first)
    expect(opened.ok).toBe(true)
    const { stats } = await client.run(config('large', CAPACITY), ignore)
    expect(stats.height).toBeGreaterThan(0)
  })

  test('explains in any family, beside the run, which stays', async () => {
    const client = await visit()
    await client.open(csv)
    const { stats } = await client.run({ ...config('greedy', capacity), budget: BUDGET }, ignore)
    whole.open(csv)
    whole.startExplaining({ capacity: 100, seed: 0, budget: 0 })
    let expected = whole.explain(1000)
    while (!expected.ended) expected = whole.explain(1000)
    const said = await client.explain({ capacity: 100, seed: 0, budget: 0 }, ignore)
    expect(said).toEqual(expected.ended)
    expect(await client.digestAt(stats.steps)).toBe(stats.digest)
    expect((await client.explain({ capacity: 100, seed: 0, budget: 0 }, ignore)).buffers).toEqual(said.buffers)
    expect((await client.open('id,lower,upper,size\na,0,2,8\n')).ok).toBe(true)
    expect((await client.explain({ capacity: 4, seed: 0, budget: 0 }, ignore)).buffers).toEqual([0])
  })

  test('keeps its run where another family refuses the problem', async () => {
    const client = await visit()
    await client.open('id,lower,upper,size,gaps\na,0,9,4,3-5\nb,1,4,4,\n')
    const { stats } = await client.run(config('exact', 16), ignore)
    await expect(client.run(config('tflm', 16), ignore)).rejects.toMatchObject({ reason: 'argument' })
    expect(await client.digestAt(stats.steps)).toBe(stats.digest)
  })

  test('answers in order what is asked while a family is fetched', async () => {
    const client = await visit()
    await client.open(csv)
    const order: string[] = []
    const told = (name: string) => () => order.push(name)
    await Promise.all([
      client.run({ ...config('greedy', capacity), budget: BUDGET }, ignore).then(told('run')),
      client.exportCsv(null).then(told('export')),
      client.manifest().then(told('manifest')),
    ])
    expect(order).toEqual(['export', 'manifest', 'run'])
  })
})
