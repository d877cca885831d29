/** What the exact search says: the section it asks, floors left idle, offsets raised, and the buffers in conflict. */
import { clamp } from '../../base/geom'
import type { Rise, WasteProof } from '../../layout/step/witness'
import { type Ctx, hatch, hline, outline, vline } from '../primitives'
import { type Picture, snapped, tileRects } from './picture'

/** More outlines than this are a haze: then the brackets alone name the conflict. */
const OUTLINES = 40
/** More arrows than this hide what they point at. */
const ARROWS = 24

/** x of a section's edges, at least a few pixels apart and not outside of the plate. */
function edges(p: Picture, lower: number, upper: number): [number, number] {
  const x0 = Math.max(p.plate.x, p.space.x(lower))
  const x1 = Math.min(p.plate.x + p.plate.w, Math.max(x0 + 3, p.space.x(upper)))
  return [x0, x1]
}

/** The section that is asked next as a band, and its floor, on which somebody is to sit. */
export function paintQuestion(c: Ctx, p: Picture): void {
  const { question } = p.step
  if (!question) return
  const { plate, theme, space } = p
  const [x0, x1] = edges(p, question.lower, question.upper)
  if (x1 <= x0) return
  const y = clamp(space.y(question.floor), plate.y, plate.y + plate.h)
  c.save()
  c.globalAlpha = 0.07
  c.fillStyle = theme.text1
  c.fillRect(x0, plate.y, x1 - x0, y - plate.y)
  c.globalAlpha = 0.55
  vline(c, x0, plate.y, plate.y + plate.h + 6, theme.text2, 1, [2, 3])
  vline(c, x1 - 1, plate.y, plate.y + plate.h + 6, theme.text2, 1, [2, 3])
  c.globalAlpha = 1
  hline(c, x0 - 5, x1 + 5, y, theme.text1, 2)
  c.restore()
}

/** Memory given up: from the floor on which nobody sits to the next floor. */
export function paintWaste(c: Ctx, p: Picture, proof: WasteProof): void {
  const { theme, space } = p
  const [x0, x1] = edges(p, proof.lower, proof.upper)
  const y0 = space.y(proof.to)
  const y1 = space.y(proof.floor)
  if (x1 <= x0) return
  hatch(c, { x: x0, y: y0, w: x1 - x0, h: y1 - y0 }, theme.text3, 5)
  hline(c, x0 - 5, x1 + 5, y1, theme.text2, 1.5, [3, 3])
  hline(c, x0 - 5, x1 + 5, y0, theme.now, 2)
}

/** Least offsets that a rule raised: an arrow from where the buffer could have begun to where it can now. */
export function paintRises(c: Ctx, p: Picture): void {
  c.save()
  for (const rise of p.step.rises.slice(0, ARROWS)) paintRise(c, p, rise)
  c.restore()
}

function paintRise(c: Ctx, p: Picture, rise: Rise): void {
  const { space, theme, scene } = p
  const [x0, x1] = edges(p, scene.problem.lower[rise.buffer] as number, scene.problem.upper[rise.buffer] as number)
  const y0 = space.y(rise.from)
  const y1 = space.y(rise.to)
  if (x1 <= x0) return
  hline(c, x0, x1, y0, theme.fateCanonical, 1, [1, 3])
  hline(c, x0, x1, y1, theme.fateCanonical, 1.5)
  const x = (x0 + x1) / 2
  vline(c, x, y1, y0, theme.fateCanonical, 1.2)
  if (y0 - y1 < 6) return
  c.strokeStyle = theme.fateCanonical
  c.lineWidth = 1.2
  c.beginPath()
  c.moveTo(x - 3, y1 + 5)
  c.lineTo(x, y1 + 1)
  c.lineTo(x + 3, y1 + 5)
  c.stroke()
}

/**
 * What failed together or is promoted, each at the least offset it may still have: those of a conflict lie over each other, for they do
 * not all fit.
 */
export function paintTogether(c: Ctx, p: Picture, buffers: number[]): void {
  const frame = p.scene.frame
  if (!frame || buffers.length > OUTLINES) return
  c.save()
  for (const buffer of buffers) {
    const placed = frame.offset[buffer] ?? -1
    const offset = placed >= 0 ? placed : (frame.minOffset?.[buffer] ?? -1)
    if (offset < 0) continue
    for (const r of tileRects(p, { buffer, offset }, 3)) {
      const box = snapped(r, p.dpr)
      c.globalAlpha = 0.07
      c.fillStyle = p.theme.fateLearned
      c.fillRect(box.x, box.y, box.w, box.h)
      c.globalAlpha = 0.8
      outline(c, box, p.theme.fateLearned, 1, [4, 3])
    }
  }
  c.restore()
}

/** Who changes places in the order, wherever they lie: neither was tried there now, so they are not filled like a candidate. */
export function paintSwapped(c: Ctx, p: Picture): void {
  for (const buffer of p.step.swapped) {
    const offset = p.scene.frame?.offset[buffer] ?? -1
    if (offset < 0) continue
    for (const r of tileRects(p, { buffer, offset }, 4)) {
      const box = snapped(r, p.dpr)
      outline(c, box, p.theme.well, 4)
      outline(c, box, p.theme.now, 2)
    }
  }
}

/** The buffers that alone do not fit, outlined wherever they can be seen; what of them lies above the capacity is filled. */
export function paintUnfit(c: Ctx, p: Picture): void {
  const { unfit, frame, capacity, problem } = p.scene
  if (unfit.length === 0) return
  const { plate, theme, space } = p
  const y = space.y(capacity)
  c.save()
  c.beginPath()
  c.rect(plate.x - 1, plate.y, plate.w + 2, plate.h + 2)
  c.clip()
  for (const buffer of unfit) {
    const offset = frame?.offset[buffer] ?? -1
    const seen = offset >= 0
    const at = seen ? offset : Math.max(0, frame?.minOffset?.[buffer] ?? 0)
    if (!seen && !frame) continue
    for (const r of tileRects(p, { buffer, offset: at }, 3)) {
      const box = snapped(r, p.dpr)
      if (seen && at + (problem.size[buffer] as number) > capacity) {
        c.globalAlpha = 0.75
        c.fillStyle = theme.why
        c.fillRect(box.x, box.y, box.w, Math.max(1, Math.min(y, box.y + box.h) - box.y))
      }
      c.globalAlpha = seen ? 1 : 0.7
      if (seen) outline(c, box, theme.why, 1.5)
      else hline(c, box.x, box.x + box.w, box.y + box.h, theme.why, 1.4, [4, 3])
    }
  }
  c.restore()
}
