/** Lesson 6: offset and index monotonicity. */
import type { Lesson, Live, Show } from './lesson'
import { argOf, eventNow, idOf, other } from './answers/live'
import { canonical, indexMonotonic, offsetMonotonic, ordersOf, packing } from './answers/orders'
import { minimalloc } from './papers'

const five = { example: 'five.csv' }
const MAIN = ['b5', 'b3', 'b4', 'b1', 'b2']
const shown: Show = { problem: five, capacity: 12, order: MAIN }
/** Buffers in the order of the file, and no rule but the canonical order: then the search comes by the paper's example. */
const PLAIN = Object.fromEntries(
  [
    'section_inference',
    'dynamic_ordering',
    'check_dominance',
    'unallocated_floor',
    'static_preordering',
    'dynamic_decomposition',
    'monotonic_floor',
    'hatless_pruning',
  ].map((name) => [name, 'false']),
)
const skip = { event: 'skip', rule: 'canonical' } as const

function count(live: Live, keeps: (offset: ArrayLike<number>, order: readonly number[]) => boolean): number {
  const offset = packing(
    live.problem,
    MAIN.map((id) => live.problem.ids.indexOf(id)),
  )
  return ordersOf(live.problem, offset).filter((order) => keeps(offset, order)).length
}

const steps = (live: Live, name: string) => other(live, name)?.steps ?? -1

export const monotonicity: Lesson = {
  id: 'monotonicity',
  title: 'Offsets only go up',
  summary: 'Offset and index monotonicity: one order for each packing.',
  gained: 'name the one order by which MiniMalloc reaches each packing.',
  minutes: 8,
  sources: [minimalloc('§5 and §6.1')],
  steps: [
    {
      title: 'From the ground up',
      text: [
        'A packing does not care in which order its buffers were placed. So keep one order of each, and never look at the others. Which one? Take the buffers *by offset, lowest first*: the plan then grows from the ground up.',
        'Every packing has such an order: just sort. The table has all orders of the packing on the canvas. A tick under *Offsets* means that they never go down.',
      ],
      show: shown,
      figure: { kind: 'orders', of: MAIN },
      ask: {
        kind: 'number',
        label: 'Orders that never go down',
        question: 'Of these {all} orders, how many never go down?',
        answer: (live) => count(live, offsetMonotonic),
        hint: () => 'Count the ticks in the column. You can click an order to see its buffers on the canvas.',
        right: 'Half of them are gone, and no packing is lost.',
      },
      facts: { all: (live) => count(live, () => true) },
    },
    {
      title: 'Ties by index',
      text: [
        'Several buffers may share an offset: `b3` and `b4` do, and so do `b1` and `b2`. Sorting by offset leaves their order open. Any fixed rule will do, say *by index*. A tick under *Ties* means that it is kept.',
        'Orders that keep to both are called *canonical*.',
      ],
      show: shown,
      figure: { kind: 'orders', of: MAIN },
      ask: {
        kind: 'number',
        label: 'Canonical orders',
        question: '{ties} of the orders keep to the index. How many keep to both?',
        answer: (live) => count(live, canonical),
        hint: () => 'Look for a row with two ticks.',
        right: 'One order for one packing. It has to be so: sorting by offset and then by index leaves nothing open.',
      },
      facts: { ties: (live) => count(live, indexMonotonic) },
    },
    {
      title: 'May b4 go below?',
      text: [
        'Here MiniMalloc runs with this one rule, and takes the buffers in the order of the file. `{last}` was placed last, at {bound}.',
      ],
      facts: {
        last: (live) => idOf(live.problem, argOf(eventNow(live, skip), 'witness')),
        bound: (live) => argOf(eventNow(live, skip), 'bound'),
        tried: (live) => idOf(live.problem, argOf(eventNow(live, skip), 'buffer')),
        at: (live) => argOf(eventNow(live, skip), 'offset'),
      },
      show: {
        problem: five,
        capacity: 12,
        solver: 'minimalloc',
        options: PLAIN,
        at: { ...skip, buffer: 'b4' },
      },
      ask: {
        kind: 'choice',
        question: '`{tried}` would fit at {at}. May the search place it now?',
        options: [
          {
            text: 'Yes, the place is free',
            reply:
              'It is free. But an order that comes to the same packing has placed it before, and is tried in another branch.',
          },
          {
            text: 'No, {at} is below {bound}',
            reply:
              'Offsets may not go down. The packing with `{tried}` below is built where `{tried}` comes first, so nothing is lost.',
          },
        ],
        answer: (live) => (argOf(eventNow(live, skip), 'offset') < argOf(eventNow(live, skip), 'bound') ? 1 : 0),
      },
    },
    {
      title: 'The same offset',
      text: [
        'And a tie, in another search: `{last}` was placed at {bound}, and `{tried}` would come to lie at {at} as well. The violet line on the canvas is the last offset.',
        'Which of two buffers counts as the earlier one is fixed before the search begins, in a *preorder*. It need not be the order of the names.',
      ],
      facts: {
        last: (live) => idOf(live.problem, argOf(eventNow(live, skip), 'witness')),
        bound: (live) => argOf(eventNow(live, skip), 'bound'),
        tried: (live) => idOf(live.problem, argOf(eventNow(live, skip), 'buffer')),
        at: (live) => argOf(eventNow(live, skip), 'offset'),
      },
      show: { problem: { example: 'rule-canonical.csv' }, capacity: 12, solver: 'minimalloc', at: skip },
      ask: {
        kind: 'choice',
        question: 'Why is `{tried}` skipped?',
        options: [
          {
            text: 'It would overlap `{last}`',
            reply: 'They are never alive together: side by side there is room for both.',
          },
          {
            text: 'It should have come before `{last}`',
            reply: 'At equal offsets the preorder decides, and there `{tried}` is the earlier one.',
          },
        ],
        answer: (live) => (argOf(eventNow(live, skip), 'offset') === argOf(eventNow(live, skip), 'bound') ? 1 : 0),
      },
    },
    {
      title: 'What it is worth',
      text: [
        'This problem does not fit, so a complete search has to refute everything. With the rule it takes {on} steps until it is sure.',
      ],
      facts: { on: (live) => steps(live, 'canonical') },
      show: { problem: { example: 'infeasible.csv' }, capacity: 4, solver: 'minimalloc' },
      figure: { kind: 'table', by: 'steps' },
      others: () => [
        { name: 'canonical', config: { solver: 'minimalloc', capacity: 4, options: {} } },
        { name: 'any order', config: { solver: 'minimalloc', capacity: 4, options: { canonical_only: 'false' } } },
      ],
      ask: {
        kind: 'do',
        question: 'Switch the rule off and see for yourself that it only takes longer: the verdict stays.',
        knobs: [{ kind: 'option', name: 'canonical_only' }],
        done: (live) => live.stats?.outcome === 'infeasible' && live.stats.steps > steps(live, 'canonical'),
        hint: () => 'The switch is above. The page runs the search again at once.',
        right: 'The rule may not change a verdict, and it does not: what it leaves out is tried elsewhere.',
        show: () => ({ options: { canonical_only: 'false' } }),
      },
    },
  ],
}
