/** What lessons compute themselves, against the papers and the core. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client, Frame, Problem } from '../../../wasm/client/types'
import { partsOf } from '../../../web/src/lessons/decomposition'
import { alignedUp } from '../../../web/src/lessons/fragmentation'
import {
  canonical,
  indexMonotonic,
  lattice,
  offsetMonotonic,
  ordersOf,
  packing,
  packings,
  permutations,
  restingPlace,
} from '../../../web/src/lessons/answers/orders'
import { sectionSums, triedAt } from '../../../web/src/lessons/answers/sections'
import { pieces, plain } from '../../../web/src/lessons/text'
import { wayTo } from '../../../web/src/panels/lesson/lattice'
import { KEYS } from '../../../web/src/state/share/box'
import { Ledger } from '../../../web/src/state/share/ledger'
import { restoreProgress } from '../../../web/src/run/lesson/lesson_progress'
import { shownCapacity } from '../../../web/src/state/workbench'
import { copyWorkbench, own, shownWorkbench, workbench, workbenchCells } from '../../../web/src/state/workbench_cells'
import { FakeStorage } from '../support/fake'
import { config, FIVE, nodeClient, ROOT } from '../../wasm/support'

let client: Client
beforeAll(async () => {
  client = (await nodeClient()).client
})
afterAll(() => client.dispose())

async function open(csv: string): Promise<Problem> {
  const opened = await client.open(csv)
  if (!opened.ok) throw new Error(JSON.stringify(opened.errors))
  return opened.problem
}

const example = (file: string) => readFileSync(join(ROOT, 'examples', file), 'utf8')
const RULES: [string, number][] = [
  ['rule-section.csv', 15],
  ['rule-monotonic-floor.csv', 11],
  ['rule-unallocated-floor.csv', 11],
  ['rule-canonical.csv', 12],
  ['rule-dominance.csv', 8],
  ['rule-hatless.csv', 10],
  ['rule-decomposition.csv', 12],
]

/** Every step of a run, with the state after it. */
async function frames(file: string, capacity: number): Promise<{ problem: Problem; all: Frame[] }> {
  const problem = await open(example(file))
  const { stats } = await client.run(config('minimalloc', capacity), () => {})
  const all: Frame[] = []
  for (let step = 1; step <= stats.steps; step++) {
    const frame = await client.seek(step, 84, 84)
    if (frame !== null) all.push(frame)
  }
  expect(all.length).toBe(stats.steps)
  return { problem, all }
}

/** MiniMalloc's Table 1: buffers by number, with the two columns. */
const TABLE: [string, boolean, boolean][] = [
  ['53124', false, true],
  ['53142', false, true],
  ['53214', false, false],
  ['53241', false, false],
  ['53412', true, true],
  ['53421', true, false],
  ['54312', true, false],
  ['54321', true, false],
]
const order = (digits: string) => [...digits].map((digit) => Number(digit) - 1)

describe('orders', () => {
  it('are all there, each once', () => {
    expect(permutations(0)).toEqual([[]])
    expect(permutations(3).map((one) => one.join(''))).toEqual(['012', '021', '102', '120', '201', '210'])
    expect(new Set(permutations(5).map((one) => one.join(''))).size).toBe(120)
  })

  it('of the paper’s packing are those of its Table 1, with the same properties', async () => {
    const problem = await open(FIVE)
    const offset = packing(problem, order('53412'))
    expect([...offset]).toEqual([8, 8, 4, 4, 0])
    expect(ordersOf(problem, offset).map((one) => one.map((k) => k + 1).join(''))).toEqual(
      TABLE.map(([digits]) => digits),
    )
    for (const [digits, up, ties] of TABLE) {
      expect(offsetMonotonic(offset, order(digits)), digits).toBe(up)
      expect(indexMonotonic(offset, order(digits)), digits).toBe(ties)
      expect(canonical(offset, order(digits)), digits).toBe(up && ties)
    }
  })

  it('make packings that the core takes for plans', async () => {
    const problem = await open(FIVE)
    const fitting = packings(problem).filter(({ height }) => height <= 12)
    expect(fitting).toHaveLength(8)
    for (const { offset } of fitting) {
      const rows = problem.ids.map((id, k) =>
        [id, problem.lower[k], problem.upper[k], problem.size[k], offset[k]].join(','),
      )
      await open(`id,lower,upper,size,offset\n${rows.join('\n')}\n`)
      const { stats, best } = await client.run(config('exact', 12), () => {})
      expect(stats.outcome).toBe('optimal')
      expect(best).toEqual(offset)
    }
  })

  it.each(RULES)('put buffers where the core does: %s', async (file, capacity) => {
    const { problem, all } = await frames(file, capacity)
    let compared = 0
    for (const { offset, minOffset } of all)
      for (let k = 0; k < problem.count; k++)
        if (minOffset !== null && (offset[k] ?? -1) < 0) {
          expect(restingPlace(problem, offset, k)).toBe(minOffset[k])
          compared++
        }
    expect(compared).toBeGreaterThan(0)
  })
})

