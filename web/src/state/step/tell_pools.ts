/** What a problem of several memories adds: they are filled one after the other. */
import type { EventOf } from '../../../../wasm/client/types'
import { bytes, count, say, type Told, told } from './sentence_parts'

/** A pool has its plan, and the next one is begun. */
export function poolPlanned(event: EventOf<'pool'>): Told {
  const { pool, height, next } = event
  const spans = say`Pool ${count(pool)} has its plan, ${bytes(height, 'ok')} high, and keeps it. The search goes on in pool ${count(next)}, where nothing is placed yet.`
  return told(event, { chip: 'Next pool', title: '', tone: 'ok', glyph: 'place', spans })
}
