/** What the tools of the canvas draw: buffers that were searched for, free blocks, the ruler and the brushed range of time. */
import { thousands } from '../../base/format'
import { clamp, type Rect } from '../../base/geom'
import type { Tokens } from '../../base/theme'
import { DensePlate } from '../../layout/canvas/dense'
import { largestFree, shadeHoles } from '../../layout/canvas/holes'
import type { Matches, Scene } from '../../layout/scene'
import { Space } from '../../layout/canvas/spaces'
import { labelWidth } from '../../layout/ticks'
import { timeIndexOf } from '../../layout/canvas/time_index'
import { type Ctx, hline, mono, outline, plaque, text, vline } from '../primitives'
import { amount, type Picture, snapped, swatchOf, tileRects } from './picture'
import { BUDGET_MS, Raster, word } from './raster'

const LABEL = mono(11)

/** How much of what is not searched for is taken away. */
const VEIL = 0.78
/** Up to so many found buffers are drawn one by one, with an outline. */
const OUTLINED = 1000
/** Found ones are at least so large, in CSS pixels. */
const LEAST_FOUND = 3
const HOLE_GAP = 6
/** Rows in which free blocks are told apart, below the capacity. */
const FREE_ROWS = 256

/** Two corners in time and addresses. */
export interface Measure {
  from: { time: number; address: number }
  to: { time: number; address: number }
}

/** #RRGGBB and an opacity as a word of pixels. */
function veiled(hex: string, alpha: number): number {
  return ((word(hex) & 0xffffff) | (Math.round(alpha * 255) << 24)) >>> 0
}

export class Tools {
  private readonly many: Raster
  private readonly holes = document.createElement('canvas')
  private image: ImageData | null = null
  private readonly plate = new DensePlate()

  /** repaint: is called when a frame had no time to paint everything; it asks for another frame */
  constructor(repaint: () => void) {
    this.many = new Raster(repaint)
  }

  /** Fades all buffers but those that were found. */
  paintMatches(c: Ctx, p: Picture, { list, mask }: Matches): void {
    const { plate, theme, scene } = p
    if (!scene.frame || list.length === scene.problem.count) return
    c.save()
    c.beginPath()
    c.rect(plate.x, plate.y, plate.w, plate.h)
    c.clip()
    c.globalAlpha = VEIL
    c.fillStyle = theme.well
    c.fillRect(plate.x, plate.y, plate.w, plate.h)
    c.globalAlpha = 1
    if (list.length > OUTLINED) {
      this.many.make(p, { space: p.space, dpr: p.dpr, only: mask, least: Math.ceil(2 * p.dpr) })
      this.many.paint(c, p.space)
    } else for (const buffer of list) paintFound(c, p, buffer)
    c.restore()
  }

  /** Shades what is free under the top of the plan. */
  paintHoles(c: Ctx, p: Picture): void {
    const { problem, frame } = p.scene
    if (!frame) return
    const plate = p.crowd?.plate ?? this.plate
    if (!p.crowd) {
      const { space, dpr } = p
      const inks = { shade: p.shades.of, fills: FULL, bars: FULL }
      plate.paint({ index: timeIndexOf(problem), offset: frame.offset, space, dpr, inks, only: null, least: 1 })
    }
    const { width, height } = plate
    if (this.image?.width !== width || this.image.height !== height) {
      this.image = new ImageData(width, height)
      this.holes.width = width
      this.holes.height = height
    }
    const out = new Uint32Array(this.image.data.buffer)
    const { text1, text2 } = p.theme
    shadeHoles(plate, out, veiled(text1, 0.1), veiled(text2, 0.42), Math.round(HOLE_GAP * p.dpr))
    this.holes.getContext('2d')?.putImageData(this.image, 0, 0)
    c.drawImage?.(this.holes, p.plate.x, p.plate.y, width / p.dpr, height / p.dpr)
  }
}

/** Any ink will do: only what is covered counts. */
const FULL = new Uint32Array(256).fill(0xffffffff)

function paintFound(c: Ctx, p: Picture, buffer: number): void {
  const offset = p.scene.frame?.offset[buffer] ?? -1
  if (offset < 0) return
  for (const r of tileRects(p, { buffer, offset }, LEAST_FOUND)) {
    if (r.w < 0 || r.h < 0) continue
    const grow = Math.max(0, LEAST_FOUND - r.h) / 2
    const box = snapped({ ...r, y: r.y - grow, h: r.h + 2 * grow }, p.dpr)
    c.fillStyle = swatchOf(p, buffer).fill
    c.fillRect(box.x, box.y, box.w, box.h)
    outline(c, box, p.theme.text1, 1)
  }
}

/** A range of time under the pointer, over the whole height and on the axis. */
export function paintBrush(c: Ctx, plate: Rect, x0: number, x1: number, colour: string): void {
  const from = clamp(Math.min(x0, x1), plate.x, plate.x + plate.w)
  const to = clamp(Math.max(x0, x1), plate.x, plate.x + plate.w)
  c.save()
  c.globalAlpha = 0.14
  c.fillStyle = colour
  c.fillRect(from, plate.y, to - from, plate.h)
  c.restore()
  vline(c, from, plate.y, plate.y + plate.h, colour)
  vline(c, to - 1, plate.y, plate.y + plate.h, colour)
}

