/** Lesson 17: why the least footprint is not the least traffic. */
import { thousands } from '../base/format'
import type { Lesson, Live, OtherRun, Show } from './lesson'
import { other } from './answers/live'
import { loadsOf } from './answers/order_load'
import { cosma } from './papers'

const problem = { network: 'nasnet_a_mobile', parameters: { weights: 'false' }, lowering: {} }
/** What its largest operator reads and makes: M_R of the paper. */
const CAPACITY = 544_800
/** The least footprint: M_P. From the one to the other in three steps. */
const PEAK = 685_035
const BY = (PEAK - CAPACITY) / 3
const CAPACITIES = [0, 1, 2, 3].map((k) => CAPACITY + k * BY)

/** Of the paper: figure 4 on average, table II for this network. */
const PAPER = { percent: 85, seconds: 37.5 }

const LEAST = 'least footprint'
const ANY = 'any order'

const moving = (schedule: string): Show => ({
  problem,
  capacity: CAPACITY,
  solver: 'cosma',
  goal: 'traffic',
  options: schedule === 'joint' ? {} : { schedule },
})
const beside = (name: string, schedule: string, capacity = CAPACITY): OtherRun => ({
  name,
  config: { solver: 'cosma', goal: 'traffic', capacity, options: { schedule } },
})
const scheme = (name: string, schedule: string, replacement: string): OtherRun => ({
  name,
  config: { solver: 'replacement', goal: 'traffic', capacity: CAPACITY, options: { schedule, replacement } },
})

const moved = (live: Live) => live.stats?.cost ?? 0
const movedBy = (live: Live, name: string) => other(live, name)?.cost ?? '…'
/** Without copies. */
const loads = (live: Live) => loadsOf(live, live.plan?.order ?? [])
const highest = (list: Float64Array) => list.reduce((most, bytes) => Math.max(most, bytes), 0)
const above = (list: Float64Array) => list.filter((bytes) => bytes > CAPACITY).length
const loadsBy = (live: Live, name: string) => loadsOf(live, other(live, name)?.order ?? [])

/** 0: less of the order shown than of that of least footprint, 1: as much, 2: more; -1: not known yet. */
function compared(live: Live, measure: (loads: Float64Array) => number): number {
  const order = other(live, LEAST)?.order
  return order == null ? -1 : Math.sign(measure(loads(live)) - measure(loadsOf(live, order))) + 1
}

/** How much an order moves at a capacity, of the runs beside. */
const movedAt = (live: Live, name: string, capacity: number) =>
  live.others?.find((one) => one.name.startsWith(name) && one.capacity === capacity)?.cost
/** The least of the capacities with which the order of least footprint is no worse than any. */
const enough = (live: Live) =>
  CAPACITIES.find((at) => {
    const best = movedAt(live, ANY, at)
    return best !== undefined && best === movedAt(live, LEAST, at)
  }) ?? 0

const schemes = ['given order, Belady', 'given order, greedy', `${LEAST}, Belady`, `${LEAST}, greedy`]
const bestScheme = (live: Live) =>
  Math.min(...schemes.map((name) => other(live, name)?.cost ?? Number.MAX_SAFE_INTEGER))

