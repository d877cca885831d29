/** What the tile-aware solvers add: tensors that move up past each other's live tiles. */
import type { EventOf } from '../../../../wasm/client/types'
import {
  buffer,
  bytes,
  count,
  isBuffer,
  plural,
  type Span,
  say,
  section,
  type Teller,
  type Told,
  told,
} from './sentence_parts'

/** Two chunks collide, and the tensor goes past them. */
export function collided(event: EventOf<'collide'>): Told {
  const { buffer: b, offset, other, section: at, address, next } = event
  const spans = [
    ...say`At ${bytes(offset, 'now')} a chunk of ${buffer(b, 'now')} would lie over one of ${buffer(other, 'why')}:`,
    ...say` both are alive in section ${section(at)} at ${bytes(address, 'why')}.`,
    ...say` Past them it is tried at ${bytes(next, 'now')}, ${bytes(Math.max(0, next - offset))} higher.`,
  ]
  return told(event, { chip: 'Collision', title: 'chunks collide', tone: 'why', glyph: 'cross', spans })
}

/** A part of the tables, before all else. */
export function tabulated(t: Teller, event: EventOf<'tabulate'>): Told {
  const { buffer: b, pairs, ranges } = event
  const spans = say`Where each two tensors collide is worked out first: ${count(ranges)} ${plural(ranges, 'range', 'ranges')} of offsets of ${count(pairs)} ${plural(pairs, 'pair', 'pairs')} so far.`
  if (isBuffer(t.problem, b)) spans.push(...say` ${buffer(b, 'now')} and its peers are next.`)
  else spans.push(...say` The tables are done; tiles are not looked at again.`)
  return told(event, { chip: 'Tables', title: 'where each two collide', glyph: 'order', spans })
}

/** All tensors are placed anew, in another order. */
export function reordered(t: Teller, event: EventOf<'restart'>): Told {
  const name = t.armName(event.arm)
  const spans = say`The plan of the order before is kept if it is the lowest so far. All tensors are placed anew, ${name}: order ${count(event.round)}.`
  return told(event, { chip: 'Next order', title: name, glyph: 'restart', spans })
}

/** Two tensors change places in the order; nobody was looked for as a cause. */
export function orderSwapped(event: EventOf<'swap'> | EventOf<'swap-back'>): Told {
  const { kind, buffer: a, other: b, height, before } = event
  const spans = say`${buffer(a, 'now')} and ${buffer(b, 'now')} change places in the order, and all that come after them are placed anew.`
  if (kind === 'swap-back') {
    spans.push(...say` The plan would reach ${bytes(height, 'why')}, above ${bytes(before)}, so they change back.`)
    return told(event, { chip: 'Swapped back', title: 'higher', glyph: 'back', spans })
  }
  const lower = height < before
  if (lower) spans.push(...say` The plan is ${bytes(before - height, 'ok')} lower: ${bytes(height, 'ok')}.`)
  else spans.push(...say` The plan is as high as before and is kept.`)
  const title = lower ? 'a lower plan' : 'as high'
  return told(event, { chip: 'Swapped', title, tone: lower ? 'ok' : 'plain', glyph: 'place', spans })
}

/** A search among a few tensors, or all, begins. */
export function windowBegins(t: Teller, event: EventOf<'window'>): Told {
  const members = [...event.list]
  const all = members.length === t.problem.count
  const who = all
    ? say`All ${count(members.length, members)} buffers`
    : say`${count(members.length, members)} buffers alone`
  const spans = [
    ...who,
    ...say`, each as low as it may lie: is there a plan below ${bytes(event.limit, 'why')}?`,
    ...(all ? [] : say` What they need at least, all need.`),
  ]
  const title = all ? 'all buffers' : 'a few that follow each other'
  return told(event, { chip: 'Window', title, glyph: 'order', spans })
}

/** The pair of this node: one goes past the other. */
export function lifted(event: EventOf<'lift'>): Told {
  const { buffer: b, other, offset, height, again, list } = event
  const rose = [...list]
  const spans = say`From here on ${buffer(b, 'now')} lies past ${buffer(other, 'why')}: at ${bytes(offset, 'now')}.`
  if (rose.length === 0) spans.push(...say` Together they reach ${bytes(height)}.`)
  else {
    const rises = plural(rose.length, 'other rises', 'others rise')
    spans.push(...say` ${count(rose.length, rose)} ${rises} with it; together they reach ${bytes(height)}.`)
  }
  return told(event, {
    chip: 'Past it',
    title: again ? 'the other way' : 'one way',
    tone: 'now',
    glyph: 'place',
    spans,
  })
}

/** Why they had to be parted. */
export function clashed({ buffer: b, other, section: at, address }: EventOf<'clash'>): Span[] {
  return say` Before, chunks of ${buffer(b, 'now')} and ${buffer(other, 'why')} lay over each other in section ${section(at)} at ${bytes(address, 'why')}.`
}

/** One way that a pair cannot go. */
export function notLifted(event: EventOf<'no-lift'>): Told {
  const { buffer: b, other, blocked, offset, again } = event
  const spans = say`${buffer(b, 'now')} cannot lie past ${buffer(other, 'why')}: ${buffer(blocked, 'why')} would have to go to ${bytes(offset, 'why')} or above, and no plan below the limit is left.`
  return told(event, {
    chip: 'No room',
    title: again ? 'the other way' : 'one way',
    tone: 'why',
    glyph: 'cross',
    spans,
  })
}

/** Decisions are taken back. */
export function dropped(t: Teller, event: EventOf<'drop'>): Told {
  const { buffer: b, other, count: taken, limit } = event
  const spans = say`Nothing below ${bytes(limit, 'why')} is left here: ${count(taken)} ${plural(taken, 'decision is', 'decisions are')} taken back.`
  if (isBuffer(t.problem, b)) spans.push(...say` Next, ${buffer(other, 'now')} goes past ${buffer(b, 'now')}.`)
  else spans.push(...say` Every way was tried.`)
  return told(event, { chip: 'Back', title: plural(taken, 'one decision', 'several decisions'), glyph: 'back', spans })
}

/** As the core numbers how the search of a window ended; 0: with a proof. */
const GIVEN_UP = 1
const NOTHING_NEW = 2

/** What a window has shown. */
export function concluded(event: EventOf<'proof'>): Told {
  const { least, how, nodes, lower, upper, list } = event
  const members = [...list]
  const tried = say`after ${count(nodes)} ${plural(nodes, 'decision', 'decisions')}`
  if (how === GIVEN_UP) {
    const spans = say`The search among ${count(members.length, members)} buffers is given up `
    return told(event, {
      chip: 'Given up',
      title: 'nothing proved',
      glyph: 'back',
      spans: [...spans, ...tried, ...say`.`],
    })
  }
  if (how === NOTHING_NEW) {
    const spans = say`${count(members.length, members)} buffers alone fit into ${bytes(least)}, which proves nothing new.`
    return told(event, { chip: 'They fit', title: 'nothing new', spans })
  }
  const spans = [
    ...say`Every way was tried, `,
    ...tried,
    ...say`: these ${count(members.length, members)} buffers need `,
  ]
  spans.push(...say`${bytes(least, 'bound')} or more, and so do all.`)
  const closed = upper >= 0 && upper <= lower
  if (closed) spans.push(...say` That is the height of the best plan: none is lower.`)
  return told(event, {
    chip: 'Proved',
    title: closed ? 'no plan is lower' : 'a bound',
    tone: 'bound',
    glyph: 'cap',
    spans,
  })
}
