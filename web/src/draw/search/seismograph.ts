/** The whole search on one strip: levels placed above the line, levels taken back below it, the playhead over both. */
import { brief, thousands } from '../../base/format'
import { clamp } from '../../base/geom'
import { Later } from '../../base/later'
import { offFrame, onFrame } from '../../base/raf'
import { SANS, tokens } from '../../base/theme'
import { Scrub } from '../../input/scrub'
import { culpritsOf } from '../../layout/step/culprits'
import { minorRule } from '../../layout/step/fate'
import type { SearchScene, SeismographApi, SeismographCallbacks } from '../../layout/scene'
import { gutterLeft, gutterRight } from '../../layout/canvas/spaces'
import { labelWidth } from '../../layout/ticks'
import { axisSteps, deepestOf, isShort, stepAt, type TraceColumns, traceColumns } from '../../layout/search/trace'
import { type Ctx, hline, mono, plaque, text, vline } from '../primitives'
import {
  headX,
  mostUndone,
  paintBlamed,
  paintColumns,
  paintFrameLines,
  paintRestartsAndPlans,
  paintPlayhead,
  paintStairs,
  paintStepNumbers,
  paintUndone,
  type TracePlate,
} from './paint_trace'
import { Surface } from '../surface'

/** Marks are few and come late. */
const alongPart = new Later(() => import('./paint_along'), 'unasked')
/** Few searches go in layers. */
const beamPart = new Later(() => import('./paint_beam'))

const TRACE = 0
const HEAD = 1
/** A strip lower than this (phones) has no room for names and words. */
const LOW = 96

export class Seismograph implements SeismographApi {
  private readonly surface: Surface
  private readonly input: Scrub
  private scene: SearchScene | null = null
  private columns: TraceColumns | null = null
  private columnsOf: [SearchScene['overview'], number, number, number] | null = null
  private hoverX: number | null = null
  private stale = true
  private readonly paint: () => void
  private readonly leave: (() => void)[]

  constructor(
    host: HTMLElement,
    private readonly on: SeismographCallbacks,
  ) {
    this.paint = () => this.repaint()
    const arrived = () => {
      this.stale = true
      onFrame('paint', this.paint)
    }
    this.leave = [alongPart.arrival.subscribe(arrived), beamPart.arrival.subscribe(arrived)]
    this.surface = new Surface(host, { layers: 2, label: 'Search over steps', focusable: false }, () => {
      this.stale = true
      onFrame('paint', this.paint)
    })
    this.input = new Scrub(this.surface.root, {
      scrub: (x) => this.on.scrub(this.stepUnder(x)),
      preview: (x) => this.preview(x),
      playhead: () => (this.scene ? headX(this.plate, this.scene.cursor) : Number.NaN),
      range: (from, to) => this.on.range?.(this.stepUnder(Math.min(from, to)), this.stepUnder(Math.max(from, to))),
    })
  }

  get stepsPerPixel(): number {
    return this.scene ? this.plate.axis / this.plate.w : 1
  }

  update(scene: SearchScene): void {
    this.scene = scene
    this.stale = true
    onFrame('paint', this.paint)
  }

  dispose(): void {
    for (const end of this.leave) end()
    offFrame('paint', this.paint)
    this.input.dispose()
    this.surface.dispose()
  }

  private get plate(): TracePlate {
    const { width, height, dpr } = this.surface
    const { scene } = this
    const x = gutterLeft(width, scene?.ruler)
    const low = height < LOW
    const short = scene !== null && isShort(scene)
    const top = low ? 12 : 20
    const end = height - (low ? 3 : 8)
    // both bands are of one height
    const zero = Math.max(8, short ? height - (low ? 4 : 20) : Math.round((top + end) / 2) - 1)
    return {
      x,
      w: Math.max(1, width - x - gutterRight(width)),
      most: scene === null ? 1 : deepestOf(scene.overview),
      top,
      zero,
      below: zero + 3,
      end,
      axis: scene ? axisSteps(scene.overview, scene.steps, scene.running) : 1,
      dpr,
    }
  }

  private stepUnder(x: number): number {
    const { scene, plate } = this
    if (!scene) return 0
    // On a short search the whole stair of a step is the step.
    const lean = plate.w / plate.axis >= 6 ? 0.5 : 0
    return stepAt(clamp((x - plate.x) / plate.w, 0, 1) + lean / plate.axis, plate.axis, scene.steps)
  }

  private preview(x: number | null): void {
    const { plate } = this
    const outside = x === null || !this.scene || x < plate.x - 11 || x > plate.x + plate.w + 11
    this.hoverX = outside ? null : clamp(x, plate.x, plate.x + plate.w)
    this.on.preview(this.hoverX === null ? null : this.stepUnder(this.hoverX), this.hoverX ?? 0)
    onFrame('paint', this.paint)
  }

