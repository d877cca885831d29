import type { EventKind, EventOf } from '../../../wasm/client/types'
import { describe, expect, test } from 'vitest'
import { fateOf } from '../../../web/src/layout/step/fate'
import { LOCAL_STEPS, levelScale, localFirst, localGlyphs } from '../../../web/src/layout/search/local_steps'
import { axisSteps, stepAt, traceColumns, traceMarks } from '../../../web/src/layout/search/trace'
import { BRACKET_NEXT, brackets, readStep } from '../../../web/src/layout/step/witness'
import { eventOf, frameOf, manifest, overviewOf, problemOf, type Row, sceneOf } from '../support/layout_fixture'
import { ruleIndex } from '../support/rules'

const NONE = 0xffffffff
const problem = problemOf([
  [0, 10, 4],
  [0, 5, 6],
  [5, 10, 3],
  [2, 8, 5],
])

describe('what a step says', () => {
  const step = <K extends EventKind>(
    kind: K,
    said: Partial<EventOf<K>>,
    list: number[] = [],
    minOffset: number[] = [0, 0, 0, 0],
  ) => {
    const frame = frameOf([0, -1, -1, -1], { minOffset: Float64Array.from(minOffset) })
    return readStep(sceneOf(problem, 12, frame, [eventOf(1, kind, said, 1, list)]))
  }

  test('a placement is the candidate and proves nothing', () => {
    expect(step('place', { buffer: 1, offset: 4, support: 0, of: 3 })).toMatchObject({
      candidate: { buffer: 1, offset: 4, asked: false },
      proof: null,
    })
  })
  test('of two memories, who is considered or left out is shown where it lies', () => {
    expect(step('consider', { buffer: 0 }).candidate).toEqual({ buffer: 0, offset: 0, asked: false })
    expect(step('leave-out', { buffer: 0, why: 1 }).candidate).toEqual({ buffer: 0, offset: 0, asked: false })
    const packed = step('repack', { buffer: NONE, verdict: 0 }, [0, NONE])
    expect([packed.candidate, packed.swapped]).toEqual([null, [0]])
  })
  test('a rejection: floor and rest pierce the capacity by what is over', () => {
    const view = step(
      'reject',
      { buffer: 1, offset: 4, rule: ruleIndex('section'), section: 1, floor: 10, rest: 5 },
      [3],
    )
    expect(view.candidate).toEqual({ buffer: 1, offset: 4, asked: true })
    expect(view.proof).toEqual({ kind: 'section', section: 1, lower: 2, upper: 5, floor: 10, rest: 5, over: 3 })
    expect(view.culprits).toEqual([3])
  })
  test('a rejection by a fixed offset has no section', () => {
    expect(
      step('reject', { buffer: 2, offset: 4, rule: ruleIndex('fixed'), section: NONE, floor: 9, rest: 6 }).proof,
    ).toEqual({
      kind: 'fixed',
      buffer: 2,
      need: 9,
      fixed: 6,
    })
  })
  test('a rejection that pushes up a pinned buffer shows that buffer, not the one tried', () => {
    const pinned = { ...problem, fixed: Float64Array.from([-1, -1, 6, -1]) }
    const event = eventOf(
      1,
      'reject',
      { buffer: 3, offset: 1, rule: ruleIndex('fixed'), section: NONE, floor: 9, rest: 6 },
      1,
      [2],
    )
    const view = readStep(sceneOf(pinned, 12, frameOf([0, -1, -1, -1]), [event]))
    expect(view.candidate).toMatchObject({ buffer: 3 })
    expect(view.proof).toEqual({ kind: 'fixed', buffer: 2, need: 9, fixed: 6 })
  })
  test('canonical order: the last offset; dominance and hatless: the buffer that proves it', () => {
    expect(
      step('skip', { buffer: 1, offset: 2, rule: ruleIndex('canonical'), witness: 0, bound: 7, count: 3 }).proof,
    ).toEqual({ kind: 'canonical', last: 7 })
    expect(
      step(
        'skip',
        { buffer: 1, offset: 9, rule: ruleIndex('dominance'), witness: 3, bound: 9, count: 1 },
        [],
        [0, 0, 0, 4],
      ).proof,
    ).toMatchObject({
      kind: 'dominance',
      tile: { buffer: 3, offset: 4 },
    })
    expect(
      step('skip', { buffer: 1, offset: 9, rule: ruleIndex('hatless'), witness: 0, bound: 4, count: 1 }).proof,
    ).toMatchObject({
      kind: 'hatless',
      tile: { buffer: 0, offset: 0 },
    })
    expect(
      step('skip', { buffer: 1, offset: 9, rule: ruleIndex('dominance'), witness: NONE, bound: 9, count: 1 }).proof,
    ).toMatchObject({ tile: null })
  })
  test('a gap too small, a skyline row, a finished plan', () => {
    expect(step('no-fit', { buffer: 1, offset: 4, blocker: 0, need: 6, room: 2 })).toMatchObject({
      proof: { kind: 'gap', buffer: 1, offset: 4, need: 6, room: 2 },
      culprits: [0],
    })
    expect(step('advance', { row: 4, next: 9 }).proof).toEqual({ kind: 'row', row: 4, next: 9 })
    expect(step('incumbent', { height: 12 }).incumbent).toBe(12)
  })
  test('a floor left idle: from the floor to the next one, over its section', () => {
    expect(step('waste', { section: 1, floor: 4, to: 6, buffer: 3 }, [1, 3])).toMatchObject({
      candidate: null,
      proof: { kind: 'waste', section: 1, lower: 2, upper: 5, floor: 4, to: 6 },
    })
    expect(step('waste', { section: 99, floor: 4, to: 6, buffer: 3 }).proof).toBeNull()
  })
  test('the section asked next, offsets raised, buffers in conflict', () => {
    expect(step('choose', { section: 2, floor: 4, rest: 9, score: -9, waste: 0, buffer: NONE }, [1]).question).toEqual({
      section: 2,
      lower: 5,
      upper: 8,
      floor: 4,
    })
    expect(
      step('raise', { buffer: 1, offset: 6, rule: ruleIndex('not-first'), section: 1, from: 2, other: 0xffffffff })
        .rises,
    ).toEqual([{ buffer: 1, from: 2, to: 6 }])
    expect(step('conflict', { size: 2, learned: 1, section: NONE }, [1, 3, 200]).conflict).toEqual([1, 3])
  })
  test('a conflict met before has no section and pins nothing', () => {
    const view = step(
      'reject',
      { buffer: 1, offset: 4, rule: ruleIndex('nogood'), section: NONE, floor: 0, rest: 0 },
      [2, 3],
    )
    expect(view).toMatchObject({ candidate: { buffer: 1 }, proof: null, culprits: [2, 3] })
  })
  test('where the limit of a probe is not known, nothing is said to be over it', () => {
    const event = eventOf(
      1,
      'reject',
      { buffer: 1, offset: 4, rule: ruleIndex('section'), section: 1, floor: 10, rest: 5 },
      1,
      [3],
    )
    const scene = { ...sceneOf(problem, 12, frameOf([0, -1, -1, -1]), [event]), limit: null }
    expect(readStep(scene).proof).toMatchObject({ kind: 'section', floor: 10, rest: 5, over: null })
  })
  test('a swap: who changes places, and who ends highest', () => {
    const swap = eventOf(1, 'swap-back', { buffer: 1, other: 2, height: 12, before: 14, why: 0, best: 14 }, 4, [3])
    const why = eventOf(1, 'bottleneck', { buffer: 3, top: 14, near: 2, second: NONE, partner: NONE }, 4, [1, 2])
    const scene = sceneOf(problem, 12, frameOf([0, 4, 0, 9]), [swap, why])
    expect(readStep(scene)).toMatchObject({ candidate: null, proof: null, swapped: [1, 2], culprits: [3] })
    const twice = eventOf(1, 'bottleneck', { buffer: 3, top: 14, near: 2, second: 0, partner: 3 }, 4, [1, 2])
    expect(readStep({ ...scene, now: [swap, twice] }).swapped).toEqual([1, 2, 0, 3])
    const kept = sceneOf(problem, 12, frameOf([0, 4, 0, 3]), [swap, why])
    expect(readStep(kept).culprits).toEqual([])
    expect(step('swap-back', { buffer: NONE, other: NONE, height: 14, before: 14, why: 2, best: 14 }).swapped).toEqual(
      [],
    )
  })
  test('indices from elsewhere do no harm', () => {
    const view = step('reject', { buffer: 77, offset: 4, rule: 99, section: 1e6, floor: 10, rest: 5 }, [3, 200])
    expect(view).toMatchObject({ candidate: null, proof: null, culprits: [3] })
    expect(step('skip', { buffer: 1, offset: 2, rule: 99, witness: 77, bound: 7, count: 3 }).proof).toMatchObject({
      kind: 'other',
      tile: null,
    })
    expect(readStep(sceneOf(problem, 12, null)).candidate).toBeNull()
  })
  test('ghosts are what this step took back', () => {
    const frame = frameOf([0, -1, -1, -1], {
      undone: [
        { buffer: 2, offset: 4 },
        { buffer: 9, offset: 4 },
      ],
    })
    expect(readStep(sceneOf(problem, 12, frame)).ghosts).toEqual([{ buffer: 2, offset: 4 }])
  })
})

