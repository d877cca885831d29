/** Tiles are asked for their least height, by a solver that knows them; what that took the place of comes back with what was there before. */
import { solverInfo } from '../../state/workbench'
import { workbench } from '../../state/workbench_cells'
import type { Session } from '../session'

const TILE_SOLVER = 'taa'
let before: { solver: string; goal: ReturnType<typeof workbench.goal.get> } | null = null

/** After another problem is there. */
export function fitTiles({ client }: Session): void {
  const { solver, goal, opened } = workbench
  const tiles = opened.get()?.problem.tasks !== undefined
  if (tiles && solverInfo.get()?.supports.shapes !== true) {
    before = { solver: solver.get(), goal: goal.get() }
    solver.set(TILE_SOLVER)
    client.prefetch(TILE_SOLVER)
    goal.set('height')
  } else if (!tiles && before !== null) {
    // what was chosen since is the reader's
    if (solver.get() === TILE_SOLVER) {
      solver.set(before.solver)
      if (goal.get() === 'height') goal.set(before.goal)
    }
    before = null
  }
}
