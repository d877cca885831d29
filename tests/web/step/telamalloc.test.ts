/** What the page makes of TelaMalloc's events: phases as times, the open decision point, who is to blame, how far a search goes back. */
import { describe, expect, test } from 'vitest'
import type { SearchEvent } from '../../../wasm/client/types'
import { culpritsOf } from '../../../web/src/layout/step/culprits'
import { minorRule } from '../../../web/src/layout/step/fate'
import { localGlyphs } from '../../../web/src/layout/search/local_steps'
import { NO_PHASE, phaseBands, phaseNow } from '../../../web/src/layout/canvas/phases'
import { traceColumns } from '../../../web/src/layout/search/trace'
import { brackets, readStep } from '../../../web/src/layout/step/witness'
import { decisionPoint } from '../../../web/src/state/step/decision_point'
import {
  eventOf,
  frameOf,
  manifest,
  overviewOf,
  problemOf,
  type Row,
  randomFrom,
  sceneOf,
} from '../support/layout_fixture'
import { ruleIndex } from '../support/rules'

const NONE = 0xffffffff
const unsatisfiable = ruleIndex('unsatisfiable')

/** Contention 4 10 6 2 9 5 3 4 1 0 5 5. */
const seven = problemOf([
  [0, 3, 4],
  [1, 2, 6],
  [2, 6, 2],
  [4, 5, 7],
  [5, 8, 3],
  [7, 9, 1],
  [10, 12, 5],
])

/** Thresholds fall through every load there is; ranges by decreasing peak, then by time; by buffer its phase, by time the first range over it. */
function figure9(rows: Row[]): { phases: number[]; owner: number[] } {
  const end = Math.max(...rows.map((row) => row[1]))
  const alive = (t: number) => rows.filter((row) => row[0] <= t && t < row[1])
  const load = Array.from({ length: end }, (_, t) => alive(t).reduce((sum, row) => sum + row[2], 0))
  const phases = rows.map(() => -1)
  const owner = load.map(() => -1)
  let next = 0
  for (const threshold of [...new Set(load)].sort((a, b) => b - a)) {
    if (threshold === 0) break
    const ranges: { first: number; end: number; peak: number }[] = []
    for (let t = 0; t < end; t++) {
      if ((load[t] ?? 0) < threshold) continue
      const last = ranges[ranges.length - 1]
      const spanned = alive(t).some((row) => row[0] < t)
      if (last?.end === t && spanned) Object.assign(last, { end: t + 1, peak: Math.max(last.peak, load[t] ?? 0) })
      else ranges.push({ first: t, end: t + 1, peak: load[t] ?? 0 })
    }
    for (const range of ranges.sort((a, b) => b.peak - a.peak || a.first - b.first)) {
      const caught = rows.flatMap((row, k) =>
        phases[k] === -1 && row[0] < range.end && range.first < row[1] ? [k] : [],
      )
      if (caught.length === 0) continue
      for (const k of caught) phases[k] = next
      for (let t = range.first; t < range.end; t++) if (owner[t] === -1) owner[t] = next
      next++
    }
  }
  return { phases, owner }
}

