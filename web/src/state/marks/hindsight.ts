/**
 * What hindsight says of the decisions on a path: after the first k of them, is there still a plan within the capacity? Asked of the
 * offsets alone: "doomed" means that no plan whatever has these offsets, in whatever order they were placed. A solver with a normal form
 * of its own (MiniMalloc's canonical order) may have to take back decisions after which plans exist that it would not build on this path;
 * those are not doomed here.
 */
import { hasEffect } from '../../../../wasm/client/events'
import type { Frame } from '../../../../wasm/client/types'
import { Cell, derived } from '../../base/cell'
import { searchKey } from './marks'
import { workbench } from '../workbench_cells'

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

export const hindsight = new Cell<Hindsight>({ kind: 'none' })

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

export const judged = derived((): Judged | null => {
  const now = hindsight.get()
  return (now.kind === 'asking' || now.kind === 'known') && now.judged.of === searchKey.get() ? now.judged : null
})

const NONE: LevelFate[] = []
/** Of the step shown; empty while nothing was asked. */
export const fates = derived(() => {
  const [known, frame] = [judged.get(), workbench.frame.get()]
  return known === null || frame === null ? NONE : fatesOf(known, pathOf(frame))
})

const NOBODY: number[] = []
/** The placed buffers whose placement left no plan or came after one that did; a capacity that nothing fits is no placement's fault. */
export const doomedBuffers = derived(() => {
  const [frame, known, levels] = [workbench.frame.get(), judged.get(), fates.get()]
  if (frame === null || known === null || known.doomed === 0 || !levels.includes('doomed')) return NOBODY
  return Array.from(frame.stack).filter((_, k) => levels[k] === 'doomed')
})

/** The step that made the first doomed decision; -1: none is known. */
export const wrongTurn = derived(() => {
  const turn = judged.get()?.turn ?? 0
  return turn > 0 ? turn : -1
})
