/** The steps that every search takes: placed, rejected, passed over, taken back. Nothing here measures or decides; it only retells events. */
import type { EventOf } from '../../../../wasm/client/types'
import { thousands } from '../../base/format'
import {
  buffer,
  bytes,
  count,
  isBuffer,
  isSection,
  type Lights,
  plural,
  ruleOf,
  type Span,
  say,
  section,
  type Teller,
  type Told,
  type Tone,
  told,
} from './sentence_parts'

/** brief: more follows, and three sentences are enough */
export function place(t: Teller, event: EventOf<'place'>, brief: boolean): Told {
  const { buffer: b, offset, support, of, again } = event
  const level = event.depth
  const title = `level ${thousands(level)}`
  const tried = t.frame.tried?.[level - 1] ?? 0
  const spans = say`Placing ${buffer(b, 'now')} at ${bytes(offset, 'now', { buffers: [b], section: -1 })}, `
  if (isBuffer(t.problem, support)) spans.push(...say`on top of ${buffer(support)}.`)
  else spans.push(...say`${offset === 0 ? 'on the ground.' : 'resting on nothing.'}`)
  if (of > 1 && tried > (brief ? 1 : 0))
    spans.push(...say` It is candidate ${count(tried)} of ${count(of)} at this level.`)
  else if (of > 1 && !brief) spans.push(...say` It is one of ${count(of)} candidates at this level.`)
  if (again) spans.push(...say` It was taken out before.`)
  const raised = [...event.list]
  if (raised.length > 0 && !brief) {
    const who = raised.length === 1 ? say` The least offset of ${buffer(raised[0] ?? 0)} rises.` : null
    spans.push(...(who ?? say` The least offset of ${count(raised.length, raised)} unplaced buffers rises.`))
  }
  return told(event, { chip: again ? 'Placed again' : 'Placed', title, tone: 'now', glyph: 'place', spans })
}

function rejectFixed(t: Teller, event: EventOf<'reject'>): Told {
  const { buffer: b, offset, floor: needs, rest: fixed } = event
  const held = [...event.list].find((k) => (t.problem.fixed[k] ?? -1) >= 0) ?? b
  const spans =
    held === b
      ? say`${buffer(b, 'now')} is fixed at ${bytes(fixed)}, but what lies below it reaches ${bytes(needs, 'why')}. The placement is taken back.`
      : say`Placing ${buffer(b, 'now')} at ${bytes(offset, 'now')} pushes ${buffer(held, 'why')} up to ${bytes(needs, 'why')}, but it is fixed at ${bytes(fixed)}. The placement is taken back.`
  return told(event, { chip: 'Rejected', tone: 'why', glyph: 'cross', spans })
}

/** The first sentence of a rejection: how the rule comes to its floor. */
function lift(rule: string, b: Span, offset: Span, sec: Span, floor: Span): Span[] {
  switch (rule) {
    case 'capacity':
      return say`Placing ${b} at ${offset} fills section ${sec} up to ${floor}.`
    case 'monotonic-floor':
      return say`After placing ${b} at ${offset} nothing may go lower, so the floor of section ${sec} is ${floor}.`
    case 'unallocated-floor':
      return say`With ${b} at ${offset}, no unplaced buffer of section ${sec} can start below ${floor}.`
    default:
      return say`Placing ${b} at ${offset} lifts the floor of section ${sec} to ${floor}.`
  }
}

/** A rejection that needs no section: the same buffers failed before, or one of them has nowhere to go. */
function rejectPlain(t: Teller, event: EventOf<'reject'>): Told {
  const { buffer: b, offset, rule: ruleIndex } = event
  const list = [...event.list]
  const at = say`${buffer(b, 'now')} at ${bytes(offset, 'now', { buffers: [b], section: -1 })}`
  if (ruleOf(t, ruleIndex) === 'nogood') {
    const those = list.length > 0 ? count(list.length, list, 'learned') : 'the'
    const spans = say`With ${''}`.concat(
      at,
      say`, ${those} buffers that failed together before are here again, none lower than then. The placement is taken back.`,
    )
    return told(event, { chip: 'Rejected', tone: 'learned', glyph: 'diamond', spans })
  }
  const held = list.find((k) => k !== b) ?? list[0] ?? b
  const spans =
    held === b
      ? [...at, ...say` leaves it no offset that its alignment, bank and windows allow.`]
      : [
          ...say`Placing `,
          ...at,
          ...say` leaves ${buffer(held, 'why')} no offset that its alignment, fixed offset, bank and windows allow.`,
        ]
  return told(event, {
    chip: 'Rejected',
    tone: 'why',
    glyph: 'cross',
    spans: [...spans, ...say` The placement is taken back.`],
  })
}

