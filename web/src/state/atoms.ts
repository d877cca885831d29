/** What the page knows. Panels read these and call actions; only state/ and run/ write them. */
import type {
  ClientError,
  Diagnostic,
  ExplainProgress,
  Explanation,
  Frame,
  Goal,
  GraphModel,
  Manifest,
  OpenProgress,
  Problem,
  Progress,
  RunConfig,
  RunResult,
  SearchEvent,
  Text,
} from '../../../wasm/client/types'
import { Atom } from '../base/atom'
import type { ExistingPlan, ImportAnswers, Question, Switch, TfliteNumbers } from '../import/imported'
import type { Profile } from './profile/profile'

/** Where a model's graph came from: a network of ours with its parameters, or a file of some format ('' is a graph CSV). */
export type ModelOrigin =
  | { kind: 'zoo'; id: string; options: Record<string, string> }
  | { kind: 'file'; format: string }

/** Where the problem's text came from. lowering: options of the lowering, changed from their defaults. */
export type Source =
  | { kind: 'none' }
  | { kind: 'example'; file: string; title: string }
  | { kind: 'text'; name: string }
  | { kind: 'model'; name: string; lowering: Record<string, string>; from: ModelOrigin }

/** Of the file that it came from, '' if it came from none. */
export function nameOf(source: Source | undefined): string {
  return source?.kind === 'example'
    ? source.file
    : source?.kind === 'text' || source?.kind === 'model'
      ? source.name
      : ''
}

/** Text that is being typed or was refused. It never leaves the editor by itself. */
export interface Draft {
  text: Text
  name: string
}

export interface Mistakes {
  /** the text they were found in */
  text: Text
  errors: Diagnostic[]
  total: number
}

export interface Opened {
  problem: Problem
  source: Source
  /** buffer CSV; of a model: graph CSV, which is a string */
  text: Text
  /** of a model */
  model?: GraphModel | undefined
}

export type RunState =
  | { kind: 'idle' }
  | {
      kind: 'running'
      config: RunConfig
      progress: Progress | null
      since: number
      /** offsets of the best plan so far, while minimising */
      plan: Float64Array<ArrayBuffer> | null
    }
  | { kind: 'ended'; config: RunConfig; result: RunResult }
  /** stopped from outside: feasible or not is open, and the run can go on */
  | { kind: 'cancelled'; config: RunConfig; result: RunResult }
  | {
      kind: 'failed'
      config: RunConfig
      reason: ClientError['reason']
      message: string
      step: number
    }

/** Why the problem does not fit a capacity: asked for, being looked for, or known. */
export type WhyState =
  | { kind: 'none' }
  | { kind: 'looking'; capacity: number; progress: ExplainProgress | null }
  | { kind: 'known'; capacity: number; explanation: Explanation }
  | { kind: 'failed'; message: string }

/** '' of a text that is too long to be handled as a string, and so to be edited. */
export const stringOf = (text: Text): string => (typeof text === 'string' ? text : '')

/** The problem that the open one is a part of: the way back. */
export interface Aside {
  source: Source
  /** '' for an example: its file is known */
  text: Text
  capacity: number
  /** buffers of the whole */
  count: number
}

/** What a link promised against what this machine did. */
export type Verdict =
  | { kind: 'checking' }
  | { kind: 'same' }
  /** equal up to step `after`, different at step `by` */
  | { kind: 'differs'; after: number; by: number }

/** A file on its way to a graph. What was answered so far stays with its questions. */
export type Importing =
  | { kind: 'none' }
  /** done: 0 to 1; rows: of a long buffer CSV */
  | { kind: 'reading'; name: string; done: number; rows?: OpenProgress }
  | { kind: 'asking'; file: File; message: string; questions: Question[]; answers: ImportAnswers }
  | { kind: 'failed'; name: string; message: string }

/** What came with an imported file beside its graph or buffers. */
export interface Imported {
  /** the text that was made of it: it speaks of the open problem as long as that has this text */
  text: string
  file: File
  answers: ImportAnswers
  format: string
  notes: string[]
  plan: ExistingPlan | null
  switches: readonly Switch[]
  /** what could be answered otherwise */
  asked: readonly Question[]
  tflite: TfliteNumbers | null
}

export interface Notice {
  tone: 'plain' | 'ok' | 'why'
  title: string
  text: string
  action?: { title: string; act: () => void }
}

export const BUDGET_DEFAULT = 10_000_000

/** null until the worker has answered for the first time */
export const manifest = new Atom<Manifest | null>(null)
/** the problem that the worker holds, null: none */
export const opened = new Atom<Opened | null>(null)
/** the editor's text, null: the editor is closed */
export const draft = new Atom<Draft | null>(null)
/** why the draft was refused */
export const mistakes = new Atom<Mistakes | null>(null)
/** a text is being read by the worker */
export const reading = new Atom(false)

/** the memory that the problem is placed in, null: that of the file alone */
export const profile = new Atom<Profile | null>(null)
/** the reader's own profiles */
export const ownProfiles = new Atom<readonly Profile[]>([])

/** settings of the next run */
export const capacity = new Atom(0)
/** '': the first of the manifest */
export const solver = new Atom('')
/** of solvers that can be asked for it; the others are asked to fit */
export const goal = new Atom<Goal>('fit')
/** changed options by solver; what is not here has its default */
export const options = new Atom<Record<string, Record<string, string>>>({})
export const seed = new Atom(1)
/** steps, 0: none */
export const budget = new Atom(BUDGET_DEFAULT)

export const run = new Atom<RunState>({ kind: 'idle' })
/** the step asked for; frame follows it as soon as the worker has answered */
export const cursor = new Atom(0)
export const frame = new Atom<Frame | null>(null)
export const playing = new Atom(false)
/** the worker looks for the next step of a kind */
export const looking = new Atom(false)
/** steps per second, 1 to 10^6 */
export const speed = new Atom(10)
export const verdict = new Atom<Verdict | null>(null)
export const why = new Atom<WhyState>({ kind: 'none' })
/** the set of a known explanation is outlined on the canvas */
export const whyShown = new Atom(true)
export const aside = new Atom<Aside | null>(null)
export const importing = new Atom<Importing>({ kind: 'none' })
/** the last file that was imported; state/derive.ts says whether it is what is open */
export const imported = new Atom<Imported | null>(null)
export const notice = new Atom<Notice | null>(null)

/** The events of one step of a frame, in order. */
export function eventsAt(shown: Frame | null): SearchEvent[] {
  return shown === null ? [] : shown.events.filter((event) => event.step === shown.step)
}
