/** What the pointer and the panels select of the problem. */
import { workbench } from '../../state/workbench_cells'
import { NOTHING_LIT } from '../../state/workbench_values'

/** -1: none. x, y: where, in pixels of the page. */
export function hoverBuffer(buffer: number, x = 0, y = 0): void {
  workbench.hovered.set(buffer < 0 ? null : { buffer, x, y })
}

export function leaveOps(): void {
  workbench.hoveredOp.set(null)
}

/** Lights one buffer, wherever it is shown; -1: none. */
export function lightBuffer(buffer: number): void {
  workbench.lit.set(buffer < 0 ? NOTHING_LIT : { buffers: [buffer], section: -1, inputs: [] })
}

export function pinBuffer(buffer: number): void {
  workbench.pinned.set(buffer)
}

export function clearFilter(): void {
  workbench.filter.set('')
}
