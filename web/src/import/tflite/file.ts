import { plainName } from '../names'
import { Refusal } from '../refusal'
import type { Source } from '../source'
import { Flat, type Table, type Tables } from '../flat'
import {
  BufferField,
  CUSTOM,
  callees,
  dataTypes,
  IDENTIFIER,
  Metadata,
  Model,
  Operator,
  OperatorCode,
  operatorNames,
  QUANTIZATION_SCALE,
  Subgraph,
  TensorField,
  VERSION,
} from './schema'

/** What stands in a .tflite, in its order and its numbers; nothing is interpreted yet. Weights are not read. */
export interface FileTensor {
  name: string
  /** of dataTypes */
  dtype: string
  shape: readonly number[]
  /** the shape with -1 for what is open */
  signature: readonly number[] | null
  /** false in old files whatever the tensor is */
  hasRank: boolean
  buffer: number
  /** its data lie in another file */
  external: boolean
  variable: boolean
  /** scales of its quantisation, more than 1 where each channel has its own */
  scales: number
}
export interface FileOp {
  type: string
  /** indices of tensors of the subgraph; -1 is an omitted input */
  inputs: readonly number[]
  outputs: readonly number[]
  /** subgraphs that it runs */
  callees: readonly number[]
}
export interface FileSubgraph {
  name: string
  tensors: readonly FileTensor[]
  inputs: readonly number[]
  outputs: readonly number[]
  ops: readonly FileOp[]
}
export interface FileMetadata {
  name: string
  buffer: number
}

/** As many as the core takes buffers. */
const MOST = 1 << 20
const MOST_SIDES = 64
/** tensors and operators between two reports of progress */
const TELL_EVERY = 1024

/** Adds up what the subgraphs hold, since each of them may be listed again and again. */
class Allowance {
  #tensors = MOST
  #ops = MOST
  #ends = 4 * MOST

