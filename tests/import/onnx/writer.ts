/** Writes ONNX models for tests. Fields by onnx.proto. */
import { Writer } from 'protobufjs/minimal.js'
import {
  type Imported,
  type ImportAnswers,
  NO_ANSWERS,
  type NotImported,
  type Question,
} from '../../../web/src/import/imported'
import { importOnnx } from '../../../web/src/import/onnx/read'
import { fromBytes } from '../../../web/src/import/source'
import type { Graph } from '../../../web/src/import/graph'

export const FLOAT = 1
export const UINT8 = 2
export const INT8 = 3
export const INT32 = 6
export const INT64 = 7
export const STRING = 8
export const BOOL = 9
export const FLOAT16 = 10

export type Side = number | string | null

/** An attribute's value; F is a float, since a number is an integer. */
export type Attr =
  | number
  | string
  | readonly number[]
  | { f: number }
  | { floats: readonly number[] }
  | { tensor: Stored }
  | { graph: GraphSpec }
  | { ref: string }

export interface Stored {
  name?: string
  type?: number
  dims: readonly number[]
  /** int64 unless the type is float32 */
  data?: readonly number[]
  /** so many bytes of raw data */
  raw?: Uint8Array
  external?: boolean
}

export interface NodeSpec {
  op: string
  in: readonly string[]
  out: readonly string[]
  name?: string
  domain?: string
  attrs?: Readonly<Record<string, Attr>>
}

export interface ValueSpec {
  name: string
  type?: number
  /** absent: without a shape */
  dims?: readonly Side[]
  sequence?: boolean
}

export interface GraphSpec {
  name?: string
  nodes: readonly NodeSpec[]
  inputs?: readonly ValueSpec[]
  outputs: readonly (string | ValueSpec)[]
  stored?: readonly Stored[]
  infos?: readonly ValueSpec[]
  sparse?: readonly Stored[]
}

export interface FunctionSpec {
  name: string
  domain: string
  in: readonly string[]
  out: readonly string[]
  attrs?: readonly string[]
  nodes: readonly NodeSpec[]
  opset?: number
}

export interface ModelSpec extends GraphSpec {
  opset?: number
  opsets?: Readonly<Record<string, number>>
  functions?: readonly FunctionSpec[]
}

/** The writer at a field that has a length. */
function field(writer: Writer, number: number): Writer {
  return writer.uint32(number * 8 + 2)
}

function text(writer: Writer, number: number, value: string | undefined): void {
  if (value) field(writer, number).string(value)
}

function within(writer: Writer, number: number, fill: (writer: Writer) => void): void {
  field(writer, number).fork()
  fill(writer)
  writer.ldelim()
}

function int(writer: Writer, number: number, value: number): void {
  writer.uint32(number * 8).int64(value)
}

export function writeStored(writer: Writer, stored: Stored): void {
  for (const dim of stored.dims) int(writer, 1, dim)
  const type = stored.type ?? INT64
  int(writer, 2, type)
  text(writer, 8, stored.name)
  const { data } = stored
  if (data && type === INT64) {
    const raw = new Uint8Array(8 * data.length)
    const view = new DataView(raw.buffer)
    data.forEach((value, i) => {
      view.setBigInt64(8 * i, BigInt(value), true)
    })
    field(writer, 9).bytes(raw)
  } else if (data && type === FLOAT)
    within(writer, 4, (to) => {
      for (const value of data) to.float(value)
    })
  else if (data)
    within(writer, 5, (to) => {
      for (const value of data) to.int32(value)
    })
  if (stored.raw) field(writer, 9).bytes(stored.raw)
  if (stored.external) {
    within(writer, 13, (to) => {
      text(to, 1, 'location')
      text(to, 2, 'weights.bin')
    })
    int(writer, 14, 1)
  }
}

function writeAttr(writer: Writer, name: string, value: Attr): void {
  text(writer, 1, name)
  if (typeof value === 'number') {
    int(writer, 3, value)
    int(writer, 20, 2)
  } else if (typeof value === 'string') {
    field(writer, 4).string(value)
    int(writer, 20, 3)
  } else if ('f' in value) {
    writer.uint32(2 * 8 + 5).float(value.f)
    int(writer, 20, 1)
  } else if ('floats' in value) {
    for (const one of value.floats) writer.uint32(7 * 8 + 5).float(one)
    int(writer, 20, 6)
  } else if ('tensor' in value) {
    within(writer, 5, (to) => writeStored(to, value.tensor))
    int(writer, 20, 4)
  } else if ('graph' in value) {
    within(writer, 6, (to) => writeGraph(to, value.graph))
    int(writer, 20, 5)
  } else if ('ref' in value) {
    text(writer, 21, value.ref)
    int(writer, 20, 2)
  } else {
    for (const one of value) int(writer, 8, one)
    int(writer, 20, 7)
  }
}