describe('brackets', () => {
  const many = problemOf(Array.from({ length: 100 }, (_, i): Row => [i, i + 5, 1]))
  const scene = (placed: number) => {
    const offsets = Array.from({ length: 100 }, (_, i) => (i < placed ? 0 : -1))
    const minOffset = Float64Array.from({ length: 100 }, (_, i) => 100 - i)
    const event = eventOf(
      1,
      'reject',
      { buffer: 99, offset: 4, rule: ruleIndex('section'), section: 0, floor: 10, rest: 5 },
      placed,
      [50, 60],
    )
    return sceneOf(many, 200, frameOf(offsets, { minOffset }), [event])
  }
  test('all of few, but never the candidate or a placed one', () => {
    const list = brackets(scene(45), readStep(scene(45)))
    expect(list.length).toBe(54)
    expect(list.some((b) => b.buffer === 99 || b.buffer < 45)).toBe(false)
    expect(list.slice(-2).map((b) => [b.buffer, b.relevant])).toEqual([
      [50, true],
      [60, true],
    ])
  })
  test("of many the proof's and the next twelve", () => {
    const list = brackets(scene(10), readStep(scene(10)))
    expect(list.length).toBe(BRACKET_NEXT + 2)
    expect(list[0]?.buffer).toBe(98)
  })
  test('a solver that keeps no least offsets has none', () => {
    const none = sceneOf(many, 200, frameOf(Array.from({ length: 100 }, () => -1)))
    expect(brackets(none, readStep(none))).toEqual([])
  })
})

