/** How the canvas is worked with: what is pinned beside the first, what a search found, which tools are on. */
import type { Problem } from '../../../../wasm/client/types'
import { Cell, derived } from '../../base/cell'
import type { Matches } from '../../layout/scene'
import { workbench } from '../workbench_cells'

/** Of a problem: another one has none of it. */
export interface Of<T> {
  problem: Problem
  value: T
}

/** shades what is free under the top of the plan */
export const fragments = new Cell(false)
/** a drag measures bytes and steps */
export const measuring = new Cell(false)
/** what is tapped or clicked is pinned beside what is pinned, as with Shift */
export const adding = new Cell(false)

export function shadeFragments(on: boolean): void {
  fragments.set(on)
}
export function measure(on: boolean): void {
  measuring.set(on)
}
export function pinSeveral(on: boolean): void {
  adding.set(on)
}

const NOBODY: readonly number[] = []
export const otherPins = new Cell<Of<readonly number[]> | null>(null)

/** Those pinned beside `pinned`, oldest first. */
export const alsoPinned = derived((): readonly number[] => {
  const [others, pinned] = [otherPins.get(), workbench.pinned.get()]
  if (others === null || others.value.length === 0 || others.problem !== workbench.opened.get()?.problem) return NOBODY
  return others.value.includes(pinned) ? others.value.filter((buffer) => buffer !== pinned) : others.value
})

/** All that are pinned, oldest first. */
export const pins = derived(() => {
  const [others, pinned] = [alsoPinned.get(), workbench.pinned.get()]
  return pinned < 0 ? others : [...others, pinned]
})

export interface Found extends Matches {
  text: string
}
/** the last search that has come to its end */
export const found = new Cell<Of<Found> | null>(null)

/** What is searched for now, or was until the last letter was typed; null: nothing. */
export const matches = derived((): Found | null => {
  const last = found.get()
  if (last === null || last.problem !== workbench.opened.get()?.problem) return null
  return workbench.filter.get().trim() === '' ? null : last.value
})
