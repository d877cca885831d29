/**
 * The persistent part of TFLite Micro's arena, its tail, by rule: what the allocator and the kernels take for good, in their order, with the sizes of their
 * structures. From tensorflow/tflite-micro of 2026-08: micro_allocator.cc, micro_interpreter.cc and micro_interpreter_graph.cc (AllocateTensors), in
 * core/c/builtin_op_data.h what flatbuffer_conversions.cc makes of an operator's options, in micro/kernels what Init and Prepare take (AllocatePersistentBuffer).
 * Enumerations count four bytes; compilers for bare Arm that pack them may take a little less.
 */
import { elements } from '../onnx/dtypes'
import type { FileOp, FileSubgraph, FileTensor, TfliteFile } from './file'
import type { Tail } from '../imported'
import { Variable } from './schema'

/** Bytes of a pointer: of a processor that it is made for, or of the one on which the official interpreter runs in Python. */
export type Word = 4 | 8

/** On 32 and on 64 bits. */
type Size = number | readonly [number, number]

type Prepare = (at: Place) => (Size | null)[]

interface Kernel {
  /** of what is made of the options */
  params?: Size
  /** what Init takes */
  init?: Size
  /** the same where it can read compressed weights (USE_TFLM_COMPRESSION) */
  packed?: Size
  /** what Prepare takes beside it; null: not known */
  prepare?: Prepare
}

interface Place {
  inputs: readonly (FileTensor | undefined)[]
  outputs: readonly (FileTensor | undefined)[]
  /** whether a flag among the options is set */
  flag: (slot: number) => boolean
  /** number of the variable that an input names, by the VAR_HANDLEs of its subgraph */
  variable: (tensor: number | undefined) => string | undefined
  op: FileOp
  /** variables that have their memory already */
  filled: Set<string>
}

const BYTES: Readonly<Record<string, number>> = {
  float32: 4,
  int8: 1,
  uint8: 1,
  bool: 1,
  int16: 2,
  int32: 4,
  int64: 8,
}
/** LUTSize<int16_t>() in common.h */
const TABLE_16 = 2 * 513

/** TfLiteIntArray: its length stands before the numbers. */
const listOf = (length: number): number => 4 + 4 * length
const bytesOf = (tensor: FileTensor | undefined): number | null => {
  const each = BYTES[tensor?.dtype ?? '']
  return tensor && each !== undefined ? each * elements(tensor.shape) : null
}

/** A multiplier and a shift for each channel. */
const channels =
  (axis: number): Prepare =>
  ({ inputs: [, filter] }) => {
    const each = 4 * (filter?.shape[axis] ?? 0)
    return [each, each]
  }

/** kernel_util.cc, CreateWritableTensorDimsWithCopy */
const sides: Prepare = ({ outputs: [output] }) => [listOf(output?.shape.length ?? 0)]

const EVAL_TENSOR = [12, 24] as const

/** batch_matmul.cc: a turned operand is kept whole. */
const turned = (tensor: FileTensor | undefined): (Size | null)[] => [
  EVAL_TENSOR,
  listOf(tensor?.shape.length ?? 0),
  bytesOf(tensor),
]
const product: Prepare = (at) => {
  const { inputs, flag } = at
  const [left, right] = inputs
  const quantized = left?.dtype === 'int8' || left?.dtype === 'int16'
  return [...(quantized ? [28] : []), ...(flag(0) ? turned(left) : []), ...(flag(1) ? [] : turned(right)), ...sides(at)]
}

/** micro_resource_variable.cc, Allocate: the first that assigns it in the subgraph of its handle. */
const assigned: Prepare = ({ inputs: [, value], op, variable, filled }) => {
  const name = variable(op.inputs[0])
  if (name === undefined || filled.has(name)) return []
  filled.add(name)
  return [bytesOf(value)]
}

const ofInt8 =
  (size: Size): Prepare =>
  ({ outputs: [output] }) =>
    output?.dtype === 'int8' ? [size] : []

const pool: Kernel = { params: 40, init: 32 }
const reduction: Kernel = { params: 1, init: 44 }
const comparison: Kernel = { init: 32 }
const pad: Kernel = { init: 56 }
const shaped: Kernel = { prepare: sides }