/** The box that was measured, with its steps and its bytes. */
export function paintMeasure(c: Ctx, p: Picture, { from, to }: Measure): void {
  const { space, plate, theme } = p
  const x0 = space.x(Math.min(from.time, to.time))
  const x1 = space.x(Math.max(from.time, to.time))
  const y0 = space.y(Math.max(from.address, to.address))
  const y1 = space.y(Math.min(from.address, to.address))
  c.save()
  c.beginPath()
  c.rect(plate.x - 1, plate.y - 22, plate.w + 2, plate.h + 24)
  c.clip()
  c.globalAlpha = 0.16
  c.fillStyle = theme.text1
  c.fillRect(x0, y0, x1 - x0, y1 - y0)
  c.globalAlpha = 1
  for (const x of [x0, x1]) vline(c, x, y0 - 4, y1 + 4, theme.text1)
  for (const y of [y0, y1]) hline(c, x0 - 4, x1 + 4, y, theme.text1)
  c.restore()
  const steps = Math.abs(to.time - from.time)
  tag(c, p, `${thousands(steps)} ${steps === 1 ? 'step' : 'steps'}`, (x0 + x1) / 2, y0 - 14, 'center')
  tag(c, p, amount(p, Math.abs(to.address - from.address)), x1 + 8, (y0 + y1) / 2, 'left')
}

function tag(c: Ctx, p: Picture, label: string, x: number, y: number, align: 'center' | 'left'): void {
  const { plate, theme } = p
  const w = labelWidth(label) + 12
  const left = clamp(align === 'center' ? x - w / 2 : x, plate.x, plate.x + plate.w - w)
  const top = clamp(y - 9, plate.y - 22, plate.y + plate.h - 19)
  plaque(c, { x: Math.round(left), y: Math.round(top), w, h: 19 }, theme.surface2, 2, theme.text1)
  text(c, label, Math.round(left) + 6, Math.round(top) + 13, LABEL, theme.text1)
}

/** The largest free block below the capacity over the visible times, kept until the plan or the range is another one. */
export class FreeBlocks {
  private readonly plate = new DensePlate()
  private key: unknown[] = []
  private share = new Float64Array(0)
  private work: Generator<undefined, void> | null = null

  /** repaint: as of Tools */
  constructor(private readonly repaint: () => void) {}

  /** By device pixel of the plate's width: the block as a share of the capacity. */
  private measure(scene: Scene, space: Space, dpr: number): Float64Array {
    const { view, plate } = space
    const key = [scene.frame, scene.capacity, view.t0, view.t1, plate.w, dpr]
    if (key.every((value, k) => value === this.key[k]) && this.work === null) return this.share
    const until = performance.now() + BUDGET_MS
    if (this.work === null) this.key = key
    // one that was begun is finished before a newer one is
    this.work ??= this.begin(scene, space, dpr)
    while (!this.work.next().done) {
      if (performance.now() < until) continue
      this.repaint()
      return this.share
    }
    this.work = null
    this.share = new Float64Array(this.plate.width)
    largestFree(this.plate, this.share)
    if (!key.every((value, k) => value === this.key[k])) this.repaint()
    return this.share
  }

  private begin(scene: Scene, space: Space, dpr: number): Generator<undefined, void> {
    const { view, plate } = space
    const below = new Space({ ...view, b0: 0, b1: scene.capacity }, { x: 0, y: 0, w: plate.w, h: FREE_ROWS / dpr })
    const inks = { shade: () => 0, fills: FULL, bars: FULL }
    const offset = scene.frame?.offset ?? new Float64Array(scene.problem.count).fill(-1)
    return this.plate.painting({
      index: timeIndexOf(scene.problem),
      offset,
      space: below,
      dpr,
      inks,
      only: null,
      least: 1,
    })
  }

  /** A line on the load strip, on its own scale of bytes. */
  paint(c: Ctx, scene: Scene, space: Space, dpr: number, { ok: colour, well }: Tokens): void {
    if (!scene.frame || !(scene.capacity > 0)) return
    const share = this.measure(scene, space, dpr)
    const { plate } = space
    c.beginPath()
    for (let x = 0; x < share.length; x++) {
      const y = Math.floor(space.y((share[x] as number) * scene.capacity)) + 0.5
      c.lineTo(plate.x + x / dpr, y)
      c.lineTo(plate.x + (x + 1) / dpr, y)
    }
    c.strokeStyle = colour
    c.lineWidth = 1.5
    c.stroke()
    const label = 'largest free block'
    const box = { x: plate.x + 2, y: plate.y + 2, w: labelWidth(label) + 8, h: 15 }
    c.globalAlpha = 0.78
    plaque(c, box, well)
    c.globalAlpha = 1
    text(c, label, box.x + 4, box.y + 11, LABEL, colour)
  }
}
