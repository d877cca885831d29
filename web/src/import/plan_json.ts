/** A plan that the page wrote as JSON (export/plan_json.ts), as the problem that it was made for with the plan beside it. */
import type { ImportedBuffers } from './imported'
import { count, list, object, parse, text } from './json_fields'
import { Refusal } from './refusal'
import type { Source } from './source'
import { bufferCsv, type Row } from './text/buffer_rows'
import { head, looksLikeJson } from './text/sniff'

const VERSION = 1
const EARLIEST = -Number.MAX_SAFE_INTEGER

export const isPlanJson = (source: Source): boolean =>
  looksLikeJson(source) && /^\s*\{\s*"format"\s*:\s*"arenascope-plan"/.test(head(source))

function rowOf(value: unknown, place: string): Row {
  const fields = object(value, place)
  const { pool = '' } = fields
  return {
    id: text(fields.id, `${place}.id`),
    lower: count(fields.lower, `${place}.lower`, EARLIEST),
    upper: count(fields.upper, `${place}.upper`, EARLIEST),
    bytes: count(fields.size, `${place}.size`, 0),
    alignment: count(fields.alignment, `${place}.alignment`, 1),
    offset: count(fields.offset, `${place}.offset`, 0),
    // the main one has no name
    pool: pool === '' ? '' : text(pool, `${place}.pool`),
  }
}

/** Throws Refusal. */
export function readPlanJson(source: Source): ImportedBuffers {
  const whole = object(parse(source), 'the file')
  if (whole.version !== VERSION) throw new Refusal('this plan was written by another version of Arenascope.')
  const rows = list(whole.buffers, 'buffers').map((row, k) => rowOf(row, `buffers[${k}]`))
  const pools = [...new Set(rows.map(({ pool = '' }) => pool))].filter((name) => name !== '')
  const run = whole.run === null ? null : object(whole.run, 'run')
  return {
    ok: true,
    format: 'plan-json',
    csv: bufferCsv(
      rows,
      pools.map((name) => ({ name, capacity: 0 })),
    ),
    notes: ['A plan as JSON has no gaps, banks or shapes of buffers, and no capacities of pools: CSV keeps them.'],
    plan: { name: run === null ? '' : text(run.solver, 'run.solver'), offsets: rows.map(({ offset }) => offset) },
    ...(run === null ? {} : { capacity: count(run.capacity, 'run.capacity', 0) }),
  }
}
