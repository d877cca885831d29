/** What the step shown says: ghosts, culprits, the proof and the candidate. Painted on the overlay. */
import { clamp, type Rect } from '../../base/geom'
import { Later } from '../../base/later'
import type { GapProof, SectionProof, Tile } from '../../layout/step/witness'
import { shownAt } from './paint_frame'
import { type Ctx, fateGlyph, hatch, hline, mono, nameWithin, outline, plaque, text, vline } from '../primitives'
import { amount, bounds, type Picture, snapped, swatchOf, tileRects } from './picture'
import { sectionColumn, type Tag } from './tags'

/** Where the short movements of a step stand; all 1 (ring 0.6) when nothing moves. */
export interface Motion {
  /** opacity of the candidate's ring */
  ring: number
  /** 0..1: the proof and the candidate's fill come in */
  enter: number
  /** 0..1: what was taken back slides out of its place, which stays outlined */
  lift: number
}

export const STILL: Motion = { ring: 0.6, enter: 1, lift: 1 }

/** What searches that learn have to show. Their steps are drawn without it until it is there. */
export const learned = new Later(() => import('./paint_exact'), 'unasked')

/** Of it, what is there. */
export function learnedMarks() {
  const now = learned.arrival.get()
  return now.kind === 'there' ? now.part : null
}

/** Everything from the ghosts up to the proof. */
export function paintProof(c: Ctx, p: Picture, motion: Motion): void {
  c.save()
  c.beginPath()
  c.rect(p.plate.x - 1, p.plate.y, p.plate.w + 2, p.plate.h + 6)
  c.clip()
  const marks = learnedMarks()
  marks?.paintQuestion(c, p)
  paintGhosts(c, p, motion.lift)
  marks?.paintTogether(c, p, p.step.conflict)
  marks?.paintTogether(c, p, p.step.promoted)
  marks?.paintRises(c, p)
  paintDoomed(c, p)
  paintCulprits(c, p)
  marks?.paintSwapped(c, p)
  c.globalAlpha = motion.enter
  const { proof } = p.step
  switch (proof?.kind) {
    case 'section':
      paintSection(c, p, proof)
      break
    case 'canonical':
      paintLastOffset(c, p, proof.last)
      break
    case 'fixed':
      paintFixed(c, p, proof.buffer, proof.fixed)
      break
    case 'domain':
      paintFixed(c, p, proof.buffer, proof.least)
      break
    case 'gap':
      paintGap(c, p, proof)
      break
    case 'row':
      hline(c, p.plate.x, p.plate.x + p.plate.w, p.space.y(proof.row), p.theme.text3, 1, [2, 4])
      hline(c, p.plate.x, p.plate.x + p.plate.w, p.space.y(proof.next), p.theme.now, 1, [1, 3])
      break
    case 'waste':
      marks?.paintWaste(c, p, proof)
      break
    case 'dominance':
      if (proof.tile) paintProvingTile(c, p, proof.tile, 'dominance')
      break
    case 'hatless':
      if (proof.tile) paintProvingTile(c, p, proof.tile, 'hatless')
      break
  }
  c.restore()
}

/** How far what was taken back slides to the right, in pixels. */
const SLIDE = 48

/** Where the buffers that the step took back lay, with their names, and they themselves on their way out. */
function paintGhosts(c: Ctx, p: Picture, lift: number): void {
  for (const ghost of p.step.ghosts) {
    const boxes = tileRects(p, ghost, 2).map((r) => snapped(r, p.dpr))
    for (const box of boxes) {
      c.globalAlpha = 0.45
      c.fillStyle = p.theme.well
      c.fillRect(box.x, box.y, box.w, box.h)
      if (lift < 1) {
        c.globalAlpha = 0.7 * (1 - lift)
        c.fillStyle = swatchOf(p, ghost.buffer).fill
        c.fillRect(box.x + SLIDE * lift, box.y, box.w, box.h)
      }
      c.globalAlpha = 1
      outline(c, box, p.theme.why, 1, [3, 3])
    }
    const first = boxes[0]
    if (first) labelGhost(c, p, ghost.buffer, first)
  }
  c.globalAlpha = 1
}

