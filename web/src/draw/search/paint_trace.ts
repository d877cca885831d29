/** The seismograph's drawings: the whole search as columns, or, while it is short, step by step. */
import type { Tokens } from '../../base/theme'
import type { Culprit } from '../../layout/step/culprits'
import { minorRule } from '../../layout/step/fate'
import type { SearchScene } from '../../layout/scene'
import { stepTicks } from '../../layout/ticks'
import { type TraceColumns, traceMarks } from '../../layout/search/trace'
import { type Ctx, fateGlyph, hline, mono, text, vline } from '../primitives'

/** The strip's parts: levels grow up from `zero`, levels taken back hang down from `below`. */
export interface TracePlate {
  x: number
  w: number
  /** levels at the top: as many as were ever placed */
  most: number
  /** y of the line at the most levels, of zero, of the first undone level, of the longest spike's end */
  top: number
  zero: number
  below: number
  end: number
  /** steps the axis spans */
  axis: number
  dpr: number
}

function depthY(plate: TracePlate, depth: number): number {
  return plate.zero - (depth / plate.most) * (plate.zero - plate.top)
}

export function stepX(plate: TracePlate, step: number): number {
  return plate.x + (step / Math.max(1, plate.axis)) * plate.w
}

/** From this width of a step on, the playhead stands in the middle of its stair. */
const WIDE_STEP = 24

export function headX(plate: TracePlate, cursor: number): number {
  const pitch = plate.w / plate.axis
  return stepX(plate, cursor) - (pitch >= WIDE_STEP && cursor > 0 ? pitch / 2 : 0)
}

export function paintFrameLines(c: Ctx, plate: TracePlate, theme: Tokens): void {
  hline(c, plate.x, plate.x + plate.w, plate.top, theme.line2, 1, [1, 4])
  hline(c, plate.x, plate.x + plate.w, plate.zero, theme.line2)
}

/** Columns before x of the cursor in the trace's colour, the rest dimmed. Two passes, so that the colour changes once. */
export function paintColumns(
  c: Ctx,
  plate: TracePlate,
  columns: TraceColumns,
  scene: SearchScene,
  theme: Tokens,
): void {
  const cut = Math.round(((stepX(plate, scene.cursor) - plate.x) / plate.w) * columns.count)
  const w = plate.w / columns.count
  for (const past of [true, false]) {
    c.fillStyle = past ? theme.trace : theme.traceFuture
    const first = past ? 0 : cut
    const last = past ? Math.min(cut, columns.count) : columns.count
    let before = Number.NaN
    for (let k = 0; k < last; k++) {
      if (!columns.used[k]) continue
      // A column reaches from the level the column before it ended at: the trace is one line however steep.
      const lo = Number.isNaN(before) ? 0 : Math.min(columns.min[k] as number, before)
      const hi = Number.isNaN(before) ? (columns.max[k] as number) : Math.max(columns.max[k] as number, before)
      before = columns.last[k] as number
      if (k < first) continue
      const y0 = depthY(plate, hi)
      const y1 = depthY(plate, lo)
      c.fillRect(plate.x + k * w, y0 - 0.5, w, Math.max(1, y1 - y0 + 0.5))
    }
  }
}

/** Levels that make a full spike where nothing deeper was ever taken back: a search of small backtracks must look like one. */
const FULL_SPIKE = 16

/** Share of the lower band: by logarithm, so that one level taken back is seen beside a hundred. */
export const undoneY = (undone: number, most: number): number => Math.log1p(undone) / Math.log1p(most)

/** What a full spike stands for. */
export const mostUndone = (columns: TraceColumns): number => Math.max(FULL_SPIKE, columns.mostUndone)

