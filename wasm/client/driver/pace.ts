/** A slice of work ends about this long after it began; between slices messages are read. */
const SLICE_MS = 8
/** With a million buffers a single step can take longer than a slice. */
const FIRST_SLICE = 1
const LARGEST_SLICE = 2 ** 31

/** Steps that should take SLICE_MS, going by the slice before; never more than four times as many, for the clock is coarse. */
export class Pace {
  #steps = FIRST_SLICE

  get steps(): number {
    return this.#steps
  }

  learn(milliseconds: number): void {
    const factor = Math.min(4, Math.max(0.25, SLICE_MS / Math.max(milliseconds, 0.1)))
    this.#steps = Math.min(LARGEST_SLICE, Math.max(1, Math.round(this.#steps * factor)))
  }
}
