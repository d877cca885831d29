/** What is marked along the search, over its trace: flags where a person was, the range that is played, the turn after which no plan was left. */
import type { Tokens } from '../../base/theme'
import { SANS } from '../../base/theme'
import type { Along, SearchScene } from '../../layout/scene'
import { labelWidth } from '../../layout/ticks'
import { type Ctx, fateGlyph, mono, plaque, text, vline } from '../primitives'
import { headX, stepX, type TracePlate } from './paint_trace'
import { shortened } from '../../base/format'

const PENNANT = { w: 8, h: 7 }
/** Characters of a note beside the pointer. */
const NOTE_SHOWN = 48
/** The pointer is at a flag so close to it, in pixels. */
const NEAR = 5

export function paintAlong(
  c: Ctx,
  plate: TracePlate,
  foot: number,
  { marks, range, turn }: Along,
  theme: Tokens,
): void {
  if (range !== null) paintRange(c, plate, foot, range, theme)
  if (turn >= 0) paintTurn(c, plate, foot, turn, theme)
  let last = Number.NEGATIVE_INFINITY
  for (const { step, note } of marks) {
    const x = headX(plate, step)
    if (step > plate.axis || x - last < 1) continue
    last = x
    paintFlag(c, plate, foot, x, note !== '', theme)
  }
}

function paintRange(c: Ctx, plate: TracePlate, foot: number, range: { from: number; to: number }, theme: Tokens): void {
  const x0 = headX(plate, Math.min(range.from, plate.axis))
  const x1 = Math.max(x0 + 1, headX(plate, Math.min(range.to, plate.axis)))
  c.globalAlpha = 0.14
  c.fillStyle = theme.accent
  c.fillRect(x0, 4, x1 - x0, foot - 4)
  c.globalAlpha = 1
  c.fillRect(x0, 4, x1 - x0, 2)
  for (const x of [x0, x1]) vline(c, x, 4, foot, theme.accent)
}

/** A flag with a note is filled, one without is not. */
function paintFlag(c: Ctx, plate: TracePlate, foot: number, x: number, filled: boolean, theme: Tokens): void {
  const top = Math.max(5, plate.top - 15)
  vline(c, x, top, foot, theme.accent, 1)
  c.beginPath()
  c.moveTo(x, top)
  c.lineTo(x + PENNANT.w, top + PENNANT.h / 2)
  c.lineTo(x, top + PENNANT.h)
  c.closePath()
  c.fillStyle = filled ? theme.accent : theme.well
  c.fill()
  c.strokeStyle = theme.accent
  c.lineWidth = 1.2
  c.stroke()
}

const TURN = 'wrong turn'

function paintTurn(c: Ctx, plate: TracePlate, foot: number, step: number, theme: Tokens): void {
  const x = stepX(plate, Math.max(0, step - 0.5))
  vline(c, x, plate.top - 2, foot, theme.why, 1.5, [4, 2])
  c.strokeStyle = theme.why
  c.lineWidth = 1.6
  fateGlyph(c, 'bound', x, plate.top - 7, 3.5)
  const w = labelWidth(TURN)
  const left = x + 7 + w > plate.x + plate.w
  if (plate.top < 18) return
  // the names of arms stand at the same height
  plaque(c, { x: left ? x - 11 - w : x + 5, y: plate.top - 14, w: w + 6, h: 13 }, theme.well)
  text(c, TURN, left ? x - 7 : x + 7, plate.top - 4, `11px ${SANS}`, theme.why, left ? 'right' : 'left')
}

/** The note of the flag under the pointer, or what the arm is that begins there. */
function saidAt(plate: TracePlate, x: number, { along, overview, armHint }: SearchScene): string {
  const near = (step: number) => Math.abs(headX(plate, step) - x) <= NEAR
  const flag = along.marks.find(({ step, note }) => note !== '' && near(step))
  if (flag !== undefined) return flag.note
  const restart = overview.marks.find(({ kind, step }) => kind === 'restart' && near(Math.max(0, step - 1)))
  return restart === undefined ? '' : (armHint?.(restart.value) ?? '')
}

/** What is to be said of the place under the pointer, beside it. */
export function paintNote(c: Ctx, plate: TracePlate, x: number, scene: SearchScene, theme: Tokens): void {
  const note = saidAt(plate, x, scene)
  if (note === '') return
  const shown = shortened(note, NOTE_SHOWN)
  const w = labelWidth(shown) + 10
  const left = x + 6 + w > plate.x + plate.w ? Math.max(plate.x, x - 6 - w) : x + 6
  plaque(c, { x: left, y: plate.top, w, h: 17 }, theme.surface2, 2, theme.line2)
  text(c, shown, left + 5, plate.top + 12.5, mono(11), theme.text1)
}
