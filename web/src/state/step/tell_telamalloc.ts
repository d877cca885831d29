/** What TelaMalloc adds: a constraint problem that fails and whom it blames, minor and major backtracks, phases, candidates and who proposes them. */
import type { EventOf } from '../../../../wasm/client/types'
import { thousands } from '../../base/format'
import { scoreText } from './jump_targets'
import { buffer, bytes, count, isBuffer, plural, type Span, say, type Teller, type Told, told } from './sentence_parts'

/** A placement that leaves some buffer without a position; or, before any placement, the proof that there is no packing. */
export function unsatisfiable(t: Teller, event: EventOf<'reject'>): Told {
  const { buffer: b, offset, floor: least, rest: most } = event
  const empty = event.list[0] ?? b
  const at = { buffers: [empty], section: -1 }
  const where =
    most < 0
      ? say`there is none within the capacity.`
      : say`the lowest one left would be ${bytes(least, 'why', at)}, above the highest, ${bytes(most, 'why', at)}.`
  const title = t.manifest.rules[event.rule]?.title ?? ''
  if (event.list.length === 0) {
    const spans = [
      ...say`Before anything is placed, ${buffer(b, 'why')} has no position: `,
      ...where,
      ...say` There is no packing.`,
    ]
    return told(event, { chip: 'Rejected', title, tone: 'why', glyph: 'cross', spans })
  }
  const spans = [
    ...say`Placing ${buffer(b, 'now')} at ${bytes(offset, 'now', { buffers: [b], section: -1 })} leaves ${empty === b ? 'it' : buffer(empty, 'why')} no position: `,
    ...where,
    ...say` The placement is taken back.`,
  ]
  return told(event, { chip: 'Minor backtrack', title, tone: 'plain', glyph: 'cross', spans })
}

/** Whom the solver blames for the failure of one placement. */
export function blamed(event: EventOf<'culprits'>): Span[] {
  const list = [...event.list]
  const n = count(list.length, list, 'why')
  return list.length === 1
    ? say` This placement alone is in conflict.`
    : say` These ${n} placements alone are in conflict.`
}

function undoing(t: Teller, event: EventOf<'backtrack'>): Span[] {
  const { from, to, buffer: b } = event
  const n = from - to
  const undone = t.frame.undone.length > 0 ? t.frame.undone.map((u) => u.buffer) : [...event.list]
  const was = t.frame.undone.find((u) => u.buffer === b)
  const who = isBuffer(t.problem, b) ? say`${buffer(b, 'why')}` : say`the last buffer`
  const where = was ? say`, which lay at ${bytes(was.offset)}` : []
  if (n === 1) return [...who, ...where, ...say`${was ? ', is' : ' is'} taken back.`]
  return [...say`${count(n, undone)} levels are taken back, down to `, ...who, ...where, ...say`.`]
}

/** The jump in a word, in levels as the decision stack counts them. */
const levels = (from: number, to: number) => `level ${thousands(from + 1)} to ${thousands(to + 1)}`

/** Back over several levels: because no candidate is left, to where the conflict points; or because the search is stuck. */
export function jump(
  t: Teller,
  event: EventOf<'backtrack'>,
  culprits: EventOf<'culprits'> | null,
  stuck: EventOf<'stuck'> | null,
): Told {
  const { from, to, buffer: b } = event
  if (stuck !== null) {
    const { level, backtracks, limit } = stuck
    const spans = [
      ...say`The search is stuck: ${count(backtracks)} backtracks below the decision point at level ${count(level + 1)}, more than ${count(limit)}. It goes back${to === level ? ' there' : ''}: `,
      ...undoing(t, event),
    ]
    return told(event, { chip: 'Stuck', title: levels(from, to), tone: 'learned', glyph: 'back', spans })
  }
  const list = [...(culprits?.list ?? [])]
  const base = { chip: 'Major backtrack', title: '', tone: 'why' as const, glyph: 'back' as const }
  const none = say`All candidates of level ${count(from + 1)} are exhausted. `
  if (from === to) {
    const spans = [...none, ...say`There is nothing to go back to: the search is out of moves, which proves nothing.`]
    return told(event, { ...base, chip: 'Given up', title: 'exhausted', spans })
  }
  const back = undoing(t, event)
  if (list.length === 0)
    return told(event, {
      ...base,
      title: levels(from, to),
      spans: [...none, ...say`No earlier placement is in conflict: `, ...back],
    })
  const n = count(list.length, list, 'why')
  const some = say`${n} earlier ${plural(list.length, 'placement is', 'placements are')} in conflict with them`
  // gone back by a fixed number of levels, or by lot: the conflict did not say where to
  if (list[0] !== b)
    return told(event, { ...base, title: levels(from, to), spans: [...none, ...some, ...say`; `, ...back] })
  const spans = [...none, ...some, ...secondToLast(t, event)]
  return told(event, { ...base, title: levels(from, to), spans })
}

