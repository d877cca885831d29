/** What a task on tiles does to the pieces of the plan: those that it writes, those that it reads, and of these the ones that nobody reads again. */
import type { EventOf, Problem, SearchEvent } from '../../../../wasm/client/types'
import { type Pieces, piecesOf } from '../canvas/pieces'

/** Numbers of pieces. */
export interface TileMarks {
  written: number[]
  read: number[]
  released: number[]
}

/** Task k reads at time 2k and writes at 2k + 1. */
export const readTime = (task: number): number => 2 * task
export const writeTime = (task: number): number => 2 * task + 1

/** By task: where its chunks begin. O(chunks), cached per problem. */
function startsOf(problem: Problem): Uint32Array {
  const known = starts.get(problem)
  if (known) return known
  const { ids, chunks } = problem.tasks ?? { ids: [], chunks: null }
  const made = new Uint32Array(ids.length + 1)
  for (const task of chunks?.task ?? []) made[task + 1] = (made[task + 1] as number) + 1
  for (let k = 0; k < ids.length; k++) made[k + 1] = (made[k + 1] as number) + (made[k] as number)
  starts.set(problem, made)
  return made
}
const starts = new WeakMap<Problem, Uint32Array>()

/** The pieces of a buffer that hold one of the addresses [from, to), relative to its offset, at a time. */
function piecesAt(pieces: Pieces, buffer: number, time: number, from: number, to: number): number[] {
  const found: number[] = []
  const end = pieces.first[buffer + 1] as number
  for (let k = pieces.first[buffer] as number; k < end; k++) {
    const alive = (pieces.lower[k] as number) <= time && time < (pieces.upper[k] as number)
    if (alive && (pieces.from[k] as number) < to && from < (pieces.to[k] as number)) found.push(k)
  }
  return found
}

/** Where the chunks are not known, only what begins and what ends with the task. O(chunks of the task * pieces of their buffers). */
export function tileMarks(problem: Problem, task: number): TileMarks {
  const pieces = piecesOf(problem)
  const chunks = problem.tasks?.chunks ?? null
  const [read, written] = [new Set<number>(), new Set<number>()]
  if (chunks === null) {
    for (let k = 0; k < pieces.count; k++) {
      if (pieces.lower[k] === writeTime(task)) written.add(k)
      if (pieces.upper[k] === readTime(task) + 1) read.add(k)
    }
  } else {
    const at = startsOf(problem)
    for (let i = at[task] as number; i < (at[task + 1] as number); i++) {
      const writes = chunks.writes[i] === 1
      const time = writes ? writeTime(task) : readTime(task)
      const [buffer, from, to] = [chunks.buffer[i], chunks.from[i], chunks.to[i]] as [number, number, number]
      for (const k of piecesAt(pieces, buffer, time, from, to)) (writes ? written : read).add(k)
    }
  }
  const released = [...read].filter((k) => pieces.upper[k] === readTime(task) + 1)
  return { written: [...written], read: [...read], released }
}

/** Bytes that pieces hold. */
export function bytesOfPieces(problem: Problem, list: readonly number[]): number {
  const pieces = piecesOf(problem)
  return list.reduce((sum, k) => sum + (pieces.to[k] as number) - (pieces.from[k] as number), 0)
}

/** A piece at an offset of its buffer. */
export interface PlacedPiece {
  piece: number
  offset: number
}

/** The two chunks that could not both be where they are: of the tensor that was tried, and of the one it is in the way of. */
export interface Collision {
  tried: PlacedPiece
  placed: PlacedPiece
  /** where the tensor goes next */
  next: number
}

const eventOf = <K extends SearchEvent['kind']>(now: readonly SearchEvent[], kind: K) =>
  now.find((one): one is EventOf<K> => one.kind === kind)

/** A tensor at `from` and another one at `base`, both of which need an address in a section. */
function collisionAt(
  problem: Problem,
  { buffer, other, section, address }: EventOf<'collide'> | EventOf<'clash'>,
  [from, base, next]: readonly [number, number, number],
): Collision | null {
  if (!(section < problem.sections.count)) return null
  const time = problem.sections.lower[section] as number
  const chunk = (of: number, at: number): PlacedPiece | null => {
    const relative = address - at
    const [piece] = at < 0 ? [] : piecesAt(piecesOf(problem), of, time, relative, relative + 1)
    return piece === undefined ? null : { piece, offset: at }
  }
  const [tried, placed] = [chunk(buffer, from), chunk(other, base)]
  return tried === null || placed === null ? null : { tried, placed, next }
}

/** Of the step shown: what moved a tensor on that is tried, or by a decision of taa-exact. null: nothing collides in it. */
export function collisionOf(problem: Problem, now: readonly SearchEvent[], offset: Float64Array): Collision | null {
  const tried = eventOf(now, 'collide')
  if (tried !== undefined) return collisionAt(problem, tried, [tried.offset, offset[tried.other] ?? -1, tried.next])
  const [clash, lift] = [eventOf(now, 'clash'), eventOf(now, 'lift')]
  return clash === undefined || lift === undefined
    ? null
    : collisionAt(problem, clash, [clash.from, clash.base, lift.offset])
}