const kernels: Readonly<Record<string, Kernel>> = {
  ABS: { init: 28 },
  ADD: { params: 8, init: 60 },
  ADD_N: { prepare: ofInt8(40) },
  ARG_MAX: { params: 4 },
  ARG_MIN: { params: 4 },
  ASSIGN_VARIABLE: { packed: 4, prepare: assigned },
  AVERAGE_POOL_2D: pool,
  BATCH_MATMUL: { params: 3, init: [16, 32], prepare: product },
  CALL_ONCE: { params: 4, init: 8 },
  CAST: { params: 8 },
  CONCATENATION: { params: 8, init: [24, 40], packed: [64, 80] },
  CONV_2D: { params: 28, init: [56, 72], packed: [64, 80], prepare: channels(0) },
  CUMSUM: { params: 2, prepare: ofInt8(36) },
  DEPTH_TO_SPACE: { params: 4, ...shaped },
  DEPTHWISE_CONV_2D: { params: 28, init: [56, 72], packed: [64, 80], prepare: channels(3) },
  DEQUANTIZE: { init: 32 },
  DIV: { params: 4, init: 28 },
  ELU: { init: 256 },
  EMBEDDING_LOOKUP: { prepare: (at) => [[8, 16], ...sides(at)] },
  EQUAL: comparison,
  FULLY_CONNECTED: {
    // the release of 2026-10 has 16 bytes more on 64 bits than the sources, two pointers as it seems
    params: [24, 32],
    init: [48, 64],
    packed: [56, 72],
    prepare: ({ inputs: [input, filter] }) =>
      input?.dtype !== 'float32' && (filter?.scales ?? 0) > 1
        ? [4 * (filter?.scales ?? 0), 4 * (filter?.scales ?? 0)]
        : [],
  },
  GATHER: { params: 8, ...shaped },
  GATHER_ND: shaped,
  GREATER: comparison,
  GREATER_EQUAL: comparison,
  HARD_SWISH: { init: 20 },
  IF: { params: 8, init: 8 },
  L2_NORMALIZATION: { params: 4, init: 4 },
  L2_POOL_2D: { params: 40, ...shaped },
  LEAKY_RELU: { params: 4, init: 24 },
  LESS: comparison,
  LESS_EQUAL: comparison,
  LOG_SOFTMAX: { prepare: ofInt8([28, 40]) },
  LOGISTIC: { init: 16 },
  MAX_POOL_2D: pool,
  MEAN: reduction,
  MIRROR_PAD: { params: 4, init: 20 },
  MUL: { params: 4, init: 36 },
  NOT_EQUAL: comparison,
  PACK: { params: 8 },
  PAD: pad,
  PADV2: pad,
  PRELU: { init: 28 },
  QUANTIZE: { init: 32 },
  REDUCE_ALL: reduction,
  REDUCE_MAX: reduction,
  REDUCE_MIN: reduction,
  RELU: { init: 28 },
  RELU6: { init: 8 },
  // an open side of the output is filled in in a copy (reshape_common.cc)
  RESHAPE: { params: 36, prepare: (at) => (at.outputs[0]?.shape.includes(-1) ? sides(at) : []) },
  RESIZE_BILINEAR: { params: 2 },
  RESIZE_NEAREST_NEIGHBOR: { params: 2 },
  RSQRT: { init: 28 },
  SELECT_V2: { init: 1 },
  SHAPE: { params: 4 },
  SOFTMAX: {
    params: 4,
    init: [56, 80],
    prepare: ({ inputs: [input] }) => (input?.dtype === 'int16' ? [TABLE_16, TABLE_16] : []),
  },
  SPACE_TO_BATCH_ND: { init: 4 },
  SPACE_TO_DEPTH: { params: 4, ...shaped },
  SPLIT: { params: 4 },
  SPLIT_V: { params: 4 },
  SQUARED_DIFFERENCE: { init: 112 },
  SQUEEZE: { params: 36 },
  STRIDED_SLICE: { params: 24, init: 84 },
  SUB: { params: 8, init: 52 },
  SUM: reduction,
  SVDF: { params: 12, init: 36 },
  TANH: { init: 16 },
  TRANSPOSE_CONV: { params: 20, init: [72, 80], packed: [80, 88], prepare: channels(0) },
  UNIDIRECTIONAL_SEQUENCE_LSTM: { params: 16, init: 688 },
  UNPACK: { params: 8 },
  VAR_HANDLE: { params: [8, 16], init: 4 },
  WHILE: { params: 8, init: 8 },
}

/** These keep nothing. */
const bare = new Set(
  `
BATCH_TO_SPACE_ND BROADCAST_ARGS BROADCAST_TO CEIL COS DYNAMIC_UPDATE_SLICE EXP EXPAND_DIMS FILL FLOOR FLOOR_DIV FLOOR_MOD LOG LOGICAL_AND LOGICAL_NOT
LOGICAL_OR MAXIMUM MINIMUM NEG READ_VARIABLE REVERSE_V2 ROUND SIN SLICE SQRT SQUARE TRANSPOSE ZEROS_LIKE
`
    .trim()
    .split(/\s+/),
)

export interface Build {
  word: Word
  /** as the official interpreter for Python is built: it keeps records (RecordingMicroAllocator) and can read compressed weights */
  python: boolean
}

/** What the interpreter has in the arena of itself: SingleArenaBufferAllocator, GreedyMemoryPlanner, MicroAllocator. */
const own = (python: boolean): Size[] => [python ? [52, 104] : [36, 72], [40, 72], python ? [136, 272] : [36, 72]]
const VARIABLES: Size = [12, 16]
const VARIABLE: Size = [20, 40]
const DATA_ALLOCATOR: Size = [8, 16]
const subgraphSize = (python: boolean): Size => (python ? [12, 24] : [8, 16])
const NODE: Size = [32, 64]
const HANDLE: Size = [4, 8]
const TENSOR: Size = [40, 64]
const QUANTIZATION: Size = [12, 24]

const WIDE = 16