/** The target of a major backtrack. The last conflicting placement is the candidate itself, which is taken back already. */
function secondToLast(t: Teller, event: EventOf<'backtrack'>): Span[] {
  const { from, to, buffer: b } = event
  const was = t.frame.undone.find((u) => u.buffer === b)
  const where = was ? say` at ${bytes(was.offset)}` : []
  const n = from - to
  const undone = n === 1 ? say`it is taken back.` : say`${count(n, [...event.list])} levels are taken back, down to it.`
  return [...say`; the second-to-last conflicting placement is ${buffer(b, 'why')}`, ...where, ...say`: `, ...undone]
}

/** A way back that the rules did not choose: by a model's scores, or by lot. */
export function drawn(
  { level, fallback, of, drawn, threshold, list }: EventOf<'jump'>,
  scores: EventOf<'score'>[],
): Span[] {
  const rules =
    level === fallback
      ? say`, ${drawn ? 'and is ' : ''}where the rules point too.`
      : say`; the rules would go to level ${count(fallback + 1)}.`
  const best = scores.find((score) => score.best)
  const places = count(of, [...list], 'why')
  if (best === undefined) return [...say` It was drawn by lot among ${places} placements`, ...rules]
  const highest = say`${buffer(best.buffer, 'learned')}, with ${scoreText(best.weighted)} of 10`
  if (!drawn) return [...say` Of ${places} placements the model scores highest `, ...highest, ...rules]
  const unsure = say` Of ${places} placements the model scores highest `
  return [...unsure, ...highest, ...say`, less than ${scoreText(threshold)}: one was drawn by lot`, ...rules]
}

export function promoted(event: EventOf<'promote'>): Span[] {
  const { level, count: n } = event
  const list = [...event.list]
  const first = list[0]
  if (n === 1 && first !== undefined)
    return say` ${buffer(first, 'learned')}, which failed, is prepended to the candidates of level ${count(level + 1)}.`
  return say` The ${count(n, list, 'learned')} candidates that failed are prepended to those of level ${count(level + 1)}.`
}

export function phaseBegins(event: EventOf<'phase'>): Span[] {
  const { phase, left, of } = event
  const some = left === of ? say`${count(of)}` : say`${count(left)} of ${count(of)}`
  return [
    ...say` Next is phase ${count(phase + 1)}, with `,
    ...some,
    ...say` ${plural(of, 'buffer', 'buffers')} to place.`,
  ]
}

const PROPOSED = ['of the longest lifetime', 'of the largest size', 'of the largest area', 'moved up because it failed']

/** Who is tried next and who proposed it; how many more wait. */
export function nextCandidate(t: Teller, events: EventOf<'candidate'>[]): Span[][] {
  const [first] = events
  if (first === undefined) return []
  const { buffer: b, offset, source } = first
  if (!isBuffer(t.problem, b)) return []
  const others = events.slice(1).map((event) => event.buffer)
  const at = bytes(offset, 'plain', { buffers: [b], section: -1 })
  const more =
    others.length > 0 ? say`; ${count(others.length, others)} more ${plural(others.length, 'waits', 'wait')}.` : say`.`
  return [[...say` The next candidate is ${buffer(b)}, ${PROPOSED[source] ?? ''}, lowest at ${at}`, ...more]]
}

/** A fresh start of TelaMalloc: after the contention heuristic, or with its own heuristics rotated. */
export function rotated(event: EventOf<'restart'>, name: string): Told {
  const { round } = event
  const spans =
    round === 0
      ? say`The plan of the contention heuristic is higher than the capacity. The search starts on empty memory.`
      : say`The search ran out of moves and starts again, attempt ${count(round + 1)}. Candidates are now proposed in the order ${name}.`
  return told(event, { chip: 'Restart', title: name, glyph: 'restart', spans })
}
