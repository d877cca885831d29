/** Which of its parts the page shows of the workbench. */
import { workbench } from '../../state/workbench_cells'
import type { Mode } from '../../state/workbench_values'

export function setMode(mode: Mode): void {
  workbench.mode.set(mode)
}

export function toggleCompare(): void {
  workbench.setupOpen.set(false)
  workbench.mode.update((now) => (now === 'compare' ? 'search' : 'compare'))
}

export function showHint(): void {
  workbench.hintShown.set(true)
}

/** The marks and stops beside the search. */
export function showMarks(on: boolean): void {
  workbench.watchOpen.set(on)
}

/** Hindsight at every step that is looked at. */
export function followSteps(on: boolean): void {
  workbench.following.set(on)
}
