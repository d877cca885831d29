import type { Graph } from '../../web/src/import/graph'
import {
  type ImportAnswers,
  type ImportedBuffers,
  type ImportedGraph,
  NO_ANSWERS,
  type NotImported,
} from '../../web/src/import/imported'
import { importModel } from '../../web/src/import/model'
import { fromBytes } from '../../web/src/import/source'

type File = Uint8Array | string

export function read(file: File, answers: Partial<ImportAnswers> = {}) {
  const bytes = typeof file === 'string' ? new TextEncoder().encode(file) : file
  return importModel(fromBytes(bytes), 'file', { ...NO_ANSWERS, ...answers })
}

export function readGraph(file: File, answers: Partial<ImportAnswers> = {}): ImportedGraph {
  const imported = read(file, answers)
  if (!imported.ok) throw new Error(imported.message)
  if (!('graph' in imported)) throw new Error(`a ${imported.format} is no graph`)
  return imported
}

export function readBuffers(file: File): ImportedBuffers {
  const imported = read(file)
  if (!imported.ok) throw new Error(imported.message)
  if ('graph' in imported) throw new Error('a graph is no list of buffers')
  return imported
}

export function refusal(file: File, answers: Partial<ImportAnswers> = {}): NotImported {
  const imported = read(file, answers)
  if (imported.ok) throw new Error('the file was read')
  return imported
}

/** One line for each operator: type, inputs -> outputs. */
export function opLines(graph: Graph): string[] {
  const ids = (indices: readonly number[]) => indices.map((index) => graph.tensors[index]?.id).join(', ')
  return graph.ops.map(({ id, inputs, outputs }) => `${id}: ${ids(inputs)} -> ${ids(outputs)}`)
}

/** Half-open lifespans by the plain rules: from its producer, or the beginning, to its last reader, or the end. */
export function lifespans(graph: Graph): Map<string, [number, number]> {
  const end = graph.ops.length
  return new Map(
    graph.tensors.map(({ id, kind }, index) => {
      const made = graph.ops.findIndex(({ outputs }) => outputs.includes(index))
      const last = graph.ops.findLastIndex(({ inputs }) => inputs.includes(index))
      const lower = kind.input || made < 0 ? 0 : made
      return [id, [lower, kind.output ? end : Math.max(lower, last) + 1]]
    }),
  )
}