  tensors(count: number): void {
    this.#tensors -= count
    if (this.#tensors < 0) throw new Refusal(`the model has more than ${MOST} tensors.`)
  }

  ops(count: number): void {
    this.#ops -= count
    if (this.#ops < 0) throw new Refusal(`the model has more than ${MOST} operators.`)
  }

  ends(count: number): void {
    this.#ends -= count
    if (this.#ends < 0) throw new Refusal(`the model's operators have more than ${4 * MOST} inputs and outputs.`)
  }
}

function few(list: Tables | null, what: string): number {
  const count = list?.length ?? 0
  if (count > MOST) throw new Refusal(`the model has ${count} ${what}, at most ${MOST} can be read.`)
  return count
}

/** The operator's name; of one of its own kind, its own. The code is in one of two places, because the first has become too small. */
function operatorName(code: Table): string {
  const number = Math.max(code.int8(OperatorCode.oldCode), code.int32(OperatorCode.code))
  if (number === CUSTOM) return plainName(code.text(OperatorCode.customCode)) || 'CUSTOM'
  const name = operatorNames[number]
  // a newer one than the table knows: still an operator with its inputs and outputs
  return name ?? `OPERATOR_${number}`
}

function readTensor(table: Table): FileTensor {
  const type = table.int8(TensorField.type)
  const dtype = dataTypes[type]
  if (dtype === undefined) throw new Refusal(`${table.place()}: its data type is number ${type}, which is none.`)
  const shape = table.ints(TensorField.shape, MOST_SIDES) ?? []
  const signature = table.ints(TensorField.shapeSignature, MOST_SIDES)
  const wrong = [...shape, ...(signature ?? [])].find((side) => side < -1)
  if (wrong !== undefined) throw new Refusal(`${table.place()}: a side of its shape is ${wrong}.`)
  return {
    name: table.text(TensorField.name),
    dtype,
    shape,
    // an empty one says nothing, one of another length contradicts the shape
    signature: signature && signature.length === shape.length ? signature : null,
    hasRank: table.int8(TensorField.hasRank) !== 0,
    buffer: table.uint32(TensorField.buffer),
    external: table.uint32(TensorField.externalBuffer) !== 0,
    variable: table.int8(TensorField.isVariable) !== 0,
    scales: table.table(TensorField.quantization)?.vectorBytes(QUANTIZATION_SCALE) ?? 0,
  }
}

function checkEnds(place: string, what: string, ends: readonly number[], tensors: number, least: number): void {
  const wrong = ends.find((end) => end < least || end >= tensors)
  if (wrong !== undefined)
    throw new Refusal(`${place}: its ${what} name tensor ${wrong}, where the subgraph has ${tensors}.`)
}

export class TfliteFile {
  readonly flat: Flat
  readonly model: Table
  readonly description: string
  readonly #buffers: Tables | null
  readonly #dataBytes = new Map<number, number>()

  /** Throws Refusal if it is no model, or not of the version that all files in use have. */
  constructor(source: Source) {
    this.flat = new Flat(source)
    this.model = this.flat.root()
    const version = this.model.uint32(Model.version)
    if (version !== VERSION)
      throw new Refusal(`this is a TFLite model of version ${version}; version ${VERSION} can be read.`)
    this.description = this.model.text(Model.description, 255)
    this.#buffers = this.model.tables(Model.buffers, (index) => `buffer ${index}`)
  }

  /** The description, unless it is only the converter's own. */
  get name(): string {
    return /^(MLIR|TOCO) Converted\.?$/.test(this.description) ? '' : plainName(this.description)
  }

  get bufferCount(): number {
    return this.#buffers?.length ?? 0
  }

  buffer(index: number): Table | null {
    return this.#buffers && index < this.#buffers.length ? this.#buffers.table(index) : null
  }

  /** Bytes of a buffer's data, 0 if it has none. Data may lie behind the FlatBuffer, which can hold no more than 2 GB. */
  dataBytes(index: number): number {
    const known = this.#dataBytes.get(index)
    if (known !== undefined) return known
    const buffer = this.buffer(index)
    const outside = buffer && buffer.uint64(BufferField.offset) > 1 ? buffer.uint64(BufferField.size) : 0
    const bytes = outside || (buffer?.vectorBytes(BufferField.data) ?? 0)
    this.#dataBytes.set(index, bytes)
    return bytes
  }

  /** A buffer's data as 32-bit integers, at most so many; null if it has none in the file itself. */
  words(index: number, most: number): number[] | null {
    const buffer = this.buffer(index)
    const bytes = buffer?.vectorBytes(BufferField.data) ?? 0
    const at = buffer?.reference(BufferField.data)
    if (at === null || at === undefined) return null
    const length = Math.min(most, Math.floor(bytes / 4))
    const items = this.flat.span(at + 4, 4 * length, () => `buffer ${index}`, 'its data')
    return Array.from({ length }, (_, word) => items.int32(4 * word))
  }

  /** A buffer's data as whole numbers of the type, at most so many; null if there are more, or none in the file itself, or of another type. */
  integers(index: number, dtype: string, most: number): number[] | null {
    const bytes = dtype === 'int64' ? 8 : dtype === 'int32' ? 4 : 0
    const data = this.buffer(index)?.vectorBytes(BufferField.data) ?? 0
    if (bytes === 0 || data === 0 || data > most * bytes) return null
    const words = this.words(index, 2 * most) ?? []
    if (bytes === 4) return words
    return Array.from({ length: Math.floor(words.length / 2) }, (_, item) => {
      const [low = 0, high = 0] = [words[2 * item], words[2 * item + 1]]
      return high * 2 ** 32 + (low >>> 0)
    })
  }

  /** The options of an operator, null if it has none. */
  options(subgraph: number, op: number): Table | null {
    const ops = this.subgraphTables()
      .table(subgraph)
      .tables(Subgraph.operators, (one) => `subgraph ${subgraph}, operator ${one}`)
    return ops && op < ops.length ? ops.table(op).table(Operator.options) : null
  }

  metadata(): FileMetadata[] {
    const list = this.model.tables(Model.metadata, (index) => `metadata ${index}`)
    return Array.from({ length: few(list, 'pieces of metadata') }, (_, index) => {
      const entry = (list as Tables).table(index)
      return { name: entry.text(Metadata.name), buffer: entry.uint32(Metadata.buffer) }
    })
  }

  subgraphTables(): Tables {
    const list = this.model.tables(Model.subgraphs, (index) => `subgraph ${index}`)
    if (!list || list.length === 0) throw new Refusal('the model has no subgraph.')
    return list
  }

  /** progress: from 0 to 1, now and then. */
  subgraphs(progress?: (done: number) => void): FileSubgraph[] {
    const codes = this.model.tables(Model.operatorCodes, (index) => `operator code ${index}`)
    const names = Array.from({ length: few(codes, 'operator codes') }, (_, index) =>
      operatorName((codes as Tables).table(index)),
    )
    const list = this.subgraphTables()
    const allowance = new Allowance()
    allowance.tensors(list.length)
    return Array.from({ length: list.length }, (_, index) => {
      const told = progress && ((done: number) => progress((index + done) / list.length))
      return this.#subgraph(list.table(index), index, names, allowance, told)
    })
  }

  #subgraph(
    table: Table,
    index: number,
    names: readonly string[],
    allowance: Allowance,
    progress?: (done: number) => void,
  ): FileSubgraph {
    const place = `subgraph ${index}`
    const tensorTables = table.tables(Subgraph.tensors, (tensor) => `${place}, tensor ${tensor}`)
    const count = tensorTables?.length ?? 0
    allowance.tensors(count)
    const opTables = table.tables(Subgraph.operators, (op) => `${place}, operator ${op}`)
    const opCount = opTables?.length ?? 0
    allowance.ops(opCount)
    const tell = (done: number) => done % TELL_EVERY === 0 && progress?.(done / (count + opCount))
    const tensors = Array.from({ length: count }, (_, tensor) => {
      tell(tensor)
      return readTensor((tensorTables as Tables).table(tensor))
    })
    const inputs = table.ints(Subgraph.inputs, MOST) ?? []
    const outputs = table.ints(Subgraph.outputs, MOST) ?? []
    allowance.ends(inputs.length + outputs.length)
    checkEnds(place, 'inputs', inputs, count, 0)
    checkEnds(place, 'outputs', outputs, count, 0)
    const ops = Array.from({ length: opCount }, (_, op) => {
      tell(count + op)
      const made = readOp((opTables as Tables).table(op), names, count)
      allowance.ends(made.inputs.length + made.outputs.length)
      return made
    })
    return { name: table.text(Subgraph.name, 255), tensors, inputs, outputs, ops }
  }
}

function readOp(table: Table, names: readonly string[], tensors: number): FileOp {
  const code = table.uint32(Operator.opcode)
  const type = names[code]
  if (type === undefined) throw new Refusal(`${table.place()}: its operator code is number ${code} of ${names.length}.`)
  const inputs = table.ints(Operator.inputs, MOST) ?? []
  const outputs = table.ints(Operator.outputs, MOST) ?? []
  checkEnds(table.place(), 'inputs', inputs, tensors, -1)
  checkEnds(table.place(), 'outputs', outputs, tensors, -1)
  const slots = Object.hasOwn(callees, type) ? callees[type] : undefined
  const options = slots ? table.table(Operator.options) : null
  return { type, inputs, outputs, callees: slots && options ? slots.map((slot) => options.int32(slot)) : [] }
}

/** By the identifier; very old files have none, and are known by their version. */
export function isTflite(source: Source): boolean {
  if (source.size < 12) return false
  const identifier = String.fromCharCode(...source.read(4, 4))
  if (identifier === IDENTIFIER) return true
  try {
    const model = new Flat(source).root()
    return model.uint32(Model.version) === VERSION && model.reference(Model.subgraphs) !== null
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
