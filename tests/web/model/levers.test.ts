/** What can be done about a peak: graphs rewritten, each change lowered and solved by the core itself, and the chips that a model fits. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client, PackedGraph } from '../../../wasm/client/types'
import type { Graph } from '../../../web/src/import/graph'
import { packGraph } from '../../../web/src/import/packed'
import { graphOf, reordered } from '../../../web/src/import/rewrite/graph'
import { canNarrow, narrowed } from '../../../web/src/import/rewrite/narrow'
import { runsAround, splitGraph } from '../../../web/src/import/rewrite/split'
import { axisOf, needed, shifted } from '../../../web/src/import/rewrite/window_ranges'
import { findLevers, PATIENCE } from '../../../web/src/run/model/levers'
import { loweringFor } from '../../../web/src/run/model/models'
import { zooGraph } from '../../../web/src/run/model/zoo_graph'
import { fitChips } from '../../../web/src/run/profile/chips'
import { manifest } from '../../../web/src/state/atoms'
import { type Chip, CHIP_COLUMNS, chips, fitOf, fitWords, spareOf } from '../../../web/src/state/profile/chips'
import { type Profile, usable } from '../../../web/src/state/profile/profile'
import { known } from '../../../web/src/state/profile/profile_texts'
import type { KnownHeight } from '../../../web/src/state/solver/known_height'
import type { Opened } from '../../../web/src/state/workbench_values'
import { nodeClient } from '../../wasm/support'

let client: Client
beforeAll(async () => {
  client = (await nodeClient()).client
  manifest.set(await client.manifest())
})
afterAll(() => client.dispose())

/** x of 8 rows of 16 bytes, widened to 64 bytes a row, convolved by 3 rows at stride 2, narrowed to 4 rows of 8 bytes. */
const BOTTLENECK: Graph = {
  name: '',
  tensors: [
    { id: 'x', bytes: 128, kind: { input: true }, shape: [1, 8, 16], axes: 'NHC', dtype: 'float32' },
    { id: 'wide', bytes: 512, kind: {}, shape: [1, 8, 64], axes: 'NHC', dtype: 'float32' },
    { id: 'half', bytes: 256, kind: {}, shape: [1, 4, 64], axes: 'NHC', dtype: 'float32' },
    { id: 'y', bytes: 32, kind: { output: true }, shape: [1, 4, 8], axes: 'NHC', dtype: 'float32' },
  ],
  ops: [
    { id: 'expand', type: 'Conv', inputs: [0], outputs: [1], windows: '1 1 *' },
    { id: 'depth', type: 'Conv', inputs: [1], outputs: [2], windows: '1 3/2-1 1' },
    { id: 'project', type: 'Conv', inputs: [2], outputs: [3], windows: '1 1 *' },
  ],
}

async function loadOf(graph: Graph, lowering: Record<string, string> = {}): Promise<number> {
  const answer = await client.openGraph(packGraph(graph), lowering)
  if (!answer.ok) throw new Error(answer.errors[0]?.message)
  return answer.problem.lowerBound
}

describe('windows as numbers', () => {
  it.each([
    ['1', 3, 5, 8, 3, 5],
    ['3/2-1', 0, 2, 8, 0, 4],
    ['3/2-1', 2, 4, 8, 3, 8],
    ['5/1-2', 3, 4, 8, 1, 6],
    ['1/1+4', 0, 2, 8, 4, 6],
    // of a transposed window: output i comes of those j with 2j - 1 <= i < 2j + 3
    ['4^2-1', 3, 5, 8, 1, 3],
    ['2^2', 2, 6, 8, 1, 3],
  ])('%s of output [%d, %d) needs of %d [%d, %d)', (entry, low, high, size, from, to) => {
    const axis = axisOf(entry, 1)
    if (axis === null) throw new Error(entry)
    expect(needed(axis, { low, high }, size)).toEqual({ low: from, high: to })
    // the part on its own needs the very same of its piece
    const part = axisOf(shifted(axis, 1, low, from), 1)
    if (part === null) throw new Error(shifted(axis, 1, low, from))
    expect(needed(part, { low: 0, high: high - low }, to - from)).toEqual({ low: 0, high: to - from })
  })

  it('names no elements where all are needed, or inputs lie one behind another', () => {
    expect([axisOf('*', 0), axisOf('+', 0)]).toEqual([null, null])
    expect(axisOf('2:3/2-1', 0)).toEqual({ kind: 'slide', dimension: 2, kernel: 3, stride: 2, begin: -1 })
    expect(shifted({ kind: 'slide', dimension: 2, kernel: 1, stride: 1, begin: 0 }, 1, 3, 0)).toBe('2:1/1+3')
  })
})