export const leastTraffic: Lesson = {
  id: 'least-traffic',
  title: 'Least footprint, least traffic',
  summary: 'Why the order that needs the least memory is not the one that moves the fewest bytes.',
  gained: 'tell the least footprint from the least traffic, and when they part.',
  minutes: 7,
  sources: [cosma('§III-E'), cosma('§V with Figure 4 and Table II')],
  steps: [
    {
      title: 'Too large for the chip',
      text: [
        'NASNet-A Mobile was put together by a search, not by people: its {count} operators can run in very many orders. In the one that it came with, {given} bytes are alive at once. Here it runs in the order of the *least footprint*: {least} bytes, and no order keeps everything in less.',
        'The line is the scratchpad of our chip, {capacity} bytes: what the largest operator reads and makes. With less, nothing runs at all.',
      ],
      facts: {
        count: (live) => live.model?.ops.count ?? 0,
        given: (live) => live.problem.lowerBound,
        least: (live) => live.stats?.height ?? 0,
        capacity: (live) => live.capacity,
      },
      show: { problem, capacity: CAPACITY, solver: 'cosma', goal: 'height' },
      ask: {
        kind: 'number',
        label: 'Missing bytes',
        question: 'How many bytes of the least footprint have no room?',
        answer: (live) => (live.stats?.height ?? 0) - live.capacity,
        hint: () => 'It is what {least} has more than {capacity}.',
        right:
          'So no order fits. Some tensors must leave for DRAM and come back, and that costs more energy than the arithmetic.',
      },
    },
    {
      title: 'First the order, then the copies',
      text: [
        'Now tensors of that order may leave. Below the plate is the memory outside: what is there, from the copy out to the copy back.',
        'These are the best copies that an order of least footprint was found to have. They move {traffic} bytes.',
      ],
      facts: { traffic: moved },
      show: moving('least-peak'),
      ask: {
        kind: 'number',
        label: 'Bytes that come back',
        question: 'Here each tensor that goes out comes back once. How many bytes come back?',
        answer: (live) => moved(live) / 2,
        hint: () => 'What goes out and what comes back are {traffic} together, and they are the same tensors.',
        right:
          'Each of them is paid twice. A tensor that is read again much later would be fetched again, but it is copied out only once.',
      },
    },
    {
      title: 'Everything at once',
      text: [
        'That order was chosen without a thought of what moves. COSMA decides order, copies and addresses *together*, and proves that no plan moves less than {traffic} bytes.',
        'The bars are the best copies for the given order, for that of least footprint, and for any.',
      ],
      facts: {
        traffic: moved,
        least: (live) => highest(loadsBy(live, LEAST)),
        own: (live) => highest(loads(live)),
        times: (live) => ((other(live, LEAST)?.cost ?? 0) / moved(live)).toFixed(1),
      },
      show: moving('joint'),
      others: () => [beside('given order', 'file'), beside(LEAST, 'least-peak'), beside(ANY, 'joint')],
      figure: { kind: 'table', by: 'traffic' },
      ask: {
        kind: 'choice',
        question: 'If nothing were copied, how much memory would the order shown need?',
        options: [
          { text: 'Less than {least}', reply: 'No order needs less: that is what the least footprint means.' },
          {
            text: 'Just {least}',
            reply: 'Then the order of least footprint could do as well. It moves {times} times as much.',
          },
          {
            text: 'More',
            reply:
              'It would need {own}. The order of least footprint needs only {least}, and moves {times} times as much.',
          },
        ],
        answer: (live) => compared(live, highest),
      },
    },
    {
      title: 'One moment, or all of them',
      text: [
        'A footprint is a single number: the worst moment. Traffic is paid for *every* moment at which more is alive than there is room for.',
        'Without copies, the order of least footprint is above the line while {often} of its operators run.',
      ],
      facts: {
        often: (live) => above(loadsBy(live, LEAST)),
        rarely: (live) => above(loads(live)),
      },
      show: moving('joint'),
      others: () => [beside(LEAST, 'least-peak')],
      ask: {
        kind: 'choice',
        question: 'During how many operators would the order of least traffic be above it?',
        options: [
          { text: 'Fewer', reply: 'During {rarely}. Its worst moment is worse, but there are fewer such moments.' },
          { text: 'As many', reply: 'Then it would have to pay as often.' },
          {
            text: 'More, as it needs more',
            reply: 'It needs more at its worst moment. That says nothing of the others.',
          },
        ],
        answer: (live) => compared(live, above),
      },
    },
    {
      title: 'With a little more room',
      text: [
        'The plate has the best copies for the order of least footprint again. The bars are what it moves, and what any order has to move, with more and more memory.',
      ],
      show: moving('least-peak'),
      others: () =>
        CAPACITIES.flatMap((at) => [
          beside(`${LEAST}, ${thousands(at)}`, 'least-peak', at),
          beside(`${ANY}, ${thousands(at)}`, 'joint', at),
        ]),
      figure: { kind: 'table', by: 'traffic' },
      facts: { enough, left: (live) => movedAt(live, ANY, enough(live)) ?? '…' },
      ask: {
        kind: 'do',
        question: 'Set the smallest of these capacities at which the order of least footprint is as good as any.',
        knobs: [{ kind: 'capacity', from: CAPACITY, to: PEAK, by: BY }],
        done: (live) => live.capacity === enough(live),
        hint: (live) =>
          live.capacity < enough(live)
            ? 'Here another order moves less: compare the two bars of this capacity.'
            : 'Both move the same here, but not only here.',
        right:
          'With {enough} bytes both move {left}, and with the whole least footprint nothing moves. The tighter the memory, the more there is to gain from deciding together.',
        show: (live) => ({ capacity: enough(live) }),
      },
    },
    {
      title: 'What the paper compares with',
      text: [
        'Compilers take an order, and when memory runs out throw out the tensor that is read furthest ahead (*Belady*) or clear the stretch of addresses that it costs least (*greedy*). The paper measures these four schemes: on its four networks from searches it moves {percent} % less on average.',
        'It cuts such networks into pieces by hand, took {seconds} seconds for this one and proves nothing. Here the whole was proved just now, while you turned the page. And the paper’s graph shows it even more plainly: there the order of least footprint moves more than the given one.',
      ],
      facts: {
        percent: () => PAPER.percent,
        seconds: () => String(PAPER.seconds),
        traffic: moved,
        best: bestScheme,
        joint: (live) => movedBy(live, 'COSMA'),
      },
      show: moving('joint'),
      others: () => [
        ...schemes.map((name) =>
          scheme(name, name.startsWith(LEAST) ? 'least-peak' : 'file', name.endsWith('greedy') ? 'greedy' : 'belady'),
        ),
        beside('COSMA', 'joint'),
      ],
      figure: { kind: 'table', by: 'traffic' },
      ask: {
        kind: 'number',
        label: 'Percent less',
        question: 'By how many percent does COSMA move less than the best of the four? Round to a whole number.',
        answer: (live) => (live.others === null ? -1 : Math.round(100 * (1 - moved(live) / bestScheme(live)))),
        hint: () => 'Divide {joint} by {best}: that share still moves, the rest does not.',
        right: 'From {best} to {traffic} bytes, and it is known that no plan can do better.',
      },
    },
  ],
}
