/** What a person leaves along a search: steps that are marked, with notes, a range to play within, and what playing stops at. */
import { Cell, derived } from '../../base/cell'
import { DoorError, NAME_LIMIT, record, text, whole } from '../share/validation'
import { workbench } from '../workbench_cells'

/** Characters of a note, marks and stops that are kept. */
export const NOTE_LIMIT = 280
export const MARK_LIMIT = 200
export const STOP_LIMIT = 32
/** Bytes of a buffer's id, which are at least as many as its characters. */
const ID_LIMIT = 255

/** Steps that stand for themselves: ids of events, and the backtracks that a solver calls major. */
export const STOP_STEPS = ['backtrack', 'major', 'restart', 'reject', 'skip'] as const

/** Buffers are named by their ids, rules and events by the core's: indices may differ in another version. */
export type StopWhat =
  | { what: 'placed' | 'tried' | 'undone'; buffer: string }
  | { what: 'deeper'; than: number }
  | { what: 'rule'; rule: string }
  | { what: 'section'; section: number }
  | { what: 'step'; event: (typeof STOP_STEPS)[number] }
export type Stop = StopWhat & { on: boolean }

export interface Noted {
  step: number
  /** plain text, '' for none */
  note: string
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

function list<T>(value: unknown, most: number, one: (entry: Record<string, unknown>) => T): T[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || value.length > most) throw new DoorError(`expected a list of at most ${most}`)
  return value.map((entry) => one(record(entry)))
}

/** Throws DoorError. Steps rise. */
export function parseNoted(value: unknown): Noted[] {
  let last = -1
  return list(value, MARK_LIMIT, ({ step, note }) => {
    const at = whole(step, 'a marked step')
    if (at <= last) throw new DoorError('the marked steps do not rise')
    last = at
    return { step: at, note: text(note, 'a note', NOTE_LIMIT) }
  })
}

/** Throws DoorError. Those of several searches, as they are kept. */
export function parseMarks(value: unknown): Mark[] {
  return list(value, MARK_LIMIT, ({ step, note, of }) => ({
    step: whole(step, 'a marked step'),
    note: text(note, 'a note', NOTE_LIMIT),
    of: text(of, 'a search', 2 ** 16),
  }))
}

function parseWhat(from: Record<string, unknown>): StopWhat {
  switch (from.what) {
    case 'placed':
    case 'tried':
    case 'undone':
      return { what: from.what, buffer: text(from.buffer, 'a buffer', ID_LIMIT) }
    case 'deeper':
      return { what: 'deeper', than: whole(from.than, 'a depth') }
    case 'rule':
      return { what: 'rule', rule: text(from.rule, 'a rule', NAME_LIMIT) }
    case 'section':
      return { what: 'section', section: whole(from.section, 'a section') }
    case 'step': {
      const event = STOP_STEPS.find((id) => id === from.event)
      if (event !== undefined) return { what: 'step', event }
    }
  }
  throw new DoorError('a stop is of an unknown kind')
}

/** Throws DoorError. */
export function parseStops(value: unknown): Stop[] {
  return list(value, STOP_LIMIT, (from) => ({ ...parseWhat(from), on: from.on !== false }))
}

/** Throws DoorError. */
export function parseRange(value: unknown): Range | null {
  if (value === undefined || value === null) return null
  const from = record(value)
  const read = { from: whole(from.from, 'the start of a range'), to: whole(from.to, 'the end of a range') }
  if (read.from >= read.to) throw new DoorError('a range ends before it begins')
  return read
}