describe('the trace', () => {
  test('several buckets in a column: extremes of all, spikes of all', () => {
    const overview = overviewOf(2, [
      [1, 2, 2],
      [0, 3, 1, 2],
      [1, 9, 9, 8],
      [4, 9, 4, 5, 1],
    ])
    const columns = traceColumns(overview, 8, 8, 2)
    expect([...columns.min]).toEqual([0, 1])
    expect([...columns.max]).toEqual([3, 9])
    expect([...columns.last]).toEqual([1, 4])
    expect([...columns.undone]).toEqual([2, 8])
    expect([...columns.major]).toEqual([0, 1])
    expect(columns).toMatchObject({ mostUndone: 8, deepest: 9 })
  })
  test('a bucket wider than a column leaves no hole and one spike', () => {
    const columns = traceColumns(
      overviewOf(64, [
        [0, 5, 5, 3],
        [5, 9, 9],
      ]),
      128,
      128,
      64,
    )
    expect([...columns.used].every((used) => used === 1)).toBe(true)
    expect([...columns.undone].filter((u) => u > 0)).toEqual([3])
    expect(columns.max[31]).toBe(5)
    expect(columns.max[32]).toBe(9)
  })
  test('the last bucket ends where the search does', () => {
    const columns = traceColumns(
      overviewOf(64, [
        [0, 5, 5],
        [5, 9, 9],
      ]),
      65,
      65,
      65,
    )
    expect(columns.max[63]).toBe(5)
    expect(columns.max[64]).toBe(9)
    expect(traceColumns(overviewOf(1, []), 0, 1, 100).used.some((used) => used > 0)).toBe(false)
  })
  test('the axis is the search, and while it runs the next power of two', () => {
    const overview = overviewOf(64, [])
    expect(axisSteps(overview, 168813, false)).toBe(168813)
    expect(axisSteps(overview, 168813, true)).toBe(262144)
    expect(axisSteps(overview, 0, false)).toBe(1)
    expect(axisSteps(overviewOf(1, []), 3, true)).toBe(256)
  })
  test('steps under the pointer stay within those taken', () => {
    expect(stepAt(0.5, 200, 200)).toBe(100)
    expect(stepAt(1, 262144, 168813)).toBe(168813)
    expect(stepAt(-1, 200, 200)).toBe(0)
    expect(stepAt(Number.NaN, 200, 200)).toBe(0)
  })
  test('restarts are named where there is room, decompositions are not marked', () => {
    const overview = overviewOf(
      1,
      [],
      [
        { step: 1, kind: 'restart', value: 0 },
        { step: 11, kind: 'restart', value: 1 },
        { step: 12, kind: 'decompose', value: 4 },
        { step: 500, kind: 'incumbent', value: 9 },
      ],
    )
    const marks = traceMarks(overview, 1000, 1000, (arm) => ['WAT', 'TAW'][arm] ?? '')
    expect(marks).toEqual([
      { x: 0, kind: 'restart', name: '' },
      { x: 10, kind: 'restart', name: 'TAW' },
      { x: 500, kind: 'incumbent', name: '' },
    ])
  })
})

