/** What of a model lives in a small fast memory: what was chosen, by whom. */
import type { Selection } from '../../../../wasm/client/types'
import { Cell, type Readable } from '../../base/cell'
import type { Opened } from '../workbench_values'
import { workbench } from '../workbench_cells'

/** The solver that chooses what lives in fast memory. */
export const SELECT = 'select'

/** The settings that a choice took the place of; it leaves the goal alone, having none to choose from. */
export interface ModelSettings {
  capacity: number
  seed: number
  solver: string
}

const kept: { of: Opened | null; settings: ModelSettings } = {
  of: null,
  settings: { capacity: 0, seed: 0, solver: '' },
}

/** Before another solver is chosen: if it is the one of selections, what to go back to is kept. */
export function keepSettings(next: string): void {
  const { opened, capacity, seed, solver } = workbench
  if (next !== SELECT || solver.get() === SELECT) return
  kept.of = opened.get()
  kept.settings = { capacity: capacity.get(), seed: seed.get(), solver: solver.get() }
}

/** null: the solver of selections was there before the model. */
export const settingsBefore = (): ModelSettings | null =>
  kept.of !== null && kept.of === workbench.opened.get() ? kept.settings : null

export interface Choosing {
  /** the model that is chosen from, and the fast memory's bytes */
  whole: Opened
  capacity: number
  /** by repacker; null: not known yet */
  rows: (Selection | null)[]
  /** how many were asked for */
  asked: number
  /** '': under way or done */
  failed: string
  running: boolean
}

/** somebody looks for where it is chosen: it is brought into sight */
const sought = new Cell(false)
export const seekChoosing = (on: boolean) => sought.set(on)
export const choosingSought: Readable<boolean> = sought

export const choosing = new Cell<Choosing | null>(null)
