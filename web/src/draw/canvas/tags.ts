/**
 * Where the tags of a step go. Worked out before anything is painted: labels of buffers keep clear of them, the minimap too.
 */
import { shortName, thousands } from '../../base/format'
import { clamp, kept, overlaps, type Rect } from '../../base/geom'
import type { StackedPool } from '../../layout/scene'
import type { GapProof, Proof, Question, SectionProof, Tile, WasteProof } from '../../layout/step/witness'
import { amount, bounds, coveredArea, limit, type Picture, tileRects } from './picture'

export interface Tag {
  text: string
  rect: Rect
  /** what it speaks with: the colours of why, of canonical order, of a rule's hue, of a plain note, of a finished plan */
  tone: 'why' | 'canonical' | 'dominance' | 'hatless' | 'now' | 'note' | 'ok'
  /** end of a hairline from the tag to what it names, or null */
  leader: [number, number] | null
}

const HEIGHT = 19
const GAP = 14

export function tagWidth(text: string): number {
  return text.length * 6.6 + 14
}

/** Column of the section bound: at least 9 px wide, on the section's middle. */
export function sectionColumn(p: Picture, lower: number, upper: number): { x: number; w: number } {
  const x0 = p.space.x(lower)
  const x1 = p.space.x(upper)
  const w = Math.max(9, x1 - x0)
  return { x: Math.round((x0 + x1 - w) / 2), w: Math.round(w) }
}

/** Tags of the step shown; empty if there is nothing to say. */
export function layoutTags(p: Picture): Tag[] {
  const { proof, incumbent } = p.step
  const tags = proof ? proofTags(p, proof) : []
  if (!p.scene.frame && p.scene.overloaded >= 0) tags.push(...overloadTag(p))
  if (incumbent >= 0 && !proof) tags.push(...incumbentTag(p, incumbent))
  if (p.step.question && !proof && !p.narrow) tags.push(...questionTag(p, p.step.question, tags))
  if (p.scene.unfit.length > 0 && p.scene.now.length === 0) tags.push(...unfitTag(p))
  return tags.map((tag) => ({ ...tag, rect: kept(tag.rect, roomOf(p)) }))
}

/** Tags may use the free strip above the plate. */
function roomOf(p: Picture): Rect {
  return { x: p.plate.x, y: p.plate.y - 22, w: p.plate.w, h: p.plate.h + 22 }
}

function proofTags(p: Picture, proof: Proof): Tag[] {
  switch (proof.kind) {
    case 'section':
      return sectionTags(p, proof)
    case 'canonical':
      return [edgeTag(p, `last offset placed: ${amount(p, proof.last)}`, p.space.y(proof.last), 'canonical')]
    case 'fixed':
      return tileTag(
        p,
        { buffer: proof.buffer, offset: proof.fixed },
        `is fixed at ${amount(p, proof.fixed)}, needs ${amount(p, proof.need)}`,
        'why',
      )
    case 'domain': {
      const { buffer, least, most } = proof
      const why = most < 0 ? 'does not fit' : `at least ${amount(p, least)}, at most ${amount(p, most)}`
      return tileTag(p, { buffer, offset: least }, why, 'why', Math.max(0, most))
    }
    case 'gap':
      return gapTag(p, proof)
    case 'row':
      return []
    case 'waste':
      return wasteTag(p, proof)
    case 'dominance':
    case 'hatless':
    case 'other': {
      if (!proof.tile) return []
      const words = { dominance: 'fits below', hatless: 'has nothing above', other: 'proves it' }[proof.kind]
      const tone = proof.kind === 'other' ? 'note' : proof.kind
      return tileTag(p, proof.tile, words, tone)
    }
  }
}

/** Places tried along a line, from its right end to its left. */
const ALONG = 9

