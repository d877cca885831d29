import type { ExistingPlan, ImportAnswers, Imported, Progress, TfliteNumbers } from '../imported'
import type { Source } from '../source'
import { build } from './build'
import { type FileSubgraph, isTflite, TfliteFile } from './file'
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
 * elements (AllocationInfo::needs_allocating), also if nothing uses them.
 */
function arenaOf(file: TfliteFile, subgraphs: readonly FileSubgraph[]): number[] {
  const arena: number[] = []
  let number = 0
  for (const { tensors } of subgraphs)
    for (const { variable, external, shape, buffer } of tensors) {
      if (!variable && !external && !shape.includes(0) && file.dataBytes(buffer) === 0) arena.push(number)
      number++
    }
  return arena
}

/** Throws Refusal. */
export function readTflite(source: Source, answers: ImportAnswers, progress?: Progress): Imported {
  const file = new TfliteFile(source)
  const subgraphs = file.subgraphs(progress && ((done) => progress(done / 2)))
  progress?.(0.5)
  const shapes = new Shapes(answers)
  const { graph, notes, numbers, repeated } = build(file, subgraphs, shapes)
  const questions = shapes.questions()
  if (questions.length > 0) {
    const what = questions.length === 1 ? 'one answer is' : `${questions.length} answers are`
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
  }
  progress?.(1)
  return {
    ok: true,
    format: 'tflite',
    graph,
    notes: [...shapes.notes(), ...notes, ...(offline?.note ? [offline.note] : [])],
    ...(plan ? { plan } : {}),
    tflite,
  }
}
