/** What the exact solver adds: floors left idle, questions asked, offsets raised, conflicts, jumps, and bounds that close. */
import type { EventOf } from '../../../../wasm/client/types'
import { armOf, SCORES } from '../solver/arms'
import {
  buffer,
  bytes,
  count,
  isBuffer,
  isSection,
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

export function waste(t: Teller, event: EventOf<'waste'>): Told {
  const { section: sec, floor, to, buffer: by } = event
  const risen = [...event.list]
  const lights = { buffers: risen, section: sec }
  const at = isSection(t.problem, sec) ? say`section ${section(sec)}` : say`this section`
  const who =
    risen.length > 0
      ? say`its ${count(risen.length, risen)} ${plural(risen.length, 'buffer rises', 'buffers rise')}`
      : say`its buffers rise`
  const spans = [
    ...say`Nobody sits on the floor of `,
    ...at,
    ...say`, at ${bytes(floor, 'plain', lights)}. `,
    ...say`So `,
    ...who,
    ...say` to ${bytes(to, 'now', lights)}`,
    ...(isBuffer(t.problem, by)
      ? say`, the next floor there is, which ${buffer(by)} makes.`
      : say`, the next floor there is.`),
  ]
  return told(event, { chip: 'Left idle', title: 'waste', tone: 'now', glyph: 'waste', spans })
}

/** Who takes whose place at a boundary of full sections, or that nobody does. */
export function exchanged(t: Teller, event: EventOf<'exchange'>): Told {
  const { section: sec, bytes: sum, ends, standing } = event
  const at = isSection(t.problem, sec) ? say`section ${section(sec)}` : say`a section`
  if (sum < 0) {
    const spans = [...say`Where `, ...at, ...say` begins, nobody is left to take the place of those that end. `]
    spans.push(
      ...(standing > 0
        ? say`The exchange before is taken back; ${count(standing)} stand.`
        : say`No exchange is left: the sections of this sweep have no plan.`),
    )
    return told(event, { chip: 'Taken back', title: 'exchange', glyph: 'back', spans })
  }
  const gone = [...event.list].slice(0, ends)
  const come = [...event.list].slice(ends)
  const side = gone.length > 1 ? ' side by side' : ''
  return told(event, {
    chip: 'Exchange',
    title: `number ${standing}`,
    tone: 'now',
    glyph: 'order',
    spans: [
      ...say`Where `,
      ...at,
      ...say` begins nothing may stay idle: `,
      ...say`${count(gone.length, gone)} ${plural(gone.length, 'buffer ends', 'buffers end')}${side}, `,
      ...say`and ${count(come.length, come, 'now')} that ${plural(come.length, 'begins takes', 'begin take')} exactly those ${bytes(sum, 'now', { buffers: [...event.list], section: sec })}.`,
    ],
  })
}

const PURPOSES = ['at the lower bound', 'between the bounds', 'with the effort that is left']

export function probe(event: EventOf<'probe'>): Told {
  const { capacity, limit, lower, upper, purpose } = event
  const spans = say`Is there a plan within ${wholeBytes(capacity, 'now')}? `
  spans.push(
    ...(upper < 0
      ? say`The least height is at least ${bytes(lower, 'bound')}.`
      : say`The least height is between ${bytes(lower, 'bound')} and ${bytes(upper, 'ok')}.`),
  )
  if (limit > 0)
    spans.push(...say` The search ends after ${count(limit)} nodes if it finds nothing, which proves nothing.`)
  return told(event, { chip: 'Probe', title: PURPOSES[purpose] ?? '', tone: 'now', glyph: 'restart', spans })
}

const SOURCES = [
  'the load',
  'a greedy order',
  'a dive',
  'a plan of the search',
  'a proof of the search',
  'a try before the search',
]

export function bound(event: EventOf<'bound'>): Told {
  const { lower, upper, source } = event
  const proof = source === 0 || source === 4
  const base = { chip: 'Bound', title: SOURCES[source] ?? '', tone: proof ? ('bound' as const) : ('ok' as const) }
  if (upper < 0)
    return told(event, { ...base, spans: say`No plan can be lower than ${bytes(lower, 'bound')}. There is none yet.` })
  if (upper === lower)
    return told(event, {
      ...base,
      spans: say`A plan is ${bytes(upper, 'ok')} high, and none can be lower: the bounds have met.`,
    })
  const spans = proof
    ? say`No plan can be lower than ${bytes(lower, 'bound')}. The best so far is ${bytes(upper, 'ok')} high, ${bytes(upper - lower)} above.`
    : say`A plan is ${bytes(upper, 'ok')} high. No plan can be lower than ${bytes(lower, 'bound')}, ${bytes(upper - lower)} below.`
  return told(event, { ...base, spans })
}

/** Which section is asked next, and by what score: the question that the steps after this one answer. */
export function choose(t: Teller, event: EventOf<'choose'>): Span[] {
  const { section: sec, floor, rest, waste: idle, buffer: blocker } = event
  if (!isSection(t.problem, sec)) return []
  const list = [...event.list]
  const arm = armOf(t.arm)
  const here = { buffers: list, section: sec }
  const spans = say` Next is section ${section(sec)}`
  if (arm !== null) spans.push(...say`, which has ${arm.score}`)
  if (arm?.score === SCORES['10']) spans.push(...say`, ${bytes(rest, 'plain', { buffers: [], section: sec })}`)
  spans.push(...say`: on ${arm?.score === SCORES['0'] ? 'it' : 'its floor'}, at ${bytes(floor, 'plain', here)}, `)
  const one = list[0]
  if (list.length === 1 && one !== undefined) spans.push(...say`${buffer(one)}`)
  else spans.push(...say`one of ${count(list.length, list)} candidates`)
  if (idle === 1) spans.push(...say` must sit: there is no room to leave it idle.`)
  else if (idle === 2 && isBuffer(t.problem, blocker))
    spans.push(...say` must sit: if nobody did, ${buffer(blocker)} could drop to it.`)
  else if (idle === 3)
    spans.push(...say` goes on the buffer of its lifespan, with which it is piled up in this attempt.`)
  else spans.push(...say` sits, or nobody.`)
  return spans
}

/** The offsets that one rule raised in this step, as one sentence. */
export function raised(t: Teller, events: EventOf<'raise'>[]): Span[] {
  const [event] = events
  if (event === undefined) return []
  const { buffer: b, offset, rule, section: sec, from, other: twin } = event
  const rises = say`${buffer(b)} rises from ${bytes(from)} to ${bytes(offset, 'plain', { buffers: [b], section: -1 })}`
  const others = events.slice(1).map((other) => other.buffer)
  const rest = others.length > 0 ? say`, and ${count(others.length, others)} more rise.` : say`.`
  switch (ruleOf(t, rule)) {
    case 'not-first':
      return [
        ...say` With ${buffer(b)} lowest, section ${section(sec)} would overflow: `,
        ...say`it rises from ${bytes(from)} to ${bytes(offset, 'plain', { buffers: [b], section: -1 })}`,
        ...rest,
      ]
    case 'subset-sum':
      return [
        ...say` No pile of section ${section(sec)}’s buffers ends where ${buffer(b)} could lie: `,
        ...say`it rises from ${bytes(from)} to ${bytes(offset, 'plain', { buffers: [b], section: -1 })}`,
        ...rest,
      ]
    case 'pile':
      return [
        ...say` In no pile of section ${section(sec)}’s buffers, at offsets that suit them, is ${buffer(b)} lower: `,
        ...say`it rises from ${bytes(from)} to ${bytes(offset, 'plain', { buffers: [b], section: -1 })}`,
        ...rest,
      ]
    case 'same-span': {
      const other = isBuffer(t.problem, twin) ? say`${buffer(twin)}` : say`a buffer of its lifespan`
      return [...say` Swapped with `, ...other, ...say`, it is the case that failed: `, ...rises, ...rest]
    }
    default:
      return [...say` `, ...rises, ...rest]
  }
}

export function conflict(t: Teller, event: EventOf<'conflict'>): Span[] {
  const { size, learned, section: sec } = event
  const list = [...event.list]
  const which = { buffers: list, section: isSection(t.problem, sec) ? sec : -1 }
  const n: Span = { kind: 'count', value: size, tone: 'learned', lights: which }
  const alone = size === 1 ? say` Packing this ${n} buffer` : say` Packing these ${n} buffers alone, each`
  const end = learned > 0 ? ', is impossible: that is remembered.' : ', is impossible.'
  return [...alone, ...say` from where it may begin${end}`]
}

/** What a way back passes over by one rule, level by level. */
export function left(t: Teller, events: EventOf<'leave'>[]): Span[] {
  const some = events.filter((event) => event.count > 0)
  const [first] = some
  if (first === undefined) return say` The conflict holds without this decision.`
  const n = some.reduce((sum, event) => sum + event.count, 0)
  const list = some.flatMap((event) => [...event.list])
  const where =
    some.length === 1 ? say` at level ${count(first.level + 1)} ` : say` on the way, at ${count(some.length)} levels, `
  const why =
    ruleOf(t, first.rule) === 'lazy'
      ? say`skipped: the buffers in conflict fail already without ${plural(n, 'it', 'them')}.`
      : say`skipped: the conflict holds without ${plural(some.length, 'this decision', 'these decisions')}.`
  const alternatives = plural(n, 'alternative', 'alternatives')
  return [...say` ${count(n, list, 'learned')} ${alternatives}`, ...where, ...say`${plural(n, 'is', 'are')} `, ...why]
}
