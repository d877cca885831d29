/** What the page gives away of a plan, replayed by the command: it reads the page's rows, and counts what the page counted. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { reorderedGraph, staysCsv } from '../../web/src/export/schedule'
import type { PackedGraph } from '../../wasm/client/types'
import { graphOf } from '../../web/src/run/lesson/lessons'
import { textOf } from '../../web/src/run/problem/given_text'
import { TWO_BRANCHES } from '../two_branches'
import { nodeClient } from '../wasm/support'
import { arenascope, folder } from './command'

const { client } = await nodeClient()
afterAll(() => client.dispose())

const network = { network: 'nasnet_a_mobile', parameters: { weights: 'false' }, lowering: {} }

/** The page's plan of a graph, as the file that it saves. */
async function saved(given: string | PackedGraph, capacity: number, solver: string) {
  const opened = await client.openGraph(given, {})
  if (!opened.ok) throw new Error('no model')
  const { problem, model } = opened
  const config = { solver, goal: 'traffic' as const, capacity, seed: 1, budget: 0, options: {} }
  const { stats, plan } = await client.run(config, () => {})
  if (plan == null) throw new Error('no plan')
  return { csv: [...staysCsv({ name: 'x', problem, model, plan, config, stats })].join(''), stats, plan }
}

const model = join(folder, 'taken.graph.csv')
const check = (plan: string, capacity: number) =>
  arenascope(['check', '-', `--problem=${model}`, `--capacity=${capacity}`, '--json'], plan)

describe('stays that the page wrote', () => {
  it.each([
    ['two branches', TWO_BRANCHES, 15, 'cosma'],
    ['NASNet-A Mobile', null, 544_800, 'cosma'],
    ['NASNet-A Mobile, Belady', null, 544_800, 'replacement'],
  ])('are replayed against the graph: %s', async (_, text, capacity, solver) => {
    const given = text ?? (await graphOf(network))
    const graph = await textOf(given)
    if (typeof graph !== 'string') throw new Error('too long')
    writeFileSync(model, graph)
    const { csv, stats, plan } = await saved(given, capacity, solver)
    const answer = check(csv, capacity)
    expect(answer, answer.err).toMatchObject({ code: 0 })
    expect(JSON.parse(answer.out)).toMatchObject({ valid: true, traffic: stats.cost })
    // one byte less, and it does not fit
    expect(check(csv, capacity - 1).code).toBe(1)
    // the graph in the order that was found allows the same plan
    writeFileSync(model, reorderedGraph(graph, plan))
    expect(check(csv, capacity).code).toBe(0)
  })

  it('are refused where they are not what was found', async () => {
    writeFileSync(model, TWO_BRANCHES)
    const { csv } = await saved(TWO_BRANCHES, 15, 'cosma')
    const without = csv.replace(/^b,\d+,outside,.*\n/m, '')
    expect(without).not.toBe(csv)
    expect(check(without, 15).code).toBe(1)
  })
})
