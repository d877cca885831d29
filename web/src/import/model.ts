/** Where every import begins: takes a file of any kind, says which it is and has its reader read it. */
import { readGraphJson } from './graph_json'
import type { ImportAnswers, Imported, ImportedBuffers, ImportedGraph, NotImported, Progress } from './imported'
import { isExecutorch, readExecutorch } from './executorch/read'
import { importOnnx, isOnnx } from './onnx/read'
import { isPlanJson, readPlanJson } from './plan_json'
import { Refusal } from './refusal'
import type { Source } from './source'
import { foreign } from './text/foreign'
import { readIree } from './text/iree'
import { isOtherTable, refuseOtherTable } from './text/other_table'
import { isCsv, isIreeText, isTflmLog, isVelaTable, isXlaBeside, isXlaDump, looksLikeJson, textOf } from './text/sniff'
import { readTflmLog } from './text/tflm_log'
import { readVelaTable } from './text/vela'
import { readXla } from './text/xla'
import { isTflite, readTflite } from './tflite/read'
import { noScratch } from './tflite/requests'
import { isPickle, readSnapshot } from './torch/snapshot'
import { isChromeTrace, readChromeTrace } from './trace/chrome_trace'

interface Reader {
  is(source: Source): boolean
  read(source: Source, answers: ImportAnswers, progress?: Progress): Imported
}

/** The first that takes the file for its own reads it. */
const readers: readonly Reader[] = [
  { is: isTflite, read: readTflite },
  { is: isExecutorch, read: readExecutorch },
  { is: isPickle, read: readSnapshot },
  { is: isOnnx, read: importOnnx },
  { is: isChromeTrace, read: readChromeTrace },
  { is: isPlanJson, read: readPlanJson },
  { is: looksLikeJson, read: readGraphJson },
  { is: isTflmLog, read: readTflmLog },
  { is: isVelaTable, read: readVelaTable },
  { is: (source) => isXlaDump(source) || isXlaBeside(source), read: readXla },
  { is: isIreeText, read: readIree },
  { is: isOtherTable, read: refuseOtherTable },
  { is: isCsv, read: (source) => ({ ok: true, csv: textOf(source), notes: [], format: 'csv' }) },
]

const KNOWN =
  'a TFLite, ONNX or ExecuTorch model, a graph in JSON or CSV, a buffer CSV, a plan of TFLite Micro, Vela, XLA or IREE, a snapshot of PyTorch or a memory trace'

/** Rows of scratch as the operators' workspaces; those of a TFLite are requests of their own, which its reader makes. */
function withScratch(imported: ImportedGraph | ImportedBuffers, { scratch = [] }: ImportAnswers) {
  if (!('graph' in imported) || imported.tflite || scratch.length === 0) return imported
  const used = new Set<string>()
  const ops = imported.graph.ops.map((op) => {
    const own = scratch.filter((row) => row.op === op.id)
    const rows = own.length > 0 ? own : scratch.filter((row) => row.op === op.type)
    for (const row of rows) used.add(row.op)
    return rows.length === 0 ? op : { ...op, workspace: rows.reduce((sum, { bytes }) => sum + bytes, 0) }
  })
  const idle = scratch.filter(({ op }) => !used.has(op)).map(({ op }) => noScratch(op))
  return { ...imported, graph: { ...imported.graph, ops }, notes: [...imported.notes, ...idle] }
}

/** name: of the file, for messages and for a graph without one. Never throws on account of the file's content. */
export function importModel(source: Source, name: string, answers: ImportAnswers, progress?: Progress): Imported {
  const refuse = (why: string): NotImported => ({ ok: false, message: `${name}: ${why}`, questions: [] })
  if (source.size === 0) return refuse('the file is empty.')
  try {
    const other = foreign(source)
    if (other !== null) return refuse(other)
    const reader = readers.find((one) => one.is(source))
    if (!reader) return refuse(`this is not ${KNOWN}.`)
    const imported = reader.read(source, answers, progress)
    if (!imported.ok) return { ...imported, message: `${name}: ${imported.message}` }
    if ('graph' in imported && imported.graph.ops.length === 0)
      return refuse('the model has no operators, so there is nothing to plan.')
    const told = withScratch(imported, answers)
    if ('graph' in told && told.graph.name === '')
      return { ...told, graph: { ...told.graph, name: name.replace(/\.[^.]*$/, '') } }
    return told
  } catch (error) {
    if (error instanceof Refusal) return refuse(error.message)
    throw error
  }
}
