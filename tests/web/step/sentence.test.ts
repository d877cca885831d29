/** What the Step tab says of every kind of event, word for word. */
import { STEP_KINDS } from '../../../wasm/client/events'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Frame } from '../../../wasm/client/types'
import { overload } from '../../../web/src/state/problem/overload'
import { rotations } from '../../../web/src/state/solver/arms'
import { byteUnit } from '../../../web/src/base/format'
import { plain } from '../../../web/src/state/step/plain'
import { bytes, type Teller, wholeBytes } from '../../../web/src/state/step/sentence_parts'
import { moreWords } from '../../../web/src/state/step/sentence'
import { event, frameOf, inPools } from '../support/fake'
import { ruleIndex as rule } from '../support/rules'
import { EXACT } from './sentence_exact'
import { CASES } from './sentence_minimalloc'
import { ids, NONE, problem, say, section, sentences, story, text } from './sentence_support'
import { CASES as SELECT } from './sentence_select'
import { TELAMALLOC } from './sentence_telamalloc'

describe('words that come later', () => {
  it('are missed without harm: the event goes by its name until they are there', async () => {
    const frame = frameOf(3, [
      event(3, 'waste', { section: 1, floor: 4, to: 6, buffer: 0 }, ids(1, 2)),
      event(3, 'conflict', { size: 2, learned: 0, section: 1 }, ids(1, 2)),
    ])
    expect(say(frame)).toBe('waste')
    await moreWords.get()
    expect(say(frame)).toMatch(/^Nobody sits on the floor of section 1.* is impossible\.$/)
  })
})

