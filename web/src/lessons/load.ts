/** Lesson 2: lifespans and load, the lower bound. */
import type { Lesson, Live } from './lesson'
import { idOf, leastFit, loadOf, membersOf, sectionAt, spanOf, sweep } from './answers/live'
import { minimalloc } from './papers'

const ten = { example: 'ten.csv' }
const tight = { example: 'infeasible.csv' }
/** Times of the section that is read off first. */
const AT = 3
/** Capacities of the last slider. */
const [LOW, HIGH] = [3, 8]

const section = (live: Live) => sectionAt(live.problem, AT)
const peak = (live: Live) => live.problem.peak

export const load: Lesson = {
  id: 'load',
  title: 'The load, a lower bound',
  summary: 'Add up what is alive at once: no plan needs less.',
  gained: 'tell, before any search, how much memory no plan can do without.',
  minutes: 6,
  sources: [minimalloc('§6.2, equation 1')],
  steps: [
    {
      title: 'Sections',
      text: [
        'Cut time wherever a buffer begins or ends. Between two cuts nothing changes: the same buffers are alive throughout. Such a piece is a *section*, written [from, to). This problem has {sections} of them.',
        'The sum of the sizes alive in a section is its *load*. The strip under the canvas draws it.',
      ],
      facts: {
        sections: (live) => live.problem.sections.count,
        span: (live) => spanOf(live.problem, section(live)),
        who: (live) =>
          membersOf(live.problem, section(live))
            .map((k) => `${idOf(live.problem, k)} (${live.problem.size[k]})`)
            .join(' and '),
      },
      show: { problem: ten, capacity: 10, solver: 'minimalloc' },
      ask: {
        kind: 'number',
        label: 'Load of the section',
        question: 'In section {span} two buffers are alive: {who}. What is its load?',
        answer: (live) => loadOf(live.problem, section(live)),
        hint: () => 'The load is the sum of both sizes, wherever the buffers lie.',
        right: 'The load does not depend on any offset. It is there before anything is placed.',
      },
    },
    {
      title: 'The peak',
      text: [
        'However the buffers are placed, in each section they lie above each other without overlap, so the plan is at least as high as the load there.',
        'The greatest load over all sections is therefore a *lower bound* for every plan.',
      ],
      show: { problem: ten, capacity: 10, solver: 'minimalloc' },
      ask: {
        kind: 'section',
        question: 'Which section sets the lower bound?',
        answer: peak,
        hint: (k, live) =>
          `The load of ${spanOf(live.problem, k)} is ${loadOf(live.problem, k)}. There is one with more: look where the strip is highest.`,
        right: 'Its load is {bound}: no plan of this problem is lower than that.',
      },
      facts: { bound: (live) => live.problem.lowerBound },
    },
    {
      title: 'Below the bound',
      text: [
        'A capacity below the lower bound is hopeless, and no search is needed to see it: the bytes that are alive in one section are more than there are.',
        'The small triangle beside the canvas marks the lower bound, wherever it differs from the capacity.',
      ],
      show: { problem: ten, capacity: 14, solver: 'minimalloc' },
      ask: {
        kind: 'do',
        question: 'Move the capacity down to the least value that the load leaves possible.',
        knobs: [{ kind: 'capacity', from: 7, to: 14, by: 1 }],
        done: (live) => live.capacity === live.problem.lowerBound,
        hint: (live) =>
          live.capacity < live.problem.lowerBound
            ? `At ${live.capacity} the load rules every plan out: the fullest section needs ${live.problem.lowerBound}.`
            : `At ${live.capacity} there is still room. Go on until the load just touches the line.`,
        right: 'At {bound} the load just fits, and here a plan does, too.',
        show: (live) => ({ capacity: live.problem.lowerBound }),
      },
      facts: { bound: (live) => live.problem.lowerBound },
    },
    {
      title: 'A bound, no promise',
      text: [
        'Here is another problem. Its greatest load is {bound}, and so is the capacity. A complete search has tried, and its verdict is *infeasible*: there is no plan, although no section holds more than {bound} bytes.',
        'Sections are not independent. A buffer that lives through several of them has one offset in all, and these demands can contradict each other.',
      ],
      facts: { bound: (live) => live.problem.lowerBound, least: leastFit },
      show: { problem: tight, capacity: 4, solver: 'exact' },
      others: () => sweep('exact', LOW, HIGH),
      ask: {
        kind: 'do',
        question: 'How much more is needed? Raise the capacity until there is a plan, and no further.',
        knobs: [{ kind: 'capacity', from: LOW, to: HIGH, by: 1 }],
        done: (live) => live.capacity === leastFit(live),
        hint: (live) =>
          live.others === null
            ? 'The page is still working it out.'
            : live.capacity < leastFit(live)
              ? `At ${live.capacity} the search proves that nothing fits. Raise it.`
              : `At ${live.capacity} there is a plan, but it leaves the top free. Try less.`,
        right: 'It is {least}, above the load of {bound}, and the search has proved that less is not enough.',
        show: (live) => ({ capacity: leastFit(live) }),
      },
    },
    {
      title: 'What the bound is good for',
      text: [
        'The load takes no time to compute. If a plan meets it, the plan is *optimal*, and no one needs to search for a better one. On real networks that happens often.',
        'Where a plan stands above it, two answers are left: the plan is not good enough, or the bound is not. To know which, one has to search.',
      ],
      show: { problem: ten, capacity: 10, solver: 'minimalloc' },
      ask: {
        kind: 'choice',
        question: 'A planner finds a plan of height {height}, and the lower bound is {bound}. What follows?',
        options: [
          {
            text: 'The plan is optimal',
            reply: 'Nothing can be lower than the bound, and this plan is not higher.',
          },
          {
            text: 'A lower plan may exist',
            reply:
              'In the fullest section the sizes alone add up to the bound. A lower plan would have to overlap there.',
          },
        ],
        answer: (live) => (live.stats?.height === live.problem.lowerBound ? 0 : 1),
      },
      facts: { height: (live) => live.stats?.height ?? -1, bound: (live) => live.problem.lowerBound },
    },
  ],
}
