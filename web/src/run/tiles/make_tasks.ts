/** Makes tasks on tiles of the model that is open. */
import { baseName, saveText } from '../../export/files'
import type { Text } from '../../../../wasm/client/types'
import { type TilingChoice, tilingChoice, tilingRefused } from '../../state/tiles/tiling'
import { workbench } from '../../state/workbench_cells'
import type { Actions } from '../actions'

export function chooseTiling(change: Partial<TilingChoice>): void {
  tilingChoice.update((now) => ({ ...now, ...change }))
  tilingRefused.set('')
}

/** null: the core has none, and the page says why. */
async function make({ session }: Actions, budget: number): Promise<{ csv: Text; name: string } | null> {
  const name = `${baseName(workbench.opened.get())}.tasks.csv`
  tilingRefused.set('')
  try {
    return { csv: await session.client.tile(budget, tilingChoice.get().options), name }
  } catch (error) {
    tilingRefused.set(error instanceof Error ? error.message : String(error))
    return null
  }
}

/** In place of the model. Whether nothing else was asked for by the time they have been run. */
export async function openTasks(actions: Actions, budget: number): Promise<boolean> {
  const { session } = actions
  const before = session.asked
  const made = await make(actions, budget)
  // what was asked for while they were made is not theirs to replace
  if (made === null || session.asked !== before) return false
  if (!(await actions.problem.openTasks(made.csv, made.name))) return false
  const mine = session.asked
  actions.page.showTab('tiles')
  await session.run()
  return session.asked === mine
}

export async function saveTasks(actions: Actions, budget: number): Promise<void> {
  const made = await make(actions, budget)
  if (made !== null) saveText(made.csv, made.name, 'text/csv')
}
