/** Lesson 11: minor and major backtracks. */
import type { Lesson, Live, Show } from './lesson'
import { argOf, eventLike, eventNow, eventsLike, idOf, indexOf, offsetAt, sizeOf } from './answers/live'
import { telamalloc } from './papers'

const shown: Show = { problem: { example: 'wrong-gap.csv' }, capacity: 8, solver: 'telamalloc' }
const minor = { event: 'reject' } as const
const major = { event: 'backtrack', major: true } as const
const culprits = { event: 'culprits' } as const

const gap = (live: Live) => offsetAt(live, 'b8') - (offsetAt(live, 'b5') + sizeOf(live, 'b5'))
/** Buffers that lie between the candidate that failed and the decision gone back to. */
const innocent = (live: Live) => argOf(eventLike(live, major), 'from') - argOf(eventLike(live, major), 'to') - 1
const name = (live: Live, buffer: number) => idOf(live.problem, buffer)
const majorNow = (live: Live) => eventNow(live, major)
/** Placements without which it would not have failed, deepest first. */
const blamed = (live: Live) => [...(eventNow(live, culprits)?.list ?? [])]
const promoted = (live: Live) => [...(eventNow(live, { event: 'promote' })?.list ?? [])]

export const backtracks: Lesson = {
  id: 'backtracks',
  title: 'Minor and major backtracks',
  summary: 'Whom to blame, and how far to go back.',
  gained: 'tell a minor backtrack from a major one, and find whom to blame.',
  minutes: 9,
  sources: [telamalloc('§5.4 and Figure 7')],
  steps: [
    {
      title: 'The wrong gap',
      text: [
        'TelaMalloc has placed `b5` on the ground and `b8` above it, and then `b6`, which the heuristics name next, went into the small gap between the two.',
        'It looks thrifty. It is the mistake of this search, and nothing shows it yet.',
      ],
      facts: {
        low: (live) => offsetAt(live, 'b5') + sizeOf(live, 'b5'),
        high: (live) => offsetAt(live, 'b8'),
      },
      show: { ...shown, at: { event: 'place', buffer: 'b6' } },
      keeps: 'sentence',
      ask: {
        kind: 'number',
        label: 'Size of the gap',
        question: 'How many bytes has the gap from the top of `b5` to `b8`?',
        answer: gap,
        hint: () => 'The top of `b5` is at {low}, and `b8` begins at {high}.',
        right: 'Just enough for one small buffer. `b6` has it now.',
      },
    },
    {
      title: 'A minor backtrack',
      text: [
        'The next candidate is `{tried}`, at {at}. The solver works out what follows, and finds a buffer without any position left: the problem has become *unsatisfiable*.',
        'The candidate is taken back at once, and the next one of the same decision is tried. That is a *minor* backtrack. It costs one step.',
      ],
      facts: {
        tried: (live) => name(live, argOf(eventNow(live, minor), 'buffer')),
        at: (live) => argOf(eventNow(live, minor), 'offset'),
        least: (live) => argOf(eventNow(live, culprits), 'least'),
        most: (live) => argOf(eventNow(live, culprits), 'most'),
      },
      show: { ...shown, at: minor },
      keeps: 'sentence',
      ask: {
        kind: 'buffer',
        question: 'Which buffer has no position left?',
        answers: (live) => [argOf(eventNow(live, culprits), 'buffer')],
        hint: (buffer, live) =>
          blamed(live).includes(buffer)
            ? 'That is one of those in its way. Who lives while these do, and lies nowhere yet?'
            : 'That one still has room. Who is alive together with all that are outlined in red?',
        right: 'It could not begin below {least}, nor above {most}.',
      },
    },
    {
      title: 'A major backtrack',
      text: [
        'So the search goes on elsewhere, and places {innocent} buffers that have nothing to do with the mistake. Only then is `b7` alone left to be tried, it fails again, and there is no candidate any more.',
        'Now one has to go back further: a *major* backtrack. Taking back the last level, and the one before, and the one before that, would try all of them in every way, for nothing.',
      ],
      show: { ...shown, at: { ...minor, nth: 2 } },
      ask: {
        kind: 'do',
        question: 'Go to the step of the major backtrack.',
        knobs: [],
        done: (live) => majorNow(live) !== null,
        hint: (live) =>
          (live.frame?.step ?? 0) < (eventLike(live, major)?.step ?? 0)
            ? 'It comes later.'
            : 'It was before this step.',
        right: 'In one step it goes back from level {from} to level {to}.',
        show: (live) => ({ at: eventLike(live, major)?.step ?? 0 }),
      },
      facts: {
        innocent,
        from: (live) => argOf(eventLike(live, major), 'from'),
        to: (live) => argOf(eventLike(live, major), 'to'),
      },
    },
    {
      title: 'Whom to blame',
      text: [
        'How does it know how far? The solver does not only say *that* it failed, but *because of whom*: a list of placements that contradict each other. Here they are {who}.',
        'TelaMalloc goes back to the *second to last* of the conflict. The last one is the candidate itself; whatever lies between the two had no part in it.',
      ],
      facts: {
        who: (live) =>
          blamed(live)
            .map((k) => name(live, k))
            .join(', '),
        innocent,
        levels: (live) => argOf(majorNow(live), 'from') - argOf(majorNow(live), 'to'),
      },
      show: { ...shown, at: major },
      keeps: 'sentence',
      ask: {
        kind: 'buffer',
        question: 'Which decision is taken back last, and tried in another way?',
        answers: (live) => [argOf(majorNow(live), 'buffer')],
        hint: (buffer, live) =>
          blamed(live).includes(buffer)
            ? 'That one is to blame, too, but it was placed before. Which of them came last?'
            : 'That one had no part in it.',
        right: 'All in all {levels} levels are taken back, and {innocent} of them were innocent.',
      },
    },
    {
      title: 'Promoted',
      text: [
        'One more idea. The candidate that failed matters, or it would not have failed. So it is put *in front* of the candidates of the decision gone back to. It did not come by its size or its lifetime, but by its trouble.',
      ],
      show: { ...shown, at: major },
      figure: { kind: 'candidates' },
      keeps: 'sentence',
      ask: {
        kind: 'buffer',
        question: 'Who is tried next?',
        answers: (live) => promoted(live),
        hint: (buffer, live) =>
          buffer === indexOf(live.problem, 'b6')
            ? 'That one was just taken back from there.'
            : 'Look at the first row of the table.',
        right: 'It goes into the gap, at {at}, and from then on everything fits.',
      },
      facts: { at: (live) => argOf(eventLike(live, { event: 'place', buffer: 'b7' }), 'offset') },
    },
    {
      title: 'All in all',
      text: [
        'The rest is quick: {steps} steps, the plan is {height} high, and so is the load. One sentence of the conflict has saved a walk through everything that {innocent} innocent buffers could have done.',
      ],
      show: shown,
      ask: {
        kind: 'number',
        label: 'Minor backtracks',
        question: 'The whole search had {all} backtracks. How many of them were minor?',
        answer: (live) => eventsLike(live, minor).length,
        hint: (_, live) =>
          `${eventsLike(live, major).length} of ${live.stats?.backtracks} was major. The grey marks in the search below are the minor ones.`,
        right: 'Each of them was `b7`, which had nowhere to go while `b6` had its place.',
      },
      facts: {
        innocent,
        steps: (live) => live.stats?.steps ?? -1,
        height: (live) => live.stats?.height ?? -1,
        all: (live) => live.stats?.backtracks ?? -1,
      },
    },
  ],
}
