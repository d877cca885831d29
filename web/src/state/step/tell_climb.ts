/** What the hill climbers add: two buffers change places in the order, and the plan that comes of it is kept or not. */
import type { EventOf } from '../../../../wasm/client/types'
import { buffer, bytes, count, isBuffer, plural, type Span, say, type Teller, type Told, told } from './sentence_parts'

type Swap = EventOf<'swap'> | EventOf<'swap-back'>

/** Who changes places, and among whom that was drawn. */
function swap(t: Teller, { buffer: a, other: b }: Swap, why: EventOf<'bottleneck'>): Span[] {
  const { second, partner } = why
  const drawn = [...why.list]
  const from = say`Drawn from ${count(drawn.length, drawn)} buffers that may have pushed it up, `
  if (a === b) from.push(...say`${buffer(a, 'now')} changes places with itself`)
  else from.push(...say`${buffer(a, 'now')} and ${buffer(b, 'now')} change places in the order`)
  if (!isBuffer(t.problem, second) || second === partner) return [...from, ...say`.`]
  return [...from, ...say`, and so do ${buffer(second, 'now')} and ${buffer(partner, 'now')}.`]
}

/** What the new order leads to. */
function result({ height, before, list }: EventOf<'swap'>): Span[] {
  const moved = [...list]
  const move = say` ${count(moved.length, moved)} ${plural(moved.length, 'buffer moves', 'buffers move')}`
  if (height < before)
    return [...move, ...say`, and the plan is ${bytes(before - height, 'ok')} lower: ${bytes(height, 'ok')}.`]
  if (height > before)
    return [...move, ...say`; the plan is ${bytes(height - before, 'why')} higher and, by chance, kept.`]
  return moved.length === 0 ? say` Nobody moves.` : [...move, ...say`; the plan is as high as before and is kept.`]
}

/** An attempt that is kept; why: who ended highest, and who the swap was drawn from. */
export function swapped(t: Teller, event: EventOf<'swap'>, why: EventOf<'bottleneck'>): Told {
  const { height, before } = event
  const spans = say`${buffer(why.buffer, 'why')} ended highest, at ${bytes(why.top, 'why')}.`
  spans.push(...say` `, ...swap(t, event, why), ...result(event))
  const base = { chip: 'Swapped', glyph: 'place' as const, spans }
  if (height < before) return told(event, { ...base, title: 'a lower plan', tone: 'ok' })
  if (height > before) return told(event, { ...base, title: 'higher, by chance', tone: 'why' })
  return told(event, { ...base, title: 'as high', tone: 'plain' })
}

/** As the core numbers why a swap is not kept; 0: for the height of its plan. */
const GIVEN_UP = 1
const NOBODY = 2

/** An attempt that is not kept. */
export function swappedBack(t: Teller, event: EventOf<'swap-back'>, why: EventOf<'bottleneck'>): Told {
  const { height, before } = event
  const spans = say`${buffer(why.buffer, 'why')} ends highest, at ${bytes(why.top, 'why')}.`
  if (event.why === NOBODY) {
    spans.push(...say` There are no two buffers to swap below it, so the attempt is spent.`)
    return told(event, { chip: 'Spent', title: 'nobody to swap', glyph: 'back', spans })
  }
  spans.push(...say` `, ...swap(t, event, why))
  const base = { chip: 'Swapped back', glyph: 'back' as const, spans }
  if (event.why === GIVEN_UP) {
    spans.push(
      ...say` The new plan reaches ${bytes(height, 'why')} before everything is placed, so it is given up and they change back.`,
    )
    return told(event, { ...base, title: 'given up half way' })
  }
  if (height === before) spans.push(...say` The new plan is no lower, so they change back.`)
  else
    spans.push(
      ...say` The new plan is ${bytes(height - before, 'why')} higher, at ${bytes(height)}, so they change back.`,
    )
  return told(event, { ...base, title: height === before ? 'no lower' : 'higher' })
}
