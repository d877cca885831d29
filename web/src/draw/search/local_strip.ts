/** The steps around the cursor, one column each: what was tried, at which level, and what became of it. */
import { thousands } from '../../base/format'
import { clamp } from '../../base/geom'
import { offFrame, onFrame } from '../../base/raf'
import { type Tokens, tokens } from '../../base/theme'
import { Scrub } from '../../input/scrub'
import { culpritsOf } from '../../layout/step/culprits'
import {
  type LevelScale,
  LOCAL_STEPS,
  type LocalGlyph,
  levelScale,
  localFirst,
  localGlyphs,
} from '../../layout/search/local_steps'
import type { Frame } from '../../../../wasm/client/types'
import type { LocalStripApi, SearchScene, SeismographCallbacks } from '../../layout/scene'
import { gutterLeft, gutterRight } from '../../layout/canvas/spaces'
import { labelWidth, stepTicks } from '../../layout/ticks'
import { type Ctx, fateGlyph, fateHue, hline, mono, outline, text, vline } from '../primitives'
import { arrow } from './paint_trace'
import { Surface } from '../surface'

const TOP = 10
const BOTTOM = 18
/** Columns narrower than this cannot carry a glyph. */
const GLYPH_LEAST = 3
const FUTURE = 0.42
const BAR_MOST = 16
const JUMP_MOST = 40

interface LocalPlate {
  x: number
  w: number
  top: number
  bottom: number
  pitch: number
  columns: number
  first: number
}

export class LocalStrip implements LocalStripApi {
  private readonly surface: Surface
  private readonly input: Scrub
  private scene: SearchScene | null = null
  private hoverX: number | null = null
  private readonly paint: () => void

  constructor(
    host: HTMLElement,
    private readonly on: SeismographCallbacks,
  ) {
    this.paint = () => this.repaint()
    this.surface = new Surface(host, { layers: 1, label: 'Steps around the cursor', focusable: false }, () =>
      onFrame('paint', this.paint),
    )
    this.input = new Scrub(this.surface.root, {
      scrub: (x) => this.on.scrub(this.stepUnder(x)),
      preview: (x) => this.preview(x),
      // The window slides under a drag, so the playhead cannot be held: every press jumps.
      playhead: () => Number.NaN,
    })
  }

  update(scene: SearchScene): void {
    this.scene = scene
    onFrame('paint', this.paint)
  }

  dispose(): void {
    offFrame('paint', this.paint)
    this.input.dispose()
    this.surface.dispose()
  }

  private get plate(): LocalPlate {
    const { width, height } = this.surface
    const x = gutterLeft(width)
    const w = Math.max(1, width - x - gutterRight(width))
    const first = this.scene ? localFirst(this.scene.cursor, this.scene.steps) : 1
    // A search shorter than the window fills it, so that its columns stand under the seismograph's stairs.
    const columns = clamp(this.scene?.steps ?? LOCAL_STEPS, 1, LOCAL_STEPS)
    return { x, w, top: TOP, bottom: Math.max(TOP + 1, height - BOTTOM), pitch: w / columns, columns, first }
  }

  private stepUnder(x: number): number {
    const { plate, scene } = this
    const step = plate.first + Math.floor((x - plate.x) / plate.pitch)
    return clamp(step, 0, scene?.steps ?? 0)
  }

  private preview(x: number | null): void {
    const { plate } = this
    const inside = x !== null && this.scene !== null && x >= plate.x && x < plate.x + plate.w
    this.hoverX = inside ? x : null
    this.on.preview(inside ? this.stepUnder(x) : null, x ?? 0)
    onFrame('paint', this.paint)
  }

  private repaint(): void {
    const { scene, plate } = this
    if (!scene) return
    const c = this.surface.begin(0)
    const theme = tokens[scene.theme]
    const glyphs = scene.frame ? localGlyphs(scene.frame, scene.manifest).filter((g) => within(g, plate)) : []
    const depth = scene.frame?.depth ?? 0
    const scale = levelScale(glyphs, depth, plate.bottom - plate.top - 4)
    const y = (level: number): number =>
      plate.top + ((scale.top - level) / Math.max(1, scale.top - scale.low)) * (plate.bottom - plate.top - 6)
    this.paintGround(c, scene, plate, scale, y, theme)
    for (const glyph of glyphs) paintGlyph(c, glyph, plate, y, scene.cursor, theme)
    if (scene.frame?.step === scene.cursor) paintBlamed(c, scene.frame, plate, y, theme)
    this.surface.label(`Steps around step ${thousands(scene.cursor)}`)
  }

