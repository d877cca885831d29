/** Writes .tflite files for tests with the Builder of the package flatbuffers, after the schema of TFLite. */
import { Builder } from 'flatbuffers'
import {
  BufferField,
  CUSTOM,
  dataTypes,
  Metadata,
  Model,
  Operator,
  OperatorCode,
  operatorNames,
  Signature,
  Subgraph,
  TensorField,
} from '../../../web/src/import/tflite/schema'

export interface TensorSpec {
  name?: string
  shape: number[]
  dtype?: string
  buffer?: number
  variable?: boolean
  signature?: number[]
  hasRank?: boolean
  external?: number
}
export interface OpSpec {
  type: string
  inputs: number[]
  outputs: number[]
  callees?: number[]
  /** by slot: a number of 32 bits, one of a byte, or a list */
  options?: Record<number, number | { byte: number } | number[]>
  /** bytes of custom options that lie behind the FlatBuffer */
  largeOptionsAt?: number
}
export interface SubgraphSpec {
  name?: string
  tensors: TensorSpec[]
  inputs: number[]
  outputs: number[]
  ops: OpSpec[]
}
export interface ModelSpec {
  version?: number
  identifier?: boolean
  description?: string
  subgraphs: SubgraphSpec[]
  /** data, or where they lie behind the FlatBuffer; buffer 0 is always empty and not among them */
  buffers?: (Uint8Array | { offset: number; size: number })[]
  metadata?: { name: string; buffer: number }[]
  signatures?: { name: string; subgraph: number }[]
  /** write operator codes as files did before there were more than 127 of them */
  oldCodes?: boolean
}

export function words(...numbers: number[]): Uint8Array {
  return new Uint8Array(Int32Array.from(numbers).buffer)
}

function ints(builder: Builder, items: number[]): number {
  builder.startVector(4, items.length, 4)
  for (const item of [...items].reverse()) builder.addInt32(item)
  return builder.endVector()
}

function tables(builder: Builder, offsets: number[]): number {
  builder.startVector(4, offsets.length, 4)
  for (const offset of [...offsets].reverse()) builder.addOffset(offset)
  return builder.endVector()
}

function tensor(builder: Builder, spec: TensorSpec): number {
  const name = spec.name === undefined ? 0 : builder.createString(spec.name)
  const shape = ints(builder, spec.shape)
  const signature = spec.signature ? ints(builder, spec.signature) : 0
  builder.startObject(11)
  builder.addFieldOffset(TensorField.shape, shape, 0)
  builder.addFieldInt8(TensorField.type, dataTypes.indexOf(spec.dtype ?? 'int8'), 0)
  builder.addFieldInt32(TensorField.buffer, spec.buffer ?? 0, 0)
  builder.addFieldOffset(TensorField.name, name, 0)
  builder.addFieldInt8(TensorField.isVariable, spec.variable ? 1 : 0, 0)
  builder.addFieldOffset(TensorField.shapeSignature, signature, 0)
  builder.addFieldInt8(TensorField.hasRank, spec.hasRank ? 1 : 0, 0)
  builder.addFieldInt32(TensorField.externalBuffer, spec.external ?? 0, 0)
  return builder.endObject()
}

/** Numbers of BuiltinOptions, by which runtimes know whose options they are; of others it is not read here, and 1. */
const optionKinds: Readonly<Record<string, number>> = {
  DEPTHWISE_CONV_2D: 2,
  AVERAGE_POOL_2D: 5,
  MAX_POOL_2D: 5,
  FULLY_CONNECTED: 8,
  CONCATENATION: 10,
  ADD: 11,
  RESHAPE: 17,
  SPACE_TO_DEPTH: 19,
  MUL: 21,
  GATHER: 23,
  MEAN: 27,
  REDUCE_MAX: 27,
  SQUEEZE: 30,
  STRIDED_SLICE: 32,
  SPLIT: 35,
  ARG_MAX: 40,
  TRANSPOSE_CONV: 49,
  SHAPE: 55,
  PACK: 59,
  UNPACK: 64,
  MIRROR_PAD: 77,
  SPLIT_V: 79,
  IF: 92,
  WHILE: 93,
  DEPTH_TO_SPACE: 94,
  BATCH_MATMUL: 101,
  CALL_ONCE: 103,
}

function optionsOf(builder: Builder, fields: NonNullable<OpSpec['options']>): number {
  const slots = Object.entries(fields).map(([slot, value]) => ({
    slot: Number(slot),
    value,
    at: Array.isArray(value) ? ints(builder, value) : 0,
  }))
  if (slots.length === 0) return 0
  builder.startObject(1 + Math.max(...slots.map(({ slot }) => slot)))
  for (const { slot, value, at } of slots)
    if (typeof value === 'number') builder.addFieldInt32(slot, value, 0)
    else if (Array.isArray(value)) builder.addFieldOffset(slot, at, 0)
    else builder.addFieldInt8(slot, value.byte, 0)
  return builder.endObject()
}

