/** What is being edited: nothing of it is kept or shared. */
import { Atom, Derived } from '../base/atom'
import { notice, opened } from './atoms'

/** Kept from one problem to the next, even past one that cannot be edited. */
export const wish = new Atom(false)
/** Its text is not too long for that. */
export const editable = new Derived([opened], (opened) => opened === null || typeof opened.text === 'string')
/** the buffers' table takes input and the canvas shows grips */
export const editing = new Derived([wish, editable], (wish, can) => wish && can)
export const setEditing = (on: boolean) => wish.set(on)
/** Why there is no editing, where what is open is not editable. */
export const TOO_LONG = 'Too long to be edited here'

/** For what cannot be disabled: a key. */
export function toggleEditing(): void {
  if (editable.get()) setEditing(!editing.get())
  else notice.set({ tone: 'why', title: 'That did not work.', text: `${TOO_LONG}.` })
}
/** buffers that a command acts on together */
export const chosen = new Atom<ReadonlySet<number>>(new Set())
/** why the last edit was not made, '' if it was */
export const refused = new Atom('')
