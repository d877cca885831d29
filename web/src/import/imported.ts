/** What importers ask for and give. */
import type { Graph } from './graph'
import type { PackedGraph } from './packed'
import type { RunChoice, Runs } from './tflite/runs'
import type { Kernels } from './tflite/scratch'

export type { RunChoice, Runs }

/** Scratch of one operator by its name, or of all of a kind. Several rows of one are several requests. */
export interface ScratchRow {
  op: string
  bytes: number
}

/** What the person said to the questions of an earlier attempt. */
export interface ImportAnswers {
  /** sides that the file leaves open, by name */
  dims: Record<string, number>
  /** sizes of tensors that cannot be known from the file, by id */
  bytes: Record<string, number>
  /** the numbers in small inputs, by id; one stands for all elements */
  values: Record<string, readonly number[]>
  /** compute beforehand what works on constants alone, and leave out what does nothing or what nobody reads */
  fold: boolean
  /** fold batch normalisation and activations into the operator before them, where the format lists them apart */
  fuse: boolean
  /** whose kernels of TFLite Micro run a TFLite: they decide on scratch memory that is not in the file; absent: the reference ones */
  kernels?: Kernels
  /** scratch that a person knows of: goes before all rules */
  scratch?: readonly ScratchRow[]
  /** what TFLite Micro printed of the model's arena on a device: goes before the kernels' rules */
  log?: string
  /** which subgraph of a TFLite runs; absent: the main one */
  runs?: Runs
  /** which of several lists of buffers is read; absent: the first */
  part?: string
  /** take operators between DequantizeLinear and QuantizeLinear as operators on integers, where the format writes them so */
  qdq: boolean
}

/** The answers that are choices. A file has those that make a difference to it. */
export type Switch = 'fold' | 'fuse' | 'qdq'

export const NO_ANSWERS: ImportAnswers = { dims: {}, bytes: {}, values: {}, fold: true, fuse: true, qdq: true }

/** Something that the file does not say. The answer goes under its name into dims, bytes or values, and the file is read again. */
export interface Question {
  kind: 'dim' | 'bytes' | 'value'
  name: string
  text: string
  suggestion?: number
  /** name of another question, whose answer holds for this one unless it has its own */
  like?: string
  /** the file can be read without an answer */
  optional?: boolean
}

/** Where a plan that came with the file puts each tensor of the graph (or row of the CSV): bytes, null for nowhere. */
export interface ExistingPlan {
  name: string
  offsets: (number | null)[]
  /** bytes that the tool took for it, where that is more than its height; absent: no more */
  reserved?: number
}

/** How the tensors of a graph are numbered in the .tflite that they came from. */
export interface TfliteNumbers {
  /** of all subgraphs */
  tensors: number
  subgraphs: number
  /** per tensor of the graph its number in the file, all subgraphs counted through; null if it has none of its own */
  numbers: (number | null)[]
  /** the numbers of tensors of subgraphs that are run from several places, which have several tensors in the graph */
  repeated: number[]
  /** the numbers of the tensors that TFLite Micro places in its arena, in its order */
  arena: number[]
  scratch: Scratch
  kept: Kept
}

/** The persistent part of TFLite Micro’s arena. */
export interface Tail {
  bytes: number
  /** of them the tensors that are made once the plan is: they do not meet what planning takes */
  late: number
  /** bytes of a pointer on the device */
  word: number
  /** a log does not have the lists of inputs and outputs, which are late too */
  by: 'log' | 'rule'
}

/** Of the persistent part of TFLite Micro's arena, its tail. */
export interface Kept {
  /** of variables, which it holds beside the plan */
  variables: number
  operators: number
  /** of the main subgraph */
  inputs: number
  outputs: number
  /** as a log tells it, or what the reference kernels keep on 32 bits by rule; null: neither is known */
  tail: Tail | null
}

/** What kernels request beside the tensors. */
export interface Scratch {
  /** 'log': whose log told it */
  kernels: Kernels | 'log'
  /** tensors of the graph, in the order of the requests, which are planned behind all tensors of the file */
  tensors: number[]
  /** operators of whose kernels nothing is known */
  unknown: string[]
}

export interface ImportedGraph<G = Graph> {
  ok: true
  graph: G
  /** what was assumed or left out, a sentence each */
  notes: string[]
  plan?: ExistingPlan
  format: string
  /** absent: none */
  switches?: readonly Switch[]
  /** what was asked, or could be told, on the way to it; absent: nothing */
  asked?: readonly Question[]
  /** what else of it could run; absent: there is no choice */
  choices?: readonly RunChoice[]
  tflite?: TfliteNumbers
}

/** A list of buffers as buffer CSV; or, with the format 'csv', the file's own text, which the core reads (buffers or a graph). */
export interface ImportedBuffers {
  ok: true
  csv: string
  notes: string[]
  plan?: ExistingPlan
  format: string
  /** the lists of buffers that the file holds, by the names under which they are asked for; absent, or empty: there is one */
  parts?: readonly string[]
  /** the one that was read */
  part?: string
  /** bytes of memory that its plan was made for; absent, or 0: none is told */
  capacity?: number
}

/** questions empty: the file cannot be read, and the message says why and where. */
export interface NotImported {
  ok: false
  message: string
  questions: Question[]
  /** it is one of two files of this kind, and can be read with the other */
  half?: 'xla'
}

export type Imported<G = Graph> = ImportedGraph<G> | ImportedBuffers | NotImported
/** As the worker hands it over. */
export type Handed = Imported<PackedGraph>

export type Progress = (done: number) => void
