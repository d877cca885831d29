/** A buffer problem as the page has it. */
import type { Names } from './names'

export interface Gap {
  buffer: number
  lower: number
  upper: number
  windowLower: number
  windowUpper: number
}

/** A rectangle of a buffer's shape: during [lower, upper) it occupies the addresses offset + from to offset + to. */
export interface ShapeRect {
  buffer: number
  lower: number
  upper: number
  from: number
  to: number
}

export interface Sections {
  count: number
  lower: Float64Array<ArrayBuffer>
  upper: Float64Array<ArrayBuffer>
  load: Float64Array<ArrayBuffer>
  live: Uint32Array<ArrayBuffer>
}

/** One memory of a problem that has several. */
export interface Pool {
  /** that of the main one is '' */
  id: string
  /** bytes; 0: that of the run */
  capacity: number
  alignment: number
  /** 0: none */
  bank: number
  lowerBound: number
  /** of what lies in it alone, by which events name sections: those of the pools before come first */
  sections: Sections
  /** index of the section with the greatest load, -1 if there is none */
  peak: number
}

/**
 * Tasks on tiles, in the order in which they run: task k reads at time 2k and writes at 2k + 1. Chunks are what they read and write of the buffers, by
 * task, what is read first.
 */
export interface Tasks {
  ids: string[]
  /** null: there are too many */
  chunks: {
    task: Uint32Array<ArrayBuffer>
    buffer: Uint32Array<ArrayBuffer>
    /** 1: written */
    writes: Uint8Array<ArrayBuffer>
    /** addresses from the buffer's offset */
    from: Float64Array<ArrayBuffer>
    to: Float64Array<ArrayBuffer>
  } | null
}

export interface Problem {
  count: number
  ids: Names
  lower: Float64Array<ArrayBuffer>
  upper: Float64Array<ArrayBuffer>
  size: Float64Array<ArrayBuffer>
  alignment: Float64Array<ArrayBuffer>
  /** fixed offset or -1 */
  fixed: Float64Array<ArrayBuffer>
  /** hint or -1 */
  hint: Float64Array<ArrayBuffer>
  /** no multiple of it lies inside the buffer; 0: none */
  bank: Float64Array<ArrayBuffer>
  gaps: Gap[]
  /** left out: no buffer has a shape */
  rects?: ShapeRect[]
  /** the main one first; left out: there are no others */
  pools?: Pool[]
  /** by buffer: its pool, -1: any; left out: all lie in the one there is */
  pool?: Float64Array<ArrayBuffer>
  sections: Sections
  /** left out: the problem did not come as tasks on tiles */
  tasks?: Tasks
  /** index of the section with the greatest load, -1 if there is none */
  peak: number
  lowerBound: number
  partitions: number
  /** what the reader assumed of the file's columns, '' if nothing */
  convention: string
  /** of a CSV that leaves open how its ends are meant: 1 inclusive, 2 exclusive; and 4 more if it is not written as the page writes one */
  read?: number
  /** 16 hex digits */
  digest: string
}
