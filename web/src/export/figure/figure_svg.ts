/** A figure as SVG: real texts in named families, the same bytes for the same figure. */
import type { Rect } from '../../base/geom'
import type { ClipShape, Shape, PathShape, Segment, Stroke, TextShape } from '../../draw/vector'
import type { Figure } from './figure'

const FAMILIES = {
  mono: "'IBM Plex Mono', 'DejaVu Sans Mono', Menlo, Consolas, monospace",
  sans: "'IBM Plex Sans', 'DejaVu Sans', Helvetica, Arial, sans-serif",
}
const ANCHORS = { left: 'start', center: 'middle', right: 'end' }

/** What XML has no place for at all: control characters, halves of letters. */
const NO_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu

/** A text for between tags and in attributes. */
export function escapeXml(text: string): string {
  return text
    .replace(NO_XML, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** To a hundredth, without what does not count. */
export function short(value: number): string {
  return String(Math.round(value * 100) / 100 + 0)
}

const list = (values: readonly number[]) => values.map(short).join(' ')

function place({ x, y, w, h }: Rect): string {
  return `x="${short(x)}" y="${short(y)}" width="${short(w)}" height="${short(h)}"`
}

function pathData(path: readonly Segment[]): string {
  return path.map(([kind, ...at]) => `${kind}${list(at)}`).join('')
}

function pen(stroke: Stroke | null, alpha: number): string {
  if (stroke === null) return ''
  const dash = stroke.dash.length > 0 ? ` stroke-dasharray="${list(stroke.dash)}"` : ''
  const faint = alpha < 1 ? ` stroke-opacity="${short(alpha)}"` : ''
  return ` stroke="${stroke.colour}" stroke-width="${short(stroke.width)}"${dash}${faint}`
}

/** What neighbours have in common. */
function looks(shape: Exclude<Shape, { kind: 'clip' }>): string {
  const faint = shape.alpha < 1 ? ` fill-opacity="${short(shape.alpha)}"` : ''
  if (shape.kind === 'text') {
    const { family, size, weight } = shape.font
    return (
      `font-family="${FAMILIES[family]}" font-size="${short(size)}"${weight === 400 ? '' : ` font-weight="${weight}"`}` +
      `${shape.align === 'left' ? '' : ` text-anchor="${ANCHORS[shape.align]}"`} fill="${shape.colour}"${faint}`
    )
  }
  return `fill="${shape.fill ?? 'none'}"${shape.fill === null ? '' : faint}${pen(shape.stroke, shape.alpha)}`
}

function textElement({ x, y, text, turned }: TextShape): string {
  const turn = turned ? ` transform="rotate(-90 ${short(x)} ${short(y)})"` : ''
  return `<text x="${short(x)}" y="${short(y)}"${turn}>${escapeXml(text)}</text>`
}

function element(shape: Exclude<Shape, { kind: 'clip' }>): string {
  if (shape.kind === 'text') return textElement(shape)
  return shape.kind === 'rect' ? `<rect ${place(shape.rect)}/>` : `<path d="${pathData((shape as PathShape).path)}"/>`
}

class Writer {
  constructor(
    private readonly prefix: string,
    private readonly clips: readonly Rect[],
  ) {}

  /** Neighbours that look the same share a group. */
  *write(shapes: readonly Shape[]): Generator<string> {
    let look: string | null = null
    for (const shape of shapes) {
      const now = shape.kind === 'clip' ? null : looks(shape)
      if (look !== null && now !== look) yield '</g>\n'
      if (now !== null && now !== look) yield `<g ${now}>\n`
      look = now
      if (shape.kind === 'clip') yield* this.clipped(shape)
      else yield `${element(shape)}\n`
    }
    if (look !== null) yield '</g>\n'
  }

  private *clipped({ rect, shapes }: ClipShape): Generator<string> {
    if (shapes.length === 0) return
    const at = this.clips.findIndex((clip) => same(clip, rect))
    yield `<g clip-path="url(#${this.prefix}-clip-${at})">\n`
    yield* this.write(shapes)
    yield '</g>\n'
  }
}

const same = (a: Rect, b: Rect) => a.x === b.x && a.y === b.y && a.w === b.w && a.h === b.h

/** Of clips within clips too, each once. */
function clipsOf(shapes: readonly Shape[], found: Rect[] = []): Rect[] {
  for (const shape of shapes) {
    if (shape.kind !== 'clip' || shape.shapes.length === 0) continue
    if (!found.some((clip) => same(clip, shape.rect))) found.push(shape.rect)
    clipsOf(shape.shapes, found)
  }
  return found
}

/** As JSON, of which an id is made: its key stays "marks", so that the ids of figures stay what they were. */
function* inJson(shapes: readonly Shape[]): Generator<string> {
  yield '['
  for (const [k, shape] of shapes.entries()) {
    if (k > 0) yield ','
    if (shape.kind === 'clip') {
      yield `{"kind":"clip","rect":${JSON.stringify(shape.rect)},"marks":`
      yield* inJson(shape.shapes)
      yield '}'
    } else {
      yield JSON.stringify(shape)
    }
  }
  yield ']'
}

/** Tells figures on one page apart, whose ids must differ: FNV-1a of what is drawn. Yields to pause. */
function* idOf({ title, description, shapes }: Figure): Generator<string, string> {
  let sum = 0x811c9dc5
  const add = (text: string): void => {
    for (let k = 0; k < text.length; k++) sum = Math.imul(sum ^ text.charCodeAt(k), 0x01000193)
  }
  add(`${JSON.stringify([title, description]).slice(0, -1)},`)
  for (const text of inJson(shapes)) {
    add(text)
    yield ''
  }
  add(']')
  return `f${(sum >>> 0).toString(16).padStart(8, '0')}`
}

export function* figureSvg(figure: Figure): Generator<string> {
  const { width, height, unit } = figure.size
  const id = yield* idOf(figure)
  const rects = clipsOf(figure.shapes)
  const clips = rects.map((rect, k) => `<clipPath id="${id}-clip-${k}"><rect ${place(rect)}/></clipPath>`)
  const name = escapeXml(figure.title || 'Memory over time')
  const head = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<svg xmlns="http://www.w3.org/2000/svg" width="${short(width * unit)}mm" height="${short(height * unit)}mm" ` +
      `viewBox="0 0 ${short(width)} ${short(height)}" role="img" aria-labelledby="${id}-title ${id}-desc">`,
    `<title id="${id}-title">${name}</title>`,
    `<desc id="${id}-desc">${escapeXml(figure.description)}</desc>`,
    ...(clips.length > 0 ? ['<defs>', ...clips, '</defs>'] : []),
  ]
  yield `${head.join('\n')}\n`
  yield* new Writer(id, rects).write(figure.shapes)
  yield '</svg>\n'
}
