/** What stands around the buffers: capacity, lower bound, rulers with the candidate's offset, outlines of what is pointed at. */
import type { Bounds } from '../../../../wasm/client/types'
import { thousands } from '../../base/format'
import { clamp, type Rect } from '../../base/geom'
import { labelWidth } from '../../layout/ticks'
import { boundTriangle, type Ctx, hline, mono, outline, plaque, text, vline } from '../primitives'
import { amount, coveredArea, limit, type Picture, snapped, tileRects } from './picture'
import { capacityCrowded, capacityWords, labelUnder, poolLabel, SAME_LINE } from './tags'

const RULER = mono(11)

export function paintCapacity(c: Ctx, p: Picture): void {
  if (p.scene.stacked) {
    // in its own pool, not in the one above
    for (const pool of p.scene.stacked) paintLimit(c, p, pool.to, poolLabel(p, pool), true)
    return
  }
  const { plate, space, theme, scene } = p
  const right = plate.x + plate.w
  const y = space.y(scene.capacity)
  if (scene.bounds) paintClosing(c, p, scene.bounds)
  const bound = scene.problem.lowerBound
  const yBound = space.y(bound)
  const apart = !scene.bounds && Math.abs(y - yBound) >= SAME_LINE
  if (!scene.bounds && yBound >= plate.y - 1 && yBound <= plate.y + plate.h && bound > 0) {
    boundTriangle(c, right + 2, yBound, theme.bound)
    if (apart) paintBound(c, p, y, yBound)
  }
  paintLimit(c, p, scene.capacity, capacityWords(p), capacityCrowded(p))
}

/** A line that no plan may cross, and what it is, at its left. crowded: there is no room above it. */
function paintLimit(c: Ctx, p: Picture, address: number, label: string, crowded: boolean): void {
  const { plate, theme, scene } = p
  const y = p.space.y(address)
  if (y < plate.y - 1 || y > plate.y + plate.h + 1) return
  hline(c, plate.x, plate.x + plate.w, y, theme.capacity, scene.bounds ? 1 : 1.5, scene.bounds ? [6, 4] : [])
  const under = labelUnder(p, y, crowded)
  const ground = { x: plate.x + 2, y: under ? y + 3 : y - 18, w: labelWidth(label) + 10, h: 15 }
  if (under || coveredArea(p, ground) > 0) labelGround(c, p, ground)
  text(c, label, plate.x + 6, under ? y + 14 : y - 6, RULER, theme.text1)
}

/** While minimising: no plan is lower than the one line, the best so far ends at the other, and between them is what is open. */
function paintClosing(c: Ctx, p: Picture, { lowerBound, height }: Bounds): void {
  const { plate, space, theme, scene } = p
  const right = plate.x + plate.w
  const yLower = space.y(lowerBound)
  const met = height === lowerBound
  if (height >= 0) {
    const yHeight = space.y(height)
    c.save()
    c.globalAlpha = 0.1
    c.fillStyle = theme.ok
    c.fillRect(plate.x, Math.max(plate.y, yHeight), plate.w, Math.max(0, yLower - Math.max(plate.y, yHeight)))
    c.restore()
    if (yHeight >= plate.y - 1) hline(c, plate.x, right, yHeight, theme.ok, 2)
    const name = met ? 'least height' : 'height'
    lineLabel(c, p, `${name} ${limit(p, height)}`, yHeight, yHeight - 6, theme.ok)
  }
  if (yLower < plate.y - 1) return
  boundTriangle(c, right + 2, yLower, theme.bound)
  if (met) return
  hline(c, plate.x, right, yLower, theme.bound, 1.5, [2, 4])
  lineLabel(c, p, `lower bound ${limit(p, lowerBound)}`, yLower, yLower + 14, theme.bound)
  const within = scene.limit
  if (within !== null && within !== lowerBound && within !== height)
    hline(c, plate.x, right, space.y(within), theme.text2, 1, [1, 3])
}

/** At the right end of a line, on its own ground. */
function lineLabel(c: Ctx, p: Picture, label: string, y: number, baseline: number, colour: string): void {
  const { plate } = p
  if (y < plate.y - 4 || y > plate.y + plate.h || baseline > plate.y + plate.h + 8) return
  const w = labelWidth(label)
  const right = plate.x + plate.w
  labelGround(c, p, { x: right - w - 8, y: baseline - 11, w: w + 6, h: 15 })
  text(c, label, right - 5, baseline, RULER, colour, 'right')
}

/** A label that stands on data brings its own ground. */
function labelGround(c: Ctx, p: Picture, box: Rect): void {
  c.globalAlpha = 0.78
  plaque(c, box, p.theme.well)
  c.globalAlpha = 1
}

