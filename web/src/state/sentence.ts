/**
 * What a step did and why, in at most three sentences of present tense. The result is data: texts, and references that the Step tab
 * underlines and that light what they speak of on the canvas. Nothing here measures or decides; it only retells events.
 */
import type { Frame, Manifest, Problem, SearchEvent } from '../../../wasm/client/types'
import { thousands } from '../base/format'

export type Tone = 'plain' | 'now' | 'why' | 'order' | 'bound' | 'hatless' | 'ok'

export interface Lights {
  buffers: number[]
  section: number
}

export type Span =
  | { kind: 'text'; text: string }
  | { kind: 'buffer'; buffer: number; tone: Tone; lights: Lights }
  | { kind: 'bytes'; value: number; tone: Tone; lights: Lights }
  | { kind: 'section'; section: number; tone: Tone; lights: Lights }
  | { kind: 'count'; value: number; tone: Tone; lights: Lights }

/** floor + rest against capacity, in bytes: the small bar under the sentence. */
export interface Sum {
  floor: number
  rest: number
  capacity: number
}

export type Glyph = 'cross' | 'bars' | 'order' | 'cap' | 'place' | 'back' | 'restart' | 'none'

export interface Told {
  /** one word for the chip, '' for none */
  chip: string
  /** the rule or the kind of decision, beside the chip */
  title: string
  tone: Tone
  glyph: Glyph
  spans: Span[]
  sum: Sum | null
  /** line of the pseudocode, 0: none */
  line: number
}

export interface Teller {
  problem: Problem
  manifest: Manifest
  capacity: number
  frame: Frame
  /** of the preorder heuristics, by arm */
  armName: (arm: number) => string
}

const NO_SECTION = 0xffffffff
const NO_LIGHTS: Lights = { buffers: [], section: -1 }

const isBuffer = (problem: Problem, index: number) => index >= 0 && index < problem.count

function buffer(index: number, tone: Tone = 'plain'): Span {
  return { kind: 'buffer', buffer: index, tone, lights: { buffers: [index], section: -1 } }
}
function bytes(value: number, tone: Tone = 'plain', lights: Lights = NO_LIGHTS): Span {
  return { kind: 'bytes', value, tone, lights }
}
function section(index: number): Span {
  return { kind: 'section', section: index, tone: 'plain', lights: { buffers: [], section: index } }
}
function count(value: number, buffers: number[] = []): Span {
  return { kind: 'count', value, tone: 'plain', lights: { buffers, section: -1 } }
}

/** say`Placing ${buffer(3)} here`: texts and spans in order. */
function say(texts: TemplateStringsArray, ...parts: (Span | string)[]): Span[] {
  const spans: Span[] = []
  texts.forEach((text, k) => {
    if (text !== '') spans.push({ kind: 'text', text })
    const part = parts[k]
    if (part !== undefined && part !== '') spans.push(typeof part === 'string' ? { kind: 'text', text: part } : part)
  })
  return spans
}

const plural = (n: number, one: string, many: string) => (n === 1 ? one : many)

function told(event: SearchEvent | null, base: Partial<Told> & { spans: Span[] }): Told {
  return { chip: '', title: '', tone: 'plain', glyph: 'none', sum: null, line: event?.line ?? 0, ...base }
}

/** brief: more follows, and three sentences are enough */
function place(t: Teller, event: SearchEvent, brief: boolean): Told {
  const [b, offset, support, of] = event.args
  const level = event.depth
  const title = `level ${thousands(level)}`
  const tried = t.frame.tried?.[level - 1] ?? 0
  const spans = say`Placing ${buffer(b, 'now')} at ${bytes(offset, 'now', { buffers: [b], section: -1 })}, `
  if (isBuffer(t.problem, support)) spans.push(...say`on top of ${buffer(support)}.`)
  else spans.push(...say`${offset === 0 ? 'on the ground.' : 'with nothing below it.'}`)
  if (brief) return told(event, { chip: 'Placed', title, tone: 'now', glyph: 'place', spans })
  if (of > 1 && tried > 0) spans.push(...say` It is candidate ${count(tried)} of ${count(of)} at this level.`)
  else if (of > 1) spans.push(...say` It is one of ${count(of)} candidates at this level.`)
  const raised = [...event.list]
  if (raised.length > 0) {
    const who = raised.length === 1 ? say` The least offset of ${buffer(raised[0] ?? 0)} rises.` : null
    spans.push(...(who ?? say` The least offset of ${count(raised.length, raised)} unplaced buffers rises.`))
  }
  return told(event, { chip: 'Placed', title, tone: 'now', glyph: 'place', spans })
}

