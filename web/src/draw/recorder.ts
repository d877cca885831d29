/**
 * Stands in for a canvas and takes down what is painted, as plain data: figures are drawn by the painters of the screen, and nothing of
 * theirs is written twice. Texts are measured by fixed advances, so the same scene gives the same shapes on every machine.
 */
import type { Rect } from '../base/geom'
import type { Ctx } from './primitives'
import { type Font, type Shape, type Segment, type Stroke, type TextShape, textWidth } from './vector'

interface State {
  fill: string
  stroke: string
  width: number
  alpha: number
  dash: readonly number[]
  font: Font
  align: TextShape['align']
  /** where texts are moved to, and whether they are turned; nothing else is drawn moved */
  origin: readonly [number, number]
  turned: boolean
  /** shapes are added here */
  into: Shape[]
}

/** Length of the handles of a quarter circle, in radii. */
const HANDLE = 0.5522847498

function fontOf(css: string): Font {
  const [, weight, size] = /^(?:(\d+) )?([\d.]+)px /.exec(css) ?? []
  return { family: css.includes('Mono') ? 'mono' : 'sans', size: Number(size ?? 10), weight: Number(weight ?? 400) }
}

function colourOf(style: Ctx['fillStyle']): string {
  if (typeof style !== 'string') throw new Error('a figure has no gradients')
  return style
}

function box(rect: Rect): Segment[] {
  const { x, y, w, h } = rect
  return [['M', x, y], ['L', x + w, y], ['L', x + w, y + h], ['L', x, y + h], ['Z']]
}

/** The rectangle that a path is, null if it is none. */
function rectOf(path: readonly Segment[]): Rect | null {
  const [a, b, c, d, end, more] = path
  if (a?.[0] !== 'M' || b?.[0] !== 'L' || c?.[0] !== 'L' || d?.[0] !== 'L' || end?.[0] !== 'Z' || more) return null
  const square = a[2] === b[2] && b[1] === c[1] && c[2] === d[2] && d[1] === a[1]
  return square ? { x: a[1], y: a[2], w: c[1] - a[1], h: c[2] - a[2] } : null
}

export class Recorder implements Ctx {
  readonly shapes: Shape[] = []
  textBaseline: CanvasTextBaseline = 'alphabetic'
  lineJoin: CanvasLineJoin = 'miter'
  private state: State = {
    fill: '#000000',
    stroke: '#000000',
    width: 1,
    alpha: 1,
    dash: [],
    font: { family: 'sans', size: 10, weight: 400 },
    align: 'left',
    origin: [0, 0],
    turned: false,
    into: this.shapes,
  }
  private readonly stack: State[] = []
  private path: Segment[] = []

  save(): void {
    this.stack.push({ ...this.state })
  }

  restore(): void {
    this.state = this.stack.pop() ?? this.state
  }

  translate(x: number, y: number): void {
    const [left, top] = this.state.origin
    this.state.origin = [left + x, top + y]
  }

  rotate(angle: number): void {
    if (angle !== -Math.PI / 2) throw new Error('a figure has no texts but level and upright ones')
    this.state.turned = true
  }

  get fillStyle(): string {
    return this.state.fill
  }
  set fillStyle(style: Ctx['fillStyle']) {
    this.state.fill = colourOf(style)
  }
  get strokeStyle(): string {
    return this.state.stroke
  }
  set strokeStyle(style: Ctx['strokeStyle']) {
    this.state.stroke = colourOf(style)
  }
  get lineWidth(): number {
    return this.state.width
  }
  set lineWidth(width: number) {
    this.state.width = width
  }
  get globalAlpha(): number {
    return this.state.alpha
  }
  set globalAlpha(alpha: number) {
    this.state.alpha = alpha
  }
  get font(): string {
    const { weight, size, family } = this.state.font
    return `${weight} ${size}px ${family}`
  }
  set font(css: string) {
    this.state.font = fontOf(css)
  }
  get textAlign(): CanvasTextAlign {
    return this.state.align
  }
  set textAlign(align: CanvasTextAlign) {
    this.state.align = align === 'center' || align === 'right' ? align : 'left'
  }

  setLineDash(dash: Iterable<number>): void {
    this.state.dash = [...dash]
  }

  beginPath(): void {
    this.path = []
  }

  moveTo(x: number, y: number): void {
    this.path.push(['M', x, y])
  }

  lineTo(x: number, y: number): void {
    this.path.push([this.path.length === 0 ? 'M' : 'L', x, y])
  }

  closePath(): void {
    this.path.push(['Z'])
  }

  rect(x: number, y: number, w: number, h: number): void {
    this.path.push(...box({ x, y, w, h }))
  }

  /** Whole circles only: nothing else is painted. */
  arc(x: number, y: number, radius: number): void {
    this.roundRect(x - radius, y - radius, 2 * radius, 2 * radius, radius)
  }

  roundRect(x: number, y: number, w: number, h: number, radii?: Parameters<Ctx['roundRect']>[4]): void {
    const r = Math.min(typeof radii === 'number' ? radii : 0, w / 2, h / 2)
    const k = r * (1 - HANDLE)
    const [right, bottom] = [x + w, y + h]
    this.path.push(
      ['M', x + r, y],
      ['L', right - r, y],
      ['C', right - k, y, right, y + k, right, y + r],
      ['L', right, bottom - r],
      ['C', right, bottom - k, right - k, bottom, right - r, bottom],
      ['L', x + r, bottom],
      ['C', x + k, bottom, x, bottom - k, x, bottom - r],
      ['L', x, y + r],
      ['C', x, y + k, x + k, y, x + r, y],
      ['Z'],
    )
  }

  clip(): void {
    const rect = rectOf(this.path)
    if (rect === null) throw new Error('a figure is clipped to rectangles only')
    const shapes: Shape[] = []
    this.state.into.push({ kind: 'clip', rect, shapes })
    this.state.into = shapes
  }

  fill(): void {
    this.addPath(this.state.fill, null)
  }

  stroke(): void {
    this.addPath(null, this.pen())
  }

  fillRect(x: number, y: number, w: number, h: number): void {
    this.addRect({ x, y, w, h }, this.state.fill, null)
  }

  strokeRect(x: number, y: number, w: number, h: number): void {
    this.addRect({ x, y, w, h }, null, this.pen())
  }

  measureText(text: string): { readonly width: number } {
    return { width: textWidth(text, this.state.font) }
  }

  fillText(text: string, x: number, y: number): void {
    const { font, fill: colour, align, turned, alpha, origin } = this.state
    if (text === '') return
    this.state.into.push({
      kind: 'text',
      text,
      x: x + origin[0],
      y: y + origin[1],
      font,
      colour,
      align,
      turned,
      alpha,
    })
  }

  private pen(): Stroke {
    const { stroke: colour, width, dash } = this.state
    return { colour, width, dash }
  }

  private addRect(rect: Rect, fill: string | null, stroke: Stroke | null): void {
    if (rect.w < 0 || rect.h < 0) return
    if (stroke === null && (rect.w === 0 || rect.h === 0)) return
    this.state.into.push({ kind: 'rect', rect, fill, stroke, alpha: this.state.alpha })
  }

  private addPath(fill: string | null, stroke: Stroke | null): void {
    if (this.path.length < 2) return
    this.state.into.push({ kind: 'path', path: this.path.slice(), fill, stroke, alpha: this.state.alpha })
  }
}