function writeNode(writer: Writer, node: NodeSpec): void {
  // an empty name is an omitted input and must be written
  for (const name of node.in) field(writer, 1).string(name)
  for (const name of node.out) field(writer, 2).string(name)
  text(writer, 3, node.name)
  text(writer, 4, node.op)
  for (const [name, value] of Object.entries(node.attrs ?? {})) within(writer, 5, (to) => writeAttr(to, name, value))
  text(writer, 7, node.domain)
}

function writeValue(writer: Writer, value: ValueSpec): void {
  text(writer, 1, value.name)
  if (value.sequence) {
    within(writer, 2, (type) => within(type, 4, () => {}))
    return
  }
  within(writer, 2, (type) =>
    within(type, 1, (tensor) => {
      int(tensor, 1, value.type ?? FLOAT)
      const { dims } = value
      if (!dims) return
      within(tensor, 2, (shape) => {
        for (const dim of dims)
          within(shape, 1, (one) => {
            if (typeof dim === 'number') int(one, 1, dim)
            else if (dim) text(one, 2, dim)
          })
      })
    }),
  )
}

function writeGraph(writer: Writer, graph: GraphSpec): void {
  for (const node of graph.nodes) within(writer, 1, (to) => writeNode(to, node))
  text(writer, 2, graph.name)
  for (const stored of graph.stored ?? []) within(writer, 5, (to) => writeStored(to, stored))
  for (const value of graph.inputs ?? []) within(writer, 11, (to) => writeValue(to, value))
  for (const value of graph.outputs)
    within(writer, 12, (to) => (typeof value === 'string' ? text(to, 1, value) : writeValue(to, value)))
  for (const value of graph.infos ?? []) within(writer, 13, (to) => writeValue(to, value))
  for (const sparse of graph.sparse ?? [])
    within(writer, 15, (to) => {
      within(to, 1, (values) => writeStored(values, { ...sparse, dims: [1] }))
      for (const dim of sparse.dims) int(to, 3, dim)
    })
}

function writeOpset(writer: Writer, number: number, domain: string, version: number): void {
  within(writer, number, (to) => {
    text(to, 1, domain)
    int(to, 2, version)
  })
}

export function writeModel(model: ModelSpec): Uint8Array {
  const writer = Writer.create()
  int(writer, 1, 9)
  writeOpset(writer, 8, '', model.opset ?? 21)
  for (const [domain, version] of Object.entries(model.opsets ?? {})) writeOpset(writer, 8, domain, version)
  within(writer, 7, (to) => writeGraph(to, model))
  for (const local of model.functions ?? [])
    within(writer, 25, (to) => {
      text(to, 1, local.name)
      for (const name of local.in) field(to, 4).string(name)
      for (const name of local.out) field(to, 5).string(name)
      for (const name of local.attrs ?? []) field(to, 6).string(name)
      for (const node of local.nodes) within(to, 7, (one) => writeNode(one, node))
      writeOpset(to, 9, '', local.opset ?? 21)
      text(to, 10, local.domain)
    })
  // in Node a Buffer, whose slice() is no copy
  return new Uint8Array(writer.finish())
}

export function importBytes(bytes: Uint8Array, answers: Partial<ImportAnswers> = {}): Imported {
  return importOnnx(fromBytes(bytes), {
    ...NO_ANSWERS,
    fold: answers.fuse ?? false,
    fuse: false,
    qdq: answers.fuse ?? false,
    ...answers,
  })
}

export interface Made {
  graph: Graph
  notes: string[]
  /** 'float32[1, 2]' by tensor */
  shapes: Record<string, string>
}

/** What must be importable. */
export function madeOf(bytes: Uint8Array, answers: Partial<ImportAnswers> = {}): Made {
  const made = importBytes(bytes, answers)
  if (!made.ok) throw new Error(`${made.message} ${made.questions.map((question) => question.text).join(' ')}`)
  if (!('graph' in made)) throw new Error('no graph')
  const shapes = Object.fromEntries(
    made.graph.tensors.map((tensor) => [tensor.id, tensor.shape ? `${tensor.dtype}[${tensor.shape.join(', ')}]` : '?']),
  )
  return { graph: made.graph, notes: made.notes, shapes }
}

export function graphOf(model: ModelSpec, answers: Partial<ImportAnswers> = {}): Made {
  return madeOf(writeModel(model), answers)
}

/** What must not. */
export function refusedOf(model: ModelSpec, answers: Partial<ImportAnswers> = {}): NotImported {
  const made = importBytes(writeModel(model), answers)
  if (made.ok) throw new Error('it was imported')
  return made
}

export function questionsOf(model: ModelSpec, answers: Partial<ImportAnswers> = {}): Question[] {
  return refusedOf(model, answers).questions
}
