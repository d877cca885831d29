import { Refusal } from '../refusal'
import { fromBytes } from '../source'
import { TfliteFile } from './file'
import type { Table, Tables } from '../flat'
import { BufferField, IDENTIFIER, Metadata, Model, Operator, Subgraph, TensorField } from './schema'

/**
 * Puts a buffer under a name into a model's metadata, and leaves all else as it is.
 *
 * Offsets in a FlatBuffer only lead forward, so nothing appended could refer to what is there already. New tables therefore go before the
 * old file, which is kept whole behind them: what refers to something within it does so by distances, which stay. The head is a
 * new Model table with new lists of buffers and metadata; their items are the old ones and one new each. Only where data lie behind the
 * FlatBuffer are there positions counted from the file's beginning, and these are moved.
 *
 * If the name has a buffer of the same length already, its bytes are replaced where they are.
 */

/** Of the whole file behind the head: no data in it are aligned to more. */
const ALIGNMENT = 64

function up(position: number, alignment: number): number {
  return Math.ceil(position / alignment) * alignment
}

/** Positions in the old file of what the head refers to. */
interface Old {
  model: Table
  buffers: number[]
  metadata: number[]
}

function items(list: Tables | null): number[] {
  return Array.from({ length: list?.length ?? 0 }, (_, index) => (list as Tables).table(index).at)
}

/** Lays out the head in one pass: each piece is written where it comes to lie, and what refers forward is filled in after. */
class Head {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  #end = 8

  constructor(room: number) {
    this.#bytes = new Uint8Array(room)
    this.#view = new DataView(this.#bytes.buffer)
  }

