/**
 * What a step did and why, in at most three sentences of present tense. Nothing here measures or decides; it only retells events.
 */
import type { SearchEvent } from '../../../wasm/client/types'
import { Later } from '../base/later'
import { bytes, count, plural, ruleOf, type Span, say, section, type Teller, type Told, told } from './say'
import { isRotation } from './arms'
import { advance, backtrack, newSlot, noFit, place, reject, restart, skip } from './tell_steps'

const MOST_SENTENCES = 3

/** What the first view does not tell. Until it is there, such an event goes by its name. */
export const moreWords = new Later(() => import('./tell_later'))

function words() {
  const now = moreWords.arrival.get()
  return now.kind === 'there' ? now.part : null
}

function incumbent(height: number, t: Teller): Span[] {
  const over = t.capacity === null || t.minimising ? 0 : height - t.capacity
  return over > 0
    ? say` Every buffer is placed: the plan is ${bytes(height)} high, ${bytes(over, 'why')} above the capacity.`
    : say` Every buffer is placed: the plan is ${bytes(height, 'ok')} high.`
}

/** Events with the same rule, which is argument `k`, belong in one sentence. */
function groups(events: SearchEvent[], k: 1 | 2): SearchEvent[][] {
  const byRule = new Map<number, SearchEvent[]>()
  for (const event of events) byRule.set(event.args[k], [...(byRule.get(event.args[k]) ?? []), event])
  return [...byRule.values()]
}

/** One more sentence for each thing that goes with a step, the most telling first. */
function details(t: Teller, events: SearchEvent[]): Span[][] {
  const of = (id: string) => events.filter((event) => event.id === id)
  const each = (id: string, tellIt: (event: SearchEvent) => Span[]) => of(id).map(tellIt)
  const leaves = groups(of('leave'), 1)
  const more = words()
  const left = (same: SearchEvent[]) => more?.left(t, same) ?? []
  const skips = (same: SearchEvent[]) => same.some((event) => event.args[2] > 0)
  return [
    ...each('incumbent', (event) => incumbent(event.args[0], t)),
    ...each('culprits', (event) => more?.blamed(event) ?? []),
    ...each('promote', (event) => more?.promoted(event) ?? []),
    ...leaves.filter(skips).map(left),
    ...each('conflict', (event) => more?.conflict(t, event) ?? []),
    ...leaves.filter((same) => !skips(same)).map(left),
    ...each(
      'decompose',
      ({ args, list }) =>
        say` The unplaced buffers fall into ${count(args[0], [...list])} parts that no longer meet in time.`,
    ),
    ...each('part-solved', ({ args }) => say` Part ${count(args[0])} of ${count(args[1])} is solved.`),
    ...each('phase', (event) => more?.phaseBegins(event) ?? []),
    ...(more?.nextCandidate(t, of('candidate')) ?? []),
    ...groups(of('raise'), 2).map((same) => more?.raised(t, same) ?? []),
    ...each('choose', (event) => more?.choose(t, event) ?? []),
  ].filter((spans) => spans.length > 0)
}

function start(t: Teller): Told {
  const { problem, capacity } = t
  const waits = plural(problem.count, 'buffer waits', 'buffers wait')
  const spans = say`Nothing is placed yet. ${count(problem.count)} ${waits} for an offset`
  if (t.minimising) spans.push(...say`, as low as can be.`)
  else spans.push(...(capacity === null ? say`.` : say` below ${bytes(capacity)}.`))
  if (problem.peak >= 0) {
    const load = problem.sections.load[problem.peak] ?? 0
    spans.push(
      ...say` The load is greatest in section ${section(problem.peak)}, with ${bytes(load, 'plain', { buffers: [], section: problem.peak })}.`,
    )
  }
  return told(null, { chip: 'Start', title: '', spans })
}

function unknown(t: Teller, event: SearchEvent): Told {
  const info = t.manifest.events[event.kind]
  return told(event, { chip: info?.id ?? event.id, spans: [{ kind: 'text', text: info?.id ?? event.id }] })
}

function main(t: Teller, event: SearchEvent, others: SearchEvent[], brief: boolean): Told {
  switch (event.id) {
    case 'place':
      return place(t, event, brief)
    case 'reject':
      return ruleOf(t, event.args[2]) === 'unsatisfiable'
        ? (words()?.unsatisfiable(t, event) ?? unknown(t, event))
        : reject(t, event)
    case 'skip':
      return skip(t, event)
    case 'backtrack': {
      const culprits = others.find((other) => other.id === 'culprits')
      const stuck = others.find((other) => other.id === 'stuck')
      if (culprits !== undefined || stuck !== undefined)
        return words()?.jump(t, event, culprits ?? null, stuck ?? null) ?? unknown(t, event)
      return backtrack(
        t,
        event,
        others.some((other) => other.id === 'conflict' || other.id === 'leave'),
      )
    }
    case 'swap': {
      const why = others.find((other) => other.id === 'bottleneck')
      return (why && words()?.swapped(t, event, why)) ?? unknown(t, event)
    }
    case 'eject':
      return words()?.forcedIn(event) ?? unknown(t, event)
    case 'restart': {
      const goal = others.find((other) => other.id === 'target')
      const abandoned = others.find((other) => other.id === 'abandon')
      if (goal !== undefined) return words()?.nextTry(t, event, goal, abandoned ?? null) ?? unknown(t, event)
      const name = t.armName(event.args[1])
      return isRotation(name) ? (words()?.rotated(event, name) ?? unknown(t, event)) : restart(t, event)
    }
    case 'waste':
      return words()?.waste(t, event) ?? unknown(t, event)
    case 'probe':
      return words()?.probe(event) ?? unknown(t, event)
    case 'bound':
      return words()?.bound(event) ?? unknown(t, event)
    case 'no-fit':
      return noFit(t, event)
    case 'advance':
      return advance(event)
    case 'new-slot':
      return newSlot(event)
    default:
      return unknown(t, event)
  }
}

function sentences(spans: Span[]): number {
  return spans
    .filter((span) => span.kind === 'text')
    .reduce((n, span) => n + (span.text.match(/[.?](\s|$)/g)?.length ?? 0), 0)
}

/** The kind of detail that the step's own sentences tell already. */
function toldBy(t: Teller, event: SearchEvent): string {
  if (event.id === 'bound' || event.id === 'swap') return 'incumbent'
  if (event.id === 'backtrack') return 'culprits'
  return event.id === 'reject' && ruleOf(t, event.args[2]) === 'nogood' ? 'conflict' : ''
}

/** Tells the step that the frame shows. */
export function tell(t: Teller): Told {
  const now = t.frame.events.filter((event) => event.step === t.frame.step)
  const first = now.find((event) => t.manifest.events[event.kind]?.step ?? false) ?? now[0]
  if (t.frame.step === 0 || first === undefined) return start(t)
  const others = now.filter((event) => event !== first)
  const more = details(
    t,
    others.filter((event) => event.id !== toldBy(t, first)),
  )
  const story = main(t, first, others, more.length > 0)
  const spans = [...story.spans]
  for (const one of more) {
    if (sentences(spans) < MOST_SENTENCES) spans.push(...one)
  }
  return { ...story, spans }
}
