/** Walking what was said along a search, and its questions as lessons ask them. */
import type { Ask } from '../../lessons/lesson'
import { type MarkAsk, type Noted, searchKey, shownMarks } from '../../state/marks/marks'
import { message, stationsOf, tour } from '../../state/marks/tour'
import type { Shared } from '../../state/share/schema'
import { workbench } from '../../state/workbench_cells'
import type { Session } from '../session'

function begin(text: string, step: number, marks: readonly Noted[]): boolean {
  const on = workbench.opened.get()
  const stations = stationsOf(text, step, marks)
  tour.set(on === null || stations.length === 0 ? null : { on, of: searchKey.get(), stations, at: 0 })
  return stations.length > 0
}

/** What came with a link; nothing moves. What is said of a comparison is said of no step. */
export function beginTour({
  message,
  step,
  marks,
  compare,
}: Pick<Shared, 'message' | 'step' | 'marks' | 'compare'>): void {
  begin(message, searchKey.get() === '' || compare !== null ? -1 : step, marks)
}

/** As whoever opens the link will see it. */
export function previewTour(session: Session): void {
  if (begin(message.get(), workbench.cursor.get(), shownMarks.get())) walk(session, 0)
}

/** To the station `by` further on, and to its step, which is in the search even if a comparison is looked at. */
export function walk(session: Session, by: number): void {
  const now = tour.get()
  if (now === null) return
  const at = Math.min(now.stations.length - 1, Math.max(0, now.at + by))
  tour.set({ ...now, at })
  const step = now.stations[at]?.step ?? -1
  if (step < 0 || now.of === '' || now.of !== searchKey.get()) return
  workbench.mode.set('search')
  session.player.seek(step)
}

export function endTour(): void {
  tour.set(null)
}

/** A question without code as lessons have them. */
export function askOf(asked: MarkAsk): Ask {
  const { question } = asked
  const hint = () => asked.hint || 'Look once more.'
  const right = 'That is it.'
  switch (asked.kind) {
    case 'number':
      return { kind: 'number', question, right, label: 'Your answer', answer: () => asked.answer, hint }
    case 'buffer':
      return {
        kind: 'buffer',
        question,
        right,
        hint,
        answers: ({ problem }) => [problem.ids.indexOf(asked.answer)].filter((buffer) => buffer >= 0),
      }
    default: {
      const options = asked.options.map((text, k) => ({ text, reply: k === asked.answer ? right : hint() }))
      return { kind: 'choice', question, options, answer: () => asked.answer }
    }
  }
}
