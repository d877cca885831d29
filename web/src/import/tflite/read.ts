import type { Graph } from '../graph'
import type { ExistingPlan, ImportAnswers, Imported, Kept, Progress, Scratch, TfliteNumbers } from '../imported'
import type { Source } from '../source'
import { build, UNPACKS } from './build'
import { type FileSubgraph, isTflite, TfliteFile } from './file'
import { handlesOf } from './handles'
import { checkLog, type LogOf, readLog, Told } from './requests'
import { choicesOf } from './runs'
import { OFFLINE_PLAN } from './schema'
import { Shapes } from './shapes'
import { tailByRule } from './tail'

export { isTflite }

/** What the words before the offsets take: version, subgraphs, number of offsets. */
const HEAD_WORDS = 3

interface Offline {
  /** per tensor of the file; -1 is left to the runtime */
  offsets: readonly number[]
  note: string
}

function offlinePlan(file: TfliteFile, tensors: number): Offline | null {
  const entry = file.metadata().findLast(({ name }) => name === OFFLINE_PLAN)
  if (!entry) return null
  const without = (note: string): Offline => ({
    offsets: [],
    note: `The file's offline memory plan is not shown: ${note}.`,
  })
  const bytes = file.words(entry.buffer, HEAD_WORDS + tensors)
  if (!bytes) return without(`metadata ${OFFLINE_PLAN} names buffer ${entry.buffer}, which has no such plan`)
  const [, , count = 0] = bytes
  if (count !== tensors || bytes.length < HEAD_WORDS + tensors)
    return without(`it is for ${count} tensors, and the file has ${tensors}; TFLite Micro refuses such a model`)
  return { offsets: bytes.slice(HEAD_WORDS, HEAD_WORDS + tensors), note: '' }
}

function planOf(offline: Offline, numbers: readonly (number | null)[]): ExistingPlan | undefined {
  if (offline.offsets.length === 0) return undefined
  const offsets = numbers.map((number) => {
    const offset = number === null ? -1 : (offline.offsets[number] ?? -1)
    return offset >= 0 ? offset : null
  })
  return { name: OFFLINE_PLAN, offsets }
}

/**
 * The numbers of the tensors that TFLite Micro places, in its order: of every subgraph those without data that are no variables and have
 * elements (AllocationInfo::needs_allocating), also if nothing uses them. Handles of resources point elsewhere before it looks.
 */
function arenaOf(file: TfliteFile, subgraphs: readonly FileSubgraph[]): number[] {
  const arena: number[] = []
  let number = 0
  for (const subgraph of subgraphs) {
    const handles = handlesOf(subgraph)
    for (const [index, { variable, external, shape, buffer }] of subgraph.tensors.entries()) {
      const elsewhere = variable || external || handles.has(index)
      if (!elsewhere && !shape.includes(0) && file.dataBytes(buffer) === 0) arena.push(number)
      number++
    }
  }
  return arena
}

const REQUESTERS: Readonly<Record<Scratch['kernels'], string>> = {
  reference: 'TFLite Micro’s reference kernels request',
  'cmsis-nn-dsp': 'CMSIS-NN requests',
  'cmsis-nn-helium': 'CMSIS-NN requests',
  none: 'you added',
  log: 'the log has',
}

/** What is known of the kernels' memory beside the tensors: it is in no file. */
function ofScratch(graph: Graph, { tensors, kernels, unknown }: Scratch): string[] {
  const notes: string[] = []
  const bytes = tensors.reduce((sum, tensor) => sum + (graph.tensors[tensor]?.bytes ?? 0), 0)
  if (tensors.length > 0)
    notes.push(`Scratch that ${REQUESTERS[kernels]} is part of it: ${tensors.length} buffers, ${bytes} bytes together.`)
  if (unknown.length > 0) {
    const more = unknown.length > 3 ? ` and ${unknown.length - 3} more` : ''
    notes.push(
      `What the kernels of ${unknown.slice(0, 3).join(', ')}${more} need as scratch is not known, and not part of it: add it, or a log of TFLite Micro.`,
    )
  }
  return notes
}

function keptOf({ tensors }: Graph, subgraphs: readonly FileSubgraph[], tail: Kept['tail']): Kept {
  return {
    variables: tensors.reduce((sum, { bytes, kind }) => sum + (kind.variable ? bytes : 0), 0),
    operators: subgraphs.reduce((sum, { ops }) => sum + ops.length, 0),
    inputs: subgraphs[0]?.inputs.length ?? 0,
    outputs: subgraphs[0]?.outputs.length ?? 0,
    tail,
  }
}

/** Throws Refusal if the log is not of this model. */
function checkAgainst(
  log: LogOf,
  { tensors }: Graph,
  numbers: readonly (number | null)[],
  arena: readonly number[],
): void {
  const byNumber = new Map(numbers.map((number, tensor) => [number, tensors[tensor]]))
  const placed = arena.map((number) => byNumber.get(number))
  checkLog(
    log,
    placed.map((tensor) => tensor?.bytes ?? null),
    placed.map((tensor) => tensor?.id ?? ''),
  )
}

/** What TFLite Micro runs on. */
const DEVICE = { word: 4, python: false } as const

/** Throws Refusal. */
export function readTflite(source: Source, answers: ImportAnswers, progress?: Progress): Imported {
  const file = new TfliteFile(source)
  const subgraphs = file.subgraphs(progress && ((done) => progress(done / 2)))
  progress?.(0.5)
  const shapes = new Shapes(answers)
  const { kernels = 'reference' } = answers
  const arena = arenaOf(file, subgraphs)
  const log = answers.log === undefined ? null : readLog(answers.log)
  const told = new Told(answers.scratch ?? [], log, arena.length)
  const { graph, notes, numbers, repeated, scratch } = build(file, subgraphs, shapes, answers, told)
  const questions = shapes.questions()
  const asked = questions.filter(({ like }) => like === undefined).length
  if (questions.length > 0) {
    const what = asked === 1 ? 'one answer is' : `${asked} answers are`
    return { ok: false, message: `the file leaves sizes open, ${what} needed.`, questions }
  }
  if (log) checkAgainst(log, graph, numbers, arena)
  const tensors = subgraphs.reduce((count, subgraph) => count + subgraph.tensors.length, 0)
  const offline = offlinePlan(file, tensors)
  const plan = offline ? planOf(offline, numbers) : undefined
  const choices = choicesOf(file, subgraphs)
  const requests = scratch.tensors.length
  // subgraphs that are left out have requests too
  const ruled =
    kernels === 'reference' && scratch.unknown.length === 0 && (choices.length === 0 || answers.runs === 'all')
  const tflite: TfliteNumbers = {
    tensors,
    subgraphs: subgraphs.length,
    numbers,
    repeated,
    arena,
    scratch: { ...scratch, kernels: told.byLog ? 'log' : kernels },
    kept: keptOf(graph, subgraphs, log?.tail ?? (ruled ? tailByRule(file, subgraphs, requests, DEVICE) : null)),
  }
  progress?.(1)
  return {
    ok: true,
    format: 'tflite',
    ...(subgraphs.some(({ ops }) => ops.some(({ type }) => UNPACKS.includes(type)))
      ? { switches: ['fold' as const] }
      : {}),
    ...(choices.length > 0 ? { choices } : {}),
    graph,
    notes: [
      ...shapes.notes(),
      ...notes,
      ...told.notes(),
      ...ofScratch(graph, tflite.scratch),
      ...(offline?.note ? [offline.note] : []),
    ],
    ...(plan ? { plan } : {}),
    tflite,
  }
}