/** At a line of the whole width, above or under it: where it hides least, and never the candidate. O(rectangles). */
function edgeTag(p: Picture, text: string, y: number, tone: Tag['tone'], gap = 3): Tag {
  const { plate } = p
  const w = tagWidth(text)
  const line = clamp(y, plate.y, plate.y + plate.h)
  const candidate = candidateBox(p)
  const label = capacityLabel(p)
  let best = { x: plate.x + plate.w - w, y: line - HEIGHT - gap, w, h: HEIGHT }
  let least = Number.POSITIVE_INFINITY
  for (let k = 0; k < 2 * ALONG; k++) {
    const x = plate.x + (plate.w - w) * (1 - (k >> 1) / (ALONG - 1))
    const rect = { x, y: k % 2 === 0 ? line - HEIGHT - gap : line + gap + 1, w, h: HEIGHT }
    if (rect.y < plate.y - 22 || rect.y + HEIGHT > plate.y + plate.h || overlaps(rect, label)) continue
    const hidden = coveredArea(p, rect) + (candidate && overlaps(rect, candidate) ? 1e6 : 0)
    if (hidden < least) {
      best = rect
      least = hidden
    }
  }
  return { text, rect: best, tone, leader: null }
}

export const poolLabel = (p: Picture, { name, from, to }: StackedPool): string => `${name} ${limit(p, to - from)}`

export const capacityWords = (p: Picture): string => `capacity ${limit(p, p.scene.capacity)}`

/** Where a pool's name stands: under its end. */
export function poolLabelRect(p: Picture, pool: StackedPool): Rect {
  return { x: p.plate.x, y: p.space.y(pool.to) + 1, w: tagWidth(poolLabel(p, pool)), h: 17 }
}

/** Apart by fewer pixels than this, capacity and lower bound read as one line. */
export const SAME_LINE = 3
/** Room a label needs between two lines. */
const LABEL_ROOM = 17

/** Whether the capacity's label has no room above its line: the lower bound is there or, without a run, a load that is too high. */
export function capacityCrowded({ space, scene }: Picture): boolean {
  const y = space.y(scene.capacity)
  const yBound = space.y(scene.problem.lowerBound)
  return !scene.bounds && y - yBound >= SAME_LINE && (y - yBound < LABEL_ROOM || !scene.frame)
}

/** Whether the label of a line stands under it. */
export function labelUnder({ plate }: Picture, y: number, crowded: boolean): boolean {
  return (crowded || y - plate.y < 14) && y < plate.y + plate.h - 18
}

/** Where the capacity's own label stands: at the left of its line. */
export function capacityLabel(p: Picture): Rect {
  const w = tagWidth(capacityWords(p))
  const y = p.space.y(p.scene.capacity)
  return { x: p.plate.x, y: labelUnder(p, y, capacityCrowded(p)) ? y + 2 : y - 18, w, h: 17 }
}

/** Beside a buffer and what is drawn from it down to an address: its name, and what is to be said of it. */
function tileTag(p: Picture, tile: Tile, words: string, tone: Tag['tone'], down = tile.offset): Tag[] {
  const rects = [tile, { ...tile, offset: down }].flatMap((one) => tileRects(p, one, 4))
  const box = bounds(rects, p.plate)
  if (!box) return []
  const text = `${named(p, tile.buffer)} ${words}`
  return [{ text, rect: beside(p, box, tagWidth(text)), tone, leader: null }]
}

function named(p: Picture, buffer: number): string {
  return shortName(p.scene.problem.ids.at(buffer) ?? '', 24)
}

/** Over a box if there is room, else under it; never over the candidate or the capacity's label. */
function beside(p: Picture, box: Rect, w: number): Rect {
  const x = Math.max(box.x, p.plate.x)
  const spots = [
    { x, y: box.y - HEIGHT - 4, w, h: HEIGHT },
    { x, y: box.y + box.h + 4, w, h: HEIGHT },
    { x: box.x + box.w + 6, y: box.y, w, h: HEIGHT },
    { x: box.x - w - 6, y: box.y, w, h: HEIGHT },
  ]
  const candidate = candidateBox(p)
  const label = capacityLabel(p)
  const free = spots.find(
    (r) =>
      r.y >= p.plate.y - 22 &&
      r.x >= p.plate.x &&
      r.x + r.w <= p.plate.x + p.plate.w &&
      !overlaps(r, label) &&
      !(candidate && overlaps(r, candidate)),
  )
  return free ?? (spots[0] as Rect)
}