describe('phases as times', () => {
  const bands = (phases: number[], problem = seven) =>
    phaseBands(problem, Uint32Array.from(phases)).map(({ phase, lower, upper }) => [phase, lower, upper])

  test('a range is what reaches the threshold of its buffers, without what an earlier phase has', () => {
    expect(bands([0, 0, 1, 1, 2, 3, 4])).toEqual([
      [0, 1, 2],
      [1, 4, 5],
      [2, 5, 6],
      [3, 7, 8],
      [4, 10, 12],
    ])
  })
  test('a lower threshold takes both shoulders of a peak', () => {
    const hill = problemOf([
      [2, 4, 6],
      [3, 6, 2],
      [4, 8, 1],
    ])
    expect(bands([0, 0, 1], hill)).toEqual([
      [1, 2, 3],
      [0, 3, 4],
      [1, 4, 6],
    ])
  })
  test('a range does not cross a time that nothing spans', () => {
    const late = problemOf([
      [4, 5, 4],
      [2, 4, 5],
      [5, 7, 3],
      [0, 2, 1],
    ])
    expect(bands([1, 0, 2, 3], late)).toEqual([
      [3, 0, 2],
      [0, 2, 4],
      [1, 4, 5],
      [2, 5, 7],
    ])
  })
  test('a buffer that touches two ranges belongs to the higher one, the earlier of equals', () => {
    const twins = (first: number, second: number) =>
      problemOf([
        [0, 9, 2],
        [1, 3, first],
        [6, 8, second],
      ])
    expect(bands([0, 1, 0], twins(4, 5))).toEqual([
      [1, 1, 3],
      [0, 6, 8],
    ])
    expect(bands([0, 0, 1], twins(5, 5))).toEqual([
      [0, 1, 3],
      [1, 6, 8],
    ])
  })
  test('without phases there is one, over the busiest time of the least busy buffer; what occupies nothing has none', () => {
    expect(bands([0, 0, 0, 0, 0, 0, 1])).toEqual([
      [0, 0, 3],
      [0, 4, 6],
      [0, 7, 8],
      [1, 10, 12],
    ])
    expect(bands([NO_PHASE, NO_PHASE, 0, 0, NO_PHASE, NO_PHASE, NO_PHASE])).toEqual([[0, 4, 5]])
  })
  test('other phases of the same problem are not mistaken for those seen last', () => {
    expect(bands([0, 0, 1, 1, 2, 3, 4]).length).toBe(5)
    expect(bands([1, 1, 0, 0, 2, 3, 4])[0]).toEqual([1, 1, 2])
  })
  test('agree with figure 9 taken at its word, on random problems', () => {
    const random = randomFrom(11)
    const below = (n: number) => Math.floor(random() * n)
    for (let round = 0; round < 300; round++) {
      const rows = Array.from({ length: 1 + below(12) }, (): Row => {
        const lower = below(20)
        return [lower, lower + 1 + below(7), 1 + below(4)]
      })
      const { phases, owner } = figure9(rows)
      const problem = problemOf(rows)
      const times = new Array<number>(owner.length).fill(-1)
      for (const { phase, lower, upper } of phaseBands(problem, Uint32Array.from(phases)))
        times.fill(phase, lower, upper)
      expect(times).toEqual(owner)
    }
  })
  test('the phase under way: of the buffer tried, else of the next candidate', () => {
    const frame = frameOf([0, 4, -1, -1, -1, -1, -1], { phases: Uint32Array.from([0, 0, 1, 1, 2, 3, 4]) })
    const candidate = eventOf(1, 'candidate', { buffer: 2, offset: 7, source: 0, phase: 1, index: 0, of: 4 }, 2)
    expect(phaseNow(frame, [eventOf(1, 'place', { buffer: 1, offset: 4 }, 2), candidate])).toBe(0)
    expect(phaseNow(frame, [eventOf(1, 'backtrack', { from: 4, to: 2, buffer: 0, major: true }, 2), candidate])).toBe(1)
    expect(phaseNow(frame, [eventOf(1, 'backtrack', { from: 4, to: 2, buffer: 0, major: true }, 2)])).toBe(-1)
  })
})

const candidate = (step: number, buffer: number, source: number, index: number, of: number) =>
  eventOf(step, 'candidate', { buffer, offset: 10 * buffer, source, phase: 0, index, of }, 2)
const minor = (step: number, buffer: number) =>
  eventOf(step, 'reject', { buffer, offset: 0, rule: unsatisfiable, section: NONE, floor: 8, rest: 7 }, 2, [buffer])

