/** Lesson 12: why a tight capacity is hard and a slack one is not. */
import type { Lesson, Live, Show } from './lesson'
import { sweep, totalSize } from './answers/live'
import { minimalloc, telamalloc } from './papers'

/** Found by random search among small problems: at its load it is hard. */
const csv = `id,lower,upper,size
b1,5,10,2
b2,8,10,11
b3,9,14,9
b4,8,10,4
b5,8,13,2
b6,0,7,11
b7,1,4,3
b8,2,8,8
b9,2,4,7
b10,3,10,9
b11,2,4,11
b12,8,15,10
b13,10,14,5
b14,4,7,11
b15,6,8,8
b16,7,9,4
b17,8,10,5
b18,4,8,10
b19,7,10,7
b20,0,3,2
b21,2,6,3
b22,1,3,3
b23,8,15,6
b24,1,8,8
`
const problem = { name: 'tight-24.csv', csv }
const [FROM, TO] = [64, 73]
const shown: Show = { problem, capacity: TO, solver: 'minimalloc', colour: 'level' }
const runs = () => sweep('minimalloc', FROM, TO)

const at = (live: Live, capacity: number) => live.others?.find((one) => one.capacity === capacity)
const bound = (live: Live) => live.problem.lowerBound
const most = (live: Live) => Math.max(...(live.others ?? []).map(({ steps }) => steps))
const hardest = (live: Live) => live.others?.find(({ steps }) => steps === most(live))?.capacity ?? -1
/** The first capacity from the load on at which a plan is found without going back. */
function easy(live: Live): number {
  const few = 2 * live.problem.count
  return live.others?.find(({ capacity, steps }) => capacity >= bound(live) && steps < few)?.capacity ?? -1
}

export const tight: Lesson = {
  id: 'tight',
  title: 'Why tight is hard',
  summary: 'Steps against capacity: easy, impossible, and what lies between.',
  gained: 'say when a problem is hard, and what a few bytes more are worth.',
  minutes: 8,
  sources: [minimalloc('§8.3 and §8.4'), telamalloc('§7.2')],
  steps: [
    {
      title: 'Plenty of room',
      text: [
        '{count} buffers, {total} bytes in all, and a capacity of {capacity}. The greatest load is {bound}, so there is some slack: memory that need not be used even where it is fullest.',
        'MiniMalloc finds a plan here without taking anything back.',
      ],
      facts: {
        count: (live) => live.problem.count,
        total: (live) => totalSize(live.problem),
        capacity: (live) => live.capacity,
        bound,
      },
      show: shown,
      ask: {
        kind: 'number',
        label: 'Slack of the fullest section',
        question: 'How much slack is there in the fullest section?',
        answer: (live) => live.capacity - bound(live),
        hint: () => 'Take the greatest load from the capacity.',
        right:
          'Any hole that a placement leaves comes out of this. Once a section has lost more, nothing fits any more.',
      },
    },
    {
      title: 'A little less',
      text: [
        'Now take memory away. The page runs the same search at each capacity; the bars are its steps, longer by the same length for each factor of ten.',
        'Choose a capacity in the list, or move the slider, and watch the search under the canvas.',
      ],
      show: shown,
      figure: { kind: 'sweep' },
      others: runs,
      ask: {
        kind: 'do',
        question: 'Set the capacity at which the search takes the most steps.',
        knobs: [{ kind: 'capacity', from: FROM, to: TO, by: 1 }],
        done: (live) => live.others !== null && live.capacity === hardest(live),
        hint: (live) =>
          live.others === null
            ? 'The page is still working it out.'
            : `At ${live.capacity} it takes ${at(live, live.capacity)?.steps} steps. There is one with more.`,
        right:
          '{most} steps, where {easy} took {few}. It is the load exactly: not a byte may be lost in the fullest section.',
        show: (live) => ({ capacity: hardest(live) }),
      },
      facts: {
        most: (live) => most(live),
        easy,
        few: (live) => at(live, easy(live))?.steps ?? -1,
      },
    },
    {
      title: 'Below the load',
      text: [
        'And one byte less? Then the load rules every plan out, and section inference sees it at the first placement, whichever it is.',
      ],
      show: { ...shown, capacity: 66 },
      figure: { kind: 'sweep' },
      others: runs,
      ask: {
        kind: 'choice',
        question: 'At {less} the search ends after {few} steps. How is that so quick, when one byte more takes {most}?',
        options: [
          {
            text: 'It gives up early',
            reply: 'It does not give up: the verdict is infeasible, which is a proof.',
          },
          {
            text: 'Every first placement fails at once',
            reply:
              'One sum is enough to refute it. Far from the border both answers are cheap: a plan lies on the way, or a reason does.',
          },
        ],
        answer: (live) => (live.stats?.outcome === 'infeasible' ? 1 : 0),
      },
      facts: {
        less: (live) => live.capacity,
        few: (live) => live.stats?.steps ?? -1,
        most: (live) => most(live),
      },
    },
    {
      title: 'At the border',
      text: [
        'Near the border neither is at hand. The load leaves a plan possible, so no simple sum refutes a bad start, and hardly any placement is right, so most starts are bad. That a branch is hopeless shows only deep inside it.',
        'This is the search at {capacity}. Look how it climbs, falls back, and climbs again.',
      ],
      show: { ...shown, capacity: 67 },
      ask: {
        kind: 'number',
        label: 'Decisions that stay',
        question: 'The search decides {places} times where a buffer goes. How many of these decisions are in the plan?',
        answer: (live) => live.problem.count,
        hint: () => 'In a plan each buffer lies once.',
        right: 'All the others were taken back, in {back} backtracks. Each had looked like a good idea.',
      },
      facts: {
        capacity: (live) => live.capacity,
        places: (live) => live.stats?.nodes ?? -1,
        back: (live) => live.stats?.backtracks ?? -1,
      },
    },
    {
      title: 'What to do about it',
      text: [
        'So the same problem is hard or easy by a few bytes. Planners that have to be quick are given some slack: TelaMalloc’s authors measure with a tenth more memory than is needed. Whoever needs the last byte needs a search.',
        'Every byte that the schedule saves moves the load, and with it the border. The lesson *From a model to its peak* is about that.',
      ],
      show: { ...shown, capacity: 69 },
      figure: { kind: 'sweep' },
      others: runs,
      ask: {
        kind: 'choice',
        question: 'A plan has to be found within a millisecond, and memory is cheap. What helps most?',
        options: [
          {
            text: 'A faster processor',
            reply: 'That helps by a factor of two or three. From {hard} to {easy} it was far more.',
          },
          { text: 'A little more memory', reply: '{bytes} bytes took the search from {most} steps to {few}.' },
        ],
        answer: () => 1,
      },
      facts: {
        hard: hardest,
        bytes: (live) => easy(live) - hardest(live),
        easy,
        most: (live) => most(live),
        few: (live) => at(live, easy(live))?.steps ?? -1,
      },
    },
  ],
}