export function reject(t: Teller, event: EventOf<'reject'>): Told {
  const { buffer: b, offset, rule: ruleIndex, section: sec, floor, rest } = event
  const rule = t.manifest.rules[ruleIndex]
  if (rule?.id === 'nogood' || rule?.id === 'domain') return { ...rejectPlain(t, event), title: rule.title }
  if (!isSection(t.problem, sec)) return { ...rejectFixed(t, event), title: rule?.title ?? '' }
  const waiting = [...event.list]
  const lights = { buffers: waiting, section: sec }
  const title = rule?.title ?? ''
  if (rule?.id === 'pile') return { ...rejectPiled(t, event, lights), title }
  // What is still to come there is all that there ever was: nothing had to be placed to see it.
  if (floor === 0 && rest === t.problem.sections.load[sec]) return { ...loadAlone(t, event, lights), title }
  const ground = bytes(floor, 'plain', { buffers: [], section: sec })
  const at = bytes(offset, 'now', { buffers: [b], section: -1 })
  // A buffer that is still to be placed itself stands for all of its section: none was tried.
  const spans = waiting.includes(b)
    ? say`No buffer of section ${section(sec)} can start below ${ground}.`
    : lift(rule?.id ?? '', buffer(b, 'now'), at, section(sec), ground)
  spans.push(...pierced(t.capacity, floor, rest, lights, b))
  const sum = t.capacity === null ? null : { floor, rest, capacity: t.capacity }
  return told(event, { chip: 'Rejected', title, tone: 'why', glyph: 'cross', spans, sum })
}

/** Loads say that they fit, but no pile does. */
function rejectPiled(t: Teller, event: EventOf<'reject'>, lights: Lights): Told {
  const { buffer: b, offset, floor, rest } = event
  const waiting = lights.buffers.includes(b)
  const spans = waiting
    ? say`In section ${section(lights.section)} `
    : say`With ${buffer(b, 'now')} at ${bytes(offset, 'now', { buffers: [b], section: -1 })}, in section ${section(lights.section)} `
  spans.push(...say`${bytes(rest, 'why', lights)} are to lie on each other`)
  if (floor > 0) spans.push(...say` from ${bytes(floor)} on`)
  const limit = t.minimising ? 'the height that is looked for' : 'the capacity'
  spans.push(...say`: at offsets that suit them no order of them ends within ${limit}.`)
  return told(event, { chip: 'Rejected', tone: 'why', glyph: 'cross', spans })
}

/** More is alive in a section than there is room for, whatever lies where. */
function loadAlone(t: Teller, event: EventOf<'reject'>, lights: Lights): Told {
  const rest = event.rest
  const spans = say`The load of section ${section(lights.section)} alone is ${bytes(rest, 'why', lights)}, `
  if (t.capacity === null) spans.push(...say`above the height that is looked for.`)
  else {
    const what = t.minimising ? 'the height that is looked for' : 'the capacity'
    spans.push(...say`${bytes(rest - t.capacity, 'why', lights)} more than ${what}. No order of placement can help.`)
  }
  const sum = t.capacity === null ? null : { floor: 0, rest, capacity: t.capacity }
  return told(event, { chip: 'Rejected', tone: 'why', glyph: 'cross', spans, sum })
}

/** The second sentence of a rejection: what is still to come does not fit above the floor. */
function pierced(capacity: number | null, floor: number, rest: number, lights: Lights, b: number): Span[] {
  const need = bytes(rest, 'plain', lights)
  if (capacity === null)
    return say` Buffers still to place there need ${need}, which reaches above the height that is looked for.`
  const left = capacity - floor
  if (rest > 0 && left > 0) {
    const remain = left === 1 ? 'remains' : 'remain'
    return say` Buffers still to place there need ${need}, and only ${bytes(left)} ${remain} below capacity.`
  }
  if (rest > 0) return say` Buffers still to place there need ${need}, and nothing remains below capacity.`
  return say` That is ${bytes(-left, 'why', { buffers: [b], section: lights.section })} above the capacity.`
}

