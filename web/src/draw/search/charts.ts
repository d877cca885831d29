/** Counters of a run as small charts over one axis of steps. Hover shows values, a click goes to the step. */
import { type ByteUnit, bytesIn, thousands } from '../../base/format'
import { clamp } from '../../base/geom'
import { offFrame, onFrame } from '../../base/raf'
import { SANS, type Tokens, tokens } from '../../base/theme'
import { Scrub } from '../../input/scrub'
import type { Manifest, Overview } from '../../../../wasm/client/types'
import type { Theme } from '../../layout/scene'
import { type Column, columnAt, columnsOf, discarded, FATES, heightsOf } from '../../layout/search/series'
import { stepTicks } from '../../layout/ticks'
import { type Ctx, fateHue, hline, mono, text, vline } from '../primitives'
import { Recorder } from '../recorder'
import { Surface } from '../surface'
import type { Shape } from '../vector'

export interface ChartsScene {
  overview: Overview
  manifest: Manifest
  steps: number
  /** buffers of the problem */
  count: number
  cursor: number
  theme: Theme
  unit: ByteUnit
  /** of the least height, where the run has ended; null unless the run minimises */
  lowerBound: number | null
}

export interface ChartsCallbacks {
  seek(step: number): void
}

const LEFT = 14
const HEAD = 20
const PLOT = 44
const GAP = 8
const AXIS = 22
const BAR = 2

/** Height of the canvas: three charts, four for a run that minimises. */
export const chartsHeight = (minimising: boolean): number => (minimising ? 4 : 3) * (HEAD + PLOT + GAP) + AXIS

interface Chart {
  name: string
  value: (column: Column) => string
  most: number
  paint: (c: Ctx, y: (value: number) => number) => void
}

export class Charts {
  private readonly surface: Surface
  private readonly input: Scrub
  private readonly stop = new AbortController()
  private scene: ChartsScene | null = null
  private columns: Column[] = []
  private made: { overview: Overview; width: number } | null = null
  private at = -1
  private readonly paint: () => void

  constructor(
    host: HTMLElement,
    private readonly on: ChartsCallbacks,
  ) {
    this.paint = () => this.repaint()
    this.surface = new Surface(host, { layers: 1, label: 'Counters over the run', focusable: true }, () =>
      onFrame('paint', this.paint),
    )
    const { signal } = this.stop
    this.surface.root.addEventListener('keydown', (event) => this.key(event), { signal })
    this.surface.root.addEventListener('blur', () => this.point(-1), { signal })
    this.input = new Scrub(this.surface.root, {
      scrub: (x) => this.on.seek(this.stepUnder(x)),
      preview: (x) => this.point(x === null ? -1 : columnAt(this.columns, this.stepUnder(x))),
      playhead: () => Number.NaN,
    })
  }

  update(scene: ChartsScene): void {
    this.scene = scene
    onFrame('paint', this.paint)
  }

  dispose(): void {
    this.stop.abort()
    offFrame('paint', this.paint)
    this.input.dispose()
    this.surface.dispose()
  }

  private get width(): number {
    return Math.max(1, this.surface.width - 2 * LEFT)
  }

  private x(step: number): number {
    return LEFT + (step / Math.max(1, this.scene?.steps ?? 1)) * this.width
  }

  private stepUnder(x: number): number {
    const steps = this.scene?.steps ?? 0
    return clamp(Math.ceil(((x - LEFT) / this.width) * steps), Math.min(1, steps), steps)
  }

  private point(at: number): void {
    if (at === this.at) return
    this.at = at
    onFrame('paint', this.paint)
  }

