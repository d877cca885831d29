/** Tasks on tiles as they are played: which one is shown, and what it does. Nothing of it is kept. */
import type { OutcomeId, Problem } from '../../../../wasm/client/types'
import { Cell } from '../../base/cell'

/** from 0; -1: none is shown */
export const task = new Cell(-1)
/** the tasks go by */
export const rolling = new Cell(false)

/** The lowest plan that was found, of tiles or of whole tensors. */
export interface Side {
  problem: Problem
  offset: Float64Array<ArrayBuffer>
  height: number
  lowerBound: number
  outcome: OutcomeId
}

/** Tiles against whole tensors. */
export interface Comparison {
  tiles: Side | null
  whole: Side | null
  running: boolean
  /** '': under way or done */
  failed: string
}
export const comparison = new Cell<Comparison | null>(null)

/** Percent that tiles save; 0: nothing. */
export const saved = ({ tiles, whole }: Pick<Comparison, 'tiles' | 'whole'>): number =>
  tiles === null || whole === null || whole.height === 0 ? 0 : (1 - tiles.height / whole.height) * 100
