/**
 * Programs of ExecuTorch (.pte): the planned tensors of a method as buffers, each memory a pool, with the plan that ahead-of-time planning made.
 * A tensor is alive from the first to the last instruction that names it, inputs from the beginning and outputs to the end.
 */
import { byteSize } from '../dtypes'
import { Flat, type Table, type Tables } from '../flat'
import type { Imported } from '../imported'
import { Names, plainName } from '../names'
import { Refusal } from '../refusal'
import type { Source } from '../source'
import { bufferCsv, choose, type PoolRow, peakNote, type Row, withoutTwins } from '../text/buffer_rows'
import {
  Allocation,
  BUNDLE,
  BUNDLED_PROGRAM,
  Call,
  Called,
  CHAIN_INSTRUCTIONS,
  DELEGATE_ID,
  EXTRA_NAME,
  IDENTIFIER,
  JUMP_TO,
  Kind,
  LIST_ITEMS,
  Move,
  ONE_VALUE,
  OPERATOR_NAME,
  OPERATOR_OVERLOAD,
  Plan,
  Program,
  scalarBits,
  TensorField,
  Union,
} from './schema'

const MOST = 1 << 20
const MOST_SIDES = 64
const MOST_ARGS = 1 << 16

const identifierOf = (source: Source) => (source.size < 8 ? '' : String.fromCharCode(...source.read(4, 4)))

/** A program, or one with its test inputs. */
export function isExecutorch(source: Source): boolean {
  return /^(ET|BP)\d\d$/.test(identifierOf(source))
}

/** A program, also out of a bundle: a table that holds its bytes. */
function programIn(source: Source): Source {
  const identifier = identifierOf(source)
  if (identifier === IDENTIFIER) return source
  const program = identifier === BUNDLE ? new Flat(source).root().file(BUNDLED_PROGRAM) : null
  if (program === null)
    throw new Refusal(`this is ExecuTorch’s format “${identifier}”, of which “${IDENTIFIER}” and “${BUNDLE}” are read.`)
  if (identifierOf(program) !== IDENTIFIER) throw new Refusal(`the bundle holds no program of “${IDENTIFIER}”.`)
  return program
}

interface Planned {
  index: number
  name: string
  bytes: number
  memory: number
  offset: number
}

/** What a value stands for: tensors by their numbers, of a list all in it. */
interface Values {
  planned: Map<number, Planned>
  lists: Map<number, readonly number[]>
  tensors: number
}

interface Span {
  first: number
  last: number
  /** what names it first */
  by: string
}

function limited(tables: Tables | null, what: string): number {
  const length = tables?.length ?? 0
  if (length > MOST) throw new Refusal(`the program has more than ${MOST} ${what}.`)
  return length
}

function plannedOf(tensor: Table, index: number): Planned | null {
  const where = tensor.table(TensorField.allocation)
  if (where === null) return null
  const sides = tensor.ints(TensorField.sizes, MOST_SIDES) ?? []
  const bits = scalarBits[tensor.int8(TensorField.type)]
  const place = tensor.place()
  if (bits === undefined) throw new Refusal(`${place}: type ${tensor.int8(TensorField.type)} is not known.`)
  if (sides.some((side) => side < 0)) throw new Refusal(`${place}: a side is negative: ${sides.join(' × ')}.`)
  const bytes = byteSize(sides, bits)
  const offset = where.uint32(Allocation.high) * 2 ** 32 + where.uint32(Allocation.low)
  if (bytes === null || !Number.isSafeInteger(offset))
    throw new Refusal(`${place}: its size or its offset is more than can be counted exactly.`)
  const name = tensor.table(TensorField.extra)?.text(EXTRA_NAME, 255) ?? ''
  return { index, name, bytes, memory: where.uint32(Allocation.memory), offset }
}

function valuesOf(plan: Table): Values {
  const found: Values = { planned: new Map(), lists: new Map(), tensors: 0 }
  const values = plan.tables(Plan.values, (index) => `value ${index}`)
  for (let index = 0; index < limited(values, 'values'); index++) {
    const value = (values as Tables).table(index)
    const kind = value.int8(Union.type)
    if (kind === Kind.tensor) {
      found.tensors++
      const tensor = value.table(Union.value)
      const planned = tensor === null ? null : plannedOf(tensor, index)
      if (planned !== null) found.planned.set(index, planned)
    } else if (kind === Kind.tensorList || kind === Kind.optionalTensorList) {
      found.lists.set(index, value.table(Union.value)?.ints(LIST_ITEMS, MOST_ARGS) ?? [])
    }
  }
  return found
}

function textOf(tables: Tables | null, index: number, slots: readonly number[]): string {
  if (tables === null || index < 0 || index >= tables.length) return `number ${index}`
  const table = tables.table(index)
  return slots
    .map((slot) => table.text(slot, 255))
    .filter((text) => text !== '')
    .join('.')
}

/** What the instructions of a method say of the values that they name. */
class Reading {
  readonly spans = new Map<number, Span>()
  readonly #values: Values
  readonly #plan: Table
  readonly #operators: Tables | null
  readonly #delegates: Tables | null
  count = 0
  delegated = 0
  backwards = 0

  constructor(plan: Table, values: Values) {
    this.#plan = plan
    this.#values = values
    this.#operators = plan.tables(Plan.operators, (index) => `operator ${index}`)
    this.#delegates = plan.tables(Plan.delegates, (index) => `delegate ${index}`)
  }

