/** The memory over time, whole: what lies over the data, in its order, and what keeps clear of it. For the screen and for figures. */
import type { Rect } from '../../base/geom'
import type { Ctx } from '../primitives'
import { paintCapacity, paintPointed, paintRulers } from './paint_frame'
import { learnedMarks, type Motion, paintCandidate, paintClash, paintProof } from './paint_step'
import type { Picture } from './picture'
import { candidateBox, capacityLabel, poolLabelRect, sectionColumn, type Tag } from './tags'

/** Where neither labels nor the minimap may go. */
export function keepFree(p: Picture, tags: Tag[]): Rect[] {
  const limits = p.scene.stacked?.map((pool) => poolLabelRect(p, pool)) ?? [capacityLabel(p)]
  const free = [...tags.map((tag) => tag.rect), ...limits]
  const candidate = candidateBox(p)
  if (candidate) free.push(candidate)
  const { proof } = p.step
  if (proof?.kind === 'section') {
    const column = sectionColumn(p, proof.lower, proof.upper)
    free.push({ x: column.x - 4, y: p.plate.y, w: column.w + 8, h: Math.max(0, p.space.y(proof.floor) - p.plate.y) })
  }
  return free
}

/** Everything over the data but the tags. hovered: buffer under the pointer or -1. */
export function paintOver(c: Ctx, p: Picture, motion: Motion, hovered: number): void {
  learnedMarks()?.paintUnfit(c, p)
  paintProof(c, p, motion)
  paintCapacity(c, p)
  paintCandidate(c, p, motion)
  paintClash(c, p, motion)
  paintPointed(c, p, hovered)
  paintRulers(c, p)
}
