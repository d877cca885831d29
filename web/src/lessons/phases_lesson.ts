/** Lesson 10: contention phases and candidate heuristics. */
import type { Lesson, Live, Show } from './lesson'
import { argOf, eventsLike, idOf, loadOf, spanOf } from './answers/live'
import { telamalloc } from './papers'

const problem = { example: 'phases.csv' }
const shown: Show = { problem, capacity: 10, solver: 'telamalloc' }

/** Of a buffer, in the order in which they are taken, from 0. */
const phaseOf = (live: Live, k: number) => live.frame?.phases?.[k] ?? -1

function inPhase(live: Live, phase: number): number[] {
  return [...live.problem.ids.keys()].filter((k) => phaseOf(live, k) === phase)
}

/** What the candidates at the step shown say: first come, first tried. */
function candidates(live: Live) {
  const at = live.frame?.step
  return eventsLike({ ...live, events: live.frame?.events ?? [] }, { event: 'candidate' }).filter(
    (event) => event.step === at,
  )
}

const sourceIs = (live: Live, source: number, phase: number) =>
  candidates(live).find((event) => argOf(event, 'source') === source && argOf(event, 'phase') === phase) ?? null

const tried = (live: Live) => argOf(candidates(live)[0] ?? null, 'buffer')

export const phases: Lesson = {
  id: 'phases',
  title: 'Phases and candidates',
  summary: 'TelaMalloc: where memory is scarce first, and three opinions on who.',
  gained: 'follow TelaMalloc from the scarcest moments to the candidates it tries.',
  minutes: 8,
  sources: [telamalloc('§5.1 to §5.3 with Figure 9')],
  steps: [
    {
      title: 'Where it is tight',
      text: [
        'TelaMalloc calls the load of a time its *contention*. Where it is high there is little choice, so mistakes are made there; where it is low nearly anything will do. So place the contended times first.',
      ],
      show: { ...shown, at: 0 },
      ask: {
        kind: 'section',
        question: 'Where is contention highest?',
        answer: (live) => live.problem.peak,
        hint: (k, live) =>
          `In ${spanOf(live.problem, k)} it is ${loadOf(live.problem, k)}. Look at the strip under the canvas.`,
        right: 'With {load} it is as high as the capacity: not a byte to spare.',
      },
      facts: { load: (live) => live.problem.lowerBound },
    },
    {
      title: 'A threshold falls',
      text: [
        'To find the *phases*, a threshold sinks from the capacity. Times that reach it form ranges, and all buffers that overlap such a range, and have no phase yet, become a phase. Then it sinks on, to the next one.',
        'The bands on the strip are the phases. The first holds {first} buffers.',
      ],
      facts: { first: (live) => inPhase(live, 0).length },
      show: { ...shown, at: 0, light: ['b1'] },
      ask: {
        kind: 'buffer',
        question: '`b1` lives only where contention is highest. Which other buffer is in its phase?',
        answers: (live) => inPhase(live, 0).filter((k) => idOf(live.problem, k) !== 'b1'),
        hint: (buffer, live) =>
          idOf(live.problem, buffer) === 'b1'
            ? 'That is `b1` itself.'
            : `\`${idOf(live.problem, buffer)}\` is of phase ${phaseOf(live, buffer) + 1}: it is not alive in that range.`,
        right: 'It is alive in that range too, so it is placed together with `b1`, before all others.',
      },
    },
    {
      title: 'Three opinions',
      text: [
        'Within a phase, who is next? TelaMalloc asks three heuristics: the *longest lifetime*, the *largest size*, and the *largest area*, which is one times the other. What they name are the *candidates* of this decision, tried in turn; after them come those of the other phases.',
        'A new phase begins here, with `b2` and `b3`.',
      ],
      show: { ...shown, at: 2 },
      figure: { kind: 'candidates' },
      ask: {
        kind: 'buffer',
        question: 'Which one do you get by the largest size?',
        answers: (live) => [argOf(sourceIs(live, 1, 1), 'buffer')],
        hint: (buffer, live) =>
          phaseOf(live, buffer) === 1
            ? 'That one lives longer. Its size is smaller.'
            : `\`${idOf(live.problem, buffer)}\` is not of this phase.`,
        right: 'The lifetime names `{longest}`, and it is asked first.',
      },
      facts: { longest: (live) => idOf(live.problem, argOf(sourceIs(live, 0, 1), 'buffer')) },
    },
    {
      title: 'The solver says where',
      text: [
        'The heuristics say *who*. A constraint solver says *where*: for each buffer it keeps the positions that are still possible, given everything placed. A candidate goes to the lowest of them.',
        'So a buffer may go below one that was placed earlier. MiniMalloc would never do that.',
      ],
      show: { ...shown, at: 3 },
      figure: { kind: 'candidates' },
      keeps: 'sentence',
      ask: {
        kind: 'number',
        label: 'Lowest feasible position',
        question: 'Next is `{next}`. What is its lowest feasible position?',
        answer: (live) => argOf(candidates(live)[0] ?? null, 'offset'),
        hint: (given, live) =>
          given === (live.frame?.offset[live.problem.ids.indexOf('b2')] ?? -1)
            ? 'That is where `b2` lies. There is room below it.'
            : 'The table of candidates has it.',
        right: 'Under `b2`, which lies at {above} already.',
      },
      facts: {
        next: (live) => idOf(live.problem, tried(live)),
        above: (live) => live.frame?.offset[live.problem.ids.indexOf('b2')] ?? -1,
      },
    },
    {
      title: 'A problem on its own',
      text: [
        'There is one more thing to see here. At time {gap} nothing is alive: what comes before and what comes after never meet. TelaMalloc looks for such times once, before it begins, and solves {parts} problems instead of one.',
      ],
      facts: {
        gap: (live) => Math.min(...live.problem.upper.filter((time) => nobodyAt(live, time))),
        parts: (live) => live.problem.partitions,
      },
      show: shown,
      keeps: 'sentence',
      ask: {
        kind: 'buffer',
        question: 'Which buffer is a problem on its own?',
        answers: (live) => [...live.problem.ids.keys()].filter((k) => meetsNobody(live, k)),
        hint: (buffer, live) => `\`${idOf(live.problem, buffer)}\` meets others in time.`,
        right: 'It could go anywhere, so it goes to the bottom.',
      },
    },
  ],
}

function nobodyAt(live: Live, time: number): boolean {
  const { problem } = live
  return [...problem.ids].every((_, k) => !((problem.lower[k] ?? 0) <= time && time < (problem.upper[k] ?? 0)))
}

function meetsNobody(live: Live, buffer: number): boolean {
  const { lower, upper, ids } = live.problem
  const [from = 0, to = 0] = [lower[buffer], upper[buffer]]
  return [...ids].every((_, k) => k === buffer || (upper[k] ?? 0) <= from || to <= (lower[k] ?? 0))
}
