/** A view of more buffers than can be told apart, as one image that is kept and painted over. */
import type { Rect } from '../base/geom'
import { DensePlate, type Inks } from '../layout/dense'
import type { Space } from '../layout/spaces'
import { timeIndexOf } from '../layout/time_index'
import type { Ctx } from './marks'
import type { Palette } from './palette'
import type { Crowd, Picture } from './picture'

/** #RRGGBB as a little-endian RGBA word, opaque. */
export function word(hex: string): number {
  const n = Number.parseInt(hex.slice(1), 16)
  return (0xff000000 | ((n & 255) << 16) | (n & 0xff00) | (n >> 16)) >>> 0
}

interface Words {
  ramp: Uint32Array
  categories: Uint32Array
  bars: Uint32Array
}
const words = new WeakMap<Palette, Words>()

function wordsOf(palette: Palette): Words {
  let made = words.get(palette)
  if (!made) {
    made = {
      ramp: Uint32Array.from(palette.ramp, ({ fill }) => word(fill)),
      categories: Uint32Array.from(palette.categories, ({ fill }) => word(fill)),
      bars: Uint32Array.from(palette.bars, word),
    }
    words.set(palette, made)
  }
  return made
}

export function inksOf(p: Picture): Inks {
  const { ramp, categories, bars } = wordsOf(p.palette)
  return { shade: p.shades.index, fills: p.shades.categorical ? categories : ramp, bars }
}

/** What may differ between one painting and the next. */
export interface RasterView {
  space: Space
  dpr: number
  /** by buffer, 0: left out */
  only: Uint8Array | null
  /** device pixels */
  least: number
}

export class Raster implements Crowd {
  readonly plate = new DensePlate()
  private readonly canvas = document.createElement('canvas')
  private image: ImageData | null = null
  private view: RasterView | null = null

  /** Works the image out; paint() then shows it as often as wanted. */
  make(p: Picture, view: RasterView): void {
    const { problem, frame } = p.scene
    if (!frame) return
    this.view = view
    this.plate.paint({ index: timeIndexOf(problem), offset: frame.offset, inks: inksOf(p), ...view })
    const { width, height, pixels } = this.plate
    const bytes = new Uint8ClampedArray(pixels.buffer as ArrayBuffer)
    if (this.image?.data.buffer !== pixels.buffer) {
      this.canvas.width = width
      this.canvas.height = height
      this.image = new ImageData(bytes, width, height)
    }
    this.canvas.getContext('2d')?.putImageData(this.image, 0, 0)
  }

  paint(c: Ctx): void {
    if (!this.view) return
    const { plate } = this.view.space
    c.drawImage?.(this.canvas, plate.x, plate.y, this.plate.width / this.view.dpr, this.plate.height / this.view.dpr)
  }

  covered(box: Rect): number {
    if (!this.view) return 0
    const { space, dpr } = this.view
    const x = (box.x - space.plate.x) * dpr
    const y = (box.y - space.plate.y) * dpr
    return this.plate.covered(x, y, x + box.w * dpr, y + box.h * dpr)
  }
}
