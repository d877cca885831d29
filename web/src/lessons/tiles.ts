/** Lesson 18: when tiles help, and when a halo, a layout or another reader spoils it. */
import type { Lesson, Live, Show } from './lesson'
import { offsetOf, totalSize } from './answers/live'
import { taa } from './papers'

const ROWS = 4
const rows = Array.from({ length: ROWS }, (_, row) => row)

/** Rows [a, b) of a tensor that has so many blocks of channels, one behind the other in memory. */
const box = (id: string, blocks: number, a: number, b: number) =>
  `${id}@0:${blocks}x${Math.max(0, a)}:${Math.min(ROWS, b)}`
const tensor = (id: string, blocks: number) => `tiled,${id},1,${blocks}x${ROWS}`

interface Layer {
  from: string
  to: string
  blocks: [number, number]
  /** rows that are needed at either side */
  halo?: number
  /** the last row is written first */
  reversed?: boolean
}

/** Row by row. */
const layer = ({ from, to, blocks: [wide, narrow], halo = 0, reversed = false }: Layer) =>
  rows.map((row) => {
    const at = reversed ? ROWS - 1 - row : row
    return `task,${to}:${row},${box(from, wide, row - halo, row + 1 + halo)},${box(to, narrow, at, at + 1)}`
  })

const csv = (tensors: [id: string, blocks: number][], ...layers: Layer[]) =>
  `${[...tensors.map(([id, blocks]) => tensor(id, blocks)), ...layers.flatMap(layer)].join('\n')}\n`

/** One layer from `in` to `out`. */
const one = (more: Partial<Layer> = {}) => {
  const blocks = more.blocks ?? [1, 1]
  return csv(
    [
      ['in', blocks[0]],
      ['out', blocks[1]],
    ],
    { from: 'in', to: 'out', ...more, blocks },
  )
}

/** capacity: of whole tensors, side by side */
const show = (name: string, text: string, capacity = 2 * ROWS): Show => ({
  problem: { name: `${name}.csv`, csv: text },
  capacity,
  solver: 'taa-exact',
  goal: 'height',
})

const height = (live: Live) => live.stats?.height ?? 0
const whole = (live: Live) => totalSize(live.problem)
const facts = { height, whole }

