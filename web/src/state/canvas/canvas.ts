/** How the canvas is worked with: what is pinned beside the first, what a search found, which tools are on. */
import type { Problem } from '../../../../wasm/client/types'
import { Atom, Derived } from '../../base/atom'
import type { Matches } from '../../layout/scene'
import { opened } from '../atoms'
import { filter, pinned } from '../ui'

/** Of a problem: another one has none of it. */
export interface Of<T> {
  problem: Problem
  value: T
}

/** shades what is free under the top of the plan */
export const fragments = new Atom(false)
/** a drag measures bytes and steps */
export const measuring = new Atom(false)
/** what is tapped or clicked is pinned beside what is pinned, as with Shift */
export const adding = new Atom(false)

const NOBODY: readonly number[] = []
export const otherPins = new Atom<Of<readonly number[]> | null>(null)

/** Those pinned beside `pinned`, oldest first. */
export const alsoPinned = new Derived([otherPins, opened, pinned], (others, opened, pinned): readonly number[] => {
  if (others === null || others.value.length === 0 || others.problem !== opened?.problem) return NOBODY
  return others.value.includes(pinned) ? others.value.filter((buffer) => buffer !== pinned) : others.value
})

/** All that are pinned, oldest first. */
export const pins = new Derived([alsoPinned, pinned], (others, pinned) => (pinned < 0 ? others : [...others, pinned]))

export interface Found extends Matches {
  text: string
}
/** the last search that has come to its end */
export const found = new Atom<Of<Found> | null>(null)

/** What is searched for now, or was until the last letter was typed; null: nothing. */
export const matches = new Derived([found, opened, filter], (found, opened, filter): Found | null =>
  found === null || found.problem !== opened?.problem || filter.trim() === '' ? null : found.value,
)
