/**
 * More buffers than can be told apart, straight into pixels: what covers a pixel both ways is filled; of what is thinner, up to four in
 * a column (or in a row) are drawn as they are, and more become an occupancy, pixel by pixel. Sums along columns and rows make a
 * piece cost the same whatever its length, so a million of them are one pass. Nothing is dropped.
 */
import type { Frame } from '../../../../wasm/client/types'
import { COLUMN_LIMIT } from './memory_rects'
import type { Space } from './spaces'
import { offsetsOf, type TimeIndex, visitAlive } from './time_index'

/** Pieces looked at, or so many times fewer rows or columns of pixels, between two places where the work can be interrupted. */
const GRAIN = 2 ** 15
const LINES = 2 ** 7

/** A pixel that is covered all over, in the sums. */
const FULL = 1024

/** What pixels are filled with: little-endian RGBA. */
export interface Inks {
  /** of a buffer: position in fills */
  shade(buffer: number): number
  fills: Uint32Array
  /** by occupancy, from little to all */
  bars: Uint32Array
}

export interface DenseInput {
  index: TimeIndex
  offset: Frame['offset']
  space: Space
  /** device pixels per CSS pixel */
  dpr: number
  inks: Inks
  /** by buffer, 0: left out; null: all are drawn */
  only: Uint8Array | null
  /** pieces are at least so many device pixels wide and high */
  least: number
}

/** A picture of the plate; its arrays are kept from one painting to the next. */
export class DensePlate {
  width = 0
  height = 0
  pixels = new Uint32Array(0)
  /** by column: something lies above the upper edge */
  above = new Int32Array(0)
  /** sums of the areas of what is thinner than a pixel, down the columns */
  private areaDown = new Int32Array(0)
  /** of what is lower than a pixel, along the rows: areas and numbers */
  private areaAlong = new Int32Array(0)
  private countAlong = new Int32Array(0)
  /** by column: how many thin pieces, and the first few of them */
  private inColumn = new Int32Array(0)
  private few = new Uint32Array(0)
  /** the flat ones */
  private flat = new Uint32Array(64)
  private flats = 0

  /** O(pieces alive in the view + pixels). */
  paint(input: DenseInput): void {
    for (const work = this.painting(input); !work.next().done; );
  }

  /** The same a little at a time. Only when it is done is there a picture. */
  *painting(input: DenseInput): Generator<undefined, void> {
    const { plate } = input.space
    this.resize(Math.max(1, Math.round(plate.w * input.dpr)), Math.max(1, Math.round(plate.h * input.dpr)))
    const { view } = input.space
    const slack = 1 / input.space.sx
    const offset = yield* offsetsOf(input.index, input.offset)
    this.flats = 0
    const runs: [number, number][] = []
    visitAlive(input.index, view.t0 - slack, view.t1 + slack, (first, end) => {
      runs.push([first, end])
      return true
    })
    for (const [first, end] of runs) {
      for (let at = first; at < end; at += GRAIN) {
        this.scan(input, offset, at, Math.min(end, at + GRAIN))
        yield
      }
    }
    yield* this.shadeColumns(input.inks.bars)
    yield* this.shadeRows(input.inks.bars)
    for (let x = 0; x < this.width; x++) {
      const count = this.inColumn[x] as number
      for (let k = 0; count <= COLUMN_LIMIT && k < count; k++)
        this.alone(input, offset, this.few[x * COLUMN_LIMIT + k] as number)
    }
    for (let k = 0; k < this.flats; k++) {
      this.alone(input, offset, this.flat[k] as number)
      if (k % (GRAIN / 4) === 0) yield
    }
    for (let x = 1; x < this.width; x++) this.above[x] = (this.above[x] as number) + (this.above[x - 1] as number)
  }

  /** Pixels that something covers, as a share of a box in device pixels. */
  covered(x0: number, y0: number, x1: number, y1: number): number {
    let looked = 0
    let found = 0
    for (let y = Math.max(0, Math.round(y0)); y < Math.min(this.height, y1); y++) {
      for (let x = Math.max(0, Math.round(x0)); x < Math.min(this.width, x1); x++) {
        looked++
        if (this.pixels[y * this.width + x] !== 0) found++
      }
    }
    return looked === 0 ? 0 : found / looked
  }

