/**
 * The stored cells of a workbench: one problem with its settings, the run, the step shown, and what is selected of them. Only state/ and
 * run/ write them; panels read them in workbench.ts, beside what follows from them.
 */
import type { Frame, Goal } from '../../../wasm/client/types'
import { Cell, following, type Writable } from '../base/cell'
import type { ColourMode } from '../layout/scene'
import type { Stop } from './marks/stop'
import type { Profile } from './profile/profile'
import {
  type Aside,
  BUDGET_DEFAULT,
  type Draft,
  type Lit,
  type Mistakes,
  type Mode,
  NOTHING_LIT,
  type Opened,
  type RunState,
  type Verdict,
  type WhyState,
} from './workbench_values'

/** A run as it is shown; a column of a race has these alone. */
export function runCells() {
  return {
    run: new Cell<RunState>({ kind: 'idle' }),
    /** the step asked for; frame follows it as soon as the worker has answered */
    cursor: new Cell(0),
    frame: new Cell<Frame | null>(null),
  }
}

/** Settings of the next run. */
function settingCells() {
  return {
    capacity: new Cell(0),
    /** '': the first of the manifest */
    solver: new Cell(''),
    /** of solvers that can be asked for it; the others are asked to fit */
    goal: new Cell<Goal>('fit'),
    /** changed options by solver; what is not here has its default */
    options: new Cell<Record<string, Record<string, string>>>({}),
    seed: new Cell(1),
    /** steps, 0: none */
    budget: new Cell(BUDGET_DEFAULT),
    /** what playing stops at */
    stops: new Cell<readonly Stop[]>([]),
    /** hindsight asks again wherever the search is looked at */
    following: new Cell(false),
  }
}

/** What is selected, and how the problem and its run are looked at. */
function lookCells() {
  return {
    mode: new Cell<Mode>('search'),
    /** the left panel is open: a drawer from 600 to 1279, the Setup tab below 600 */
    setupOpen: new Cell(false),
    /** the newcomer's hint over the canvas */
    hintShown: new Cell(false),
    /** what the example is there to show, '' for none */
    caption: new Cell(''),
    /** the marks and stops beside the search are open */
    watchOpen: new Cell(false),
    /** editing was asked for. Kept from one problem to the next, even past one that cannot be edited */
    editingAsked: new Cell(false),
    /** the set of a known explanation is outlined on the canvas */
    whyShown: new Cell(true),
    /** null: by the number of buffers */
    colourChoice: new Cell<ColourMode | null>(null),
    /** pinned buffer or -1 */
    pinned: new Cell(-1),
    /** lit from a panel while the pointer or the focus is on its name */
    lit: new Cell<Lit>(NOTHING_LIT),
    hovered: new Cell<{ buffer: number; x: number; y: number } | null>(null),
    /** operator under the pointer, on its strip or in the graph */
    hoveredOp: new Cell<{ op: number; x: number; y: number } | null>(null),
    /** the operator that was chosen to be looked at, or -1 */
    pickedOp: new Cell(-1),
    /** whose plan the canvas shows: the search's, or the one that the file brought along */
    planShownFrom: new Cell<'search' | 'file'>('search'),
    /** text of the buffer filter */
    filter: new Cell(''),
  }
}

function cells() {
  return {
    /** the problem that the worker holds, null: none */
    opened: new Cell<Opened | null>(null),
    /** the editor's text, null: the editor is closed */
    draft: new Cell<Draft | null>(null),
    /** why the draft was refused */
    mistakes: new Cell<Mistakes | null>(null),
    /** the memory that the problem is placed in, null: that of the file alone */
    profile: new Cell<Profile | null>(null),
    /** the whole, while a part of it is open */
    aside: new Cell<Aside | null>(null),
    verdict: new Cell<Verdict | null>(null),
    why: new Cell<WhyState>({ kind: 'none' }),
    ...settingCells(),
    ...runCells(),
    ...lookCells(),
  }
}

export type RunCells = ReturnType<typeof runCells>
export type WorkbenchCells = ReturnType<typeof cells>
type Key = keyof WorkbenchCells
type Held<K extends Key> = WorkbenchCells[K] extends Cell<infer T> ? T : never
export type Workbench = { readonly [K in Key]: Writable<Held<K>> }

/** owner: what its cells are named after */
export function workbenchCells(owner: string): WorkbenchCells {
  const made = cells()
  for (const [key, cell] of Object.entries(made)) cell.name = `${owner}.${key}`
  return made
}

/** The reader's own, whatever the page shows meanwhile. */
export const own = workbenchCells('own')
/** The one that the page shows. */
export const shownWorkbench = new Cell<WorkbenchCells>(own)

const keys = Object.keys(own) as Key[]

/** The cells of the workbench that the page shows: they follow it to another one. */
export const workbench = Object.fromEntries(
  keys.map((key) => [key, following<unknown>(() => shownWorkbench.get()[key] as Cell<unknown>)]),
) as Workbench

/** Makes a workbench look like another one; from then on each goes its own way. */
export function copyWorkbench(from: WorkbenchCells, to: WorkbenchCells): void {
  for (const key of keys) (to[key] as Cell<unknown>).set(from[key].get())
}
