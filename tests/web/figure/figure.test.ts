/** Figures: drawn by the painters of the screen, taken down as data, written as SVG and TikZ. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { Frame } from '../../../wasm/client/types'
import { Recorder } from '../../../web/src/draw/recorder'
import type { Shape } from '../../../web/src/draw/vector'
import { atOnce } from '../../../web/src/base/slices'
import { drawFigure, type Figure, type FigureSpec, planFigure, sizeOf } from '../../../web/src/export/figure/figure'
import { escapeXml, figureSvg as writeSvg } from '../../../web/src/export/figure/figure_svg'
import { escapeTex, figureTikz as writeTikz } from '../../../web/src/export/figure/figure_tikz'
import type { Scene } from '../../../web/src/layout/scene'
import { eventOf, frameOf, problemOf, sceneOf } from '../support/layout_fixture'
import { inPools } from '../support/fake'
import { parseXml, type XmlElement } from '../support/xml'

/** Five buffers, four of them placed; their ids are hard on every format. */
function small(more: Partial<Scene> = {}, frame: Partial<Frame> = {}): Scene {
  const problem = problemOf([
    [0, 3, 4096],
    [3, 9, 4096],
    [0, 9, 4096],
    [9, 21, 4096],
    [0, 21, 4096],
  ])
  problem.ids = ['conv_1', 'a&b', '<in>', '50%', 'größe']
  const shown = frameOf([0, 0, 4096, -1, 8192], { step: 4, ...frame })
  return { ...sceneOf(problem, 12288, shown), theme: 'light', ...more }
}

function spec(scene: Scene, more: Partial<FigureSpec> = {}): FigureSpec {
  const size = sizeOf('double', { width: 0, height: 0 })
  return { scene, size, view: null, title: 'A plan', step: true, legend: true, ...more }
}

const figureOf = (of: FigureSpec, description: string) => atOnce(drawFigure(atOnce(planFigure(of)), description))
const figureSvg = (figure: Figure) => [...writeSvg(figure)].join('')
const figureTikz = (figure: Figure) => [...writeTikz(figure)].join('')
const svgOf = (of: FigureSpec) => figureSvg(figureOf(of, 'Five buffers.'))
const tikzOf = (of: FigureSpec) => figureTikz(figureOf(of, 'Five buffers.'))

/** What was drawn when someone last looked at it. After a change that is meant: look, then write the new text to the file. */
const golden = (name: string) => readFileSync(fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url)), 'utf8')

function elements(root: XmlElement): XmlElement[] {
  return [root, ...root.children.flatMap(elements)]
}

const textsOf = (svg: string) =>
  elements(parseXml(svg))
    .filter((element) => element.name === 'text')
    .map((element) => element.text)

/** Marks without the groups that cut them. */
function flat(shapes: readonly Shape[]): Shape[] {
  return shapes.flatMap((shape) => (shape.kind === 'clip' ? flat(shape.shapes) : [shape]))
}

