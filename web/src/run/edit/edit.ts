/** Edits of the problem. Each is a change of its text, which the core then reads like any other; what is looked at stays. */
import { type Change, edit } from '../../state/edit/edit_csv'
import { fileOf, isEditOf, rowIn, typing, underWay } from '../../state/edit/editing'
import { moved } from '../../state/edit/history'
import { leaveLesson } from '../../state/lesson/lesson_workbench'
import { changeAndRunAgain } from '../problem/rerun_if_quick'
import { fitTiles } from '../problem/tile_settings'
import { resetAddress } from '../page/reset_address'
import type { Session } from '../session'
import { headFor, history, stateOf } from './undo_history'
import { workbench } from '../../state/workbench_cells'
import { type Given, type Opened, type Source, nameOf } from '../../state/workbench_values'

/** One after the other: a change is made to what the one before has left. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const mine = (underWay.get() ?? Promise.resolve()).then(work)
  const done = mine
    .catch(() => {})
    .then(() => {
      if (underWay.get() === done) underWay.set(null)
    })
  underWay.set(done)
  return mine
}

/** Index in the problem as it is now of the buffer that was pinned. */
function pinnedAgain(before: Opened | null, pinned: number): number {
  const problem = workbench.opened.get()?.problem
  if (problem === undefined || before === null || pinned < 0) return -1
  const id = before.problem.ids.at(pinned) ?? ''
  const same = problem.ids.indexOf(id)
  return same >= 0 || problem.count !== before.problem.count ? same : pinned
}

const OTHER = 'Something else was opened meanwhile.'

/** Opens a text in place of the problem. '' or why not; what is looked at and what is being typed stay. */
async function replace(session: Session, text: Given, source: Source, capacity: number | null): Promise<string> {
  const before = workbench.opened.get()
  const tight = before !== null && workbench.capacity.get() === before.problem.lowerBound
  const kept = { mistakes: workbench.mistakes.get(), aside: workbench.aside.get(), capacity: workbench.capacity.get() }
  const looked = { pinned: workbench.pinned.get(), filter: workbench.filter.get() }
  let why = ''
  let mine = 0
  const open = () => {
    const answer = session.read(text, source, nameOf(source), undefined, ({ errors }) => {
      const [first] = errors
      why = first === undefined ? 'The problem was refused.' : `${first.field} ${first.message}`
    })
    mine = session.asked
    return answer
  }
  const opened = await changeAndRunAgain(session, async () => {
    if (!(await open())) return false
    resetAddress()
    workbench.mistakes.set(kept.mistakes)
    workbench.aside.set(kept.aside)
    workbench.filter.set(looked.filter)
    workbench.pinned.set(pinnedAgain(before, looked.pinned))
    if (capacity !== null) workbench.capacity.set(capacity)
    else if (!tight && before !== null) workbench.capacity.set(kept.capacity)
    fitTiles(session)
    return true
  })
  if (opened || why !== '') return why
  return mine === session.asked ? 'This was not read to the end. Nothing was changed.' : OTHER
}

type TextSource = Extract<Source, { kind: 'text' }>

/** What was an example is a text of one's own once it is changed. */
function sourceAfter(source: Source): Source {
  if (source.kind !== 'example') return source
  const made: TextSource = { kind: 'text', name: source.file.replace(/(\.csv)?$/i, '-edited.csv') }
  isEditOf(made, source)
  return made
}

/** The same change of what the edits before it have left, or why there is none. */
function changeIn(now: Opened, seen: Opened, wanted: Change): Change | string {
  if (fileOf(now.source) !== fileOf(seen.source)) return OTHER
  const rows = 'buffers' in wanted ? wanted.buffers : 'buffer' in wanted ? [wanted.buffer] : []
  const buffers = rows.map((row) => rowIn(now, seen, row))
  const gone = rows[buffers.indexOf(-1)]
  if (wanted.kind === 'delete') return { ...wanted, buffers: buffers.filter((row) => row >= 0) }
  const id = gone === undefined ? undefined : seen.problem.ids.at(gone)
  if (gone !== undefined) return `${id === undefined ? 'The buffer' : `“${id}”`} is no longer there.`
  if (wanted.kind === 'set') return { ...wanted, buffer: buffers[0] ?? 0 }
  return wanted.kind === 'add' ? wanted : { ...wanted, buffers }
}

/** Of the buffers as they were seen when it was asked for. '' or why the change was not made. */
export function change(session: Session, asked: Change, seen: Opened | null = workbench.opened.get()): Promise<string> {
  return inTurn(async () => {
    const now = workbench.opened.get()
    if (leaveLesson.get() !== null) return 'A lesson keeps its problem: open it in the workbench to edit it.'
    if (now === null || now.source.kind === 'model') return 'There are no buffers to edit.'
    if (now.problem.tasks !== undefined) return 'Tiles are edited as text: open the editor.'
    const wanted = seen === null ? OTHER : changeIn(now, seen, asked)
    if (typeof wanted === 'string') return wanted
    const all = now.problem.count
    if (wanted.kind === 'delete' && new Set(wanted.buffers).size >= all) return 'A problem has at least one buffer.'
    if (typeof now.text !== 'string') return 'This problem is too long to be edited here.'
    const text = edit(now.text, wanted)
    return text === now.text ? '' : replace(session, text, sourceAfter(now.source), null)
  })
}

/** What a change of a buffer will make of its file, if that is a text. */
export function fileAfter(now: Opened, wanted: Change): { source: TextSource; text: string } | null {
  const source = sourceAfter(now.source)
  return source.kind === 'text' && typeof now.text === 'string' ? { source, text: edit(now.text, wanted) } : null
}

/** A model's buffers as a problem of their own, which can be edited; the way back to the model is Undo. */
export function editAsBuffers(session: Session): Promise<string> {
  return inTurn(async () => {
    const now = workbench.opened.get()
    if (now?.model === undefined) return ''
    const name = `${nameOf(now.source).replace(/\.(csv|json|onnx|tflite)$/i, '')}-buffers.csv`
    return replace(session, now.model.csv, { kind: 'text', name }, workbench.capacity.get())
  })
}

/** One edit back, or on. False if there is none, or if something else came in between. */
export function travel(session: Session, by: -1 | 1): Promise<boolean> {
  typing.get()?.()
  return inTurn(async () => {
    const line = history.get()
    const left = stateOf(workbench.opened.get(), workbench.capacity.get())
    const to = leaveLesson.get() === null ? moved(line, by, left) : null
    if (to === null) return false
    headFor(to)
    const { now } = to
    if (now === null) await session.clear()
    const why = now === null ? '' : await replace(session, now.text, now.source, now.capacity)
    headFor(null)
    return why === ''
  })
}
