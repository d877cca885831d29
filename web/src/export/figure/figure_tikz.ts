/** A figure as TikZ: a document that compiles by itself, under pdfLaTeX, LuaLaTeX and XeLaTeX, and whose picture can be taken into another. */
import type { Rect } from '../../base/geom'
import type { Shape, Segment, Stroke, TextShape } from '../../draw/vector'
import type { Figure } from './figure'
import { short } from './figure_svg'

/** Letters that TeX takes for something else, alone or beside their like. */
const SPECIAL: Record<string, string> = {
  '\\': '\\textbackslash{}',
  '{': '\\{',
  '}': '\\}',
  $: '\\$',
  '&': '\\&',
  '#': '\\#',
  _: '\\_',
  '%': '\\%',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '|': '\\textbar{}',
  '"': '\\textquotedbl{}',
  "'": '\\textquotesingle{}',
  '`': '\\textasciigrave{}',
  '-': '{-}',
  ',': '{,}',
  ' ': '\\ ',
  '–': '\\textendash{}',
  '—': '\\textemdash{}',
  '…': '\\textellipsis{}',
  '−': '\\ensuremath{-}',
  '×': '\\ensuremath{\\times}',
}

/** A text that comes out letter for letter. What pdfLaTeX has no letter for is a question mark there, and itself elsewhere. */
export function escapeTex(text: string): string {
  let out = ''
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0
    const special = SPECIAL[letter]
    if (special !== undefined) out += special
    else if (code < 32 || code === 127) out += '?'
    else if (code < 127 || (code > 160 && code < 256)) out += letter
    else out += `\\arenaletter{${code.toString(16).toUpperCase()}}`
  }
  return out
}

/** A comment ends with its line, and is plain ASCII whatever was asked. */
function comment(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?')
}

const at = (x: number, y: number) => `(${short(x)},${short(y)})`

function box({ x, y, w, h }: Rect): string {
  return `${at(x, y)} rectangle ${at(x + w, y + h)}`
}

function pathOf(path: readonly Segment[]): string {
  let out = ''
  for (const segment of path) {
    if (segment[0] === 'Z') out += ' -- cycle'
    else if (segment[0] === 'C')
      out += ` .. controls ${at(segment[1], segment[2])} and ${at(segment[3], segment[4])} .. ${at(segment[5], segment[6])}`
    else out += `${segment[0] === 'M' ? ' ' : ' -- '}${at(segment[1], segment[2])}`
  }
  return out.trim()
}

const ANCHORS = { left: 'base west', center: 'base', right: 'base east' }

class Writer {
  private readonly colours = new Map<string, string>()

  /** bp: big points of a unit; lengths of TikZ that are no coordinates are not scaled. */
  constructor(private readonly bp: number) {}

  definitions(): string[] {
    return [...this.colours].map(([hex, name]) => `\\definecolor{${name}}{HTML}{${hex}}`)
  }

  *write(shapes: readonly Shape[], indent: string): Generator<string> {
    for (const shape of shapes) {
      if (shape.kind === 'text') {
        yield `${indent}${this.node(shape)}\n`
      } else if (shape.kind === 'clip') {
        if (shape.shapes.length === 0) continue
        yield `${indent}\\begin{scope}\n${indent}  \\clip ${box(shape.rect)};\n`
        yield* this.write(shape.shapes, `${indent}  `)
        yield `${indent}\\end{scope}\n`
      } else {
        const what = shape.kind === 'rect' ? box(shape.rect) : pathOf(shape.path)
        const options = [...this.fill(shape.fill, shape.alpha), ...this.pen(shape.stroke, shape.alpha)]
        yield `${indent}\\path[${options.join(', ')}] ${what};\n`
      }
    }
  }

  private colour(hex: string): string {
    const digits = hex.slice(1).toUpperCase()
    let name = this.colours.get(digits)
    if (name === undefined) {
      name = `arena${this.colours.size}`
      this.colours.set(digits, name)
    }
    return name
  }

  private length(units: number): string {
    return `${short(units * this.bp)}bp`
  }

  private fill(colour: string | null, alpha: number): string[] {
    if (colour === null) return []
    return [`fill=${this.colour(colour)}`, ...(alpha < 1 ? [`fill opacity=${short(alpha)}`] : [])]
  }

  private pen(stroke: Stroke | null, alpha: number): string[] {
    if (stroke === null) return []
    const options = [`draw=${this.colour(stroke.colour)}`, `line width=${this.length(stroke.width)}`]
    const parts = stroke.dash.map((length, k) => `${k % 2 === 0 ? 'on' : 'off'} ${this.length(length)}`)
    if (parts.length > 0) options.push(`dash pattern=${parts.join(' ')}`)
    if (alpha < 1) options.push(`draw opacity=${short(alpha)}`)
    return options
  }

  private node(shape: TextShape): string {
    const { family, size, weight } = shape.font
    const face = `${family === 'mono' ? '\\ttfamily' : '\\sffamily'}${weight >= 500 ? '\\bfseries' : ''}`
    const options = [
      `anchor=${ANCHORS[shape.align]}`,
      `text=${this.colour(shape.colour)}`,
      ...(shape.turned ? ['rotate=90'] : []),
      ...(shape.alpha < 1 ? [`text opacity=${short(shape.alpha)}`] : []),
      `font=${face}\\fontsize{${this.length(size)}}{${this.length(size * 1.2)}}\\selectfont`,
    ]
    return `\\node[${options.join(', ')}] at ${at(shape.x, shape.y)} {${escapeTex(shape.text)}};`
  }
}

export function* figureTikz(figure: Figure): Generator<string> {
  const { width, height, unit } = figure.size
  const bp = (unit / 25.4) * 72
  const writer = new Writer(bp)
  const body: string[] = []
  // the colours that it has are defined before it
  for (const piece of writer.write(figure.shapes, '  ')) {
    body.push(piece)
    yield ''
  }
  const scale = bp.toFixed(5)
  const head = [
    `% ${comment(figure.title || 'Memory over time')}. Made by Arenascope.`,
    `% ${comment(figure.description)}`,
    '% To take it into a document of your own, copy what stands between the lines of dashes.',
    '\\documentclass{article}',
    // no class of figures alone: the smallest TeX has none
    `\\usepackage[papersize={${short(width * bp)}bp,${short(height * bp)}bp}, margin=0pt]{geometry}`,
    '\\usepackage{iftex}',
    '\\ifPDFTeX',
    '  \\usepackage[T1]{fontenc}',
    '  \\usepackage{textcomp}',
    '  \\usepackage{lmodern}',
    '\\else',
    '  \\usepackage{fontspec}',
    '\\fi',
    '\\usepackage{tikz}',
    '\\pagestyle{empty}',
    '\\setlength{\\parindent}{0pt}',
    '\\setlength{\\topskip}{0pt}',
    '\\begin{document}',
    '% ----------------------------------------------------------------',
    '% a letter by its number, where the engine has more than 256 of them',
    '\\providecommand{\\arenaletter}[1]{\\ifdefined\\Umathchar\\symbol{"#1}\\else ?\\fi}',
    ...writer.definitions(),
    `\\begin{tikzpicture}[x=${scale}bp, y=-${scale}bp, inner sep=0pt, outer sep=0pt]`,
    `  \\path[use as bounding box] ${box({ x: 0, y: 0, w: width, h: height })};`,
  ]
  yield `${head.join('\n')}\n`
  yield* body
  const rule = '% ----------------------------------------------------------------'
  yield `\\end{tikzpicture}\n${rule}\n\\end{document}\n`
}
