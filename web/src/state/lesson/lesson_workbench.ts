/** A lesson has the page for a while, with a workbench of its own. What the reader had open stays in theirs, worker and all. */
import { Cell } from '../../base/cell'
import { workbenchCells } from '../workbench_cells'

export const lessonWorkbench = workbenchCells('lesson')

/** Gives the page back to the reader, at once; null while no lesson has it. */
export const leaveLesson = new Cell<(() => void) | null>(null)
