/** What of a model lives in fast memory: the module chooses as the command does, through a worker too, at once and in steps. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { Client, Selection } from '../../wasm/client/types'
import { configOf, REPACKERS, runOf } from '../../web/src/state/model/repackers'
import { entryOf, generate } from '../../examples/zoo'
import { writeGraphCsv } from '../../web/src/import/graph_csv'
import { FIVE, makeCore, NATIVE, nodeClient } from './support'

const ENTRY = entryOf('mnasnet1_3')
if (ENTRY === undefined) throw new Error('there is no such network')
const GRAPH = writeGraphCsv(await generate(ENTRY, { bytes: 2 }))
const CAPACITY = 1_000_000

/** As `arenascope select` is asked for the same. */
const FLAGS: Record<string, string[]> = {
  Nobody: ['--repacker=none'],
  'Best fit': ['--repacker=greedy', '--solver.order=lifetime', '--fit=best', '--repack=placed'],
  Heuristic: ['--repacker=contention'],
  TelaMalloc: ['--repacker=telamalloc'],
  Exact: ['--repacker=exact'],
}

const clients: Client[] = []
afterEach(() => {
  for (const client of clients.splice(0)) client.dispose()
})

function native(flags: string[]) {
  const path = join(mkdtempSync(join(tmpdir(), 'arenascope-')), 'model.graph.csv')
  writeFileSync(path, GRAPH)
  const { stdout, stderr } = spawnSync(NATIVE, ['select', path, `--capacity=${CAPACITY}`, '--json', ...flags], {
    encoding: 'utf8',
  })
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout)
}

const numbersOf = ({ bytes, fastBytes, count, fast, repacks, repacked, steps }: Selection) => ({
  ...{ bytes, fastBytes, count, fast, repacks, repacked, steps },
})

test.each(REPACKERS)('$name chooses as the command does', async (repacker) => {
  const core = await makeCore()
  const opened = core.openGraph(GRAPH, {})
  if (!opened.ok) throw new Error('the graph was refused')
  const chosen = core.select(configOf(repacker, CAPACITY))
  const { buffers, ...told } = native(FLAGS[repacker.name] ?? [])
  expect(told).toMatchObject(numbersOf(chosen))
  const { ids } = opened.problem
  expect(chosen.rows.map(({ buffer, ...row }) => ({ id: ids.at(buffer), ...row }))).toEqual(
    buffers.map(({ offset: _, ...row }: { offset?: number }) => row),
  )
  expect(chosen.repacks > 0).toBe(repacker.name !== 'Nobody')
})

test.each(REPACKERS)('$name chooses in steps what it chooses at once', async (repacker) => {
  const core = await makeCore()
  if (!core.openGraph(GRAPH, {}).ok) throw new Error('the graph was refused')
  const chosen = core.select(configOf(repacker, CAPACITY))
  expect(core.manifest.schedulers.find(({ id }) => id === 'select')?.goals).toEqual(['traffic'])
  core.start(runOf(repacker, CAPACITY))
  while (core.step(1000) === 'running');
  const { stats, plan } = core.result()
  expect(plan).toBeUndefined()
  expect([stats.cost, stats.nodes, stats.depth]).toEqual([chosen.bytes - chosen.fastBytes, chosen.repacks, chosen.fast])
  const { situation, offset } = core.seek(stats.steps, 0, 0)
  expect(situation?.problem.pools?.map(({ id }) => id)).toEqual(['fast', 'slow'])
  const inFast = chosen.rows
    .filter(({ verdict }) => verdict === 'fits' || verdict === 'repacked')
    .map((row) => row.buffer)
  expect([...(situation?.problem.pool ?? [])].flatMap((pool, k) => (pool === 0 ? [k] : []))).toEqual(
    inFast.sort((a, b) => a - b),
  )
  expect(core.best()).toEqual(offset)
  // back and forth
  const middle = core.seek(stats.steps >> 1, 1, 1)
  expect(middle.situation?.revision).toBeLessThanOrEqual(chosen.fast)
  expect(core.seek(0, 0, 0).situation?.problem.pool?.every((pool) => pool === 1)).toBe(true)
  expect(core.seek(stats.steps >> 1, 1, 1)).toEqual(middle)
  // both memories, as they lie, are what is written to a file
  const again = core.open(core.exportCsv(offset))
  if (!again.ok) throw new Error(JSON.stringify(again.errors))
  expect([...(again.problem.pool ?? [])].filter((pool) => pool === 1)).toHaveLength(chosen.count - chosen.fast)
})

test('a worker fetches the whole module for it and keeps its own problem; what cannot be is named', async () => {
  const { client } = await nodeClient()
  clients.push(client)
  expect((await client.openGraph(GRAPH, {})).ok).toBe(true)
  const [, , , telamalloc] = REPACKERS
  if (telamalloc === undefined) throw new Error('nobody repacks')
  const config = configOf(telamalloc, CAPACITY)
  const chosen = await client.select(config)
  expect(chosen.fast).toBeGreaterThan(0)
  await expect(client.select({ ...config, repacker: 'nobody' })).rejects.toThrow(/solver/)
  await expect(client.select({ ...config, options: { tries: 'x' } })).rejects.toThrow()
  // chosen from another graph once that is open
  expect((await client.open(FIVE)).ok).toBe(true)
  await expect(client.select(config)).rejects.toThrow('no model')
  expect((await client.openGraph(GRAPH, { constants: 'streamed' })).ok).toBe(true)
  expect((await client.select(config)).count).toBeGreaterThan(chosen.count)
})
