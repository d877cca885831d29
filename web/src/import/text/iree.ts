/**
 * IREE's stream.resource.pack as its IR shows it before slices are laid out (iree-compile --mlir-print-ir-before=iree-stream-layout-slices):
 *
 *     %c1016064 = arith.constant 1016064 : index
 *     %4:3 = stream.resource.pack on(#hal.device.affinity<@d>) slices({
 *       [0, 1] = %c1016064,
 *
 * Of the same function after the pass, if it is there too (--mlir-print-ir-after=...), the offsets are known: line by line constants stand where
 * values of the pack stood. Both ends of an interval are inclusive (Slice::intersects in StreamOps). Offset and length are aligned by the target,
 * which the IR does not say.
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
const DUMP = /^\/\/ -----\/\/ IR Dump /
const VALUES = /%[\w$.-]+(?:#\d+)?/g

interface Slice {
  first: number
  last: number
  size: string
  line: number
}

/** A pack as it stands in the text. */
interface Found {
  value: string
  slices: Slice[]
  /** of the function's lines the first of the operation, and the first behind it */
  from: number
  to: number
  /** the line on which the text leaves off inside of it; 0: it has its end */
  cut: number
}

/** A function in one dump of the IR: its lines, how many of the text are before them, and what it packs. */
interface Body {
  name: string
  lines: string[]
  above: number
  constants: Map<string, number>
  packs: Found[]
}

interface Pack {
  name: string
  rows: Row[]
  cut: number
  offsets: (number | null)[] | null
  /** bytes of the whole by IREE's plan */
  reserved: number
  /** why its rows cannot be had */
  refused: Refusal | null
}

/** Lines from one function or dump to the next. What is outside of any stands in a body without a name. */
function bodiesOf(text: string): Body[] {
  const bodies: Body[] = []
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const named = FUNCTION.exec(line)
    if (named !== null || DUMP.test(line) || bodies.length === 0)
      bodies.push({ name: named?.[1] ?? '', lines: [], above: index, constants: new Map(), packs: [] })
    bodies.at(-1)?.lines.push(line)
  }
  for (const body of bodies) {
    for (const line of body.lines) {
      const constant = CONSTANT.exec(line)
      if (constant !== null) body.constants.set(constant[1] ?? '', Number(constant[2]))
    }
    body.packs = packsIn(body)
  }
  return bodies
}

