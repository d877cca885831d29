/**
 * The whole arena of TFLite Micro: the head that is planned, the tail that is kept, and what planning itself takes between them for a while
 * (micro_allocator.cc, CommitStaticMemoryPlan). What kernels take for a while when they are prepared is less, but for models of very few tensors.
 */
import { thousands } from '../base/format'
import type { TfliteNumbers } from '../import/imported'

/** Of a pointer on the processors that it is made for. */
const WORD = 4
/** kMaxScratchBuffersPerOp, for which it keeps room while kernels are prepared */
const SPARE_REQUESTS = 12
/** GreedyMemoryPlanner::per_buffer_size */
const PER_BUFFER = 40

const ALIGNMENT = 16
const up = (bytes: number) => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT

/** AllocationInfo of each tensor of the file and each request, the subgraphs' places in them, and the requests; then, aligned, the planner's lists. */
function planning({ tensors, subgraphs, arena, scratch }: TfliteNumbers, word: number): number {
  const requests = scratch.tensors.length
  const infos = (2 * word + 16) * (tensors + requests) + word * subgraphs
  return up(infos + (word + 8) * (requests + SPARE_REQUESTS)) + PER_BUFFER * (arena.length + requests)
}

/** Of the tail what comes after the plan (MicroInterpreter::AllocateTensors): the inputs' and outputs' tensors, and a list of each. */
function late({ kept: { tail, inputs, outputs } }: TfliteNumbers): number {
  if (tail === null) return 0
  return tail.by === 'rule' ? tail.late : tail.late + up(tail.word * inputs) + up(tail.word * outputs)
}

/** What a tail has at least where a kernel is not known: TfLiteEvalTensor, NodeAndRegistration, and variables. */
function leastTail({ tensors, kept }: TfliteNumbers): number {
  return 3 * WORD * tensors + 8 * WORD * kept.operators + kept.variables
}

export interface Arena {
  /** the least with which it runs; where the tail is not known it takes at least that */
  bytes: number
  tail: number
  known: 'by a log' | 'by rule' | 'in part'
  /** whether any plan's head would do: planning takes more */
  planned: boolean
}

/** head: in bytes. */
export function arenaOf(tflite: TfliteNumbers, head: number): Arena {
  const { tail } = tflite.kept
  const bytes = tail?.bytes ?? leastTail(tflite)
  const during = up(bytes - late(tflite)) + planning(tflite, tail?.word ?? WORD)
  return {
    bytes: Math.max(bytes + head, during),
    tail: bytes,
    known: tail === null ? 'in part' : `by ${tail.by === 'rule' ? 'rule' : 'a log'}`,
    planned: during >= bytes + head,
  }
}

/** What to know of it, a sentence. */
export function arenaNote(tflite: TfliteNumbers, head: number): string {
  const { bytes, tail, known, planned } = arenaOf(tflite, head)
  const why = planned ? ', whatever the plan: while it plans it needs more than the head' : ''
  if (known === 'by a log')
    return `With the tail of ${thousands(tail)} bytes that the log has, the least arena that runs is ${thousands(bytes)} bytes${why}.`
  if (known === 'by rule')
    return (
      `With the tail of ${thousands(tail)} bytes that TFLite Micro and its reference kernels keep on a 32-bit processor, the least arena that runs is ` +
      `${thousands(bytes)} bytes${why}. A log of the device tells it to the byte.`
    )
  return (
    `The tail beside it takes at least ${thousands(tail)} bytes on a 32-bit processor, and what kernels keep: ` +
    `no arena below ${thousands(bytes)} bytes runs${why}. A log of TFLite Micro tells it to the byte.`
  )
}
