/** What the page knows beside its workbench (workbench_cells.ts): the solvers, its player, what is on its way in. */
import type { Manifest, OpenProgress } from '../../../wasm/client/types'
import { Cell } from '../base/cell'
import type { ExistingPlan, ImportAnswers, Question, RunChoice, Switch, TfliteNumbers } from '../import/imported'
import type { Profile } from './profile/profile'
import type { Given } from './workbench_values'

/** A file on its way to a graph. What was answered so far stays with its questions. */
export type Importing =
  | { kind: 'none' }
  /** done: 0 to 1; rows: of a long buffer CSV */
  | { kind: 'reading'; name: string; done: number; rows?: OpenProgress }
  | { kind: 'asking'; file: File; message: string; questions: Question[]; answers: ImportAnswers }
  /** half: the file, where another one makes it whole */
  | { kind: 'failed'; name: string; message: string; half?: File }

/** What came with an imported file beside its graph or buffers. */
export interface Imported {
  /** the text or the graph that was made of it: it speaks of the open problem as long as that has just this */
  text: Given
  file: File
  answers: ImportAnswers
  format: string
  notes: string[]
  plan: ExistingPlan | null
  switches: readonly Switch[]
  /** what could be answered otherwise */
  asked: readonly Question[]
  /** the lists of buffers that it holds, where there are several, and the one that was read */
  parts?: { names: readonly string[]; read: string }
  /** what else of the file could run */
  choices: readonly RunChoice[]
  tflite: TfliteNumbers | null
}

export interface Notice {
  tone: 'plain' | 'ok' | 'why'
  title: string
  text: string
  action?: { title: string; act: () => void }
}

/** null until the worker has answered for the first time */
export const manifest = new Cell<Manifest | null>(null)
/** a text is being read by the worker */
export const reading = new Cell(false)

/** the reader's own profiles */
export const ownProfiles = new Cell<readonly Profile[]>([])

export const playing = new Cell(false)
/** the worker looks for the next step of a kind */
export const looking = new Cell(false)
/** what playing stops at in turn: each step, or only those that take something back, or those deeper or better than all before */
export type PlayBy = 'steps' | 'backtracks' | 'records'
export const playBy = new Cell<PlayBy>('steps')
/** of those per second, 1 to 10^6 */
export const speed = new Cell(10)
export const importing = new Cell<Importing>({ kind: 'none' })
/** the last file that was imported; workbench.ts says whether it is what is open */
export const imported = new Cell<Imported | null>(null)
export const notice = new Cell<Notice | null>(null)

export function say(said: Notice | null): void {
  notice.set(said)
}

/** Of what went wrong, and how to try again where that may help. */
export function sayWhy(error: unknown, title = 'That did not work.', action?: Notice['action']): void {
  const text = error instanceof Error ? error.message : String(error)
  say({ tone: 'why', title, text, ...(action === undefined ? {} : { action }) })
}
