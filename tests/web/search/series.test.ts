/** Columns of the charts against the overview they are made of, and the jump to the next deepest step against a walk. */
import { describe, expect, it } from 'vitest'
import type { Overview } from '../../../wasm/client/types'
import { columnAt, columnsOf, discarded, FATES, heightsOf } from '../../../web/src/layout/search/series'
import { nextDeepest, playOnly } from '../../../web/src/run/search/jumps'
import { Session } from '../../../web/src/run/session'
import * as a from '../../../web/src/state/atoms'
import { random } from '../../wasm/support'
import { FakeClient, manifest, statsOf } from '../support/fake'
import { ruleIndex } from '../support/rules'
import { workbench } from '../../../web/src/state/workbench_cells'

/** Depths after each step, as the core would put them into buckets. */
function overviewOf(depths: number[], width: number): Overview {
  const count = Math.ceil(depths.length / width)
  const over = (fold: (part: number[]) => number) =>
    Uint32Array.from({ length: count }, (_, k) => fold(depths.slice(k * width, (k + 1) * width)))
  const falls = depths.map((depth, k) => (depth < (depths[k - 1] ?? 0) ? 1 : 0))
  const backtracks = Uint32Array.from({ length: count }, (_, k) =>
    falls.slice(k * width, (k + 1) * width).reduce((sum: number, n) => sum + n, 0),
  )
  return {
    width,
    count,
    minDepth: over((part) => Math.min(...part)),
    maxDepth: over((part) => Math.max(...part)),
    lastDepth: over((part) => part.at(-1) ?? 0),
    maxUndone: new Uint32Array(count),
    placed: new Uint32Array(),
    backtracks,
    major: new Uint32Array(count),
    rules: manifest.rules.map((_, r) => Uint32Array.from({ length: count }, (_, k) => (r + 3 * k) % 5)),
    marks: [],
  }
}

function walkOf(seed: number, length: number): number[] {
  const pick = random(seed)
  const depths: number[] = []
  for (let depth = 0; depths.length < length; ) {
    depth = pick(5) === 0 ? Math.max(0, depth - 1 - pick(4)) : pick(3) === 0 ? depth : depth + 1
    depths.push(depth)
  }
  return depths
}

describe('charts', () => {
  it.each([1, 7, 40, 200])('spread all that the overview counts over at most %i columns', (most) => {
    const depths = walkOf(3, 1000)
    const overview = overviewOf(depths, 16)
    const columns = columnsOf(overview, manifest, depths.length, most)
    expect(columns.length).toBe(Math.min(most, overview.count))
    expect(columns[0]?.first).toBe(1)
    expect(columns.at(-1)?.last).toBe(1000)
    columns.forEach((column, k) => {
      if (k > 0) expect(column.first).toBe((columns[k - 1]?.last ?? 0) + 1)
      const own = depths.slice(column.first - 1, column.last)
      expect([column.low, column.high]).toEqual([Math.min(...own), Math.max(...own)])
      for (const step of [column.first, column.last]) expect(columnAt(columns, step)).toBe(k)
    })
    const all = (of: (column: (typeof columns)[0]) => number) => columns.reduce((sum, column) => sum + of(column), 0)
    expect(all(({ back }) => back)).toBe(overview.backtracks.reduce((x, y) => x + y, 0))
    expect(all(discarded)).toBe(overview.rules.flatMap((rule) => [...rule]).reduce((x, y) => x + y, 0))
    const learned = ['nogood', 'backjump', 'lazy'].flatMap((id) => [...(overview.rules[ruleIndex(id)] ?? [])])
    expect(all(({ fates }) => fates[FATES.indexOf('learned')] ?? 0)).toBe(learned.reduce((x, y) => x + y, 0))
  })

  it('have no columns where nothing was done, and only heights that got better', () => {
    const empty = overviewOf([], 1)
    expect(columnsOf(empty, manifest, 0, 100)).toEqual([])
    expect(columnAt([], 5)).toBe(-1)
    const marks: Overview['marks'] = [
      { step: 3, kind: 'incumbent', value: 30 },
      { step: 4, kind: 'restart', value: 1 },
      { step: 9, kind: 'incumbent', value: 32 },
      { step: 12, kind: 'incumbent', value: 20 },
    ]
    expect(heightsOf({ ...empty, marks })).toEqual([
      { step: 3, height: 30 },
      { step: 12, height: 20 },
    ])
  })
})

