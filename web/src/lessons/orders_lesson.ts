/** Lesson 5: the search space of orders, and why most of it is redundant. */
import type { Lesson, Live, Show } from './lesson'
import { heightShown } from './answers/live'
import { canonical, lattice, ordersOf, packing, packings } from './answers/orders'
import { minimalloc } from './papers'

const problem = { example: 'five.csv' }
const CAPACITY = 12
/** The canonical order of MiniMalloc's Figure 2. */
const MAIN = ['b5', 'b3', 'b4', 'b1', 'b2']
const shown: Show = { problem, capacity: CAPACITY, order: MAIN }

const main = (live: Live) =>
  packing(
    live.problem,
    MAIN.map((id) => live.problem.ids.indexOf(id)),
  )
const same = (live: Live) => ordersOf(live.problem, main(live))
const placedNow = (live: Live) => [...(live.frame?.stack ?? [])]
const all = (live: Live) => packings(live.problem)
const fitting = (live: Live) => all(live).filter(({ height }) => height <= live.capacity)

function nodeOf(live: Live, ids: string[]) {
  const wanted = ids.map((id) => live.problem.ids.indexOf(id)).sort((x, y) => x - y)
  return lattice(main(live), same(live))[ids.length]?.find((node) => node.buffers.join() === wanted.join())
}

export const orders: Lesson = {
  id: 'orders',
  title: 'Many orders, one packing',
  summary: 'The search space of orders, and why most of it is redundant.',
  gained: 'count how many orders lead to one packing, and why that is wasted work.',
  minutes: 8,
  sources: [minimalloc('§2.3 and §3 with Table 1'), minimalloc('§4 and Figure 6')],
  steps: [
    {
      title: 'A plan is an order',
      text: [
        'If each buffer goes on top of what it meets, the planner no longer chooses offsets. It only decides *who is next*: the offsets follow. So it searches among orders.',
        'These are the {count} buffers of the MiniMalloc paper, all of the same size.',
      ],
      facts: { count: (live) => live.problem.count },
      show: shown,
      ask: {
        kind: 'number',
        label: 'Number of orders',
        question: 'In how many orders can {count} buffers be placed?',
        answer: (live) => all(live).reduce((sum, one) => sum + one.orders.length, 0),
        hint: (given, live) =>
          given === live.problem.count ** 2
            ? 'Not quite: who has been placed is not there to be chosen again.'
            : 'The first can be any of them, the second any of the rest, and so on: multiply.',
        right: 'And it grows quickly: some sixty buffers have about as many orders as there are atoms in the universe.',
      },
    },
    {
      title: 'Make one yourself',
      text: ['Choose an order, and watch where the buffers land.'],
      show: { problem, capacity: CAPACITY, order: [] },
      ask: {
        kind: 'do',
        question: 'Place all {count} within the capacity of {capacity}.',
        knobs: [{ kind: 'order' }],
        done: (live) => live.frame?.depth === live.problem.count && heightShown(live) <= live.capacity,
        hint: (live) =>
          live.frame?.depth === live.problem.count
            ? `This one is ${heightShown(live)} high. The long ones make good ground: begin with \`b5\`.`
            : 'Not all buffers are placed yet.',
        right:
          'Of the {orders} orders {good} stay below the line. But they do not make as many plans: there are only {plans} different ones.',
        show: () => ({ order: MAIN }),
      },
      facts: {
        count: (live) => live.problem.count,
        capacity: (live) => live.capacity,
        orders: (live) => all(live).reduce((sum, one) => sum + one.orders.length, 0),
        good: (live) => fitting(live).reduce((sum, one) => sum + one.orders.length, 0),
        plans: (live) => fitting(live).length,
      },
    },
    {
      title: 'Two ways to the same place',
      text: [
        'This is the packing of the paper, and below are the sets of buffers that can be placed on the way to it, one more in each row. A line adds a buffer. Click a set to go there.',
        'The set of `b3`, `b4` and `b5` can be reached with `b3` before `b4` or after it. The offsets are the same, and so is everything that can follow.',
      ],
      show: shown,
      figure: { kind: 'lattice', of: MAIN },
      keeps: 'counts',
      ask: {
        kind: 'number',
        label: 'Ways to the set',
        question: 'In how many ways is that set reached from nothing?',
        answer: (live) => nodeOf(live, ['b3', 'b4', 'b5'])?.paths ?? -1,
        hint: () => 'Follow the lines up from it: each way is one order of its buffers.',
        right: 'A search tree has a node for each of these ways, and the same work to do below each.',
      },
    },
    {
      title: 'One bottom, many ways',
      text: [
        'Such a picture is a *lattice*: unlike in a tree, a node may have several parents. All ways end in the same bottom node, the finished packing.',
      ],
      show: shown,
      figure: { kind: 'lattice', of: MAIN },
      keeps: 'counts',
      ask: {
        kind: 'number',
        label: 'Orders of the packing',
        question: 'How many orders lead to the bottom?',
        answer: (live) => same(live).length,
        hint: () =>
          'As many as lead to each of its parents, together. Begin at the top: one way leads to each set of the first row.',
        right:
          'All of them are one plan. A search that does not notice would find it that often, or, worse, refute it that often.',
      },
    },
    {
      title: 'Walk another way',
      text: [
        'The bold way is the one that MiniMalloc keeps, the *canonical* one. The dashed and dotted lines it never takes: the next lesson says why that loses nothing.',
        'Your own way is drawn in amber.',
      ],
      show: { ...shown, order: [] },
      figure: { kind: 'lattice', of: MAIN },
      ask: {
        kind: 'do',
        question: 'Go from nothing to the bottom, set by set, on a way that is not the bold one. Begin at the top.',
        knobs: [],
        done: (live) => {
          const way = placedNow(live)
          return way.length === live.problem.count && !canonical(main(live), way)
        },
        hint: (live) =>
          placedNow(live).length === live.problem.count
            ? 'That is the bold way. Begin at the top again and turn off somewhere.'
            : 'You are not at the bottom yet.',
        right: 'The picture on the canvas is the same. Only the order in which it came about differs.',
        show: () => ({ order: ['b5', 'b4', 'b3', 'b2', 'b1'] }),
      },
    },
  ],
}
