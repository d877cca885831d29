/** What of a model lives in a small fast memory: what was chosen, by whom. */
import type { Goal, Selection } from '../../../../wasm/client/types'
import { Cell, type Readable } from '../../base/cell'
import type { Profile } from '../profile/profile'
import type { Opened } from '../workbench_values'

/** The memory that a model was placed in and the settings of its run, as its pools took its place. */
export interface ModelSettings {
  profile: Profile | null
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
  /** the two pools of a repacker that stand open in the model's place; null: the model does */
  shown: { repacker: number; pools: Opened; model: ModelSettings } | null
}

/** somebody looks for where it is chosen: it is brought into sight */
const sought = new Cell(false)
export const seekChoosing = (on: boolean) => sought.set(on)
export const choosingSought: Readable<boolean> = sought

export const choosing = new Cell<Choosing | null>(null)
