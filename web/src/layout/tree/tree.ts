/**
 * The search tree around the path to a step: where each decision stands. The path goes down the middle; at each node what was tried before
 * stands on its left in order of step, what is still open on its right.
 */
import { EFFECTS } from '../../../../wasm/client/events'
import type { Attempt, Manifest, TreePath } from '../../../../wasm/client/types'
import { shortName, thousands } from '../../base/format'
import { clamp } from '../../base/geom'
import { type Fate, fateOf } from '../step/fate'
import type { Branch } from '../scene'

export interface TreeInput {
  path: TreePath
  /** by level of the path, lowest first: its buffer, which candidate of its node it was, and of how many */
  stack: Uint32Array
  tried: Uint32Array
  candidates: Uint32Array
  manifest: Manifest
  /** buffers of the problem */
  count: number
  name: (buffer: number) => string
  /** folded runs that are shown level by level, by the first of their levels */
  unfolded: ReadonlySet<number>
  /** what was tried above placements that were taken back, by their step */
  subtrees: ReadonlyMap<number, Branch[]>
  /** CSS pixels across */
  width: number
}

/** What a mark of the tree stands for. subtree: what was tried above a placement that was taken back, folded or not; fold: levels without siblings; above: levels not shown. */
export type TreeMarkKind =
  | 'root'
  | 'node'
  | 'idle'
  | 'tried'
  | 'subtree'
  | 'open'
  | 'more'
  | 'unknown'
  | 'fold'
  | 'above'
  | 'solved'

export interface TreeMark {
  kind: TreeMarkKind
  x: number
  y: number
  w: number
  h: number
  /** decision level of what stands here, from 1; 0: the root */
  level: number
  /** -1: none */
  buffer: number
  text: string
  /** of a decision that was discarded or taken back */
  attempt: Attempt | null
  fate: Fate | null
  /** where a click goes, -1: nowhere */
  step: number
  /** candidates, levels or attempts that it stands for */
  count: number
  /** this is the step shown */
  now: boolean
  /** index of the mark it hangs from, -1: none */
  parent: number
  /** on the path */
  path: boolean
  /** what was tried above it hangs from it */
  unfolded: boolean
}

export interface Label {
  y: number
  level: string
  tried: string
}

export interface TreeLayout {
  marks: TreeMark[]
  labels: Label[]
  left: number
  right: number
  height: number
  /** y of what the step shown is about */
  nowY: number
}

/** From one level of the path to the next, to the row of siblings between them, and to a folded run. */
const PITCH = 87
const SIBLINGS = 43
const FOLDED = 40
const TOP = 22
const GLYPH = 15
/** Between the path and the nearest sibling, from the middle of a node. */
const GAP = 12
export const NODE_HEIGHT = 20
const CHARACTER = 7.3
const LONGEST = 9
/** Levels in a row without a sibling that are folded from this many on. */
const FOLD_FROM = 4
/** Of an unfolded subtree. */
const LEAF = 17
const STOREY = 32
const LABEL_ROOM = 108
/** Kept free at the left edge, for the number of those that did not fit. */
const LEFT_ROOM = 44
const SWAY = 30

function boxWidth(text: string): number {
  return Math.max(30, text.length * CHARACTER + 14)
}

/** Depth of the tree and how many of its branches end, in branches: what a drawing needs to make room. */
export interface Extent {
  levels: number
  leaves: number
}

/** O(branches). */
function extentOf(branches: Branch[]): Extent {
  let levels = 0
  let leaves = 0
  for (const { children } of branches) {
    const inner = extentOf(children)
    levels = Math.max(levels, inner.levels + 1)
    leaves += Math.max(1, inner.leaves)
  }
  return { levels, leaves }
}

/** How far down and how wide what was tried at one node goes. */
interface Row {
  attempts: Attempt[]
  /** tried before, but not told one by one */
  more: number
  /** something was tried before that is not known yet */
  unknown: boolean
  open: number
  label: Label | null
}

class Builder {
  readonly marks: TreeMark[] = []
  readonly labels: Label[] = []
  private y = TOP
  private x = 0
  /** the mark of the path that comes next hangs from this one */
  private last = -1
  nowY = TOP