/** As a buffer's label: where it has room. */
function labelGhost(c: Ctx, p: Picture, buffer: number, box: Rect): void {
  const left = Math.max(box.x, p.plate.x)
  c.font = mono(12)
  const id = nameWithin(c, p.scene.problem.ids.at(buffer) ?? '', box.x + box.w - left - 8)
  if (box.h < 13 || id === '') return
  text(c, id, left + 4, box.y + Math.min(box.h / 2 + 4, 13), mono(12), p.theme.why)
}

/** Placements that are in no plan together: the one after which none was left, and those that came later. */
function paintDoomed(c: Ctx, p: Picture): void {
  for (const [k, buffer] of p.scene.doomed.entries()) {
    const at = shownAt(p, buffer)
    if (!(at >= 0) || buffer === p.step.candidate?.buffer) continue
    for (const r of tileRects(p, { buffer, offset: at }, 3)) {
      if (k === 0) outline(c, snapped(r, p.dpr), p.theme.why, 2)
      else outline(c, snapped(r, p.dpr), p.theme.why, 1, [2, 3])
    }
  }
}

function paintCulprits(c: Ctx, p: Picture): void {
  for (const buffer of p.step.culprits) {
    // this step may have taken it back; the candidate has its own outline
    const at = buffer === p.step.candidate?.buffer ? -1 : shownAt(p, buffer)
    if (!(at >= 0)) continue
    for (const r of tileRects(p, { buffer, offset: at }, 3)) {
      const box = snapped(r, p.dpr)
      // whom a backtrack goes back to
      if (p.step.ghosts.length > 0) {
        c.globalAlpha = 0.5
        c.fillStyle = p.theme.why
        c.fillRect(box.x, box.y, box.w, box.h)
        c.globalAlpha = 1
      }
      outline(c, box, p.theme.why, 1.5)
    }
  }
  for (const promoted of [false, true]) paintBrackets(c, p, promoted)
}

/** Where the unplaced buffers that the step names may begin: what is to blame, and what was moved up. */
function paintBrackets(c: Ctx, p: Picture, promoted: boolean): void {
  c.strokeStyle = promoted ? p.theme.fateLearned : p.theme.why
  c.lineWidth = promoted ? 1.8 : 1.4
  c.beginPath()
  for (const bracket of p.brackets) {
    if (!bracket.relevant || bracket.promoted !== promoted) continue
    const x0 = p.space.x(p.scene.problem.lower[bracket.buffer] as number)
    const x1 = Math.max(x0 + 3, p.space.x(p.scene.problem.upper[bracket.buffer] as number))
    const y = Math.round(p.space.y(bracket.offset))
    c.moveTo(x0 + 0.7, y - 5)
    c.lineTo(x0 + 0.7, y)
    c.lineTo(x1 - 0.7, y)
    c.lineTo(x1 - 0.7, y - 5)
  }
  c.stroke()
}

/** Floor, what is still to place above it, and by how much that pierces the capacity. */
function paintSection(c: Ctx, p: Picture, proof: SectionProof): void {
  const { space, plate, theme } = p
  const { x, w } = sectionColumn(p, proof.lower, proof.upper)
  const bottom = plate.y + plate.h
  const yFloor = Math.round(clamp(space.y(proof.floor), plate.y, bottom))
  const yTop = Math.round(Math.max(plate.y, space.y(proof.floor + proof.rest)))
  const { limit } = p.scene
  const yCapacity = limit === null ? yTop : Math.round(clamp(space.y(limit), plate.y, bottom))
  c.save()
  c.globalAlpha *= 0.35
  vline(c, x, yFloor, bottom + 6, theme.why)
  vline(c, x + w - 1, yFloor, bottom + 6, theme.why)
  c.restore()
  if (yFloor > yCapacity) {
    c.save()
    c.globalAlpha *= 0.82
    c.fillStyle = theme.well
    c.fillRect(x, yCapacity, w, yFloor - yCapacity)
    c.restore()
    hatch(c, { x, y: yCapacity, w, h: yFloor - yCapacity }, theme.text2, 5)
    c.save()
    c.globalAlpha *= 0.8
    outline(c, { x, y: yCapacity, w, h: yFloor - yCapacity }, theme.text1, 1)
    c.restore()
  }
  c.fillStyle = theme.why
  // Where the limit is not known here the pile only gets a cap.
  c.fillRect(x, yTop, w, Math.max(2, yCapacity - yTop))
  if (space.y(proof.floor) >= plate.y) {
    c.fillStyle = theme.capacity
    c.fillRect(x - 5, yFloor - 0.75, w + 10, 1.5)
  }
}

