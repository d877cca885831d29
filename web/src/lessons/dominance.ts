/** Lesson 8: dominance. */
import type { Lesson, Live } from './lesson'
import { argOf, eventNow, idOf, indexOf, other } from './answers/live'
import { restingPlace } from './answers/orders'
import { minimalloc } from './papers'

const five = { example: 'five.csv' }
const skip = { event: 'skip', rule: 'dominance' } as const
const steps = (live: Live, name: string) => other(live, name)?.steps ?? -1

/** The offsets before the last placement by hand. */
function before(live: Live): number[] {
  const last = live.frame?.stack.at(-1)
  return [...(live.frame?.offset ?? [])].map((at, k) => (k === last ? -1 : at))
}

/** Unplaced buffers that would lie entirely below the offset of the buffer placed last. */
function slippers(live: Live): number[] {
  const { frame, problem } = live
  const last = frame?.stack.at(-1) ?? -1
  const floor = frame?.offset[last] ?? -1
  const free = before(live)
  return [...problem.ids.keys()].filter(
    (k) => k !== last && (free[k] ?? -1) < 0 && restingPlace(problem, free, k) + (problem.size[k] ?? 0) <= floor,
  )
}

const placed = (live: Live) => [...(live.frame?.stack ?? [])].map((k) => idOf(live.problem, k))

export const dominance: Lesson = {
  id: 'dominance',
  title: 'Dominance',
  summary: 'Why leave a gap that somebody could fill for nothing?',
  gained: 'pass over placements that a better one makes superfluous.',
  minutes: 7,
  sources: [minimalloc('§6.3 and Figure 7')],
  steps: [
    {
      title: 'An avoidable gap',
      text: [
        '`b3` was placed first, then `b1` on top of it, at {at}. That is allowed: it is canonical, and it can even be completed to a plan that fits.',
        'But from here on no offset may go below {at}. The ground beside `b3` will stay empty forever.',
      ],
      facts: { at: (live) => live.frame?.offset[indexOf(live.problem, 'b1')] ?? -1 },
      show: { problem: five, capacity: 12, order: ['b3', 'b1'] },
      ask: {
        kind: 'buffer',
        question: 'Which buffer would have fitted there, entirely below {at}?',
        answers: slippers,
        hint: (buffer, live) =>
          placed(live).includes(idOf(live.problem, buffer))
            ? 'That one is placed already.'
            : `\`${idOf(live.problem, buffer)}\` meets \`b3\` in time, so it cannot lie beside it.`,
        right: 'It is never alive together with `b3`. On the ground it would be in nobody’s way.',
      },
    },
    {
      title: 'Slip it in',
      text: [
        'Take any plan that goes on from here. Put `b4` down to the ground, before `b1`, and leave everything else where it is: `b4` only makes room above. The plan is as good as before, or better.',
        'So what goes on with `b1` at once is *dominated* by what places `b4` first, and need not be looked at.',
      ],
      show: { problem: five, capacity: 12, order: ['b3', 'b1'] },
      ask: {
        kind: 'do',
        question: 'Do it: take `b1` back, and place `b4` before it.',
        knobs: [{ kind: 'order' }],
        done: (live) => placed(live).slice(0, 3).join(' ') === 'b3 b4 b1',
        hint: (live) => `Now the order is ${placed(live).join(', ') || 'empty'}. It should begin with b3, b4, b1.`,
        right: '`b1` lies where it lay, and nothing below it is wasted.',
        show: () => ({ order: ['b3', 'b4', 'b1'] }),
      },
    },
    {
      title: 'In a search',
      text: [
        'MiniMalloc keeps the least top that any unplaced buffer could have. A candidate whose offset is not below it is skipped, and so are all after it, which lie at least as high.',
        'Here {count} candidates go at once: the first of them, `{tried}`, would come to lie at {at}.',
      ],
      facts: {
        count: (live) => argOf(eventNow(live, skip), 'count'),
        tried: (live) => idOf(live.problem, argOf(eventNow(live, skip), 'buffer')),
        at: (live) => argOf(eventNow(live, skip), 'offset'),
        top: (live) => argOf(eventNow(live, skip), 'bound'),
      },
      show: { problem: { example: 'rule-dominance.csv' }, capacity: 8, solver: 'minimalloc', at: skip },
      keeps: 'sentence',
      ask: {
        kind: 'buffer',
        question: 'Which unplaced buffer proves it, because it would fit below?',
        answers: (live) => [argOf(eventNow(live, skip), 'witness')],
        hint: (buffer, live) =>
          (live.frame?.offset[buffer] ?? -1) >= 0
            ? 'That one is placed already.'
            : 'That one would reach higher. Look for one whose top is no higher than where the others begin.',
        right: 'Its top would be at {top}, and {at} is not below that.',
      },
    },
    {
      title: 'A strange rule',
      text: [
        'The other rules leave out what fails, or what is found elsewhere. This one may leave out branches with *good* plans in them. It only promises that another branch has one that is as good.',
      ],
      show: { problem: { example: 'rule-dominance.csv' }, capacity: 8, solver: 'minimalloc' },
      ask: {
        kind: 'choice',
        question: 'May a search with dominance say *infeasible* where there is a plan?',
        options: [
          {
            text: 'Yes, it may have skipped the only one',
            reply:
              'If it skips a branch with a plan, then the plan with the other buffer slipped in is in a branch that it does not skip.',
          },
          {
            text: 'No, one plan always stays',
            reply: 'Some plans are lost, but never all of them. That is enough to decide.',
          },
        ],
        answer: () => 1,
      },
    },
    {
      title: 'What it is worth',
      text: ['The same problem, which has no plan, with the rule and without it.'],
      show: { problem: { example: 'infeasible.csv' }, capacity: 4, solver: 'minimalloc' },
      figure: { kind: 'table', by: 'steps' },
      others: () => [
        { name: 'with', config: { solver: 'minimalloc', capacity: 4, options: {} } },
        { name: 'without', config: { solver: 'minimalloc', capacity: 4, options: { check_dominance: 'false' } } },
      ],
      ask: {
        kind: 'number',
        label: 'Steps saved',
        question: 'How many steps does the rule save here?',
        answer: (live) => steps(live, 'without') - steps(live, 'with'),
        hint: (_, live) => `Take ${steps(live, 'with')} from ${steps(live, 'without')}.`,
        right: 'Not as many as the sections save, but it costs next to nothing: one comparison for each candidate.',
      },
    },
  ],
}
