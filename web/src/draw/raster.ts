/**
 * Many small rectangles, straight into pixels: with tens of thousands of them a fill per rectangle is what takes the time. Only for
 * drawings without edges, whose rectangles lie on device pixels anyway.
 */
import { BAR, type MemoryRects } from '../layout/memory_rects'
import type { Ctx } from './marks'
import { barColour } from './palette'
import { type Picture, swatchOf } from './picture'

let canvas: HTMLCanvasElement | null = null

/** #RRGGBB as a little-endian RGBA word, opaque. */
function word(hex: string): number {
  const n = Number.parseInt(hex.slice(1), 16)
  return (0xff000000 | ((n & 255) << 16) | (n & 0xff00) | (n >> 16)) >>> 0
}

const words = new Map<string, number>()

function wordOf(hex: string): number {
  let value = words.get(hex)
  if (value === undefined) {
    value = word(hex)
    words.set(hex, value)
  }
  return value
}

/** Paints the rectangles on the plate of the picture; what reaches beyond it is cut off. */
export function paintRaster(c: Ctx, p: Picture, rects: MemoryRects): void {
  const { plate, dpr } = p
  const width = Math.max(1, Math.round(plate.w * dpr))
  const height = Math.max(1, Math.round(plate.h * dpr))
  const pixels = new Uint32Array(width * height)
  const least = Math.max(1, Math.round(0.8 * dpr))
  for (let k = 0; k < rects.count; k++) {
    const buffer = rects.buffer[k] as number
    const colour = wordOf(buffer === BAR ? barColour(p.palette, rects.share[k] as number) : swatchOf(p, buffer).fill)
    const left = Math.round(((rects.x[k] as number) - plate.x) * dpr)
    const top = Math.round(((rects.y[k] as number) - plate.y) * dpr)
    const right = Math.min(width, left + Math.max(least, Math.round((rects.w[k] as number) * dpr)))
    const bottom = Math.min(height, top + Math.max(least, Math.round((rects.h[k] as number) * dpr)))
    const x = Math.max(0, left)
    for (let y = Math.max(0, top); y < bottom; y++) pixels.fill(colour, y * width + x, y * width + Math.max(x, right))
  }
  canvas ??= document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const image = new ImageData(new Uint8ClampedArray(pixels.buffer), width, height)
  canvas.getContext('2d')?.putImageData(image, 0, 0)
  c.drawImage?.(canvas, plate.x, plate.y, width / dpr, height / dpr)
}