/** Where the candidate is drawn, ring included; null without one. */
export function candidateBox(p: Picture): Rect | null {
  const box = p.step.candidate && bounds(tileRects(p, p.step.candidate, 4), p.plate)
  return box && { x: box.x - 5, y: box.y - 5, w: box.w + 10, h: box.h + 10 }
}

function sectionTags(p: Picture, proof: SectionProof): Tag[] {
  const column = sectionColumn(p, proof.lower, proof.upper)
  const { plate, space } = p
  if (column.x > plate.x + plate.w || column.x + column.w < plate.x) return []
  const right = column.x + column.w / 2 < plate.x + plate.w / 3
  const top = Math.max(plate.y, space.y(proof.floor + proof.rest))
  const text = `section ${thousands(proof.section)}: ${proof.over === null ? 'too high' : `${amount(p, proof.over)} over`}`
  const w = tagWidth(text)
  const clear = top >= plate.y + HEIGHT
  const x = right ? (clear ? column.x : column.x + column.w + 4) : clear ? column.x + column.w - w : column.x - 4 - w
  // The capacity's label stands at the left above its line: a tag that would cover it goes above the plate.
  const covers = x < plate.x + tagWidth(capacityWords(p))
  const candidate = candidateBox(p)
  const hides = candidate !== null && overlaps({ x, y: plate.y, w, h: HEIGHT }, candidate)
  const y = covers || hides || p.narrow ? plate.y - 21 : plate.y
  const tags: Tag[] = [{ text, rect: { x, y, w, h: HEIGHT }, tone: 'why', leader: null }]
  if (p.narrow) return tags
  const note = (label: string, y: number): void => {
    const width = tagWidth(label)
    const before = column.x - GAP - width
    const behind = column.x + column.w + GAP
    const spots = (right ? [behind, before] : [before, behind]).map((left) => ({
      x: left,
      y: Math.round(y - HEIGHT / 2),
      w: width,
      h: HEIGHT,
    }))
    const free = spots.filter((r) => r.x >= plate.x && r.x + r.w <= plate.x + plate.w)
    const rect = free.find((r) => !(candidate && overlaps(r, candidate)) && !overlaps(r, capacityLabel(p))) ?? spots[0]
    if (!rect || y < plate.y + HEIGHT || y > plate.y + plate.h) return
    if ([capacityLabel(p), ...tags.map((t) => grown(t.rect))].some((taken) => overlaps(taken, rect))) return
    const edge = rect.x === behind ? column.x + column.w : column.x
    tags.push({ text: label, rect, tone: 'note', leader: [edge, Math.round(y)] })
  }
  const yFloor = space.y(proof.floor)
  const yCapacity = Math.max(plate.y, space.y(p.scene.limit ?? proof.floor + proof.rest))
  note(`floor ${amount(p, proof.floor)}`, yFloor)
  if (proof.rest > 0) note(`${amount(p, proof.rest)} still to place`, yFloor + (yCapacity - yFloor) * 0.6)
  return tags
}

function grown(r: Rect): Rect {
  return { x: r.x - 2, y: r.y - 2, w: r.w + 4, h: r.h + 4 }
}

function gapTag(p: Picture, proof: GapProof): Tag[] {
  const box = bounds(tileRects(p, { buffer: proof.buffer, offset: proof.offset }, 4), p.plate)
  if (!box) return []
  const text = `${amount(p, Math.max(0, proof.need - proof.room))} short`
  return [
    {
      text,
      rect: beside(p, { ...box, x: box.x - 5, y: box.y - 5, h: box.h + 10 }, tagWidth(text)),
      tone: 'why',
      leader: null,
    },
  ]
}

