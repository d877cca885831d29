/** Tasks on tiles on their way through the module: read, run, and made of a graph. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { Client } from '../../wasm/client/types'
import { config, makeCore, nodeClient, ROOT } from './support'

/** One row of halo, rows of one byte. */
const HALO = `# a comment
tiled,in,1,4x1
tiled,out,1,4x1
task,s0,in@0:2x0:1,out@0:1x0:1
task,s1,in@0:3x0:1,out@1:2x0:1
task,s2,in@1:4x0:1,out@2:3x0:1
task,s3,in@2:4x0:1,out@3:4x0:1
`
const CHAIN = readFileSync(join(ROOT, 'examples', 'tiles.csv'), 'utf8')
const GRAPH = `tensor,a,4096,input,1,1x16x16x16,int8,NCHW
tensor,b,4096,,1,1x16x16x16,int8,NCHW
tensor,c,4096,output,1,1x16x16x16,int8,NCHW
op,relu1,Relu,a,b,,,,1 1 1 1
op,relu2,Relu,b,c,,,,1 1 1 1
`

const clients: Client[] = []
afterEach(() => {
  for (const client of clients.splice(0)) client.dispose()
})

test('a list of tasks is read as buffers with shapes, with what each task reads and writes', async () => {
  const core = await makeCore()
  const result = core.open(HALO)
  if (!result.ok) throw new Error(JSON.stringify(result.errors))
  const { tasks, count, ids } = result.problem
  expect([count, ids.at(0), ids.at(1)]).toEqual([2, 'in', 'out'])
  expect(tasks?.ids).toEqual(['s0', 's1', 's2', 's3'])
  if (!tasks?.chunks) throw new Error('there are no chunks')
  const { task, buffer, writes, from, to } = tasks.chunks
  const rows = Array.from(task, (k, i) => [k, buffer[i], writes[i], from[i], to[i]])
  expect(rows.slice(0, 4)).toEqual([
    [0, 0, 0, 0, 2],
    [0, 1, 1, 0, 1],
    [1, 0, 0, 0, 3],
    [1, 1, 1, 1, 2],
  ])
  expect(result.problem.rects?.filter((rect) => rect.buffer === 1).map(({ lower, from }) => [lower, from])).toEqual([
    [1, 0],
    [3, 1],
    [5, 2],
    [7, 3],
  ])
})

test('both solvers find five rows where whole tensors take eight', async () => {
  const core = await makeCore()
  core.open(HALO)
  for (const solver of ['taa', 'taa-exact']) {
    core.start({ ...config(solver, 8), goal: 'height' })
    while (core.step(1000) === 'running');
    expect(core.stats().height).toBe(5)
  }
  expect(core.stats().outcome).toBe('optimal')
})

test('mistakes are told by line, and buffers that follow have no tasks', async () => {
  const core = await makeCore()
  const bad = core.open('tiled,a,1,4x1\ntask,s,a@0:9x0:1,\n')
  expect(bad).toMatchObject({ ok: false, total: 1, errors: [{ line: 2 }] })
  core.open(HALO)
  const again = core.reopenWith({}, null)
  expect(again.ok && again.problem.tasks?.ids).toHaveLength(4)
  const buffers = core.open('id,lower,upper,size\ntask,0,1,2\n')
  expect(buffers.ok && buffers.problem.tasks).toBeUndefined()
  expect(core.exportCsv(null)).toBe('id,lower,upper,size\ntask,0,1,2\n')
})

test('a visit that began with the lean module opens tasks and runs them', async () => {
  const made = await nodeClient()
  clients.push(made.client)
  made.client.beginLean()
  const opened = await made.client.open(CHAIN)
  expect(opened.ok && opened.problem.tasks?.ids).toHaveLength(24)
  const ended = await made.client.run({ ...config('taa-exact', 1), goal: 'height' }, () => undefined)
  expect(ended.stats).toMatchObject({ outcome: 'optimal', height: 9728 })
})

test('a graph becomes a list of tasks, which opens; an operator that does not go into tiles is named', async () => {
  const core = await makeCore()
  const opened = core.openGraph(GRAPH, {})
  if (!opened.ok) throw new Error(JSON.stringify(opened.errors))
  expect(opened.model.tileOptions.map(({ name }) => name)).toEqual(['order', 'layout', 'channels', 'concat'])
  const csv = core.tile(2048, { order: 'depth' })
  expect(csv).toMatch(/^tiled,a,1,1x16x16x16/)
  expect(csv.split('\n').filter((line) => line.startsWith('task,relu1:'))).toHaveLength(4)
  expect(() => core.tile(1, {})).toThrow('relu1')
  expect(() => core.tile(2048, { order: 'sideways' })).toThrow('sideways')
  const again = core.open(csv)
  expect(again.ok && again.problem.ids.at(0)).toBe('b')
  expect(() => core.tile(2048, {})).toThrow('no model')
})
