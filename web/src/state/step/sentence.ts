/**
 * What a step did and why, in at most three sentences of present tense. Nothing here measures or decides; it only retells events.
 */
import { isStep, type StepEvent } from '../../../../wasm/client/events'
import type { EventKind, EventOf, SearchEvent } from '../../../../wasm/client/types'
import { Later } from '../../base/later'
import {
  bytes,
  count,
  plural,
  ruleOf,
  type Span,
  say,
  section,
  type Teller,
  type Told,
  told,
  wholeBytes,
} from './sentence_parts'
import { isRotation, isTensorOrder } from '../solver/arms'
import { backtrack, place, reject, skip } from './tell_steps'

const MOST_SENTENCES = 3

/** What the first view does not tell. Until it is there, such an event goes by its name. */
export const moreWords = new Later(() => import('./tell_later'), 'unasked')

function words() {
  const now = moreWords.arrival.get()
  return now.kind === 'there' ? now.part : null
}

function incumbent(height: number, t: Teller): Span[] {
  const over = t.capacity === null || t.minimising ? 0 : height - t.capacity
  const done = t.problem.pools === undefined ? 'buffer is placed: the plan' : 'buffer of the pool is placed: its plan'
  return over > 0
    ? say` Every ${done} is ${bytes(height)} high, ${bytes(over, 'why')} above the capacity.`
    : say` Every ${done} is ${bytes(height, 'ok')} high.`
}

/** Events with the same rule belong in one sentence. */
function groups<T extends { rule: number }>(events: T[]): T[][] {
  const byRule = new Map<number, T[]>()
  for (const event of events) byRule.set(event.rule, [...(byRule.get(event.rule) ?? []), event])
  return [...byRule.values()]
}

/** The events of that kind. */
function among<K extends EventKind>(events: SearchEvent[], kind: K): EventOf<K>[] {
  return events.filter((event): event is EventOf<K> => event.kind === kind)
}

/** One more sentence for each thing that goes with a step, the most telling first. */
function details(t: Teller, events: SearchEvent[]): Span[][] {
  const of = <K extends EventKind>(kind: K) => among(events, kind)
  const leaves = groups(of('leave'))
  const more = words()
  const left = (same: EventOf<'leave'>[]) => more?.left(t, same) ?? []
  const skips = (same: EventOf<'leave'>[]) => same.some((event) => event.count > 0)
  return [
    ...of('incumbent').map((event) => incumbent(event.height, t)),
    ...of('culprits').map((event) => more?.blamed(event) ?? []),
    ...of('clash').map((event) => more?.clashed(event) ?? []),
    ...of('jump').map((event) => more?.drawn(event, of('score')) ?? []),
    ...of('promote').map((event) => more?.promoted(event) ?? []),
    ...leaves.filter(skips).map(left),
    ...of('conflict').map((event) => more?.conflict(t, event) ?? []),
    ...leaves.filter((same) => !skips(same)).map(left),
    ...of('decompose').map(
      ({ parts, list }) =>
        say` The unplaced buffers fall into ${count(parts, [...list])} parts that no longer meet in time.`,
    ),
    ...of('part-solved').map(({ part, parts }) => say` Part ${count(part)} of ${count(parts)} is solved.`),
    ...of('phase').map((event) => more?.phaseBegins(event) ?? []),
    ...(more?.nextCandidate(t, of('candidate')) ?? []),
    ...groups(of('raise')).map((same) => more?.raised(t, same) ?? []),
    ...of('choose').map((event) => more?.choose(t, event) ?? []),
  ].filter((spans) => spans.length > 0)
}

function start(t: Teller): Told {
  const { problem, capacity } = t
  const waits = plural(problem.count, 'buffer waits', 'buffers wait')
  const spans = say`Nothing is placed yet. ${count(problem.count)} ${waits} for an offset`
  if (t.minimising) spans.push(...say`, as low as can be.`)
  else spans.push(...(capacity === null ? say`.` : say` below ${wholeBytes(capacity)}.`))
  if (problem.peak >= 0) {
    const load = problem.sections.load[problem.peak] ?? 0
    spans.push(
      ...say` The load is greatest in section ${section(problem.peak)}, with ${wholeBytes(load, 'plain', { buffers: [], section: problem.peak })}.`,
    )
  }
  return told(null, { chip: 'Start', title: '', spans })
}

function unknown(event: StepEvent): Told {
  return told(event, { chip: event.kind, spans: [{ kind: 'text', text: event.kind }] })
}

function takenBack(t: Teller, event: EventOf<'backtrack'>, others: SearchEvent[]): Told {
  const [culprits = null] = among(others, 'culprits')
  const [stuck = null] = among(others, 'stuck')
  if (culprits !== null || stuck !== null) return words()?.jump(t, event, culprits, stuck) ?? unknown(event)
  return backtrack(
    t,
    event,
    others.some((other) => other.kind === 'conflict' || other.kind === 'leave'),
  )
}