function overloadTag(p: Picture): Tag[] {
  const { sections } = p.scene.problem
  const s = p.scene.overloaded
  const over = (sections.load[s] ?? 0) - p.scene.capacity
  if (!(over > 0)) return []
  const text = `section ${thousands(s)}: ${limit(p, over)} over`
  const w = tagWidth(text)
  const x = p.space.x(((sections.lower[s] as number) + (sections.upper[s] as number)) / 2)
  if (x < p.plate.x || x > p.plate.x + p.plate.w) return []
  return [{ text, rect: { x: x - w / 2, y: p.plate.y - 21, w, h: HEIGHT }, tone: 'why', leader: null }]
}

function incumbentTag(p: Picture, height: number): Tag[] {
  const text = `plan ${limit(p, height)}`
  const y = p.space.y(height)
  if (y < p.plate.y - 1 || y > p.plate.y + p.plate.h) return []
  return [edgeTag(p, text, y, height > p.scene.capacity ? 'note' : 'ok')]
}

/** Beside the floor that is left idle. */
function wasteTag(p: Picture, proof: WasteProof): Tag[] {
  const { plate, space } = p
  const { x, w } = sectionColumn(p, proof.lower, proof.upper)
  if (x > plate.x + plate.w || x + w < plate.x) return []
  const text = `${amount(p, proof.to - proof.floor)} idle`
  const y0 = space.y(proof.to)
  const box = { x, y: y0, w, h: Math.max(2, space.y(proof.floor) - y0) }
  return [{ text, rect: beside(p, box, tagWidth(text)), tone: 'now', leader: null }]
}

/** At the floor of the section that is asked next, where it hides least. */
function questionTag(p: Picture, question: Question, tags: Tag[]): Tag[] {
  const { plate, space } = p
  const { x, w } = sectionColumn(p, question.lower, question.upper)
  const y = space.y(question.floor)
  if (x > plate.x + plate.w || x + w < plate.x || y < plate.y || y > plate.y + plate.h + 1) return []
  const text = `next: section ${thousands(question.section)}`
  const width = tagWidth(text)
  const candidate = candidateBox(p)
  const [free] = [
    { x, y: y - HEIGHT - 5 },
    { x: x - width - 8, y: y - HEIGHT / 2 },
    { x: x + w + 8, y: y - HEIGHT / 2 },
    { x: x + w - width, y: y - HEIGHT - 5 },
    { x, y: y + 5 },
  ]
    .map((at) => kept({ ...at, w: width, h: HEIGHT }, roomOf(p)))
    .filter((r) => !(candidate && overlaps(r, candidate)) && !tags.some((tag) => overlaps(grown(tag.rect), r)))
    .map((rect) => ({ rect, hidden: coveredArea(p, rect) }))
    .sort((m, n) => m.hidden - n.hidden)
  return free ? [{ text, rect: free.rect, tone: 'note', leader: null }] : []
}

/** In the free strip above the plate: what is outlined, and by how much it sticks out as it lies here. */
function unfitTag(p: Picture): Tag[] {
  const { frame, unfit, capacity, problem } = p.scene
  let top = 0
  for (const k of unfit) {
    const at = frame?.offset[k] ?? -1
    if (at >= 0) top = Math.max(top, at + (problem.size[k] as number))
  }
  const over = top - capacity
  const alone = `${thousands(unfit.length)} ${unfit.length === 1 ? 'buffer does' : 'buffers do'} not fit`
  const text = over > 0 && !p.narrow ? `${alone}, ${amount(p, over)} over as they lie here` : alone
  const w = tagWidth(text)
  return [{ text, rect: { x: p.plate.x + p.plate.w - w, y: p.plate.y - 21, w, h: HEIGHT }, tone: 'why', leader: null }]
}
