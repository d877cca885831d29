/** What heuristics, skylines and restarts add: gaps too small, rows, shared objects, attempts. */
import type { EventOf } from '../../../../wasm/client/types'
import { inWords } from '../solver/arm_words'
import { armOf } from '../solver/arms'
import { buffer, bytes, count, isBuffer, say, type Teller, type Told, told } from './sentence_parts'

export function restart(t: Teller, event: EventOf<'restart'>): Told {
  const { round, arm: index, limit } = event
  const name = t.armName(index)
  const arm = armOf(name)
  const what = arm === null ? 'order' : 'arm'
  // The exact solver counts the cycles through its portfolio, from 0.
  const nth = arm === null ? say`Attempt ${count(round)}` : say`Attempt ${count(round + 1)} of this arm`
  const spans = arm === null ? [...nth, ...say` starts with order ${name}`] : [...nth, ...say`, ${name}, starts`]
  spans.push(
    ...(limit > 0 ? say` and ends after ${count(limit)} nodes if it finds nothing.` : say` and no limit of nodes.`),
  )
  if (arm !== null) spans.push(...say` ${inWords(arm)}`)
  return told(event, { chip: 'Restart', title: `${what} ${name}`, glyph: 'restart', spans })
}

export function noFit(t: Teller, event: EventOf<'no-fit'>): Told {
  const { buffer: b, offset, blocker, need, room } = event
  const spans = isBuffer(t.problem, blocker)
    ? say`The gap at ${bytes(offset, 'now')} below ${buffer(blocker, 'why')} has ${bytes(room)}.`
    : say`The gap at ${bytes(offset, 'now')} has ${bytes(room)}.`
  spans.push(...say` ${buffer(b, 'now')} needs ${bytes(need)}, ${bytes(Math.max(0, need - room), 'why')} more.`)
  return told(event, { chip: 'No fit', title: 'gap too small', tone: 'why', glyph: 'cross', spans })
}

export function advance(event: EventOf<'advance'>): Told {
  const { row, next } = event
  const spans = say`The row at ${bytes(row)} is finished: no unplaced buffer fits there any more. The next row is at ${bytes(next, 'now')}.`
  return told(event, { chip: 'Next row', title: 'skyline', glyph: 'none', spans })
}

export function newSlot(event: EventOf<'new-slot'>): Told {
  const { buffer: b, offset, slot, size } = event
  const spans = say`No shared object is free for ${buffer(b, 'now')}. Number ${count(slot + 1)}, with a size of ${bytes(size)}, is opened for it at ${bytes(offset, 'now')}.`
  return told(event, { chip: 'New object', title: 'shared objects', tone: 'now', glyph: 'place', spans })
}
