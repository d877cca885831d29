/** What is free, from the pixels of a dense plate: under the top of the plan, and in the largest block. */
import type { DensePlate } from './dense'

/**
 * Fills `out`, one word a pixel: free pixels that something lies above get `tint`, every `gap`-th diagonal `line`, all others 0. Where a
 * pixel's width stands for many times, free means free at all of them. O(pixels).
 */
export function shadeHoles(plate: DensePlate, out: Uint32Array, tint: number, line: number, gap: number): void {
  const { width, height, pixels } = plate
  const under = Uint8Array.from({ length: width }, (_, x) => ((plate.above[x] as number) > 0 ? 1 : 0))
  const stroke = Math.max(1, Math.round(gap / 6))
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x
      if (pixels[at] !== 0) {
        under[x] = 1
        out[at] = 0
      } else if (under[x] === 0) out[at] = 0
      else out[at] = (x + y) % gap < stroke ? line : tint
    }
  }
}

/** By column: the most free pixels one above the other, as a share of the height. `out` has the plate's width. O(pixels). */
export function largestFree(plate: DensePlate, out: Float64Array): void {
  const { width, height, pixels } = plate
  for (let x = 0; x < width; x++) {
    let run = 0
    let most = 0
    for (let y = 0; y < height; y++) {
      run = pixels[y * width + x] === 0 ? run + 1 : 0
      if (run > most) most = run
    }
    out[x] = most / height
  }
}
