/** Charts of what benches measured, as shapes: a row of dots for each instance, or curves. The page and `bench papers` draw them alike. */
import type { Axis, Plot } from '../../base/plot'
import type { Font, Shape, Segment, Stroke } from '../vector'
import { beginning } from '../../base/format'

export interface ChartColours {
  text: string
  dim: string
  line: string
  series: readonly string[]
}

/** On white paper. */
export const PRINTED: ChartColours = {
  text: '#1B1F23',
  dim: '#5C656D',
  line: '#D8DCE0',
  series: ['#1F6F8B', '#C2571A', '#3B7F4A', '#7A4FA3', '#A8324A', '#8A7A1C', '#4A5560', '#B0529B', '#2E5FB0'],
}

const SMALL: Font = { family: 'mono', size: 11, weight: 400 }
/** Advance of its letters. */
const LETTER = 6.6
const ROW = 16
const PLOT = 240
const KEY = { line: 18, mark: 14, between: 20 }
const RADIUS = 3.5
/** Dots of a row that would cover each other: each series stands so much beside the middle, all of them in so many pixels. */
const ASIDE = 2.2
const ASIDE_ALL = 9
/** Rows from which the numbers of the axis stand above them, too: else they are out of sight. */
const MANY_ROWS = 18

interface Scale {
  at: (value: number) => number
  ticks: number[]
}

function niceStep(span: number, most: number): number {
  const rough = span / most
  const power = 10 ** Math.floor(Math.log10(rough))
  return power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10)
}

/** From lo to hi over [from, to] in pixels; an axis of logarithms ends at powers of ten. */
function scaleOf(values: readonly number[], axis: Axis, from: number, to: number): Scale {
  const least = Math.min(...values)
  const most = Math.max(...values)
  if (axis.log) {
    const first = Math.floor(Math.log10(least) + 1e-9)
    const last = Math.max(first + 1, Math.ceil(Math.log10(most) - 1e-9))
    const at = (value: number) => from + ((Math.log10(value) - first) / (last - first)) * (to - from)
    return { at, ticks: Array.from({ length: last - first + 1 }, (_, k) => 10 ** (first + k)) }
  }
  const [low, high] = [Math.min(axis.from ?? least, least), Math.max(axis.to ?? most, most)]
  const step = niceStep(Math.max(high - low, 1e-9), Math.max(2, Math.abs(to - from) / 90))
  const first = Math.floor(low / step + 1e-9)
  const last = Math.max(first + 1, Math.ceil(high / step - 1e-9))
  const at = (value: number) => from + ((value / step - first) / (last - first)) * (to - from)
  return { at, ticks: Array.from({ length: last - first + 1 }, (_, k) => (first + k) * step) }
}

const label = (value: number) =>
  value !== 0 && (value >= 1e6 || value < 1e-3)
    ? value.toExponential(0).replace('e+', 'e')
    : String(Number(value.toPrecision(6)))

const text = (
  words: string,
  x: number,
  y: number,
  colour: string,
  align: 'left' | 'center' | 'right' = 'left',
): Shape => ({
  kind: 'text',
  text: words,
  x,
  y,
  font: SMALL,
  colour,
  align,
  turned: false,
  alpha: 1,
})

const path = (segments: Segment[], stroke: Stroke | null, fill: string | null = null): Shape => ({
  kind: 'path',
  path: segments,
  fill,
  stroke,
  alpha: 1,
})

const thin = (colour: string, width = 1): Stroke => ({ colour, width, dash: [] })

/** Share of a radius at which the handles of four curves make them a circle. */
const ROUND = 0.5523

function dot(x: number, y: number, fill: string): Shape {
  const [r, h] = [RADIUS, RADIUS * ROUND]
  const circle: Segment[] = [
    ['M', x + r, y],
    ['C', x + r, y + h, x + h, y + r, x, y + r],
    ['C', x - h, y + r, x - r, y + h, x - r, y],
    ['C', x - r, y - h, x - h, y - r, x, y - r],
    ['C', x + h, y - r, x + r, y - h, x + r, y],
    ['Z'],
  ]
  return path(circle, null, fill)
}

/** Names of the series from the top left, wrapped; returns how high they are. */
function keyOf(
  names: readonly string[],
  width: number,
  colours: ChartColours,
  top: number,
): { shapes: Shape[]; height: number } {
  if (names.length < 2) return { shapes: [], height: 0 }
  const shapes: Shape[] = []
  let [x, y] = [4, top + 10]
  names.forEach((name, k) => {
    const wide = KEY.mark + name.length * LETTER + KEY.between
    if (x + wide > width && x > 4) [x, y] = [4, y + KEY.line]
    shapes.push(dot(x + 4, y - 4, hueOf(colours, k)), text(name, x + KEY.mark, y, colours.text))
    x += wide
  })
  return { shapes, height: y - top + 12 }
}

const hueOf = ({ series }: ChartColours, k: number) => series[k % series.length] ?? ''

/** Without letters of its middle where it is too long: what tells rows apart stands at their ends as well. */
function shortened(name: string, most: number): string {
  if (name.length <= most) return name
  const tail = Math.min(6, Math.floor(most / 2))
  return `${beginning(name, Math.max(1, most - 1 - tail))}…${name.slice(-tail)}`
}