/** SingleArenaBufferAllocator::AllocatePersistentBuffer: downwards, each aligned. */
class Bump {
  bytes = 0
  readonly word: Word
  constructor(word: Word) {
    this.word = word
  }
  size(size: Size): number {
    return typeof size === 'number' ? size : size[this.word === 4 ? 0 : 1]
  }
  take(bytes: number, alignment: number): void {
    this.bytes = Math.ceil((this.bytes + bytes) / alignment) * alignment
  }
  /** A structure with pointers, or so many. */
  words(size: Size, count = 1): void {
    this.take(this.size(size) * count, this.word)
  }
  /** MicroAllocator::AllocatePersistentBuffer */
  wide(bytes: Size): void {
    this.take(this.size(bytes), WIDE)
  }
}

/** By the tensor that VAR_HANDLE makes, the variable's name in the model. */
function handlesIn(file: TfliteFile, index: number, { ops }: FileSubgraph): Map<number, string> {
  return new Map(
    ops.flatMap(({ type, outputs: [output = -1] }, op): [number, string][] => {
      if (type !== 'VAR_HANDLE') return []
      const options = file.options(index, op)
      const name = (slot: number) => options?.text(slot) ?? ''
      return [[output, `${name(Variable.container)}\n${name(Variable.sharedName)}`]]
    }),
  )
}

function variables(bump: Bump, handles: readonly Map<number, string>[]): void {
  const count = new Set(handles.flatMap((of) => [...of.values()])).size
  if (count === 0) return
  bump.wide(VARIABLES)
  bump.wide(bump.size(VARIABLE) * count)
}

/** Init of all, then Prepare of all; false if a kernel is not known. */
function operators(
  bump: Bump,
  file: TfliteFile,
  subgraphs: readonly FileSubgraph[],
  handles: readonly Map<number, string>[],
  python: boolean,
): boolean {
  const all = subgraphs.flatMap(({ ops, tensors }, index) =>
    ops.map((op, nth) => ({
      op,
      nth,
      index,
      tensors,
      kernel: Object.hasOwn(kernels, op.type) ? kernels[op.type] : {},
    })),
  )
  if (all.some(({ op: { type } }) => !Object.hasOwn(kernels, type) && !bare.has(type))) return false
  for (const { kernel } of all) {
    const params = bump.size(kernel?.params ?? 0)
    // of bytes, of pointers, or of numbers of 32 bits
    const alignment = params % 4 !== 0 ? 1 : typeof kernel?.params === 'number' ? 4 : bump.word
    if (params > 0) bump.take(params, alignment)
  }
  for (const { kernel } of all) {
    const init = (python ? kernel?.packed : undefined) ?? kernel?.init
    if (init !== undefined) bump.wide(init)
  }
  const filled = new Set<string>()
  for (const { op, nth, index, tensors, kernel } of all) {
    const of = (list: readonly number[]) => list.map((tensor) => tensors[tensor])
    const taken = kernel?.prepare?.({
      inputs: of(op.inputs),
      outputs: of(op.outputs),
      flag: (slot) => (file.options(index, nth)?.int8(slot) ?? 0) !== 0,
      variable: (tensor) => handles[index]?.get(tensor ?? -1),
      op,
      filled,
    })
    for (const size of taken ?? []) {
      if (size === null) return false
      bump.wide(size)
    }
  }
  return true
}

/** MicroInterpreter::AllocateTensors: a list, and each with its quantisation. */
function ends(bump: Bump, subgraph: FileSubgraph, indices: readonly number[]): void {
  bump.wide(bump.word * indices.length)
  for (const index of indices) {
    const scales = subgraph.tensors[index]?.scales ?? 0
    bump.words(TENSOR)
    if (scales === 0) continue
    bump.words(QUANTIZATION)
    bump.take(listOf(scales), 4)
  }
}

/**
 * requests: of scratch, of all subgraphs. null where a kernel is not known. O(operators).
 */
export function tailByRule(
  file: TfliteFile,
  subgraphs: readonly FileSubgraph[],
  requests: number,
  { word, python }: Build,
): Tail | null {
  const bump = new Bump(word)
  const handles = subgraphs.map((subgraph, index) => handlesIn(file, index, subgraph))
  for (const size of own(python)) bump.words(size)
  variables(bump, handles)
  bump.words(DATA_ALLOCATOR)
  bump.words(subgraphSize(python), subgraphs.length)
  for (const { tensors } of subgraphs) bump.words(EVAL_TENSOR, tensors.length)
  for (const { ops } of subgraphs) bump.words(NODE, ops.length)
  if (!operators(bump, file, subgraphs, handles, python)) return null
  if (requests > 0) bump.words(HANDLE, requests)
  for (const tensor of subgraphs.flatMap(({ tensors }) => tensors)) {
    if (!tensor.variable) continue
    const bytes = bytesOf(tensor)
    if (bytes === null) return null
    bump.wide(bytes)
  }
  const planned = bump.bytes
  const [main] = subgraphs
  if (main) {
    ends(bump, main, main.inputs)
    ends(bump, main, main.outputs)
  }
  return { bytes: bump.bytes, late: bump.bytes - planned, word, by: 'rule' }
}
