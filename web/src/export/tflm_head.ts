/**
 * What the head of TFLite Micro's arena comes to: its greedy planner (memory_planner/greedy_memory_planner.cc) places what an offline plan does not,
 * which scratch memory never is part of.
 */
import type { GraphModel, Problem } from '../../../wasm/client/types'
import type { TfliteNumbers } from '../import/imported'
import { thousands } from '../base/format'
import { arenaNote } from './tflm_arena'

/** What the allocator rounds each request up to (MicroArenaBufferAlignment). */
const ALIGNMENT = 16

export interface Request {
  /** bytes */
  size: number
  /** half-open */
  lower: number
  upper: number
  /** null: left to the planner */
  offset: number | null
}

function rounded(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT
}

/**
 * The height in bytes. Requests with offsets come first and stay where they are, whether they fit or not; the others by size, largest first, equal ones from the
 * last to the first, each at the lowest gap between those alive with it. O(n · others).
 */
export function tflmHead(requests: readonly Request[]): number {
  const placed = requests.flatMap(({ offset, ...rest }) => (offset === null ? [] : [{ ...rest, offset }]))
  placed.sort((a, b) => a.offset - b.offset)
  const others = requests.filter(({ offset }) => offset === null).reverse()
  others.sort((a, b) => rounded(b.size) - rounded(a.size))
  for (const { size, lower, upper } of others) {
    let edge = 0
    for (const other of placed) {
      if (other.lower >= upper || other.upper <= lower) continue
      if (other.offset - edge >= rounded(size)) break
      edge = Math.max(edge, other.offset + rounded(other.size))
    }
    // behind those of equal offset
    const at = placed.findIndex(({ offset }) => offset > edge)
    placed.splice(at < 0 ? placed.length : at, 0, { size, lower, upper, offset: edge })
  }
  return placed.reduce((top, { size, offset }) => Math.max(top, offset + rounded(size)), 0)
}

/** Tensors of the graph by the time at which the operator runs that names them as its scratch. */
function timesOf(model: GraphModel, scratch: ReadonlySet<number>): Map<number, number> {
  const times = new Map<number, number>()
  const { count, outputs, outputStart } = model.ops
  for (let op = 0; op < count; op++)
    for (let k = outputStart[op] ?? 0; k < (outputStart[op + 1] ?? 0); k++) {
      const tensor = outputs[k] ?? -1
      if (scratch.has(tensor)) times.set(tensor, op)
    }
  return times
}

/** What scratch of unknown size can do to a plan: its operator, what costs nothing, and the bytes under it if it is more. */
export interface Unknown {
  op: string
  free: number
  below: number
}

/** Finds the largest gap and the highest end of a buffer while an operator runs whose scratch size is not known. height: of the head without it. */
function roomAt(requests: readonly Request[], op: string, time: number, height: number): Unknown {
  const alive = requests.flatMap(({ offset, size, lower, upper }) =>
    offset !== null && lower <= time && time < upper ? [{ offset, end: offset + rounded(size) }] : [],
  )
  alive.sort((a, b) => a.offset - b.offset)
  let [edge, free] = [0, 0]
  for (const { offset, end } of alive) {
    free = Math.max(free, offset - edge)
    edge = Math.max(edge, end)
  }
  return { op, free: Math.max(free, height - edge), below: edge }
}

/** What TFLite Micro makes of a plan whose offsets it takes for all but scratch, and what it would have made without. */
export function headsOf(
  problem: Problem,
  model: GraphModel,
  tflite: TfliteNumbers,
  best: Float64Array,
): { planned: number; own: number; scratch: number; unknown: Unknown[] } {
  const scratch = new Set(tflite.scratch.tensors)
  const ran = timesOf(model, scratch)
  const free = new Set([...scratch].map((tensor) => model.tensors.buffer[tensor] ?? -1))
  const requests: Request[] = Array.from({ length: problem.count }, (_, buffer) => ({
    size: problem.size[buffer] ?? 0,
    lower: problem.lower[buffer] ?? 0,
    upper: problem.upper[buffer] ?? 0,
    offset: free.has(buffer) ? null : (best[buffer] ?? 0),
  }))
  // what the lowering left out is requested all the same
  for (const tensor of scratch)
    if ((model.tensors.buffer[tensor] ?? -1) < 0) {
      const lower = ran.get(tensor) ?? 0
      requests.push({ size: model.tensors.bytes[tensor] ?? 0, lower, upper: lower + 1, offset: null })
    }
  const planned = tflmHead(requests)
  const times = new Map(model.ops.ids.map((id, time) => [id, time]))
  return {
    planned,
    unknown: tflite.scratch.unknown.flatMap((op) => {
      const time = times.get(op)
      return time === undefined ? [] : [roomAt(requests, op, time, planned)]
    }),
    own: tflmHead(requests.map((request) => ({ ...request, offset: null }))),
    scratch: scratch.size,
  }
}

/** The worst that it may cost: of several operators the one with the least room, and the one that lies highest. */
function ofUnknown(unknown: readonly Unknown[]): string {
  const names = unknown.slice(0, 3).map(({ op }) => op)
  const more = unknown.length > 3 ? ` and ${thousands(unknown.length - 3)} more` : ''
  const free = Math.min(...unknown.map((one) => one.free))
  const below = Math.max(...unknown.map((one) => one.below))
  return (
    `What the kernels of ${names.join(', ')}${more} request is not known: one request of up to ${thousands(free)} bytes each costs nothing; ` +
    `with more the head may come to ${thousands(below)} bytes and all that they request.`
  )
}

/** What to know of the head before such a plan is run, a sentence each. height: of the plan in bytes. */
export function headNotes(tflite: TfliteNumbers, heads: ReturnType<typeof headsOf>, height: number): string[] {
  const { planned, own, scratch, unknown } = heads
  const notes: string[] = []
  if (scratch > 0)
    notes.push(
      `TFLite Micro places ${scratch === 1 ? 'the scratch buffer' : `the ${thousands(scratch)} scratch buffers`} itself: its head comes to ${thousands(planned)} bytes` +
        `${planned > rounded(height) ? `, ${thousands(planned - rounded(height))} more than this plan's own height` : ''}.`,
    )
  if (planned > own)
    notes.push(
      `Without this plan its own planner would need less: ${thousands(own)} bytes. Run a solver on the problem with its scratch in it.`,
    )
  if (unknown.length > 0) notes.push(ofUnknown(unknown))
  return [...notes, arenaNote(tflite, planned)]
}
