/** What the page shows of tiles: what a task does, and what collides in the step. */
import { derived } from '../../base/cell'
import { type Collision, collisionOf, type TileMarks, tileMarks } from '../../layout/tiles/tile_marks'
import { task } from '../../state/tiles/tiles'
import { scene } from '../../state/workbench'

/** A task of the problem that is shown, with what it does; null: none is. */
export const shownTask = derived((): { task: number; id: string; marks: TileMarks } | null => {
  const problem = scene.get()?.problem
  const [at, ids] = [task.get(), problem?.tasks?.ids]
  if (problem === undefined || ids === undefined || at < 0 || at >= ids.length) return null
  return { task: at, id: ids[at] as string, marks: tileMarks(problem, at) }
})

export const shownCollision = derived((): Collision | null => {
  const now = scene.get()
  return now?.frame == null ? null : collisionOf(now.problem, now.now, now.frame.offset)
})
