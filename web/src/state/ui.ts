/** How the page looks at what it knows: nothing here changes a run. */
import type { ColourMode, Theme, Viewport } from '../layout/scene'
import { Atom, Derived } from '../base/atom'
import { type Panel, PANELS, type Panels, type Side } from './page/panel_widths'

export type Tab = 'step' | 'tree' | 'stats' | 'buffers' | 'model' | 'graph'
export type ThemeChoice = Theme | 'system'
export type Dialog =
  | 'none'
  | 'lessons'
  | 'help'
  | 'share'
  | 'random'
  | 'profiles'
  | 'zoo'
  | 'versus'
  | 'figure'
  | 'film'
  | 'palette'
  | 'lane'
/** What the page is for now: one search, or several side by side. */
export type Mode = 'search' | 'compare'
export type Width = 'phone' | 'narrow' | 'medium' | 'wide'

/** the page stands inside of another; settled when it begins */
export const embedded = new Atom(false)

/** the first view is complete, or was waited for long enough: from here on nothing moves by itself */
export const arrived = new Atom(false)

export const mode = new Atom<Mode>('search')
/** Keys that the mode takes before the page does; true: it took this one. null: the page has them all. */
export const modeKeys = new Atom<((name: string) => boolean) | null>(null)
export const tab = new Atom<Tab>('step')
/** the left panel is open: a drawer from 600 to 1279, the Setup tab below 600 */
export const setupOpen = new Atom(false)
/** the panels beside the canvas */
export const panels = new Atom<Panels>(PANELS)
export function setPanel(side: Side, panel: Partial<Panel>): void {
  panels.update((now) => ({ ...now, [side]: { ...now[side], ...panel } }))
}
export const sheet = new Atom<'peek' | 'half' | 'full'>('half')
export const dialog = new Atom<Dialog>('none')
/** the newcomer's hint over the canvas */
export const hintShown = new Atom(false)
/** the lesson that has the page, with its step from 0; null: none */
export const lesson = new Atom<{ id: string; step: number } | null>(null)
/** what the example is there to show, '' for none */
export const caption = new Atom('')
/** ids of the commands that were chosen in the palette, newest first */
export const recent = new Atom<readonly string[]>([])
/** plain single keys act */
export const singleKeys = new Atom(true)

export const themeChoice = new Atom<ThemeChoice>('system')
export const systemTheme = new Atom<Theme>('dark')
export const theme = new Derived([themeChoice, systemTheme], (choice, system) =>
  choice === 'system' ? system : choice,
)
export const reducedMotion = new Atom(false)
export const width = new Atom<Width>('wide')

/** null: by the number of buffers */
export const colourChoice = new Atom<ColourMode | null>(null)
/** pinned buffer or -1 */
export const pinned = new Atom(-1)
export const NOTHING_LIT: { buffers: number[]; section: number; inputs: number[] } = {
  buffers: [],
  section: -1,
  inputs: [],
}
/** lit from a panel while the pointer or the focus is on its name */
export const lit = new Atom(NOTHING_LIT)
export const hovered = new Atom<{ buffer: number; x: number; y: number } | null>(null)
/** what the canvas shows, null while there is none */
export const viewport = new Atom<Viewport | null>(null)
/** that is everything there is to see */
export const viewportWhole = new Atom(true)
/** what the canvas is to show as soon as it can, null: nothing was asked for */
export const askedViewport = new Atom<Viewport | null>(null)
/** operator under the pointer, on its strip or in the graph */
export const hoveredOp = new Atom<{ op: number; x: number; y: number } | null>(null)
/** the operator that was chosen to be looked at, or -1 */
export const pickedOp = new Atom(-1)
/** whose plan the canvas shows: the search's, or the one that the file brought along */
export const planShownFrom = new Atom<'search' | 'file'>('search')
/** ids of the form's fields whose text is no value: nothing runs while there is one */
export const misfilled = new Atom<readonly string[]>([])
/** text of the buffer filter */
export const filter = new Atom('')
/** counts the wishes to type into the filter */
export const finding = new Atom(0)
