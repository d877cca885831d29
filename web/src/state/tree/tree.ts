/** What the Tree tab knows and how it is looked at. */
import type { Frame, TreePath } from '../../../../wasm/client/types'
import { Cell } from '../../base/cell'
import type { Branch } from '../../layout/scene'

/** A path and the frame of the same step. path null: the solver does not branch at that step, there is no tree. */
export interface TreeKnown {
  frame: Frame
  path: TreePath | null
}

export type TreeState = { kind: 'none' } | { kind: 'known'; known: TreeKnown } | { kind: 'failed'; message: string }

export const LEVELS = 40
export const MOST = 24

export const tree = new Cell<TreeState>({ kind: 'none' })
/** looking back goes on */
export const treeLooking = new Cell(false)
/** how many levels of the path are asked for, and how many attempts at each */
export const treeLevels = new Cell(LEVELS)
export const treeMost = new Cell(MOST)
/** what was taken back within the last steps is shown unfolded */
export const recent = new Cell(false)
/** runs of levels that are shown one by one, by the first of their levels */
export const unfoldedRuns = new Cell<ReadonlySet<number>>(new Set())
/** what was tried above placements that were taken back, by their step; those that are here are unfolded */
export const subtrees = new Cell<ReadonlyMap<number, Branch[]>>(new Map())
/** a picture, or the same in rows */
export const treeAsList = new Cell(false)

export function moreLevels(): void {
  treeLevels.update((now) => now * 4)
}
export function unfoldRun(level: number): void {
  unfoldedRuns.update((all) => new Set([...all, level]))
}
export function showAsList(on: boolean): void {
  treeAsList.set(on)
}
/** A picture has no room for them. */
export function moreAttempts(): void {
  showAsList(true)
  treeMost.update((now) => now * 8)
}
export function showRecent(on: boolean): void {
  subtrees.set(new Map())
  recent.set(on)
}
