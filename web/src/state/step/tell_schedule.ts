/** What the solvers of a model's graph add: operators that run one after the other, and addresses for what they make. */
import type { EventOf } from '../../../../wasm/client/types'
import { thousands } from '../../base/format'
import { bytes, buffer, count, plural, type Span, say, type Teller, type Told, told } from './sentence_parts'

function begins(list: Uint32Array): Span[] {
  const out = [...list]
  if (out.length === 0) return say` No buffer begins with it.`
  return say` ${count(out.length, out, 'now')} ${plural(out.length, 'buffer begins', 'buffers begin')} with it.`
}

/** An operator runs next. */
export function scheduled(t: Teller, event: EventOf<'schedule'>): Told {
  const { op, time, ready, live, after, peak, list } = event
  const among = ready === 1 ? say`the only ready operator` : say`chosen among ${count(ready)} ready operators`
  const most = live === peak ? say`, the most so far` : say`; the most so far is ${bytes(peak)}`
  const spans = [
    ...say`${t.operator(op)} runs at time ${count(time)}, `,
    ...among,
    ...say`.`,
    ...begins(list),
    ...say` ${bytes(live, 'now')} are alive while it runs`,
    ...most,
    ...say`, and ${bytes(after)} after it.`,
  ]
  return told(event, { chip: 'Schedule', title: `time ${thousands(time)}`, tone: 'now', glyph: 'place', spans })
}

/** The order stands, and the buffers have addresses. */
export function allocated(event: EventOf<'allocate'>): Told {
  const { height, peak, steps, list } = event
  const spans =
    height < 0
      ? say`The order of the operators stands, and no addresses were found for its buffers.`
      : [
          ...say`The order of the operators stands: at most ${bytes(peak)} are alive at once.`,
          ...say` ${count(list.length, [...list])} ${plural(list.length, 'buffer has an address', 'buffers have addresses')} now, after ${count(steps)} ${plural(steps, 'step', 'steps')} of another solver: the plan is ${bytes(height, 'ok')} high.`,
        ]
  return told(event, { chip: 'Addresses', title: '', tone: 'ok', glyph: 'place', spans })
}

/** What a pass of COSMA looks through, by number. */
const passes = [
  'the given order, for its peak',
  'a few orders, for a low peak',
  'every order, for the least peak',
  'the given order, for the least traffic',
  'the order of low peak, for the least traffic',
  'orders that pass through cuts, for the least traffic',
  'every order, for the least traffic',
  'every order again, for another plan that moves as little',
]

/** A piece of a layer of a search over sets of operators. */
export function expanded(t: Teller, event: EventOf<'expand'>): Told {
  const forced = t.frame.events.find(
    (one): one is EventOf<'forced'> => one.kind === 'forced' && one.step === event.step,
  )
  const { stage, layer, states, dominated, pruned, best } = event
  const found = best < 0 ? say` No plan is known yet.` : say` The best plan so far is one of ${bytes(best, 'ok')}.`
  const spans = [
    ...say`A search looks through ${passes[stage] ?? 'orders'}.`,
    ...say` After ${count(layer)} ${plural(layer, 'operator', 'operators')}, ${count(states, undefined, 'now')} ${plural(states, 'state is', 'states are')} kept of the next layer;`,
    ...say` in this pass ${count(dominated)} were no better than another and ${count(pruned)} cost too much`,
    ...(forced
      ? say`; ${count(forced.count)} went on with one operator alone, the last with ${t.operator(forced.op)}`
      : []),
    ...say`.`,
    ...found,
  ]
  return told(event, { chip: 'Expand', title: `layer ${thousands(layer)}`, tone: 'now', glyph: 'none', spans })
}

/** A tensor is copied out of the arena, or back into it. */
export function movedOutside(t: Teller, event: EventOf<'evict'> | EventOf<'fetch'>): Told {
  const { buffer: which, op, time, bytes: size, kind } = event
  const why = say`for ${t.operator(op)}, which runs at time ${count(time)}`
  const spans =
    kind === 'evict'
      ? [...say`${buffer(which, 'order')} of ${bytes(size, 'order')} goes out of the arena to make room `, ...why]
      : [...say`${buffer(which, 'ok')} of ${bytes(size, 'ok')} is fetched from outside `, ...why]
  const rest = { title: `time ${thousands(time)}`, spans: [...spans, ...say`.`] }
  return kind === 'evict'
    ? told(event, { chip: 'Evict', tone: 'order', glyph: 'back', ...rest })
    : told(event, { chip: 'Fetch', tone: 'ok', glyph: 'place', ...rest })
}

/** An operator of a fixed order runs, and what begins with it has its place. */
export function ran(t: Teller, event: EventOf<'run'>): Told {
  const { op, time, list } = event
  const spans = [
    ...say`${t.operator(op)} runs at time ${count(time)}.`,
    ...begins(list),
    ...(list.length > 0 ? say` The lowest gap is taken.` : []),
  ]
  return told(event, { chip: 'Run', title: `time ${thousands(time)}`, tone: 'now', glyph: 'place', spans })
}

/** The search is cut into parts. */
export function wasCut(event: EventOf<'cut'>): Told {
  const { parts } = event
  const spans = say`The best order so far falls into ${count(parts)} ${plural(parts, 'part', 'parts')} where few bytes are alive: first only orders that keep to these are looked through.`
  return told(event, { chip: 'Cut', title: '', tone: 'order', glyph: 'bars', spans })
}

/** Who looks for addresses, by number. */
const packers = [
  'A narrow sweep through time',
  'A wide sweep through time',
  'An exact solver of buffers',
  'A search through all layouts',
  'A heuristic above the capacity',
]

/** A packer came to its end. */
export function wasPacked(event: EventOf<'pack'>): Told {
  const { packer, packed, best } = event
  const who = packers[packer] ?? 'A packer'
  const spans =
    packer === 3
      ? packed
        ? say`${who} finds the plan that moves the fewest bytes of all that have addresses.`
        : say`${who} finds none that moves fewer bytes than the plan before.`
      : packed
        ? say`${who} finds addresses for the plan that moves ${bytes(best, 'ok')}.`
        : say`${who} finds no addresses for the plan that moves ${bytes(best)}.`
  return told(event, {
    chip: 'Pack',
    title: '',
    tone: packed ? 'ok' : 'plain',
    glyph: packed ? 'place' : 'none',
    spans,
  })
}

/** More is copied out so that there are addresses. */
export function repaired(event: EventOf<'repair'>): Told {
  const { nth, count: more, cost, packed } = event
  const spans = [
    ...say`Try ${count(nth)} of a repair copies ${count(more)} ${plural(more, 'tensor', 'tensors')} out that could stay, ${bytes(cost)} moved in all: `,
    ...(packed ? say`now there are addresses.` : say`there are still no addresses.`),
  ]
  return told(event, {
    chip: 'Repair',
    title: '',
    tone: packed ? 'ok' : 'plain',
    glyph: packed ? 'place' : 'none',
    spans,
  })
}
