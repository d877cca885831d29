/** The operator strip: blocks on the canvas's time axis. Operators too narrow to be told apart are drawn as runs of one type. */
import { clamp } from '../../base/geom'
import type { Operators } from '../scene'
import type { Space } from '../canvas/spaces'

/** Narrower operators than this, in CSS pixels, merge with their neighbours of the same type. */
export const OWN_BLOCK = 4
const CATEGORIES = 12

export interface OpBlock {
  /** operators first to last, inclusive */
  first: number
  last: number
  x: number
  w: number
  shade: number
}

/** The operators of which something is visible: [first, end). */
export function visibleOps(count: number, space: Space): [number, number] {
  return [clamp(Math.floor(space.view.t0), 0, count), clamp(Math.ceil(space.view.t1), 0, count)]
}

function block(space: Space, first: number, last: number, shade: number): OpBlock {
  const { plate } = space
  const x0 = clamp(space.x(first), plate.x, plate.x + plate.w)
  const x1 = clamp(space.x(last + 1), plate.x, plate.x + plate.w)
  return { first, last, x: x0, w: x1 - x0, shade }
}

/** At most one block per pixel of the plate's width, or one per operator. O(visible operators). */
export function opBlocks(operators: Operators, space: Space): OpBlock[] {
  const { shade } = operators
  const [first, end] = visibleOps(shade.length, space)
  if (space.sx < 1) return columns(shade, first, end, space)
  const blocks: OpBlock[] = []
  let from = first
  for (let op = first; op < end; op++) {
    const goesOn = op + 1 < end && space.sx < OWN_BLOCK && shade[op + 1] === shade[op]
    if (goesOn) continue
    blocks.push(block(space, from, op, shade[op] as number))
    from = op + 1
  }
  return blocks
}

/** More operators than pixels: each column has the type that most of its operators are of; equal neighbours merge. */
function columns(shade: Uint8Array, first: number, end: number, space: Space): OpBlock[] {
  const blocks: OpBlock[] = []
  const perColumn = 1 / space.sx
  for (let k = 0; first + Math.floor(k * perColumn) < end; k++) {
    const from = first + Math.floor(k * perColumn)
    const to = Math.min(end, Math.max(from + 1, first + Math.floor((k + 1) * perColumn)))
    const most = mostOf(shade, from, to)
    const before = blocks.at(-1)
    if (before?.shade === most) blocks[blocks.length - 1] = block(space, before.first, to - 1, most)
    else blocks.push(block(space, from, to - 1, most))
  }
  return blocks
}

function mostOf(shade: Uint8Array, from: number, to: number): number {
  const counts = new Uint32Array(CATEGORIES)
  let best = shade[from] as number
  for (let op = from; op < to; op++) {
    const s = shade[op] as number
    counts[s] = (counts[s] as number) + 1
    if ((counts[s] as number) > (counts[best] as number)) best = s
  }
  return best
}

/** The operator at a canvas x, or -1. */
export function opAt(count: number, space: Space, x: number): number {
  const { plate } = space
  if (x < plate.x || x >= plate.x + plate.w) return -1
  const op = Math.floor(space.time(x))
  return op >= 0 && op < count ? op : -1
}
