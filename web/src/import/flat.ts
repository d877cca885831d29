import { Refusal } from './refusal'
import { fromPart, type Source } from './source'

/**
 * FlatBuffers out of a Source, table by table. Every position, length and offset is compared with the file before it is followed, so that
 * a damaged or hostile file ends in a Refusal that names the place. Layout: https://flatbuffers.dev/internals.
 *
 * Nothing in the format keeps a small file from naming one table a million times. What may be read in all is therefore limited: several
 * times what a file can hold if every byte of it is reached once.
 */
const READ_AGAIN = 8
const READ_AT_LEAST = 1 << 24
const READ_AT_MOST = 2 ** 29

/** Where a table stands in the model, for messages. Made into text only if there is one. */
export type Place = () => string

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Bytes of the file that were found to be in it. */
class Span {
  readonly length: number
  readonly #view: DataView
  readonly #start: number

  constructor(view: DataView, start: number, length: number) {
    this.#view = view
    this.#start = start
    this.length = length
  }

  int8(at: number): number {
    return this.#view.getInt8(this.#start + at)
  }
  uint16(at: number): number {
    return this.#view.getUint16(this.#start + at, true)
  }
  int32(at: number): number {
    return this.#view.getInt32(this.#start + at, true)
  }
  uint32(at: number): number {
    return this.#view.getUint32(this.#start + at, true)
  }
  uint64(at: number): number {
    return Number(this.#view.getBigUint64(this.#start + at, true))
  }
  text(): string {
    const { buffer, byteOffset } = this.#view
    return decoder.decode(new Uint8Array(buffer, byteOffset + this.#start, this.length))
  }
}

const decoder = new TextDecoder()
/** A model has a few hundred thousand tables, and a view for each would take longer than reading them. */
const WINDOW = 1 << 18
const WINDOWS = 64

export class Flat {
  readonly source: Source
  readonly #windows = new Map<number, DataView>()
  #budget: number

  constructor(source: Source) {
    this.source = source
    this.#budget = Math.min(READ_AT_MOST, READ_AT_LEAST + READ_AGAIN * source.size)
  }

  /** what: the thing that lies there, for the message. */
  span(from: number, length: number, place: Place, what: string): Span {
    if (from < 0 || length < 0 || from + length > this.source.size) {
      const end = from + length
      throw new Refusal(
        `${place()}: ${what} would be at bytes ${from} to ${end} of a file of ${this.source.size}: the file is cut off or damaged.`,
      )
    }
    this.#budget -= length
    if (this.#budget < 0) throw new Refusal(`${place()}: the same parts of the file are named too often.`)
    const index = Math.floor(from / WINDOW)
    const start = from - index * WINDOW
    if (start + length > WINDOW) return new Span(viewOf(this.source.read(from, length)), 0, length)
    return new Span(this.#windows.get(index) ?? this.#window(index), start, length)
  }

  #window(index: number): DataView {
    const from = index * WINDOW
    const made = viewOf(this.source.read(from, Math.min(WINDOW, this.source.size - from)))
    if (this.#windows.size >= WINDOWS) this.#windows.clear()
    this.#windows.set(index, made)
    return made
  }

  /** The table that the offset stored at a position leads to. Offsets are counted from where they are stored. */
  follow(at: number, place: Place): number {
    const offset = this.span(at, 4, place, 'an offset').uint32(0)
    if (offset === 0) throw new Refusal(`${place()}: the offset at byte ${at} leads nowhere.`)
    return at + offset
  }

  root(): Table {
    const place = () => 'model'
    return new Table(this, this.follow(0, place), place)
  }
}

/** A vector of tables. */
export class Tables {
  readonly length: number
  readonly at: number
  readonly #flat: Flat
  readonly #name: (index: number) => string

  /** at: of its length. */
  constructor(flat: Flat, at: number, place: Place, name: (index: number) => string) {
    this.#flat = flat
    this.#name = name
    this.at = at
    this.length = vectorLength(flat, at, 4, place)
  }

  table(index: number): Table {
    const place = () => this.#name(index)
    return new Table(this.#flat, this.#flat.follow(this.at + 4 + 4 * index, place), place)
  }
}

function vectorLength(flat: Flat, at: number, itemBytes: number, place: Place): number {
  const length = flat.span(at, 4, place, 'a vector').uint32(0)
  if (at + 4 + length * itemBytes > flat.source.size)
    throw new Refusal(
      `${place()}: a vector of ${length} items at byte ${at} reaches past the end of the file: it is cut off or damaged.`,
    )
  return length
}

/** One table. A slot is a field's number in the schema; what a file leaves out has its default. */
export class Table {
  readonly at: number
  readonly place: Place
  readonly #flat: Flat
  readonly #vtable: Span
  readonly #object: Span

  constructor(flat: Flat, at: number, place: Place) {
    this.#flat = flat
    this.at = at
    this.place = place
    const vtable = at - flat.span(at, 4, place, 'a table').int32(0)
    const head = flat.span(vtable, 4, place, 'the description of a table')
    const vtableBytes = head.uint16(0)
    const objectBytes = head.uint16(2)
    if (vtableBytes < 4 || vtableBytes % 2 !== 0 || objectBytes < 4)
      throw new Refusal(`${place()}: the description at byte ${vtable} is none of a table: the file is damaged.`)
    this.#vtable = flat.span(vtable, vtableBytes, place, 'the description of a table')
    this.#object = flat.span(at, objectBytes, place, 'a table')
  }

  get slots(): number {
    return (this.#vtable.length - 4) / 2
  }

  /** Where the field lies in the table, 0 if it is left out. */
  field(slot: number, bytes: number): number {
    if (slot >= this.slots) return 0
    const offset = this.#vtable.uint16(4 + 2 * slot)
    if (offset !== 0 && (offset < 4 || offset + bytes > this.#object.length))
      throw new Refusal(`${this.place()}: field ${slot} lies outside of its table at byte ${this.at}.`)
    return offset
  }

  int8(slot: number): number {
    const at = this.field(slot, 1)
    return at ? this.#object.int8(at) : 0
  }

  int32(slot: number): number {
    const at = this.field(slot, 4)
    return at ? this.#object.int32(at) : 0
  }

  uint32(slot: number): number {
    return this.int32(slot) >>> 0
  }

  /** As a number, which is exact below 2^53: no file is longer. */
  uint64(slot: number): number {
    const at = this.field(slot, 8)
    return at ? this.#object.uint64(at) : 0
  }

  /** Where what the field refers to begins, null if it is left out. */
  reference(slot: number): number | null {
    const at = this.field(slot, 4)
    return at ? this.#flat.follow(this.at + at, this.place) : null
  }

  table(slot: number): Table | null {
    const at = this.reference(slot)
    return at === null ? null : new Table(this.#flat, at, this.place)
  }

  tables(slot: number, name: (index: number) => string): Tables | null {
    const at = this.reference(slot)
    return at === null ? null : new Tables(this.#flat, at, this.place, name)
  }

  /** At most so many bytes of it; what is no UTF-8 becomes U+FFFD. */
  text(slot: number, most = 4096): string {
    const at = this.reference(slot)
    if (at === null) return ''
    const length = vectorLength(this.#flat, at, 1, this.place)
    return this.#flat.span(at + 4, Math.min(length, most), this.place, 'a text').text()
  }

  /** Items of a vector of bytes. */
  vectorBytes(slot: number): number {
    const at = this.reference(slot)
    return at === null ? 0 : vectorLength(this.#flat, at, 1, this.place)
  }

  /** A vector of bytes as a file of its own, null if it is left out. */
  file(slot: number): Source | null {
    const at = this.reference(slot)
    return at === null ? null : fromPart(this.#flat.source, at + 4, vectorLength(this.#flat, at, 1, this.place))
  }

  /** null if it is left out. Refuses more than most. */
  ints(slot: number, most: number): number[] | null {
    const at = this.reference(slot)
    if (at === null) return null
    const length = vectorLength(this.#flat, at, 4, this.place)
    if (length > most)
      throw new Refusal(`${this.place()}: a list of ${length} numbers where at most ${most} make sense.`)
    const items = this.#flat.span(at + 4, 4 * length, this.place, 'a vector')
    return Array.from({ length }, (_, index) => items.int32(4 * index))
  }

  /** Of numbers of 64 bits, exact below 2^53. null if it is left out. Refuses more than most. */
  longs(slot: number, most: number): number[] | null {
    const at = this.reference(slot)
    if (at === null) return null
    const length = vectorLength(this.#flat, at, 8, this.place)
    if (length > most)
      throw new Refusal(`${this.place()}: a list of ${length} numbers where at most ${most} make sense.`)
    const items = this.#flat.span(at + 4, 8 * length, this.place, 'a vector')
    return Array.from({ length }, (_, index) => items.uint64(8 * index))
  }
}
