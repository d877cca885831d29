/** One mark of the search tree, and the line it hangs from. */
import { EFFECTS } from '../../../../wasm/client/events'
import type { Tokens } from '../../base/theme'
import type { Shades } from '../../layout/canvas/shade'
import { type TreeMark, NODE_HEIGHT } from '../../layout/tree/tree'
import { thousands } from '../../base/format'
import { fateGlyph, fateHue, mono, text } from '../primitives'
import { DARK_INK, type BufferColours } from '../buffer_colours'

type Ctx = CanvasRenderingContext2D

export interface TreeLook {
  theme: Tokens
  colours: BufferColours
  shades: Shades | null
  /** text can be read */
  written: boolean
  scale: number
}

const GLYPH = 4.2
const DISC = 4.6

/** Thinner than a pixel of the screen a line would vanish. */
function line(look: TreeLook, width: number): number {
  return Math.max(width, 0.7 / look.scale)
}

function hueOf(mark: TreeMark, theme: Tokens): string {
  if (mark.fate !== null) return fateHue(mark.fate, theme)
  return mark.kind === 'open' ? theme.line2 : theme.text3
}

export function paintLink(c: Ctx, parent: TreeMark, mark: TreeMark, look: TreeLook): void {
  const { theme } = look
  const from = parent.y + parent.h / 2
  const to = mark.y - (mark.path ? mark.h / 2 : DISC + 2)
  c.beginPath()
  c.moveTo(parent.x, from)
  const bend = (to - from) * (mark.path ? 0.5 : 0.75)
  c.bezierCurveTo(parent.x, from + bend, mark.x, to - bend, mark.x, to)
  c.setLineDash(mark.kind === 'fold' || parent.kind === 'fold' || parent.kind === 'above' ? [2, 3] : [])
  c.strokeStyle = mark.now ? theme.now : mark.path ? theme.text1 : hueOf(mark, theme)
  c.lineWidth = line(look, mark.path || mark.now ? 2 : 1)
  c.globalAlpha = mark.path || mark.now ? 1 : mark.kind === 'open' ? 0.7 : 0.45
  c.stroke()
  c.setLineDash([])
  c.globalAlpha = 1
}

export function paintTreeMark(c: Ctx, mark: TreeMark, look: TreeLook, lit: boolean): void {
  const { theme } = look
  switch (mark.kind) {
    case 'root':
    case 'idle':
    case 'fold':
    case 'above':
      plate(c, mark, theme.surface2, mark.now ? theme.now : theme.control, theme.text2, look)
      break
    case 'node': {
      const shade = look.shades
      const swatches = look.colours[shade?.kind ?? 'ramp']
      const swatch = swatches[shade?.of(mark.buffer) ?? 0]
      const fill = mark.now ? theme.nowTint : (swatch?.fill ?? theme.surface3)
      plate(c, mark, fill, mark.now ? theme.now : (swatch?.edge ?? ''), mark.now ? theme.nowText : inkOf(swatch), look)
      break
    }
    case 'tried':
      tried(c, mark, look)
      break
    case 'subtree':
      subtree(c, mark, look)
      break
    case 'open':
      if (mark.text === '') ring(c, mark, look)
      else if (look.written) text(c, mark.text, mark.x, mark.y + 4, mono(11), theme.text3, 'center')
      break
    case 'more':
    case 'unknown':
      if (look.written) text(c, mark.text, mark.x, mark.y + 4, mono(11), theme.text2, 'center')
      break
    case 'solved':
      solved(c, mark, look)
      break
  }
  if (lit) focus(c, mark, look)
}

function inkOf(swatch: { ink: string } | undefined): string {
  return swatch?.ink ?? DARK_INK
}

function plate(c: Ctx, mark: TreeMark, fill: string, edge: string, ink: string, look: TreeLook): void {
  c.beginPath()
  c.roundRect(mark.x - mark.w / 2, mark.y - mark.h / 2, mark.w, mark.h, 3)
  c.fillStyle = fill
  c.fill()
  if (edge !== '') {
    c.strokeStyle = edge
    c.lineWidth = line(look, mark.now ? 2 : 1)
    c.stroke()
  }
  const weight = mark.kind === 'node' ? 500 : 400
  if (look.written) text(c, mark.text, mark.x, mark.y + 4, mono(mark.kind === 'node' ? 12 : 11, weight), ink, 'center')
}

