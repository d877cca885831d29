/** What the Step tab says of every kind of event, word for word. */
import { describe, expect, it } from 'vitest'
import type { Frame, Problem } from '../../wasm/client/types'
import { overload, plainText, type Span, tell } from '../../web/src/state/sentence'
import { event, fiveBuffers, frameOf, manifest, rule } from './fake'

const NONE = 0xffffffff
const problem = fiveBuffers()

function story(frame: Frame, of: Problem = problem) {
  return tell({ problem: of, manifest, capacity: 12, frame, armName: (arm) => ['WAT', 'TAW'][arm] ?? '?' })
}
const text = (spans: Span[]) => plainText(spans, problem.ids, String)
const say = (frame: Frame, of?: Problem) => text(story(frame, of).spans)
const sentences = (words: string) => words.split(/[.](\s|$)/).filter((part) => part?.trim()).length

const section = event(3, 'reject', [3, 4, rule('section'), 2, 8, 6], { list: Uint32Array.from([1, 2]) })

const CASES: [string, Frame, string][] = [
  [
    'the beginning',
    frameOf(0, []),
    'Nothing is placed yet. 5 buffers wait for an offset below 12. The load is greatest in section 0, with 12.',
  ],
  [
    'a placement on the ground',
    frameOf(1, [event(1, 'place', [4, 0, NONE, 5], { list: Uint32Array.from([0, 2]) })], {
      tried: Uint32Array.from([2]),
      candidates: Uint32Array.from([5]),
    }),
    'Placing b5 at 0, on the ground. It is candidate 2 of 5 at this level. The least offset of 2 unplaced buffers rises.',
  ],
  ['a placement on another', frameOf(2, [event(2, 'place', [2, 4, 4, 1])]), 'Placing b3 at 4, on top of b5.'],
  [
    'the last placement',
    frameOf(6, [event(6, 'place', [3, 4, 4, 1]), event(6, 'incumbent', [12])]),
    'Placing b4 at 4, on top of b5. Every buffer is placed: the plan is 12 high.',
  ],
  [
    'a section bound',
    frameOf(3, [section]),
    'Placing b4 at 4 lifts the floor of section 2 to 8. Buffers still to place there need 6, and only 4 remain below capacity.',
  ],
  [
    'the capacity',
    frameOf(3, [event(3, 'reject', [3, 10, rule('capacity'), 2, 14, 0])]),
    'Placing b4 at 10 fills section 2 up to 14. That is 2 above the capacity.',
  ],
  [
    'the monotonic floor',
    frameOf(3, [event(3, 'reject', [3, 9, rule('monotonic-floor'), 1, 9, 4])]),
    'After placing b4 at 9 nothing may go lower, so the floor of section 1 is 9. Buffers still to place there need 4, and only 3 remain below capacity.',
  ],
  [
    'the unallocated floor',
    frameOf(3, [event(3, 'reject', [3, 9, rule('unallocated-floor'), 1, 11, 4])]),
    'With b4 at 9, no unplaced buffer of section 1 can start below 11. Buffers still to place there need 4, and only 1 remains below capacity.',
  ],
  [
    'canonical order, lower',
    frameOf(4, [event(4, 'skip', [3, 4, rule('canonical'), 1, 8, 1])]),
    'b4 at 4 is skipped: b2 was placed at 8, and offsets may not go down. The packing with it below is searched in another branch.',
  ],
  [
    'canonical order, equal, three at once',
    frameOf(4, [event(4, 'skip', [3, 8, rule('canonical'), 1, 8, 3], { list: Uint32Array.from([3, 0, 2]) })]),
    'b4 at 8 and 2 other candidates are skipped: b2 was placed at 8, and equal offsets are taken in order. The packing with both is searched in another branch.',
  ],
  [
    'dominance',
    frameOf(4, [event(4, 'skip', [3, 8, rule('dominance'), 0, 6, 1])]),
    'b4 at 8 is skipped: b1 still fits entirely below, up to 6. Placing it first is never worse.',
  ],
  [
    'hatless',
    frameOf(4, [event(4, 'skip', [3, 8, rule('hatless'), 0, 4, 1])]),
    "b4 at 8 is skipped: nothing unplaced lies above b1, so it is in nobody's way. What did not work with it does not work with its siblings.",
  ],
  [
    'a backtrack',
    frameOf(5, [event(5, 'backtrack', [4, 2, 1, 0])], {
      undone: [
        { buffer: 3, offset: 8 },
        { buffer: 1, offset: 4 },
      ],
    }),
    'No candidate is left at level 5. 2 levels are taken back, down to b2, which lay at 4.',
  ],
  [
    'a backtrack of one level',
    frameOf(5, [event(5, 'backtrack', [2, 1, 1, 0])], { undone: [{ buffer: 1, offset: 4 }] }),
    'No candidate is left at level 3. So b2, which lay at 4, is taken back.',
  ],
  [
    'the last placement of a plan that is too high',
    frameOf(6, [event(6, 'place', [3, 10, 4, 1]), event(6, 'incumbent', [14])]),
    'Placing b4 at 10, on top of b5. Every buffer is placed: the plan is 14 high, 2 above the capacity.',
  ],
  [
    'a placement that sets something off, before how many candidates there were',
    frameOf(2, [event(2, 'place', [2, 4, 4, 3], { list: Uint32Array.from([0]) }), event(2, 'decompose', [2])], {
      tried: Uint32Array.from([1]),
      candidates: Uint32Array.from([3]),
    }),
    'Placing b3 at 4, on top of b5. The unplaced buffers fall into 2 parts that no longer meet in time.',
  ],
  [
    'the end of a proof',
    frameOf(5, [event(5, 'backtrack', [0, 0, NONE, 0])]),
    'No candidate is left at level 1, and there is nothing placed that could be taken back.',
  ],
  [
    'a restart',
    frameOf(7, [event(7, 'restart', [2, 1, 40])]),
    'Attempt 2 starts with order TAW and ends after 40 nodes if it finds nothing.',
  ],
  [
    'a gap too small',
    frameOf(8, [event(8, 'no-fit', [3, 4, 1, 4, 3])]),
    'The gap at 4 below b2 has 3. b4 needs 4, 1 more.',
  ],
  [
    'a finished row',
    frameOf(9, [event(9, 'advance', [4, 8])]),
    'The row at 4 is finished: no unplaced buffer fits there any more. The next row is at 8.',
  ],
  [
    'a shared object',
    frameOf(9, [event(9, 'new-slot', [3, 8, 2, 4])]),
    'No shared object is free for b4. Number 3, with a size of 4, is opened for it at 8.',
  ],
  [
    'a decomposition',
    frameOf(2, [event(2, 'place', [2, 4, 4, 1]), event(2, 'decompose', [3], { list: Uint32Array.from([0, 1, 3]) })]),
    'Placing b3 at 4, on top of b5. The unplaced buffers fall into 3 parts that no longer meet in time.',
  ],
  [
    'a solved part',
    frameOf(2, [event(2, 'place', [2, 4, 4, 1]), event(2, 'part-solved', [1, 3])]),
    'Placing b3 at 4, on top of b5. Part 1 of 3 is solved.',
  ],
]