  private paintGround(
    c: Ctx,
    scene: SearchScene,
    plate: LocalPlate,
    scale: LevelScale,
    y: (level: number) => number,
    theme: Tokens,
  ): void {
    const right = plate.x + plate.w
    vline(c, plate.x - 1, plate.top - 6, plate.bottom, theme.line2)
    hline(c, plate.x - 1, right, plate.bottom, theme.line2)
    for (const level of scale.rows) {
      hline(c, plate.x, right, y(level), theme.grid)
      text(c, thousands(level), plate.x - 9, y(level) + 4, mono(11), theme.text3, 'right')
    }
    for (const tick of stepTicks(plate.first - 1, plate.first + plate.columns - 1, plate.w, 64)) {
      if (tick.value < 1 || tick.value > Math.max(scene.steps, 1)) continue
      const x = plate.x + (tick.value - plate.first + 0.5) * plate.pitch
      const half = labelWidth(tick.label) / 2
      if (x < plate.x + half - 8) continue
      text(c, tick.label, Math.min(x, right - half + 6), plate.bottom + 14, mono(11), theme.text3, 'center')
    }
    const column = (step: number, colour: string, alpha: number): void => {
      c.globalAlpha = alpha
      c.fillStyle = colour
      c.fillRect(
        plate.x + (step - plate.first) * plate.pitch - 0.5,
        plate.top - 6,
        plate.pitch + 1,
        plate.bottom - plate.top + 6,
      )
      c.globalAlpha = 1
    }
    if (this.hoverX !== null) column(this.stepUnder(this.hoverX), theme.text3, 0.16)
    if (scene.cursor >= plate.first) column(scene.cursor, theme.now, 0.22)
  }
}

function within(glyph: LocalGlyph, plate: LocalPlate): boolean {
  return glyph.step >= plate.first && glyph.step < plate.first + LOCAL_STEPS
}

/** A frame about each placement that the step shown blames. */
function paintBlamed(c: Ctx, frame: Frame, plate: LocalPlate, y: (level: number) => number, theme: Tokens): void {
  const half = Math.max(3, Math.min(BAR_MOST, plate.pitch * 0.9) / 2 + 2)
  for (const { step, level } of culpritsOf(frame)) {
    if (step < plate.first) continue
    const x = plate.x + (step - plate.first + 0.5) * plate.pitch
    outline(c, { x: x - half, y: y(level) - 5, w: 2 * half, h: 10 }, theme.why, 1.5)
  }
}

function paintGlyph(
  c: Ctx,
  glyph: LocalGlyph,
  plate: LocalPlate,
  y: (level: number) => number,
  cursor: number,
  theme: Tokens,
): void {
  const x = plate.x + (glyph.step - plate.first + 0.5) * plate.pitch
  const at = y(glyph.level)
  const now = glyph.step === cursor
  c.globalAlpha = glyph.step > cursor ? FUTURE : 1
  const r = Math.min(3, plate.pitch / 2 - 1)
  const bar = Math.min(BAR_MOST, plate.pitch * 0.9)
  switch (glyph.kind) {
    case 'place':
      c.fillStyle = now ? theme.now : theme.trace
      c.fillRect(x - bar / 2, at - 2.5, bar, 5)
      break
    case 'minor':
    case 'reject':
      // what a solver calls a minor backtrack is a grey cross; vermilion is kept for the major ones
      c.strokeStyle = now ? theme.now : glyph.kind === 'minor' ? theme.text2 : fateHue(glyph.fate, theme)
      c.lineWidth = 1.4
      if (plate.pitch >= GLYPH_LEAST && r >= 1) fateGlyph(c, glyph.fate, x, at, r)
      else {
        c.fillStyle = c.strokeStyle
        c.fillRect(x - plate.pitch / 2, at - 2, Math.max(0.8, plate.pitch), 4)
      }
      break
    case 'backtrack':
      arrow(
        c,
        x - (glyph.major ? Math.min(JUMP_MOST, plate.pitch * 0.8) : Math.min(BAR_MOST, plate.pitch) / 2),
        at,
        x,
        y(glyph.to) - 1,
        // keeps its colour under the playhead: its column is amber anyway
        glyph.stuck ? theme.fateLearned : glyph.major ? theme.why : now ? theme.now : theme.text2,
        glyph.stuck ? 2 : 1,
      )
      break
    case 'waste':
      c.strokeStyle = now ? theme.now : theme.text2
      c.lineWidth = 1.4
      c.beginPath()
      c.moveTo(x - Math.max(1, r), at + 2)
      c.lineTo(x, at - 2)
      c.lineTo(x + Math.max(1, r), at + 2)
      c.stroke()
      break
    case 'restart':
      vline(c, x, plate.top - 6, plate.bottom, now ? theme.now : theme.text3, 1, [1, 2])
      break
    case 'tick':
      c.fillStyle = now ? theme.now : theme.text3
      c.fillRect(x - 1, at - 1, 2, 2)
      break
  }
  c.globalAlpha = 1
}
