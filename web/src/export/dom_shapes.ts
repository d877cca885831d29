/**
 * What a part of the page shows, as shapes: grounds and rules of tables, texts where they stand, shapes of its SVG. So a chart or a table that the
 * page lays out can be written like a figure, as it is looked at.
 */
import type { Rect } from '../base/geom'
import type { Font, Shape, Segment, Stroke, TextShape } from '../draw/vector'

/** Share of a line of IBM Plex that is above its baseline. */
const ASCENT = 1.025 / 1.3

interface Colour {
  hex: string
  alpha: number
}

/** Colours of any notation as hexadecimals with an opacity: a canvas knows them all. null: nothing is seen of it. */
function reader(): (css: string) => Colour | null {
  const c = document.createElement('canvas').getContext('2d')
  return (css) => {
    if (c === null || css === 'none' || css === '') return null
    c.fillStyle = '#000000'
    c.fillStyle = css
    const read = c.fillStyle
    if (read.startsWith('#')) return { hex: read, alpha: 1 }
    // "rgba(1, 2, 3, 0.5)", or of what was mixed "color(srgb 0.1 0.2 0.3 / 0.5)"
    const [r = 0, g = 0, b = 0, alpha = 1] = (read.match(/[\d.]+(e-\d+)?/g) ?? []).map(Number)
    const scale = read.startsWith('color(') ? 255 : 1
    const hex = [r, g, b]
      .map((v) =>
        Math.round(v * scale)
          .toString(16)
          .padStart(2, '0'),
      )
      .join('')
    return alpha === 0 ? null : { hex: `#${hex}`, alpha }
  }
}

/** "M0 4.4h3V2Z" with absolute and relative moves, lines and closings; other commands are not drawn here. */
export function segmentsOf(d: string, to: (x: number, y: number) => readonly [number, number]): Segment[] {
  const made: Segment[] = []
  let [x, y] = [0, 0]
  for (const [, command = 'Z', rest = ''] of d.matchAll(/([MLHVZmlhvz])([^MLHVZmlhvz]*)/g)) {
    const numbers = (rest.match(/-?(?:\d+\.?\d*|\.\d+)/g) ?? []).map(Number)
    const kind = command.toUpperCase()
    const [dx, dy] = command === kind ? [0, 0] : [1, 1]
    if (kind === 'Z') made.push(['Z'])
    const wide = kind === 'H' || kind === 'V' ? 1 : 2
    for (let k = 0; k + wide <= numbers.length && kind !== 'Z'; k += wide) {
      const [a = 0, b = 0] = numbers.slice(k, k + wide)
      if (kind === 'H') x = a + dx * x
      else if (kind === 'V') y = a + dy * y
      else [x, y] = [a + dx * x, b + dy * y]
      made.push([kind === 'M' && k === 0 ? 'M' : 'L', ...to(x, y)])
    }
  }
  return made
}

const CIRCLE = 24

class Reader {
  readonly shapes: Shape[] = []
  private readonly colour = reader()

  constructor(private readonly origin: DOMRect) {}

  private rect({ left, top, width, height }: DOMRect): Rect {
    return { x: left - this.origin.left, y: top - this.origin.top, w: width, h: height }
  }

  private ground(element: Element, style: CSSStyleDeclaration): void {
    const rect = this.rect(element.getBoundingClientRect())
    const fill = this.colour(style.backgroundColor)
    if (fill !== null && rect.w > 0 && rect.h > 0)
      this.shapes.push({ kind: 'rect', rect, fill: fill.hex, stroke: null, alpha: fill.alpha })
    const width = Number.parseFloat(style.borderTopWidth)
    const line = width > 0 ? this.colour(style.borderTopColor) : null
    if (line === null) return
    const stroke = { colour: line.hex, width, dash: [] }
    const path: Segment[] = [
      ['M', rect.x, rect.y],
      ['L', rect.x + rect.w, rect.y],
    ]
    this.shapes.push({ kind: 'path', path, fill: null, stroke, alpha: line.alpha })
  }

  private font(style: CSSStyleDeclaration): Font {
    const family = style.fontFamily.includes('Mono') ? 'mono' : 'sans'
    return { family, size: Number.parseFloat(style.fontSize), weight: Number(style.fontWeight) || 400 }
  }

