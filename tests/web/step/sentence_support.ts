/** What the tests of sentences tell, and how. */
import type { Frame, Problem } from '../../../wasm/client/types'
import type { Span, Teller } from '../../../web/src/state/step/sentence_parts'
import { tell } from '../../../web/src/state/step/sentence'
import { event, fiveBuffers, manifest } from '../support/fake'
import { ruleIndex as rule } from '../support/rules'

export const NONE = 0xffffffff
export const problem = fiveBuffers()

export function story(frame: Frame, of: Problem = problem, more: Partial<Teller> = {}) {
  const operator = (row: number) => `op${row}`
  const armName = (arm: number) => ['WAT', 'TAW', '10WATK', '2WATR'][arm] ?? '?'
  return tell({
    problem: of,
    manifest,
    capacity: 12,
    frame,
    minimising: false,
    operator,
    armName,
    arm: '10WATK',
    ...more,
  })
}
/** The sentence as it is read. */
export const text = (spans: Span[]) =>
  spans
    .map((span) => {
      if (span.kind === 'text') return span.text
      if (span.kind === 'buffer') return problem.ids.at(span.buffer) ?? '?'
      return String(span.kind === 'section' ? span.section : span.value)
    })
    .join('')
export const say = (frame: Frame, of?: Problem) => text(story(frame, of).spans)
export const sentences = (words: string) => words.split(/[.](\s|$)/).filter((part) => part?.trim()).length

export const ids = (...list: number[]) => ({ list: Uint32Array.from(list) })
export const section = event(
  3,
  'reject',
  { buffer: 3, offset: 4, rule: rule('section'), section: 2, floor: 8, rest: 6 },
  { list: Uint32Array.from([1, 2]) },
)
