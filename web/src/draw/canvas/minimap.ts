/** The whole problem in a corner while the canvas is zoomed. Its drawing is kept until the state changes, not the viewport. */
import { overlaps, type Rect } from '../../base/geom'
import { memoryRects } from '../../layout/canvas/memory_rects'
import type { Viewport } from '../../layout/scene'
import { Space } from '../../layout/canvas/spaces'
import type { Ctx } from '../primitives'
import { outline, plaque } from '../primitives'
import { barColour } from '../buffer_colours'
import { coveredArea, type Picture, swatchOf, tileRects } from './picture'
import { Raster } from './raster'

const INSET = 12
const PADDING = 5
/** How large it is on a plate of at least so much, in CSS pixels; a smaller plate has no room to give away. */
const SIZES = [
  { least: { w: 520, h: 300 }, w: 196, h: 112 },
  { least: { w: 300, h: 200 }, w: 112, h: 64 },
]

/** The corner with the fewest marks, never over what the step shows; null if there is no room or no free corner. */
export function minimapRect(p: Picture, keepFree: Rect[]): Rect | null {
  const { plate } = p
  const size = SIZES.find(({ least }) => plate.w >= least.w && plate.h >= least.h)
  if (!size) return null
  const { w, h } = size
  const capacity = p.space.y(p.scene.capacity)
  const top = capacity > plate.y && capacity < plate.y + 60 ? capacity + 10 : plate.y + INSET
  const corners: Rect[] = []
  for (const y of [top, plate.y + plate.h - h - INSET]) {
    for (const x of [plate.x + INSET + 4, plate.x + plate.w - w - INSET]) {
      corners.push({ x: Math.round(x), y: Math.round(y), w, h })
    }
  }
  let best: Rect | null = null
  let least = Number.POSITIVE_INFINITY
  for (const corner of corners) {
    if (keepFree.some((r) => overlaps(r, corner))) continue
    const marks = coveredArea(p, corner)
    if (marks < least) {
      least = marks
      best = corner
    }
  }
  return best
}

export class Minimap {
  private readonly canvas = document.createElement('canvas')
  private readonly crowd: Raster
  private key: unknown[] = []

  /** again: to be painted once more, for not all could be done yet */
  constructor(again: () => void) {
    this.crowd = new Raster(() => {
      this.key = []
      again()
    })
  }

  /** Space of the minimap's plate for the whole problem. */
  space(rect: Rect, whole: Viewport): Space {
    const plate = { x: rect.x + PADDING, y: rect.y + PADDING, w: rect.w - 2 * PADDING, h: rect.h - 2 * PADDING }
    return new Space(whole, plate)
  }

  paint(c: CanvasRenderingContext2D, p: Picture, rect: Rect, whole: Viewport): void {
    this.refresh(p, rect, whole)
    c.globalAlpha = 0.94
    plaque(c, rect, p.theme.surface1, 3, p.theme.line2)
    c.globalAlpha = 1
    c.drawImage(this.canvas, rect.x, rect.y, rect.w, rect.h)
    const space = this.space(rect, whole)
    const { view } = p.space
    const x0 = space.x(view.t0)
    const y0 = space.y(view.b1)
    const w = Math.max(4, space.x(view.t1) - x0)
    const h = Math.max(4, space.y(view.b0) - y0)
    outline(c, { x: x0 - 1, y: y0 - 1, w: w + 2, h: h + 2 }, p.theme.text1, 1.5)
  }

  /** Paints the kept picture anew if what it shows has changed. */
  private refresh(p: Picture, { w, h }: Rect, whole: Viewport): void {
    const { scene } = p
    const key = [scene.problem, scene.frame, p.step, scene.colour, scene.theme, whole.t0, whole.t1, whole.b1, p.dpr, w]
    if (key.every((value, k) => value === this.key[k])) return
    this.key = key
    this.canvas.width = Math.round(w * p.dpr)
    this.canvas.height = Math.round(h * p.dpr)
    const c = this.canvas.getContext('2d')
    if (!c) return
    c.setTransform(p.dpr, 0, 0, p.dpr, 0, 0)
    const space = this.space({ x: 0, y: 0, w, h }, whole)
    if (scene.frame) this.paintWhole(c, p, space)
    const y = Math.round(space.y(scene.capacity)) + 0.5
    c.fillStyle = p.theme.capacity
    c.fillRect(space.plate.x, y - 0.5, space.plate.w, 1)
    if (p.step.candidate) {
      for (const r of tileRects({ ...p, space, plate: space.plate }, p.step.candidate, 3)) {
        outline(c, { ...r, h: Math.max(3, r.h) }, p.theme.now, 1.5)
      }
    }
  }

  private paintWhole(c: Ctx, p: Picture, space: Space): void {
    const { problem, frame } = p.scene
    const rects = frame && memoryRects(problem, frame.offset, space, undefined, frame.stack)
    if (!rects) {
      this.crowd.make(p, { space, dpr: p.dpr, only: null, least: 1 })
      this.crowd.paint(c, space)
      return
    }
    for (let k = 0; k < rects.count; k++) {
      const buffer = rects.buffer[k] as number
      c.fillStyle = buffer < 0 ? barColour(p.colours, rects.share[k] as number) : swatchOf(p, buffer).fill
      const w = rects.w[k] as number
      const h = rects.h[k] as number
      c.fillRect(rects.x[k] as number, rects.y[k] as number, w > 2 ? w - 0.4 : w, h > 2 ? h - 0.4 : h)
    }
  }
}