  #name(value: number, time: number, by: string): void {
    const span = this.spans.get(value)
    if (span === undefined) this.spans.set(value, { first: time, last: time, by })
    else {
      span.first = Math.min(span.first, time)
      span.last = Math.max(span.last, time)
    }
  }

  #all(values: readonly number[], time: number, by: string): void {
    for (const value of values) {
      this.#name(value, time, by)
      for (const item of this.#values.lists.get(value) ?? []) this.#name(item, time, by)
    }
  }

  #instruction(instruction: Table, start: number): void {
    const kind = instruction.int8(Union.type)
    const call = instruction.table(Union.value)
    const time = this.count++
    if (call === null) return
    if (kind === Call.kernel || kind === Call.delegate) {
      const kernel = kind === Call.kernel
      if (!kernel) this.delegated++
      const by = kernel
        ? textOf(this.#operators, call.int32(Called.index), [OPERATOR_NAME, OPERATOR_OVERLOAD])
        : `delegate ${textOf(this.#delegates, call.int32(Called.index), [DELEGATE_ID])}`
      this.#all(call.ints(Called.args, MOST_ARGS) ?? [], time, plainName(by))
    } else if (kind === Call.move) this.#all([call.int32(Move.from), call.int32(Move.to)], time, 'move')
    else if (kind === Call.jump) {
      this.#all([call.int32(ONE_VALUE)], time, 'jump')
      if (start + call.int32(JUMP_TO) <= time) this.backwards++
    } else if (kind === Call.free) this.#all([call.int32(ONE_VALUE)], time, 'free')
  }

  read(): void {
    const chains = this.#plan.tables(Plan.chains, (index) => `chain ${index}`)
    for (let k = 0; k < limited(chains, 'chains'); k++) {
      const list = (chains as Tables)
        .table(k)
        .tables(CHAIN_INSTRUCTIONS, (index) => `instruction ${index} of chain ${k}`)
      const start = this.count
      for (let index = 0; index < limited(list, 'instructions'); index++) {
        this.#instruction((list as Tables).table(index), start)
        if (this.count > MOST) throw new Refusal(`the program has more than ${MOST} instructions.`)
      }
    }
    const end = Math.max(0, this.count - 1)
    this.#all(this.#plan.ints(Plan.inputs, MOST_ARGS) ?? [], 0, 'input')
    this.#all(this.#plan.ints(Plan.outputs, MOST_ARGS) ?? [], end, 'output')
  }
}

interface Method {
  name: string
  rows: Row[]
  pools: PoolRow[]
  notes: string[]
}

function methodOf(plan: Table, name: string): Method {
  const values = valuesOf(plan)
  const reading = new Reading(plan, values)
  reading.read()
  const sizes = plan.longs(Plan.sizes, MOST_ARGS) ?? []
  const memories = [...new Set([...values.planned.values()].map(({ memory }) => memory))].sort((a, b) => a - b)
  const poolOf = (memory: number) => (memories.length > 1 ? `memory ${memory}` : undefined)
  const names = new Names()
  let [unused, empty] = [0, 0]
  const rows: Row[] = []
  for (const { index, name: own, bytes, memory, offset } of values.planned.values()) {
    const span = reading.spans.get(index)
    if (span === undefined) unused++
    else if (bytes === 0) empty++
    else {
      const pool = poolOf(memory)
      const id = names.take(plainName(own), `value ${index}`)
      const row = { id, lower: span.first, upper: span.last + 1, bytes, offset, from: span.by }
      rows.push(pool === undefined ? row : { ...row, pool })
    }
  }
  const own = withoutTwins(rows)
  const notes = [`Read: the method ${name}, ${reading.count} instructions; times are theirs.`]
  const total = memories.map((memory) => `memory ${memory}: ${(sizes[memory] ?? 0).toLocaleString('en')} bytes`)
  if (total.length > 0) notes.push(`The program asks for ${total.join(', ')}.`)
  if (own.length < rows.length)
    notes.push(`At the bytes of another in its time, and one buffer with it: ${rows.length - own.length}.`)
  if (unused + empty > 0) notes.push(`Left out, planned but never named or empty: ${unused + empty}.`)
  if (reading.delegated > 0)
    notes.push(`Delegates are called ${reading.delegated} times; what they plan inside is not in the program.`)
  if (reading.backwards > 0)
    notes.push(
      `There are ${reading.backwards} jumps backwards: what lives around a loop may live longer than said here.`,
    )
  if (own.length > 0) notes.push(peakNote(own))
  const pools =
    memories.length > 1 ? memories.map((memory) => ({ name: `memory ${memory}`, capacity: sizes[memory] ?? 0 })) : []
  return { name, rows: own, pools, notes }
}

export function readExecutorch(source: Source, { part }: { part?: string | undefined }): Imported {
  const plans = new Flat(programIn(source)).root().tables(Program.plans, (index) => `method ${index}`)
  if (limited(plans, 'methods') === 0) throw new Refusal('the program has no method.')
  const names = new Names()
  const methods = Array.from({ length: (plans as Tables).length }, (_, index) => {
    const plan = (plans as Tables).table(index)
    return { plan, name: names.take(plainName(plan.text(Plan.name, 255)), `method ${index}`) }
  })
  const found = choose(methods, part)
  if (found === null) throw new Refusal('the program has no method.')
  const { name, plan } = found.chosen
  const { rows, pools, notes } = methodOf(plan, name)
  if (rows.length === 0) {
    const others = found.names.filter((one) => one !== name)
    const more = others.length > 0 ? ` Its other methods: ${others.join(', ')}.` : ''
    throw new Refusal(
      `the method ${name} has no tensor that was planned ahead: everything is inside a delegate, or memory was not planned.${more}`,
    )
  }
  return {
    ok: true,
    format: 'executorch',
    csv: bufferCsv(rows, pools, 'op'),
    notes,
    parts: found.names,
    part: name,
    plan: { name: 'ExecuTorch', offsets: rows.map(({ offset }) => offset) },
  }
}