  private text(node: Text, style: CSSStyleDeclaration): void {
    const words = (node.textContent ?? '').replace(/\s+/g, ' ').trim()
    const colour = this.colour(style.color)
    if (words === '' || colour === null) return
    const range = document.createRange()
    range.selectNodeContents(node)
    const { x, y, w, h } = this.rect(range.getBoundingClientRect())
    if (w === 0) return
    const text = style.textTransform === 'uppercase' ? words.toUpperCase() : words
    const right = style.textAlign === 'right' || style.textAlign === 'end'
    this.say({ text, x: right ? x + w : x, y: y + ASCENT * h, align: right ? 'right' : 'left' }, style, colour)
  }

  private say(shape: Pick<TextShape, 'text' | 'x' | 'y' | 'align'>, style: CSSStyleDeclaration, colour: Colour): void {
    this.shapes.push({
      kind: 'text',
      ...shape,
      font: this.font(style),
      colour: colour.hex,
      turned: false,
      alpha: colour.alpha,
    })
  }

  private shape(element: SVGGraphicsElement, style: CSSStyleDeclaration): void {
    const matrix = element.getScreenCTM()
    if (matrix === null) return
    const to = (x: number, y: number): [number, number] => [
      matrix.a * x + matrix.c * y + matrix.e - this.origin.left,
      matrix.b * x + matrix.d * y + matrix.f - this.origin.top,
    ]
    const fill = this.colour(style.fill)
    if (element instanceof SVGTextElement) {
      const [x, y] = to(Number(element.getAttribute('x')), Number(element.getAttribute('y')))
      const align = ({ middle: 'center', end: 'right' } as const)[style.textAnchor] ?? 'left'
      if (fill !== null && element.textContent) this.say({ text: element.textContent, x, y, align }, style, fill)
      return
    }
    const path =
      element instanceof SVGCircleElement ? circle(element, to) : segmentsOf(element.getAttribute('d') ?? '', to)
    const pen = this.colour(style.stroke)
    const width = Number.parseFloat(style.strokeWidth) * Math.hypot(matrix.a, matrix.b)
    const dash = style.strokeDasharray === 'none' ? [] : (style.strokeDasharray.match(/[\d.]+/g) ?? []).map(Number)
    const stroke: Stroke | null = pen === null || !(width > 0) ? null : { colour: pen.hex, width, dash }
    if (path.length < 2 || (fill === null && stroke === null)) return
    const closed = path.at(-1)?.[0] === 'Z'
    const alpha = Number(style.opacity) * (pen?.alpha ?? fill?.alpha ?? 1)
    this.shapes.push({ kind: 'path', path, fill: closed && fill ? fill.hex : null, stroke, alpha })
  }

  walk(node: Node): void {
    for (const child of node.childNodes) {
      if (child instanceof Text && child.parentElement) this.text(child, getComputedStyle(child.parentElement))
      if (!(child instanceof Element)) continue
      const style = getComputedStyle(child)
      // what is only for screen readers is cut to nothing
      if (style.display === 'none' || style.visibility === 'hidden' || style.clipPath !== 'none') continue
      if (child instanceof SVGGeometryElement || child instanceof SVGTextElement) this.shape(child, style)
      else {
        if (child instanceof HTMLElement) this.ground(child, style)
        this.walk(child)
      }
    }
  }

  /** What lies under all of it. */
  under(element: Element): void {
    let ground: Element | null = element
    let fill = this.colour(getComputedStyle(element).backgroundColor)
    while (fill === null && ground.parentElement !== null) {
      ground = ground.parentElement
      fill = this.colour(getComputedStyle(ground).backgroundColor)
    }
    const rect = { x: 0, y: 0, w: this.origin.width, h: this.origin.height }
    if (fill !== null) this.shapes.push({ kind: 'rect', rect, fill: fill.hex, stroke: null, alpha: 1 })
  }
}

function circle(element: SVGCircleElement, to: (x: number, y: number) => readonly [number, number]): Segment[] {
  const [cx, cy, r] = [element.cx.baseVal.value, element.cy.baseVal.value, element.r.baseVal.value]
  const path = Array.from({ length: CIRCLE }, (_, k): Segment => {
    const turn = (2 * Math.PI * k) / CIRCLE
    return [k === 0 ? 'M' : 'L', ...to(cx + r * Math.cos(turn), cy + r * Math.sin(turn))]
  })
  return [...path, ['Z']]
}

/** In CSS pixels from the element's corner. What is scrolled out of sight is there as well, and what sticks to an edge where it belongs. */
export function domShapes(element: Element): { shapes: Shape[]; width: number; height: number } {
  element.classList.add('as-picture')
  const origin = element.getBoundingClientRect()
  const read = new Reader(origin)
  read.under(element)
  read.walk(element)
  element.classList.remove('as-picture')
  return { shapes: read.shapes, width: Math.ceil(origin.width), height: Math.ceil(origin.height) }
}
