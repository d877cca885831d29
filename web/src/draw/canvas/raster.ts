/** A view of more buffers than can be told apart, as one image that is kept and painted over. */
import type { Rect } from '../../base/geom'
import { DensePlate, type Inks } from '../../layout/canvas/dense'
import type { Space } from '../../layout/canvas/spaces'
import { timeIndexOf } from '../../layout/canvas/time_index'
import type { Ctx } from '../primitives'
import type { Problem } from '../../../../wasm/client/types'
import type { BufferColours } from '../buffer_colours'
import type { Crowd, Picture } from './picture'

/** #RRGGBB as a little-endian RGBA word, opaque. */
export function word(hex: string): number {
  const n = Number.parseInt(hex.slice(1), 16)
  return (0xff000000 | ((n & 255) << 16) | (n & 0xff00) | (n >> 16)) >>> 0
}

interface Words {
  ramp: Uint32Array
  heat: Uint32Array
  categories: Uint32Array
  bars: Uint32Array
}
const words = new WeakMap<BufferColours, Words>()

function wordsOf(colours: BufferColours): Words {
  let made = words.get(colours)
  if (!made) {
    made = {
      ramp: Uint32Array.from(colours.ramp, ({ fill }) => word(fill)),
      heat: Uint32Array.from(colours.heat, ({ fill }) => word(fill)),
      categories: Uint32Array.from(colours.categories, ({ fill }) => word(fill)),
      bars: Uint32Array.from(colours.bars, word),
    }
    words.set(colours, made)
  }
  return made
}

export function inksOf(p: Picture): Inks {
  const all = wordsOf(p.colours)
  return { shade: p.shades.of, fills: all[p.shades.kind], bars: all.bars }
}

const same = (a: unknown[], b: unknown[]): boolean => a.length === b.length && a.every((value, k) => value === b[k])

/** What may differ between one painting and the next. */
export interface RasterView {
  space: Space
  dpr: number
  /** by buffer, 0: left out */
  only: Uint8Array | null
  /** device pixels */
  least: number
}

/** So much of a frame may go into an image, in milliseconds; what is not done by then goes on in the next one. */
export const BUDGET_MS = 8

interface Job {
  key: unknown[]
  view: RasterView
  problem: Problem
  work: Generator<undefined, void>
}

export class Raster implements Crowd {
  /** what is shown, and what is being worked out */
  private shown = new DensePlate()
  private next = new DensePlate()
  private readonly canvas = document.createElement('canvas')
  private image: ImageData | null = null
  private view: RasterView | null = null
  private problem: Problem | null = null
  private key: unknown[] = []
  private job: Job | null = null

  /** repaint: is called when a frame had no time to paint everything; it asks for another frame */
  constructor(private readonly repaint: () => void) {}

  get plate(): DensePlate {
    return this.shown
  }

  /**
   * Works on the image for as long as a frame allows. True once it is of this picture; until then paint() shows the last one, moved to where it
   * is now, and none of another problem. An image that was begun is finished before a newer one is: else there would be none while things move.
   */
  make(p: Picture, view: RasterView): boolean {
    const { problem, frame } = p.scene
    if (!frame) return true
    const { t0, t1, b0, b1 } = view.space.view
    const { w, h } = view.space.plate
    const { colour, theme } = p.scene
    const key = [frame, colour, theme, view.only, view.dpr, view.least, t0, t1, b0, b1, w, h]
    if (this.problem !== problem) this.view = null
    if (this.job?.problem !== problem) this.job = null
    const until = performance.now() + BUDGET_MS
    while (this.view === null || !same(key, this.key)) {
      this.job ??= {
        key,
        view,
        problem,
        work: this.next.painting({ index: timeIndexOf(problem), offset: frame.offset, inks: inksOf(p), ...view }),
      }
      const { job } = this
      while (!job.work.next().done) {
        if (performance.now() < until) continue
        this.repaint()
        return false
      }
      this.job = null
      this.take(job)
      if (performance.now() >= until) break
    }
    const done = same(key, this.key)
    if (!done) this.repaint()
    return done
  }

  private take({ key, view, problem }: Job): void {
    this.key = key
    this.view = view
    this.problem = problem
    const { next } = this
    this.next = this.shown
    this.shown = next
    const { width, height, pixels } = next
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width
      this.canvas.height = height
    }
    if (this.image?.data.buffer !== pixels.buffer)
      this.image = new ImageData(new Uint8ClampedArray(pixels.buffer as ArrayBuffer), width, height)
    this.canvas.getContext('2d')?.putImageData(this.image, 0, 0)
  }

  paint(c: Ctx, space: Space): void {
    if (!this.view) return
    const { plate, view } = this.view.space
    const now = space.view
    if (now.t0 === view.t0 && now.t1 === view.t1 && now.b0 === view.b0 && now.b1 === view.b1) {
      const { dpr } = this.view
      c.drawImage?.(this.canvas, plate.x, plate.y, this.shown.width / dpr, this.shown.height / dpr)
      return
    }
    const [x, y] = [space.x(view.t0), space.y(view.b1)]
    c.drawImage?.(this.canvas, x, y, space.x(view.t1) - x, space.y(view.b0) - y)
  }

  covered(box: Rect): number {
    if (!this.view) return 0
    const { space, dpr } = this.view
    const x = (box.x - space.plate.x) * dpr
    const y = (box.y - space.plate.y) * dpr
    return this.plate.covered(x, y, x + box.w * dpr, y + box.h * dpr)
  }
}
