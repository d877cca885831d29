/** Everything one painting of the memory canvas needs, worked out once and shared by its layers. */
import { type ByteUnit, bytesIn, exactly } from '../../base/format'
import type { Rect } from '../../base/geom'
import { type Tokens, tokens } from '../../base/theme'
import type { DensePlate } from '../../layout/canvas/dense'
import { DETAIL_LIMIT, type MemoryRects, memoryRects } from '../../layout/canvas/memory_rects'
import { piecesOf } from '../../layout/canvas/pieces'
import type { Scene } from '../../layout/scene'
import { type Shades, shadesOf } from '../../layout/canvas/shade'
import type { Space } from '../../layout/canvas/spaces'
import { byteTicks, type Tick, timeTicks } from '../../layout/ticks'
import { type Bracket, brackets, type StepView, type Tile } from '../../layout/step/witness'
import type { Ctx } from '../primitives'
import { type BufferColours, coloursOf, type Swatch } from '../buffer_colours'

/** More buffers than can be told apart: an image of them. */
export interface Crowd {
  /** its pixels */
  readonly plate: DensePlate
  paint(c: Ctx, space: Space): void
  /** share of a rectangle that they cover */
  covered(box: Rect): number
}

export interface Picture {
  scene: Scene
  space: Space
  plate: Rect
  dpr: number
  theme: Tokens
  colours: BufferColours
  shades: Shades
  /** null: there are none, or too many */
  rects: MemoryRects | null
  /** in place of the rectangles where they are too many and once it has been made */
  crowd: Crowd | null
  step: StepView
  brackets: Bracket[]
  unit: ByteUnit
  yTicks: Tick[]
  xTicks: Tick[]
  /** a phone's canvas: only the most telling tags */
  narrow: boolean
  /** a dozen buffers at most: larger, centred labels */
  textbook: boolean
  /** room that is left of the ruler for the title of its axis, which then names the unit; 0: it has none */
  titleRoom: number
}

const TEXTBOOK = 12
const NARROW = 480

/** most: more buffers in sight than this are no rectangles but the crowd's. */
export function makePicture(scene: Scene, space: Space, step: StepView, dpr: number, most = DETAIL_LIMIT): Picture {
  const { plate, view } = space
  const { unit, ticks } = byteTicks(view.b0, view.b1, plate.h, scene.capacity)
  return {
    scene,
    space,
    plate,
    dpr,
    theme: tokens[scene.theme],
    colours: coloursOf(scene.theme),
    shades: shadesOf(scene),
    rects:
      scene.frame && most >= 0 ? memoryRects(scene.problem, scene.frame.offset, space, most, scene.frame.stack) : null,
    crowd: null,
    step,
    brackets: brackets(scene, step),
    unit,
    yTicks: ticks,
    xTicks: timeTicks(view.t0, view.t1, plate.w),
    narrow: plate.w < NARROW,
    textbook: scene.problem.count <= TEXTBOOK,
    titleRoom: 0,
  }
}

export function swatchOf(p: Picture, buffer: number): Swatch {
  const k = p.shades.of(buffer)
  return p.colours[p.shades.kind][k] as Swatch
}

/** Bytes in the picture's own unit, so that all amounts on it compare at sight. */
export function amount(p: Picture, n: number): string {
  return bytesIn(n, p.unit)
}

/** The same of what is claimed: a limit, a bound. */
export function limit(p: Picture, n: number): string {
  return exactly(n, p.unit)
}

/** The rectangles of a buffer at an offset, one per piece, at least `least` px wide; uncut by the plate. */
export function tileRects(p: Picture, tile: Tile, least = 0): Rect[] {
  const pieces = piecesOf(p.scene.problem)
  const list: Rect[] = []
  const end = pieces.first[tile.buffer + 1] as number
  for (let k = pieces.first[tile.buffer] as number; k < end; k++) {
    const x0 = p.space.x(pieces.lower[k] as number)
    const x1 = p.space.x(pieces.upper[k] as number)
    const y0 = p.space.y(tile.offset + (pieces.to[k] as number))
    const y1 = p.space.y(tile.offset + (pieces.from[k] as number))
    const grow = Math.max(0, least - (x1 - x0)) / 2
    list.push(nearPlate(p.plate, x0 - grow, x1 + grow, y0, y1))
  }
  return list
}

/** Edges far outside are pulled close to the plate: canvases lose precision on coordinates of millions. */
function nearPlate(plate: Rect, x0: number, x1: number, y0: number, y1: number): Rect {
  const far = 40
  const left = Math.max(x0, plate.x - far)
  const right = Math.min(x1, plate.x + plate.w + far)
  const top = Math.max(y0, plate.y - far)
  const bottom = Math.min(y1, plate.y + plate.h + far)
  return { x: left, y: top, w: right - left, h: bottom - top }
}

/** The smallest rectangle around all, or null if none lies on the plate. */
export function bounds(rects: Rect[], plate: Rect): Rect | null {
  let x0 = Number.POSITIVE_INFINITY
  let y0 = Number.POSITIVE_INFINITY
  let x1 = Number.NEGATIVE_INFINITY
  let y1 = Number.NEGATIVE_INFINITY
  for (const r of rects) {
    if (r.w < 0 || r.h < 0) continue
    x0 = Math.min(x0, r.x)
    y0 = Math.min(y0, r.y)
    x1 = Math.max(x1, r.x + r.w)
    y1 = Math.max(y1, r.y + r.h)
  }
  if (!(x1 > plate.x) || x0 > plate.x + plate.w || !(y1 >= plate.y) || y0 > plate.y + plate.h) return null
  return { x: x0, y: y0, w: x1 - x0, h: y1 - y0 }
}

/** Rectangle snapped to device pixels. */
export function snapped(r: Rect, dpr: number): Rect {
  const x0 = Math.round(r.x * dpr) / dpr
  const y0 = Math.round(r.y * dpr) / dpr
  const x1 = Math.round((r.x + r.w) * dpr) / dpr
  const y1 = Math.round((r.y + r.h) * dpr) / dpr
  return { x: x0, y: y0, w: x1 - x0, h: y1 - y0 }
}

/** Area of placed buffers under a rectangle, in px². O(rectangles). */
export function coveredArea(p: Picture, box: Rect): number {
  if (p.crowd) return p.crowd.covered(box) * box.w * box.h
  const rects = p.rects
  let area = 0
  for (let k = 0; rects && k < rects.count; k++) {
    const x = rects.x[k] as number
    const y = rects.y[k] as number
    const w = Math.min(x + (rects.w[k] as number), box.x + box.w) - Math.max(x, box.x)
    const h = Math.min(y + (rects.h[k] as number), box.y + box.h) - Math.max(y, box.y)
    if (w > 0 && h > 0) area += w * h
  }
  return area
}
