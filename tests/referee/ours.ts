/** What we make of a model, for the referee to compare. */
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { basename } from 'node:path'
import { Core } from '../../wasm/client/core'
import { loadExports } from '../../wasm/client/module'
import { arenaOf } from '../../web/src/export/tflm_arena'
import type { Graph, Op } from '../../web/src/import/graph'
import { writeGraphCsv } from '../../web/src/import/graph_csv'
import {
  type ImportAnswers,
  type ImportedGraph,
  NO_ANSWERS,
  type NotImported,
  type TfliteNumbers,
} from '../../web/src/import/imported'
import { importModel } from '../../web/src/import/model'
import { fromBytes, fromFetch } from '../../web/src/import/source'
import { type FileSubgraph, TfliteFile } from '../../web/src/import/tflite/file'
import { tailByRule } from '../../web/src/import/tflite/tail'
import { litertScratch } from './litert_scratch'
import { parse } from '../../web/tools/model_flags'
import { solve } from '../../web/tools/model_solve'

export { unpacked } from '../import/package_models'
export { randomModel } from './random_models'

export interface Ours {
  graph: Graph
  /** 'float32[1, 2]' by tensor: its name in an ONNX model, its number in a TFLite */
  tensors: Record<string, string>
  /** sides of the model's inputs */
  inputs: Record<string, readonly number[]>
  /** whether these are the sizes in the file */
  asWritten: boolean
}

export interface Open {
  /** why there is no graph, and what would have to be answered */
  message: string
  asked: string[]
}

function importAs(path: string, answers: ImportAnswers): ImportedGraph | NotImported {
  const file = openSync(path, 'r')
  try {
    const source = fromFetch(fstatSync(file).size, (from, length) => {
      const bytes = new Uint8Array(length)
      readSync(file, bytes, 0, length, from)
      return bytes
    })
    const made = importModel(source, basename(path), answers)
    return made.ok && !('graph' in made) ? { ok: false, message: 'no graph', questions: [] } : made
  } finally {
    closeSync(file)
  }
}

function mainOf(path: string): FileSubgraph | undefined {
  return new TfliteFile(fromBytes(new Uint8Array(readFileSync(path)))).subgraphs()[0]
}

/** Questions with a suggestion are answered by it. */
function readWith(path: string, answers: ImportAnswers): ImportedGraph | NotImported {
  const made = importAs(path, answers)
  if (made.ok || made.questions.length === 0) return made
  const dims = { ...answers.dims }
  for (const { kind, name, suggestion } of made.questions)
    if (kind === 'dim' && suggestion !== undefined) dims[name] ??= suggestion
  return importAs(path, { ...answers, dims })
}

/** As it is written in the file, so that the tensors are those that a runtime makes. */
export function read(path: string, told: Partial<ImportAnswers>): Ours | Open {
  const made = readWith(path, { ...NO_ANSWERS, ...told, fold: false, fuse: false, qdq: false })
  if (!made.ok) {
    const needed = made.questions.filter(({ optional }) => !optional)
    return { message: made.message, asked: needed.map(({ kind, name }) => `${kind} ${name}`) }
  }
  const { graph, tflite } = made
  // a runtime's numbers go on with its own behind those of the main subgraph
  const main = tflite ? mainOf(path) : undefined
  const own = main?.tensors.length ?? Number.POSITIVE_INFINITY
  const tensors: Record<string, string> = {}
  const inputs: Record<string, readonly number[]> = {}
  graph.tensors.forEach(({ id, dtype, shape, kind }, k) => {
    const number = tflite?.numbers[k]
    if (shape === undefined || number === null || (number ?? 0) >= own) return
    const name = number === undefined ? id : String(number)
    tensors[name] = `${dtype}[${shape.join(', ')}]`
    if (kind.input) inputs[name] = shape
  })
  // TFLite Micro takes an open size for the 1 that the file has in its place
  const asWritten =
    Object.keys(told.dims ?? {}).length === 0 &&
    Object.entries(inputs).every(([name, sides]) => main?.tensors[Number(name)]?.shape.join() === sides.join())
  return { graph, tensors, inputs, asWritten }
}

const IN_PYTHON = { word: 8, python: true } as const

/** The tail without a log, and the least arena with it. */
function byRule(path: string, tflite: TfliteNumbers, head: number): Record<string, string> {
  const file = new TfliteFile(fromBytes(new Uint8Array(readFileSync(path))))
  const tail = tailByRule(file, file.subgraphs(), tflite.scratch.tensors.length, IN_PYTHON)
  if (tail === null) return {}
  const { bytes } = arenaOf({ ...tflite, kept: { ...tflite.kept, tail } }, head)
  return { tail: `${tail.bytes} bytes`, 'least arena by rule': `${up(bytes)} bytes` }
}

const up = (bytes: number) => Math.ceil(bytes / 16) * 16

let core: Core | null = null

