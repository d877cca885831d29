/** Lesson 3: greedy orders and why they fail. */
import type { Lesson, Live } from './lesson'
import { argOf, eventLike, eventsLike, idOf, indexOf, offsetOf, other } from './answers/live'
import { telamalloc } from './papers'

const problem = { example: 'greedy-misses.csv' }
const CAPACITY = 960
const ORDERS = ['start', 'size', 'area', 'lifetime', 'breadth', 'conflicts']
const bySize = { problem, capacity: CAPACITY, solver: 'greedy', options: { order: 'size' } }

/** The first placement whose buffer reaches above the capacity. */
function overflow(live: Live) {
  const tops = eventsLike(live, { event: 'place' })
  return tops.find((event) => event.offset + (live.problem.size[event.buffer] ?? 0) > live.capacity) ?? null
}

const heights = (live: Live) => ORDERS.map((name) => other(live, name)?.height ?? -1)
const least = (live: Live) => Math.min(...heights(live))

export const greedy: Lesson = {
  id: 'greedy',
  title: 'Greedy orders, and why they fail',
  summary: 'One buffer after the other, never taken back.',
  gained: 'say what a greedy planner does, and what its failure does not prove.',
  minutes: 7,
  sources: [telamalloc('§3.1 and Figure 4')],
  steps: [
    {
      title: 'Two questions',
      text: [
        'Most planners in the field are *greedy*. They ask two questions again and again: who is next, and where does it go? A common answer: the largest first, each into the lowest gap that holds it.',
        'Press Play, or step with the arrow keys. Nothing is ever taken back, so {count} buffers take about as many steps.',
      ],
      facts: {
        count: (live) => live.problem.count,
      },
      show: { ...bySize, at: 0 },
      ask: {
        kind: 'buffer',
        question: 'Which buffer does *size* place first?',
        answers: (live) => [argOf(eventLike(live, { event: 'place' }), 'buffer')],
        hint: (buffer, live) =>
          `\`${idOf(live.problem, buffer)}\` has ${live.problem.size[buffer]} bytes, and there is a larger one. Take the first step and look.`,
        right: 'The largest, at the bottom: there nothing is in its way yet.',
      },
    },
    {
      title: 'Too high',
      text: [
        'The capacity is {capacity}, which is also the greatest load. At some step a buffer finds every gap too small and goes on top of everything, above the line.',
        'A greedy planner has nothing to say about this but the height it ended at: *over capacity*. That is no proof that nothing fits.',
      ],
      facts: { capacity: (live) => live.capacity },
      show: { ...bySize, at: 0 },
      ask: {
        kind: 'do',
        question: 'Go to the step at which a buffer is first placed above the capacity.',
        knobs: [],
        done: (live) => overflow(live) !== null && live.frame?.step === overflow(live)?.step,
        hint: (live) =>
          `At step ${live.frame?.step ?? 0} ${(live.frame?.step ?? 0) < (overflow(live)?.step ?? 0) ? 'everything is still below the line. Go on.' : 'it has happened already. Go back.'}`,
        right:
          'One step before, the only gap it found was too small. Who left it that small? Buffers that were placed long before.',
        show: (live) => ({ at: overflow(live)?.step ?? 0 }),
      },
    },
    {
      title: 'Another order',
      text: [
        'So perhaps the order was wrong. There are others: by start, by area, by lifetime, by the load around the buffer, by how many others it meets.',
        'Each is best on some problems, and each is worst on some.',
      ],
      show: bySize,
      figure: { kind: 'table', by: 'height' },
      others: () =>
        ORDERS.map((name) => ({ name, config: { solver: 'greedy', capacity: CAPACITY, options: { order: name } } })),
      ask: {
        kind: 'do',
        question: 'Choose an order whose plan is as low as any of them here.',
        knobs: [{ kind: 'option', name: 'order' }],
        done: (live) => live.others !== null && live.stats?.height === least(live),
        hint: (live) =>
          live.others === null
            ? 'The others are still being run.'
            : `This one ends at ${live.stats?.height}, and the table has a lower one.`,
        right: 'The best of them needs {least}, still more than {capacity}.',
        show: (live) => ({ options: { order: ORDERS[heights(live).indexOf(least(live))] ?? 'start' } }),
      },
      facts: { least, capacity: (live) => live.capacity },
    },
    {
      title: 'It does fit',
      text: [
        'Here is a plan of height {height}, found by a search. Compare it with what the greedy orders made: `d` and `e` lie at the bottom, and `b`, which all orders place early, lies on top of `c`.',
        'None of these rules of thumb puts `b` there. The place is right because of what the *other* buffers need, and a rule that looks at one buffer at a time does not see them.',
      ],
      facts: {
        height: (live) => live.stats?.height ?? -1,
        // there it lay on a alone, as the test knows
        greedy: (live) => live.problem.size[indexOf(live.problem, 'a')] ?? -1,
      },
      show: { problem, capacity: CAPACITY, solver: 'minimalloc' },
      keeps: 'sentence',
      ask: {
        kind: 'number',
        label: 'Offset of b',
        question: 'At which offset does `b` begin in this plan? Click it, or read the ruler.',
        answer: (live) => offsetOf(live, 'b'),
        hint: () => 'Point at `b` on the canvas: the small card beside it names its offset.',
        right: 'By size it lay directly on `a`, at {greedy}.',
      },
    },
    {
      title: 'What is missing',
      text: [
        'Greedy planners are quick, and for most networks they are good enough. What they lack is a way back: once a buffer lies in the wrong place, everything after it has to live with that.',
        'From here on we look at planners that can take a decision back, and at the ideas that keep them from trying everything.',
      ],
      show: { problem, capacity: CAPACITY, solver: 'minimalloc' },
      ask: {
        kind: 'choice',
        question: 'All greedy orders end above the capacity. What do we know?',
        options: [
          {
            text: 'Nothing fits into it',
            reply: 'The plan on the canvas does. Heuristics that fail prove nothing.',
          },
          {
            text: 'These orders do not find a plan',
            reply:
              'No more than that. Only a complete search, or a bound such as the load, can say that there is none.',
          },
        ],
        answer: () => 1,
      },
    },
  ],
}
