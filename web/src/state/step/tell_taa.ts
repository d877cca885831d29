/** What the tile-aware solvers add: tensors that move up past each other's live tiles. */
import type { EventOf } from '../../../../wasm/client/types'
import { buffer, bytes, count, say, section, type Teller, type Told, told } from './sentence_parts'

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

/** All tensors are placed anew, in another order. */
export function reordered(t: Teller, event: EventOf<'restart'>): Told {
  const name = t.armName(event.arm)
  const spans = say`The plan of the order before is kept if it is the lowest so far. All tensors are placed anew, ${name}: order ${count(event.round)}.`
  return told(event, { chip: 'Next order', title: name, glyph: 'restart', spans })
}
