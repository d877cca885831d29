/** How far the reader has come: kept in this browser, one entry with a version. What cannot be read counts as nothing. */
import { Atom } from '../base/atom'

const KEY = 'arenascope.lessons.v1'
/** More steps than any lesson has. */
const MOST = 100

export interface Progress {
  /** steps whose question was answered, by lesson */
  answered: Readonly<Record<string, readonly number[]>>
  /** where the reader was last */
  last: { id: string; step: number } | null
}

type Box = Pick<Storage, 'getItem' | 'setItem'>

const NOTHING: Progress = { answered: {}, last: null }

function isStep(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < MOST
}

function placeOf(value: unknown): Progress['last'] {
  if (typeof value !== 'object' || value === null) return null
  const { id, step } = value as Record<string, unknown>
  return typeof id === 'string' && isStep(step) ? { id, step } : null
}

export function restoreProgress(box: Box): Progress {
  try {
    const value: unknown = JSON.parse(box.getItem(KEY) ?? 'null')
    if (typeof value !== 'object' || value === null) return NOTHING
    const { answered, last } = value as Record<string, unknown>
    const lists = typeof answered === 'object' && answered !== null ? Object.entries(answered) : []
    const read = lists.flatMap(([id, steps]) => (Array.isArray(steps) ? [[id, steps.filter(isStep)] as const] : []))
    return { answered: Object.fromEntries(read), last: placeOf(last) }
  } catch {
    return NOTHING
  }
}

/** The storage itself may be forbidden, and it may be full: lived with. */
function box(): Storage | null {
  try {
    return window.localStorage
  } catch {
    return null
  }
}

const first = typeof window === 'undefined' ? null : box()
export const progress = new Atom<Progress>(first === null ? NOTHING : restoreProgress(first))

function keep(next: Progress): void {
  progress.set(next)
  try {
    box()?.setItem(KEY, JSON.stringify(next))
  } catch {
    // it is known for as long as the page is open
  }
}

export function reached(id: string, step: number): void {
  keep({ ...progress.get(), last: { id, step } })
}

export function answered(id: string, step: number): void {
  const now = progress.get()
  const before = now.answered[id] ?? []
  if (before.includes(step)) return
  keep({ ...now, answered: { ...now.answered, [id]: [...before, step].sort((x, y) => x - y) } })
}