describe('a figure as SVG', () => {
  it('is as it was', () => {
    expect(svgOf(spec(small()))).toBe(golden('figure.svg'))
  })

  it('is well-formed, measures what its size says, and tells what it shows', () => {
    for (const preset of ['single', 'double', 'slide', 'screen'] as const) {
      const size = sizeOf(preset, { width: 700, height: 400 })
      const root = parseXml(svgOf(spec(small(), { size })))
      expect(root.name).toBe('svg')
      expect(root.attributes.viewBox).toBe(`0 0 ${size.width} ${size.height}`)
      const mm = Number(root.attributes.width?.replace('mm', ''))
      expect(mm).toBeCloseTo(size.width * size.unit, 1)
      if (preset === 'single') expect(mm).toBe(88)
      if (preset === 'double') expect(mm).toBe(180)
      const ids = (root.attributes['aria-labelledby'] ?? '').split(' ')
      const named = elements(root).filter((element) => ids.includes(element.attributes.id ?? ''))
      expect(named.map((element) => element.text)).toEqual(['A plan', 'Five buffers.'])
    }
  })

  it('of several pools names each at its end, with its own capacity, and claims no bound of the whole', () => {
    const scene = small()
    const texts = textsOf(svgOf(spec({ ...scene, problem: inPools(scene.problem, [0, 1, 0, 1, 0]) })))
    expect(texts).toEqual(expect.arrayContaining(['main 12 KiB', 'dram 64 B', 'capacity']))
    expect(texts.filter((text) => /lower bound|capacity \d/.test(text))).toEqual([])
  })

  it('has titles with units on its axes, ticks, a legend and the names of the buffers, as texts in named families', () => {
    const svg = svgOf(spec(small({ colour: 'size' })))
    const texts = textsOf(svg)
    for (const words of ['Time (logical steps)', 'Offset (KiB)', '4', '8', '12', '10', '20', 'Size', '4 KiB'])
      expect(texts).toContain(words)
    for (const words of ['capacity 12 KiB', 'lower bound 12 KiB', 'A plan', 'conv_1', 'a&b', '<in>', 'größe'])
      expect(texts).toContain(words)
    expect(textsOf(svgOf(spec(small({ capacity: 12345 }))))).toContain('capacity 12,345 B')
    // not placed
    expect(texts).not.toContain('50%')
    expect(svg).toContain("'IBM Plex Mono', 'DejaVu Sans Mono'")
  })

  it('has its rectangles where the canvas has them', () => {
    const scene = small()
    const figure = figureOf(spec(scene, { step: false, legend: false, title: '' }), '')
    const fills = flat(figure.shapes).filter((shape) => shape.kind === 'rect' && shape.fill !== null)
    const ground = fills[0]
    const tiles = fills.slice(1).flatMap((mark) => (mark.kind === 'rect' ? [mark.rect] : []))
    expect(ground).toMatchObject({ rect: { x: 0, y: 0, w: figure.size.width, h: figure.size.height } })
    expect(tiles).toHaveLength(4)
    // two that meet in time, and two that lie on each other
    const byX = [...tiles].sort((a, b) => a.x - b.x || b.y - a.y)
    const widths = tiles.map(({ w }) => w).sort((a, b) => a - b)
    expect((widths[3] ?? 0) / (widths[0] ?? 1)).toBeCloseTo(7, 1)
    expect(new Set(tiles.map(({ h }) => Math.round(h))).size).toBe(1)
    const [low, middle] = byX.filter((rect) => rect.x === byX[0]?.x)
    expect((middle?.y ?? 0) + (middle?.h ?? 0)).toBeCloseTo(low?.y ?? Number.NaN, 1)
  })

  it('shows only what is seen, where a part of it was asked for', () => {
    const all = textsOf(svgOf(spec(small())))
    const part = textsOf(svgOf(spec(small(), { view: { t0: 10, t1: 20, b0: 8000, b1: 12400 } })))
    expect(all).toContain('conv_1')
    expect(part).not.toContain('conv_1')
    expect(part).toContain('größe')
  })

  it('shows what the step tries with its witness, or only what is placed', () => {
    const now = [eventOf(4, 'reject', { buffer: 3, offset: 0, rule: 0, section: 2, floor: 8192, rest: 8192 }, 4)]
    const scene = small({ now })
    const amber = (figure: Figure) =>
      flat(figure.shapes).filter((m) => m.kind === 'rect' && m.stroke?.colour === '#D08200')
    const tried = figureOf(spec(scene), '')
    expect(amber(tried).length).toBeGreaterThan(1)
    expect(textsOf(figureSvg(tried))).toContain('tried, not placed')
    const placed = figureOf(spec(scene, { step: false }), '')
    expect(amber(placed)).toEqual([])
    expect(placed.shapes).toEqual(figureOf(spec(small()), '').shapes)
  })

  it('shows the load where nothing is placed', () => {
    const texts = textsOf(svgOf(spec({ ...small({ colour: 'level' }), frame: null })))
    expect(texts).toContain('Load (KiB)')
    expect(texts).not.toContain('Decision level')
  })

  it('differs by theme, and not from one time to the next', () => {
    expect(svgOf(spec(small({ theme: 'dark' })))).not.toBe(svgOf(spec(small())))
    expect(svgOf(spec(small({ theme: 'dark' })))).toBe(svgOf(spec(small({ theme: 'dark' }))))
  })

  it('draws more buffers than have edges, each as itself', () => {
    const rows = Array.from({ length: 5200 }, (_, k): [number, number, number] => [k % 100, (k % 100) + 1, 64])
    const offsets = rows.map((_, k) => Math.floor(k / 100) * 64)
    const scene = { ...sceneOf(problemOf(rows), 52 * 64, frameOf(offsets)), theme: 'light' as const }
    const svg = svgOf(spec(scene))
    expect(elements(parseXml(svg)).filter((element) => element.name === 'rect').length).toBeGreaterThan(5000)
  })

  it('gives figures on one page ids of their own', () => {
    const ids = (svg: string) => elements(parseXml(svg)).flatMap((element) => element.attributes.id ?? [])
    const [one, two] = [ids(svgOf(spec(small()))), ids(svgOf(spec(small({ theme: 'dark' }))))]
    expect(one.length).toBeGreaterThan(2)
    expect(one.filter((id) => two.includes(id))).toEqual([])
    expect(new Set(one).size).toBe(one.length)
  })
})

describe('texts in XML', () => {
  it.each([
    ['a<b>&"c"', 'a&lt;b&gt;&amp;&quot;c&quot;'],
    ['größe 漢字 😀', 'größe 漢字 😀'],
    ['bell\u0007 nul\u0000 half\ud800', 'bell\ufffd nul\ufffd half\ufffd'],
    [']]>', ']]&gt;'],
  ])('%j', (text, escaped) => {
    expect(escapeXml(text)).toBe(escaped)
  })

  it('of any id stay whole', () => {
    const scene = small()
    scene.problem.ids = [...scene.problem.ids.slice(0, 4), '</text><script>alert(1)</script>']
    expect(textsOf(svgOf(spec(scene)))).toContain('</text><script>alert(1)</script>')
  })
})