export const tiles: Lesson = {
  id: 'tiles',
  title: 'In tiles',
  summary: 'When tensors may lie over each other’s dead tiles, and what spoils it.',
  gained: 'pack tensors whose tiles die one after the other.',
  minutes: 7,
  sources: [taa('§III and Figure 1')],
  steps: [
    {
      title: 'Row by row',
      text: [
        'An accelerator loads a row of `in`, works on it, and stores a row of `out`. Once a row was read for the last time its bytes are free, long before the whole tensor is dead: each step of the staircase is one row, from when it is written until it was last read.',
        'Here each row of `out` takes the very place of the row it was made of. All of it fits into {height} bytes, a byte for each row.',
      ],
      facts: { height },
      show: show('element-wise', one()),
      ask: {
        kind: 'number',
        label: 'Bytes as whole tensors',
        question: 'How many bytes would the two take if each were needed as a whole?',
        answer: whole,
        hint: () => 'Both are alive at the same time: add up all their rows.',
        right: 'Twice as many. This is the best case: who writes and who reads walk the same way, row for row.',
      },
    },
    {
      title: 'A halo',
      text: [
        'A convolution of three by three needs a row more at either side. When the first row of `out` is written, the first row of `in` is still needed for the next one.',
        'So `out` cannot lie where `in` does. It is shifted by one row, and together they take {height} bytes instead of {whole}.',
      ],
      facts,
      show: show('halo', one({ halo: 1 })),
      keeps: 'sentence',
      ask: {
        kind: 'buffer',
        question: 'Which of the two has to lie lower? Point at it.',
        answers: (live) => (offsetOf(live, 'out') < offsetOf(live, 'in') ? [1] : [0]),
        hint: () => 'Rows die from below, the lowest one first. Whose first row is written into free room?',
        right:
          'The output eats up its input from below. Had it been placed above, it would run into rows that are still needed: most orders of placing do just that.',
      },
    },
    {
      title: 'Against the stream',
      text: [
        'The same layer without a halo, but `out` is written from its last row to its first, while `in` is read from first to last.',
        'Now the plan takes {height} bytes of {whole}: rows die at one end of `in`, and new ones are wanted at the other.',
      ],
      facts,
      show: show('reversed', one({ reversed: true })),
      ask: {
        kind: 'choice',
        question: 'What would bring the saving of the first step back?',
        options: [
          { text: 'Smaller tiles', reply: 'The rows would still die at the wrong end.' },
          {
            text: 'Reading `in` from the last row as well',
            reply: 'Yes: both walk the same way again, and each row is replaced as it dies.',
          },
          {
            text: 'More memory on the chip',
            reply: 'That makes tiles larger. The order in which they come stays as it is.',
          },
        ],
        answer: (live) => (live.stats === null ? -1 : 1),
      },
    },
    {
      title: 'Two readers',
      text: [
        'Two layers read `in`, first the one that makes `left`, then the one that makes `right`. A row is free only when the *last* of them has read it.',
        'While `left` is made nothing is released at all. The plan takes {height} bytes, and whole tensors would take no more: there, too, one output may follow the other.',
      ],
      facts: { height },
      show: show(
        'two-readers',
        csv(
          [
            ['in', 1],
            ['left', 1],
            ['right', 1],
          ],
          { from: 'in', to: 'left', blocks: [1, 1] },
          { from: 'in', to: 'right', blocks: [1, 1] },
        ),
      ),
      ask: {
        kind: 'buffer',
        question: 'One of the outputs takes the place of `in`, row by row. Which?',
        answers: (live) => [offsetOf(live, 'right') === offsetOf(live, 'in') ? 2 : 1],
        hint: () => 'It has to be written while rows of the input are read for the last time.',
        right: 'Only the last pass lets rows go. Networks with many branches gain little from tiles.',
      },
    },
    {
      title: 'Blocks of channels',
      text: [
        'Accelerators like to keep channels in blocks: all rows of the first block, then all rows of the second. Here are two blocks, and a halo of one row.',
        'One row of shift moves the last row of a block into the *next block*, whose first rows are still needed. The plan takes {height} bytes of {whole}.',
      ],
      facts,
      show: show('blocks', one({ halo: 1, blocks: [2, 2] }), 4 * ROWS),
      ask: {
        kind: 'number',
        label: 'Bytes saved',
        question: 'How many bytes are saved?',
        answer: (live) => whole(live) - height(live),
        hint: () => 'Take {height} from {whole}.',
        right:
          'As many as with a single block, of twice the bytes. The layout decides: with all channels of a row side by side, twice as many would be saved.',
      },
    },
    {
      title: 'One that dominates',
      text: [
        'A squeeze: `in` has several blocks of channels, `out` only one. It slips under its input without costing anything, and the plan takes {height} bytes of {whole}.',
        'But no plan is lower than its largest tensor, all of which is there at the beginning.',
      ],
      facts,
      show: show('squeeze', one({ blocks: [4, 1] }), 5 * ROWS),
      ask: {
        kind: 'choice',
        question: 'What is the most that tiles could save here?',
        options: [
          { text: 'Half', reply: 'That needs two tensors of the same size.' },
          {
            text: 'As many bytes as `out` has',
            reply: 'Yes. Where one feature map is far larger than the others, tiles can save no more than the others.',
          },
          { text: 'As many bytes as `in` has', reply: 'All of it is alive before the first task.' },
        ],
        answer: (live) => (live.stats === null ? -1 : height(live) === live.problem.size[0] ? 1 : 0),
      },
    },
  ],
}
