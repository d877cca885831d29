/** What absolute placement adds: addresses passed over, and placements that leave too little for others. */
import type { EventOf } from '../../../../wasm/client/types'
import { thousands } from '../../base/format'
import { buffer, bytes, isBuffer, plural, say, section, type Teller, type Told, told } from './sentence_parts'

/** A run of addresses at which the buffer would lie over one that is placed. */
export function overlapped(t: Teller, event: EventOf<'skip'>): Told {
  const { buffer: b, offset, witness, bound, count: n } = event
  const spans = say`${buffer(b, 'now')} at ${bytes(offset, 'now', { buffers: [b], section: -1 })} would lie over `
  spans.push(...(isBuffer(t.problem, witness) ? say`${buffer(witness, 'why')}` : say`a placed buffer`))
  spans.push(
    ...say`: ${thousands(n)} ${plural(n, 'address is', 'addresses are')} passed over, up to ${bytes(bound, 'why')}.`,
  )
  const title = t.manifest.rules[event.rule]?.title ?? ''
  return told(event, { chip: 'Passed over', title, tone: 'why', glyph: 'cross', spans })
}

/** A placement that was possible and is taken back, since a buffer to come has no address, or a section too little room, left. */
export function pruned(t: Teller, event: EventOf<'reject'>): Told {
  const { buffer: b, offset, section: sec, floor, rest } = event
  const title = t.manifest.rules[event.rule]?.title ?? ''
  const spans = say`Placing ${buffer(b, 'now')} at ${bytes(offset, 'now', { buffers: [b], section: -1 })} `
  const held = event.list[0]
  if (held !== undefined) spans.push(...say`leaves ${buffer(held, 'why')} no address below the capacity.`)
  else {
    spans.push(
      ...say`leaves section ${section(sec)} too little: ${bytes(floor)} are taken or lie in runs that nobody fits into, `,
    )
    spans.push(...say`and ${bytes(rest, 'why')} are still to place there.`)
  }
  spans.push(...say` The placement is taken back.`)
  return told(event, { chip: 'Rejected', title, tone: 'why', glyph: 'cross', spans })
}
