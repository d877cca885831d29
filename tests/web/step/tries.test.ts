/** What is told of the dives of the large solver. */
import { beforeAll, expect, test } from 'vitest'
import type { SolverInfo } from '../../../wasm/client/types'
import { armNamesOf } from '../../../web/src/state/solver/arms'
import { moreWords } from '../../../web/src/state/step/sentence'
import { event, frameOf, manifest } from '../support/fake'
import { story, text } from './sentence_support'

const large = { ...manifest.solvers[0], id: 'large' } as SolverInfo
const names = () => armNamesOf(large, { goal: 'height', options: {} })

beforeAll(() => moreWords.get())

const SITS = 'Of the buffers on the floor where most is left to place, the longest that fits sits there'

test.each([
  { arm: 12, target: -1, words: `Try 3 starts: a dive. ${SITS}.` },
  {
    arm: 13,
    target: 14,
    words: `Try 3 starts: a dive by chance. ${SITS}, each life counting as up to half as long again by chance. It is abandoned if it rises above 14.`,
  },
])('a try that is dive $arm', ({ arm, target, words }) => {
  const frame = frameOf(9, [
    event(9, 'restart', { round: 3, arm, limit: 64 }),
    event(9, 'target', { target, best: -1, failed: -1, nth: 0 }),
  ])
  const told = story(frame, undefined, { armName: (k) => names()[k] ?? '?' })
  expect(text(told.spans)).toBe(words)
  expect(told.title).toBe(names()[arm])
})
