/** What importers ask for and give. */
import type { Graph } from './graph'

/** What the person said to the questions of an earlier attempt. */
export interface ImportAnswers {
  /** sides that the file leaves open, by name */
  dims: Record<string, number>
  /** sizes of tensors that cannot be known from the file, by id */
  bytes: Record<string, number>
  /** fold batch normalisation and activations into the operator before them, where the format lists them apart */
  fuse: boolean
}

export const NO_ANSWERS: ImportAnswers = { dims: {}, bytes: {}, fuse: true }

/** Something that the file does not say. The answer goes under its name into dims or bytes, and the file is read again. */
export interface Question {
  kind: 'dim' | 'bytes'
  name: string
  text: string
  suggestion?: number
}

/** Where a plan that came with the file puts each tensor of the graph (or row of the CSV): bytes, null for nowhere. */
export interface ExistingPlan {
  name: string
  offsets: (number | null)[]
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
}

export interface ImportedGraph {
  ok: true
  graph: Graph
  /** what was assumed or left out, a sentence each */
  notes: string[]
  plan?: ExistingPlan
  format: string
  tflite?: TfliteNumbers
}

/** A list of buffers as buffer CSV; or, with the format 'csv', the file's own text, which the core reads (buffers or a graph). */
export interface ImportedBuffers {
  ok: true
  csv: string
  notes: string[]
  plan?: ExistingPlan
  format: string
}

/** questions empty: the file cannot be read, and the message says why and where. */
export interface NotImported {
  ok: false
  message: string
  questions: Question[]
}

export type Imported = ImportedGraph | ImportedBuffers | NotImported

export type Progress = (done: number) => void