function paintBound(c: Ctx, p: Picture, yCapacity: number, y: number): void {
  const { plate, theme, scene } = p
  const right = plate.x + plate.w
  hline(c, plate.x, right, y, theme.bound, 1, [2, 4])
  if (p.narrow) return
  const label = `lower bound ${limit(p, scene.problem.lowerBound)}`
  const above = y < yCapacity
  const baseline = above ? y - 5 : y + 14
  if (baseline < plate.y - 6 || baseline > plate.y + plate.h) return
  const w = labelWidth(label)
  if (!above) labelGround(c, p, { x: right - w - 8, y: y + 3, w: w + 6, h: 15 })
  text(c, label, right - 4, baseline, RULER, theme.bound, 'right')
}

export function paintRulers(c: Ctx, p: Picture): void {
  const { plate, theme } = p
  const bottom = plate.y + plate.h
  vline(c, plate.x - 1, plate.y, bottom, theme.line2)
  hline(c, plate.x - 1, plate.x + plate.w, bottom, theme.line2)
  const at = p.scene.ruler === false ? null : addressNow(p)
  const tagY = at === null ? Number.NaN : p.space.y(at)
  if (p.scene.ruler !== false) paintAddresses(c, p, tagY)
  for (const tick of p.xTicks) {
    const x = p.space.x(tick.value)
    vline(c, Math.min(x, plate.x + plate.w - 1), bottom, bottom + 4, theme.line2)
    const half = labelWidth(tick.label) / 2
    const at = clamp(x, plate.x + half, plate.x + plate.w - half + 6)
    text(c, tick.label, at, bottom + 17, RULER, theme.text3, 'center')
  }
  if (at !== null) paintOffsetTag(c, p, at, tagY)
}

/** tagY: of the tag that lies over the ruler, NaN if there is none */
function paintAddresses(c: Ctx, p: Picture, tagY: number): void {
  const { plate, theme } = p
  const bottom = plate.y + plate.h
  const unit = p.titleRoom > 0 ? '' : p.unit.name
  if (unit) text(c, unit, plate.x - 9, plate.y + 4, RULER, theme.text3, 'right')
  for (const tick of p.yTicks) {
    const y = p.space.y(tick.value)
    hline(c, plate.x - 5, plate.x - 1, Math.min(y, bottom), theme.line2)
    const hidden = Math.abs(y - tagY) < 14 || (unit !== '' && y < plate.y + 13)
    if (!hidden) text(c, tick.label, plate.x - 9, y + 4, RULER, theme.text3, 'right')
  }
}

/** The address the step is about: the candidate's, or the skyline row that comes next. */
function addressNow(p: Picture): number | null {
  const { candidate, proof } = p.step
  if (candidate) return candidate.offset
  if (proof?.kind === 'waste') return proof.to
  return proof?.kind === 'row' ? proof.next : null
}

/** The candidate's offset on the ruler, in the same amber as the candidate. */
function paintOffsetTag(c: Ctx, p: Picture, address: number, y: number): void {
  const { plate, theme } = p
  if (!(y >= plate.y - 4 && y <= plate.y + plate.h + 4)) return
  const left = p.titleRoom + 2
  const room = plate.x - 1 - left
  const units = p.unit.name ? address / p.unit.bytes : address
  // with its unit, with one decimal or none: as much as the gutter has room for
  const words = [amount(p, address), p.unit.name ? String(Math.round(units * 10) / 10) : thousands(address)]
  const label = words.find((word) => labelWidth(word) + 6 <= room) ?? String(Math.round(units))
  const font = mono(11, 500)
  const w = Math.min(room, labelWidth(label) + 9)
  plaque(c, { x: plate.x - 1 - w, y: Math.round(y) - 8, w, h: 16 }, theme.now)
  text(c, label, plate.x - 5, Math.round(y) + 4, font, theme.nowInk, 'right')
}

/** So many lit buffers are outlined each; of more nothing could be told apart, and only when they live is shown. */
const MOST_OUTLINED = 4000

/** Outlines of the hovered, pinned and lit buffers, and of a lit section. */
export function paintPointed(c: Ctx, p: Picture, hovered: number): void {
  const { scene, plate } = p
  c.save()
  c.beginPath()
  c.rect(plate.x - 2, plate.y - 2, plate.w + 4, plate.h + 4)
  c.clip()
  paintLitSection(c, p)
  paintRead(c, p)
  const many = scene.lit.buffers.length > MOST_OUTLINED
  const shown = [...new Set([...(many ? [] : scene.lit.buffers), scene.pinned, ...scene.alsoPinned, hovered])].filter(
    (buffer) => buffer >= 0 && buffer < scene.problem.count,
  )
  paintLifespans(c, p, many ? scene.lit.buffers : shown.filter((buffer) => shownAt(p, buffer) < 0))
  for (const buffer of shown)
    for (const box of paintOutlined(c, p, buffer))
      if (buffer === scene.pinned || scene.alsoPinned.includes(buffer)) paintPin(c, p, box.x + box.w, box.y)
  c.restore()
}

