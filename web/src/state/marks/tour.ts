/** What whoever shared a search says along it: a message and the notes and questions of marks, walked one after the other. */
import { Cell, derived } from '../../base/cell'
import type { Opened } from '../workbench_values'
import { workbench } from '../workbench_cells'
import { type MarkAsk, type Noted, searchKey } from './marks'

export interface Station {
  /** -1: nothing was run */
  step: number
  /** plain text, '' where there is a question alone */
  text: string
  ask?: MarkAsk | undefined
}

export interface Tour {
  on: Opened
  /** the search whose steps they are, as searchKey has it; '': nothing was run */
  of: string
  stations: readonly Station[]
  at: number
}

export const tour = new Cell<Tour | null>(null)

/** While its search is the one shown. */
export const shownTour = derived(() => {
  const now = tour.get()
  const here = now !== null && now.on === workbench.opened.get() && (now.of === '' || now.of === searchKey.get())
  return here ? now : null
})

/** What is said of the problem that is open with the next link; it goes with the problem. */
const saying = new Cell<{ on: Opened | null; text: string }>({ on: null, text: '' })
export const message = derived(() => (saying.get().on === workbench.opened.get() ? saying.get().text : ''))
export const setMessage = (text: string): void => saying.set({ on: workbench.opened.get(), text })

/** Those that say or ask something, behind the message. */
export function stationsOf(message: string, step: number, marks: readonly Noted[]): Station[] {
  const told = marks.filter(({ note, ask }) => note !== '' || ask !== undefined)
  const rest = told.map(({ step, note, ask }): Station => ({ step, text: note, ask }))
  return message === '' ? rest : [{ step, text: message }, ...rest]
}
