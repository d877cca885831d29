/** Lesson 13: how the exact solver learns from failure. */
import type { Lesson, Live, OtherRun, Show } from './lesson'
import { argOf, eventNow, eventsLike, idOf, other } from './answers/live'
import { minimalloc, telamalloc } from './papers'

/** The six buffers of core/src/solve/exact/README.md, section 2. */
const csv = `id,lower,upper,size
a,4,6,1
b,1,4,4
c,0,5,1
d,3,6,1
e,7,8,3
f,4,8,3
`
const six: Show = {
  problem: { name: 'six.csv', csv },
  capacity: 6,
  solver: 'exact',
  options: { portfolio: '10WAT' },
}
const jump: Show = {
  problem: { example: 'backjump.csv' },
  capacity: 12,
  solver: 'exact',
  options: { portfolio: '10WATKR' },
}
const hard: Show = { problem: { example: 'infeasible-32.csv' }, capacity: 16, solver: 'exact' }

const major = { event: 'backtrack', major: true } as const
const back = { event: 'backtrack' } as const

const names = (live: Live, list: Iterable<number>) => [...list].map((k) => idOf(live.problem, k)).join(' and ')
const conflictNow = (live: Live) => eventNow(live, { event: 'conflict' })
const blamed = (live: Live) => eventNow(live, back)
const slack = (live: Live) => {
  const asked = eventNow(live, { event: 'choose' })
  return live.capacity - argOf(asked, 'floor') - argOf(asked, 'rest')
}
/** Alternatives that a way back passes over. */
const skipped = (live: Live) =>
  eventsLike(live, { event: 'leave' })
    .filter(({ step }) => step === live.frame?.step)
    .reduce((sum, { count }) => sum + count, 0)

const JUMPING = ['backjumping', 'lazy']
const REMEMBERING = ['nogoods', 'small_nogoods']
const without = (name: string, options: string[]): OtherRun => ({
  name,
  config: {
    solver: 'exact',
    capacity: hard.capacity,
    options: Object.fromEntries(options.map((option) => [option, 'false'])),
  },
})
const [ALL, NO_JUMPS, NO_MEMORY, NEITHER] = ['all of it', 'no jumps', 'no memory', 'neither'] as const
const stepsOf = (live: Live, name: string) => other(live, name)?.steps ?? -1

