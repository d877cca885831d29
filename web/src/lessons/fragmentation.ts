/** Lesson 4: fragmentation and alignment. */
import type { Lesson, Live } from './lesson'
import { argOf, eventLike, heightShown, indexOf, leastFit, offsetOf, sizeOf, sweep } from './answers/live'
import { telamalloc } from './papers'

const csv = `id,lower,upper,size
a,0,2,3
b,0,4,2
c,0,2,3
d,2,4,6
`
const holes = { name: 'hole.csv', csv }
const CAPACITY = 8
const online = { problem: holes, capacity: CAPACITY, solver: 'bfc' }
const aligned = { example: 'aligned.csv' }
/** Capacities of the slider. */
const [FROM, TO, BY] = [424, 560, 8]

const alignmentOf = (live: Live, id: string) => live.problem.alignment[indexOf(live.problem, id)] ?? -1
const free = (live: Live) => live.capacity - sizeOf(live, 'b')

/** The least multiple of an alignment from an address on. */
export function alignedUp(address: number, alignment: number): number {
  return Math.ceil(address / alignment) * alignment
}

export const fragmentation: Lesson = {
  id: 'fragmentation',
  title: 'Fragmentation and alignment',
  summary: 'Free bytes that nobody can use.',
  gained: 'see why free bytes are not free room, and what alignment costs.',
  minutes: 7,
  sources: [telamalloc('§5.5 (alignment) and Figure 3 (a best-fit allocator)')],
  steps: [
    {
      title: 'A hole is not a place',
      text: [
        'This planner works like the allocator of a running program: it takes requests as they come and does not know when a buffer will end. `a`, `b` and `c` come first, one on top of the other.',
        'At time {time} both `a` and `c` are freed, and `d` asks for {need} bytes.',
      ],
      facts: {
        time: (live) => live.problem.lower[indexOf(live.problem, 'd')] ?? -1,
        need: (live) => sizeOf(live, 'd'),
        capacity: (live) => live.capacity,
        room: (live) => argOf(eventLike(live, { event: 'no-fit' }), 'room'),
      },
      show: { ...online, at: { event: 'no-fit' } },
      keeps: 'sentence',
      ask: {
        kind: 'number',
        label: 'Free bytes',
        question:
          'The capacity is {capacity}, and only `b` is alive still. How many bytes are free below the capacity?',
        answer: free,
        hint: (given, live) =>
          given === argOf(eventLike(live, { event: 'no-fit' }), 'room')
            ? 'That is one of the holes. Count both, below `b` and above it.'
            : 'Take the size of `b` from the capacity.',
        right: 'Exactly as many as `d` needs. And yet it does not fit: the free bytes are in two holes of {room}.',
      },
    },
    {
      title: 'Moved is mended',
      text: [
        'This is *fragmentation*: enough bytes are free, but not in one piece. The plan ends {height} high.',
        'A running program could hardly move `b`, because others hold its address. A static planner never has to: it knows from the start that `b` will stay and `d` will come.',
      ],
      facts: { height: (live) => live.stats?.height ?? heightShown(live) },
      show: online,
      keeps: 'sentence',
      ask: {
        kind: 'buffer',
        question: 'Which buffer lies in the wrong place?',
        answers: (live) => [indexOf(live.problem, 'b')],
        hint: (_, live) =>
          `That one was gone or not there yet when the holes mattered. At time ${live.problem.lower[indexOf(live.problem, 'd')]} only one buffer from before is left.`,
        right: '`b` outlives its neighbours and parts the memory in two.',
      },
    },
    {
      title: 'Place it better',
      text: [
        'Now you know all lifespans beforehand. Long-lived buffers at an edge of the memory do no harm: what is freed beside them stays in one piece.',
      ],
      facts: { capacity: (live) => live.capacity },
      show: { problem: holes, capacity: CAPACITY, order: [] },
      ask: {
        kind: 'do',
        question: 'Place all four within {capacity}.',
        knobs: [{ kind: 'order' }],
        done: (live) => live.frame?.depth === live.problem.count && heightShown(live) <= live.capacity,
        hint: (live) =>
          live.frame?.depth === live.problem.count
            ? `This plan is ${heightShown(live)} high. Let \`b\` lie at the very bottom or on the very top.`
            : 'Not all buffers are placed yet.',
        right: 'No byte is lost now: in every section the plan is as full as the load.',
        show: () => ({ order: ['b', 'a', 'c', 'd'] }),
      },
    },
    {
      title: 'Only some addresses will do',
      text: [
        'Hardware often wants a buffer to begin at a multiple of some power of two, its *alignment*. Here every buffer has one. `t0` must begin at a multiple of {t0}, `t1` at a multiple of {t1}.',
        'So a buffer cannot always lie directly on the one below. The bytes between them are lost: another kind of hole.',
      ],
      facts: {
        t0: (live) => alignmentOf(live, 't0'),
        t1: (live) => alignmentOf(live, 't1'),
        align: (live) => alignmentOf(live, 't5'),
        top: (live) => offsetOf(live, 't4') + sizeOf(live, 't4'),
      },
      show: { problem: aligned, capacity: 520, solver: 'minimalloc' },
      ask: {
        kind: 'number',
        label: 'Least offset from there on',
        question: 'A buffer ends at {top}. What is the least offset above it that is a multiple of {align}?',
        answer: (live) => alignedUp(offsetOf(live, 't4') + sizeOf(live, 't4'), alignmentOf(live, 't5')),
        hint: (given, live) =>
          given % alignmentOf(live, 't5') === 0
            ? 'That is a multiple, but not the first one from there on.'
            : 'Divide, round up, and multiply again.',
        right: 'The bytes up to there stay empty, whatever the load says.',
      },
    },
    {
      title: 'What alignment costs',
      text: [
        'The greatest load of this problem is {load}: without alignment no plan needs less than that, and with it none does either. Alignment can only add.',
      ],
      facts: { load: (live) => live.problem.lowerBound, least: leastFit },
      show: { problem: aligned, capacity: TO, solver: 'exact' },
      others: () => sweep('exact', FROM, TO, BY),
      ask: {
        kind: 'do',
        question: 'Find the least capacity at which there is a plan.',
        knobs: [{ kind: 'capacity', from: FROM, to: TO, by: BY }],
        done: (live) => live.capacity === leastFit(live),
        hint: (live) =>
          live.others === null
            ? 'The page is still working it out.'
            : live.capacity < leastFit(live)
              ? `Into ${live.capacity} nothing fits, as the search has proved.`
              : `Into ${live.capacity} there is a plan. Perhaps less will do.`,
        right:
          'From {load} to {least}, for alignment alone. A lower bound that knew of it would have to be cleverer than a sum.',
        show: (live) => ({ capacity: leastFit(live) }),
      },
    },
  ],
}
