/** The memory outside on the canvas's time axis: what was copied there, one above the other, and what goes to and fro. */
import type { Plan } from '../../../../wasm/client/types'
import type { Transfer } from '../scene'
import type { Space } from '../canvas/spaces'

/** A tensor's copy. Addresses outside are nobody's concern: these are where it is drawn. */
export interface HostBlock {
  tensor: number
  lower: number
  upper: number
  from: number
  bytes: number
  /** of the plan's stays in the arena: those it came from and went back to */
  inside: number[]
}

export interface HostPlate {
  blocks: HostBlock[]
  transfers: readonly Transfer[]
  /** where the highest block ends */
  top: number
}

/** The least address from which nothing that is there at the same time is in the way. */
function lowest(blocks: readonly HostBlock[], lower: number, bytes: number): number {
  const meets = blocks.filter((block) => block.upper > lower).sort((x, y) => x.from - y.from)
  let at = 0
  for (const { from, bytes: taken } of meets) {
    if (from - at >= bytes) break
    at = Math.max(at, from + taken)
  }
  return at
}

/** What is moved at all; what must lie outside in any case is left out. O(copies²). */
export function hostPlate(plan: Plan, transfers: readonly Transfer[]): HostPlate {
  const { stays } = plan
  const inside = new Map<number, number[]>()
  for (const one of transfers) inside.set(one.outside, [...(inside.get(one.outside) ?? []), one.inside])
  const order = [...inside.keys()].sort((x, y) => (stays.lower[x] as number) - (stays.lower[y] as number) || x - y)
  const blocks: HostBlock[] = []
  for (const stay of order) {
    const [lower, upper] = [stays.lower[stay] as number, stays.upper[stay] as number]
    const { tensor, bytes } = transfers.find(({ outside }) => outside === stay) as Transfer
    blocks.push({ tensor, lower, upper, bytes, from: lowest(blocks, lower, bytes), inside: inside.get(stay) ?? [] })
  }
  return { blocks, transfers, top: blocks.reduce((top, { from, bytes }) => Math.max(top, from + bytes), 0) }
}

/** Arrows nearer to each other than this, in CSS pixels, are one. */
export const ARROW_ROOM = 11

/** Transfers of one kind that are drawn as one arrow. */
export interface HostArrow {
  kind: Transfer['kind']
  x: number
  bytes: number
  /** in order of time */
  of: Transfer[]
  /** room for words on the side away from the copy's stay: a spill's before it, a fetch's behind it */
  room: number
}

/** The arrows that are visible. O(transfers). */
export function hostArrows(transfers: readonly Transfer[], space: Space): HostArrow[] {
  const { plate } = space
  const arrows: HostArrow[] = []
  for (const kind of ['spill', 'fetch'] as const) {
    let last: HostArrow | null = null
    for (const one of transfers) {
      const x = space.x(one.time)
      if (one.kind !== kind || x < plate.x - 1 || x > plate.x + plate.w + 1) continue
      if (last !== null && x - last.x < ARROW_ROOM) {
        last.of.push(one)
        last.bytes += one.bytes
      } else {
        last = { kind, x, bytes: one.bytes, of: [one], room: 0 }
        arrows.push(last)
      }
    }
  }
  arrows.sort((a, b) => a.x - b.x)
  arrows.forEach((arrow, k) => {
    const [before, after] = [arrows[k - 1]?.x ?? plate.x, arrows[k + 1]?.x ?? plate.x + plate.w]
    arrow.room = arrow.kind === 'spill' ? arrow.x - before : after - arrow.x
  })
  return arrows
}
