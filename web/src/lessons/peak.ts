/** Lesson 16: from a model to its peak, and what lowers it. */
import { thousands } from '../base/format'
import type { Lesson, Live, OtherRun } from './lesson'
import { idOf, loadOf, membersOf, other, totalSize } from './answers/live'
import { loadsOf } from './answers/order_load'
import { cosma, minimalloc } from './papers'

const resnet = (lowering: Record<string, string>) => ({
  network: 'resnet50',
  parameters: { weights: 'false' },
  lowering,
})
/** Found by a search, with many branches that may run in any order. */
const darts = (lowering: Record<string, string>) => ({
  network: 'darts_cifar',
  parameters: { weights: 'false' },
  lowering,
})
const PEAK = 2_408_448
const GIVEN = 442_368
const ORDERED = 331_776

const RULES = ['file', 'breadth-first', 'depth-first', 'least-growth', 'least-alive']
/** Addresses as low as the peak, whatever the seed: what differs is the order alone. */
const scheduled = (rule: string) => ({ rule, allocator: 'exact' })
const byRule = (rule: string): OtherRun => ({
  name: rule,
  config: { solver: 'list-schedule', capacity: GIVEN, options: scheduled(rule) },
})
const PLANNERS = ['tflm', 'litert', 'greedy', 'exact']

const bound = (live: Live) => live.problem.lowerBound
const peakSection = (live: Live) =>
  [...live.problem.sections.load.keys()].find((k) => loadOf(live.problem, k) === bound(live)) ?? 0
const peaks = (live: Live) => live.problem.sections.load.filter((load) => load === bound(live)).length
const atPeak = (live: Live) => membersOf(live.problem, peakSection(live))
const most = (loads: Float64Array) => loads.reduce((high, bytes) => Math.max(high, bytes), 0)
/** If every tensor had bytes of its own. */
const apart = (live: Live) => most(loadsOf(live, live.model?.ops.row ?? [], true))
const lowest = (live: Live) => Math.min(...RULES.map((rule) => other(live, rule)?.height ?? Number.MAX_SAFE_INTEGER))
const heightBy = (live: Live, name: string) => other(live, name)?.height ?? '…'
const percent = (part: number, whole: number) => Math.round(100 * (1 - part / whole))

