import type { Graph } from '../graph'
import type { ExistingPlan, ImportAnswers, Imported, Progress, Scratch, TfliteNumbers } from '../imported'
import type { Source } from '../source'
import { build, UNPACKS } from './build'
import { type FileSubgraph, isTflite, TfliteFile } from './file'
import { handlesOf } from './handles'
import { choicesOf } from './runs'
import { OFFLINE_PLAN } from './schema'
import { Shapes } from './shapes'

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

/** What is known of the kernels' memory beside the tensors: it is in no file. */
function ofScratch(graph: Graph, { tensors, kernels, unknown }: Scratch): string[] {
  const notes: string[] = []
  const bytes = tensors.reduce((sum, tensor) => sum + (graph.tensors[tensor]?.bytes ?? 0), 0)
  const whose = kernels === 'reference' ? 'TFLite Micro’s reference kernels' : 'CMSIS-NN'
  if (tensors.length > 0)
    notes.push(`Scratch that ${whose} request is part of it: ${tensors.length} buffers, ${bytes} bytes together.`)
  if (unknown.length > 0) {
    const more = unknown.length > 3 ? ` and ${unknown.length - 3} more` : ''
    notes.push(
      `What the kernels of ${unknown.slice(0, 3).join(', ')}${more} need as scratch is not known, and not part of it.`,
    )
  }
  return notes
}

/** Throws Refusal. */
export function readTflite(source: Source, answers: ImportAnswers, progress?: Progress): Imported {
  const file = new TfliteFile(source)
  const subgraphs = file.subgraphs(progress && ((done) => progress(done / 2)))
  progress?.(0.5)
  const shapes = new Shapes(answers)
  const { kernels = 'reference' } = answers
  const { graph, notes, numbers, repeated, scratch } = build(file, subgraphs, shapes, answers)
  const questions = shapes.questions()
  const asked = questions.filter(({ like }) => like === undefined).length
  if (questions.length > 0) {
    const what = asked === 1 ? 'one answer is' : `${asked} answers are`
    return { ok: false, message: `the file leaves sizes open, ${what} needed.`, questions }
  }
  const tensors = subgraphs.reduce((count, subgraph) => count + subgraph.tensors.length, 0)
  const offline = offlinePlan(file, tensors)
  const plan = offline ? planOf(offline, numbers) : undefined
  const tflite: TfliteNumbers = {
    tensors,
    subgraphs: subgraphs.length,
    numbers,
    repeated,
    arena: arenaOf(file, subgraphs),
    scratch: { ...scratch, kernels },
  }
  const choices = choicesOf(file, subgraphs)
  progress?.(1)
  return {
    ok: true,
    format: 'tflite',
    ...(subgraphs.some(({ ops }) => ops.some(({ type }) => UNPACKS.includes(type)))
      ? { switches: ['fold' as const] }
      : {}),
    ...(choices.length > 0 ? { choices } : {}),
    graph,
    notes: [...shapes.notes(), ...notes, ...ofScratch(graph, tflite.scratch), ...(offline?.note ? [offline.note] : [])],
    ...(plan ? { plan } : {}),
    tflite,
  }
}
