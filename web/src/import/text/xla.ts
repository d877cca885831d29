/**
 * What XLA writes under --xla_dump_to: MODULE-buffer-assignment.txt (BufferAllocation::ToString, HloValue::ToShortString) and, of old releases in
 * the same file, of new ones in MODULE-live-range.txt beside it, the live ranges (HloLiveRange::ToString):
 *
 *     allocation 40: size 19923136, page 0, preallocated-temp:
 *      value: <449 conv.20 @0> (size=1048576,offset=9961472): f32[4,64,64,16]{3,2,1,0}
 *     BufferLiveRange:
 *         conv.20{}:19-95
 *
 * Ends are inclusive, but a value that is written in place begins at its operand's last time on the same bytes (docs/hlo_to_thunks.md): there the
 * operand ends before it. The two files are read as one text, in any order.
 */
import type { Imported } from '../imported'
import { Names, plainName } from '../names'
import { Refusal } from '../refusal'
import type { Source } from '../source'
import { bufferCsv, choose, peakNote, type Row, withoutTwins } from './buffer_rows'
import { logOf, XLA_ALLOCATION, XLA_PREFIX, XLA_RANGES } from './sniff'

const VALUE = /^\s*value: <(\d+) (\S+?)(\{[\d,]*\})?(?: \(phi\))? @(\d+)> \(size=(\d+),offset=(\d+)\): (.*)$/
const RANGE = /^ {4}(\S+?)(\{[\d,]*\}):(\d+)-(\d+)$/
const MOST = 1 << 20

/** A value of an allocation with its place in it. */
interface Placed {
  name: string
  bytes: number
  offset: number
  shape: string
  line: number
}

interface Allocation {
  bytes: number
  temporary: boolean
  values: Placed[]
}

interface Dump {
  allocations: Allocation[]
  /** first and last time, by the value's name with its index */
  ranges: Map<string, [number, number]>
  /** a heading of either part was there */
  assigned: boolean
  ranged: boolean
}

function exact(line: number, ...numbers: number[]): void {
  const bad = numbers.find((number) => !Number.isSafeInteger(number))
  if (bad !== undefined) throw new Refusal(`line ${line}: ${bad} is more than can be counted exactly.`)
}

function dumpOf(text: string): Dump {
  const dump: Dump = { allocations: [], ranges: new Map(), assigned: false, ranged: false }
  let values = 0
  for (const [index, row] of text.split(/\r?\n/).entries()) {
    const line = index + 1
    const head = XLA_ALLOCATION.exec(row)
    if (head !== null) {
      const bytes = Number(head[2])
      exact(line, bytes)
      dump.assigned = true
      dump.allocations.push({ bytes, temporary: / preallocated-temp\b/.test(head[3] ?? ''), values: [] })
      continue
    }
    if (/^\s*value: </.test(row)) {
      const value = VALUE.exec(row)
      const allocation = dump.allocations.at(-1)
      if (value === null || allocation === undefined)
        throw new Refusal(`line ${line}: this is no whole line of a value: ${row.trim().slice(0, 80)}`)
      const [bytes, offset] = [Number(value[5]), Number(value[6])]
      exact(line, bytes, offset)
      if (offset + bytes > allocation.bytes)
        throw new Refusal(`line ${line}: ${value[2]} reaches beyond its allocation of ${allocation.bytes} bytes.`)
      if (++values > MOST) throw new Refusal(`line ${line}: there are more than ${MOST} values.`)
      allocation.values.push({ name: `${value[2]}${value[3] ?? '{}'}`, bytes, offset, shape: value[7] ?? '', line })
      continue
    }
    if (XLA_RANGES.test(row)) dump.ranged = true
    const range = dump.ranged ? RANGE.exec(row) : null
    if (range === null) continue
    const [first, last] = [Number(range[3]), Number(range[4])]
    exact(line, first, last)
    if (last < first) throw new Refusal(`line ${line}: ${range[1]} ends at time ${last}, before it starts at ${first}.`)
    dump.ranges.set(`${range[1]}${range[2]}`, [first, last])
  }
  return dump
}

