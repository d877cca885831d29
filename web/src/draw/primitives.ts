/** Primitives that several drawings share: lines, hatching, tags and the glyphs of the fates. Units are CSS pixels. */
import { shortName } from '../base/format'
import { type Rect, snap } from '../base/geom'
import { MONO, type Tokens } from '../base/theme'
import type { Fate } from '../layout/step/fate'

type Used =
  | 'save'
  | 'restore'
  | 'translate'
  | 'rotate'
  | 'beginPath'
  | 'moveTo'
  | 'lineTo'
  | 'closePath'
  | 'arc'
  | 'rect'
  | 'roundRect'
  | 'clip'
  | 'fill'
  | 'stroke'
  | 'fillRect'
  | 'strokeRect'
  | 'fillText'
  | 'setLineDash'
  | 'fillStyle'
  | 'strokeStyle'
  | 'lineWidth'
  | 'lineJoin'
  | 'globalAlpha'
  | 'font'
  | 'textAlign'
  | 'textBaseline'

/**
 * What the painters use of a canvas: little enough that a Recorder (recorder.ts) can stand in for it, so that a figure is drawn by the same
 * code as the screen. Only what has pixels can take an image.
 */
export interface Ctx extends Pick<CanvasRenderingContext2D, Used> {
  measureText(text: string): { readonly width: number }
  drawImage?: CanvasRenderingContext2D['drawImage']
}

/** A sharp horizontal line. */
export function hline(c: Ctx, x0: number, x1: number, y: number, colour: string, width = 1, dash: number[] = []): void {
  stroke(c, x0, snap(y), x1, snap(y), colour, width, dash)
}

/** A sharp vertical line. */
export function vline(c: Ctx, x: number, y0: number, y1: number, colour: string, width = 1, dash: number[] = []): void {
  stroke(c, snap(x), y0, snap(x), y1, colour, width, dash)
}

function stroke(
  c: Ctx,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  colour: string,
  width: number,
  dash: number[],
): void {
  c.strokeStyle = colour
  c.lineWidth = width
  c.setLineDash(dash)
  c.beginPath()
  c.moveTo(x0, y0)
  c.lineTo(x1, y1)
  c.stroke()
  c.setLineDash([])
}

/** Outline whose stroke lies inside the rectangle. */
export function outline(c: Ctx, r: Rect, colour: string, width: number, dash: number[] = []): void {
  c.strokeStyle = colour
  c.lineWidth = width
  c.setLineDash(dash)
  c.strokeRect(r.x + width / 2, r.y + width / 2, Math.max(0, r.w - width), Math.max(0, r.h - width))
  c.setLineDash([])
}

/** Lines at 45 degrees, `gap` apart, within the rectangle; anchored to the canvas, so they stand still while the rectangle grows. */
export function hatch(c: Ctx, r: Rect, colour: string, gap: number, width = 1): void {
  if (!(r.w > 0) || !(r.h > 0)) return
  c.save()
  c.beginPath()
  c.rect(r.x, r.y, r.w, r.h)
  c.clip()
  c.strokeStyle = colour
  c.lineWidth = width
  c.beginPath()
  const first = Math.floor((r.x + r.y) / gap) * gap
  for (let s = first; s < r.x + r.w + r.y + r.h; s += gap) {
    c.moveTo(s - r.y, r.y)
    c.lineTo(s - r.y - r.h, r.y + r.h)
  }
  c.stroke()
  c.restore()
}

export function mono(size: number, weight = 400): string {
  return `${weight} ${size}px ${MONO}`
}

export function text(
  c: Ctx,
  s: string,
  x: number,
  y: number,
  font: string,
  colour: string,
  align: CanvasTextAlign = 'left',
): void {
  c.font = font
  c.fillStyle = colour
  c.textAlign = align
  c.textBaseline = 'alphabetic'
  c.fillText(s, x, y)
}

/** Of a name at least so many letters tell something. */
const TELLING = 8

/** A name in the current font, monospaced, in so many px: whole, shortened, or '' where too little of it would be left. */
export function nameWithin(c: Ctx, name: string, room: number): string {
  // measuring takes time, and most have no room at all
  if (Math.min(name.length, TELLING) * 4 > room) return ''
  const most = Math.floor(room / c.measureText('0').width)
  const short = name.length > most && most < TELLING ? '' : shortName(name, most)
  return c.measureText(short).width > room ? '' : short
}

/** Rounded rectangle, filled. */
export function plaque(c: Ctx, r: Rect, fill: string, radius = 2, border = ''): void {
  c.beginPath()
  c.roundRect(r.x, r.y, r.w, r.h, radius)
  c.fillStyle = fill
  c.fill()
  if (border) {
    c.beginPath()
    c.roundRect(r.x + 0.5, r.y + 0.5, Math.max(0, r.w - 1), Math.max(0, r.h - 1), radius)
    c.strokeStyle = border
    c.lineWidth = 1
    c.stroke()
  }
}

/** Triangle of the lower bound: its point touches (x, y) from the right. */
export function boundTriangle(c: Ctx, x: number, y: number, colour: string): void {
  c.fillStyle = colour
  c.beginPath()
  c.moveTo(x, y)
  c.lineTo(x + 7, y - 4)
  c.lineTo(x + 7, y + 4)
  c.closePath()
  c.fill()
}

/** Glyph of a fate within a square of half side r about (x, y). Strokes take the current strokeStyle and lineWidth. */
export function fateGlyph(c: Ctx, fate: Fate, x: number, y: number, r: number): void {
  c.beginPath()
  switch (fate) {
    case 'bound':
      c.moveTo(x - r, y - r)
      c.lineTo(x + r, y + r)
      c.moveTo(x - r, y + r)
      c.lineTo(x + r, y - r)
      break
    case 'dominance':
      for (const k of [-1, 0, 1]) {
        c.moveTo(x - r, y + k * r * 0.85)
        c.lineTo(x + r, y + k * r * 0.85)
      }
      break
    case 'canonical':
      c.moveTo(x - r, y - r * 0.8)
      c.lineTo(x + r, y - r * 0.8)
      c.lineTo(x, y + r * 0.9)
      c.closePath()
      break
    case 'hatless':
      c.moveTo(x - r * 0.9, y + r)
      c.lineTo(x - r * 0.9, y - r * 0.8)
      c.lineTo(x + r * 0.9, y - r * 0.8)
      c.lineTo(x + r * 0.9, y + r)
      break
    case 'learned':
      c.moveTo(x, y - r)
      c.lineTo(x + r, y)
      c.lineTo(x, y + r)
      c.lineTo(x - r, y)
      c.closePath()
      break
    case 'other':
      c.arc(x, y, r * 0.5, 0, 2 * Math.PI)
      break
  }
  c.stroke()
}

export function fateHue(fate: Fate, theme: Tokens): string {
  switch (fate) {
    case 'bound':
      return theme.fateBound
    case 'dominance':
      return theme.fateDominance
    case 'canonical':
      return theme.fateCanonical
    case 'hatless':
      return theme.fateHatless
    case 'learned':
      return theme.fateLearned
    case 'other':
      return theme.fateOther
  }
}
