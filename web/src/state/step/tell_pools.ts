/** What a problem of several memories adds: they are filled one after the other. */
import type { EventOf } from '../../../../wasm/client/types'
import { poolName } from '../../base/format'
import { bytes, say, type Teller, type Told, told } from './sentence_parts'

/** A pool has its plan, and the next one is begun. */
export function poolPlanned(t: Teller, event: EventOf<'pool'>): Told {
  const { pool, height, next } = event
  const name = (index: number) => {
    const one = t.problem.pools?.[index]
    return one === undefined ? String(index) : poolName(one)
  }
  const spans = say`Pool ${name(pool)} has its plan, ${bytes(height, 'ok')} high, and keeps it. The search goes on in pool ${name(next)}, where nothing is placed yet.`
  return told(event, { chip: 'Next pool', title: '', tone: 'ok', glyph: 'place', spans })
}
