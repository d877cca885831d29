/** A model's way into tiles: what was chosen, and what came of it. */
import { Cell } from '../../base/cell'

export interface TilingChoice {
  /** bytes on the chip; 0: none were chosen, the page proposes some */
  budget: number
  /** changed from the defaults */
  options: Record<string, string>
}

export const tilingChoice = new Cell<TilingChoice>({ budget: 0, options: {} })
/** why there are no tiles, '' */
export const tilingRefused = new Cell('')
