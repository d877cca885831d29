/** COSMA's memory budgets of the model that is open. */
import type { GraphModel } from '../../../../wasm/client/types'
import { Cell, derived } from '../../base/cell'
import { opened } from '../workbench'
import type { Opened } from '../workbench_values'

/** What a search needed at least without copies, and of which model. */
export const leastPeak = new Cell<{ of: Opened; bytes: number } | null>(null)

/** The lowering knows a few orders; what a search found counts if it is less. null: no model is open. */
export const budgets = derived((): GraphModel['budgets'] | null => {
  const [now, found] = [opened.get(), leastPeak.get()]
  if (now?.model === undefined) return null
  const { required, half, peak } = now.model.budgets
  if (found?.of !== now || found.bytes >= peak) return { required, half, peak }
  return { required, half: Math.floor((required + found.bytes) / 2), peak: found.bytes }
})
