/** Lesson 14: the least memory, and how one knows. */
import type { Lesson, Live, Show } from './lesson'
import { argOf, eventNow, heightShown } from './answers/live'
import { minimalloc } from './papers'

/** The whole, of which the reason is a part. */
const whole = { example: 'infeasible-32.csv' }

/** What arenascope explain leaves of it at 15: without any one of these the rest fits. */
const csv = `id,lower,upper,size
t12,16,20,8
t13,16,19,6
t14,19,21,3
t15,19,22,3
t17,20,22,3
t18,21,23,8
t19,22,24,6
`
const least: Show = { problem: { name: 'seven.csv', csv }, capacity: 18, solver: 'exact', goal: 'height' }
/** The buffer without which the other six fit. */
const six = csv.replace(/^t19.*\n/m, '')

/** The first step at which it is proved that nothing fits at the load. */
const refuted = { event: 'bound' } as const
const PROOF = 4
const proofNow = (live: Live) => {
  const now = eventNow(live, refuted)
  return now !== null && now.source === PROOF ? now : null
}
const firstProof = (live: Live) =>
  live.events.find((event) => event.kind === 'bound' && event.source === PROOF)?.step ?? -1
const probe = (live: Live) => eventNow(live, { event: 'probe' })
const bound = (live: Live) => live.problem.lowerBound
const fits = (live: Live) => live.stats?.outcome === 'optimal' || live.stats?.outcome === 'feasible'
/** Of the slider. */
const [FROM, TO] = [13, 20]
const SEVEN = ['t12', 't13', 't14', 't15', 't17', 't18', 't19']
const leastOf = (live: Live) => live.others?.find(({ outcome }) => outcome === 'optimal' || outcome === 'feasible')

