/** How far the reader has come: kept in this browser, each answered step as an entry of its own. What cannot be read counts as nothing. */
import { Cell } from '../../base/cell'
import type { Lesson } from '../../lessons/lesson'
import { boxOf, KEYS } from '../../state/share/box'
import { Ledger, parsed } from '../../state/share/ledger'
import { lessonPlace, read } from '../../state/share/schema'

export interface Progress {
  /** steps whose question was answered, by lesson */
  answered: Readonly<Record<string, readonly number[]>>
  /** where the reader was last */
  last: { id: string; step: number } | null
}

const NOTHING: Progress = { answered: {}, last: null }

function entriesOf({ answered, last }: Progress): Map<string, string> {
  const steps = Object.entries(answered).flatMap(([id, steps]) =>
    steps.map((step) => [`answered ${step} ${id}`, 'true'] as const),
  )
  return new Map([...steps, ['last', JSON.stringify(last)]])
}

function progressOf(entries: ReadonlyMap<string, string>): Progress {
  const answered: Record<string, number[]> = {}
  for (const entry of entries.keys()) {
    const [, number, name] = /^answered (\d+) ([\s\S]*)$/.exec(entry) ?? []
    const place = read(lessonPlace, { id: name, step: Number(number) }, null)
    if (place === null) continue
    const { id, step } = place
    answered[id] = [...(answered[id] ?? []), step].sort((x, y) => x - y)
  }
  return { answered, last: read(lessonPlace, parsed(entries.get('last')), null) }
}

const box = boxOf('localStorage')
const ledger = box && new Ledger(box, KEYS.lessons)

export function restoreProgress(ledger: Ledger): Progress {
  const all = ledger.read()
  const kept = progressOf(all)
  ledger.learn(all, entriesOf(kept), () => true)
  return kept
}

export const progress = new Cell<Progress>(ledger === null ? NOTHING : restoreProgress(ledger))

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
