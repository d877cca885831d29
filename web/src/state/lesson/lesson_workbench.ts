/** A lesson has the page for a while, with a workbench of its own. What the reader had open stays in theirs, worker and all. */
import { Cell } from '../../base/cell'
import { workbenchCells } from '../workbench_cells'

export const lessonWorkbench = workbenchCells('lesson')

/** Gives the page back to the reader, at once; null while no lesson has it. */
export const leaveLesson = new Cell<(() => void) | null>(null)

/** of each buffer, where the reader of a lesson has dragged it; null: the canvas is as solvers leave it */
export const bricks = new Cell<Float64Array<ArrayBuffer> | null>(null)