  private resize(width: number, height: number): void {
    if (width !== this.width || height !== this.height) {
      this.width = width
      this.height = height
      this.pixels = new Uint32Array(width * height)
      this.areaDown = new Int32Array(width * (height + 1))
      this.areaAlong = new Int32Array((width + 1) * height)
      this.countAlong = new Int32Array((width + 1) * height)
      this.inColumn = new Int32Array(width)
      this.few = new Uint32Array(width * COLUMN_LIMIT)
      this.above = new Int32Array(width + 1)
      return
    }
    for (const kept of [this.pixels, this.areaDown, this.areaAlong, this.countAlong]) kept.fill(0)
    this.inColumn.fill(0)
    this.above.fill(0)
  }

  /** Fills the large pieces, sums the small ones up and remembers those that may be drawn alone. */
  private scan(input: DenseInput, offset: Float64Array, first: number, end: number): void {
    const { index, space, dpr, inks, only, least } = input
    const { width, height } = this
    const { view } = space
    const sx = space.sx * dpr
    const sy = space.sy * dpr
    const bottom = space.plate.h * dpr
    for (let i = first; i < end; i++) {
      const base = offset[i] as number
      if (!(base >= 0) || (only !== null && only[index.buffer[i] as number] === 0)) continue
      let x0 = ((index.lower[i] as number) - view.t0) * sx
      let x1 = ((index.upper[i] as number) - view.t0) * sx
      let y0 = bottom - (base + (index.to[i] as number) - view.b0) * sy
      let y1 = bottom - (base + (index.from[i] as number) - view.b0) * sy
      if (x1 < 0 || x0 > width || y0 > height) continue
      if (x0 < 0) x0 = 0
      if (x1 > width) x1 = width
      if (y1 < 0) {
        this.cross(x0, x1)
        continue
      }
      if (y0 < 0) {
        y0 = 0
        this.cross(x0, x1)
      }
      if (y1 > height) y1 = height
      const wide = x1 - x0 >= 1 || least > 1
      const high = y1 - y0 >= 1 || least > 1
      if (!wide) this.sumDown(i, x0, x1, y0, y1)
      else if (!high) this.sumAlong(i, x0, x1, y0, y1)
      else this.fill(x0, x1, y0, y1, least, inks.fills[inks.shade(index.buffer[i] as number)] as number)
    }
  }

  private cross(x0: number, x1: number): void {
    const from = Math.min(this.width - 1, Math.round(x0))
    const to = Math.min(this.width, Math.max(from + 1, Math.round(x1)))
    this.above[from] = (this.above[from] as number) + 1
    this.above[to] = (this.above[to] as number) - 1
  }

  private fill(x0: number, x1: number, y0: number, y1: number, least: number, ink: number): void {
    const { width, height, pixels } = this
    const left = Math.min(width - 1, Math.round(x0))
    const right = Math.min(width, Math.max(left + least, Math.round(x1)))
    const low = Math.min(height, Math.max(least, Math.round(y1)))
    const top = Math.max(0, Math.min(low - least, Math.round(y0)))
    for (let y = top; y < low; y++) {
      const row = y * width
      if (right - left > 24) pixels.fill(ink, row + left, row + right)
      else for (let x = left; x < right; x++) pixels[row + x] = ink
    }
  }

  private sumDown(i: number, x0: number, x1: number, y0: number, y1: number): void {
    const x = Math.min(this.width - 1, Math.floor((x0 + x1) / 2))
    const top = Math.min(this.height - 1, Math.floor(y0))
    const low = Math.min(this.height, Math.max(top + 1, Math.round(y1)))
    const area = Math.max(1, Math.round(FULL * (x1 - x0) * Math.min(1, (y1 - y0) / (low - top))))
    const column = x * (this.height + 1)
    add(this.areaDown, column + top, area)
    add(this.areaDown, column + low, -area)
    const k = this.inColumn[x] as number
    if (k < COLUMN_LIMIT) this.few[x * COLUMN_LIMIT + k] = i
    this.inColumn[x] = k + 1
  }

