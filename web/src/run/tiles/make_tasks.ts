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

/** In place of the model. */
export async function openTasks(actions: Actions, budget: number): Promise<void> {
  const made = await make(actions, budget)
  if (made === null || !(await actions.problem.openTasks(made.csv, made.name))) return
  actions.page.showTab('tiles')
  await actions.session.run()
}

export async function saveTasks(actions: Actions, budget: number): Promise<void> {
  const made = await make(actions, budget)
  if (made !== null) saveText(made.csv, made.name, 'text/csv')
}
