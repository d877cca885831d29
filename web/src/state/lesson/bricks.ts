/** A lesson's bricks: buffers that the reader drags, through each other too. */
import { batch } from '../../base/cell'
import { planFrame } from '../solver/plan_frame'
import { workbench } from '../workbench_cells'
import { bricks } from './lesson_workbench'

/** Shows them where they are put. The scale is that of all on top of each other: it stays while one is dragged. */
export function setBricks(offsets: Float64Array<ArrayBuffer>): void {
  const top = workbench.opened.get()?.problem.size.reduce((sum, size) => sum + size, 0) ?? 0
  batch(() => {
    bricks.set(offsets)
    workbench.frame.set({ ...planFrame(offsets, 0, null), top })
  })
}