  private sumAlong(i: number, x0: number, x1: number, y0: number, y1: number): void {
    const y = Math.min(this.height - 1, Math.floor((y0 + y1) / 2))
    const left = Math.min(this.width - 1, Math.floor(x0))
    const right = Math.min(this.width, Math.max(left + 1, Math.round(x1)))
    const area = Math.max(1, Math.round(FULL * (y1 - y0)))
    const row = y * (this.width + 1)
    add(this.areaAlong, row + left, area)
    add(this.areaAlong, row + right, -area)
    add(this.countAlong, row + left, 1)
    add(this.countAlong, row + right, -1)
    if (this.flats === this.flat.length) {
      const longer = new Uint32Array(2 * this.flat.length)
      longer.set(this.flat)
      this.flat = longer
    }
    this.flat[this.flats++] = i
  }

  /** Columns in which more than a few thin pieces lie. */
  private *shadeColumns(bars: Uint32Array): Generator<undefined, void> {
    const { width, height, pixels } = this
    for (let x = 0; x < width; x++) {
      if (x % LINES === LINES - 1) yield
      if ((this.inColumn[x] as number) <= COLUMN_LIMIT) continue
      let area = 0
      const column = x * (height + 1)
      for (let y = 0; y < height; y++) {
        area += this.areaDown[column + y] as number
        if (area > 0) pixels[y * width + x] = barOf(bars, area)
      }
    }
  }

  /** Pixels on which more than a few flat pieces are piled up. The sums become plain numbers. */
  private *shadeRows(bars: Uint32Array): Generator<undefined, void> {
    const { width, height, pixels } = this
    for (let y = 0; y < height; y++) {
      if (y % LINES === LINES - 1) yield
      const row = y * (width + 1)
      let area = 0
      let count = 0
      for (let x = 0; x < width; x++) {
        area += this.areaAlong[row + x] as number
        count += this.countAlong[row + x] as number
        this.countAlong[row + x] = count
        if (count > COLUMN_LIMIT) pixels[y * width + x] = barOf(bars, area)
      }
    }
  }

  /** A small piece where it is not one of many. */
  private alone(input: DenseInput, offset: Float64Array, i: number): void {
    const { index, space, dpr, inks } = input
    const { width, height, pixels } = this
    const { view } = space
    const sx = space.sx * dpr
    const sy = space.sy * dpr
    const buffer = index.buffer[i] as number
    const base = offset[i] as number
    const x0 = Math.max(0, ((index.lower[i] as number) - view.t0) * sx)
    const x1 = Math.min(width, ((index.upper[i] as number) - view.t0) * sx)
    const ink = inks.fills[inks.shade(buffer)] as number
    const bottom = space.plate.h * dpr
    const y0 = Math.max(0, bottom - (base + (index.to[i] as number) - view.b0) * sy)
    const y1 = Math.min(height, bottom - (base + (index.from[i] as number) - view.b0) * sy)
    if (x1 - x0 < 1) {
      const x = Math.min(width - 1, Math.floor((x0 + x1) / 2))
      this.fill(x, x + 1, y0, y1, 1, ink)
      return
    }
    const y = Math.min(height - 1, Math.floor((y0 + y1) / 2))
    const row = y * (width + 1)
    const right = Math.min(width, Math.max(Math.floor(x0) + 1, Math.round(x1)))
    const left = Math.min(width - 1, Math.floor(x0))
    const piled = (x: number): boolean => (this.countAlong[row + x] as number) > COLUMN_LIMIT
    // of a pile without end only what sticks out has to be looked at
    if (piled(left) && piled((left + right) >> 1) && piled(right - 1)) return
    for (let x = left; x < right; x++) if (!piled(x)) pixels[y * width + x] = ink
  }
}

function add(sums: Int32Array, at: number, value: number): void {
  sums[at] = (sums[at] as number) + value
}

function barOf(bars: Uint32Array, area: number): number {
  const share = Math.min(1, area / FULL)
  return bars[Math.round(share * (bars.length - 1))] as number
}
