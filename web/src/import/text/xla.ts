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
 * operand ends before it. The two files are read as one text, in any order, also those of several modules: neither says of which it is, so live
 * ranges belong to the allocations whose values they name.
 */
import type { Imported } from '../imported'
import { Names, plainName } from '../names'
import { Refusal } from '../refusal'
import type { Source } from '../source'
import { bufferCsv, choose, peakNote, type Row, withoutTwins } from './buffer_rows'
import { isXlaDump, logOf, XLA_ALLOCATION, XLA_PREFIX, XLA_RANGES } from './sniff'
import { shortened } from '../../base/format'

const VALUE = /^\s*value: <(\d+) (\S+?)(\{[\d,]*\})?(?: \(phi\))? @(\d+)> \(size=(\d+),offset=(\d+)\): (.*)$/
const RANGE = /^ {4}(\S+?)(\{[\d,]*\}):(\d+)-(\d+)$/
const MOST = 1 << 20
const MOST_MODULES = 256
/** Values of a module that are looked for among live ranges. */
const MOST_COMPARED = 1024

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

/** First and last time, by the value's name with its index. */
type Ranges = Map<string, [number, number]>

/** The allocations and the live ranges of each module, in the order of the text. */
interface Dump {
  assignments: Allocation[][]
  ranges: Ranges[]
}

function exact(line: number, ...numbers: number[]): void {
  const bad = numbers.find((number) => !Number.isSafeInteger(number))
  if (bad !== undefined) throw new Refusal(`line ${line}: ${bad} is more than can be counted exactly.`)
}

function placedOf(row: string, line: number, allocation: Allocation | undefined): Placed {
  const value = VALUE.exec(row)
  if (value === null || allocation === undefined)
    throw new Refusal(`line ${line}: this is no whole line of a value: ${shortened(row.trim(), 80)}`)
  const [bytes, offset] = [Number(value[5]), Number(value[6])]
  exact(line, bytes, offset)
  if (offset + bytes > allocation.bytes)
    throw new Refusal(`line ${line}: ${value[2]} reaches beyond its allocation of ${allocation.bytes} bytes.`)
  return { name: `${value[2]}${value[3] ?? '{}'}`, bytes, offset, shape: value[7] ?? '', line }
}

function dumpOf(text: string): Dump {
  const dump: Dump = { assignments: [], ranges: [] }
  let [values, last] = [0, -1]
  for (const [index, row] of text.split(/\r?\n/).entries()) {
    const line = index + 1
    const head = XLA_ALLOCATION.exec(row)
    if (head !== null) {
      const [number, bytes] = [Number(head[1]), Number(head[2])]
      exact(line, bytes)
      // those of a module are counted through
      if (number <= last || last < 0) dump.assignments.push([])
      last = number
      dump.assignments.at(-1)?.push({ bytes, temporary: / preallocated-temp\b/.test(head[3] ?? ''), values: [] })
    } else if (/^\s*value: </.test(row)) {
      const allocation = dump.assignments.at(-1)?.at(-1)
      const value = placedOf(row, line, allocation)
      if (++values > MOST) throw new Refusal(`line ${line}: there are more than ${MOST} values.`)
      allocation?.values.push(value)
    } else if (XLA_RANGES.test(row)) dump.ranges.push(new Map())
    else {
      const range = dump.ranges.length > 0 ? RANGE.exec(row) : null
      if (range === null) continue
      const [first, end] = [Number(range[3]), Number(range[4])]
      exact(line, first, end)
      if (end < first) throw new Refusal(`line ${line}: ${range[1]} ends at time ${end}, before it starts at ${first}.`)
      dump.ranges.at(-1)?.set(`${range[1]}${range[2]}`, [first, end])
    }
  }
  if (Math.max(dump.assignments.length, dump.ranges.length) > MOST_MODULES)
    throw new Refusal(`the text holds more than ${MOST_MODULES} modules: drop the two files of one.`)
  return dump
}

/** A module of which both are there. */
interface Module {
  allocations: Allocation[]
  ranges: Ranges
}

