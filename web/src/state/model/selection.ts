/** What of a model lives in a small fast memory: what was chosen, by whom. */
import type { Goal, Selection } from '../../../../wasm/client/types'
import { Cell, type Readable } from '../../base/cell'
import type { Opened } from '../workbench_values'

/** The settings that a choice took the place of as it was played. */
export interface ModelSettings {
  capacity: number
  goal: Goal
  solver: string
}

export interface Choosing {
  /** the model that is chosen from, and the fast memory's bytes */
  whole: Opened
  capacity: number
  /** by repacker; null: not known yet */
  rows: (Selection | null)[]
  /** '': under way or done */
  failed: string
  running: boolean
  /** what to go back to; null: nothing was played */
  before: ModelSettings | null
}

/** somebody looks for where it is chosen: it is brought into sight */
const sought = new Cell(false)
export const seekChoosing = (on: boolean) => sought.set(on)
export const choosingSought: Readable<boolean> = sought

export const choosing = new Cell<Choosing | null>(null)