function packsIn({ lines, above }: Body): Found[] {
  const packs: Found[] = []
  for (let at = 0; at < lines.length; at++) {
    const head = PACK.exec(lines[at] ?? '')
    if (head === null) continue
    const pack: Found = { value: head[1] ?? '', slices: [], from: at, to: lines.length, cut: 0 }
    for (let k = at; k < pack.to; k++) {
      const line = lines[k] ?? ''
      // one that begins before this one has ended: between them the text lacks lines
      if (k > at && PACK.test(line)) pack.to = k
      else
        for (const [, first, last, size = ''] of line.matchAll(SLICE))
          pack.slices.push({ first: Number(first), last: Number(last), size, line: above + k + 1 })
      if (line.includes('})')) pack.to = k + 1
    }
    const end = lines[pack.to - 1] ?? ''
    if (!end.includes('})')) {
      pack.cut = above + pack.to
      // a line that was to go on may have lost the end of its value's name
      if (pack.slices.at(-1)?.line === pack.cut && !end.trimEnd().endsWith(',')) pack.slices.pop()
    }
    packs.push(pack)
    at = pack.to - 1
  }
  return packs
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

/** What works: neither constants nor the packs themselves. */
function operationsOf({ lines, packs }: Body): string[] {
  const inside = new Set<number>()
  for (const { from, to } of packs) for (let k = from; k < to; k++) inside.add(k)
  return lines.filter((line, k) => line.trim() !== '' && !/ = arith\.constant /.test(line) && !inside.has(k))
}

/** By a pack's value: of each of its numbers the constant. null: not the same one everywhere. */
type LaidOut = Map<string, Map<number, number> | null>

/** after: the same function with constants in the places of the packs' values. Empty where it is not just that. */
function laidOut(body: Body, after: Body | undefined): LaidOut {
  const all: LaidOut = new Map()
  if (after === undefined || after.packs.length > 0) return all
  const [before, then] = [operationsOf(body), operationsOf(after)]
  if (before.length !== then.length) return all
  for (const { value } of body.packs) all.set(value, new Map())
  for (const [k, line] of before.entries()) {
    const values = line.match(VALUES) ?? []
    if (!values.some((value) => all.has(value.replace(/#\d+$/, '')))) continue
    const constants = then[k]?.match(VALUES) ?? []
    for (const [j, value] of values.entries()) {
      const [pack = '', number] = value.split('#')
      const found = all.get(pack)
      if (number === undefined || !found) continue
      const constant = after.constants.get(constants[j] ?? '')
      if (constant === undefined || (found.get(Number(number)) ?? constant) !== constant) all.set(pack, null)
      else found.set(Number(number), constant)
    }
  }
  return all
}

/** One that cannot be read takes nothing from the others. */
function packOf(body: Body, found: Found, all: LaidOut): Pack {
  const { slices, cut } = found
  const name = `${found.value}${body.name === '' ? '' : ` in ${body.name}`}`
  const pack: Pack = { name, rows: [], cut, offsets: null, reserved: 0, refused: null }
  try {
    if (slices.length === 0)
      throw new Refusal(`line ${cut}: the text ends inside of ${name}, before the first whole slice.`)
    pack.rows = slices.map((slice, k) => rowOf(slice, k, body.constants))
    const offsets = all.get(found.value)
    if (offsets && offsets.size > 1) {
      pack.offsets = slices.map((_, k) => offsets.get(k + 1) ?? null)
      pack.reserved = offsets.get(0) ?? 0
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    pack.refused = error
  }
  return pack
}

/** The packs of a text. What is shown again before it is laid out, as by --mlir-print-ir-after-all, is one. */
function packsOf(text: string): Pack[] {
  const bodies = bodiesOf(text)
  const packs = new Map<string, Pack>()
  // from the end, so that what follows a body is known: when the function was shown next
  const shown = new Map<string, Body>()
  for (const body of bodies.toReversed()) {
    const all = laidOut(body, body.packs.length > 0 ? shown.get(body.name) : undefined)
    for (const found of body.packs.toReversed()) {
      if (found.slices.length === 0 && found.cut === 0) continue
      const pack = packOf(body, found, all)
      const key = pack.refused?.message ?? JSON.stringify([pack.name, pack.rows])
      if (!packs.has(key)) packs.set(key, pack)
    }
    if (body.name !== '') shown.set(body.name, body)
  }
  return [...packs.values()].reverse()
}

export function readIree(source: Source, { part }: { part?: string | undefined }): Imported {
  const all = packsOf(logOf(source))
  const names = new Map<string, number>()
  const refused = all.flatMap((pack) => pack.refused ?? [])
  if (refused[0] !== undefined && refused.length === all.length) throw refused[0]
  const readable = all.filter((pack) => pack.refused === null)
  const packs = readable.map((pack) => {
    const times = (names.get(pack.name) ?? 0) + 1
    names.set(pack.name, times)
    return { ...pack, name: times === 1 ? pack.name : `${pack.name} (${times})` }
  })
  packs.sort((a, b) => b.rows.length - a.rows.length)
  const found = choose(packs, part)
  if (found === null) throw new Refusal('no stream.resource.pack has slices.')
  const { name, rows, offsets, reserved, cut } = found.chosen
  const plan = offsets === null ? null : { name: 'IREE', offsets, reserved }
  return {
    ok: true,
    format: 'iree',
    csv: bufferCsv(rows, [], 'value'),
    notes: [
      `Read: the slices of ${name}. Intervals are IREE's own, with 1 added to their inclusive ends. Offset and length are aligned by IREE's target: choose a profile, or an alignment, for that.`,
      ...(cut > 0 ? [`The text ends at line ${cut}, inside of this pack: slices may be missing.`] : []),
      ...refused.map(({ message }) => `Not read, another pack: ${message}`),
      ...(plan === null
        ? [
            'IREE’s own plan is read where the text also has the IR after the pass (--mlir-print-ir-after=iree-stream-layout-slices).',
          ]
        : []),
    ],
    parts: found.names,
    part: name,
    ...(plan === null ? {} : { plan }),
  }
}