describe('operators in parts', () => {
  it('keep what lies between them from being whole; the overlap is made twice', async () => {
    const split = splitGraph(BOTTLENECK, { run: [0, 1], dimension: 1, parts: 2 })
    const sizes = Object.fromEntries(split?.graph.tensors.map(({ id, bytes }) => [id, bytes]) ?? [])
    // output rows 0-1 need rows 0-3 of the wide tensor, rows 2-3 need 3-7
    expect(sizes).toEqual({ x: 128, half: 256, y: 32, 'wide#1': 256, 'half#1': 256, 'wide#2': 320 })
    expect(split?.again).toBeCloseTo(1 / 12)
    expect(split?.graph.ops.map(({ id, windows }) => `${id} ${windows}`)).toEqual([
      'expand#1 1 1 *',
      'depth#1 ',
      'expand#2 1 1/1+3 *',
      'depth#2 ',
      'project 1 1 *',
    ])
    // input, the larger part and the output, instead of the whole and the output
    expect(await loadOf(BOTTLENECK)).toBe(768)
    expect(split && (await loadOf(split.graph))).toBe(128 + 320 + 256)
    // to the end: the output is small
    const long = splitGraph(BOTTLENECK, { run: [0, 1, 2], dimension: 1, parts: 4 })
    expect(long && (await loadOf(long.graph))).toBe(128 + 192 + 64 + 32)
    expect(long?.graph.ops.at(-1)?.id).toBe('project#4')
  })

  it('are taken where the windows lead from one to the next', () => {
    expect(runsAround(BOTTLENECK, 1)).toEqual([
      { run: [0, 1], dimensions: [1, 2] },
      { run: [0, 1, 2], dimensions: [1] },
    ])
    // an input is nobody's, and channels do not lead through a product
    expect(runsAround(BOTTLENECK, 0)).toEqual([])
    expect(splitGraph(BOTTLENECK, { run: [0, 1, 2], dimension: 2, parts: 2 })).toBeNull()
    expect(splitGraph(BOTTLENECK, { run: [0, 1], dimension: 1, parts: 5 })).toBeNull()
    const shared: Graph = {
      ...BOTTLENECK,
      ops: [...BOTTLENECK.ops, { id: 'look', type: 'Relu', inputs: [1], outputs: [], windows: '1 1 1' }],
    }
    expect(runsAround(shared, 1)).toEqual([])
  })

  it('can be ordered otherwise and made of bytes', () => {
    expect(canNarrow(BOTTLENECK)).toBe(true)
    const small = narrowed(BOTTLENECK)
    expect(small.tensors.map(({ bytes, dtype }) => [bytes, dtype])).toEqual([
      [32, 'int8'],
      [128, 'int8'],
      [64, 'int8'],
      [8, 'int8'],
    ])
    expect(canNarrow(small)).toBe(false)
    expect(reordered(BOTTLENECK, [2, 0, 1]).ops.map(({ id }) => id)).toEqual(['project', 'expand', 'depth'])
    const back = graphOf(packGraph(BOTTLENECK))
    expect(back.tensors).toMatchObject(BOTTLENECK.tensors.map(({ kind: _, ...rest }) => rest))
    expect(back.ops).toMatchObject(BOTTLENECK.ops)
  })
})

async function openZoo(id: string, options: Record<string, string>, lowering?: Record<string, string>) {
  const made = await zooGraph(id, options)
  if (made === null) throw new Error(id)
  const how = lowering ?? loweringFor(made.network.show?.prefetch)
  const answer = await client.openGraph(made.graph, how)
  if (!answer.ok) throw new Error(answer.errors[0]?.message)
  const { problem, model } = answer
  const source: Opened['source'] = { kind: 'model', name: id, lowering: how, from: { kind: 'zoo', id, options } }
  const opened: Opened = { problem, model, source, text: made.graph }
  return { opened, model, graph: made.graph as PackedGraph, lowering: how, profile: null }
}

const signal = new AbortController().signal
// what is proven must not hang on how busy the machine is
PATIENCE.height = 30_000

