/** A plan as a frame: for what no step of the search shows, such as the best plan while its bounds close. */
import type { Bounds, Frame } from '../../../../wasm/client/types'

/** offsets: -1 where the plan leaves a buffer out. Levels follow the offsets, so that colours make strata. O(buffers). */
export function planFrame(offsets: Float64Array<ArrayBuffer>, step: number, bounds: Bounds | null): Frame {
  const stack = byOffset(offsets)
  const level = new Int32Array(offsets.length)
  for (let k = 0; k < stack.length; k++) level[stack[k] as number] = k + 1
  return {
    step,
    depth: stack.length,
    offset: offsets,
    minOffset: null,
    level,
    stack,
    tried: null,
    candidates: null,
    phases: null,
    events: [],
    undone: [],
    bounds,
  }
}

const BITS = 11
const DIGITS = 2 ** BITS
const WORD = 2 ** 32

interface Row {
  buffer: Uint32Array<ArrayBuffer>
  /** 32 bits of its offset */
  key: Uint32Array<ArrayBuffer>
}

const rowOf = (count: number): Row => ({ buffer: new Uint32Array(count), key: new Uint32Array(count) })

/**
 * The placed buffers by offset, ties by number: a radix sort, digit by digit from the lowest, for while a plan of a million buffers gets better,
 * there is a new one many times a second.
 */
function byOffset(offsets: Float64Array): Uint32Array<ArrayBuffer> {
  let count = 0
  let most = 0
  for (let k = 0; k < offsets.length; k++) {
    const at = offsets[k] as number
    if (at >= 0) count++
    if (at > most) most = at
  }
  let row = rowOf(count)
  let spare = rowOf(count)
  for (let k = 0, at = 0; at < count; k++) if ((offsets[k] as number) >= 0) row.buffer[at++] = k
  for (let unit = 1; unit <= most; unit *= WORD) {
    for (let k = 0; k < count; k++) row.key[k] = Math.floor((offsets[row.buffer[k] as number] as number) / unit) % WORD
    for (let shift = 0; shift < 32 && unit * 2 ** shift <= most; shift += BITS) {
      scatter(row, spare, shift)
      ;[row, spare] = [spare, row]
    }
  }
  return row.buffer
}

/** By one digit, stably. */
function scatter(from: Row, to: Row, shift: number): void {
  const next = new Uint32Array(DIGITS + 1)
  const count = from.key.length
  for (let k = 0; k < count; k++) {
    const digit = ((from.key[k] as number) >>> shift) & (DIGITS - 1)
    next[digit + 1] = (next[digit + 1] as number) + 1
  }
  for (let digit = 0; digit < DIGITS; digit++) next[digit + 1] = (next[digit + 1] as number) + (next[digit] as number)
  for (let k = 0; k < count; k++) {
    const key = from.key[k] as number
    const digit = (key >>> shift) & (DIGITS - 1)
    const at = next[digit] as number
    to.key[at] = key
    to.buffer[at] = from.buffer[k] as number
    next[digit] = at + 1
  }
}
