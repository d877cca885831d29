/** Lesson 9: dynamic decomposition. */
import type { Problem } from '../../../wasm/client/types'
import type { Lesson, Live } from './lesson'
import { argOf, eventNow, idOf, indexOf, other, overlap } from './answers/live'
import { minimalloc } from './papers'

const five = { example: 'five.csv' }
const eleven = { example: 'rule-decomposition.csv' }
const CAPACITY = 12
const falls = { event: 'decompose' } as const
const steps = (live: Live, name: string) => other(live, name)?.steps ?? -1

/** The unplaced buffers in groups that never meet each other in time. */
export function partsOf(problem: Problem, offset: ArrayLike<number>): number[][] {
  const left = new Set([...problem.ids.keys()].filter((k) => (offset[k] ?? -1) < 0))
  const parts: number[][] = []
  for (const first of left) {
    const part = [first]
    left.delete(first)
    for (const member of part)
      for (const k of left)
        if (overlap(problem, member, k)) {
          part.push(k)
          left.delete(k)
        }
    parts.push(part)
  }
  return parts
}

const parts = (live: Live) => partsOf(live.problem, live.frame?.offset ?? [])
const alone = (live: Live) => parts(live).flatMap((part) => (part.length === 1 ? part : []))
const isPlaced = (live: Live, k: number) => (live.frame?.offset[k] ?? -1) >= 0

export const decomposition: Lesson = {
  id: 'decomposition',
  title: 'Dynamic decomposition',
  summary: 'Parts that no longer meet are solved one after the other.',
  gained: 'split a problem in the middle of its search into parts that no longer meet.',
  minutes: 7,
  sources: [minimalloc('§7')],
  steps: [
    {
      title: 'The last bridge',
      text: [
        '`b5` is placed, and it was the only buffer that lived on both sides of time {cut}. What is still to place falls into {parts} parts that never meet: nothing that happens in one can disturb the other.',
      ],
      facts: {
        cut: (live) => live.problem.lower[indexOf(live.problem, 'b4')] ?? -1,
        parts: (live) => argOf(eventNow(live, falls), 'parts'),
      },
      show: { problem: five, capacity: CAPACITY, solver: 'minimalloc', at: falls },
      ask: {
        kind: 'buffer',
        question: 'Which unplaced buffer is alone in its part?',
        answers: alone,
        hint: (buffer, live) =>
          isPlaced(live, buffer)
            ? 'That one is placed already. Look among the others.'
            : `\`${idOf(live.problem, buffer)}\` meets another unplaced buffer in time.`,
        right: 'It can go anywhere above `b5`, whatever the other three do.',
      },
    },
    {
      title: 'While it searches',
      text: [
        'Some planners look for such cuts once, before they begin. MiniMalloc looks after every placement: a problem that is in one piece at first may fall apart as soon as the buffers that hold it together are placed.',
        'Here the first buffer, `a`, is placed.',
      ],
      facts: { first: (live) => live.problem.partitions },
      show: { problem: eleven, capacity: CAPACITY, solver: 'minimalloc', at: falls },
      keeps: 'sentence',
      ask: {
        kind: 'number',
        label: 'Parts',
        question: 'At the beginning there was {first} part. Into how many has the rest fallen now?',
        answer: (live) => parts(live).length,
        hint: () => 'Two buffers belong together if they meet in time, or if others lead from one to the other.',
        right: 'Two of them are very small, and done at once.',
      },
    },
    {
      title: 'Sums, not products',
      text: [
        'Why does it matter? Without it, the search would go on buffer by buffer through all parts. When the last one fails, it goes back into the one before, tries that in another way, and runs into the same failure again, for every way there is. The efforts *multiply*.',
        'Solved one after the other they only *add up*. And if one part has no solution, there is none at all: both sides can be left.',
      ],
      show: { problem: eleven, capacity: CAPACITY, solver: 'minimalloc', at: falls },
      ask: {
        kind: 'choice',
        question: 'A part turns out to be impossible. What of the other parts?',
        options: [
          {
            text: 'They are tried in another way',
            reply: 'That cannot help: they never meet the part that failed.',
          },
          {
            text: 'They need not be looked at any more',
            reply:
              'What is wrong lies in what was placed before the problem fell apart, so the search goes back there.',
          },
        ],
        answer: () => 1,
      },
    },
    {
      title: 'What it is worth',
      text: ['The same search with and without it.'],
      show: { problem: eleven, capacity: CAPACITY, solver: 'minimalloc' },
      figure: { kind: 'table', by: 'steps' },
      others: () => [
        { name: 'with', config: { solver: 'minimalloc', capacity: CAPACITY, options: {} } },
        {
          name: 'without',
          config: { solver: 'minimalloc', capacity: CAPACITY, options: { dynamic_decomposition: 'false' } },
        },
      ],
      ask: {
        kind: 'do',
        question: 'Switch it off, and look at the search below: it goes back more often.',
        knobs: [{ kind: 'option', name: 'dynamic_decomposition' }],
        done: (live) => live.others !== null && live.stats?.steps === steps(live, 'without'),
        hint: () => 'The switch is above. The page runs the search again at once.',
        right: '{without} steps instead of {with}, and {back} backtracks.',
        show: () => ({ options: { dynamic_decomposition: 'false' } }),
      },
      facts: {
        with: (live) => steps(live, 'with'),
        without: (live) => steps(live, 'without'),
        back: (live) => live.stats?.backtracks ?? -1,
      },
    },
  ],
}