/** Live ranges are of the module of which they name the most values, of several the first. */
function modulesOf({ assignments, ranges }: Dump): Module[] {
  const free = new Set(ranges)
  return assignments.flatMap((allocations) => {
    const names = allocations.flatMap(({ values }) => values.map(({ name }) => name)).slice(0, MOST_COMPARED)
    let best: Ranges | null = null
    let most = 0
    for (const one of free) {
      const named = names.reduce((sum, name) => sum + (one.has(name) ? 1 : 0), 0)
      if (named > most) [best, most] = [one, named]
    }
    if (best === null) return []
    free.delete(best)
    return [{ allocations, ranges: best }]
  })
}

interface Timed extends Placed {
  first: number
  last: number
  /** where its allocation begins when they are stacked */
  base: number
}

/** The rows of some allocations, stacked in their order, and how many values of them have no live range. */
function rowsOf(allocations: readonly Allocation[], ranges: Ranges): { rows: Row[]; without: number } {
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

interface Part {
  name: string
  of: Module
  allocations: Allocation[]
}

const isHeld = ({ values }: Allocation) => values.length > 0

/** Of several modules the one with the largest temporaries comes first. */
function partsOf(modules: readonly Module[]): Part[] {
  const bytesOf = (all: readonly Allocation[]) => all.reduce((sum, { bytes }) => sum + bytes, 0)
  const temporaries = ({ allocations }: Module) => allocations.filter(({ temporary }) => temporary)
  const numbered = modules.map((of, k) => ({
    of,
    own: temporaries(of),
    before: modules.length > 1 ? `module ${k + 1}, ` : '',
  }))
  numbered.sort((a, b) => bytesOf(b.own) - bytesOf(a.own))
  const named = (of: Module, allocations: Allocation[], name: string): Part => ({
    name: modules.length > 1 ? `${name} (${bytesOf(allocations).toLocaleString('en')} bytes)` : name,
    of,
    allocations,
  })
  return numbered
    .flatMap(({ of, own, before }) => [
      named(of, own, `${before}temporaries`),
      named(of, of.allocations, `${before}all allocations`),
    ])
    .filter(({ allocations }) => allocations.some(isHeld))
}

/** half: the other file of the pair is to come. */
export function readXla(source: Source, { part }: { part?: string | undefined }): Imported {
  if (!isXlaDump(source))
    throw new Refusal(`this is another file of XLA’s dump, without lifetimes or without addresses. ${HALF}`)
  const dump = dumpOf(logOf(source).replace(XLA_PREFIX, ''))
  const half = (what: string): Imported => ({
    ok: false,
    message: `these are ${what}. ${HALF}`,
    questions: [],
    half: 'xla',
  })
  const isRanged = dump.ranges.some(({ size }) => size > 0)
  if (dump.assignments.length === 0 && !isRanged) throw new Refusal('the dump of XLA has no allocations.')
  if (dump.assignments.length === 0) return half('live ranges without allocations')
  if (!isRanged) return half('allocations without live ranges')
  const modules = modulesOf(dump)
  const found = choose(partsOf(modules), part)
  if (found === null) {
    if (!dump.assignments.flat().some(isHeld)) throw new Refusal('no allocation of the dump holds a value.')
    throw new Refusal('no value of the allocations has a live range: are the two files of one module?')
  }
  const { name, of, allocations } = found.chosen
  const { rows, without } = rowsOf(allocations, of.ranges)
  const own = withoutTwins(rows)
  if (own.length === 0) throw new Refusal(`no value of ${name} has both bytes and a live range.`)
  const total = allocations.reduce((sum, { bytes }) => sum + bytes, 0)
  const notes = [
    `Read: ${name}, ${allocations.length} of ${of.allocations.length} allocations of XLA, ${total.toLocaleString('en')} bytes${allocations.length > 1 ? ', stacked' : ''}. A value ends where another is written on its bytes, else after its last instruction.`,
  ]
  const alone = dump.assignments.length - modules.length
  if (alone > 0) notes.push(`Not read, of other modules: ${alone} assignments without live ranges.`)
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