/** A frame around each piece of a buffer where it lies, which are returned; brackets if it lies nowhere. */
function paintOutlined(c: Ctx, p: Picture, buffer: number, dash?: number[]): Rect[] {
  const offset = shownAt(p, buffer)
  if (offset < 0) {
    paintUnplaced(c, p, buffer)
    return []
  }
  const boxes = tileRects(p, { buffer, offset }, 3).map((r) => {
    const { x, y, w, h } = snapped(r, p.dpr)
    return { x: x - 1, y: y - 1, w: w + 2, h: Math.max(3, h + 2) }
  })
  for (const box of boxes) outline(c, box, p.theme.text1, 2, dash)
  return boxes
}

/** What the operator that is looked at reads, dashed; what it writes is outlined as any lit buffer. */
function paintRead(c: Ctx, p: Picture): void {
  const { inputs } = p.scene.lit
  paintLifespans(
    c,
    p,
    inputs.filter((buffer) => shownAt(p, buffer) < 0),
  )
  for (const buffer of inputs) paintOutlined(c, p, buffer, [5, 3])
}

/** Shades when any of the buffers is alive, however many there are: the same shade everywhere. O(buffers + pixels). */
function paintLifespans(c: Ctx, p: Picture, buffers: number[]): void {
  const { plate, space, theme, scene } = p
  const width = Math.ceil(plate.w)
  const change = new Int32Array(width + 2)
  const column = (x: number) => clamp(Math.round(x - plate.x), 0, width + 1)
  for (const buffer of buffers) {
    const x0 = space.x(scene.problem.lower[buffer] as number)
    const from = column(x0)
    const to = column(Math.max(x0 + 3, space.x(scene.problem.upper[buffer] as number)))
    change[from] = (change[from] as number) + 1
    change[to] = (change[to] as number) - 1
  }
  c.globalAlpha = 0.08
  c.fillStyle = theme.text1
  for (let x = 0, alive = 0, from = 0; x <= width + 1; x++) {
    const before = alive
    alive += change[x] as number
    if (before === 0) from = x
    else if (alive === 0) c.fillRect(plate.x + from, plate.y, x - from, plate.h)
  }
  c.globalAlpha = 1
}

/** A buffer that is nowhere yet: a bracket over its lifespan, at the least offset it may still have, else on the ground. */
function paintUnplaced(c: Ctx, p: Picture, buffer: number): void {
  const { space, theme, scene } = p
  const x0 = space.x(scene.problem.lower[buffer] as number)
  const x1 = Math.max(x0 + 3, space.x(scene.problem.upper[buffer] as number))
  const least = scene.frame?.minOffset?.[buffer] ?? -1
  const y = space.y(Math.max(0, least)) - 1
  // as it would lie there, dashed: it does not yet
  if (least >= 0)
    for (const r of tileRects(p, { buffer, offset: least }, 3)) outline(c, snapped(r, p.dpr), theme.text1, 1, [3, 3])
  c.strokeStyle = theme.text1
  c.lineWidth = 2
  c.beginPath()
  c.moveTo(x0 + 1, y - 6)
  c.lineTo(x0 + 1, y)
  c.lineTo(x1 - 1, y)
  c.lineTo(x1 - 1, y - 6)
  c.stroke()
}

/** Corner mark that tells a pinned outline from a hovered one. */
function paintPin(c: Ctx, p: Picture, right: number, top: number): void {
  c.fillStyle = p.theme.text1
  c.beginPath()
  c.moveTo(right, top)
  c.lineTo(right - 9, top)
  c.lineTo(right, top + 9)
  c.closePath()
  c.fill()
}

function paintLitSection(c: Ctx, p: Picture): void {
  const { sections } = p.scene.problem
  const s = p.scene.lit.section
  if (!(s >= 0 && s < sections.count)) return
  const { plate, theme } = p
  const x0 = p.space.x(sections.lower[s] as number)
  const x1 = Math.max(x0 + 2, p.space.x(sections.upper[s] as number))
  c.globalAlpha = 0.12
  c.fillStyle = theme.text1
  c.fillRect(x0, plate.y, x1 - x0, plate.h)
  c.globalAlpha = 1
  vline(c, x0, plate.y, plate.y + plate.h, theme.text1)
  vline(c, x1 - 1, plate.y, plate.y + plate.h, theme.text1)
}

/** Where a buffer can be seen now: placed, tried, or taken back by this step; -1 if nowhere. */
export function shownAt(p: Picture, buffer: number): number {
  const { candidate, ghosts, proof } = p.step
  if (candidate?.buffer === buffer) return candidate.offset
  const placed = p.scene.frame?.offset[buffer] ?? -1
  if (placed >= 0) return placed
  if (proof && 'tile' in proof && proof.tile?.buffer === buffer) return proof.tile.offset
  return ghosts.find((g) => g.buffer === buffer)?.offset ?? -1
}