  constructor(private readonly input: TreeInput) {}

  private get now(): number {
    return this.input.path.step
  }

  private add(mark: Partial<TreeMark> & Pick<TreeMark, 'kind' | 'x' | 'y'>): number {
    const base = { w: GLYPH, h: GLYPH, level: 0, buffer: -1, text: '', attempt: null, fate: null, step: -1, count: 0 }
    const made: TreeMark = { ...base, now: false, parent: -1, path: false, unfolded: false, ...mark }
    if (made.now) this.nowY = made.y
    return this.marks.push(made) - 1
  }

  /** A mark on the path, under the one before. */
  private trunk(mark: Partial<TreeMark> & Pick<TreeMark, 'kind' | 'text'>): void {
    const w = boxWidth(mark.text)
    this.last = this.add({ x: this.x, y: this.y, w, h: NODE_HEIGHT, parent: this.last, path: true, ...mark })
  }

  private box(level: number, step: number): void {
    const { stack, name } = this.input
    const now = step === this.now
    if (level === 0) {
      this.trunk({ kind: 'root', text: 'start', step, now: now || this.now === 0 })
      return
    }
    const buffer = stack[level - 1] ?? -1
    this.trunk({ kind: 'node', text: shortName(name(buffer), LONGEST), level, buffer, step: step > 0 ? step : -1, now })
  }

  /** What was tried at the node drawn last, and what is open there; the path goes on below it. */
  private row(row: Row, level: number, goesOn: boolean): void {
    const { manifest, width } = this.input
    const parent = this.last
    const bare = row.attempts.length + row.more + row.open === 0 && !row.unknown
    const y = this.y + (bare ? FOLDED / 2 : SIBLINGS)
    const from = this.marks[parent]?.x ?? 0
    const most = Math.max(1, Math.floor((width / 2 - LABEL_ROOM - GAP) / GLYPH))
    if (goesOn) this.x = clamp((row.attempts.length - Math.min(row.open, most)) * 3, -SWAY, SWAY)
    // the path passes between the siblings
    const middle = goesOn ? (from + this.x) / 2 : from
    const rings = Math.min(row.open, Math.max(1, most - Math.ceil(Math.max(0, middle) / GLYPH)))
    let at = middle - GAP
    let deepest = 0
    let left = row.attempts.length
    for (; left > 0; left--) {
      const attempt = row.attempts[left - 1] as Attempt
      const w = this.widthOf(attempt)
      if (at - w < LEFT_ROOM - width / 2 && !this.unfolds(attempt)) break
      const fate = EFFECTS[attempt.kind] === 'opens' ? null : fateOf(manifest.rules[attempt.rule]?.id ?? '')
      const now = attempt.step === this.now || attempt.end === this.now
      const text = attempt.buffer >= 0 ? shortName(this.input.name(attempt.buffer), LONGEST) : ''
      const mark = { level, buffer: attempt.buffer, attempt, fate, step: attempt.step, count: attempt.count, now, text }
      const made = this.add({ kind: 'tried', x: at - w / 2, y, parent, ...mark, ...(w > GLYPH && now && { w }) })
      deepest = Math.max(deepest, this.subtree(made, at - w, w))
      this.handle(made)
      at -= w
    }
    const more = row.more + left
    if (more > 0 || row.unknown) {
      const kind = row.unknown ? 'unknown' : 'more'
      const text = row.unknown ? '…' : `+${thousands(more)}`
      const w = Math.max(GLYPH, text.length * CHARACTER + 4)
      this.add({ kind, x: at - w / 2, y, w, text, level, count: more, parent })
    }
    for (let k = 0; k < rings; k++) {
      const last = k === rings - 1 && row.open > rings
      const text = last ? `+${thousands(row.open - rings + 1)}` : ''
      const w = last ? text.length * CHARACTER + 4 : GLYPH
      const x = middle + GAP + k * GLYPH + w / 2
      this.add({ kind: 'open', x, y, w, text, level, count: last ? row.open - rings + 1 : 1, parent })
    }
    if (row.label !== null) this.labels.push({ ...row.label, y })
    this.y += (bare ? FOLDED : PITCH) + deepest
  }