function paintLastOffset(c: Ctx, p: Picture, last: number): void {
  const { plate, theme } = p
  const y = clamp(p.space.y(last), plate.y, plate.y + plate.h)
  c.save()
  c.globalAlpha *= 0.06
  c.fillStyle = theme.fateCanonical
  c.fillRect(plate.x, y, plate.w, plate.y + plate.h - y)
  c.restore()
  hline(c, plate.x, plate.x + plate.w, y, theme.fateCanonical, 1.5, [6, 3])
}

/** Where the buffer must lie, and cannot. */
function paintFixed(c: Ctx, p: Picture, buffer: number, offset: number): void {
  for (const r of tileRects(p, { buffer, offset }, 4)) {
    const box = snapped(r, p.dpr)
    c.save()
    c.globalAlpha *= 0.12
    c.fillStyle = p.theme.why
    c.fillRect(box.x, box.y, box.w, box.h)
    c.restore()
    outline(c, box, p.theme.why, 1.5, [3, 3])
  }
}

/** What both would need: over the candidate, for it lies where the candidate is. */
export function paintClash(c: Ctx, p: Picture, motion: Motion): void {
  const { proof } = p.step
  if (proof?.kind !== 'fixed' && proof?.kind !== 'domain') return
  c.save()
  c.beginPath()
  c.rect(p.plate.x, p.plate.y, p.plate.w, p.plate.h)
  c.clip()
  c.globalAlpha = motion.enter
  const at = proof.kind === 'fixed' ? proof.fixed : proof.least
  const other = proof.kind === 'fixed' ? proof.need : proof.most
  for (const r of tileRects(p, { buffer: proof.buffer, offset: at }, 4)) {
    const box = snapped(r, p.dpr)
    outline(c, box, p.theme.why, 1.5, [3, 3])
    if (other < 0) continue
    const y0 = p.space.y(other)
    const y1 = p.space.y(at)
    hatch(c, { x: box.x, y: Math.min(y0, y1), w: box.w, h: Math.abs(y1 - y0) }, p.theme.why, 5)
    hline(c, box.x, box.x + box.w, y0, p.theme.why, 1.5)
  }
  c.restore()
}

/** The room there is, and in vermilion what the buffer lacks. */
function paintGap(c: Ctx, p: Picture, proof: GapProof): void {
  for (const r of tileRects(p, { buffer: proof.buffer, offset: proof.offset }, 4)) {
    const yRoom = p.space.y(proof.offset + proof.room)
    const top = Math.max(r.y, p.plate.y)
    hatch(c, { x: r.x, y: yRoom, w: r.w, h: r.y + r.h - yRoom }, p.theme.text3, 6)
    if (yRoom <= top) continue
    c.save()
    c.globalAlpha *= 0.3
    c.fillStyle = p.theme.why
    c.fillRect(r.x, top, r.w, yRoom - top)
    c.restore()
    hline(c, r.x - 4, r.x + r.w + 4, yRoom, p.theme.why, 1.5)
  }
}

function paintProvingTile(c: Ctx, p: Picture, tile: Tile, fate: 'dominance' | 'hatless'): void {
  const colour = fate === 'dominance' ? p.theme.fateDominance : p.theme.fateHatless
  const rects = tileRects(p, tile, 4).map((r) => snapped(r, p.dpr))
  for (const r of rects) {
    c.save()
    c.globalAlpha *= 0.14
    c.fillStyle = colour
    c.fillRect(r.x, r.y, r.w, r.h)
    c.restore()
    outline(c, r, colour, 1.5)
  }
  const box = bounds(rects, p.plate)
  if (!box) return
  const y = box.h > 16 ? box.y + box.h / 2 : box.y - 9
  c.strokeStyle = colour
  c.lineWidth = 1.4
  fateGlyph(c, fate, clamp(box.x + box.w / 2, p.plate.x + 6, p.plate.x + p.plate.w - 6), y, 4)
}