/** Braces, environments, statements and colours of a TikZ document; throws at what does not fit together. */
function checkTikz(document: string): void {
  const lines = document.split('\n').filter((line) => !line.startsWith('%'))
  const open: string[] = []
  let depth = 0
  for (const line of lines) {
    for (const [, kind, name] of line.matchAll(/(?<!\\)\\(begin|end)\{(\w+)\}/g)) {
      if (kind === 'begin') open.push(name ?? '')
      else if (open.pop() !== name) throw new Error(`an environment ends that did not begin: ${line}`)
    }
    for (const [brace] of line.matchAll(/(?<!\\)[{}]/g)) {
      depth += brace === '{' ? 1 : -1
      if (depth < 0) throw new Error(`a brace too many: ${line}`)
    }
    if (depth !== 0) throw new Error(`a brace is open at the end of: ${line}`)
    if (/(?<!\\)%/.test(line)) throw new Error(`a comment begins in: ${line}`)
    if (/^ +\\(path|node|clip)/.test(line) && !line.endsWith(';')) throw new Error(`no end of a statement: ${line}`)
  }
  if (open.length > 0) throw new Error(`not ended: ${open}`)
  const defined = new Set(
    [...document.matchAll(/\\definecolor\{(\w+)\}\{HTML\}\{[0-9A-F]{6}\}/g)].map(([, name]) => name),
  )
  for (const [, name] of document.matchAll(/(?:fill|draw|text)=(\w+)/g))
    if (!defined.has(name)) throw new Error(`no colour ${name}`)
}

describe('a figure as TikZ', () => {
  it('is as it was', () => {
    expect(tikzOf(spec(small()))).toBe(golden('figure.tex'))
  })

  it('fits together, whatever the ids and the title are', () => {
    checkTikz(
      tikzOf(
        spec(
          small({
            now: [eventOf(4, 'reject', { buffer: 3, offset: 0, rule: 0, section: 2, floor: 8192, rest: 8192 }, 4)],
          }),
        ),
      ),
    )
    const scene = small()
    scene.problem.ids = [...scene.problem.ids.slice(0, 4), '}\\end%$&#_^~|漢']
    const document = tikzOf(spec(scene, { title: '100 % of {it}\n\\input{x}' }))
    checkTikz(document)
    expect(document).toContain('\\arenaletter{6F22}')
    expect(document).toContain('100\\ \\%\\ of\\ \\{it\\}?\\textbackslash{}input\\{x\\}')
    expect(() => checkTikz(document.replace('\\end{tikzpicture}', ''))).toThrow()
    expect(() => checkTikz(document.replace('{it\\}', 'it\\}'))).not.toThrow()
    expect(() => checkTikz(document.replace('rectangle', '{rectangle'))).toThrow()
  })

  it('measures what its size says', () => {
    const [, scale] = /x=([\d.]+)bp/.exec(tikzOf(spec(small()))) ?? []
    expect((Number(scale) * 748 * 25.4) / 72).toBeCloseTo(180, 1)
  })

  it.each([
    ['a_b', 'a\\_b'],
    ['50%', '50\\%'],
    ['x\\y', 'x\\textbackslash{}y'],
    ['{a}', '\\{a\\}'],
    ['a--b', 'a{-}{-}b'],
    ['größe', 'größe'],
    ['漢', '\\arenaletter{6F22}'],
    ['😀', '\\arenaletter{1F600}'],
    ['a\u0000b', 'a?b'],
  ])('%j', (text, escaped) => {
    expect(escapeTex(text)).toBe(escaped)
  })
})

describe('a recorder', () => {
  it('cuts what is drawn after a clip until it is restored', () => {
    const c = new Recorder()
    c.save()
    c.beginPath()
    c.rect(1, 2, 3, 4)
    c.clip()
    c.fillRect(0, 0, 10, 10)
    c.restore()
    c.fillRect(5, 5, 1, 1)
    expect(c.shapes).toMatchObject([
      { kind: 'clip', rect: { x: 1, y: 2, w: 3, h: 4 }, shapes: [{ kind: 'rect' }] },
      { kind: 'rect', rect: { x: 5 } },
    ])
  })

  it('refuses what a figure cannot have, instead of losing it', () => {
    const c = new Recorder()
    c.beginPath()
    c.moveTo(0, 0)
    c.lineTo(1, 1)
    expect(() => c.clip()).toThrow(/rectangles/)
    expect(() => c.rotate(1)).toThrow(/upright/)
    expect(() => {
      c.fillStyle = {} as CanvasGradient
    }).toThrow(/gradients/)
  })

  it('brings back the colours, the pen and the font of before', () => {
    const c = new Recorder()
    c.fillStyle = '#112233'
    c.save()
    c.fillStyle = '#445566'
    c.globalAlpha = 0.5
    c.setLineDash([1, 2])
    c.restore()
    c.fillRect(0, 0, 1, 1)
    c.strokeRect(0, 0, 1, 1)
    expect(c.shapes).toMatchObject([{ fill: '#112233', alpha: 1 }, { stroke: { dash: [] } }])
  })
})