  /** A piece that is aligned, less so many bytes before it (the length of a vector). */
  piece(bytes: number, alignment: number, before = 0): number {
    const at = up(this.#end + before, alignment) - before
    this.#end = at + bytes
    return at
  }

  refer(at: number, to: number): void {
    this.#view.setInt32(at, to - at, true)
  }

  word(at: number, value: number): void {
    this.#view.setInt32(at, value, true)
  }

  short(at: number, value: number): void {
    this.#view.setUint16(at, value, true)
  }

  data(at: number, bytes: Uint8Array): void {
    this.#bytes.set(bytes, at)
  }

  /** A table whose fields are all of four bytes, in the slots given; returns where each lies. */
  table(slots: readonly number[]): { at: number; fields: Map<number, number> } {
    const count = slots.length === 0 ? 0 : Math.max(...slots) + 1
    const vtable = this.piece(4 + 2 * count, 2)
    const at = this.piece(4 + 4 * slots.length, 4)
    this.short(vtable, 4 + 2 * count)
    this.short(vtable + 2, 4 + 4 * slots.length)
    this.word(at, at - vtable)
    const fields = new Map<number, number>()
    for (const [index, slot] of slots.entries()) {
      this.short(vtable + 4 + 2 * slot, 4 + 4 * index)
      fields.set(slot, at + 4 + 4 * index)
    }
    return { at, fields }
  }

  vector(length: number, itemBytes: number, alignment: number): number {
    const at = this.piece(4 + length * itemBytes, alignment, 4)
    this.word(at, length)
    return at
  }

  finish(root: number): Uint8Array {
    this.word(0, root)
    this.data(4, new TextEncoder().encode(IDENTIFIER))
    return this.#bytes.subarray(0, up(this.#end, ALIGNMENT))
  }
}

const SCALARS: readonly number[] = [Model.version]

function headFor(old: Old, name: string, data: Uint8Array, replaces: number): Uint8Array {
  const text = new TextEncoder().encode(name)
  const buffers = replaces < 0 ? [...old.buffers, -1] : old.buffers.map((at, index) => (index === replaces ? -1 : at))
  const metadata = replaces < 0 ? [...old.metadata, -1] : old.metadata
  const room = 1024 + 4 * (buffers.length + metadata.length) + text.length + data.length
  const head = new Head(up(room, ALIGNMENT))

  const known = Array.from({ length: Model.count }, (_, slot) => slot)
  const slots = known.filter(
    (slot) => slot === Model.buffers || slot === Model.metadata || old.model.field(slot, 4) > 0,
  )
  const model = head.table(slots)
  const bufferList = head.vector(buffers.length, 4, 4)
  const metadataList = head.vector(metadata.length, 4, 4)
  const buffer = head.table([BufferField.data])
  const dataVector = head.vector(data.length, 1, 16)
  head.data(dataVector + 4, data)
  head.refer(buffer.fields.get(BufferField.data) ?? 0, dataVector)
  const entry = head.table([Metadata.name, Metadata.buffer])
  const textVector = head.vector(text.length + 1, 1, 4)
  head.word(textVector, text.length)
  head.data(textVector + 4, text)
  head.refer(entry.fields.get(Metadata.name) ?? 0, textVector)
  head.word(entry.fields.get(Metadata.buffer) ?? 0, buffers.length - 1)

  const head0 = head.finish(model.at)
  const moved = (at: number) => head0.length + at
  for (const [slot, field] of model.fields) {
    if (slot === Model.buffers) head.refer(field, bufferList)
    else if (slot === Model.metadata) head.refer(field, metadataList)
    else if (SCALARS.includes(slot)) head.word(field, old.model.int32(slot))
    else head.refer(field, moved(old.model.reference(slot) ?? 0))
  }
  for (const [index, at] of buffers.entries()) head.refer(bufferList + 4 + 4 * index, at < 0 ? buffer.at : moved(at))
  for (const [index, at] of metadata.entries()) head.refer(metadataList + 4 + 4 * index, at < 0 ? entry.at : moved(at))
  return head0
}

/** Positions in the file of numbers that count from its beginning: data behind the FlatBuffer. They are valid above 1. */
function absolutePositions(file: TfliteFile): number[] {
  const found: number[] = []
  const look = (table: Table, slot: number) => {
    const field = table.field(slot, 8)
    if (field > 0 && table.uint64(slot) > 1) found.push(table.at + field)
  }
  for (let index = 0; index < file.bufferCount; index++) {
    const buffer = file.buffer(index)
    if (buffer) look(buffer, BufferField.offset)
  }
  const subgraphs = file.subgraphTables()
  for (let index = 0; index < subgraphs.length; index++) {
    const ops = subgraphs.table(index).tables(Subgraph.operators, (op) => `subgraph ${index}, operator ${op}`)
    for (let op = 0; op < (ops?.length ?? 0); op++) look((ops as Tables).table(op), Operator.largeCustomOptionsOffset)
  }
  // two operators may be one table
  return [...new Set(found)]
}

/** Whether a tensor, other metadata or the old list of metadata have the buffer too, or another buffer its bytes. */
function isShared(file: TfliteFile, buffer: number): boolean {
  const bytes = file.buffer(buffer)?.reference(BufferField.data)
  for (let index = 0; index < file.bufferCount; index++)
    if (index !== buffer && file.buffer(index)?.reference(BufferField.data) === bytes && bytes) return true
  const metadata = file.metadata().filter((entry) => entry.buffer === buffer)
  if (metadata.length > 1 || file.model.ints(Model.metadataBuffer, 1 << 20)?.includes(buffer)) return true
  const subgraphs = file.subgraphTables()
  for (let index = 0; index < subgraphs.length; index++) {
    const tensors = subgraphs.table(index).tables(Subgraph.tensors, (tensor) => `subgraph ${index}, tensor ${tensor}`)
    for (let tensor = 0; tensor < (tensors?.length ?? 0); tensor++)
      if ((tensors as Tables).table(tensor).uint32(TensorField.buffer) === buffer) return true
  }
  return false
}

function refuseNewer(model: Table): void {
  for (let slot = Model.count; slot < model.slots; slot++)
    if (model.field(slot, 1) > 0)
      throw new Refusal(`the model has field ${slot}, which is newer than what is known here: it would be lost.`)
}

/**
 * A copy of a model of one subgraph with its operators in another order, which the caller knows to be a schedule; order: by place, the operator that
 * runs there. What an operator consists of stays where it is. Throws Refusal if the model is none, or cannot be told so.
 */
export function withOrder(model: Uint8Array, order: ArrayLike<number>): Uint8Array<ArrayBuffer> {
  const subgraphs = new TfliteFile(fromBytes(model)).subgraphTables()
  if (subgraphs.length !== 1)
    throw new Refusal(`the model has ${subgraphs.length} subgraphs, whose operators are not one list.`)
  const list = subgraphs.table(0).tables(Subgraph.operators, (op) => `operator ${op}`)
  const tables = items(list)
  if (list === null || tables.length !== order.length)
    throw new Refusal(`the model has ${tables.length} operators, and the plan has ${order.length}.`)
  const copy = model.slice()
  const view = new DataView(copy.buffer)
  for (let place = 0; place < order.length; place++) {
    const [field, to] = [list.at + 4 + 4 * place, tables[order[place] as number] as number]
    if (to <= field) throw new Refusal('operators lie before their list, which cannot be put in another order.')
    view.setUint32(field, to - field, true)
  }
  return copy
}

/** Throws Refusal if the model is none, or has parts that cannot be carried over. */
export function withBuffer(model: Uint8Array, name: string, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const file = new TfliteFile(fromBytes(model))
  const entries = file.metadata()
  const entry = entries.findLast((one) => one.name === name)
  const own = entry && !isShared(file, entry.buffer) ? entry.buffer : -1
  const buffer = own < 0 ? null : file.buffer(own)
  if (buffer && buffer.vectorBytes(BufferField.data) === data.length) {
    const copy = model.slice()
    copy.set(data, (buffer.reference(BufferField.data) ?? 0) + 4)
    return copy
  }
  refuseNewer(file.model)
  const metadata = items(file.model.tables(Model.metadata, (index) => `metadata ${index}`))
  const old: Old = {
    model: file.model,
    buffers: items(file.model.tables(Model.buffers, (index) => `buffer ${index}`)),
    // an entry whose buffer is also something else's is left out, and one with a buffer of its own takes its place
    metadata: buffer ? metadata : metadata.filter((_, index) => entries[index]?.name !== name),
  }
  const head = headFor(old, name, data, buffer ? own : -1)
  const whole = new Uint8Array(head.length + model.length)
  whole.set(head)
  whole.set(model, head.length)
  const view = new DataView(whole.buffer)
  for (const at of absolutePositions(file)) {
    const position = view.getBigUint64(head.length + at, true)
    view.setBigUint64(head.length + at, position + BigInt(head.length), true)
  }
  return whole
}
