/**
 * Undo: every text or graph that was open since the visit began, edited, pasted, generated or lowered in another way. It is watched from
 * the first view on, long before the buttons and the edits that use it have come: nothing that was replaced meanwhile is lost.
 */
import { Cell } from '../../base/cell'
import { type History, record } from '../../state/edit/history'
import { own } from '../../state/workbench_cells'
import { type Given, isPacked, type Source, type Opened } from '../../state/workbench_values'

/** null: no problem */
export type State = { source: Source; text: Given; capacity: number } | null

export function stateOf(opened: Opened | null, capacity: number): State {
  return opened === null ? null : { source: opened.source, text: opened.text, capacity }
}

/** A blob lies outside of the page's memory, and may lie on a disk. */
const BLOB_SHARE = 1 / 8

function weight(state: State): number {
  const text = state?.text ?? ''
  if (isPacked(text)) return text.numbers.byteLength + text.words.byteLength + text.text.byteLength
  return typeof text === 'string' ? text.length : text.size * BLOB_SHARE
}

export const history = new Cell<History<State>>({ past: [], now: null, future: [] })

/** Where an undo or a redo is on its way to. */
let heading: History<State> | null = null

/** null: nowhere any more. */
export function headFor(line: History<State> | null): void {
  heading = line
}

/** While a drag goes on: the line and the capacity as they were before, to which what it comes to is one state. */
let held: History<State> | null = null
let heldCapacity = 0

export function holdUndo(on: boolean): void {
  held = on ? history.get() : null
  heldCapacity = own.capacity.get()
}

/** The capacity of a problem that was just opened is set after it: what is left behind still has its own. */
function remember(): void {
  const opened = own.opened.get()
  const line = held ?? history.get()
  if ((opened?.text ?? null) === (line.now?.text ?? null) && opened?.source === line.now?.source) {
    history.set(line)
    return
  }
  const capacity = own.capacity.get()
  const left = line.now && { ...line.now, capacity: held ? heldCapacity : capacity }
  const arrived = heading
  heading = null
  const reached = arrived !== null && (arrived.now?.text ?? null) === (opened?.text ?? null)
  history.set(reached ? arrived : record(line, left, stateOf(opened, capacity), weight))
}

/** From now on; returns the way out. */
export function watch(): () => void {
  history.set({ past: [], now: stateOf(own.opened.get(), own.capacity.get()), future: [] })
  return own.opened.subscribe(remember)
}