function begun(t: Teller, event: EventOf<'restart'>, others: SearchEvent[]): Told {
  const [goal] = among(others, 'target')
  const [abandoned = null] = among(others, 'abandon')
  if (goal !== undefined) return words()?.nextTry(t, event, goal, abandoned) ?? unknown(event)
  const name = t.armName(event.arm)
  if (isTensorOrder(name)) return words()?.reordered(t, event) ?? unknown(event)
  const again = isRotation(name) ? words()?.rotated(event, name) : words()?.restart(t, event)
  return again ?? unknown(event)
}

function rejected(t: Teller, event: EventOf<'reject'>): Told {
  const rule = ruleOf(t, event.rule)
  if (rule === 'unsatisfiable') return words()?.unsatisfiable(t, event) ?? unknown(event)
  if (rule === 'forward' || rule === 'empty-space') return words()?.pruned(t, event) ?? unknown(event)
  return reject(t, event)
}

/** A kind of step without a sentence does not compile. */
function main(t: Teller, event: StepEvent, others: SearchEvent[], brief: boolean): Told {
  const [why] = among(others, 'bottleneck')
  switch (event.kind) {
    case 'place':
      return place(t, event, brief)
    case 'reject':
      return rejected(t, event)
    case 'skip':
      return ruleOf(t, event.rule) === 'overlap' ? (words()?.overlapped(t, event) ?? unknown(event)) : skip(t, event)
    case 'backtrack':
      return takenBack(t, event, others)
    case 'swap':
      return (why ? words()?.swapped(t, event, why) : words()?.orderSwapped(event)) ?? unknown(event)
    case 'swap-back':
      return (why ? words()?.swappedBack(t, event, why) : words()?.orderSwapped(event)) ?? unknown(event)
    case 'eject':
      return words()?.forcedIn(event) ?? unknown(event)
    case 'restart':
      return begun(t, event, others)
    case 'waste':
      return words()?.waste(t, event) ?? unknown(event)
    case 'probe':
      return words()?.probe(event) ?? unknown(event)
    case 'bound':
      return words()?.bound(event) ?? unknown(event)
    case 'no-fit':
      return words()?.noFit(t, event) ?? unknown(event)
    case 'collide':
      return words()?.collided(event) ?? unknown(event)
    case 'advance':
      return words()?.advance(event) ?? unknown(event)
    case 'new-slot':
      return words()?.newSlot(event) ?? unknown(event)
    case 'schedule':
      return words()?.scheduled(t, event) ?? unknown(event)
    case 'allocate':
      return words()?.allocated(event) ?? unknown(event)
    case 'pool':
      return words()?.poolPlanned(t, event) ?? unknown(event)
    case 'expand':
      return words()?.expanded(t, event) ?? unknown(event)
    case 'cut':
      return words()?.wasCut(event) ?? unknown(event)
    case 'pack':
      return words()?.wasPacked(event) ?? unknown(event)
    case 'repair':
      return words()?.repaired(event) ?? unknown(event)
    case 'evict':
    case 'fetch':
      return words()?.movedOutside(t, event) ?? unknown(event)
    case 'run':
      return words()?.ran(t, event) ?? unknown(event)
    case 'window':
      return words()?.windowBegins(t, event) ?? unknown(event)
    case 'lift':
      return words()?.lifted(event) ?? unknown(event)
    case 'no-lift':
      return words()?.notLifted(event) ?? unknown(event)
    case 'drop':
      return words()?.dropped(t, event) ?? unknown(event)
    case 'proof':
      return words()?.concluded(event) ?? unknown(event)
    case 'tabulate':
      return words()?.tabulated(t, event) ?? unknown(event)
    case 'exchange':
      return words()?.exchanged(t, event) ?? unknown(event)
    case 'consider':
      return words()?.considered(event) ?? unknown(event)
    case 'take-in':
      return words()?.takenIn(event) ?? unknown(event)
    case 'repack':
      return words()?.repacked(event) ?? unknown(event)
    case 'leave-out':
      return words()?.leftOut(event) ?? unknown(event)
  }
}

function sentences(spans: Span[]): number {
  return spans
    .filter((span) => span.kind === 'text')
    .reduce((n, span) => n + (span.text.match(/[.?](\s|$)/g)?.length ?? 0), 0)
}

/** The kind of detail that the step's own sentences tell already. */
function toldBy(t: Teller, event: StepEvent): EventKind | null {
  if (event.kind === 'bound' || event.kind === 'swap' || event.kind === 'swap-back') return 'incumbent'
  if (event.kind === 'backtrack') return 'culprits'
  return event.kind === 'reject' && ruleOf(t, event.rule) === 'nogood' ? 'conflict' : null
}

/** Tells the step that the frame shows. */
export function tell(t: Teller): Told {
  const now = t.frame.events.filter((event) => event.step === t.frame.step)
  const first = now.find(isStep)
  if (t.frame.step === 0 || first === undefined)
    // the buffers of two memories are those of a selection
    return (t.frame.situation?.problem.pools && words()?.allSlow(t)) ?? start(t)
  const others = now.filter((event) => event !== first)
  const more = details(
    t,
    others.filter((event) => event.kind !== toldBy(t, first)),
  )
  const story = main(t, first, others, more.length > 0)
  const spans = [...story.spans]
  for (const one of more) {
    if (sentences(spans) < MOST_SENTENCES) spans.push(...one)
  }
  return { ...story, spans }
}