describe('the steps around the cursor', () => {
  test('the window holds 84 steps wherever the cursor is', () => {
    for (const cursor of [0, 1, 40, 67, 500, 990, 1000]) {
      const first = localFirst(cursor, 1000)
      const last = first + LOCAL_STEPS - 1
      expect(first).toBeGreaterThanOrEqual(1)
      expect(last).toBeLessThanOrEqual(1000)
      expect(first).toBeLessThanOrEqual(Math.max(1, cursor))
      expect(last).toBeGreaterThanOrEqual(cursor)
    }
    expect(localFirst(3, 9)).toBe(1)
    expect(localFirst(0, 0)).toBe(1)
  })
  test('glyphs: the level tried, the level left, the fate of the rule', () => {
    const frame = frameOf([0, -1, -1, -1], {
      events: [
        eventOf(1, 'place', { buffer: 0, offset: 0 }, 1),
        eventOf(2, 'reject', { buffer: 1, offset: 4, rule: ruleIndex('section') }, 1),
        eventOf(3, 'skip', { buffer: 1, offset: 4, rule: ruleIndex('dominance') }, 1),
        eventOf(3, 'decompose', { parts: 2 }, 1),
        eventOf(4, 'backtrack', { from: 9, to: 2, buffer: 1, major: true }, 2),
        eventOf(5, 'waste', { section: 0, floor: 2, to: 4, buffer: 1 }, 2),
        eventOf(6, 'reject', { buffer: 1, offset: 4, rule: ruleIndex('nogood') }, 2),
        eventOf(7, 'probe', { capacity: 12, limit: 0, lower: 9, upper: 14, purpose: 0 }, 0),
        eventOf(8, 'swap', { buffer: 0, other: 1, height: 12, before: 14, best: 12 }, 4),
        eventOf(9, 'swap-back', { buffer: 0, other: 1, height: 15, before: 14, why: 1, best: 12 }, 4),
      ],
    })
    expect(localGlyphs(frame, manifest).map((g) => [g.kind, g.fate, g.level, g.to, g.major])).toEqual([
      ['place', 'other', 1, 1, false],
      ['reject', 'bound', 2, 2, false],
      ['reject', 'dominance', 2, 2, false],
      ['backtrack', 'other', 9, 2, true],
      ['waste', 'other', 3, 3, false],
      ['reject', 'learned', 3, 3, false],
      ['restart', 'other', 0, 0, false],
      ['place', 'bound', 4, 4, false],
      ['minor', 'bound', 4, 4, false],
    ])
  })
  test('every rule of the core that discards a decision has a fate', () => {
    const fates = manifest.rules.slice(1).map((rule) => fateOf(rule.id))
    expect(fates).toEqual([
      ...['bound', 'bound', 'bound', 'bound', 'canonical', 'dominance', 'hatless', 'bound', 'bound', 'learned'],
      ...['bound', 'bound', 'hatless', 'hatless', 'bound', 'dominance', 'learned', 'learned', 'bound'],
      ...['bound', 'bound', 'bound', 'bound'],
    ])
  })
  test('levels: a row each while they fit, else evenly apart', () => {
    const glyph = (level: number, to = level) => ({
      step: 1,
      kind: 'place' as const,
      fate: 'other' as const,
      level,
      to,
      major: false,
      stuck: false,
    })
    expect(levelScale([glyph(267), glyph(265)], 266, 44)).toEqual({ top: 267, low: 264, rows: [267, 266, 265, 264] })
    const wide = levelScale([glyph(300, 20)], 20, 44)
    expect(wide.top).toBe(300)
    expect(wide.low).toBe(20)
    expect(wide.rows.length).toBeLessThanOrEqual(5)
    expect(levelScale([], 0, 44)).toEqual({ top: 1, low: 0, rows: [1, 0] })
  })
})
