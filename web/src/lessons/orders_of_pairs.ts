/** Lesson 15: the same small problem searched by addresses and by orders of pairs, and what each knows on the way. */
import type { Lesson, Live, OtherRun, Show } from './lesson'
import { argOf, eventLike, eventNow, eventsLike, idOf, indexOf, offsetAt, other, overlap, sizeOf } from './answers/live'
import { minimalloc, telamalloc } from './papers'

const CAPACITY = 8
const by = (solver: string): Show => ({ problem: { example: 'wrong-gap.csv' }, capacity: CAPACITY, solver })
/** The same in KiB: nothing changes but the unit. */
const KIB = 1024
const inKib: Show = {
  problem: {
    name: 'wrong-gap-kib.csv',
    csv: `id,lower,upper,size
b0,7,9,2048
b1,4,6,1024
b2,7,9,1024
b3,5,9,4096
b4,7,9,1024
b5,0,5,3072
b6,0,4,1024
b7,2,5,1024
b8,2,7,2048
b9,2,5,1024
`,
  },
  capacity: CAPACITY * KIB,
  solver: 'csp',
}

const skip = { event: 'skip', nth: 6 } as const
const back = { event: 'backtrack' } as const
const order = { event: 'lift' } as const
const names = (live: Live, list: Iterable<number>) => [...list].map((k) => idOf(live.problem, k)).join(', ')

/** Two and two that are alive together. */
function pairs({ problem }: Live): number {
  let found = 0
  for (let a = 0; a < problem.count; a++) for (let b = 0; b < a; b++) found += overlap(problem, a, b) ? 1 : 0
  return found
}

const BYTES = 'csp, bytes'
const UNITS = 'csp, KiB'
const run = (name: string, solver: string, options: Record<string, string> = {}): OtherRun => ({
  name,
  config: { solver, capacity: inKib.capacity, options },
})
const stepsOf = (live: Live, name: string) => other(live, name)?.steps ?? -1