function operator(builder: Builder, spec: OpSpec, code: number): number {
  const inputs = ints(builder, spec.inputs)
  const outputs = ints(builder, spec.outputs)
  const options = optionsOf(builder, spec.options ?? { ...spec.callees })
  builder.startObject(14)
  builder.addFieldInt32(Operator.opcode, code, 0)
  builder.addFieldOffset(Operator.inputs, inputs, 0)
  builder.addFieldOffset(Operator.outputs, outputs, 0)
  // the kind of a union's value comes before it
  builder.addFieldInt8(Operator.options - 1, options ? (optionKinds[spec.type] ?? 1) : 0, 0)
  builder.addFieldOffset(Operator.options, options, 0)
  builder.addFieldInt64(Operator.largeCustomOptionsOffset, BigInt(spec.largeOptionsAt ?? 0), 0n)
  return builder.endObject()
}

/** One object in several places of a list is one table in the file. */
function each<T>(items: readonly T[], write: (item: T) => number): number[] {
  const written = new Map<T, number>()
  return items.map((item) => {
    const at = written.get(item) ?? write(item)
    written.set(item, at)
    return at
  })
}

function subgraph(builder: Builder, spec: SubgraphSpec, codes: string[]): number {
  const tensors = tables(
    builder,
    each(spec.tensors, (one) => tensor(builder, one)),
  )
  const ops = tables(
    builder,
    each(spec.ops, (one) => operator(builder, one, codes.indexOf(one.type))),
  )
  const inputs = ints(builder, spec.inputs)
  const outputs = ints(builder, spec.outputs)
  const name = spec.name === undefined ? 0 : builder.createString(spec.name)
  builder.startObject(6)
  builder.addFieldOffset(Subgraph.tensors, tensors, 0)
  builder.addFieldOffset(Subgraph.inputs, inputs, 0)
  builder.addFieldOffset(Subgraph.outputs, outputs, 0)
  builder.addFieldOffset(Subgraph.operators, ops, 0)
  builder.addFieldOffset(Subgraph.name, name, 0)
  return builder.endObject()
}

function operatorCode(builder: Builder, type: string, old: boolean): number {
  const known = operatorNames.indexOf(type)
  const code = known < 0 ? CUSTOM : known
  const custom = known < 0 ? builder.createString(type) : 0
  builder.startObject(4)
  builder.addFieldInt8(OperatorCode.oldCode, Math.min(code, 127), 0)
  builder.addFieldOffset(OperatorCode.customCode, custom, 0)
  if (!old) builder.addFieldInt32(OperatorCode.code, code, 0)
  return builder.endObject()
}

function buffer(builder: Builder, spec: Uint8Array | { offset: number; size: number }): number {
  if (!(spec instanceof Uint8Array)) {
    builder.startObject(3)
    builder.addFieldInt64(BufferField.offset, BigInt(spec.offset), 0n)
    builder.addFieldInt64(BufferField.size, BigInt(spec.size), 0n)
    return builder.endObject()
  }
  builder.startVector(1, spec.length, 16)
  for (const byte of [...spec].reverse()) builder.addInt8(byte)
  const data = builder.endVector()
  builder.startObject(3)
  if (spec.length > 0) builder.addFieldOffset(BufferField.data, data, 0)
  return builder.endObject()
}

