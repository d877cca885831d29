/** Lesson 1: what static allocation is. */
import type { Lesson, Live, Show } from './lesson'
import { heightShown, idOf, indexOf, overlap, sizeOf, totalSize } from './answers/live'
import { telamalloc } from './papers'

const csv = `id,lower,upper,size
input,0,2,3
conv,1,3,4
relu,2,4,4
output,3,5,2
`
const problem = { name: 'four-tensors.csv', csv }
const CAPACITY = 8
const placed: Show = { problem, capacity: CAPACITY, order: ['conv', 'output', 'relu', 'input'] }

/** Each its own. */
const STACKED = { input: 0, conv: 3, relu: 7, output: 11 }

/** Pairs that are in the same bytes at the same time. */
function clashes({ problem, frame }: Live): [number, number][] {
  const top = (k: number) => (frame?.offset[k] ?? 0) + (problem.size[k] ?? 0)
  const met = (x: number, y: number) =>
    overlap(problem, x, y) && (frame?.offset[x] ?? 0) < top(y) && (frame?.offset[y] ?? 0) < top(x)
  const all = [...problem.ids.keys()]
  return all.flatMap((x) => all.filter((y) => x < y && met(x, y)).map((y): [number, number] => [x, y]))
}

/** Buffers that are never alive together with this one. */
function strangers(live: Live, id: string): number[] {
  const me = indexOf(live.problem, id)
  return [...live.problem.ids.keys()].filter((k) => k !== me && !overlap(live.problem, k, me))
}

export const staticAllocation: Lesson = {
  id: 'static-allocation',
  title: 'What static allocation is',
  summary: 'Tensors as rectangles, and who may lie where.',
  gained: 'read a memory plan: who lives when, who lies where, and who may share.',
  minutes: 5,
  sources: [telamalloc('§1 and Figure 1')],
  steps: [
    {
      title: 'A tensor is a rectangle',
      text: [
        'An accelerator keeps its tensors in a small, fast memory that software manages. Each tensor needs a *buffer* there: some bytes, from the operator that writes it to the last one that reads it.',
        'Here are {count} of them. Time runs to the right, addresses go up. The width of a rectangle is its *lifespan*, its height its *size*. The bottom edge is its *offset*: the address at which it begins.',
      ],
      facts: { count: (live) => live.problem.count },
      show: placed,
      ask: {
        kind: 'buffer',
        question: 'Which buffer is written first? Click it on the canvas, or choose its name.',
        answers: (live) => {
          const first = Math.min(...live.problem.lower)
          return [...live.problem.ids.keys()].filter((k) => live.problem.lower[k] === first)
        },
        hint: (buffer, live) =>
          `\`${idOf(live.problem, buffer)}\` begins at time ${live.problem.lower[buffer]}. Look for the left edge that is furthest left.`,
        right: 'Its left edge is at the beginning of time.',
      },
    },
    {
      title: 'Never the same byte at the same time',
      text: [
        'There is one rule. Two buffers that are alive at the same time must not share a byte: on the picture, no two rectangles may overlap.',
        'The simplest plan gives every buffer bytes of its own, as if none of them ever died.',
      ],
      show: placed,
      ask: {
        kind: 'number',
        label: 'Bytes, each buffer its own',
        question:
          'The sizes are {input}, {conv}, {relu} and {output}. How many bytes would be needed, if every buffer had its own?',
        answer: (live) => totalSize(live.problem),
        hint: (given, live) =>
          given === live.problem.lowerBound
            ? 'That is enough if buffers share. Here none of them does: add up all sizes.'
            : 'Add up all four sizes.',
        right: 'The plan on the canvas needs {height}. The rest is saved by sharing.',
      },
      facts: {
        input: (live) => sizeOf(live, 'input'),
        conv: (live) => sizeOf(live, 'conv'),
        relu: (live) => sizeOf(live, 'relu'),
        output: (live) => sizeOf(live, 'output'),
        height: heightShown,
      },
    },
    {
      title: 'Who may share',
      text: [
        'Buffers whose lifespans do not overlap may use the same bytes, one after the other.',
        'A lifespan is half open: `input` lives in [{from}, {to}), up to time {to} but not in it. A buffer that begins at {to} may take its place at once.',
      ],
      facts: {
        from: (live) => live.problem.lower[indexOf(live.problem, 'input')] ?? -1,
        to: (live) => live.problem.upper[indexOf(live.problem, 'input')] ?? -1,
        others: (live) => strangers(live, 'input').length,
      },
      show: { ...placed, light: ['input'] },
      ask: {
        kind: 'buffer',
        question: 'Which buffer may lie at the same offset as `input`?',
        answers: (live) => strangers(live, 'input'),
        hint: (buffer, live) =>
          idOf(live.problem, buffer) === 'input'
            ? 'That is `input` itself. Look for one that begins when it is over.'
            : `\`${idOf(live.problem, buffer)}\` and \`input\` are alive together for a while: one below the other, their rectangles overlap in time.`,
        right:
          'They never meet in time. There are {others} such buffers, and on the canvas one of them does lie there.',
      },
    },
    {
      title: 'Your turn',
      text: [
        'Here every buffer has bytes of its own again, one on top of the other. The line is the *capacity*: the memory ends there, and what is above it, in red, has no bytes.',
        'Drag the buffers up and down. They may go through each other, but where two are in the same bytes at the same time, that is red as well.',
      ],
      show: { problem, capacity: CAPACITY, bricks: STACKED },
      ask: {
        kind: 'do',
        question: 'Find places without any red for all {count}.',
        knobs: [{ kind: 'bricks' }],
        done: (live) => clashes(live).length === 0 && heightShown(live) <= live.capacity,
        hint: (live) => {
          const [clash] = clashes(live)
          if (clash !== undefined) {
            const [one, other] = clash.map((k) => idOf(live.problem, k))
            return `\`${one}\` and \`${other}\` are in the same bytes at the same time. Move one of them up or down.`
          }
          return `This plan is ${heightShown(live)} high, and the capacity is ${live.capacity}. The two largest have to lie one on the other, so what meets only one of them should lie beside, not on top.`
        },
        right:
          'You have made a static memory plan. On four buffers the eye sees it; the rest of these lessons is about how a program does, on thousands.',
        show: () => ({ bricks: { conv: 0, output: 0, relu: 4, input: 4 } }),
      },
      facts: { count: (live) => live.problem.count },
    },
    {
      title: 'Before the first run',
      text: [
        'Why *static*? An ordinary allocator answers one request after the other and never knows what comes next. A compiler for an accelerator knows the whole picture: the schedule says when every buffer begins and ends, so each offset can be worked out beforehand and becomes a constant of the program.',
        'Then nothing has to be searched for while the model runs. But the plan has to be found, and in general that is NP-hard.',
      ],
      show: placed,
      ask: {
        kind: 'choice',
        question: 'What does the planner choose?',
        options: [
          { text: 'The offsets', reply: 'Lifespans and sizes are given, the offsets are what is looked for.' },
          { text: 'The lifespans', reply: 'Those follow from the schedule of the operators, which is fixed by then.' },
          { text: 'The sizes', reply: 'A tensor has as many bytes as it has. Only where they lie is open.' },
        ],
        answer: () => 0,
      },
    },
  ],
}
