/** What is being edited: nothing of it is kept or shared. */
import { Atom } from '../base/atom'

/** the buffers' table takes input and the canvas shows grips */
export const editing = new Atom(false)
/** buffers that a command acts on together */
export const chosen = new Atom<ReadonlySet<number>>(new Set())
/** why the last edit was not made, '' if it was */
export const refused = new Atom('')