/** Spikes below the line, minor ones first so that a major one is never covered. */
export function paintUndone(c: Ctx, plate: TracePlate, columns: TraceColumns, scene: SearchScene, theme: Tokens): void {
  const most = mostUndone(columns)
  const w = Math.max(1, plate.w / columns.count)
  const cut = stepX(plate, scene.cursor)
  for (const major of [0, 1]) {
    c.fillStyle = major ? theme.why : theme.text3
    for (let k = 0; k < columns.count; k++) {
      const undone = columns.undone[k] as number
      if (undone === 0 || columns.major[k] !== major) continue
      const x = plate.x + (k * plate.w) / columns.count
      c.globalAlpha = x <= cut ? 1 : 0.8
      const h = Math.max(major ? 3 : 1.5, undoneY(undone, most) * (plate.end - plate.below))
      c.fillRect(x, plate.below, w, h)
      // a foot, so that colour is not all that tells a major backtrack from a minor one
      if (major) c.fillRect(x - 1.5, plate.below + h - 2, w + 3, 2)
    }
  }
  c.globalAlpha = 1
}

/** Restarts as dotted verticals with their name, incumbents as ticks on the line at n. */
export function paintRestartsAndPlans(
  c: Ctx,
  plate: TracePlate,
  scene: SearchScene,
  theme: Tokens,
  named: boolean,
): void {
  for (const mark of traceMarks(scene.overview, plate.axis, plate.w, scene.armName)) {
    const x = plate.x + mark.x
    if (mark.kind === 'restart') {
      vline(c, x, named ? plate.top - 8 : plate.top, plate.zero, theme.text3, 1, [1, 2])
      if (named && mark.name) text(c, mark.name, x + 5, plate.top - 5, mono(11), theme.text3)
    } else if (scene.over !== true) {
      c.strokeStyle = theme.ok
      c.lineWidth = 1.6
      c.beginPath()
      c.moveTo(x - 4, plate.top - 1)
      c.lineTo(x - 1, plate.top + 2)
      c.lineTo(x + 4, plate.top - 5)
      c.stroke()
    }
  }
}

/** A short search: one step per stair; a backtrack is an arrow to the level it went back to. */
export function paintStairs(c: Ctx, plate: TracePlate, scene: SearchScene, theme: Tokens): void {
  const { overview, steps, cursor } = scene
  const depths = [0]
  for (let s = 1; s <= steps; s++)
    depths.push(overview.lastDepth[Math.floor((s - 1) / Math.max(1, overview.width))] ?? 0)
  const run = (from: number, to: number, colour: string, width: number): void => {
    c.strokeStyle = colour
    c.lineWidth = width
    c.lineJoin = 'miter'
    c.beginPath()
    for (let s = from; s <= to; s++) {
      const y = Math.round(depthY(plate, depths[s] as number)) - (s === 0 ? 0 : 0.5)
      if (s === from)
        c.moveTo(
          stepX(plate, Math.max(0, s - 1)),
          Math.round(depthY(plate, depths[Math.max(0, s - 1)] as number)) - 0.5,
        )
      c.lineTo(stepX(plate, Math.max(0, s - 1)), y)
      c.lineTo(stepX(plate, s), y)
    }
    c.stroke()
  }
  if (cursor < steps) run(cursor + 1, steps, theme.traceFuture, 1.5)
  if (cursor > 0) run(1, cursor, theme.trace, 1.8)
  paintMinors(c, plate, scene, depths, theme)
  paintFalls(c, plate, scene, depths, theme)
}

/** From this width of a step on there is room for an arrow, a cross or a ring on it. */
const GLYPH_STEP = 7

/** What was placed and taken back in one step: a cross at the level it was tried at. */
function paintMinors(c: Ctx, plate: TracePlate, scene: SearchScene, depths: number[], theme: Tokens): void {
  const minor = scene.overview.rules[minorRule(scene.manifest)]
  const pitch = plate.w / plate.axis
  if (minor === undefined || pitch < GLYPH_STEP) return
  c.strokeStyle = theme.text2
  c.lineWidth = 1.4
  for (let s = 1; s < depths.length; s++) {
    if (!minor[s - 1]) continue
    c.globalAlpha = s <= scene.cursor ? 1 : 0.75
    fateGlyph(c, 'bound', stepX(plate, s) - pitch / 2, depthY(plate, (depths[s] as number) + 1), 3)
  }
  c.globalAlpha = 1
}