describe('the open decision point', () => {
  const point = (step: number, events: SearchEvent[]) => decisionPoint(frameOf([0, 4, -1, -1, -1], { step, events }))
  const opened = [
    eventOf(4, 'place', { buffer: 1, offset: 4 }, 2),
    candidate(4, 2, 0, 0, 3),
    candidate(4, 4, 1, 1, 3),
    candidate(4, 3, 2, 2, 3),
  ]

  test('its candidates in order, with who proposed them and where they could lie', () => {
    expect(point(4, [...opened, eventOf(5, 'place', { buffer: 2, offset: 20 }, 3)])).toEqual({
      level: 3,
      before: 0,
      candidates: [
        { buffer: 2, offset: 20, source: 0, phase: 0, state: 'next' },
        { buffer: 4, offset: 40, source: 1, phase: 0, state: 'waits' },
        { buffer: 3, offset: 30, source: 2, phase: 0, state: 'waits' },
      ],
    })
  })
  test('the first of all is known before any step', () => {
    const first = [candidate(0, 2, 0, 0, 2), candidate(0, 4, 1, 1, 2)]
    const states = point(0, [...first, eventOf(1, 'place', { buffer: 2, offset: 20 }, 1), candidate(1, 4, 1, 0, 1)])
    expect(states?.candidates.map(({ buffer, state }) => [buffer, state])).toEqual([
      [2, 'next'],
      [4, 'waits'],
    ])
    expect(point(1, [...first, minor(1, 2)])?.candidates.map((c) => c.state)).toEqual(['failed', 'next'])
  })
  test('what failed since then was tried', () => {
    const states = (step: number) =>
      point(step, [...opened, minor(5, 2), minor(6, 4), minor(7, 3)])?.candidates.map((c) => c.state)
    expect(states(5)).toEqual(['failed', 'next', 'waits'])
    expect(states(6)).toEqual(['failed', 'failed', 'next'])
    expect(states(7)).toEqual(['failed', 'failed', 'failed'])
  })
  test('come back to, it lists what is left, promoted ones first', () => {
    const back = [
      eventOf(8, 'backtrack', { from: 4, to: 2, buffer: 0, major: true }, 2),
      eventOf(8, 'promote', { level: 2, count: 1, pending: 2 }, 2, [3]),
    ]
    expect(point(8, [...opened, ...back, candidate(8, 3, 3, 1, 3), candidate(8, 4, 1, 2, 3)])).toMatchObject({
      before: 1,
      candidates: [
        { buffer: 3, source: 3, state: 'next' },
        { buffer: 4, source: 1, state: 'waits' },
      ],
    })
  })
  test('none where none was told: all placed, nothing left, or opened before the events at hand', () => {
    expect(point(5, [...opened, eventOf(5, 'place', { buffer: 2, offset: 20 }, 3)])).toBeNull()
    expect(point(8, [...opened, eventOf(8, 'backtrack', { from: 4, to: 2, buffer: 0, major: true }, 2)])).toBeNull()
    expect(point(6, [minor(5, 2), minor(6, 4)])).toBeNull()
    expect(point(0, [])).toBeNull()
  })
})

describe('a conflict', () => {
  const problem = problemOf([
    [0, 4, 3],
    [0, 4, 2],
    [0, 4, 2],
    [0, 4, 2],
  ])
  const step = (events: SearchEvent[], undone: { buffer: number; offset: number }[] = []) => {
    const frame = frameOf([0, 3, -1, -1], { minOffset: Float64Array.from([0, 3, 5, 5]), undone })
    const scene = sceneOf(problem, 8, frame, events)
    return { view: readStep(scene), scene }
  }

  test('a minor backtrack: who has no position left and between what, and the placements that alone do it', () => {
    const { view, scene } = step([
      eventOf(1, 'reject', { buffer: 2, offset: 5, rule: unsatisfiable, section: NONE, floor: 7, rest: 6 }, 2, [3]),
      eventOf(1, 'culprits', { buffer: 3, least: 7, most: 6 }, 2, [2, 1, 0]),
    ])
    expect(view).toMatchObject({
      candidate: { buffer: 2, offset: 5, asked: true },
      proof: { kind: 'domain', buffer: 3, least: 7, most: 6 },
      culprits: [2, 1, 0],
    })
    expect(brackets(scene, view)).toEqual([{ buffer: 3, offset: 5, relevant: false, promoted: false }])
  })
  test('the buffer tried may be the one that has no position', () => {
    const { view } = step([
      eventOf(1, 'reject', { buffer: 2, offset: 5, rule: unsatisfiable, section: NONE, floor: 7, rest: -1 }, 2),
    ])
    expect(view.proof).toEqual({ kind: 'domain', buffer: 2, least: 7, most: -1 })
  })
  test('what is promoted has a bracket of its own kind', () => {
    const { view, scene } = step([
      eventOf(1, 'backtrack', { from: 4, to: 2, buffer: 2, major: true }, 2, [3, 2]),
      eventOf(1, 'promote', { level: 2, count: 1, pending: 2 }, 2, [3]),
    ])
    expect(brackets(scene, view)).toEqual([
      { buffer: 2, offset: 5, relevant: false, promoted: false },
      { buffer: 3, offset: 5, relevant: true, promoted: true },
    ])
  })
})

