/**
 * Python's pickles of plain data: dictionaries, lists, tuples, sets, numbers, texts, and bytes, which become null. What would name a class or call a
 * function is refused, so that a file can do no more than hold data. The opcodes are those of protocols 0 to 5 (Python's Lib/pickletools.py). Reading takes time and memory
 * proportional to the file: a value that is named again is the same value, not a copy.
 */
import { Refusal } from '../refusal'

export type Value = null | boolean | number | string | Value[] | Map<Value, Value>

const MARK = Symbol('mark')
type Slot = Value | typeof MARK

/** What code could run through, and what plain data has no need of: by opcode, for the message. */
const OTHERS: Readonly<Record<number, string>> = {
  80: 'PERSID',
  81: 'BINPERSID',
  82: 'REDUCE',
  98: 'BUILD',
  99: 'GLOBAL',
  105: 'INST',
  111: 'OBJ',
  129: 'NEWOBJ',
  130: 'EXT1',
  146: 'NEWOBJ_EX',
  147: 'STACK_GLOBAL',
}

const decoder = new TextDecoder()
const latin = new TextDecoder('latin1')

class Machine {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #stack: Slot[] = []
  readonly #memo: Value[] = []
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  run(): Value {
    for (;;) {
      const from = this.#at
      const code = this.#byte()
      if (code === 0x2e) return this.#pop()
      const act = ACTS[code]
      if (act === undefined) {
        const name = OTHERS[code] ?? 'unknown'
        throw new Refusal(
          `byte ${from}: opcode 0x${code.toString(16)} (${name}) is none of plain data, and only plain data is read: nothing of a pickle is ever run.`,
        )
      }
      act(this)
    }
  }