  /** The step shown is written out, an unfolded subtree needs its leaves' room, all else is a glyph. */
  private widthOf(attempt: Attempt): number {
    const inside = this.input.subtrees.get(attempt.step)
    const leaves = inside === undefined || EFFECTS[attempt.kind] !== 'opens' ? 0 : extentOf(inside).leaves
    const written = attempt.step === this.now && attempt.buffer >= 0
    const own = written ? boxWidth(shortName(this.input.name(attempt.buffer), LONGEST)) + 22 : GLYPH
    return Math.max(own, leaves * LEAF, EFFECTS[attempt.kind] === 'opens' ? 24 : attempt.count > 1 ? 22 : 0)
  }

  private unfolds({ kind, step }: Attempt): boolean {
    return EFFECTS[kind] === 'opens' && this.input.subtrees.has(step)
  }

  /** Draws what was tried above a placement that was taken back, if it is unfolded; gives how far down it goes. */
  private subtree(root: number, left: number, width: number): number {
    const attempt = this.marks[root]?.attempt
    const branches = attempt && EFFECTS[attempt.kind] === 'opens' ? this.input.subtrees.get(attempt.step) : undefined
    if (branches === undefined || branches.length === 0) return 0
    const { levels, leaves } = extentOf(branches)
    ;(this.marks[root] as TreeMark).unfolded = true
    this.branches(branches, root, left + (width - leaves * LEAF) / 2)
    return levels * STOREY
  }

  /** Under a disc the triangle that unfolds its subtree, beside it the one that folds it again. */
  private handle(disc: number): void {
    const { attempt, unfolded, level, buffer, x, y } = this.marks[disc] as TreeMark
    if (!attempt || EFFECTS[attempt.kind] !== 'opens') return
    const at = unfolded ? { x: x - 12, y, w: 10, h: 12 } : { x, y: y + 11, w: 18, h: 12 }
    this.add({ kind: 'subtree', ...at, level, buffer, attempt, count: attempt.end - attempt.step, unfolded })
  }

  private branches(branches: Branch[], parent: number, left: number): void {
    const above = this.marks[parent] as TreeMark
    let at = left
    for (const branch of branches) {
      const wide = Math.max(1, extentOf(branch.children).leaves) * LEAF
      const fate = EFFECTS[branch.kind] === 'opens' ? null : fateOf(this.input.manifest.rules[branch.rule]?.id ?? '')
      const mark = { level: above.level + 1, buffer: branch.buffer, attempt: branch, fate, step: branch.step, parent }
      const now = EFFECTS[branch.kind] !== 'opens' && branch.step <= this.now && this.now <= branch.end
      const y = above.y + STOREY
      const made = this.add({ kind: 'tried', x: at + wide / 2, y, count: branch.count, now, unfolded: true, ...mark })
      this.branches(branch.children, made, at)
      at += wide
    }
  }

  /** Nobody sits on the floor of a section: the node asks another one then, with the same buffers placed. */
  private idle(attempt: Attempt, level: number): void {
    this.trunk({ kind: 'idle', text: 'idle', level, attempt, step: attempt.step, now: attempt.step === this.now })
  }

  private node(index: number): void {
    const { path, tried, candidates } = this.input
    const node = path.nodes[index]
    const level = path.top + index
    if (node === undefined) return
    this.box(level, node.step)
    const last = level === path.depth
    const [done, of] = last ? [path.tried, path.candidates] : [tried[level] ?? 0, candidates[level] ?? 0]
    const solved = last && level === this.input.count
    let pending: Attempt[] = []
    let more = node.more
    for (const attempt of node.attempts) {
      if (EFFECTS[attempt.kind] !== 'idles') {
        pending.push(attempt)
        continue
      }
      this.row({ attempts: pending, more, unknown: false, open: 0, label: null }, level + 1, true)
      this.idle(attempt, level + 1)
      pending = []
      more = 0
    }
    const text = of > 0 ? `${thousands(done)} of ${thousands(of)} tried` : ''
    const row: Row = {
      attempts: pending,
      more,
      unknown: !node.whole,
      open: Math.max(0, of - done),
      label: last && of === 0 ? null : { y: 0, level: `level ${thousands(level + 1)}`, tried: text },
    }
    if (solved) {
      const y = this.y + SIBLINGS
      this.add({ kind: 'solved', x: this.x, y, parent: this.last, path: true, level, step: this.now })
      this.y += PITCH
    } else this.row(row, level + 1, !last)
  }