function dots(chart: Extract<Plot, { kind: 'dots' }>, width: number, colours: ChartColours, top: number) {
  const longest = chart.rows.reduce((most, name) => Math.max(most, name.length), 0)
  const names = Math.min(width * 0.4, longest * LETTER + 12)
  const fits = Math.floor((names - 12) / LETTER + 1e-6)
  // half of a number of five digits stands beyond the axis
  const right = width - 22
  const all = chart.series.flatMap(({ values }) => values.filter((value) => value !== null))
  const x = scaleOf(all.length > 0 ? all : [1], chart.x, names + 8, right)
  const above = chart.rows.length >= MANY_ROWS
  const first = above ? top + ROW : top
  const bottom = first + chart.rows.length * ROW + 6
  const shapes = rulers(x, first, bottom, colours)
  if (above) shapes.push(...numbers(x, top + 10, colours))
  const aside = Math.min(ASIDE, ASIDE_ALL / chart.series.length)
  chart.rows.forEach((name, k) => {
    const y = first + k * ROW + ROW / 2 + 3
    const shown = shortened(name, fits)
    shapes.push(text(shown, names, y + 4, colours.dim, 'right'))
    shapes.push(
      path(
        [
          ['M', names + 8, y],
          ['L', right, y],
        ],
        thin(colours.line, 0.5),
      ),
    )
    chart.series.forEach(({ values }, s) => {
      const value = values[k] ?? null
      const beside = (s - (chart.series.length - 1) / 2) * aside
      if (value !== null) shapes.push(dot(x.at(value), y + beside, hueOf(colours, s)))
    })
  })
  return titled(shapes, chart.x.title, right, bottom, colours)
}

/** With the title of the axis under its numbers, wrapped. */
function titled(shapes: readonly Shape[], title = '', right: number, bottom: number, colours: ChartColours) {
  const lines: string[] = []
  for (const word of title.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`
    if (lines.length > 0 && longer.length * LETTER <= right) lines.splice(-1, 1, longer)
    else lines.push(word)
  }
  return {
    shapes: [...shapes, ...lines.map((line, k) => text(line, right, bottom + 30 + k * ROW, colours.dim, 'right'))],
    bottom: bottom + 20 + lines.length * ROW,
  }
}

/** Numbers at the ticks of an axis along the bottom, but for those that the one before has no room beside. */
function numbers(x: Scale, y: number, colours: ChartColours): Shape[] {
  let end = Number.NEGATIVE_INFINITY
  return x.ticks.flatMap((value) => {
    const half = (label(value).length * LETTER) / 2
    if (x.at(value) - half < end + LETTER) return []
    end = x.at(value) + half
    return [text(label(value), x.at(value), y, colours.dim, 'center')]
  })
}

/** Upright lines at the ticks, with their numbers. */
function rulers(x: Scale, top: number, bottom: number, colours: ChartColours): Shape[] {
  const lines = x.ticks.map((value) =>
    path(
      [
        ['M', x.at(value), top],
        ['L', x.at(value), bottom],
      ],
      thin(colours.line),
    ),
  )
  return [...lines, ...numbers(x, bottom + 14, colours)]
}

function lines(chart: Extract<Plot, { kind: 'lines' }>, width: number, colours: ChartColours, top: number) {
  const points = chart.series.flatMap((series) => series.points)
  const left = 64
  const [above, bottom] = [top + 18, top + 18 + PLOT]
  const x = scaleOf(points.length > 0 ? points.map(([at]) => at) : [1], chart.x, left, width - 24)
  const y = scaleOf(points.length > 0 ? points.map(([, at]) => at) : [1], chart.y, bottom, above)
  const shapes = [text(chart.y.title ?? '', 4, top + 8, colours.dim), ...rulers(x, above, bottom, colours)]
  for (const value of y.ticks) {
    shapes.push(
      path(
        [
          ['M', left, y.at(value)],
          ['L', width - 24, y.at(value)],
        ],
        thin(colours.line),
      ),
    )
    shapes.push(text(label(value), left - 8, y.at(value) + 4, colours.dim, 'right'))
  }
  chart.series.forEach((series, k) => {
    const hue = hueOf(colours, k)
    const line = series.points.flatMap(([a, b], at): Segment[] => {
      const before = series.points[at - 1]
      const corner: Segment[] = chart.steps && before ? [['L', x.at(a), y.at(before[1])]] : []
      return [...corner, [at === 0 ? 'M' : 'L', x.at(a), y.at(b)]]
    })
    if (line.length > 1) shapes.push(path(line, thin(hue, 1.5)))
    for (const [a, b] of series.points) shapes.push(dot(x.at(a), y.at(b), hue))
  })
  return titled(shapes, chart.x.title, width - 24, bottom, colours)
}

/** In pixels, as wide as told and as high as it takes. O(rows times series). */
export function chartShapes(chart: Plot, width: number, colours: ChartColours): { shapes: Shape[]; height: number } {
  const title = chart.title ? [text(chart.title, 4, 12, colours.text)] : []
  const under = chart.title ? 22 : 2
  const key = keyOf(
    chart.series.map(({ name }) => name),
    width,
    colours,
    under,
  )
  const top = under + key.height
  const drawn = chart.kind === 'dots' ? dots(chart, width, colours, top) : lines(chart, width, colours, top)
  return { shapes: [...title, ...key.shapes, ...drawn.shapes], height: Math.ceil(drawn.bottom) }
}
