/** What is selected and lit on the canvas. */
import type { ColourMode } from '../../layout/scene'
import * as ui from '../../state/ui'
import { candidate } from '../../state/workbench'
import { workbench } from '../../state/workbench_cells'
import { NOTHING_LIT } from '../../state/workbench_values'
import type { ActionContext } from '../action_context'
import type { PageActions } from '../page/page_actions'

type Around = ActionContext & { page: PageActions }

export class CanvasActions {
  constructor(private readonly on: Around) {}

  /** Pins what the step shown is about, or lets go of what is pinned. */
  pinCurrent(): void {
    const now = candidate.get()?.buffer ?? -1
    workbench.pinned.set(workbench.pinned.get() >= 0 ? -1 : now)
  }

  /** Pins a buffer and moves the canvas no more than needed to show it. */
  reveal(buffer: number): void {
    workbench.pinned.set(buffer)
    this.on.view?.reveal(buffer)
  }

  light(buffers: number[], section: number): void {
    workbench.lit.set(buffers.length === 0 && section < 0 ? NOTHING_LIT : { buffers, section, inputs: [] })
  }

  /** Chooses an operator to be looked at, or lets go of it. */
  pickOp(op: number): void {
    workbench.pickedOp.update((now) => (now === op ? -1 : op))
  }

  pointAtOp(op: number, x: number, y: number): void {
    const now = workbench.hoveredOp.get()
    if (op < 0) workbench.hoveredOp.set(null)
    else if (now?.op !== op || now.x !== x || now.y !== y) workbench.hoveredOp.set({ op, x, y })
  }

  /** Chooses an operator and brings it into sight on the canvas. */
  lookAtOp(op: number): void {
    workbench.pickedOp.set(op)
    this.on.view?.revealTime(op, op + 1)
  }

  showFilePlan(on: boolean): void {
    workbench.planShownFrom.set(on ? 'file' : 'search')
  }

  /** To the filter of the Buffers tab. */
  find(): void {
    this.on.page.showTab('buffers')
    ui.finding.update((n) => n + 1)
  }

  setColour(mode: ColourMode): void {
    workbench.colourChoice.set(mode)
  }
}