export function writeTflite(spec: ModelSpec): Uint8Array {
  const builder = new Builder(1024)
  const codes = [...new Set(spec.subgraphs.flatMap(({ ops }) => ops.map(({ type }) => type)))]
  const description = spec.description === undefined ? 0 : builder.createString(spec.description)
  const buffers = tables(
    builder,
    [new Uint8Array(0), ...(spec.buffers ?? [])].map((one) => buffer(builder, one)),
  )
  const metadata = spec.metadata
    ? tables(
        builder,
        spec.metadata.map((one) => {
          const name = builder.createString(one.name)
          builder.startObject(2)
          builder.addFieldOffset(Metadata.name, name, 0)
          builder.addFieldInt32(Metadata.buffer, one.buffer, 0)
          return builder.endObject()
        }),
      )
    : 0
  const signatures = spec.signatures
    ? tables(
        builder,
        spec.signatures.map((one) => {
          const name = builder.createString(one.name)
          builder.startObject(5)
          builder.addFieldOffset(Signature.name, name, 0)
          builder.addFieldInt32(Signature.subgraph, one.subgraph, 0)
          return builder.endObject()
        }),
      )
    : 0
  const subgraphs = tables(
    builder,
    spec.subgraphs.map((one) => subgraph(builder, one, codes)),
  )
  const operatorCodes = tables(
    builder,
    codes.map((type) => operatorCode(builder, type, spec.oldCodes ?? false)),
  )
  builder.startObject(8)
  builder.addFieldInt32(Model.version, spec.version ?? 3, 0)
  builder.addFieldOffset(Model.operatorCodes, operatorCodes, 0)
  builder.addFieldOffset(Model.subgraphs, subgraphs, 0)
  builder.addFieldOffset(Model.description, description, 0)
  builder.addFieldOffset(Model.buffers, buffers, 0)
  builder.addFieldOffset(Model.metadata, metadata, 0)
  builder.addFieldOffset(Model.signatures, signatures, 0)
  const root = builder.endObject()
  if (spec.identifier ?? true) builder.finish(root, 'TFL3')
  else builder.finish(root)
  return builder.asUint8Array().slice()
}

/** Input, convolution with weights and an omitted bias, activation, reshape: one of each. */
export const small: ModelSpec = {
  description: 'small',
  buffers: [new Uint8Array(27 * 4).fill(7)],
  subgraphs: [
    {
      name: 'main',
      tensors: [
        { name: 'image', shape: [1, 8, 8, 3] },
        { name: 'weights', shape: [4, 3, 3, 3], buffer: 1 },
        { name: 'conv;bn', shape: [1, 8, 8, 4] },
        { name: 'relu', shape: [1, 8, 8, 4] },
        { name: 'flat', shape: [1, 256] },
      ],
      inputs: [0],
      outputs: [4],
      ops: [
        { type: 'CONV_2D', inputs: [0, 1, -1], outputs: [2] },
        { type: 'RELU', inputs: [2], outputs: [3] },
        { type: 'RESHAPE', inputs: [3], outputs: [4] },
      ],
    },
  ],
}

/** Two subgraphs that know nothing of each other, each with a signature. */
export const two: ModelSpec = {
  signatures: [
    { name: 'serve', subgraph: 0 },
    { name: 'encode', subgraph: 1 },
  ],
  subgraphs: [
    {
      name: 'main',
      tensors: [
        { name: 'x', shape: [16], dtype: 'float32' },
        { name: 'y', shape: [16], dtype: 'float32' },
      ],
      inputs: [0],
      outputs: [1],
      ops: [{ type: 'TANH', inputs: [0], outputs: [1] }],
    },
    {
      name: 'encode',
      tensors: [
        { name: 'a', shape: [25], dtype: 'float32' },
        { name: 'b', shape: [25], dtype: 'float32' },
      ],
      inputs: [0],
      outputs: [1],
      ops: [{ type: 'EXP', inputs: [0], outputs: [1] }],
    },
  ],
}

/** WHILE over a counter and a state; its condition and its body each have a temporary. */
export const looping: ModelSpec = {
  subgraphs: [
    {
      name: 'main',
      tensors: [
        { name: 'i', shape: [], dtype: 'int32' },
        { name: 'x', shape: [64] },
        { name: 'i end', shape: [], dtype: 'int32' },
        { name: 'x end', shape: [64] },
        { name: 'y', shape: [64] },
      ],
      inputs: [0, 1],
      outputs: [4],
      ops: [
        { type: 'WHILE', inputs: [0, 1], outputs: [2, 3], callees: [1, 2] },
        { type: 'TANH', inputs: [3], outputs: [4] },
      ],
    },
    {
      name: 'cond',
      tensors: [
        { name: 'i', shape: [], dtype: 'int32' },
        { name: 'x', shape: [64] },
        { name: 'less', shape: [], dtype: 'bool' },
      ],
      inputs: [0, 1],
      outputs: [2],
      ops: [{ type: 'LESS', inputs: [0], outputs: [2] }],
    },
    {
      name: 'body',
      tensors: [
        { name: 'i', shape: [], dtype: 'int32' },
        { name: 'x', shape: [64] },
        { name: 'i+1', shape: [], dtype: 'int32' },
        { name: 'wide', shape: [256] },
        { name: 'x next', shape: [64] },
      ],
      inputs: [0, 1],
      outputs: [2, 4],
      ops: [
        { type: 'ADD', inputs: [0], outputs: [2] },
        { type: 'FULLY_CONNECTED', inputs: [1], outputs: [3] },
        { type: 'FULLY_CONNECTED', inputs: [3], outputs: [4] },
      ],
    },
  ],
}