/** The placements that the step shown blames: a ring where each was made, or, where there is no room, a tick at its level. */
export function paintBlamed(c: Ctx, plate: TracePlate, scene: SearchScene, list: Culprit[], theme: Tokens): void {
  const pitch = plate.w / plate.axis
  const head = headX(plate, scene.cursor)
  c.strokeStyle = theme.why
  c.lineWidth = 1.6
  c.fillStyle = theme.well
  for (const { step, level } of list) {
    const y = depthY(plate, level)
    c.beginPath()
    if (step < 0 || pitch < GLYPH_STEP) {
      c.moveTo(head - 9, y)
      c.lineTo(head - 2, y)
    } else {
      c.arc(stepX(plate, step) - pitch / 2, y, 3.5, 0, 2 * Math.PI)
      c.fill()
    }
    c.stroke()
  }
}

function paintFalls(c: Ctx, plate: TracePlate, scene: SearchScene, depths: number[], theme: Tokens): void {
  if (plate.w / plate.axis < GLYPH_STEP) return
  for (let s = 1; s < depths.length; s++) {
    if ((depths[s] as number) >= (depths[s - 1] as number)) continue
    const x = stepX(plate, s - 1)
    const y0 = depthY(plate, depths[s - 1] as number)
    const y1 = depthY(plate, depths[s] as number) - 1
    c.globalAlpha = s <= scene.cursor ? 1 : 0.75
    arrow(c, x, y0, x, y1, (scene.overview.major[s - 1] ?? 0) > 0 ? theme.why : theme.text2)
  }
  c.globalAlpha = 1
}

/** A line with one open head or two, for levels taken back. */
export function arrow(c: Ctx, x0: number, y0: number, x1: number, y1: number, colour: string, heads = 1): void {
  const angle = Math.atan2(y1 - y0, x1 - x0)
  const head = Math.min(5, Math.hypot(x1 - x0, y1 - y0))
  c.strokeStyle = colour
  c.lineWidth = 1.4
  c.beginPath()
  c.moveTo(x0, y0)
  c.lineTo(x1, y1)
  for (let k = 0; k < heads; k++) {
    const x = x1 - k * head * Math.cos(angle)
    const y = y1 - k * head * Math.sin(angle)
    for (const turn of [-0.62, 0.62]) {
      c.moveTo(x - head * Math.cos(angle + turn), y - head * Math.sin(angle + turn))
      c.lineTo(x, y)
    }
  }
  c.stroke()
}

/** Step numbers under a short search, each under its stair. */
export function paintStepNumbers(c: Ctx, plate: TracePlate, y: number, theme: Tokens): void {
  const pitch = plate.w / plate.axis
  for (const tick of stepTicks(0, plate.axis, plate.w, 40)) {
    if (tick.value === 0) continue
    text(c, tick.label, stepX(plate, tick.value) - pitch / 2, y, mono(11), theme.text3, 'center')
  }
}

/** Playhead with its flag, down to `foot`; a band as well where one step is wide. */
export function paintPlayhead(c: Ctx, plate: TracePlate, foot: number, cursor: number, theme: Tokens): void {
  const x = headX(plate, cursor)
  const pitch = plate.w / plate.axis
  if (pitch >= 6 && cursor > 0) {
    c.globalAlpha = 0.16
    c.fillStyle = theme.now
    c.fillRect(stepX(plate, cursor) - pitch, 0, pitch, foot)
    c.globalAlpha = 1
  }
  const from = 2
  vline(c, x - 0.25, from + 6, foot, theme.now, 1.5)
  c.fillStyle = theme.now
  c.beginPath()
  c.roundRect(x - 5, from, 10, 7, 2)
  c.moveTo(x - 5, from + 6)
  c.lineTo(x + 5, from + 6)
  c.lineTo(x, from + 11)
  c.closePath()
  c.fill()
}
