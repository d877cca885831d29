import type { Imported } from '../imported'
import { Refusal } from '../refusal'
import type { Source } from '../source'
import { bufferCsv, type Row } from './buffer_rows'
import { TFLM_LINE, textOf } from './sniff'

/** First and last time are those at which the buffer is alive; -1 is none. The picture under the lines repeats them and is passed over. */
function rowOf(numbers: readonly number[], line: number): Row | null {
  const [id = 0, bytes = 0, offset = 0, first = 0, last = 0] = numbers
  const bad = numbers.find((number) => !Number.isSafeInteger(number))
  if (bad !== undefined) throw new Refusal(`line ${line}: ${bad} is more than can be counted exactly.`)
  if (first < 0 && last < 0) return null
  if (last < first) throw new Refusal(`line ${line}: last_used=${last} is before first_used=${first}.`)
  return { id: `id${id}`, lower: first, upper: last + 1, bytes, offset: offset < 0 ? null : offset }
}

/** What TFLite Micro prints of its plan. Its sizes are rounded up to what it aligns to, 16 bytes. */
export function readTflmLog(source: Source): Imported {
  // a log can hold several plans: each counts its buffers from 0
  const plans: { rows: Row[]; unused: number; count: number }[] = []
  for (const [index, text] of textOf(source).split(/\r?\n/).entries()) {
    const numbers = TFLM_LINE.exec(text)?.slice(1).map(Number)
    if (!numbers) continue
    if (numbers[0] === 0) plans.push({ rows: [], unused: 0, count: 0 })
    const plan = plans.at(-1)
    if (!plan || numbers[0] !== plan.count)
      throw new Refusal(
        `line ${index + 1}: id=${numbers[0]}, expected ${plan?.count ?? 0}: lines of the log are missing.`,
      )
    plan.count++
    const row = rowOf(numbers, index + 1)
    if (row) plan.rows.push(row)
    else plan.unused++
  }
  const last = plans.at(-1)
  if (!last || last.rows.length === 0) throw new Refusal('the memory plan has no buffer that is used.')
  const notes = [
    'first_used and last_used are inclusive: 1 was added to the last. Sizes are as TFLite Micro rounded them up.',
  ]
  if (last.unused > 0) notes.push(`Left out, because they are never used: ${last.unused} of ${last.count} buffers.`)
  if (plans.length > 1) notes.push(`The log holds ${plans.length} memory plans; the last one was read.`)
  return {
    ok: true,
    format: 'tflm-log',
    csv: bufferCsv(last.rows),
    notes,
    plan: { name: 'TFLite Micro', offsets: last.rows.map((row) => row.offset) },
  }
}
