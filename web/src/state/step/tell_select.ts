/** What the choice of who lives in fast memory adds: turns by priority, gaps, and repacks where there is none. */
import type { EventOf } from '../../../../wasm/client/types'
import { thousands } from '../../base/format'
import {
  buffer,
  bytes,
  count,
  plural,
  type Span,
  say,
  type Teller,
  type Told,
  told,
  wholeBytes,
} from './sentence_parts'

/** Before the first step. */
export function allSlow(t: Teller): Told {
  const n = t.problem.count
  const all = n === 1 ? say`The buffer lives in slow memory.` : say`All ${count(n)} buffers live in slow memory.`
  const spans = say` Who moves the most bytes for the root of its size looks first for a gap in fast memory`
  const room = t.capacity === null ? [] : say`, of ${wholeBytes(t.capacity)}`
  return told(null, { chip: 'Start', title: '', spans: [...all, ...spans, ...room, ...say`.`] })
}

/** A buffer's turn begins. */
export function considered(event: EventOf<'consider'>): Told {
  const { buffer: which, nth, of, bytes: moved, accesses, size } = event
  const spans = [
    ...say`It is the turn of ${buffer(which, 'now')}, a buffer of ${bytes(size, 'now')}: `,
    ...say`${count(accesses)} ${plural(accesses, 'access moves', 'accesses move')} ${bytes(moved)}.`,
    ...(nth > 1
      ? say` No one before it moves less for the root of its size.`
      : say` No one moves more for the root of its size.`),
  ]
  return told(event, {
    chip: 'Consider',
    title: `${thousands(nth)} of ${thousands(of)}`,
    tone: 'now',
    glyph: 'order',
    spans,
  })
}

/** It found a gap. */
export function takenIn(event: EventOf<'take-in'>): Told {
  const { buffer: which, offset, again, bytes: moved } = event
  const spans = [
    ...say`${buffer(which, 'ok')} goes into fast memory at ${bytes(offset, 'ok')}: `,
    ...(again ? say`now that the others were packed anew there is a gap` : say`that is the smallest gap that holds it`),
    ...say`. Slow memory moves ${bytes(moved)} less.`,
  ]
  return told(event, { chip: 'Take in', title: '', tone: 'ok', glyph: 'place', spans })
}

/** What came of a repack, by number: 0 is that all are packed. */
const FAILURES = ['', 'proves that they do not all fit', 'gives up', 'finds no way']

function repackedAll({ buffer: which, with: together, list }: EventOf<'repack'>): Span[] {
  const moved = say`${count(list.length, [...list], 'ok')} ${plural(list.length, 'lies', 'lie')} elsewhere now`
  return together
    ? [...say` All fit: `, ...moved, ...say`, and ${buffer(which, 'ok')} is in.`]
    : [...say` `, ...moved, ...say`, and it looks for a gap once more.`]
}

/** The newcomer and those that are in. */
const others = (n: number): Span[] =>
  n === 0 ? say`it` : say`it and the ${count(n)} that ${plural(n, 'is', 'are')} in`

/** Those in fast memory are packed anew. */
export function repacked(event: EventOf<'repack'>): Told {
  const { buffer: which, with: together, verdict, count: packed, steps, nth } = event
  // `count` has the newcomer, if it is packed with them
  const whom = together ? others(packed - 1) : say`the ${count(packed)} that ${plural(packed, 'is', 'are')} in`
  const spans = [
    ...say`${buffer(which, 'now')} finds no gap, so the repacker packs `,
    ...whom,
    ...say` anew.`,
    ...(verdict === 0
      ? repackedAll(event)
      : say` After ${count(steps)} ${plural(steps, 'step', 'steps')} it ${FAILURES[verdict] ?? ''}, and all stay where they are.`),
  ]
  const tone = verdict === 0 ? 'ok' : 'why'
  return told(event, {
    chip: 'Repack',
    title: `number ${thousands(nth)}`,
    tone,
    glyph: verdict === 0 ? 'restart' : 'cross',
    spans,
  })
}

const REASONS = [
  'no gap holds it, and no repack is left',
  'packing anew made no room',
  'it is larger than fast memory',
  'no operator reads or writes it',
]

/** It does not get in. */
export function leftOut(event: EventOf<'leave-out'>): Told {
  const { buffer: which, why, bytes: moved } = event
  const spans = [
    ...say`${buffer(which, 'why')} stays in slow memory: ${REASONS[why] ?? ''}.`,
    ...(moved > 0 ? say` Slow memory moves ${bytes(moved)} for it.` : []),
  ]
  return told(event, { chip: 'Leave out', title: '', tone: why === 3 ? 'plain' : 'why', glyph: 'back', spans })
}