describe('levers', () => {
  it('MobileNet v2 in 1 MiB: each is what the core makes of it', async () => {
    const open = await openZoo('mobilenet_v2', {})
    const { base, found, left } = await findLevers(client, open, 1_048_576, signal)
    expect(base).toEqual({ bytes: 1_505_280, known: 'proven' })
    expect(left).toBe('')
    const sizes = Object.fromEntries(found.map(({ id, peak }) => [id, peak]))
    // 160 × 160 is (160 / 224)² of it, and fits
    expect(sizes.size).toEqual({ bytes: 768_000, known: 'proven' })
    expect(found.find(({ id }) => id === 'size')?.title).toBe('Input 160 × 160 instead of 224 × 224')
    expect(sizes.split?.bytes).toBeLessThan(1_505_280)
    for (const { id, peak, change } of found) {
      expect(peak.known, id).toBe('proven')
      if (change.kind !== 'graph') continue
      const answer = await client.openGraph(change.graph, change.lowering)
      expect(answer.ok && answer.problem.lowerBound, id).toBe(peak.bytes)
    }
    expect(found.map(({ peak }) => peak.bytes)).toEqual(found.map(({ peak }) => peak.bytes).sort((x, y) => x - y))
  })

  it('weights in the memory, batches and wide elements give way as well', async () => {
    const lowering = { constants: 'resident' }
    const open = await openZoo('mobilenet_v1', { batch: '4', bytes: '4', size: '96' }, lowering)
    const { base, found } = await findLevers(client, open, 3_000_000, signal)
    const ids = new Set(found.map(({ id }) => id))
    for (const id of ['streamed', 'batch', 'int8', 'inplace']) if (id !== 'inplace') expect(ids).toContain(id)
    for (const { peak } of found) expect(peak.bytes).toBeLessThan(base?.bytes ?? 0)
    expect(found.find(({ id }) => id === 'batch')?.change).toMatchObject({ options: { bytes: '4', size: '96' } })
  })
})

const PROFILE: Profile = {
  ...(known[0] as Profile),
  alignment: 1,
  alignBy: 'offset',
  bank: 0,
  mayCross: true,
  reserved: 0,
}
const chip = (capacity: number, height: KnownHeight): Chip => ({
  profile: { ...PROFILE, capacity },
  memory: '',
  need: { ok: true, height },
})

describe('chips', () => {
  it('fit where a plan does, miss where no plan can, and are open between', () => {
    const words = (capacity: number, bytes: number, how: KnownHeight['known']) =>
      fitWords(chip(capacity, { bytes, known: how }))
    expect(words(4096, 2048, 'proven')).toBe('fits, 2 KiB to spare')
    expect(words(4096, 4096, 'most')).toBe('fits, 0 B to spare')
    expect(words(4096, 5120, 'proven')).toBe('misses by 1 KiB')
    expect(words(4096, 5120, 'least')).toBe('misses by 1 KiB')
    expect(words(4096, 5120, 'most')).toBe('open')
    expect(words(4096, 2048, 'least')).toBe('open')
    expect(words(0, 2048, 'proven')).toBe('size not known')
    expect(fitWords({ ...chip(1, { bytes: 1, known: 'proven' }), need: { ok: false, why: 'no' } })).toBe('not taken')
    expect(spareOf(chip(2 ** 52, { bytes: 1, known: 'proven' }))).toBeNull()
  })

  it('that has memories of its own is taken by none', async () => {
    const text = 'pool,dtcm,3000,16\nid,lower,upper,size,pool\na,0,4,1000,\nb,1,5,2048,dtcm\n'
    // it ends with its question
    const mine = (await nodeClient()).client
    const answer = await mine.open(text)
    if (!answer.ok) throw new Error('it was not read')
    const opened: Opened = { problem: answer.problem, source: { kind: 'text', name: 'p.csv' }, text }
    let all: Chip[] = []
    await fitChips(
      opened,
      known.slice(0, 3),
      (told) => (all = told),
      signal,
      () => mine,
    )
    expect(all.map(fitWords)).toEqual(['not taken', 'not taken', 'not taken'])
    expect(all[0]?.need).toEqual({ ok: false, why: 'The problem has memories of its own.' })
  })

  it('all of them are asked, those that take buffers alike once', async () => {
    const { opened } = await openZoo('mobilenet_v2', {})
    let all: Chip[] = []
    await fitChips(
      opened,
      known,
      (told) => (all = told),
      signal,
      () => client,
    )
    expect(all.length).toBe(known.length)
    for (const one of all) {
      if (!one.need.ok) continue
      expect(one.need.height.bytes, one.profile.id).toBeGreaterThanOrEqual(1_505_280)
      if (usable(one.profile) > 0)
        expect(fitOf(one)).toBe(usable(one.profile) >= one.need.height.bytes ? 'fits' : 'misses')
    }
    const h743 = all.find(({ profile }) => profile.title.includes('STM32H743'))
    expect(h743 && fitOf(h743)).toBe('misses')
    expect(CHIP_COLUMNS.map(({ value }) => (h743 ? value(h743) : null))).toContain('misses')
    chips.set(null)
  })
})