  /** The arrows go from column to column, Enter goes to its first step. */
  private key(event: KeyboardEvent): void {
    const by = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0
    const column = this.columns[this.at]
    if (by !== 0 && this.columns.length > 0 && !event.altKey && !event.shiftKey) {
      const from = this.at < 0 ? columnAt(this.columns, this.scene?.cursor ?? 0) - by : this.at
      this.point(clamp(from + by, 0, this.columns.length - 1))
    } else if (event.key === 'Enter' && column !== undefined) this.on.seek(column.first)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  // ---- painting

  private repaint(): void {
    const { scene } = this
    if (scene === null) return
    const { overview, manifest, steps } = scene
    if (this.made?.overview !== overview || this.made.width !== this.width) {
      this.columns = columnsOf(overview, manifest, steps, Math.floor(this.width / BAR))
      this.made = { overview, width: this.width }
    }
    const shown = this.columns[this.at]
    const told = this.paintAll(this.surface.begin(0), scene)
    const where = shown === undefined ? '' : ` at steps ${thousands(shown.first)} to ${thousands(shown.last)}`
    this.surface.label(`Counters over the run${where}${told.length > 0 ? `. ${told.join(', ')}` : ''}`)
  }

  /** What is pointed at, told. */
  private paintAll(c: Ctx, scene: ChartsScene): string[] {
    const theme = tokens[scene.theme]
    const shown = this.columns[this.at]
    let top = 0
    const told: string[] = []
    for (const chart of this.charts(scene, theme)) {
      const value = shown === undefined ? '' : chart.value(shown)
      if (value !== '') told.push(`${chart.name}: ${value}`)
      this.paintChart(c, chart, top, value, theme)
      top += HEAD + PLOT + GAP
    }
    this.paintAxis(c, top - GAP, scene, theme)
    return told
  }

  /** All of it as plain data, on the ground of the theme. */
  record(): { shapes: readonly Shape[]; width: number; height: number } {
    const c = new Recorder()
    const { width, height } = this.surface
    if (this.scene !== null) {
      c.fillStyle = tokens[this.scene.theme].surface1
      c.fillRect(0, 0, width, height)
      this.paintAll(c, this.scene)
    }
    return { shapes: c.shapes, width, height }
  }

  /** A row for each column of the picture: what is plotted, to the last digit. */
  table(): string {
    const head = [
      'first_step',
      'last_step',
      'placed_least',
      'placed_most',
      'backtracks',
      'major',
      ...FATES.map((fate) => `discarded_${fate}`),
    ]
    const rows = this.columns.map((one) => [
      one.first,
      one.last,
      one.low,
      one.high,
      one.back,
      one.major,
      ...FATES.map((_, k) => one.fates[k] ?? 0),
    ])
    return [head, ...rows].map((row) => `${row.join(',')}\n`).join('')
  }

  private charts(scene: ChartsScene, theme: Tokens): Chart[] {
    const most = (of: (column: Column) => number) => this.columns.reduce((a, column) => Math.max(a, of(column)), 1)
    const list: Chart[] = [
      {
        name: 'Placed',
        value: ({ low, high }) => (low === high ? thousands(high) : `${thousands(low)} to ${thousands(high)}`),
        most: scene.count,
        paint: (c, y) =>
          this.bars(c, y, (column) => [
            [column.high, theme.traceFuture],
            [column.low, theme.trace],
          ]),
      },
      {
        name: 'Backtracks',
        value: ({ back, major }) => `${thousands(back)}${major > 0 ? `, ${thousands(major)} major` : ''}`,
        most: most(({ back }) => back),
        paint: (c, y) =>
          this.bars(c, y, (column) => [
            [column.back, theme.text3],
            [column.major, theme.why],
          ]),
      },
      {
        name: 'Discarded',
        value: (column) => thousands(discarded(column)),
        most: most(discarded),
        paint: (c, y) => this.bars(c, y, (column) => piled(column, theme)),
      },
    ]
    if (scene.lowerBound !== null) list.push(this.heights(scene, scene.lowerBound, theme))
    return list
  }

  /** The best height so far as a stair that goes down, and what is proved of it in the end. */
  private heights({ overview, unit }: ChartsScene, bound: number, theme: Tokens): Chart {
    const heights = heightsOf(overview)
    const most = Math.max(bound, heights[0]?.height ?? bound) - bound
    const at = (last: number) => heights.findLast(({ step }) => step <= last)?.height
    return {
      name: 'Best height',
      value: ({ last }) => {
        const height = at(last)
        return height === undefined ? 'no plan yet' : bytesIn(height, unit)
      },
      most: Math.max(1, most),
      paint: (c, y) => {
        hline(c, LEFT, LEFT + this.width, y(0) - 1, theme.bound, 1, [2, 4])
        c.beginPath()
        heights.forEach(({ step, height }, k) => {
          const x = this.x(step)
          if (k === 0) c.moveTo(x, y(height - bound))
          else {
            c.lineTo(x, y((heights[k - 1]?.height ?? height) - bound))
            c.lineTo(x, y(height - bound))
          }
        })
        if (heights.length > 0) c.lineTo(LEFT + this.width, y((heights.at(-1)?.height ?? bound) - bound))
        c.strokeStyle = theme.ok
        c.lineWidth = 1.6
        c.stroke()
      },
    }
  }

  /** Bars over each other from the ground, the largest first. */
  private bars(c: Ctx, y: (value: number) => number, of: (column: Column) => [number, string][]): void {
    for (const column of this.columns) {
      const x = this.x(column.first - 1)
      const w = Math.max(1, this.x(column.last) - x - (this.columns.length * 4 < this.width ? 1 : 0))
      for (const [value, colour] of of(column)) {
        if (value <= 0) continue
        c.fillStyle = colour
        c.fillRect(x, Math.min(y(value), y(0) - 1), w, Math.max(1, y(0) - y(value)))
      }
    }
  }

  private paintChart(c: Ctx, chart: Chart, top: number, value: string, theme: Tokens): void {
    const bottom = top + HEAD + PLOT
    const right = LEFT + this.width
    text(c, chart.name, LEFT, top + 14, `500 11px ${SANS}`, theme.text2)
    text(c, value, right, top + 14, mono(11), theme.text1, 'right')
    hline(c, LEFT, right, bottom, theme.line2)
    chart.paint(c, (v) => bottom - (v / chart.most) * PLOT)
    const { scene } = this
    if (scene === null) return
    const shown = this.columns[this.at]
    if (shown !== undefined)
      vline(c, (this.x(shown.first) + this.x(shown.last)) / 2, top + HEAD - 2, bottom, theme.text3)
    vline(c, this.x(scene.cursor), top + HEAD - 2, bottom, theme.now, 1.5)
  }

  private paintAxis(c: Ctx, top: number, scene: ChartsScene, theme: Tokens): void {
    for (const tick of stepTicks(0, scene.steps, this.width, 56)) {
      if (tick.value > scene.steps) continue
      const x = this.x(tick.value)
      const align = tick.value === 0 ? 'left' : x > LEFT + this.width - 24 ? 'right' : 'center'
      text(c, tick.label, x, top + 14, mono(10.5), theme.text3, align)
    }
  }
}

/** Each fate on those before it, the whole pile first. */
function piled(column: Column, theme: Tokens): [number, string][] {
  let sum = 0
  return FATES.map((fate, k): [number, string] => {
    sum += column.fates[k] ?? 0
    return [(column.fates[k] ?? 0) > 0 ? sum : 0, fateHue(fate, theme)]
  }).reverse()
}