interface Timed extends Placed {
  first: number
  last: number
  /** where its allocation begins when they are stacked */
  base: number
}

/** The rows of some allocations, stacked in their order, and how many values of them have no live range. */
function rowsOf(allocations: readonly Allocation[], ranges: Dump['ranges']): { rows: Row[]; without: number } {
  const timed: Timed[] = []
  let [base, without] = [0, 0]
  for (const { bytes, values } of allocations) {
    for (const value of values) {
      const range = ranges.get(value.name)
      if (range === undefined || value.bytes === 0) without++
      else timed.push({ ...value, first: range[0], last: range[1], base })
    }
    base += bytes
  }
  const starting = new Map<number, Timed[]>()
  for (const value of timed) {
    const same = starting.get(value.first)
    if (same === undefined) starting.set(value.first, [value])
    else same.push(value)
  }
  const names = new Names()
  const rows = timed.map((value): Row => {
    const { first, last, offset, bytes, shape, line } = value
    const at = value.base + offset
    const overwritten = (starting.get(last) ?? []).some(
      (other) =>
        other !== value &&
        last > first &&
        other.base + other.offset < at + bytes &&
        at < other.base + other.offset + other.bytes,
    )
    const id = names.take(plainName(value.name.replace(/\{\}$/, '')), `line ${line}`)
    return { id, lower: first, upper: overwritten ? last : last + 1, bytes, offset: at, from: plainName(shape) }
  })
  return { rows, without }
}

const HALF =
  'XLA writes …-buffer-assignment.txt and …-live-range.txt side by side, and both are needed: drop them together, or the other one now.'

/** half: the other file of the pair is to come. */
export function readXla(source: Source, { part }: { part?: string | undefined }): Imported {
  const dump = dumpOf(logOf(source).replace(XLA_PREFIX, ''))
  if (dump.allocations.length === 0 && dump.ranges.size === 0) throw new Refusal('the dump of XLA has no allocations.')
  if (dump.allocations.length === 0)
    return { ok: false, message: `these are live ranges without allocations. ${HALF}`, questions: [], half: 'xla' }
  if (dump.ranges.size === 0)
    return { ok: false, message: `these are allocations without live ranges. ${HALF}`, questions: [], half: 'xla' }
  const temporary = dump.allocations.filter((one) => one.temporary)
  const parts = [
    { name: 'temporaries', allocations: temporary },
    { name: 'all allocations', allocations: dump.allocations },
  ].filter(({ allocations }) => allocations.some(({ values }) => values.length > 0))
  const found = choose(parts, part)
  if (found === null) throw new Refusal('no allocation of the dump holds a value.')
  const { name, allocations } = found.chosen
  const { rows, without } = rowsOf(allocations, dump.ranges)
  const own = withoutTwins(rows)
  if (own.length === 0)
    throw new Refusal('no value of the allocations has a live range: are the two files of one module?')
  const total = allocations.reduce((sum, { bytes }) => sum + bytes, 0)
  const notes = [
    `Read: ${name}, ${allocations.length} of ${dump.allocations.length} allocations of XLA, ${total.toLocaleString('en')} bytes${allocations.length > 1 ? ', stacked' : ''}. A value ends where another is written on its bytes, else after its last instruction.`,
  ]
  if (own.length < rows.length)
    notes.push(`At the bytes of another in its time, and one buffer with it: ${rows.length - own.length}.`)
  if (without > 0) notes.push(`Left out, without a live range or without bytes: ${without} values.`)
  notes.push(peakNote(own.map(({ from: _, ...row }) => row)))
  return {
    ok: true,
    format: 'xla',
    csv: bufferCsv(own, [], 'shape'),
    notes,
    parts: found.names,
    part: name,
    plan: { name: 'XLA', offsets: own.map(({ offset }) => offset), reserved: total },
  }
}