/** With what its reference kernels take for themselves, of which no file tells. */
function asLitert(path: string, told: Partial<ImportAnswers>): ImportedGraph | NotImported {
  const answers = { ...NO_ANSWERS, ...told, kernels: 'none' as const }
  const made = readWith(path, answers)
  return made.ok ? readWith(path, { ...answers, scratch: litertScratch(made.graph) }) : made
}

/** It allocates all that the file has, and computes nothing beforehand. */
function asTflm(path: string, told: Partial<ImportAnswers>, log: string | undefined): ImportedGraph | NotImported {
  return readWith(path, { ...NO_ANSWERS, ...told, fold: false, runs: 'all', ...(log === undefined ? {} : { log }) })
}

/**
 * LiteRT gathers what an operator allocates in an unordered set, its output before its scratch, and sorts what it finds there: of equal size and birth it takes
 * what came into the set last (libstdc++ puts it in front). So scratch goes before all else, the last request first.
 */
function scratchFirst(made: ImportedGraph, { scratch, numbers }: TfliteNumbers): [Graph, (number | null)[]] {
  const { graph } = made
  const first = [...scratch.tensors].reverse()
  const order = [...first, ...graph.tensors.map((_, tensor) => tensor).filter((tensor) => !first.includes(tensor))]
  const place = new Map(order.map((tensor, k) => [tensor, k]))
  const moved = (tensor: number) => place.get(tensor) ?? tensor
  const pairs = (all: Op['alias']) => all?.map(([output, input]) => [moved(output), moved(input)] as const) ?? []
  const ops = graph.ops.map((op) => ({
    ...op,
    inputs: op.inputs.map(moved),
    outputs: op.outputs.map(moved),
    inplace: pairs(op.inplace),
    alias: pairs(op.alias),
  }))
  const tensors = order.flatMap((tensor) => graph.tensors[tensor] ?? [])
  return [{ ...graph, tensors, ops }, order.map((tensor) => numbers[tensor] ?? null)]
}

/** The arena of a planner: its height, and where each tensor of the file is; null if there is more than one. wasm: the core, a file. */
export async function arena(
  path: string,
  told: Partial<ImportAnswers>,
  planner: 'tflm' | 'litert',
  wasm: string,
  log?: string,
): Promise<Record<string, string> | null> {
  const litert = planner === 'litert'
  const made = litert ? asLitert(path, told) : asTflm(path, told, log)
  if (!made.ok || !made.tflite) throw new Error('a model that was read before is not read now')
  const own = mainOf(path)?.tensors.length ?? 0
  const inner = made.graph.tensors.some(
    ({ bytes, kind }, tensor) => !kind.constant && bytes > 0 && (made.tflite?.numbers[tensor] ?? 0) >= own,
  )
  if (litert && inner) return null
  core ??= new Core(await loadExports(new Uint8Array(readFileSync(wasm))))
  const flags = parse([`--planner=${planner}`, '--workspace=true', made.graph.name || 'model'])
  const [graph, numbers] = litert ? scratchFirst(made, made.tflite) : [made.graph, made.tflite.numbers]
  const { stats, model, best } = solve(core, graph.name, writeGraphCsv(graph), true, flags)
  const places = numbers.flatMap((number, tensor) => {
    const offset = best?.[model?.tensors.buffer[tensor] ?? -1]
    return number === null || offset === undefined ? [] : [{ number, offset, bytes: graph.tensors[tensor]?.bytes ?? 0 }]
  })
  // of LiteRT's arena no more is seen than what holds the file's tensors
  const bottom = litert ? Math.min(...places.map(({ offset }) => offset)) : 0
  const top = Math.max(...places.map(({ offset, bytes }) => offset + bytes))
  const height = litert ? top - bottom : up(stats.height)
  const figures: Record<string, string> = { arena: `${height} bytes` }
  if (!litert) figures['least arena'] = `${up(arenaOf(made.tflite, height).bytes)} bytes`
  if (!litert) Object.assign(figures, byRule(path, made.tflite, height))
  for (const { number, offset } of places) figures[number] = `at ${offset - bottom}`
  return figures
}

/** What is read of Vela's tables, and the height at which its hill climb, here, puts what is in them. */
export async function ofTable(text: string, wasm: string): Promise<Record<string, string>> {
  const made = importModel(fromBytes(new TextEncoder().encode(text)), 'vela.txt', NO_ANSWERS)
  if (!made.ok || !('csv' in made)) throw new Error(made.ok ? 'no table' : made.message)
  core ??= new Core(await loadExports(new Uint8Array(readFileSync(wasm))))
  const { problem, stats } = solve(core, 'vela', made.csv, false, parse(['--solver=vela-hill-climb', 'vela.txt']))
  const tops = (made.plan?.offsets ?? []).map((offset, buffer) => (offset ?? 0) + (problem.size[buffer] ?? 0))
  return { 'height of the table': `${Math.max(0, ...tops)} bytes`, 'height by hill climb': `${stats.height} bytes` }
}