export const proofs: Lesson = {
  id: 'proofs',
  title: 'Proofs and the least memory',
  summary: 'Two bounds that close, probes between them, and a reason in a few buffers.',
  gained: 'say which plan is the lowest of all, and what makes that a fact.',
  minutes: 8,
  sources: [minimalloc('§2.2 and §8.3')],
  steps: [
    {
      title: 'From two sides',
      text: [
        'How little memory do these {count} buffers need? From below we know the load: no plan is lower than {load}. From above each plan that somebody finds is an answer, perhaps not the best.',
        'Exact begins with quick plans, by first fit and by diving without a way back. Then it asks for less.',
      ],
      show: { ...least, at: { event: 'probe' } },
      keeps: 'sentence',
      ask: {
        kind: 'number',
        label: 'Heights that are still possible',
        question: 'The best of these quick plans is {upper} high. How many heights can the least one still be?',
        answer: (live) => argOf(probe(live), 'upper') - argOf(probe(live), 'lower') + 1,
        hint: () => 'Count from {load} to {upper}, both included.',
        right: 'The least height is one of these. Everything from here on makes that list shorter, from either end.',
      },
      facts: {
        count: (live) => live.problem.count,
        load: bound,
        upper: (live) => argOf(probe(live), 'upper'),
      },
    },
    {
      title: 'A probe',
      text: [
        'The first *probe* asks for the load itself, {load}. Often there is a plan, and all is said. Here there is none, and the search ends without one: every way was tried, or cut off for a reason.',
        'That is not a failure. It is a proof, and it moves the bound from below.',
      ],
      show: { ...least, at: { event: 'probe' } },
      ask: {
        kind: 'do',
        question: 'Go to the step at which it is proved that nothing fits into {load}.',
        knobs: [],
        done: (live) => proofNow(live) !== null && live.frame?.step === firstProof(live),
        hint: (live) =>
          proofNow(live) !== null
            ? 'Here it is proved of more than the load. Go back to the first such proof.'
            : (live.frame?.step ?? 0) < firstProof(live)
              ? 'It comes later: look where the search falls to nothing.'
              : 'It was before this step.',
        right: 'From here on it is known that {next} bytes are the least that can be hoped for.',
        show: (live) => ({ at: firstProof(live) }),
      },
      facts: { load: bound, next: (live) => bound(live) + 1 },
    },
    {
      title: 'The bounds meet',
      text: [
        'Probe by probe the two sides close: a plan brings the upper one down, a proof brings the lower one up. Where they meet the plan on the canvas is *optimal*: nobody will ever find a lower one.',
        'If time runs out before, both stay as they are. Then the page says how wide the gap is, and no more.',
      ],
      show: least,
      ask: {
        kind: 'choice',
        question: 'The load is {load}, and the plan is {height} high. What makes it optimal?',
        options: [
          {
            text: 'Because the solver could not find a better one',
            reply: 'That alone proves nothing: a greedy planner cannot find a better one, either.',
          },
          {
            text: 'Because everything below was searched to the end',
            reply: 'With {steps} steps in all, those of the probes that found nothing included.',
          },
          { text: 'Because the load is wrong', reply: 'The load is right. It is only not the whole truth.' },
        ],
        answer: (live) => (live.stats?.outcome === 'optimal' ? 1 : -1),
      },
      facts: {
        load: bound,
        height: (live) => live.stats?.height ?? -1,
        steps: (live) => live.stats?.steps ?? -1,
      },
    },
    {
      title: 'A reason to look at',
      text: [
        'Here is where the seven come from: {count} buffers, of which at most {load} bytes are alive at once. Into {capacity} they do not fit, after a search of {steps} steps.',
        'That convinces a machine. For people there is *Why not?*: it leaves out buffer after buffer, as long as the others still do not fit. Those seven were left.',
      ],
      show: { problem: whole, capacity: 15, solver: 'exact', light: SEVEN },
      others: () =>
        Array.from({ length: TO - FROM + 1 }, (_, k) => ({
          name: String(FROM + k),
          config: { solver: 'exact', capacity: FROM + k, options: {} },
        })),
      ask: {
        kind: 'do',
        question: 'Find the least capacity into which all {count} fit.',
        knobs: [{ kind: 'capacity', from: FROM, to: TO, by: 1 }],
        done: (live) => fits(live) && live.capacity === leastOf(live)?.capacity,
        hint: (live) =>
          fits(live) ? 'They fit. Do they fit into less?' : `Into ${live.capacity} they do not fit. They need more.`,
        right:
          '{least}: what the seven need alone. All the others find room beside them for nothing. Seven buffers are the whole reason.',
        show: (live) => ({ capacity: leastOf(live)?.capacity ?? TO }),
      },
      facts: {
        count: (live) => live.problem.count,
        load: bound,
        capacity: (live) => live.capacity,
        steps: (live) => live.stats?.steps ?? -1,
        least: (live) => leastOf(live)?.capacity ?? '…',
      },
    },
    {
      title: 'None can be spared',
      text: [
        'These are the seven without the last, and within {capacity} they fit: the plan is {height} high. So it is without any other of them: the reason is *irreducible*.',
        'Who wants to save memory now knows where to begin. Not with the largest tensors, and not where most are alive, but with one of these seven: made smaller, or moved in time.',
      ],
      show: { problem: { name: 'without-t19.csv', csv: six }, capacity: 15, solver: 'exact' },
      ask: {
        kind: 'choice',
        question:
          'You are told: “{capacity} bytes, and nothing lower exists.” What can you check without trusting the solver?',
        options: [
          {
            text: 'Nothing',
            reply: 'The plan at least: no two buffers overlap, and none lies above the line. That is quickly seen.',
          },
          {
            text: 'The plan, but not the proof',
            reply:
              'The reason is a small problem of its own: a few buffers that any other solver can try, or you by hand.',
          },
          {
            text: 'The plan, and the reason',
            reply:
              'The plan by looking at it, the reason by trying these few buffers alone. Who can show both need not be believed.',
          },
        ],
        answer: (live) => (heightShown(live) <= live.capacity ? 2 : -1),
      },
      facts: { capacity: (live) => live.capacity, height: (live) => live.stats?.height ?? -1 },
    },
  ],
}