export const ordersOfPairs: Lesson = {
  id: 'pairs',
  title: 'Addresses or orders',
  summary: 'One small problem, searched by csp, cp and meta-csp, and why they differ.',
  gained: 'tell a search by addresses from one by orders, and say what bounds and a matrix of distances know.',
  minutes: 9,
  sources: [minimalloc('§2.2 and §8'), telamalloc('§5.1 and Figure 13')],
  steps: [
    {
      title: 'An address for each',
      text: [
        'The plainest search there is asks each buffer for an *address*: the largest rectangle first, its addresses from the bottom upwards. The papers call it *csp*: it is Korf’s way of packing rectangles.',
        'The capacity is {capacity}. `b3` is the largest, and lies at its first address.',
      ],
      show: { ...by('csp'), at: { event: 'place' } },
      keeps: 'sentence',
      ask: {
        kind: 'number',
        label: 'Addresses of b3',
        question: '`b3` has {size} bytes. At how many addresses can it begin?',
        answer: (live) => live.capacity - sizeOf(live, 'b3') + 1,
        hint: (given, live) =>
          given === live.capacity - sizeOf(live, 'b3') ? '0 is one, too.' : 'It must end below {capacity}.',
        right:
          'So many branches has the first node alone. With a megabyte instead of {capacity} it would be a million.',
      },
      facts: { capacity: (live) => live.capacity, size: (live) => sizeOf(live, 'b3') },
    },
    {
      title: 'Passed over',
      text: [
        '`{who}` is tried at {at}. Somebody lies there already, and as long as they do, the next addresses are no better: all of them up to the top of whoever is in the way are passed over in one step.',
      ],
      show: { ...by('csp'), at: skip },
      keeps: 'sentence',
      ask: {
        kind: 'buffer',
        question: 'Who is in the way?',
        answers: (live) => [argOf(eventNow(live, { event: 'skip' }), 'witness')],
        hint: (_, live) =>
          `Who is alive together with {who} and has address ${argOf(eventNow(live, { event: 'skip' }), 'offset')}?`,
        right: '`{witness}`: {count} addresses are passed over, up to {top}.',
      },
      facts: {
        who: (live) => idOf(live.problem, argOf(eventNow(live, { event: 'skip' }), 'buffer')),
        witness: (live) => idOf(live.problem, argOf(eventNow(live, { event: 'skip' }), 'witness')),
        at: (live) => argOf(eventNow(live, { event: 'skip' }), 'offset'),
        top: (live) => argOf(eventNow(live, { event: 'skip' }), 'bound'),
        count: (live) => argOf(eventNow(live, { event: 'skip' }), 'count'),
      },
    },
    {
      title: 'Back to whoever was last',
      text: [
        'Nothing says beforehand that addresses run out. `b1` finds out when it has tried all of its own: others have them.',
        'Then the buffer placed last takes its next address, whether it was to blame or not, and all behind it is tried again.',
      ],
      show: { ...by('csp'), at: { event: 'skip', buffer: 'b1' } },
      ask: {
        kind: 'do',
        question: 'Go to the step at which the search goes back for the first time.',
        knobs: [],
        done: (live) => eventNow(live, back)?.step === eventLike(live, back)?.step && eventNow(live, back) !== null,
        hint: (live) =>
          (live.frame?.step ?? 0) < (eventLike(live, back)?.step ?? 0)
            ? 'It comes a little later.'
            : 'It was before this.',
        right: '`{first}` is taken back. {backs} times in all the search goes back, until `b6` leaves the small gap.',
        show: (live) => ({ at: eventLike(live, back)?.step ?? 0 }),
      },
      facts: {
        first: (live) => idOf(live.problem, argOf(eventLike(live, back), 'buffer')),
        backs: (live) => eventsLike(live, back).length,
      },
    },
    {
      title: 'Which lies below?',
      text: [
        'Now the same problem by *cp*. It asks no buffer for an address. It asks each two that are alive together: *which of you lies below?*',
        'The canvas shows every buffer as low as the answers so far allow. Those that still lie over each other have not been asked.',
      ],
      show: { ...by('cp'), at: { event: 'window' } },
      ask: {
        kind: 'number',
        label: 'Pairs',
        question: 'How many buffers have to be compared with `b8`?',
        answer: (live) => {
          const b8 = indexOf(live.problem, 'b8')
          return [...live.problem.ids.keys()].filter((k) => k !== b8 && overlap(live.problem, k, b8)).length
        },
        hint: () => 'Count those that are alive at some time at which `b8` is.',
        right:
          '{pairs} pairs there are in all, each with two answers, however large the buffers are: with a megabyte it would be the same {pairs}.',
      },
      facts: { pairs },
    },
    {
      title: 'What follows from an answer',
      text: [
        'The first answer was: `b3` lies above `b0`. Now `b8` is put above `b3`.',
        'So `b8` begins no lower than the top of `b3`, and `b3` ends no higher than below `b8`. Each buffer has such a *least* and a *greatest* address: its bounds.',
      ],
      show: { ...by('cp'), at: { ...order, nth: 2 } },
      keeps: 'sentence',
      ask: {
        kind: 'number',
        label: 'Least address of b8',
        question: 'What is the least address of `b8` now?',
        answer: (live) => argOf(eventNow(live, order), 'offset'),
        hint: () => '`b0` has {ground} bytes and lies at the bottom, `b3` has {size}.',
        right:
          'It has only this one left, under the capacity. And {moved} have moved without being asked: between bounds, other pairs have one order left.',
      },
      facts: {
        ground: (live) => sizeOf(live, 'b0'),
        size: (live) => sizeOf(live, 'b3'),
        moved: (live) => names(live, eventNow(live, order)?.list ?? []),
      },
    },
    {
      title: 'A matrix of distances',
      text: [
        '*Meta-csp* asks the same pairs, and keeps how far each buffer lies above *each other*, not only above the bottom: one *matrix* of longest paths.',
        '`b3` was put above `b0` and above `b2`. Now `b2` is put above `b0`. A stack is a path, and its length a distance.',
      ],
      show: { ...by('meta-csp'), at: { event: 'lift', buffer: 'b2' } },
      keeps: 'sentence',
      ask: {
        kind: 'number',
        label: 'Least address of b3',
        question: 'At which address does `b3` begin at least?',
        answer: (live) => offsetAt(live, 'b3'),
        hint: () => 'Under it lies `b2`, and under that `b0`. Add up their sizes.',
        right:
          'A path from the bottom through both. Where a path between two is as long as the lower one is large, their order is known: that pair is never asked.',
      },
    },
    {
      title: 'Never asked',
      text: [
        'All pairs have an order, and the lengths of the paths are the plan. Each level of this search is one pair that was asked; every other answer was in the matrix.',
        'Before each question the matrix also says which order would close a circle or pass the capacity. That is *forward checking*: it is not tried at all.',
      ],
      show: by('meta-csp'),
      ask: {
        kind: 'number',
        label: 'Pairs never asked',
        question: 'Of {pairs} pairs, {asked} were asked. How many were not?',
        answer: (live) => pairs(live) - eventsLike(live, order).length,
        hint: () => 'The others.',
        right: 'They followed from the others, and {failed} orders had to be taken back.',
      },
      facts: {
        pairs,
        asked: (live) => eventsLike(live, order).length,
        failed: (live) => eventsLike(live, { event: 'no-lift' }).length,
      },
    },
    {
      title: 'The same in bytes',
      text: [
        'Here the sizes are in KiB, so that the numbers are larger. It is the same problem.',
        'The bars are the steps until there is a plan. Csp is there twice: once its addresses go up by a byte, as the paper has it, once by the common divisor of all sizes.',
      ],
      show: inKib,
      figure: { kind: 'table', by: 'steps' },
      others: () => [
        run(BYTES, 'csp'),
        run(UNITS, 'csp', { unit: 'gcd' }),
        run('cp', 'cp'),
        run('meta-csp', 'meta-csp'),
      ],
      ask: {
        kind: 'choice',
        question: 'Who minds the unit?',
        options: [
          {
            text: 'Only the search by addresses',
            reply:
              '{bytes} steps instead of {units}, and that on ten buffers. MiniMalloc’s paper: “grid dimensions are prohibitively large”. An order has no unit.',
          },
          {
            text: 'All of them',
            reply: 'cp and meta-csp take {cp} and {meta} steps, as many as before: an order has no unit.',
          },
          { text: 'None', reply: 'csp takes {bytes} steps by bytes, and {units} by KiB.' },
        ],
        answer: (live) => (live.others === null ? -1 : stepsOf(live, BYTES) > 10 * stepsOf(live, UNITS) ? 0 : -1),
      },
      facts: {
        bytes: (live) => stepsOf(live, BYTES),
        units: (live) => stepsOf(live, UNITS),
        cp: (live) => stepsOf(live, 'cp'),
        meta: (live) => stepsOf(live, 'meta-csp'),
      },
    },
  ],
}
