/** Films: which steps are their frames. That their files play is seen in tests/e2e/page/export.e2e.ts. */
import { describe, expect, it } from 'vitest'
import { filmPlan, MOST_FRAMES } from '../../../web/src/export/figure/film'

describe('the frames of a film', () => {
  it('are the steps themselves while there are at most 30 a second', () => {
    expect(filmPlan(2, 6, 4)).toEqual({ steps: [2, 3, 4, 5, 6], each: 250, duration: 2250 })
    expect(filmPlan(7, 7, 1)?.steps).toEqual([7])
  })

  it('pass over steps of a fast search, but for the first and the last', () => {
    const plan = filmPlan(0, 1000, 3000)
    expect(plan?.steps.slice(0, 3)).toEqual([0, 100, 200])
    expect(plan?.steps.at(-1)).toBe(1000)
    expect(plan?.each).toBeCloseTo(1000 / 30)
    expect(filmPlan(0, 1001, 3000)?.steps.slice(-2)).toEqual([1000, 1001])
    const slow = filmPlan(0, 100, 45)
    expect(slow?.steps).toEqual([...new Set(slow?.steps)].sort((a, b) => a - b))
  })

  it('are not more than five minutes', () => {
    expect(filmPlan(0, MOST_FRAMES, 30)).toBeNull()
    expect(filmPlan(0, MOST_FRAMES - 1, 30)?.steps).toHaveLength(MOST_FRAMES)
    expect(filmPlan(0, 10_000_000, 1_000_000)?.steps).toHaveLength(301)
  })
})
