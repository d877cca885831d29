/** Marking steps, ranges and stops. What is written here stays a plain text wherever it goes. */
import * as a from '../../state/atoms'
import { steps } from '../../state/workbench'
import * as m from '../../state/marks/marks'
import { workbench } from '../../state/workbench_cells'

/** As much of a note as is kept, on one line. */
function tidy(note: string): string {
  return note.replace(/\s+/g, ' ').trim().slice(0, m.NOTE_LIMIT)
}

/** Marks the step shown; one that is marked stays as it is. False if there is no search, or no room for a further mark. */
export function markHere(): boolean {
  const of = m.searchKey.get()
  const step = workbench.cursor.get()
  if (of === '' || workbench.run.get().kind === 'running') return false
  if (m.shownMarks.get().some((mark) => mark.step === step)) return true
  if (m.marks.get().length >= m.MARK_LIMIT) {
    const text = `There are ${m.MARK_LIMIT} marks, over all searches. Delete one to make room.`
    a.notice.set({ tone: 'plain', title: 'No further mark.', text })
    return false
  }
  m.marks.update((marks) => [...marks, { step, note: '', of }].sort(m.inOrder))
  return true
}

/** The key: a mark, and on a marked step none. One with a note is only deleted in the list. */
export function toggleMark(): void {
  const here = m.shownMarks.get().find((mark) => mark.step === workbench.cursor.get())
  if (here === undefined) markHere()
  else if (here.note === '' && here.ask === undefined) removeMark(here)
  else workbench.watchOpen.set(true)
}

export function removeMark(mark: m.Mark): void {
  m.marks.update((marks) => marks.filter((other) => other !== mark))
}

export function noteMark(mark: m.Mark, note: string): void {
  m.marks.update((marks) => marks.map((other) => (other === mark ? { ...mark, note: tidy(note) } : other)))
}

/** The question that a tour asks at a mark; undefined: none. */
export function askAt(mark: m.Mark, ask: m.MarkAsk | undefined): void {
  const { step, note, of } = mark
  const next: m.Mark = ask === undefined ? { step, note, of } : { step, note, of, ask }
  m.marks.update((marks) => marks.map((other) => (other === mark ? next : other)))
}

/** Within the steps that there are; two ends on one step are no range. */
export function setRange(from: number, to: number): void {
  const within = (step: number) => Math.min(steps.get(), Math.max(0, Math.round(step)))
  const [first, last] = [within(Math.min(from, to)), within(Math.max(from, to))]
  const of = m.searchKey.get()
  if (of === '') return
  m.range.set(first < last ? { from: first, to: last, of } : null)
}

/** Same thing asked, whether on or off. */
export function sameStop(x: m.StopWhat, y: m.StopWhat): boolean {
  const plain = (stop: m.StopWhat) => JSON.stringify(Object.entries({ ...stop, on: true }).sort())
  return plain(x) === plain(y)
}

/** One that is there already is switched on. False if there is no room. */
export function addStop(what: m.StopWhat): boolean {
  const now = workbench.stops.get()
  if (now.some((stop) => sameStop(stop, what))) {
    workbench.stops.set(now.map((stop) => (sameStop(stop, what) ? { ...stop, on: true } : stop)))
    return true
  }
  if (now.length >= m.STOP_LIMIT) return false
  workbench.stops.set([...now, { ...what, on: true }])
  return true
}

export function removeStop(stop: m.Stop): void {
  workbench.stops.update((stops) => stops.filter((other) => other !== stop))
}

export function switchStop(stop: m.Stop, on: boolean): void {
  workbench.stops.update((stops) => stops.map((other) => (other === stop ? { ...stop, on } : other)))
}

/** Both notes of a step that was marked here and in what was shared. */
function joined(own: string, theirs: string): string {
  return own === theirs || theirs === '' ? own : own === '' ? theirs : tidy(`${own} / ${theirs}`)
}

/** What came with a link, beside what is here already; of the search that has just been run. */
export function adoptAlong(shared: { marks: m.Noted[]; stops: m.Stop[]; range: m.Range | null }): void {
  const of = m.searchKey.get()
  if (of === '') return
  const own = m.marks.get()
  const others = own.filter((mark) => mark.of !== of)
  const here = new Map(own.filter((mark) => mark.of === of).map((mark) => [mark.step, mark]))
  for (const { step, note, ask } of shared.marks) {
    const before = here.get(step)
    const asked = before?.ask ?? ask
    const both = joined(before?.note ?? '', tidy(note))
    here.set(step, { step, note: both, of, ...(asked && { ask: asked }) })
  }
  const merged = [...here.values()]
  // what was shared is kept before marks of other searches are
  m.marks.set([...others.slice(0, Math.max(0, m.MARK_LIMIT - merged.length)), ...merged].sort(m.inOrder))
  for (const stop of shared.stops)
    if (!workbench.stops.get().some((mine) => sameStop(mine, stop)) && workbench.stops.get().length < m.STOP_LIMIT)
      workbench.stops.set([...workbench.stops.get(), stop])
  if (shared.range !== null) m.range.set({ ...shared.range, of })
}