function rejectFixed(t: Teller, event: SearchEvent): Told {
  const [b, offset, , , needs, fixed] = event.args
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

function reject(t: Teller, event: SearchEvent): Told {
  const [b, offset, ruleIndex, sec, floor, rest] = event.args
  const rule = t.manifest.rules[ruleIndex]
  if (sec === NO_SECTION || sec < 0 || sec >= t.problem.sections.count) {
    return { ...rejectFixed(t, event), title: rule?.title ?? '' }
  }
  const waiting = [...event.list]
  const lights = { buffers: waiting, section: sec }
  const spans = lift(
    rule?.id ?? '',
    buffer(b, 'now'),
    bytes(offset, 'now', { buffers: [b], section: -1 }),
    section(sec),
    bytes(floor, 'plain', { buffers: [], section: sec }),
  )
  const left = t.capacity - floor
  if (rest > 0 && left > 0) {
    spans.push(...say` Buffers still to place there need ${bytes(rest, 'plain', lights)}, and only ${bytes(left)} `)
    spans.push(...say`${left === 1 ? 'remains' : 'remain'} below capacity.`)
  } else if (rest > 0) {
    spans.push(
      ...say` Buffers still to place there need ${bytes(rest, 'plain', lights)}, and nothing remains below capacity.`,
    )
  } else {
    spans.push(...say` That is ${bytes(-left, 'why', { buffers: [b], section: sec })} above the capacity.`)
  }
  const sum = { floor, rest, capacity: t.capacity }
  return told(event, { chip: 'Rejected', title: rule?.title ?? '', tone: 'why', glyph: 'cross', spans, sum })
}

function skip(t: Teller, event: SearchEvent): Told {
  const [b, offset, ruleIndex, witness, bound, n] = event.args
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
  const last = seen
    ? say`${buffer(witness)} was placed at ${bytes(bound, 'order', { buffers: [witness], section: -1 })}`
    : say`the last offset is ${bytes(bound, 'order')}`
  const why =
    bound > offset
      ? say`, and offsets may not go down. The packing with it below is searched in another branch.`
      : say`, and equal offsets are taken in order. The packing with both is searched in another branch.`
  return told(event, { ...base, tone: 'order', glyph: 'order', spans: [...head('order'), ...last, ...why] })
}

function backtrack(t: Teller, event: SearchEvent): Told {
  const [from, to, b, major] = event.args
  const undone = t.frame.undone.length > 0 ? t.frame.undone.map((u) => u.buffer) : [...event.list]
  const n = from - to
  if (n <= 0) {
    const spans = say`No candidate is left at level ${count(from + 1)}, and there is nothing placed that could be taken back.`
    return told(event, { chip: 'Given up', title: 'nothing left', glyph: 'back', spans })
  }
  const spans = say`No candidate is left at level ${count(from + 1)}. `
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
  if (to === 0) spans.push(...say` Nothing stays placed.`)
  const title = major ? 'major backtrack' : 'backtrack'
  return told(event, { chip: 'Taken back', title, tone: major ? 'why' : 'plain', glyph: 'back', spans })
}

function restart(t: Teller, event: SearchEvent): Told {
  const [round, arm, limit] = event.args
  const name = t.armName(arm)
  const spans = say`Attempt ${count(round)} starts with order ${{ kind: 'text', text: name }}`
  spans.push(
    ...(limit > 0 ? say` and ends after ${count(limit)} nodes if it finds nothing.` : say` and no limit of nodes.`),
  )
  return told(event, { chip: 'Restart', title: `order ${name}`, glyph: 'restart', spans })
}

function noFit(t: Teller, event: SearchEvent): Told {
  const [b, offset, blocker, need, room] = event.args
  const spans = isBuffer(t.problem, blocker)
    ? say`The gap at ${bytes(offset, 'now')} below ${buffer(blocker, 'why')} has ${bytes(room)}.`
    : say`The gap at ${bytes(offset, 'now')} has ${bytes(room)}.`
  spans.push(...say` ${buffer(b, 'now')} needs ${bytes(need)}, ${bytes(Math.max(0, need - room), 'why')} more.`)
  return told(event, { chip: 'No fit', title: 'gap too small', tone: 'why', glyph: 'cross', spans })
}

function advance(event: SearchEvent): Told {
  const [row, next] = event.args
  const spans = say`The row at ${bytes(row)} is finished: no unplaced buffer fits there any more. The next row is at ${bytes(next, 'now')}.`
  return told(event, { chip: 'Next row', title: 'skyline', glyph: 'none', spans })
}

function newSlot(event: SearchEvent): Told {
  const [b, offset, slot, size] = event.args
  const spans = say`No shared object is free for ${buffer(b, 'now')}. Number ${count(slot + 1)}, with a size of ${bytes(size)}, is opened for it at ${bytes(offset, 'now')}.`
  return told(event, { chip: 'New object', title: 'shared objects', tone: 'now', glyph: 'place', spans })
}

/** One more sentence for what goes with a step. */
function detail(event: SearchEvent, capacity: number): Span[] {
  const [a, b] = event.args
  switch (event.id) {
    case 'decompose':
      return say` The unplaced buffers fall into ${count(a, [...event.list])} parts that no longer meet in time.`
    case 'part-solved':
      return say` Part ${count(a)} of ${count(b)} is solved.`
    case 'incumbent':
      return a > capacity
        ? say` Every buffer is placed: the plan is ${bytes(a)} high, ${bytes(a - capacity, 'why')} above the capacity.`
        : say` Every buffer is placed: the plan is ${bytes(a, 'ok')} high.`
    default:
      return []
  }
}

function start(t: Teller): Told {
  const { problem, capacity } = t
  const spans = say`Nothing is placed yet. ${count(problem.count)} ${plural(problem.count, 'buffer waits', 'buffers wait')} for an offset below ${bytes(capacity)}.`
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
  return told(event, { chip: info?.id ?? event.id, spans: [{ kind: 'text', text: info?.text ?? event.id }] })
}

function main(t: Teller, event: SearchEvent, brief: boolean): Told {
  switch (event.id) {
    case 'place':
      return place(t, event, brief)
    case 'reject':
      return reject(t, event)
    case 'skip':
      return skip(t, event)
    case 'backtrack':
      return backtrack(t, event)
    case 'restart':
      return restart(t, event)
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
  return spans.filter((span) => span.kind === 'text' && /[.](\s|$)/.test(span.text)).length
}

/** Tells the step that the frame shows. */
export function tell(t: Teller): Told {
  const now = t.frame.events.filter((event) => event.step === t.frame.step)
  const first = now.find((event) => t.manifest.events[event.kind]?.step ?? false) ?? now[0]
  if (t.frame.step === 0 || first === undefined) return start(t)
  const details = now.filter((event) => event !== first).map((event) => detail(event, t.capacity))
  const story = main(
    t,
    first,
    details.some((spans) => spans.length > 0),
  )
  const spans = [...story.spans]
  for (const more of details) {
    if (sentences(spans) < 3) spans.push(...more)
  }
  return { ...story, spans }
}

/** The sentence as plain text, for screen readers and for the link's preview. */
export function plainText(spans: Span[], ids: string[], bytesText: (n: number) => string): string {
  return spans
    .map((span) => {
      if (span.kind === 'text') return span.text
      if (span.kind === 'buffer') return ids[span.buffer] ?? '?'
      if (span.kind === 'bytes') return bytesText(span.value)
      return String(span.kind === 'section' ? span.section : span.value)
    })
    .join('')
}

/** Why no order of placement can help: more bytes are alive at once than there are. */
export interface Overload {
  section: number
  time: number
  buffers: number[]
  need: number
  over: number
  spans: Span[]
}

/** null if the load fits. O(buffers). */
export function overload(problem: Problem, capacity: number): Overload | null {
  const at = problem.peak
  const need = at < 0 ? 0 : (problem.sections.load[at] ?? 0)
  if (need <= capacity) return null
  const lower = problem.sections.lower[at] ?? 0
  const upper = problem.sections.upper[at] ?? 0
  const buffers: number[] = []
  for (let k = 0; k < problem.count; k++) {
    if ((problem.lower[k] ?? 0) < upper && (problem.upper[k] ?? 0) > lower) buffers.push(k)
  }
  const over = need - capacity
  const lights = { buffers, section: at }
  const spans = [
    ...say`At time ${{ kind: 'count', value: lower, tone: 'plain', lights: { buffers: [], section: at } }} in section ${section(at)}, `,
    ...say`${count(buffers.length, buffers)} ${plural(buffers.length, 'buffer is', 'buffers are')} alive at once. Together they need `,
    ...say`${bytes(need, 'why', lights)}, ${bytes(over, 'why', lights)} more than the capacity. No order of placement can help.`,
  ]
  return { section: at, time: lower, buffers, need, over, spans }
}