export function skip(t: Teller, event: EventOf<'skip'>): Told {
  const { buffer: b, offset, rule: ruleIndex, witness, bound, count: n } = event
  const rule = t.manifest.rules[ruleIndex]
  const passed = [...event.list]
  const others = passed.filter((k) => k !== b)
  const more = n > 1 ? say` and ${count(n - 1, others)} ${plural(n - 1, 'other candidate', 'other candidates')}` : []
  const seen = isBuffer(t.problem, witness)
  const base = { chip: 'Skipped', title: rule?.title ?? '' }
  const head = (tone: Tone) =>
    [
      ...say`${buffer(b, 'now')} at ${bytes(offset, 'now', { buffers: [b], section: -1 })}`,
      ...more,
      ...say` ${n > 1 ? 'are' : 'is'} skipped: `,
    ].map((span) => (span.kind === 'count' ? { ...span, tone } : span))
  if (rule?.id === 'dominance') {
    const why = seen
      ? say`${buffer(witness, 'bound')} still fits entirely below, up to ${bytes(bound, 'bound')}. Placing it first is never worse.`
      : say`another unplaced buffer ends at ${bytes(bound, 'bound')}, entirely below. Placing it first is never worse.`
    return told(event, { ...base, tone: 'bound', glyph: 'bars', spans: [...head('bound'), ...why] })
  }
  if (rule?.id === 'hatless') {
    const why = seen
      ? say`nothing unplaced lies above ${buffer(witness, 'hatless')}, so it is in nobody's way. What did not work with it does not work with its siblings.`
      : say`nothing unplaced lies above the last buffer tried, so its siblings end the same way.`
    return told(event, { ...base, tone: 'hatless', glyph: 'cap', spans: [...head('hatless'), ...why] })
  }
  if (rule?.id === 'equal') {
    const why = seen
      ? say`${buffer(witness, 'hatless')} has the same lifespan and size, and failed here.`
      : say`a buffer of the same lifespan and size failed here.`
    return told(event, { ...base, tone: 'hatless', glyph: 'cap', spans: [...head('hatless'), ...why] })
  }
  if (rule?.id !== 'canonical') {
    const why = rule === undefined ? 'it cannot help.' : rule.text.charAt(0).toLowerCase() + rule.text.slice(1)
    return told(event, { ...base, tone: 'learned', glyph: 'diamond', spans: [...head('learned'), ...say`${why}`] })
  }
  const last = seen
    ? say`${buffer(witness)} was placed at ${bytes(bound, 'order', { buffers: [witness], section: -1 })}`
    : say`the last offset is ${bytes(bound, 'order')}`
  const why =
    bound > offset
      ? say`, and offsets may not go down. The packing with it below is searched in another branch.`
      : say`, and equal offsets are taken in order. The packing with both is searched in another branch.`
  return told(event, { ...base, tone: 'order', glyph: 'order', spans: [...head('order'), ...last, ...why] })
}

/** What comes before a way back: why it is taken. */
function dead(from: number, proved: boolean): Span[] {
  return proved
    ? say`Below level ${count(from)} nothing works. `
    : say`No candidate is left at level ${count(from + 1)}. `
}

/** proved: the search says which buffers are in conflict, so that more than candidates ran out */
export function backtrack(t: Teller, event: EventOf<'backtrack'>, proved: boolean): Told {
  const { from, to, buffer: b, major } = event
  const undone = t.frame.undone.length > 0 ? t.frame.undone.map((u) => u.buffer) : [...event.list]
  const n = from - to
  if (n <= 0) return idleTakenBack(event, from, proved)
  const spans = dead(from, proved)
  const was = t.frame.undone.find((u) => u.buffer === b)
  if (n === 1 && isBuffer(t.problem, b)) {
    const where = was ? say`, which lay at ${bytes(was.offset)}` : []
    spans.push(...say`So ${buffer(b, 'why')}`, ...where, ...say`${was ? ', is' : ' is'} taken back.`)
  } else if (isBuffer(t.problem, b)) {
    spans.push(...say`${count(n, undone)} levels are taken back`)
    spans.push(
      ...(was
        ? say`, down to ${buffer(b, 'why')}, which lay at ${bytes(was.offset)}.`
        : say`, down to ${buffer(b, 'why')}.`),
    )
  } else {
    spans.push(...say`${count(n, undone)} ${plural(n, 'level is', 'levels are')} taken back.`)
  }
  if (to === 0 && !proved) spans.push(...say` Nothing stays placed.`)
  const title = major ? 'major backtrack' : 'backtrack'
  return told(event, { chip: 'Taken back', title, tone: major ? 'why' : 'plain', glyph: 'back', spans })
}

/** Nothing placed is taken back: there is nothing, or it was the case that a floor stays idle. */
function idleTakenBack(event: EventOf<'backtrack'>, from: number, proved: boolean): Told {
  if (from > 0 || proved) {
    const spans = say`Leaving that floor idle does not work either.`
    return told(event, { chip: 'Taken back', title: 'waste', glyph: 'back', spans })
  }
  const spans = say`No candidate is left at level ${count(from + 1)}, and there is nothing placed that could be taken back.`
  return told(event, { chip: 'Given up', title: 'nothing left', glyph: 'back', spans })
}
