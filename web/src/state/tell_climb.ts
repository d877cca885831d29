/** What the hill climbers add: two buffers change places in the order, and the plan that comes of it is kept or not. */
import type { SearchEvent } from '../../../wasm/client/types'
import { buffer, bytes, count, isBuffer, plural, type Span, say, type Teller, type Told, told } from './say'

/** As the core numbers what an attempt comes to; 0: taken back. */
const GIVEN_UP = 1
const LOWER = 2
const EQUAL = 3
const HIGHER = 4

const TITLES: Record<number, string> = {
  [GIVEN_UP]: 'given up half way',
  [LOWER]: 'a lower plan',
  [EQUAL]: 'as high',
  [HIGHER]: 'higher, by chance',
}

/** Who changes places, and among whom that was drawn. */
function swap(t: Teller, event: SearchEvent, why: SearchEvent): Span[] {
  const [a, b] = event.args
  const [, , , then, other] = why.args
  const drawn = [...why.list]
  const from = say`Drawn from ${count(drawn.length, drawn)} buffers that may have pushed it up, `
  if (a === b) from.push(...say`${buffer(a, 'now')} changes places with itself`)
  else from.push(...say`${buffer(a, 'now')} and ${buffer(b, 'now')} change places in the order`)
  if (!isBuffer(t.problem, then) || then === other) return [...from, ...say`.`]
  return [...from, ...say`, and so do ${buffer(then, 'now')} and ${buffer(other, 'now')}.`]
}

/** What the new order leads to. */
function result(event: SearchEvent): Span[] {
  const [, , height, before, verdict] = event.args
  const moved = [...event.list]
  const move = say` ${count(moved.length, moved)} ${plural(moved.length, 'buffer moves', 'buffers move')}`
  switch (verdict) {
    case LOWER:
      return [...move, ...say`, and the plan is ${bytes(before - height, 'ok')} lower: ${bytes(height, 'ok')}.`]
    case EQUAL:
      if (moved.length === 0) return say` Nobody moves.`
      return [...move, ...say`; the plan is as high as before and is kept.`]
    case HIGHER:
      return [...move, ...say`; the plan is ${bytes(height - before, 'why')} higher and, by chance, kept.`]
    case GIVEN_UP:
      return say` The new plan reaches ${bytes(height, 'why')} before everything is placed, so it is given up and they change back.`
  }
  if (height === before) return say` The new plan is no lower, so they change back.`
  return say` The new plan is ${bytes(height - before, 'why')} higher, at ${bytes(height)}, so they change back.`
}

/** An attempt; why: who ends highest, and who the swap was drawn from. */
export function swapped(t: Teller, event: SearchEvent, why: SearchEvent): Told {
  const [a, , height, before, verdict] = event.args
  const [top, reaches] = why.args
  const kept = verdict === LOWER || verdict === EQUAL || verdict === HIGHER
  const spans = say`${buffer(top, 'why')} ${kept ? 'ended' : 'ends'} highest, at ${bytes(reaches, 'why')}.`
  if (!isBuffer(t.problem, a)) {
    spans.push(...say` There are no two buffers to swap below it, so the attempt is spent.`)
    return told(event, { chip: 'Spent', title: 'nobody to swap', glyph: 'back', spans })
  }
  spans.push(...say` `, ...swap(t, event, why), ...result(event))
  const title = TITLES[verdict] ?? (height === before ? 'no lower' : 'higher')
  if (!kept) return told(event, { chip: 'Swapped back', title, glyph: 'back', spans })
  const tone = verdict === LOWER ? 'ok' : verdict === HIGHER ? 'why' : 'plain'
  return told(event, { chip: 'Swapped', title, tone, glyph: 'place', spans })
}