/** The step shown is written out beside its glyph; a placement that was taken back is a disc. */
function tried(c: Ctx, mark: TreeMark, look: TreeLook): void {
  const { theme } = look
  const { attempt } = mark
  if (attempt === null) return
  const written = mark.now && attempt.step === attempt.end && mark.text !== '' && mark.w > 3 * GLYPH * 2
  const at = written ? mark.x + mark.w / 2 - 9 : mark.x
  if (written) {
    const own = { ...mark, kind: 'node' as const, x: mark.x - 11, w: mark.w - 22, h: NODE_HEIGHT }
    plate(c, own, theme.nowTint, theme.now, theme.nowText, look)
  }
  const effect = EFFECTS[attempt.kind]
  if (effect === 'opens') {
    disc(c, mark, look)
    return
  }
  c.strokeStyle = effect === 'idles' ? theme.text2 : hueOf(mark, theme)
  c.lineWidth = line(look, 1.5)
  if (effect === 'idles') idle(c, at, mark.y)
  else fateGlyph(c, mark.fate ?? 'other', at, mark.y, GLYPH)
  if (attempt.count > 1 && look.written)
    text(c, thousands(attempt.count), at, mark.y + 17, mono(10.5), theme.text3, 'center')
}

function idle(c: Ctx, x: number, y: number): void {
  c.beginPath()
  c.moveTo(x - GLYPH, y + GLYPH * 0.6)
  c.lineTo(x, y - GLYPH * 0.6)
  c.lineTo(x + GLYPH, y + GLYPH * 0.6)
  c.stroke()
}

function disc(c: Ctx, mark: TreeMark, look: TreeLook): void {
  const { theme } = look
  c.beginPath()
  c.arc(mark.x, mark.y, DISC, 0, 2 * Math.PI)
  c.fillStyle = theme.text3
  c.fill()
  if (!mark.now) return
  c.strokeStyle = theme.now
  c.lineWidth = 2
  c.stroke()
}

/** Points up to its disc while it is folded, with its steps; else it is small and points down. */
function subtree(c: Ctx, mark: TreeMark, look: TreeLook): void {
  const { theme } = look
  const [rise, half] = mark.unfolded ? [-2.5, 4] : [4.2, 6.5]
  c.beginPath()
  c.moveTo(mark.x, mark.y - rise)
  c.lineTo(mark.x + half, mark.y + rise)
  c.lineTo(mark.x - half, mark.y + rise)
  c.closePath()
  c.fillStyle = theme.surface3
  c.fill()
  c.strokeStyle = theme.control
  c.lineWidth = line(look, 1)
  c.stroke()
  if (!mark.unfolded && look.written)
    text(c, shortCount(mark.count), mark.x, mark.y + 16, mono(10.5), theme.text3, 'center')
}

function shortCount(steps: number): string {
  if (steps < 1000) return String(steps)
  return steps < 1e6 ? `${Math.round(steps / 1000)}k` : `${Number((steps / 1e6).toPrecision(2))}M`
}

function ring(c: Ctx, mark: TreeMark, look: TreeLook): void {
  c.beginPath()
  c.arc(mark.x, mark.y, DISC - 0.6, 0, 2 * Math.PI)
  c.setLineDash([2.2, 2])
  c.strokeStyle = look.theme.control
  c.lineWidth = line(look, 1)
  c.stroke()
  c.setLineDash([])
}

function solved(c: Ctx, mark: TreeMark, look: TreeLook): void {
  c.beginPath()
  c.arc(mark.x, mark.y, 8, 0, 2 * Math.PI)
  c.fillStyle = look.theme.ok
  c.fill()
  c.beginPath()
  c.moveTo(mark.x - 3.6, mark.y + 0.2)
  c.lineTo(mark.x - 0.9, mark.y + 3)
  c.lineTo(mark.x + 3.8, mark.y - 3)
  c.strokeStyle = look.theme.well
  c.lineWidth = 1.7
  c.stroke()
}

function focus(c: Ctx, mark: TreeMark, look: TreeLook): void {
  c.strokeStyle = look.theme.text1
  c.lineWidth = line(look, 1.5)
  c.beginPath()
  c.roundRect(mark.x - mark.w / 2 - 3, mark.y - mark.h / 2 - 3, mark.w + 6, mark.h + 6, 5)
  c.stroke()
}