export const conflicts: Lesson = {
  id: 'conflicts',
  title: 'Learning from failure',
  summary: 'How exact finds out who is to blame, jumps back to it, and remembers.',
  gained: 'read a conflict, tell how far a search may jump, and what it is worth to remember.',
  minutes: 8,
  sources: [telamalloc('§5.4 and Figure 7'), minimalloc('§6.2')],
  steps: [
    {
      title: 'Who sits on the floor?',
      text: [
        'Arenascope’s exact solver asks another question than the others: not where a buffer goes, but *who sits on the floor* of some section. It takes the tightest one first. Here that is the time at which `b`, `c` and `d` are alive.',
        'Whoever is chosen lies there for good, and the others of the section rise to its top.',
      ],
      show: { ...six, at: { event: 'restart' } },
      keeps: 'sentence',
      ask: {
        kind: 'number',
        label: 'Slack of the section',
        question: 'The capacity is {capacity}. How many bytes can be lost where `b`, `c` and `d` meet?',
        answer: slack,
        hint: () => 'Add up the three sizes and take them from the capacity.',
        right:
          'None. So the floor cannot stay empty: one of the three *must* sit on it. It is a question with three answers and no fourth.',
      },
      facts: { capacity: (live) => live.capacity },
    },
    {
      title: 'A conflict',
      text: [
        '`c` was chosen, then `e`, then `b`. Now `a` is tried, and in a section that it meets two buffers are left for which there is no room any more: their lowest positions and their sizes end above the capacity.',
        'The solver does not note *that* `a` failed, but *who* cannot be packed any more, even alone, each from where it may begin. That set is a *conflict*.',
      ],
      show: { ...six, at: { event: 'reject' } },
      ask: {
        kind: 'buffer',
        question: 'Who is in the conflict? Name one of the two.',
        answers: (live) => [...(conflictNow(live)?.list ?? [])],
        hint: (buffer, live) =>
          (live.frame?.offset[buffer] ?? -1) >= 0
            ? 'That one lies already. Look for those that are still to be placed.'
            : 'That one is only tried. Who else is alive then, and lies nowhere yet?',
        right: 'The two are {who}: one on top of the other, from where they may begin, they end above the line.',
      },
      facts: { who: (live) => names(live, conflictNow(live)?.list ?? []) },
    },
    {
      title: 'Who is to blame?',
      text: [
        'Now each decision on the way back is asked: have you raised one of the two? `a` has not. Then they fail *without* `a` as well, and whatever else might be tried in its place need not be tried.',
        'The first that says yes is to blame. It is taken back, and another takes its place.',
      ],
      show: { ...six, at: back },
      keeps: 'sentence',
      ask: {
        kind: 'buffer',
        question: 'Whose decision raised one of {who}?',
        answers: (live) => [argOf(blamed(live), 'buffer')],
        hint: (buffer, live) => {
          if ((live.frame?.offset[buffer] ?? -1) >= 0)
            return 'That raised one of them, too, but earlier. The search goes back to the last one that did.'
          const self = conflictNow(live)?.list.includes(buffer) === true
          return self ? 'That is one of the two themselves.' : 'That decision raised neither of the two.'
        },
        right: 'While `{blamed}` lay below it, `d` could not begin lower than its top. Now `d` goes there first.',
      },
      facts: {
        who: (live) => names(live, conflictNow(live)?.list ?? []),
        blamed: (live) => idOf(live.problem, argOf(blamed(live), 'buffer')),
      },
    },
    {
      title: 'Nine at once',
      text: [
        'On a larger problem the decisions in between are many, and most have nothing to do with it. Here two buffers exclude each other, and {before} are placed when that comes to light.',
        'A search without conflicts would go through all other ways to place the innocent ones, and find the same two in each.',
      ],
      show: { ...jump, at: major },
      keeps: 'sentence',
      ask: {
        kind: 'number',
        label: 'Levels taken back',
        question: 'How many levels are taken back in this one step? The search under the canvas shows the fall.',
        answer: (live) => argOf(eventNow(live, major), 'from') - argOf(eventNow(live, major), 'to'),
        hint: () => 'Step back once and forth again: how many were placed before, and how many are left?',
        right: 'And on the way {skipped} alternatives are passed over without a look. This is a *backjump*.',
      },
      facts: { before: (live) => argOf(eventNow(live, major), 'from'), skipped },
    },
    {
      title: 'Remembered',
      text: [
        'A conflict says nothing about the way that led to it, so it is kept: wherever all its buffers are still to be placed again, and no lower, the search turns round. Such a note is called a *nogood*.',
        'Here {count} buffers have no plan in {capacity}. The bars are the steps until that is proved.',
      ],
      show: hard,
      figure: { kind: 'table', by: 'steps' },
      others: () => [
        without(ALL, []),
        without(NO_JUMPS, JUMPING),
        without(NO_MEMORY, REMEMBERING),
        without(NEITHER, [...JUMPING, ...REMEMBERING]),
      ],
      ask: {
        kind: 'choice',
        question: 'What does the table say?',
        options: [
          {
            text: 'Either of the two is enough, and without both it is hopeless',
            reply: '{all} steps with all of it, {neither} without: the same proof, found again and again.',
          },
          {
            text: 'Only the jumps matter',
            reply: 'Without jumps it is {jumpless} steps instead of {all}: hardly more.',
          },
          {
            text: 'Only the memory matters',
            reply: 'Without memory it is {forgetful} steps instead of {all}: more, but not hopeless.',
          },
        ],
        answer: (live) => {
          if (live.others === null) return -1
          const worst = Math.max(stepsOf(live, NO_JUMPS), stepsOf(live, NO_MEMORY))
          return stepsOf(live, NEITHER) > 10 * worst ? 0 : -1
        },
      },
      facts: {
        count: (live) => live.problem.count,
        capacity: (live) => live.capacity,
        all: (live) => stepsOf(live, ALL),
        neither: (live) => stepsOf(live, NEITHER),
        jumpless: (live) => stepsOf(live, NO_JUMPS),
        forgetful: (live) => stepsOf(live, NO_MEMORY),
      },
    },
  ],
}