/** Looks for a placement that leads above so many, as the core does. */
class Walker extends FakeClient {
  constructor(readonly depths: number[]) {
    super()
  }
  override async scan(from: number, _forward: boolean, conditions: readonly { above?: number }[], budget: number) {
    const above = conditions[0]?.above ?? -1
    const last = Math.min(this.depths.length, from + budget)
    for (let step = from + 1; step <= last; step++)
      if ((this.depths[step - 1] ?? 0) > above && (this.depths[step - 2] ?? 0) <= above)
        return { step, stopped: step, over: false }
    return { step: 0, stopped: last, over: last === this.depths.length }
  }
}

describe('the next deepest step', () => {
  it.each([1, 2, 3])('is the first one deeper than all up to here (walk %i)', async (seed) => {
    const depths = walkOf(seed, 400)
    const client = new Walker(depths)
    const session = new Session(client, { request: () => {}, cancel: () => {} })
    await session.start()
    await session.clear()
    await session.open('id,lower,upper,size\na,0,1,1\n', { kind: 'text', name: 'x.csv' }, 'x.csv')
    const result = { stats: statsOf(400), overview: overviewOf(depths, 32), best: null, conflict: [] }
    workbench.run.set({ kind: 'ended', config: session.config(), result })
    for (let from = 0; from <= 400; from += 13) {
      session.player.seek(from)
      a.notice.set(null)
      await nextDeepest(session)
      const most = Math.max(0, ...depths.slice(0, from))
      const expected = depths.findIndex((depth, k) => k >= from && depth > most) + 1
      expect([from, workbench.cursor.get()]).toEqual([from, expected > 0 ? expected : from])
      expect(a.notice.get() === null).toBe(expected > 0)
      expect(a.looking.get()).toBe(false)
    }
  })
})

describe('play by records', () => {
  it.each([1, 2, 3])(
    'shows each step deeper than all before it, each better plan, and then the end (walk %i)',
    async (seed) => {
      const depths = walkOf(seed, 400)
      const frames: ((now: number) => void)[] = []
      const session = new Session(new Walker(depths), { request: (call) => frames.push(call), cancel: () => {} })
      await session.start()
      await session.clear()
      await session.open('id,lower,upper,size\na,0,1,1\n', { kind: 'text', name: 'x.csv' }, 'x.csv')
      const plans = [390, 395]
      const marks = plans.map((step) => ({ step, kind: 'incumbent' as const, value: 500 - step }))
      const maxDepth = Math.max(...depths)
      const overview = { ...overviewOf(depths, 32), marks }
      workbench.run.set({
        kind: 'ended',
        config: session.config(),
        result: { stats: { ...statsOf(400), maxDepth }, overview, best: null, conflict: [] },
      })
      session.player.seek(0)
      playOnly(session, 'records')
      session.player.setSpeed(10)
      session.player.play()
      const seen: number[] = []
      for (let now = 0; a.playing.get() && now < 60_000; now += 100) {
        for (const call of frames.splice(0)) call(now)
        await new Promise((resolve) => setTimeout(resolve, 0))
        if (seen.at(-1) !== workbench.cursor.get()) seen.push(workbench.cursor.get())
      }
      playOnly(session, 'steps')
      const deepest = depths.flatMap((depth, k) => (depth > Math.max(0, ...depths.slice(0, k)) ? [k + 1] : []))
      expect(seen).toEqual([...new Set([0, ...deepest, ...plans, 400])].sort((x, y) => x - y))
    },
  )
})