  #need(length: number): number {
    const at = this.#at
    if (at + length > this.#bytes.length) throw new Refusal(`byte ${at}: the pickle is cut off.`)
    this.#at = at + length
    return at
  }
  #byte(): number {
    return this.#view.getUint8(this.#need(1))
  }
  #damaged(what: string): Refusal {
    return new Refusal(`byte ${this.#at - 1}: ${what}: the pickle is damaged.`)
  }

  #pop(): Value {
    const value = this.#stack.pop()
    if (value === undefined || value === MARK) throw this.#damaged('a value is missing')
    return value
  }
  #top(): Value {
    const value = this.#stack.at(-1)
    if (value === undefined || value === MARK) throw this.#damaged('a value is missing')
    return value
  }
  /** What was pushed since the last mark. */
  #marked(): Value[] {
    const mark = this.#stack.lastIndexOf(MARK)
    if (mark < 0) throw this.#damaged('a mark is missing')
    const values = this.#stack.splice(mark + 1) as Value[]
    this.#stack.pop()
    return values
  }

  push(value: Slot): void {
    this.#stack.push(value)
  }
  mark(): void {
    this.#stack.push(MARK)
  }
  drop(): void {
    this.#pop()
  }
  tuple(length: number): void {
    const values: Value[] = []
    for (let k = 0; k < length; k++) values.unshift(this.#pop())
    this.push(values)
  }
  markedTuple(): void {
    this.push(this.#marked())
  }
  append(values: readonly Value[]): void {
    const list = this.#top()
    if (!Array.isArray(list)) throw this.#damaged('items are for a list that is none')
    for (const value of values) list.push(value)
  }
  /** Keys and values in turn, since the last mark. */
  markedDict(): void {
    const pairs = this.#marked()
    this.push(new Map())
    this.set(pairs)
  }
  again(): void {
    this.push(this.#top())
  }
  appendOne(): void {
    this.append([this.#pop()])
  }
  appendMarked(): void {
    this.append(this.#marked())
  }
  set(pairs: readonly Value[]): void {
    const map = this.#top()
    if (!(map instanceof Map) || pairs.length % 2 !== 0) throw this.#damaged('items are for a dictionary that is none')
    for (let k = 0; k < pairs.length; k += 2) map.set(pairs[k] as Value, pairs[k + 1] as Value)
  }
  setOne(): void {
    const value = this.#pop()
    this.set([this.#pop(), value])
  }
  setMarked(): void {
    this.set(this.#marked())
  }
  get(index: number): void {
    const value = this.#memo[index]
    if (value === undefined) throw this.#damaged(`nothing was kept under ${index}`)
    this.push(value)
  }
  keep(index = this.#memo.length): void {
    // what a file keeps it counts through: another number would make a list of holes
    if (index > this.#memo.length) throw this.#damaged(`${index} is kept before ${this.#memo.length}`)
    this.#memo[index] = this.#top()
  }
  skip(length: number): void {
    this.#need(length)
  }

  uint(bytes: 1 | 2 | 4): number {
    const at = this.#need(bytes)
    return bytes === 1
      ? this.#view.getUint8(at)
      : bytes === 2
        ? this.#view.getUint16(at, true)
        : this.#view.getUint32(at, true)
  }
  int32(): number {
    return this.#view.getInt32(this.#need(4), true)
  }
  float64(): number {
    return this.#view.getFloat64(this.#need(8), false)
  }
  /** Little-endian, with a sign. Beyond 2^53 not exact, which who uses it has to look at. */
  long(length: number): number {
    if (length > 32) throw this.#damaged(`a number of ${length} bytes`)
    const at = this.#need(length)
    let value = 0n
    for (let k = length - 1; k >= 0; k--) value = (value << 8n) | BigInt(this.#view.getUint8(at + k))
    return Number(BigInt.asIntN(8 * length, value))
  }
  text(length: number): string {
    const at = this.#need(length)
    return decoder.decode(this.#bytes.subarray(at, at + length))
  }
  /** As protocol 0 writes what it has: in letters, to the end of the line. */
  line(): string {
    const end = this.#bytes.indexOf(0x0a, this.#at)
    if (end < 0) throw new Refusal(`byte ${this.#at}: the pickle is cut off.`)
    const at = this.#need(end + 1 - this.#at)
    return latin.decode(this.#bytes.subarray(at, end))
  }
  index(): number {
    const text = this.line()
    if (!/^\d{1,9}$/.test(text)) throw this.#damaged('a number is none')
    return Number(text)
  }
  /** Of protocol 0, which writes truth as 01 and 00. */
  decimal(): boolean | number {
    const text = this.line()
    if (text === '01' || text === '00') return text === '01'
    if (!/^-?\d{1,80}L?$/.test(text)) throw this.#damaged('a number is none')
    return Number(text.replace('L', ''))
  }
  float(): number {
    const text = this.line()
    const value = Number(text)
    if (text === '' || (Number.isNaN(value) && text !== 'nan')) throw this.#damaged('a number is none')
    return value
  }
  bytes(length: number): void {
    this.#need(length)
    this.push(null)
  }
  size64(): number {
    return Number(this.#view.getBigUint64(this.#need(8), true))
  }
}

/** Python's raw-unicode-escape. */
const unescaped = (text: string) =>
  text.replace(/\\u([\da-f]{4})|\\U00(0[\da-f]|10)([\da-f]{4})/gi, (_, short, plane, low) =>
    String.fromCodePoint(Number.parseInt(short ?? `${plane}${low}`, 16)),
  )

const ACTS: Readonly<Record<number, (machine: Machine) => void>> = {
  128: (m) => m.skip(1), // PROTO
  149: (m) => m.skip(8), // FRAME
  40: (m) => m.mark(),
  48: (m) => m.drop(), // POP
  78: (m) => m.push(null),
  136: (m) => m.push(true),
  137: (m) => m.push(false),
  74: (m) => m.push(m.int32()), // BININT
  75: (m) => m.push(m.uint(1)), // BININT1
  77: (m) => m.push(m.uint(2)), // BININT2
  138: (m) => m.push(m.long(m.uint(1))), // LONG1
  139: (m) => m.push(m.long(m.uint(4))), // LONG4
  71: (m) => m.push(m.float64()), // BINFLOAT
  140: (m) => m.push(m.text(m.uint(1))), // SHORT_BINUNICODE
  88: (m) => m.push(m.text(m.uint(4))), // BINUNICODE
  141: (m) => m.push(m.text(m.size64())), // BINUNICODE8
  125: (m) => m.push(new Map()), // EMPTY_DICT
  93: (m) => m.push([]), // EMPTY_LIST
  41: (m) => m.push([]), // EMPTY_TUPLE
  143: (m) => m.push([]), // EMPTY_SET
  144: (m) => m.appendMarked(), // ADDITEMS
  145: (m) => m.markedTuple(), // FROZENSET
  66: (m) => m.bytes(m.uint(4)), // BINBYTES
  67: (m) => m.bytes(m.uint(1)), // SHORT_BINBYTES
  142: (m) => m.bytes(m.size64()), // BINBYTES8
  150: (m) => m.bytes(m.size64()), // BYTEARRAY8
  133: (m) => m.tuple(1),
  134: (m) => m.tuple(2),
  135: (m) => m.tuple(3),
  116: (m) => m.markedTuple(), // TUPLE
  97: (m) => m.appendOne(), // APPEND
  101: (m) => m.appendMarked(), // APPENDS
  115: (m) => m.setOne(), // SETITEM
  117: (m) => m.setMarked(), // SETITEMS
  104: (m) => m.get(m.uint(1)), // BINGET
  106: (m) => m.get(m.uint(4)), // LONG_BINGET
  113: (m) => m.keep(m.uint(1)), // BINPUT
  114: (m) => m.keep(m.uint(4)), // LONG_BINPUT
  148: (m) => m.keep(), // MEMOIZE
  // of protocols 0 and 1 alone
  73: (m) => m.push(m.decimal()), // INT
  76: (m) => m.push(m.decimal()), // LONG
  70: (m) => m.push(m.float()), // FLOAT
  86: (m) => m.push(unescaped(m.line())), // UNICODE
  100: (m) => m.markedDict(), // DICT
  108: (m) => m.markedTuple(), // LIST
  112: (m) => m.keep(m.index()), // PUT
  103: (m) => m.get(m.index()), // GET
  50: (m) => m.again(), // DUP
}

/** Tuples and sets become lists. Throws Refusal, which names the byte. */
export function unpickle(bytes: Uint8Array): Value {
  return new Machine(bytes).run()
}
