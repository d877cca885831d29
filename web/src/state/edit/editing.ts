/** What is being edited: nothing of it is kept or shared. */
import { Cell, derived } from '../../base/cell'
import { notice } from '../atoms'
import { workbench } from '../workbench_cells'
import type { Opened, Source } from '../workbench_values'

export const TOO_LONG = 'Too long to be edited here'
/** Why there is no editing; '' where there is. */
export const uneditable = derived(() => {
  const now = workbench.opened.get()
  if (now?.text instanceof Blob) return TOO_LONG
  return now?.problem.tasks === undefined ? '' : 'Tiles are edited as text'
})
export const editable = derived(() => uneditable.get() === '')
/** the buffers' table takes input and the canvas shows grips */
export const editing = derived(() => workbench.editingAsked.get() && editable.get())
export const setEditing = (on: boolean) => workbench.editingAsked.set(on)

/** For what cannot be disabled: a key. */
export function toggleEditing(): void {
  if (editable.get()) setEditing(!editing.get())
  else notice.set({ tone: 'why', title: 'That did not work.', text: `${uneditable.get()}.` })
}
/** An edit of a drag is searched for: until it has its plan the canvas keeps the one before. */
export const dragSearched = new Cell(false)
/** buffers that a command acts on together */
export const chosen = new Cell<ReadonlySet<number>>(new Set())
/** why the last edit was not made, '' if it was */
export const refused = new Cell('')
export function choose(buffers: Iterable<number>): void {
  chosen.set(new Set(buffers))
}
export function setRefused(why: string): void {
  refused.set(why)
}

/** Edits that are being made, until the text has them; null: none. What opens another problem waits for them. */
export const underWay = new Cell<Promise<unknown> | null>(null)
/** Puts what is typed into the open cell into its file; null: no cell is open. */
export const typing = new Cell<(() => void) | null>(null)
/** The file as it is with what is typed into the open cell, null if that is no value: for whom there is no time to read it. */
export const typed = new Cell<(() => { source: Extract<Source, { kind: 'text' }>; text: string } | null) | null>(null)

/** For a cell that is opened; returns the way out. */
export function typeInto(settle: () => void, file: NonNullable<ReturnType<typeof typed.get>>): () => void {
  typing.set(settle)
  typed.set(file)
  return () => {
    if (typing.get() === settle) typing.set(null)
    if (typed.get() === file) typed.set(null)
  }
}

/** An example is a text of one's own once it is edited, and still the same file. */
const editedFrom = new WeakMap<Source, Source>()

export function isEditOf(made: Source, source: Source): void {
  if (made !== source) editedFrom.set(made, fileOf(source))
}

/** Stands for a file over all edits of it: another one that is opened has another, even under the same name. */
export const fileOf = (source: Source): Source => editedFrom.get(source) ?? source

/** Index in `now` of a buffer of `seen`; -1: it is no longer there, or `now` is another file. O(buffers). */
export function rowIn(now: Opened | null, seen: Opened, buffer: number): number {
  const id = seen.problem.ids.at(buffer)
  if (id === undefined || now === null || fileOf(now.source) !== fileOf(seen.source)) return -1
  if (now === seen) return buffer
  const same = now.problem.ids.indexOf(id)
  // it may have another id since
  return same >= 0 || now.problem.count !== seen.problem.count ? same : buffer
}
