/**
 * The wire format of Protocol Buffers, read field by field from a Source: a long field (weights, a description) is skipped by its
 * length and never copied. A window of the source is in memory at a time. Layout: https://protobuf.dev/programming-guides/encoding.
 */
import { Refusal } from '../refusal'
import type { Source } from '../source'

const decoder = new TextDecoder()
const WINDOW = 1 << 16
/** messages within messages; a graph within a graph takes three */
const DEEPEST = 120
const LONGEST_NAME = 1 << 12
const LONGEST_VARINT = 10

/** The part of a source that is in memory. */
export class Window {
  readonly #source: Source
  readonly #progress: ((done: number) => void) | undefined
  #from = 0
  #held: Uint8Array = new Uint8Array(0)

  constructor(source: Source, progress?: (done: number) => void) {
    this.#source = source
    this.#progress = progress
  }

  get size(): number {
    return this.#source.size
  }

  /** So many bytes, fewer where the file ends before. Good until the next read. */
  bytes(from: number, length: number): Uint8Array {
    if (from < this.#from || from + length > this.#from + this.#held.length) {
      const wanted = Math.min(Math.max(WINDOW, length), this.#source.size - from)
      this.#held = this.#source.read(from, Math.max(0, wanted))
      this.#from = from
      this.#progress?.(from / this.#source.size)
    }
    return this.#held.subarray(from - this.#from, from - this.#from + length)
  }

  float(from: number): number {
    const { buffer, byteOffset } = this.bytes(from, 4)
    return new DataView(buffer, byteOffset).getFloat32(0, true)
  }
}

/** Seven bits a byte, the lowest first, as a signed number of 64 bits; beyond 2^53 it is rounded. */
function signed(bytes: Uint8Array): number {
  let low = 0
  let high = 0
  for (const [k, byte] of bytes.entries()) {
    const bits = byte & 127
    if (k < 5) low |= bits << (7 * k)
    if (k === 4) high = bits >> 4
    if (k > 4) high |= bits << (7 * k - 32)
  }
  return high * 2 ** 32 + (low >>> 0)
}

/** One message: next() goes from field to field, the other methods read the field it stands at. */
export class Message {
  /** of the field */
  number = 0
  readonly #window: Window
  readonly #to: number
  readonly #what: string
  readonly #depth: number
  #wire = 0
  /** where the field begins, where its value does, and where the next field does */
  #key: number
  #from: number
  #end: number
  #value = 0

  constructor(window: Window, from: number, to: number, what: string, depth = 0) {
    this.#window = window
    this.#key = from
    this.#from = from
    this.#end = from
    this.#to = to
    this.#what = what
    this.#depth = depth
  }

  /** bytes of the value */
  get length(): number {
    return this.#end - this.#from
  }

  /** where the value is in the file */
  get offset(): number {
    return this.#from
  }

  wrong(text: string): never {
    throw new Refusal(`byte ${this.#key}, in ${this.#what}: ${text}.`)
  }

  next(): boolean {
    if (this.#end >= this.#to) return false
    this.#key = this.#end
    const key = this.#varint()
    this.number = Math.floor(key / 8)
    this.#wire = key % 8
    if (this.number < 1 || key > 0xffffffff) this.wrong('this is no field of a message')
    this.#from = this.#end
    if (this.#wire === 0) this.#value = this.#varint()
    else if (this.#wire === 1) this.#take(8)
    else if (this.#wire === 5) this.#take(4)
    else if (this.#wire === 2) {
      const length = this.#varint()
      this.#from = this.#end
      this.#take(length)
    } else this.wrong(`field ${this.number} has wire type ${this.#wire}, which ONNX does not use`)
    return true
  }

  int(): number {
    if (this.#wire !== 0) this.wrong(`field ${this.number} should be an integer`)
    return this.#value
  }

  float(): number {
    if (this.#wire !== 5) this.wrong(`field ${this.number} should be a float`)
    return this.#window.float(this.#from)
  }

  text(): string {
    this.#bytes()
    if (this.length > LONGEST_NAME) this.wrong(`a name of ${this.length} bytes; at most ${LONGEST_NAME} are understood`)
    return decoder.decode(this.#window.bytes(this.#from, this.length))
  }

  message(what: string): Message {
    this.#bytes()
    if (this.#depth === DEEPEST) this.wrong(`messages are nested more than ${DEEPEST} deep`)
    return new Message(this.#window, this.#from, this.#end, `${this.#what} › ${what}`, this.#depth + 1)
  }

  /** Appends integers to a list, packed or single, as long as it has fewer than most of them. How many there were. */
  ints(list: number[], most: number): number {
    if (this.#wire !== 2) {
      if (list.length < most) list.push(this.int())
      return 1
    }
    // bounded by the field, not the message
    const packed = new Message(this.#window, this.#from, this.#end, this.#what)
    packed.#key = this.#key
    if (this.length > most * LONGEST_VARINT) return this.length
    let count = 0
    while (packed.#end < packed.#to) {
      const value = packed.#varint()
      if (list.length < most) list.push(value)
      count++
    }
    return count
  }

  /** As ints(), of floats. */
  floats(list: number[], most: number): number {
    if (this.#wire === 5) {
      if (list.length < most) list.push(this.float())
      return 1
    }
    this.#bytes()
    if (this.length % 4) this.wrong(`field ${this.number} has ${this.length} bytes, which are no floats`)
    const count = this.length / 4
    for (let i = 0; i < count && list.length < most; i++) list.push(this.#window.float(this.#from + 4 * i))
    return count
  }

  #bytes(): void {
    if (this.#wire !== 2) this.wrong(`field ${this.number} should have a length`)
  }

  #take(length: number): void {
    const left = this.#to - this.#end
    if (!(length >= 0 && length <= left))
      this.wrong(`field ${this.number} wants ${length} bytes, but only ${left} are left`)
    this.#end += length
  }

  /** The varint at the end of what was read, as a signed number; beyond 2^53 it is rounded. */
  #varint(): number {
    const left = Math.min(LONGEST_VARINT, this.#to - this.#end)
    const bytes = this.#window.bytes(this.#end, left)
    const length = bytes.findIndex((byte) => byte < 128) + 1
    if (length === 0)
      this.wrong(
        left < LONGEST_VARINT ? 'the file or the message ends within a number' : 'a number has more than 10 bytes',
      )
    this.#end += length
    return length === 1 ? (bytes[0] as number) : signed(bytes.subarray(0, length))
  }
}