  private repaint(): void {
    const { scene, surface } = this
    if (!scene) return
    const { plate } = this
    if (this.stale) {
      this.stale = false
      this.paintTrace(surface.begin(TRACE), scene, plate)
      const deepest = `, deepest ${this.columns?.deepest ?? 0} of ${scene.count} placed`
      surface.label(
        `Search over steps: step ${thousands(scene.cursor)} of ${thousands(scene.steps)}${scene.beam === undefined ? deepest : ''}`,
      )
    }
    const c = surface.begin(HEAD)
    const theme = tokens[scene.theme]
    const along = alongPart.arrival.get()
    const foot = isShort(scene) && surface.height >= LOW ? plate.zero + 3 : surface.height
    if (along.kind === 'there' && scene.steps > 0) along.part.paintAlong(c, plate, foot, scene.along, theme)
    if (this.hoverX !== null) this.paintHover(c, scene, plate)
    if (this.hoverX !== null && along.kind === 'there') along.part.paintNote(c, plate, this.hoverX, scene, theme)
    if (scene.steps > 0) {
      paintPlayhead(c, plate, foot, scene.cursor, theme)
      if (scene.frame?.step === scene.cursor) paintBlamed(c, plate, scene, culpritsOf(scene.frame), theme)
    }
  }

  private paintTrace(c: Ctx, scene: SearchScene, plate: TracePlate): void {
    const theme = tokens[scene.theme]
    const short = isShort(scene)
    const low = this.surface.height < LOW
    paintFrameLines(c, plate, theme)
    if (scene.beam !== undefined) {
      const part = beamPart.arrival.get()
      if (part.kind !== 'there') beamPart.get().catch(() => {})
      else if (scene.beam !== null) part.part.paintBeam(c, plate, scene.beam, scene, theme, low)
      return
    }
    if (short) {
      this.refreshColumns(scene, plate)
      paintStairs(c, plate, scene, theme)
      if (!low) paintStepNumbers(c, plate, this.surface.height - 5, theme)
    } else if (scene.steps > 0) {
      const columns = this.refreshColumns(scene, plate)
      paintColumns(c, plate, columns, scene, theme)
      paintUndone(c, plate, columns, scene, theme)
    }
    paintRestartsAndPlans(c, plate, scene, theme, !low)
    if (scene.ruler === false) return
    const at = plate.x - 9
    const level = (n: number) => (n < 100_000 ? thousands(n) : brief(n))
    // all of them are further up than any search came, where the axis has no room for what did not happen
    if (scene.count > plate.most && !low) {
      text(c, level(scene.count), at, plate.top - 8, mono(11), theme.text3, 'right')
      hline(c, plate.x - 6, plate.x, plate.top - 12, theme.text3)
    }
    text(c, level(plate.most), at, plate.top + 4, mono(11), theme.text3, 'right')
    text(c, '0', at, plate.zero + 3, mono(11), theme.text3, 'right')
    if (low) return
    if (!short && this.columns !== null && this.columns.mostUndone > 0)
      text(c, level(mostUndone(this.columns)), at, plate.end + 3, mono(11), theme.text3, 'right')
    const words = `11px ${SANS}`
    text(c, 'placed', at, (plate.top + plate.zero) / 2 + 4, words, theme.text3, 'right')
    if (short) return
    text(c, 'undone', at, (plate.below + plate.end) / 2, words, theme.text3, 'right')
    text(c, '(log)', at, (plate.below + plate.end) / 2 + 12, words, theme.text3, 'right')
  }

  /** Columns are kept while only the cursor moves: the playhead alone is then repainted against the same trace. */
  private refreshColumns(scene: SearchScene, plate: TracePlate): TraceColumns {
    const n = Math.max(1, Math.round(plate.w * Math.min(2, this.surface.dpr)))
    const of = this.columnsOf
    const same = of && of[0] === scene.overview && of[1] === scene.steps && of[2] === plate.axis && of[3] === n
    if (!this.columns || !same) {
      const minor = scene.overview.rules[minorRule(scene.manifest)]
      this.columns = traceColumns(scene.overview, scene.steps, plate.axis, n, minor)
      this.columnsOf = [scene.overview, scene.steps, plate.axis, n]
    }
    return this.columns
  }

  private paintHover(c: Ctx, scene: SearchScene, plate: TracePlate): void {
    const theme = tokens[scene.theme]
    const x = this.hoverX ?? 0
    vline(c, x, 4, this.surface.height, theme.text3)
    const label = thousands(this.stepUnder(x))
    const w = labelWidth(label) + 10
    const left = x + 6 + w > plate.x + plate.w ? x - 6 - w : x + 6
    plaque(c, { x: left, y: plate.below - 20, w, h: 17 }, theme.surface2, 2, theme.line2)
    text(c, label, left + 5, plate.below - 7.5, mono(11), theme.text1)
  }
}
