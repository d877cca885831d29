/** A stretch of memory as rows of the same number of bytes, one below the other, and what lies in it. */
import type { Problem } from '../../../../wasm/client/types'
import { piecesOf } from '../canvas/pieces'
import { readTime, type TileMarks, writeTime } from './tile_marks'

/** Rows that a view has at most. */
const MOST_ROWS = 32

export type CellState = 'live' | 'written' | 'read' | 'released' | 'coming' | 'gone'

/** Bytes [from, to) of what is shown, from its first. */
export interface MemoryCell {
  from: number
  to: number
  buffer: number
  state: CellState
  /** 0 to 1: when it is first written, of the first and the last of its tensor */
  turn: number
}

export interface MemoryRows {
  /** bytes of one */
  pitch: number
  rows: number
  /** of the first byte shown */
  base: number
  cells: MemoryCell[]
}

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))

/** What all bounds are multiples of, or as often twice that as makes few enough rows. */
export function pitchOf(bytes: number, cells: readonly MemoryCell[]): number {
  let pitch = cells.reduce((common, { from, to }) => divisor(divisor(common, from), to), 0) || 1
  while (Math.ceil(bytes / pitch) > MOST_ROWS) pitch *= 2
  return pitch
}

function stateOf(k: number, task: number, marks: TileMarks, lower: number, upper: number): CellState {
  if (marks.written.includes(k)) return 'written'
  if (marks.released.includes(k)) return 'released'
  if (marks.read.includes(k)) return 'read'
  if (lower > writeTime(task)) return 'coming'
  return upper <= readTime(task) ? 'gone' : 'live'
}

/** All memory up to a height while a task runs: what is alive. What is written may lie over what is read for the last time, and comes later. */
export function memoryAt(
  problem: Problem,
  offset: Float64Array,
  height: number,
  task: number,
  marks: TileMarks,
): MemoryRows {
  const pieces = piecesOf(problem)
  const cells: MemoryCell[] = []
  for (let k = 0; k < pieces.count; k++) {
    const [lower, upper] = [pieces.lower[k] as number, pieces.upper[k] as number]
    const buffer = pieces.buffer[k] as number
    const base = offset[buffer] ?? -1
    if (base < 0 || lower > writeTime(task) || upper <= readTime(task)) continue
    const state = stateOf(k, task, marks, lower, upper)
    cells.push({ from: base + (pieces.from[k] as number), to: base + (pieces.to[k] as number), buffer, state, turn: 0 })
  }
  const late = (cell: MemoryCell) => (cell.state === 'written' ? 1 : 0)
  cells.sort((a, b) => late(a) - late(b))
  const pitch = pitchOf(height, cells)
  return { pitch, rows: Math.ceil(height / pitch), base: 0, cells }
}

/** One tensor's own memory as the fragments that it falls into. A part that is written anew is shown once it is. */
export function fragmentsAt(
  problem: Problem,
  offset: Float64Array,
  buffer: number,
  task: number,
  marks: TileMarks,
): MemoryRows {
  const pieces = piecesOf(problem)
  const [first, end] = [pieces.first[buffer] as number, pieces.first[buffer + 1] as number]
  const begins = Array.from({ length: end - first }, (_, k) => pieces.lower[first + k] as number)
  const least = Math.min(...begins)
  const span = Math.max(1, Math.max(...begins) - least)
  const cells = begins.map((lower, at): MemoryCell => {
    const k = first + at
    const state = stateOf(k, task, marks, lower, pieces.upper[k] as number)
    return { from: pieces.from[k] as number, to: pieces.to[k] as number, buffer, state, turn: (lower - least) / span }
  })
  // what is yet to come lies under what is there
  const rank = (cell: MemoryCell) => (cell.state === 'coming' ? 0 : cell.state === 'gone' ? 1 : 2)
  cells.sort((a, b) => rank(a) - rank(b))
  const size = problem.size[buffer] as number
  const pitch = pitchOf(size, cells)
  return { pitch, rows: Math.max(1, Math.ceil(size / pitch)), base: Math.max(0, offset[buffer] ?? 0), cells }
}