describe('sentence', () => {
  beforeAll(() => moreWords.get())

  it('rounds where something lies, and not what was found or proved', () => {
    const spans = [bytes(1000, 'now'), bytes(2000, 'ok'), bytes(1000, 'bound'), wholeBytes(1900)]
    expect(spans.map((span) => plain([span], byteUnit(2000), String))).toEqual([
      '1 KiB',
      '2,000 B',
      '1,000 B',
      '1,900 B',
    ])
  })

  it.each(TELAMALLOC)('tells of TelaMalloc %s', (_, frame, words) => {
    expect(say(frame)).toBe(words)
    expect(sentences(words)).toBeLessThanOrEqual(3)
  })

  it('tells minor, major and stuck backtracks of TelaMalloc apart at sight', () => {
    const chip = (frame: Frame) => {
      const { chip, tone, glyph, title } = story(frame)
      return [chip, tone, glyph, title]
    }
    const minor = frameOf(3, [
      event(
        3,
        'reject',
        { buffer: 3, offset: 6, rule: rule('unsatisfiable'), section: NONE, floor: 8, rest: 7 },
        ids(1),
      ),
    ])
    const back = (stuck: number) =>
      event(5, 'backtrack', { from: 4, to: 2, buffer: 1, major: true, stuck: stuck === 1 }, ids(3, 1))
    expect(chip(minor)).toEqual(['Minor backtrack', 'plain', 'cross', 'unsatisfiable'])
    expect(chip(frameOf(5, [back(0), event(5, 'culprits', { buffer: NONE, least: 0, most: 0 }, ids(1))]))).toEqual([
      ...['Major backtrack', 'why', 'back', 'level 5 to 3'],
    ])
    expect(chip(frameOf(5, [back(1), event(5, 'stuck', { level: 2, backtracks: 101, limit: 100 })]))).toEqual([
      ...['Stuck', 'learned', 'back', 'level 5 to 3'],
    ])
  })

  it('tells a fresh start of TelaMalloc', () => {
    const armName = (arm: number) => rotations('LSA')[arm] ?? '?'
    const of = (round: number) =>
      text(story(frameOf(1, [event(1, 'restart', { round, arm: 1, limit: 100 })]), problem, { armName }).spans)
    expect(of(0)).toBe(
      'The plan of the contention heuristic is higher than the capacity. The search starts on empty memory.',
    )
    expect(of(1)).toBe(
      'The search ran out of moves and starts again, attempt 2. Candidates are now proposed in the order size, area, lifetime.',
    )
  })

  it.each(SELECT)('tells of a selection %s', (_, frame, words) => {
    expect(say(frame)).toBe(words)
    expect(sentences(words)).toBeLessThanOrEqual(3)
  })

  it('tells of a selection before its first step that all is in slow memory', () => {
    const pools = [
      { id: 'fast', capacity: 0, alignment: 1, bank: 0 },
      { id: 'slow', capacity: 99, alignment: 1, bank: 0 },
    ]
    const both = { ...problem, pools } as Teller['problem']
    const start = {
      ...frameOf(0, []),
      situation: { problem: both, revision: 0, frontier: 5, order: new Uint32Array() },
    }
    expect(text(story(start, both).spans)).toBe(
      'All 5 buffers live in slow memory. Who moves the most bytes for the root of its size looks first for a gap in fast memory, of 12.',
    )
  })

  it.each(EXACT)('tells %s', (_, frame, words) => {
    expect(say(frame)).toBe(words)
    expect(sentences(words)).toBeLessThanOrEqual(3)
  })

  it('says of a load that is too much what it is more than', () => {
    const frame = frameOf(1, [
      event(1, 'reject', { buffer: 0, offset: 0, rule: rule('section'), section: 1, floor: 0, rest: 12 }, ids(0, 1, 2)),
    ])
    const of = (more: Partial<Teller>) => text(story(frame, problem, more).spans)
    expect(of({ capacity: 10, minimising: true })).toBe(
      'The load of section 1 alone is 12, 2 more than the height that is looked for. No order of placement can help.',
    )
    expect(of({ capacity: null, minimising: true })).toBe(
      'The load of section 1 alone is 12, above the height that is looked for.',
    )
  })

  it('says nothing of a capacity while the height is what is looked for', () => {
    const told = story(frameOf(3, [section]), problem, { capacity: null, minimising: true })
    expect(text(told.spans)).toBe(
      'Placing b4 at 4 lifts the floor of section 2 to 8. Buffers still to place there need 6, which reaches above the height that is looked for.',
    )
    expect(told.sum).toBeNull()
    const begin = story(frameOf(0, []), problem, { capacity: null, minimising: true })
    expect(text(begin.spans)).toMatch(/^Nothing is placed yet\. 5 buffers wait for an offset, as low as can be\./)
  })

  it('lights the buffers of a conflict', () => {
    const { spans } = story(
      frameOf(3, [section, event(3, 'conflict', { size: 3, learned: 0, section: NONE }, ids(1, 2, 3))]),
    )
    expect(spans.find((span) => span.kind === 'count' && span.value === 3)).toMatchObject({
      lights: { buffers: [1, 2, 3], section: -1 },
    })
  })

  it.each(CASES)('tells %s', (_, frame, words, capacity = 12) => {
    expect(text(story(frame, problem, { capacity }).spans)).toBe(words)
    expect(sentences(words)).toBeLessThanOrEqual(3)
  })

  it('tells every kind of step that there is', () => {
    for (const kind of STEP_KINDS) {
      const told = story(frameOf(1, [event(1, kind, {}), event(1, 'bottleneck', {})]))
      expect(text(told.spans)).not.toBe('')
      expect(text(told.spans)).not.toBe(kind)
      expect(text(told.spans)).not.toMatch(/undefined|NaN/)
    }
  })

  it('never says more than three sentences, whatever comes together', () => {
    const all = frameOf(2, [
      event(2, 'place', { buffer: 2, offset: 4, support: 4, of: 3 }, { list: Uint32Array.from([0, 1]) }),
      event(2, 'decompose', { parts: 3 }),
      event(2, 'part-solved', { part: 1, parts: 3 }),
      event(2, 'incumbent', { height: 12 }),
    ])
    expect(sentences(say(all))).toBeLessThanOrEqual(3)
  })

  it('says of one of several pools that its plan is there, and not all of it', () => {
    const frame = frameOf(2, [
      event(2, 'place', { buffer: 2, offset: 4, support: 4, of: 3 }, { list: Uint32Array.from([0, 1]) }),
      event(2, 'incumbent', { height: 12 }),
    ])
    expect(say(frame)).toContain('Every buffer is placed: the plan is 12 high.')
    const both = inPools(problem, [0, 1, 0, 0, 1])
    expect(text(story(frame, both).spans)).toContain('Every buffer of the pool is placed: its plan is 12 high.')
  })

  it('tells a fixed offset that cannot be kept', () => {
    const fixed = { ...problem, fixed: Float64Array.from([-1, 6, -1, -1, -1]) }
    const frame = frameOf(3, [
      event(
        3,
        'reject',
        { buffer: 3, offset: 4, rule: rule('fixed'), section: NONE, floor: 8, rest: 6 },
        { list: Uint32Array.from([1]) },
      ),
    ])
    expect(say(frame, fixed)).toBe(
      'Placing b4 at 4 pushes b2 up to 8, but it is fixed at 6. The placement is taken back.',
    )
  })

  it('lights what its numbers speak of', () => {
    const { spans, sum } = story(frameOf(3, [section]))
    const rest = spans.find((span) => span.kind === 'bytes' && span.value === 6)
    expect(rest).toMatchObject({ lights: { buffers: [1, 2], section: 2 } })
    expect(sum).toEqual({ floor: 8, rest: 6, capacity: 12 })
  })
})

describe('overload', () => {
  it('names the section, its buffers and what is missing', () => {
    const why = overload(problem, 10, () => '')
    expect(why).toMatchObject({ section: 0, time: 0, buffers: [0, 2, 4], need: 12, over: 2 })
    expect(text(why?.spans ?? [])).toBe(
      'At time 0 in section 0, 3 buffers are alive at once. Together they need 12, 2 more than the capacity. No order of placement can help.',
    )
  })

  it('names the operator of a model that runs then', () => {
    const why = overload(problem, 10, (time) => (time === 0 ? 'Conv_0' : ''))
    expect(text(why?.spans ?? [])).toMatch(/^At operator 0, Conv_0, in section 0, 3 buffers/)
  })

  it('is silent where the load fits', () => {
    expect(overload(problem, 12, () => '')).toBeNull()
  })
})
