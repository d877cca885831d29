/** The door of the importers: takes a file of any kind, says which it is and has its reader read it. */
import type { Graph } from './graph'
import { readGraphJson } from './graph_json'
import { importOnnx, isOnnx } from './onnx/read'
import { Refusal } from './refusal'
import type { Source } from './source'
import { isCsv, isTflmLog, isVelaTable, looksLikeJson, textOf } from './text/sniff'
import { readTflmLog } from './text/tflm_log'
import { readVelaTable } from './text/vela'
import { isTflite, readTflite } from './tflite/read'

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

interface Reader {
  is(source: Source): boolean
  read(source: Source, answers: ImportAnswers, progress?: Progress): Imported
}

/** The first that takes the file for its own reads it. */
const readers: readonly Reader[] = [
  { is: isTflite, read: readTflite },
  { is: isOnnx, read: importOnnx },
  { is: looksLikeJson, read: readGraphJson },
  { is: isTflmLog, read: readTflmLog },
  { is: isVelaTable, read: readVelaTable },
  { is: isCsv, read: (source) => ({ ok: true, csv: textOf(source), notes: [], format: 'csv' }) },
]

const KNOWN =
  'a TFLite or ONNX model, a graph in JSON or CSV, a buffer CSV, a table of Vela or a memory plan of TFLite Micro'

/** name: of the file, for messages and for a graph without one. Never throws on account of the file's content. */
export function importModel(source: Source, name: string, answers: ImportAnswers, progress?: Progress): Imported {
  const refuse = (why: string): NotImported => ({ ok: false, message: `${name}: ${why}`, questions: [] })
  if (source.size === 0) return refuse('the file is empty.')
  try {
    const reader = readers.find((one) => one.is(source))
    if (!reader) return refuse(`this is not ${KNOWN}.`)
    const imported = reader.read(source, answers, progress)
    if (!imported.ok) return { ...imported, message: `${name}: ${imported.message}` }
    if ('graph' in imported && imported.graph.ops.length === 0)
      return refuse('the model has no operators, so there is nothing to plan.')
    if ('graph' in imported && imported.graph.name === '')
      return { ...imported, graph: { ...imported.graph, name: name.replace(/\.[^.]*$/, '') } }
    return imported
  } catch (error) {
    if (error instanceof Refusal) return refuse(error.message)
    throw error
  }
}