/** The one amber thing: the buffer tried now, its offset carried to the ruler. */
export function paintCandidate(c: Ctx, p: Picture, motion: Motion): void {
  const { candidate } = p.step
  if (!candidate) return
  const rects = tileRects(p, candidate, 4).map((r) => snapped(r, p.dpr))
  const { theme, plate } = p
  c.save()
  c.beginPath()
  c.rect(plate.x - 5, plate.y - 5, plate.w + 10, plate.h + 10)
  c.clip()
  const box = bounds(rects, plate)
  if (box) hline(c, plate.x, Math.max(plate.x, box.x), p.space.y(candidate.offset), theme.now, 1, [1, 3])
  for (const r of rects) {
    const h = Math.max(2, r.h)
    c.globalAlpha = motion.enter
    c.fillStyle = theme.well
    c.fillRect(r.x, r.y, r.w, h)
    c.globalAlpha = (theme.name === 'dark' ? 0.42 : 0.3) * motion.enter
    c.fillStyle = theme.now
    c.fillRect(r.x, r.y, r.w, h)
    c.globalAlpha = 1
    outline(c, { x: r.x, y: r.y, w: r.w, h }, theme.now, Math.min(2, r.w / 2, Math.max(1, h / 2)))
    c.globalAlpha = motion.ring
    outline(c, { x: r.x - 4, y: r.y - 4, w: r.w + 8, h: h + 8 }, theme.now, 1)
    c.globalAlpha = 1
  }
  if (rects[0]) labelCandidate(c, p, rects[0])
  c.restore()
}

function labelCandidate(c: Ctx, p: Picture, r: Rect): void {
  const { candidate } = p.step
  if (!candidate || r.h < 13) return
  const id = p.scene.problem.ids.at(candidate.buffer) ?? ''
  const asked = p.textbook && candidate.asked ? ` at ${amount(p, candidate.offset)}?` : ''
  const left = Math.max(r.x, p.plate.x)
  const font = p.textbook ? mono(14, 500) : mono(12)
  const inset = p.textbook && r.w > 60 ? 10 : 5
  const room = r.x + r.w - left - inset - 3
  c.font = font
  const label = c.measureText(id + asked).width <= room ? id + asked : nameWithin(c, id, room)
  const y = p.textbook ? r.y + r.h / 2 + 5 : r.y + Math.min(r.h / 2 + 4, 14)
  text(c, label, left + inset, y, font, p.textbook ? p.theme.nowText : p.theme.text1)
}

/** Tags of the proof, above all marks. */
export function paintTags(c: Ctx, p: Picture, tags: Tag[], motion: Motion): void {
  c.globalAlpha = motion.enter
  for (const tag of tags) {
    const { rect, leader } = tag
    if (leader) {
      const from = leader[0] > rect.x ? rect.x + rect.w : rect.x
      hline(c, Math.min(from, leader[0]), Math.max(from, leader[0]), leader[1], p.theme.text1)
    }
    const [ink, fill, border] = tone(p, tag.tone)
    plaque(c, rect, fill, 2, border)
    text(c, tag.text, rect.x + 7, rect.y + 13.5, mono(11), ink)
  }
  c.globalAlpha = 1
}

function tone(p: Picture, name: Tag['tone']): [ink: string, fill: string, border: string] {
  const t = p.theme
  switch (name) {
    case 'why':
      return [t.why, t.whyTint, '']
    case 'canonical':
      return [t.fateCanonical, t.fateCanonicalTint, '']
    case 'dominance':
      return [t.fateDominance, t.surface2, t.fateDominance]
    case 'hatless':
      return [t.fateHatless, t.surface2, t.fateHatless]
    case 'ok':
      return [t.ok, t.okTint, '']
    case 'now':
      return [t.nowText, t.nowTint, '']
    case 'note':
      return [t.text1, t.name === 'dark' ? t.well : t.surface2, t.line2]
  }
}
