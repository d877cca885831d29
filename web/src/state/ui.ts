/** How the page looks at what it knows: nothing here changes a run. */
import type { Theme, Viewport } from '../layout/scene'
import { Cell, derived } from '../base/cell'
import { type Panel, PANELS, type Panels, type Side } from './page/panel_widths'

export type Tab = 'step' | 'tree' | 'stats' | 'buffers' | 'model' | 'graph' | 'tiles'
export type ThemeChoice = Theme | 'system'
export type Dialog =
  | 'none'
  | 'lessons'
  | 'papers'
  | 'help'
  | 'share'
  | 'random'
  | 'formats'
  | 'profiles'
  | 'chips'
  | 'zoo'
  | 'lowerings'
  | 'figure'
  | 'film'
  | 'palette'
  | 'race-column'
export type Width = 'phone' | 'narrow' | 'medium' | 'wide'

/** the page stands inside of another; settled when it begins */
export const embedded = new Cell(false)

/** the first view is complete, or was waited for long enough: from here on nothing moves by itself */
export const arrived = new Cell(false)

/** the first page of a first visit has not been left: what is compared is its race */
export const welcome = new Cell(false)

/** Keys that the mode takes before the page does; true: it took this one. null: the page has them all. */
export const modeKeys = new Cell<((name: string) => boolean) | null>(null)
export function setModeKeys(takes: ((name: string) => boolean) | null): void {
  modeKeys.set(takes)
}
export const tab = new Cell<Tab>('step')
/** the panels beside the canvas */
export const panels = new Cell<Panels>(PANELS)
export function setPanel(side: Side, panel: Partial<Panel>): void {
  panels.update((now) => ({ ...now, [side]: { ...now[side], ...panel } }))
}
export const sheet = new Cell<'peek' | 'half' | 'full'>('half')
export const dialog = new Cell<Dialog>('none')
/** the lesson that has the page, with its step from 0; null: none */
export const lesson = new Cell<{ id: string; step: number } | null>(null)
/** ids of the commands that were chosen in the palette, newest first */
export const recent = new Cell<readonly string[]>([])
/** plain single keys act */
export const singleKeys = new Cell(true)

export const themeChoice = new Cell<ThemeChoice>('system')
export const systemTheme = new Cell<Theme>('dark')
export const theme = derived(() => {
  const choice = themeChoice.get()
  return choice === 'system' ? systemTheme.get() : choice
})
/** something that could be dropped is above the page */
export const droppable = new Cell(false)
/** canvas, sentence and search have the screen */
export const presenting = new Cell(false)
export function present(on: boolean): void {
  presenting.set(on)
}
export const reducedMotion = new Cell(false)
export const width = new Cell<Width>('wide')

/** what the canvas shows, null while there is none */
export const viewport = new Cell<Viewport | null>(null)
/** that is everything there is to see */
export const viewportWhole = new Cell(true)
/** Of the canvas, whenever it shows something else. */
export function setViewport(shown: Viewport | null): void {
  viewport.set(shown)
}
export function setViewportWhole(whole: boolean): void {
  viewportWhole.set(whole)
}
/** what the canvas is to show as soon as it can, null: nothing was asked for */
export const askedViewport = new Cell<Viewport | null>(null)
/** For the canvas, once it can show it: nothing is asked for any more. */
export function takeAskedViewport(): Viewport | null {
  const asked = askedViewport.get()
  if (asked !== null) askedViewport.set(null)
  return asked
}
/** ids of the form's fields whose text is no value: nothing runs while there is one */
export const misfilled = new Cell<readonly string[]>([])
export function setMisfilled(id: string, bad: boolean): void {
  if (misfilled.get().includes(id) === bad) return
  misfilled.update((ids) => (bad ? [...ids, id] : ids.filter((other) => other !== id)))
}
/** counts the requests to type into the filter */
export const finding = new Cell(0)