describe('the lattice', () => {
  it('is that of Figure 6: eleven sets, one way of canonical steps', async () => {
    const problem = await open(FIVE)
    const offset = packing(problem, order('53412'))
    const levels = lattice(offset, ordersOf(problem, offset))
    const named = levels.map((level) => level.map(({ buffers }) => buffers.map((k) => k + 1).join('')))
    expect(named).toEqual([[''], ['5'], ['35', '45'], ['135', '235', '345'], ['1235', '1345', '2345'], ['12345']])
    expect(levels.map((level) => level.map(({ paths }) => paths))).toEqual([
      [1],
      [1],
      [1, 1],
      [1, 1, 2],
      [2, 3, 3],
      [8],
    ])
    expect(levels.map((level) => level.filter(({ chosen }) => chosen).length)).toEqual([1, 1, 1, 1, 1, 1])
    /* what is added, from where, and why it is not taken */
    const edges = levels.flatMap((level, row) =>
      level.flatMap(({ next }, k) => next.map(({ buffer, kind }) => `${named[row]?.[k]}+${buffer + 1} ${kind}`)),
    )
    expect(edges.filter((edge) => !edge.endsWith('canonical')).sort()).toEqual([
      '1235+4 offset',
      '135+4 offset',
      '2345+1 index',
      '235+1 index',
      '235+4 offset',
      '45+3 index',
    ])
    const bottom = levels.at(-1)?.[0]
    if (bottom === undefined) throw new Error('no bottom')
    expect(wayTo(levels, bottom, [])).toEqual(order('53412'))
    expect(wayTo(levels, bottom, order('54'))).toEqual(order('54312'))
    expect(wayTo(levels, levels[1]?.[0] ?? bottom, order('53'))).toEqual(order('5'))
  })
})

describe('sections', () => {
  it('are those of §6.2', async () => {
    const problem = await open(FIVE)
    const offset = packing(problem, order('15'))
    const frame = { offset, step: 0, events: [] } as unknown as Frame
    expect(sectionSums(problem, frame, null).map(({ floor, rest }) => floor + rest)).toEqual([12, 16, 12])
  })

  it.each(RULES)('add up to what the core rejects: %s', async (file, capacity) => {
    const { problem, all } = await frames(file, capacity)
    const manifest = await client.manifest()
    let rejected = 0
    for (const frame of all) {
      const event = frame.events.filter((one) => one.kind === 'reject').find((one) => one.step === frame.step)
      if (event === undefined || manifest.rules[event.rule]?.id !== 'section') continue
      const { section, floor, rest } = event
      expect(sectionSums(problem, frame, triedAt(frame))[section]).toEqual({ section, floor, rest })
      rejected++
    }
    if (file === 'rule-section.csv') expect(rejected).toBe(5)
  })
})

describe('parts', () => {
  it('are those that the core splits the rest into', async () => {
    const { all, problem } = await frames('rule-decomposition.csv', 12)
    const frame = all[1]
    const event = frame?.events.filter((one) => one.kind === 'decompose').find((one) => one.step === 2)
    const parts = partsOf(problem, frame?.offset ?? [])
    const named = [...(event?.list ?? [])].map((buffer) => parts.findIndex((part) => part.includes(buffer)))
    expect(named.sort()).toEqual([0, 1, 2])
    expect(parts.map((part) => part.length)).toEqual([1, 1, 8])
  })
})

describe('addresses', () => {
  it('are rounded up to multiples', () => {
    expect([0, 1, 64, 65, 296].map((address) => alignedUp(address, 64))).toEqual([0, 64, 64, 128, 320])
  })
})

describe('texts', () => {
  it('are told apart into words, emphasis, names and facts', () => {
    const facts = { n: () => 1234, who: () => 'b5' }
    const live = {} as never
    expect(pieces('A *b* `c` {n}, `{who}` {no}', facts, live)).toEqual([
      { kind: 'text', text: 'A ' },
      { kind: 'em', text: 'b' },
      { kind: 'text', text: ' ' },
      { kind: 'name', text: 'c' },
      { kind: 'text', text: ' ' },
      { kind: 'fact', text: '1,234' },
      { kind: 'text', text: ', ' },
      { kind: 'name', text: 'b5' },
      { kind: 'text', text: ' ' },
      { kind: 'fact', text: '{no}' },
    ])
    expect(plain('so {n}', facts, null)).toBe('so …')
  })
})

describe('progress', () => {
  const kept = { answered: { load: [0, 2] }, last: { id: 'load', step: 2 } }
  const restored = (box: FakeStorage) => restoreProgress(new Ledger(box, KEYS.lessons))

  it('is what was kept, and nothing where that cannot be read', () => {
    const box = new FakeStorage()
    const nothing = { answered: {}, last: null }
    box.setItem('arenascope.lessons.v1', JSON.stringify(kept))
    expect(restored(box)).toEqual(nothing)
    for (const entry of [
      'answered 2 load',
      'answered 0 load',
      'answered 100 load',
      'answered x load',
      'answered -1 load',
      'more',
    ])
      box.setItem(KEYS.lessons + entry, 'true')
    for (const last of ['', '{', '1', '[]', '"x"', '{"id":1,"step":0}', '{"id":"load","step":2.5}']) {
      box.setItem(`${KEYS.lessons}last`, last)
      expect(restored(box), last).toEqual({ ...kept, last: null })
    }
    box.setItem(`${KEYS.lessons}last`, '{"id":"load","step":2}')
    expect(restored(box)).toEqual(kept)
    box.getItem = () => {
      throw new Error('no')
    }
    expect(restored(box)).toEqual(nothing)
  })
})

describe('a lesson’s workbench', () => {
  it('leaves the reader’s as it is, and is followed while the page shows it', () => {
    const lesson = workbenchCells('lesson')
    own.capacity.set(1)
    const heard: number[] = []
    const leave = workbench.capacity.subscribe(() => heard.push(workbench.capacity.get()))
    copyWorkbench(own, lesson)
    shownWorkbench.set(lesson)
    expect(workbench.capacity.get()).toBe(1)
    workbench.capacity.set(2)
    expect([own.capacity.get(), lesson.capacity.get(), shownCapacity.get()]).toEqual([1, 2, 2])
    shownWorkbench.set(own)
    leave()
    expect(shownCapacity.get()).toBe(1)
    expect(heard).toEqual([2, 1])
  })
})