  /** Levels from this one on at whose nodes the first candidate was taken; 0 if they are too few to be folded. */
  private run(index: number): number {
    const { path, unfolded } = this.input
    const plain = (k: number) => {
      const node = path.nodes[k]
      const quiet = node?.whole === true && node.attempts.length === 0 && node.more === 0
      return quiet && node.step !== this.now && path.top + k > 0 && k < path.nodes.length - 1
    }
    if (!plain(index) || unfolded.has(path.top + index)) return 0
    let end = index
    while (plain(end)) end++
    return end - index >= FOLD_FROM ? end - index : 0
  }

  build(): TreeLayout {
    const { path } = this.input
    if (path.top > 0) {
      const text = `${thousands(path.top - 1)} ${path.top === 2 ? 'level' : 'levels'} above`
      if (path.top > 1) {
        this.trunk({ kind: 'above', text, count: path.top - 1, level: path.top })
        this.y += FOLDED
      }
    }
    for (let k = 0; k < path.nodes.length; ) {
      const run = this.run(k)
      if (run === 0) {
        // a run that was unfolded stays so to its end
        const whole = this.input.unfolded.has(path.top + k) ? this.length(k) : 1
        for (let j = 0; j < whole; j++) this.node(k + j)
        k += whole
        continue
      }
      const level = path.top + k
      this.trunk({ kind: 'fold', text: `${thousands(run)} levels, first try each`, level, count: run })
      this.y += FOLDED
      k += run
    }
    const xs = this.marks.flatMap(({ x, w }) => [x - w / 2, x + w / 2])
    const left = xs.reduce((a, b) => Math.min(a, b), 0)
    const right = xs.reduce((a, b) => Math.max(a, b), 0)
    return { marks: this.marks, labels: this.labels, left, right, height: this.y, nowY: this.nowY }
  }

  private length(index: number): number {
    const { path } = this.input
    let end = index + 1
    while (end < path.nodes.length - 1 && (path.nodes[end]?.attempts.length ?? 1) === 0) end++
    return end - index
  }
}

export function layTree(input: TreeInput): TreeLayout {
  return new Builder(input).build()
}

/** The mark under a point, the nearest one if several are in reach; -1: none. */
export function treeMarkAt(layout: TreeLayout, x: number, y: number, reach: number): number {
  let best = -1
  let least = Number.POSITIVE_INFINITY
  layout.marks.forEach((mark, k) => {
    const dx = Math.max(0, Math.abs(x - mark.x) - mark.w / 2)
    const dy = Math.max(0, Math.abs(y - mark.y) - mark.h / 2)
    const far = Math.hypot(dx, dy) + Math.hypot(x - mark.x, y - mark.y) / 1e4
    if (dx > reach || dy > reach || far >= least) return
    least = far
    best = k
  })
  return best
}

/** Where an arrow key goes from a mark: along its row, or to the row above or below. -1: nowhere. */
export function neighbour(layout: TreeLayout, from: number, key: string): number {
  const start = layout.marks[from]
  if (start === undefined) return layout.marks.findLastIndex((mark) => mark.now || mark.path)
  const sideways = key === 'ArrowLeft' ? -1 : key === 'ArrowRight' ? 1 : 0
  const down = key === 'ArrowUp' ? -1 : 1
  let best = -1
  let least = Number.POSITIVE_INFINITY
  layout.marks.forEach((mark, k) => {
    if (k === from) return
    const dx = mark.x - start.x
    const dy = mark.y - start.y
    if (sideways !== 0 ? dy !== 0 || dx * sideways <= 0 : dy * down <= 0) return
    const far = sideways !== 0 ? Math.abs(dx) : Math.abs(dy) * 4 + Math.abs(dx)
    if (far >= least) return
    least = far
    best = k
  })
  return best
}
