/** Lesson 7: section inference. */
import type { Lesson, Live, Show } from './lesson'
import { argOf, eventNow, idOf, membersOf, other, spanOf } from './answers/live'
import { minimalloc } from './papers'
import { sectionSums, triedAt } from './answers/sections'

const five = { example: 'five.csv' }
/** MiniMalloc's Figure 3. */
const partial: Show = { problem: five, capacity: 12, order: ['b1', 'b5'] }
const reject = { event: 'reject', rule: 'section' } as const
const lifted = { event: 'reject', rule: 'monotonic-floor' } as const

const sums = (live: Live) => sectionSums(live.problem, live.frame, triedAt(live.frame))
const totals = (live: Live) => sums(live).map(({ floor, rest }) => floor + rest)
const worst = (live: Live) => totals(live).indexOf(Math.max(...totals(live)))
const steps = (live: Live, name: string) => other(live, name)?.steps ?? -1
const names = (live: Live, section: number) =>
  membersOf(live.problem, section)
    .map((k) => idOf(live.problem, k))
    .join(', ')

const told = {
  tried: (live: Live) => idOf(live.problem, argOf(eventNow(live, { event: 'reject' }), 'buffer')),
  at: (live: Live) => argOf(eventNow(live, { event: 'reject' }), 'offset'),
  span: (live: Live) => spanOf(live.problem, argOf(eventNow(live, { event: 'reject' }), 'section')),
  floor: (live: Live) => argOf(eventNow(live, { event: 'reject' }), 'floor'),
  rest: (live: Live) => argOf(eventNow(live, { event: 'reject' }), 'rest'),
}

export const sectionInference: Lesson = {
  id: 'sections',
  title: 'Section inference',
  summary: 'Floor and what is still to come: dead ends seen long before.',
  gained: 'see a dead end by one sum, long before the search runs into it.',
  minutes: 9,
  sources: [minimalloc('§6.2 and Figure 3')],
  steps: [
    {
      title: 'Three sections',
      text: [
        'The five buffers of the paper make {sections} sections: {first} with {firstWho}, {second} with {secondWho}, and {third} with {thirdWho}.',
        'So far two buffers are placed, `b1` on the ground and `b5` on top of it. Nothing reaches above the capacity of {capacity}: a check that looks at what is placed is content.',
      ],
      facts: {
        sections: (live) => live.problem.sections.count,
        first: (live) => spanOf(live.problem, 0),
        firstWho: (live) => names(live, 0),
        second: (live) => spanOf(live.problem, 1),
        secondWho: (live) => names(live, 1),
        third: (live) => spanOf(live.problem, 2),
        thirdWho: (live) => names(live, 2),
        capacity: (live) => live.capacity,
        floor: (live) => sums(live)[0]?.floor ?? -1,
        rest: (live) => sums(live)[0]?.rest ?? -1,
      },
      show: partial,
      ask: {
        kind: 'number',
        label: 'Floor plus rest of the first section',
        question:
          'Take {first}. Its *floor*, the top of what is placed there, is {floor}. What is still to place there must go above, and has size {rest}. How high will it get at least?',
        answer: (live) => totals(live)[0] ?? -1,
        hint: () => 'Floor plus rest.',
        right: 'It just fits: the first section gives no reason to turn back.',
      },
    },
    {
      title: 'The one that bursts',
      text: ['Here is the same sum for all sections, with the capacity as a line. Point at a row to see its section.'],
      show: partial,
      figure: { kind: 'sections' },
      ask: {
        kind: 'section',
        question: 'In which section can the rest not be placed any more, whatever the order?',
        answer: worst,
        hint: (k, live) =>
          `There the sum is ${totals(live)[k]}, no more than the capacity of ${live.capacity}. Look for a bar that crosses the line.`,
        right:
          'Both `b2` and `b3` have to go on top of `b5` there: {total} bytes, {over} too many. Everything below this state can be left out.',
      },
      facts: {
        total: (live) => Math.max(...totals(live)),
        over: (live) => Math.max(...totals(live)) - live.capacity,
      },
    },
    {
      title: 'In a search',
      text: [
        'MiniMalloc does this sum after each placement, for every section that it touches. Here it has tried `{tried}` at {at}. Nothing sticks out yet, by far.',
        'The sentence under the canvas and the hatched column on it say the same as the table.',
      ],
      facts: told,
      show: { problem: { example: 'rule-section.csv' }, capacity: 15, solver: 'minimalloc', at: reject },
      figure: { kind: 'sections' },
      ask: {
        kind: 'section',
        question: 'Which section is named as the reason?',
        answer: (live) => argOf(eventNow(live, reject), 'section'),
        hint: (k, live) =>
          (totals(live)[k] ?? 0) > live.capacity
            ? 'That one overflows, too. The search names the first it comes to: look where the red column stands.'
            : `In ${spanOf(live.problem, k)} there is enough room still.`,
        right: 'In {span} the floor is {floor}, and {rest} are still to come.',
      },
    },
    {
      title: 'A floor from below',
      text: [
        'Together with the last lesson this gets stronger. Offsets may not go down, so nothing will be placed below the last offset any more. It is a floor of *every* section, even of those where nothing lies yet.',
        'Here `{tried}` was tried at {at}, and section {span}, which it may not even touch, overflows: {floor} from the last offset and {rest} still to come.',
      ],
      facts: told,
      show: {
        problem: { example: 'rule-monotonic-floor.csv' },
        capacity: 11,
        solver: 'minimalloc',
        at: lifted,
      },
      ask: {
        kind: 'number',
        label: 'Least height of the section',
        question: 'How high would section {span} become at least?',
        answer: (live) => argOf(eventNow(live, lifted), 'floor') + argOf(eventNow(live, lifted), 'rest'),
        hint: (given, live) =>
          given === live.capacity ? 'That is the capacity.' : 'As before: the floor plus what is still to come.',
        right: 'That is more than the capacity, so the placement is taken back.',
      },
    },
    {
      title: 'What it is worth',
      text: [
        'Without these floors the search only notices when something really sticks out, which is when it is deep in a hopeless branch.',
      ],
      show: { problem: { example: 'rule-decomposition.csv' }, capacity: 12, solver: 'minimalloc' },
      figure: { kind: 'table', by: 'steps' },
      others: () => [
        { name: 'with', config: { solver: 'minimalloc', capacity: 12, options: {} } },
        { name: 'without', config: { solver: 'minimalloc', capacity: 12, options: { section_inference: 'false' } } },
      ],
      ask: {
        kind: 'do',
        question: 'Switch section inference off and see how many steps the same problem takes.',
        knobs: [{ kind: 'option', name: 'section_inference' }],
        done: (live) => live.others !== null && live.stats?.steps === steps(live, 'without'),
        hint: () => 'The switch is above. The page runs the search again at once.',
        right: '{without} steps instead of {with}. On this problem no other rule saves as much.',
        show: () => ({ options: { section_inference: 'false' } }),
      },
      facts: { with: (live) => steps(live, 'with'), without: (live) => steps(live, 'without') },
    },
  ],
}
