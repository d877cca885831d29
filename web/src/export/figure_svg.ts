/** A figure as SVG: real texts in named families, the same bytes for the same figure. */
import type { Rect } from '../base/geom'
import type { Mark, PathMark, Segment, Stroke, TextMark } from '../draw/vector'
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
function looks(mark: Exclude<Mark, { kind: 'clip' }>): string {
  const faint = mark.alpha < 1 ? ` fill-opacity="${short(mark.alpha)}"` : ''
  if (mark.kind === 'text') {
    const { family, size, weight } = mark.font
    return (
      `font-family="${FAMILIES[family]}" font-size="${short(size)}"${weight === 400 ? '' : ` font-weight="${weight}"`}` +
      `${mark.align === 'left' ? '' : ` text-anchor="${ANCHORS[mark.align]}"`} fill="${mark.colour}"${faint}`
    )
  }
  return `fill="${mark.fill ?? 'none'}"${mark.fill === null ? '' : faint}${pen(mark.stroke, mark.alpha)}`
}

function textElement({ x, y, text, turned }: TextMark): string {
  const turn = turned ? ` transform="rotate(-90 ${short(x)} ${short(y)})"` : ''
  return `<text x="${short(x)}" y="${short(y)}"${turn}>${escapeXml(text)}</text>`
}

function element(mark: Exclude<Mark, { kind: 'clip' }>): string {
  if (mark.kind === 'text') return textElement(mark)
  return mark.kind === 'rect' ? `<rect ${place(mark.rect)}/>` : `<path d="${pathData((mark as PathMark).path)}"/>`
}

class Writer {
  readonly lines: string[] = []
  readonly clips: Rect[] = []

  constructor(private readonly prefix: string) {}

  write(marks: readonly Mark[]): void {
    for (let k = 0; k < marks.length; ) {
      const mark = marks[k] as Mark
      if (mark.kind === 'clip') {
        this.clipped(mark.rect, mark.marks)
        k++
      } else {
        k = this.group(marks, k)
      }
    }
  }

  /** All that follow and look the same. */
  private group(marks: readonly Mark[], first: number): number {
    const members: string[] = []
    let look = ''
    let k = first
    for (; k < marks.length; k++) {
      const mark = marks[k] as Mark
      if (mark.kind === 'clip') break
      const now = looks(mark)
      if (k > first && now !== look) break
      look = now
      members.push(element(mark))
    }
    this.lines.push(`<g ${look}>`, ...members, '</g>')
    return k
  }

  private clipped(rect: Rect, marks: readonly Mark[]): void {
    if (marks.length === 0) return
    let at = this.clips.findIndex((r) => r.x === rect.x && r.y === rect.y && r.w === rect.w && r.h === rect.h)
    if (at < 0) at = this.clips.push(rect) - 1
    this.lines.push(`<g clip-path="url(#${this.prefix}-clip-${at})">`)
    this.write(marks)
    this.lines.push('</g>')
  }
}

/** Tells figures on one page apart, whose ids must differ: FNV-1a of what is drawn. */
function mark(text: string): string {
  let sum = 0x811c9dc5
  for (let k = 0; k < text.length; k++) sum = Math.imul(sum ^ text.charCodeAt(k), 0x01000193)
  return `f${(sum >>> 0).toString(16).padStart(8, '0')}`
}

export function figureSvg(figure: Figure): string {
  const { width, height, unit } = figure.size
  const id = mark(JSON.stringify([figure.title, figure.description, figure.marks]))
  const writer = new Writer(id)
  writer.write(figure.marks)
  const clips = writer.clips.map((rect, k) => `<clipPath id="${id}-clip-${k}"><rect ${place(rect)}/></clipPath>`)
  const name = escapeXml(figure.title || 'Memory over time')
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<svg xmlns="http://www.w3.org/2000/svg" width="${short(width * unit)}mm" height="${short(height * unit)}mm" ` +
      `viewBox="0 0 ${short(width)} ${short(height)}" role="img" aria-labelledby="${id}-title ${id}-desc">`,
    `<title id="${id}-title">${name}</title>`,
    `<desc id="${id}-desc">${escapeXml(figure.description)}</desc>`,
    ...(clips.length > 0 ? ['<defs>', ...clips, '</defs>'] : []),
    ...writer.lines,
    '</svg>',
    '',
  ].join('\n')
}