describe('sentence', () => {
  it.each(CASES)('tells %s', (_, frame, words) => {
    expect(say(frame)).toBe(words)
    expect(sentences(words)).toBeLessThanOrEqual(3)
  })

  it('tells every kind of event that the manifest has', () => {
    for (const info of manifest.events) {
      const told = story(frameOf(1, [event(1, info.id, [0, 0, 0, 0, 0, 0])]))
      expect(text(told.spans)).not.toBe('')
      expect(text(told.spans)).not.toMatch(/undefined|NaN/)
    }
  })

  it('never says more than three sentences, whatever comes together', () => {
    const all = frameOf(2, [
      event(2, 'place', [2, 4, 4, 3], { list: Uint32Array.from([0, 1]) }),
      event(2, 'decompose', [3]),
      event(2, 'part-solved', [1, 3]),
      event(2, 'incumbent', [12]),
    ])
    expect(sentences(say(all))).toBeLessThanOrEqual(3)
  })

  it('tells a fixed offset that cannot be kept', () => {
    const fixed = { ...problem, fixed: Float64Array.from([-1, 6, -1, -1, -1]) }
    const frame = frameOf(3, [event(3, 'reject', [3, 4, rule('fixed'), NONE, 8, 6], { list: Uint32Array.from([1]) })])
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
    const why = overload(problem, 10)
    expect(why).toMatchObject({ section: 0, time: 0, buffers: [0, 2, 4], need: 12, over: 2 })
    expect(text(why?.spans ?? [])).toBe(
      'At time 0 in section 0, 3 buffers are alive at once. Together they need 12, 2 more than the capacity. No order of placement can help.',
    )
  })

  it('is silent where the load fits', () => {
    expect(overload(problem, 12)).toBeNull()
  })
})
