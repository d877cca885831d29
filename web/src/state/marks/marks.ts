/** What a person leaves along a search: steps that are marked, with notes, a range to play within, and what playing stops at. */
import { Cell, derived } from '../../base/cell'
import { workbench } from '../workbench_cells'

export { STOP_STEPS, type Stop, type StopWhat } from './stop'

/** Characters of a note, marks and stops that are kept. */
export const NOTE_LIMIT = 280
export const MARK_LIMIT = 200
export const STOP_LIMIT = 32

/**
 * A question of a tour, made without code. Whoever answers is told `hint` after a wrong answer, '' for nothing in particular. A buffer is named by its
 * id, a choice by its place in `options`.
 */
export type MarkAsk = { question: string; hint: string } & (
  | { kind: 'number'; answer: number }
  | { kind: 'buffer'; answer: string }
  | { kind: 'choice'; options: string[]; answer: number }
)
export const CHOICES = { min: 2, max: 6 }

export interface Noted {
  step: number
  /** plain text, '' for none */
  note: string
  ask?: MarkAsk | undefined
}
/** of: the search whose step it is, as searchKey has it */
export interface Mark extends Noted {
  of: string
}
export interface Range {
  from: number
  to: number
}

export function inOrder(x: Mark, y: Mark): number {
  return x.of === y.of ? x.step - y.step : x.of < y.of ? -1 : 1
}

/** In order of search and step; at most one of a step. Those of other searches stay, unseen, until theirs is run again. */
export const marks = new Cell<readonly Mark[]>([])
export const range = new Cell<(Range & { of: string }) | null>(null)
export const looping = new Cell(true)

export function clearRange(): void {
  range.set(null)
}
export function setLooping(on: boolean): void {
  looping.set(on)
}

/** why playing stopped, or what a search for a stop found; '' for nothing to say */
export const stopped = new Cell('')

/** All that decides which steps a run takes; '' while there is none. A budget only decides how many. */
export const searchKey = derived(() => {
  const [opened, run] = [workbench.opened.get(), workbench.run.get()]
  if (opened === null || run.kind === 'idle') return ''
  const { solver, goal, capacity, seed, options } = run.config
  return JSON.stringify([opened.problem.digest, solver, goal ?? 'fit', capacity, seed, Object.entries(options).sort()])
})

const NONE: readonly Mark[] = []
export const shownMarks = derived(() => {
  const key = searchKey.get()
  const own = key === '' ? NONE : marks.get().filter((mark) => mark.of === key)
  return own.length === 0 ? NONE : own
})

export const shownRange = derived((): Range | null => {
  const now = range.get()
  return now !== null && now.of === searchKey.get() ? now : null
})