export const peak: Lesson = {
  id: 'peak',
  title: 'From a model to its peak',
  summary: 'Where the lifespans come from, and two ways to make the worst moment smaller.',
  gained: 'find the moment that decides how much memory a network needs, and two levers that move it.',
  minutes: 9,
  sources: [minimalloc('§2.1'), cosma('§III-E')],
  steps: [
    {
      title: 'Operators make lifespans',
      text: [
        'So far buffers came from nowhere. Here is where they come from: a ResNet of fifty layers, {ops} operators in the order in which they run. Each writes a tensor, which lives until the last operator that reads it has run. Time is the number of the operator.',
        'In all {total} bytes are written, but only {bound} are ever alive at once. Such a moment is the *peak*, and no memory plan needs less.',
      ],
      show: { problem: resnet({}), capacity: PEAK, solver: 'exact', colour: 'size' },
      ask: {
        kind: 'number',
        label: 'Tensors alive at the peak',
        question: 'How many tensors make the peak? Look where the load below the canvas is highest.',
        answer: (live) => atPeak(live).length,
        hint: () => 'Point at the canvas where the plan reaches the line: each rectangle there is one.',
        right:
          'They are {who}: an addition reads two tensors and writes a third. {peaks} moments of the network need as much, and none needs more.',
      },
      facts: {
        ops: (live) => live.model?.ops.count ?? -1,
        total: (live) => totalSize(live.problem),
        bound,
        peaks,
        who: (live) =>
          atPeak(live)
            .map((k) => idOf(live.problem, k))
            .join(', '),
      },
    },
    {
      title: 'In place',
      text: [
        'An addition reads each byte once and writes one in its stead. If nobody reads its input later, it can write right over it: *in place*. The two tensors become one buffer.',
        'This is the same network so. It had {apart} bytes at its peak; now it has {bound}.',
      ],
      show: { problem: resnet({ inplace: 'true' }), capacity: PEAK, solver: 'exact', colour: 'size' },
      ask: {
        kind: 'choice',
        question: 'Why can a convolution not do the same?',
        options: [
          {
            text: 'It is too slow for it',
            reply: 'How long it takes has nothing to do with it.',
          },
          {
            text: 'It reads a value more than once',
            reply: 'Each input goes into many outputs. Written over after the first, it would be gone for the next.',
          },
          {
            text: 'Its output is always larger',
            reply: 'Often it is as large, or smaller. It would still write over what it has yet to read.',
          },
        ],
        answer: (live) => (bound(live) < apart(live) ? 1 : -1),
      },
      facts: { apart, bound },
    },
    {
      title: 'Another order',
      text: [
        'Networks that were found by a search have many branches, and the order of their operators is free, as long as each runs after those it reads from. This one is DARTS: {ops} operators, one after the other as its file has them.',
        'A *list scheduler* goes through the network once and always takes one of the operators that are ready. By which rule? The bars are the plans that come of it.',
      ],
      show: { problem: darts({}), capacity: GIVEN, solver: 'list-schedule', options: scheduled('file') },
      figure: { kind: 'table', by: 'height' },
      others: () => RULES.map(byRule),
      ask: {
        kind: 'do',
        question: 'Choose the rule whose plan is the lowest.',
        knobs: [{ kind: 'option', name: 'rule' }],
        done: (live) => live.others !== null && live.stats?.height === lowest(live),
        hint: (live) =>
          live.others === null
            ? 'The others are still being run.'
            : `This one is ${thousands(live.stats?.height ?? 0)} high, and the table has a lower one.`,
        right:
          'It always leaves as few bytes alive as it can: {lowest} bytes instead of {file}, {percent} % less, and nothing was computed differently.',
        show: (live) => ({
          options: scheduled(RULES.find((rule) => other(live, rule)?.height === lowest(live)) ?? 'least-alive'),
        }),
      },
      facts: {
        ops: (live) => live.model?.ops.count ?? -1,
        lowest: (live) => (live.others === null ? '…' : lowest(live)),
        file: (live) => heightBy(live, 'file'),
        percent: (live) => (live.others === null ? '…' : percent(lowest(live), other(live, 'file')?.height ?? 1)),
      },
    },
    {
      title: 'And then the addresses',
      text: [
        'The order is fixed now, and with it the peak: {peak} bytes. The lowest of the plans was no higher than that, because its addresses came from the exact solver. Quick planners lose bytes to gaps.',
        'Here is an order with that peak, with addresses from the exact solver. The bars compare it with three planners that are built into runtimes.',
      ],
      show: { problem: darts({ order: 'greedy' }), capacity: ORDERED, solver: 'exact' },
      figure: { kind: 'table', by: 'height' },
      others: () => PLANNERS.map((solver) => ({ name: solver, config: { solver, capacity: ORDERED, options: {} } })),
      ask: {
        kind: 'choice',
        question: 'Can any planner still make this order’s plan lower than exact’s?',
        options: [
          { text: 'Yes, with more time', reply: 'At the peak {peak} bytes are alive, and they all need a place.' },
          {
            text: 'No: it is as low as the peak',
            reply: 'Not a byte is lost. What is left is to change the peak itself.',
          },
        ],
        answer: (live) => (live.stats?.height === bound(live) ? 1 : -1),
      },
      facts: { peak: bound },
    },
    {
      title: 'How much is left?',
      text: [
        'Is there an order with a lower peak yet? COSMA’s search looks for the least of all orders. It found none below {height} here, and it has not proved that there is none: all it knows is that the largest operator alone reads and writes {required} bytes.',
        'In its row *Result* the page says the same: a least height between two numbers.',
      ],
      show: { problem: darts({}), capacity: GIVEN, solver: 'cosma', goal: 'height' },
      ask: {
        kind: 'number',
        label: 'Bytes that are open',
        question: 'How many bytes could still be saved at most, as far as is known?',
        answer: (live) => (live.stats?.height ?? 0) - (live.stats?.lowerBound ?? 0),
        hint: () => 'Take {required} from {height}.',
        right:
          'At most so many: between what is known and what was found. A number without such a gap is worth more than a lower one without a bound.',
      },
      facts: {
        height: (live) => live.stats?.height ?? -1,
        required: (live) => live.model?.budgets.required ?? -1,
      },
    },
    {
      title: 'When it still does not fit',
      text: [
        'Your chip has half as much memory. The order is good, and the addresses are exact.',
        'What is left changes the tensors themselves. With a model open, *What can be done* works out each lever on the spot and says what it would give: another schedule, in place, weights that are streamed, a smaller batch or input, one byte an element, an operator that is split.',
      ],
      show: { problem: darts({ order: 'greedy' }), capacity: ORDERED / 2, solver: 'exact' },
      ask: {
        kind: 'choice',
        question: 'Which of these will surely not help here?',
        options: [
          {
            text: 'A cleverer packing',
            reply: 'The load alone is above the line. No packing changes what is alive at once.',
          },
          {
            text: 'A smaller picture',
            reply: 'Half the edge makes a quarter of the bytes of every tensor: that helps.',
          },
          {
            text: 'Splitting the operator at the peak',
            reply: 'Its tensors then come and go in parts, and fewer bytes are alive together: that helps.',
          },
        ],
        answer: (live) => (bound(live) > live.capacity ? 0 : -1),
      },
    },
  ],
}
