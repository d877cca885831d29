/** The zoo through the core: graph CSV out and in, and its lowering against the plain one. */
import { beforeAll, describe, expect, it } from 'vitest'
import { type Entry, generate, type Options, zoo } from '../../examples/zoo'
import type { Core } from '../../wasm/client/core'
import { writeGraphCsv } from '../../web/src/import/graph_csv'
import { makeCore } from '../wasm/support'
import { lower, peak, type Rules, widest } from './lower'

let core: Core

beforeAll(async () => {
  core = await makeCore()
})

async function compare(entry: Entry, options: Options, rules: Rules, settings: Record<string, string>) {
  const graph = await generate(entry, options)
  const result = core.openGraph(writeGraphCsv(graph), settings)
  if (!result.ok) throw new Error(JSON.stringify(result.errors))
  const { problem } = result
  const theirs = problem.ids.map((id, k) => [id, problem.lower[k], problem.upper[k], problem.size[k]])
  const ours = lower(graph, rules).map((b) => [b.id, b.lower, b.upper, b.size])
  const sorted = (rows: unknown[][]) => rows.map((row) => row.join(' ')).sort()
  expect(sorted(theirs)).toEqual(sorted(ours))
  return { graph, result }
}

describe('lowering in the core', () => {
  it.each(zoo)('$id', async (entry) => {
    const { graph, result } = await compare(entry, {}, {}, {})
    expect(result.problem.lowerBound).toBe(peak(lower(graph)).load)
    expect(result.model.budgets.required).toBe(widest(graph))
    expect(result.model.budgets.peak).toBeLessThanOrEqual(result.problem.lowerBound)
    const rounded = { alignment: '16', align_by: 'size' }
    await compare(entry, { fuse: false, ...entry.show?.options }, { multiple: 16 }, rounded)
    await compare(entry, {}, { prefetch: 3 }, { constants: 'streamed', prefetch: '3' })
  })
})
