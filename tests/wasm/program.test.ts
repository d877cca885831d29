/** COSMA's integer linear program as the module writes it, and what a run for the least traffic shows. */
import { afterEach, describe, expect, test } from 'vitest'
import type { Client, RunConfig } from '../../wasm/client/types'
import { graphOf, readMaterial } from '../../web/src/run/lesson/lessons'
import { movedBy } from '../../web/src/state/model/schemes'
import { TWO_BRANCHES } from '../two_branches'
import { config, FIVE, makeCore, nodeClient } from './support'

const PLENTY = 1_000_000
const least = (capacity: number, options: Record<string, string> = {}, solver = 'cosma'): RunConfig => ({
  solver,
  goal: 'traffic',
  capacity,
  seed: 1,
  budget: 0,
  options,
})

let client: Client | null = null
async function make(): Promise<Client> {
  client = (await nodeClient()).client
  return client
}
afterEach(() => {
  client?.dispose()
  client = null
})

describe('the program', () => {
  test('is written by the module that has the solvers of graphs, whole or not at all', async () => {
    const one = await make()
    await one.openGraph(TWO_BRANCHES, {})
    await expect(one.program(15, 'addresses', PLENTY)).rejects.toMatchObject({ reason: 'argument' })
    await one.run(least(15), () => {})
    const text = await one.program(15, 'addresses', PLENTY)
    expect(text).toMatch(/^minimize\n[\s\S]*\nsubject to\n[\s\S]*\nend\n$/)
    const bytes = text?.length ?? 0
    expect(await one.program(15, 'addresses', bytes)).toBe(text)
    expect(await one.program(15, 'addresses', bytes - 1)).toBeNull()
    expect((await one.program(15, 'capacity', PLENTY))?.length).toBeLessThan(bytes)
    expect(await one.program(15, 'gaps', PLENTY)).toMatch(/ y_\d+_\d+/)
  })

  test('is refused by name where it has no words for the lowering', async () => {
    const core = await makeCore()
    expect(() => core.program(10, 'addresses', PLENTY)).toThrow()
    const graph =
      'tensor,x,4,input\ntensor,a,4\ntensor,b,4\ntensor,y,4,output\nop,f,X,x,a\nop,g,Relu,a,b,b=a\nop,h,X,b,y\n'
    core.openGraph(graph, { inplace: 'true' })
    expect(() => core.program(10, 'addresses', PLENTY)).toThrow(/^inplace the program knows no tensor/)
    core.openGraph(graph, {})
    expect(core.program(10, 'addresses', PLENTY)).toContain('subject to')
  })
})

describe('the program of a packing', () => {
  test('is written by any module, of what is open, whole or not at all', async () => {
    const one = await make()
    await one.open(FIVE)
    await one.run(config('minimalloc', 12), () => {})
    const text = await one.packing(12, PLENTY)
    // a row for each of the five, and of figure 5 three for each of the six pairs alive together
    expect(text?.split('\n').filter((line) => line.includes('=') && !line.startsWith(' 0 <=')).length).toBe(5 + 3 * 6)
    expect(await one.packing(12, (text?.length ?? 0) - 1)).toBeNull()
    await one.open('id,lower,upper,size,gaps\na,0,9,4,3-6@2:4\nb,3,6,2,\n')
    await expect(one.packing(12, PLENTY)).rejects.toMatchObject({ reason: 'argument' })
  })
})

describe('a run for the least traffic', () => {
  test('has no bound of heights where it shows its plan', async () => {
    const one = await make()
    await one.openGraph(TWO_BRANCHES, {})
    const { stats } = await one.run(least(15), () => {})
    expect(stats).toMatchObject({ cost: 14, lowerBound: 14 })
    const frame = await one.seek(stats.steps, 1, 0)
    // what is alive in its order at once, and not the bytes that move
    expect(frame?.situation?.problem.lowerBound).toBe(15)
  })

  test('and what it is compared with move what their plans say', async () => {
    const one = await make()
    const network = { network: 'nasnet_a_mobile', parameters: { weights: 'false' }, lowering: {} }
    const { model, problem } = await readMaterial(one, await graphOf(network), { problem: network, capacity: 0 })
    const found: Record<string, unknown> = {}
    const schemes: [string, Record<string, string>][] = [
      ['cosma', {}],
      ['cosma', { schedule: 'file' }],
      ['replacement', { schedule: 'least-peak', replacement: 'belady' }],
      ['replacement', { schedule: 'file', replacement: 'greedy' }],
    ]
    for (const [solver, options] of schemes) {
      const { stats, plan } = await one.run(least(544_800, options, solver), () => {})
      if (plan == null || model === undefined) throw new Error('no plan')
      const moved = movedBy(plan, model, problem)
      expect(moved.spilled + moved.fetched).toBe(stats.cost)
      expect(moved.footprint).toBeLessThanOrEqual(544_800)
      found[[solver, ...Object.values(options)].join(' ')] = moved
    }
    // as the command says of the same
    expect(found).toMatchObject({
      cosma: { spilled: 187_275, fetched: 187_275, footprint: 544_800 },
      'cosma file': { spilled: 1_288_715, fetched: 1_288_715, footprint: 544_800 },
      'replacement least-peak belady': { footprint: 544_800 },
    })
  })
})
