/**
 * What hindsight says of the decisions on a path: after the first k of them, is there still a plan within the capacity? Asked of the
 * offsets alone: "doomed" means that no plan whatever has these offsets, in whatever order they were placed. A solver with a normal form
 * of its own (MiniMalloc's canonical order) may have to take back decisions after which plans exist that it would not build on this path;
 * those are not doomed here.
 */
import { hasEffect } from '../../../../wasm/client/events'
import type { Frame } from '../../../../wasm/client/types'
import { Atom, Derived } from '../../base/atom'
import { frame } from '../atoms'
import { searchKey } from './marks'

/** Steps of the exact solver for one question. */
export const QUESTION_BUDGET = 200_000

export interface Decision {
  buffer: number
  offset: number
}

export interface Judged {
  of: string
  capacity: number
  /** the step that was asked about, and its path */
  step: number
  path: Decision[]
  /** the first so many decisions leave a plan: the most that is known, -1 if it is not even known of none */
  solvable: number
  /** the first so many decisions leave no plan: the least that is known, path.length + 1 if none is */
  doomed: number
  /** the step that made decision number `doomed`; 0: not known, or there is none */
  turn: number
  /** questions put, and steps that the exact solver took for them */
  questions: number
  steps: number
  /** of one question */
  budget: number
}

export type Hindsight =
  | { kind: 'none' }
  | { kind: 'asking'; judged: Judged; level: number }
  | { kind: 'known'; judged: Judged }
  | { kind: 'failed'; message: string }

export const hindsight = new Atom<Hindsight>({ kind: 'none' })
/** asks again wherever the search is looked at */
export const following = new Atom(false)

export type LevelFate = 'solvable' | 'doomed' | 'unknown'

type Path = Pick<Frame, 'step' | 'stack' | 'offset' | 'undone' | 'events'>

/** By level. What a backtrack has just taken back is still part of it: that is the path that failed. */
export function pathOf({ step, stack, offset, undone, events }: Path): Decision[] {
  const placed = Array.from(stack, (buffer) => ({ buffer, offset: offset[buffer] ?? -1 }))
  const returned = events.some((event) => event.step === step && hasEffect(event, 'returns'))
  return returned ? [...placed, ...undone.toReversed()] : placed
}

/** How many first decisions two paths have in common. */
export function common(path: readonly Decision[], other: readonly Decision[]): number {
  const end = path.findIndex(({ buffer, offset }, k) => other[k]?.buffer !== buffer || other[k]?.offset !== offset)
  return end < 0 ? path.length : end
}

/**
 * By level, from level 1, what is known of a path, which may be another one than was asked about: what they have in common is known of
 * both, and once doomed stays doomed.
 */
export function fatesOf(judged: Judged, path: readonly Decision[]): LevelFate[] {
  const shared = common(path, judged.path)
  const doomed = judged.doomed <= shared
  return path.map((_, k) => {
    if (k < Math.min(judged.solvable, shared)) return 'solvable'
    return doomed && k + 1 >= judged.doomed ? 'doomed' : 'unknown'
  })
}

export const judged = new Derived([hindsight, searchKey], (now, key): Judged | null =>
  (now.kind === 'asking' || now.kind === 'known') && now.judged.of === key ? now.judged : null,
)

const NONE: LevelFate[] = []
/** Of the step shown; empty while nothing was asked. */
export const fates = new Derived([judged, frame], (judged, frame) =>
  judged === null || frame === null ? NONE : fatesOf(judged, pathOf(frame)),
)

const NOBODY: number[] = []
/** The placed buffers whose placement left no plan or came after one that did; a capacity that nothing fits is no placement's fault. */
export const doomedBuffers = new Derived([fates, frame, judged], (fates, frame, judged) => {
  if (frame === null || judged === null || judged.doomed === 0 || !fates.includes('doomed')) return NOBODY
  return Array.from(frame.stack).filter((_, k) => fates[k] === 'doomed')
})

/** The step that made the first doomed decision; -1: none is known. */
export const wrongTurn = new Derived([judged], (judged) => (judged !== null && judged.turn > 0 ? judged.turn : -1))
