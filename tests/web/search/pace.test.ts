/** The pace of a search that is played, and what is said of it while single steps pass too fast. */
import { describe, expect, it } from 'vitest'
import { paceFor } from '../../../web/src/state/search/pace'
import { minorRule } from '../../../web/src/layout/step/fate'
import { passageOf } from '../../../web/src/state/search/passage'
import { manifest } from '../support/fake'

describe('the pace', () => {
  it('shows a whole search in about twenty seconds, and a short one step by step', () => {
    for (const length of [0, 1, 18, 39, 40]) expect(paceFor(length)).toBe(2)
    for (const length of [41, 100, 163, 1162, 10_646, 203_205, 9_999_999]) {
      const time = length / paceFor(length)
      expect(time, String(length)).toBeGreaterThan(13)
      expect(time, String(length)).toBeLessThan(27)
    }
    expect(paceFor(1e9)).toBe(1e6)
  })
})

describe('a passage', () => {
  const words = (...numbers: number[]) => Uint32Array.from(numbers)
  const overview = {
    width: 10,
    count: 4,
    minDepth: words(0, 3, 2, 9),
    maxDepth: words(4, 6, 8, 9),
    lastDepth: words(4, 5, 8, 9),
    maxUndone: words(0, 1, 1, 0),
    placed: new Uint32Array(),
    backtracks: words(0, 2, 3, 0),
    major: words(0, 0, 0, 0),
    rules: manifest.rules.map((_, rule) => (rule === 0 ? words(1, 4, 0, 0) : words(0, 1, 1, 0))),
    marks: [],
  }
  it('is counted in whole buckets', () => {
    const others = manifest.rules.filter(({ id }, rule) => rule > 0 && id !== 'unsatisfiable').length
    expect(passageOf(overview, minorRule(manifest), 12, 27)).toEqual({
      from: 11,
      to: 30,
      rejected: 4 + 2 * others,
      backtracks: 5,
      low: 2,
      high: 8,
    })
    expect(passageOf(overview, minorRule(manifest), 10, 20)).toMatchObject({ from: 11, to: 20, backtracks: 2 })
    expect(passageOf(overview, minorRule(manifest), 50, 60)).toBeNull()
  })
})