describe('on the strips', () => {
  test('minor, major and stuck backtracks differ', () => {
    const frame = frameOf([0], {
      events: [
        minor(1, 0),
        eventOf(2, 'backtrack', { from: 6, to: 2, buffer: 0, major: true }, 2),
        eventOf(3, 'backtrack', { from: 5, to: 1, buffer: 0, major: true, stuck: true }, 1),
      ],
    })
    expect(localGlyphs(frame, manifest)).toMatchObject([
      { kind: 'minor', fate: 'bound', level: 3 },
      { kind: 'backtrack', level: 6, to: 2, major: true, stuck: false },
      { kind: 'backtrack', level: 5, to: 1, major: true, stuck: true },
    ])
  })
  test('a minor backtrack is a spike of one level, unless more was undone in its bucket', () => {
    const overview = overviewOf(2, [
      [1, 2, 2],
      [2, 2, 2],
      [1, 4, 1, 3, 1],
    ])
    const columns = traceColumns(overview, 6, 6, 3, Uint32Array.from([0, 2, 1]))
    expect([...columns.undone]).toEqual([0, 1, 3])
    expect([...columns.major]).toEqual([0, 0, 1])
    expect(minorRule(manifest)).toBe(unsatisfiable)
  })
  test('culprits: the step and the level of each, also of those taken back, without the one just tried', () => {
    const placed = [
      eventOf(1, 'place', { buffer: 5, offset: 0 }, 1),
      eventOf(2, 'place', { buffer: 8, offset: 4 }, 2),
      eventOf(3, 'place', { buffer: 6, offset: 3 }, 3),
      eventOf(4, 'place', { buffer: 3, offset: 0 }, 4),
    ]
    const level = Int32Array.from([0, 0, 0, 4, 0, 1, 3, 0, 2])
    const blame = eventOf(5, 'culprits', { buffer: 1, least: 8, most: 7 }, 4, [7, 6, 8, 5])
    const rejected = frameOf([], { step: 5, level, events: [...placed, minor(5, 7), blame] })
    expect(culpritsOf(rejected)).toEqual([
      { buffer: 6, step: 3, level: 3 },
      { buffer: 8, step: 2, level: 2 },
      { buffer: 5, step: 1, level: 1 },
    ])
    const back = eventOf(6, 'backtrack', { from: 4, to: 2, buffer: 6, major: true }, 2, [3, 6])
    const gone = frameOf([], {
      step: 6,
      level: Int32Array.from([0, 0, 0, 0, 0, 1, 0, 0, 2]),
      events: [
        ...placed.slice(1),
        minor(5, 7),
        blame,
        back,
        eventOf(6, 'culprits', { buffer: NONE, least: 0, most: 0 }, 2, [6, 8, 5]),
      ],
    })
    expect(culpritsOf(gone)).toEqual([
      { buffer: 6, step: 3, level: 3 },
      { buffer: 8, step: 2, level: 2 },
      { buffer: 5, step: -1, level: 1 },
    ])
    expect(culpritsOf({ ...gone, step: 4 })).toEqual([])
  })
})
