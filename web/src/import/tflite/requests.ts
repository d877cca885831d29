/**
 * What kernels request as scratch beside the rules of scratch.ts: rows that a person adds, and the log of a TFLite Micro that was made on the device
 * (MicroMemoryPlanner::PrintMemoryPlan, RecordingMicroAllocator::PrintAllocations).
 */
import type { ScratchRow, Tail } from '../imported'
import { Refusal } from '../refusal'
import { plansIn, type Logged } from '../text/tflm_plan_lines'

const ALIGNMENT = 16

/** What a log says of the arena. */
export interface LogOf {
  /** of each request of the planner, null: the log has no plan */
  requests: readonly Logged[] | null
  tail: Tail | null
}

const TAIL = /Arena allocation tail (\d+) bytes/
const RECORDED = /'([^']*)' used (\d+) bytes[^(]*\(requested (\d+) bytes for (\d+) /
/** TfLiteEvalTensor has two pointers and a type. */
const EVAL_WORDS = 3

function tailIn(text: string): Tail | null {
  const tail = [...text.matchAll(new RegExp(TAIL, 'g'))].at(-1)?.[1]
  if (tail === undefined) return null
  const recorded = new Map(
    [...text.matchAll(new RegExp(RECORDED, 'g'))].map(([, name = '', used, requested, count]) => [
      name,
      { used: Number(used), each: Number(requested) / Math.max(1, Number(count)) },
    ]),
  )
  const used = (name: string) => recorded.get(name)?.used ?? 0
  const word = Math.round((recorded.get('TfLiteEvalTensor data')?.each ?? 4 * EVAL_WORDS) / EVAL_WORDS)
  const late = used('Persistent TfLiteTensor data') + used('Persistent TfLiteTensor quantization data')
  return { bytes: Number(tail), late, word, by: 'log' }
}

/** Throws Refusal if the text has nothing of TFLite Micro's arena. */
export function readLog(text: string): LogOf {
  const requests = plansIn(text).at(-1) ?? null
  const tail = tailIn(text)
  if (requests === null && tail === null)
    throw new Refusal('the log has no line of TFLite Micro’s memory plan, nor of its recorded allocations.')
  return { requests, tail }
}

export function noScratch(op: string): string {
  return `No operator or kind of operator is called ${op}: its scratch was not used.`
}

/** Of whom scratch is told, and by whom. */
export class Told {
  readonly #rows: readonly ScratchRow[]
  readonly #used = new Set<string>()
  /** by the time at which the operator runs; null: there is no log of it */
  readonly #logged: Map<number, number[]> | null

  /** arena: tensors that the planner has before them. */
  constructor(rows: readonly ScratchRow[], log: LogOf | null, arena: number) {
    this.#rows = rows
    this.#logged = log?.requests ? new Map() : null
    for (const { bytes, first } of log?.requests?.slice(arena) ?? []) {
      const at = this.#logged?.get(first) ?? []
      this.#logged?.set(first, [...at, bytes])
    }
  }

  get byLog(): boolean {
    return this.#logged !== null
  }

  /** Bytes of each request in its order; null: nobody told. time: of TFLite Micro, counted from 1 for the first operator. */
  of(id: string, type: string, time: number): number[] | null {
    const own = this.#rows.filter(({ op }) => op === id)
    const rows = own.length > 0 ? own : this.#rows.filter(({ op }) => op === type)
    for (const { op } of rows) this.#used.add(op)
    const logged = this.#logged?.get(time) ?? []
    this.#logged?.delete(time)
    if (rows.length > 0) return rows.map(({ bytes }) => bytes).filter((bytes) => bytes > 0)
    return this.#logged === null ? null : logged
  }

  /** Rows that were for nothing. Throws Refusal if the log has scratch at a time at which no operator with a kernel runs. */
  notes(): string[] {
    const [time] = this.#logged?.keys() ?? []
    if (time !== undefined)
      throw new Refusal(`the log is of another model: its scratch at time ${time} is of no operator here.`)
    const idle = [...new Set(this.#rows.map(({ op }) => op))].filter((op) => !this.#used.has(op))
    return idle.map(noScratch)
  }
}

/** Throws Refusal unless the log's requests are these tensors, by their sizes, and scratch. sizes: null for those that are not known. */
export function checkLog(log: LogOf, sizes: readonly (number | null)[], ids: readonly string[]): void {
  if (log.requests === null) return
  if (log.requests.length < sizes.length)
    throw new Refusal(
      `the log is of another model: it has ${log.requests.length} requests, and the arena of this one ${sizes.length} tensors.`,
    )
  for (const [at, size] of sizes.entries()) {
    const logged = log.requests[at]?.bytes ?? 0
    const wanted = Math.ceil((size ?? 0) / ALIGNMENT) * ALIGNMENT
    if (size !== null && logged !== wanted)
      throw new Refusal(`the log is of another model: its request ${at} takes ${logged} bytes, ${ids[at]} ${wanted}.`)
  }
}
