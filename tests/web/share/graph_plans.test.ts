/** What is written of a plan of a graph: each buffer with the life that the plan gives it, and no header where a tensor moves. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Client, Goal } from '../../../wasm/client/types'
import type { Graph } from '../../../web/src/import/graph'
import { writeGraphCsv } from '../../../web/src/import/graph_csv'
import { packGraph } from '../../../web/src/import/packed'
import { savePlanJson, saveReordered } from '../../../web/src/run/share/exports'
import { savePlan } from '../../../web/src/run/share/plans'
import { manifest } from '../../../web/src/state/atoms'
import { workbench } from '../../../web/src/state/workbench_cells'
import type { Given } from '../../../web/src/state/workbench_values'
import { nodeClient } from '../../wasm/support'

const tensor = (id: string, bytes: number, kind = {}) => ({ id, bytes, kind, shape: [bytes] })

/** Two branches behind x, each a large tensor and a small one: in 15 bytes something has to move. */
const BRANCHES: Graph = {
  name: '',
  tensors: [
    tensor('x', 4, { input: true }),
    tensor('a', 8),
    tensor('b', 5),
    tensor('c', 8),
    tensor('d', 5),
    tensor('y', 2, { output: true }),
  ],
  ops: [
    { id: 'c0', type: 'Conv', inputs: [0], outputs: [3] },
    { id: 'a0', type: 'Conv', inputs: [0], outputs: [1] },
    { id: 'a1', type: 'Pool', inputs: [1], outputs: [2] },
    { id: 'c1', type: 'Pool', inputs: [3], outputs: [4] },
    { id: 'end', type: 'Add', inputs: [2, 4], outputs: [5] },
  ],
}
const GRAPH = writeGraphCsv(BRANCHES)

let client: Client
const saved: Blob[] = []
beforeAll(async () => {
  client = (await nodeClient()).client
  manifest.set(await client.manifest())
})
beforeEach(() => {
  saved.length = 0
  vi.stubGlobal('document', { createElement: () => ({ click: () => {} }) })
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => `blob:${saved.push(blob as Blob)}`)
})
afterAll(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  client.dispose()
})

async function run(solver: string, goal: Goal, capacity: number, text: Given = GRAPH) {
  const opened = await client.openGraph(GRAPH, {})
  if (!opened.ok) throw new Error('no graph')
  const source = { kind: 'model' as const, name: 'm.csv', lowering: {}, from: { kind: 'file' as const, format: '' } }
  workbench.opened.set({ problem: opened.problem, model: opened.model, source, text })
  const config = { solver, goal, capacity, seed: 0, budget: 0, options: {} }
  workbench.run.set({ kind: 'ended', config, result: await client.run(config, () => {}) })
}

interface Row {
  id: string
  lower: number
  upper: number
  size: number
  offset: number
}

function overlaps(rows: Row[]): string[] {
  const meet = (a: Row, b: Row) =>
    a.lower < b.upper && b.lower < a.upper && a.offset < b.offset + b.size && b.offset < a.offset + a.size
  return rows.flatMap((a, k) => rows.slice(k + 1).flatMap((b) => (meet(a, b) ? [`${a.id} ${b.id}`] : [])))
}

const lastText = async () => (await saved.at(-1)?.text()) ?? ''

describe('a plan of a graph', () => {
  it('is written as JSON in the order it is of, with what moves', async () => {
    for (const [solver, goal, capacity] of [
      ['list-schedule', 'fit', 21],
      ['cosma', 'height', 21],
      ['cosma', 'traffic', 15],
    ] as const) {
      await run(solver, goal, capacity)
      await savePlanJson(client)
      const made = JSON.parse(await lastText())
      expect(overlaps(made.buffers), solver).toEqual([])
      expect(made.schedule).toHaveLength(5)
      expect(made.moves).toHaveLength(goal === 'traffic' ? 3 : 0)
      expect(made.problem.buffers).toBe(made.buffers.length)
    }
  })

  it('is a header where each tensor has one place, in the order of its own buffers, and else says why not', async () => {
    await run('list-schedule', 'fit', 21)
    await savePlan('header', client)
    const header = await lastText()
    await savePlanJson(client)
    for (const { id, size, offset } of JSON.parse(await lastText()).buffers as Row[])
      expect(header).toContain(`${offset}ul, /* ${id}: ${size} bytes */`)
    await run('cosma', 'traffic', 15)
    await expect(savePlan('header', client)).rejects.toThrow('copies tensors out and back')
  })

  it('gives its order to the graph, also to one that has no text yet', async () => {
    await run('list-schedule', 'fit', 21, packGraph(BRANCHES))
    await saveReordered()
    const text = await lastText()
    expect(text.split('\n').filter((line) => line.startsWith('op,'))).toHaveLength(5)
    expect([...text.split('\n')].sort()).toEqual(GRAPH.split('\n').sort())
    expect(text).not.toBe(GRAPH)
  })

  it('is not written of another order, which a search that was stopped had gone on to', async () => {
    await run('cosma', 'height', 21)
    const state = workbench.run.get()
    const plan = state.kind === 'ended' ? state.result.plan : null
    plan?.stays.lower.reverse()
    for (const write of [() => savePlanJson(client), () => savePlan('header', client)])
      await expect(write()).rejects.toThrow('went on from this plan to another order')
  })
})
