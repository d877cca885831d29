/**
 * IREE's stream.resource.pack as its IR shows it before slices are laid out (iree-compile --mlir-print-ir-before=iree-stream-layout-slices):
 *
 *     %c1016064 = arith.constant 1016064 : index
 *     %4:3 = stream.resource.pack on(#hal.device.affinity<@d>) slices({
 *       [0, 1] = %c1016064,
 *
 * Both ends of an interval are inclusive (Slice::intersects in StreamOps). Offset and length are aligned by the target, which the IR does not say.
 */
import type { Imported } from '../imported'
import { Refusal } from '../refusal'
import type { Source } from '../source'
import { bufferCsv, choose, type Row } from './buffer_rows'
import { logOf } from './sniff'

const CONSTANT = /^\s*(%[\w$.-]+) = arith\.constant (\d+) : index\b/
const PACK = /^\s*(%[\w$.-]+)(?::\d+)? = stream\.resource\.pack\b/
const SLICE = /\[\s*(\d+),\s*(\d+)\s*\]\s*=\s*(%[\w$.-]+)/g
const FUNCTION = /\b(?:util|func)\.func\b[^@]*(@[\w$.-]+)/
/** Of the lines of one operation. */
const MOST_LINES = 1 << 20

interface Pack {
  name: string
  rows: Row[]
  /** why its rows cannot be had */
  refused: Refusal | null
}

interface Slice {
  first: number
  last: number
  size: string
  line: number
}

function rowOf({ first, last, size, line }: Slice, index: number, constants: ReadonlyMap<string, number>): Row {
  const bytes = constants.get(size)
  if (bytes === undefined)
    throw new Refusal(`line ${line}: ${size} is no constant: only slices of a known size can be packed ahead.`)
  const bad = [first, last, bytes].find((number) => !Number.isSafeInteger(number))
  if (bad !== undefined) throw new Refusal(`line ${line}: ${bad} is more than can be counted exactly.`)
  if (last < first) throw new Refusal(`line ${line}: the slice ends at ${last}, before it starts at ${first}.`)
  return { id: `slice${index}`, lower: first, upper: last + 1, bytes, offset: null, from: size }
}

/** One that cannot be read takes nothing from the others. */
function packOf(name: string, slices: readonly Slice[], constants: ReadonlyMap<string, number>): Pack {
  try {
    return { name, rows: slices.map((slice, k) => rowOf(slice, k, constants)), refused: null }
  } catch (error) {
    if (error instanceof Refusal) return { name, rows: [], refused: error }
    throw error
  }
}

/** Constants are those above in the text: each function has its own of the same name. */
function packsOf(text: string): Pack[] {
  const lines = text.split(/\r?\n/)
  const constants = new Map<string, number>()
  const packs: Pack[] = []
  let inside = ''
  for (let at = 0; at < lines.length; at++) {
    const row = lines[at] ?? ''
    const named = FUNCTION.exec(row)
    if (named !== null) inside = ` in ${named[1]}`
    const constant = CONSTANT.exec(row)
    if (constant !== null) constants.set(constant[1] ?? '', Number(constant[2]))
    const head = PACK.exec(row)
    if (head === null) continue
    const slices: Slice[] = []
    for (let k = at; k < Math.min(lines.length, at + MOST_LINES); k++) {
      const body = lines[k] ?? ''
      for (const [, first, last, size = ''] of body.matchAll(SLICE))
        slices.push({ first: Number(first), last: Number(last), size, line: k + 1 })
      if (!body.includes('})')) continue
      at = k
      break
    }
    if (slices.length > 0) packs.push(packOf(`${head[1]}${inside}`, slices, constants))
  }
  return packs
}

export function readIree(source: Source, { part }: { part?: string | undefined }): Imported {
  const all = packsOf(logOf(source))
  const names = new Map<string, number>()
  const refused = all.flatMap((pack) => pack.refused ?? [])
  if (refused[0] !== undefined && refused.length === all.length) throw refused[0]
  const readable = all.filter((pack) => pack.refused === null)
  const packs = readable.map(({ name, rows }) => {
    const times = (names.get(name) ?? 0) + 1
    names.set(name, times)
    return { name: times === 1 ? name : `${name} (${times})`, rows }
  })
  packs.sort((a, b) => b.rows.length - a.rows.length)
  const found = choose(packs, part)
  if (found === null) throw new Refusal('no stream.resource.pack has slices.')
  const { name, rows } = found.chosen
  return {
    ok: true,
    format: 'iree',
    csv: bufferCsv(rows, [], 'value'),
    notes: [
      `Read: the slices of ${name}. Intervals are IREE's own, with 1 added to their inclusive ends. Offset and length are aligned by IREE's target: choose a profile, or an alignment, for that.`,
      ...refused.map(({ message }) => `Not read, another pack: ${message}`),
    ],
    parts: found.names,
    part: name,
  }
}
