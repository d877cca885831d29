import type { Imported } from '../imported'
import { Refusal } from '../refusal'
import type { Source } from '../source'
import { bufferCsv, type Row } from './buffer_rows'
import { logOf } from './sniff'
import { plansIn } from './tflm_plan_lines'

/** What TFLite Micro prints of its plan; the picture under the lines repeats them and is passed over. Its sizes are rounded up to what it aligns to, 16 bytes. */
export function readTflmLog(source: Source): Imported {
  const plans = plansIn(logOf(source))
  const all = plans.at(-1) ?? []
  const used = all.flatMap(({ bytes, offset, first, last }, id): Row[] =>
    first < 0 && last < 0
      ? []
      : [{ id: `id${id}`, lower: first, upper: last + 1, bytes, offset: offset < 0 ? null : offset }],
  )
  if (used.length === 0) throw new Refusal('the memory plan has no buffer that is used.')
  const unused = all.length - used.length
  const notes = [
    'first_used and last_used are inclusive: 1 was added to the last. Sizes are as TFLite Micro rounded them up.',
  ]
  if (unused > 0) notes.push(`Left out, because they are never used: ${unused} of ${all.length} buffers.`)
  if (plans.length > 1) notes.push(`The log holds ${plans.length} memory plans; the last one was read.`)
  return {
    ok: true,
    format: 'tflm-log',
    csv: bufferCsv(used),
    notes,
    plan: { name: 'TFLite Micro', offsets: used.map((row) => row.offset) },
  }
}
