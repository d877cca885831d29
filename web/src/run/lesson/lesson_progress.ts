/** How far the reader has come: kept in this browser, each answered step as an entry of its own. What cannot be read counts as nothing. */
import { Cell } from '../../base/cell'
import type { Lesson } from '../../lessons/lesson'
import { type Box, boxOf } from '../../state/share/box'
import { Ledger, parsed } from '../../state/share/ledger'

const PREFIX = 'arenascope.lessons.v2 '
/** Of all that earlier versions kept. */
const OLD_KEY = 'arenascope.lessons.v1'
/** More steps than any lesson has. */
const MOST = 100

export interface Progress {
  /** steps whose question was answered, by lesson */
  answered: Readonly<Record<string, readonly number[]>>
  /** where the reader was last */
  last: { id: string; step: number } | null
}

const NOTHING: Progress = { answered: {}, last: null }

function isStep(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < MOST
}

function placeOf(value: unknown): Progress['last'] {
  if (typeof value !== 'object' || value === null) return null
  const { id, step } = value as Record<string, unknown>
  return typeof id === 'string' && isStep(step) ? { id, step } : null
}

function oldProgress(box: Box): Progress {
  const value = parsed(box.getItem(OLD_KEY))
  if (typeof value !== 'object' || value === null) return NOTHING
  const { answered, last } = value as Record<string, unknown>
  const lists = typeof answered === 'object' && answered !== null ? Object.entries(answered) : []
  const read = lists.flatMap(([id, steps]) => (Array.isArray(steps) ? [[id, steps.filter(isStep)] as const] : []))
  return { answered: Object.fromEntries(read), last: placeOf(last) }
}

function entriesOf({ answered, last }: Progress): Map<string, string> {
  const steps = Object.entries(answered).flatMap(([id, steps]) =>
    steps.map((step) => [`answered ${step} ${id}`, 'true'] as const),
  )
  return new Map([...steps, ['last', JSON.stringify(last)]])
}

function progressOf(entries: ReadonlyMap<string, string>): Progress {
  const answered: Record<string, number[]> = {}
  for (const entry of entries.keys()) {
    const [, step, id = ''] = /^answered (\d+) ([\s\S]*)$/.exec(entry) ?? []
    if (step === undefined || !isStep(Number(step))) continue
    answered[id] = [...(answered[id] ?? []), Number(step)].sort((x, y) => x - y)
  }
  return { answered, last: placeOf(parsed(entries.get('last'))) }
}

const box = boxOf('localStorage')
const ledger = box && new Ledger(box, PREFIX)

/** What earlier versions kept is moved over. */
export function restoreProgress(box: Box, ledger = new Ledger(box, PREFIX)): Progress {
  try {
    const old = entriesOf(oldProgress(box))
    const now = ledger.read()
    if (box.getItem(OLD_KEY) !== null) {
      const refused = ledger.write(new Map([...old].filter(([entry]) => !now.has(entry))))
      if (refused.length === 0) box.removeItem(OLD_KEY)
    }
    const all = ledger.read()
    const kept = progressOf(all)
    ledger.learn(all, entriesOf(kept), () => true)
    return kept
  } catch {
    return NOTHING
  }
}

export const progress = new Cell<Progress>(box === null || ledger === null ? NOTHING : restoreProgress(box, ledger))

// what another tab has answered; where the reader was last stays each tab's own
if (box !== null && ledger !== null)
  window.addEventListener('storage', ({ storageArea, key }) => {
    if (storageArea !== box) return
    // the whole storage was emptied: what is known here is written again with the next step
    if (key === null) ledger.learn(new Map(), new Map(), () => true)
    if (key === null || ledger.entry(key) === null) return
    const all = ledger.read()
    const { answered } = progressOf(all)
    progress.set({ answered, last: progress.get().last })
    ledger.learn(all, entriesOf(progress.get()), (entry) => entry !== 'last')
  })

function keep(next: Progress): void {
  progress.set(next)
  // what is refused is known for as long as the page is open
  ledger?.write(entriesOf(next))
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

/** Steps of a lesson whose question has no answer yet. */
export function openQuestions(lesson: Lesson, { answered }: Progress): number[] {
  const done = answered[lesson.id] ?? []
  return lesson.steps.flatMap((step, at) => (step.ask === undefined || done.includes(at) ? [] : [at]))
}

export const finished = (lesson: Lesson, known: Progress): boolean => openQuestions(lesson, known).length === 0

/** Where to go on: where the reader was last, or the first lesson with open questions from there on, or of all; null: there is none. */
export function goOn(lessons: readonly Lesson[], known: Progress): { lesson: Lesson; step: number } | null {
  const at = lessons.findIndex(({ id }) => id === known.last?.id)
  const last = lessons[at]
  if (last !== undefined && !finished(last, known)) return { lesson: last, step: known.last?.step ?? 0 }
  const ahead = [...lessons.slice(at + 1), ...lessons.slice(0, Math.max(0, at))]
  const lesson = ahead.find((one) => !finished(one, known))
  return at < 0 || lesson === undefined ? null : { lesson, step: openQuestions(lesson, known)[0] ?? 0 }
}
