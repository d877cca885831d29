/** What the cells of a workbench hold (workbench_cells.ts). */
import { visible } from '../base/format'
import type {
  ClientError,
  Diagnostic,
  ExplainProgress,
  Explanation,
  Frame,
  GraphModel,
  PackedGraph,
  Problem,
  Progress,
  RunConfig,
  RunResult,
  SearchEvent,
  Text,
} from '../../../wasm/client/types'

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

/** Of the file that it came from, fit to be shown, '' if it came from none. */
export function nameOf(source: Source | undefined): string {
  return source?.kind === 'example'
    ? source.file
    : source?.kind === 'text' || source?.kind === 'model'
      ? visible(source.name)
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

/** What a problem is made of: a text or, of a model that was imported or made here, its graph. run/problem/given_text.ts has the text of both. */
export type Given = Text | PackedGraph

export const isPacked = (given: Given): given is PackedGraph => typeof given === 'object' && 'words' in given

export interface Opened {
  problem: Problem
  source: Source
  /** buffer CSV; of a model: graph CSV, which is a string, or the graph */
  text: Given
  /** of a CSV that leaves something open, or is written as other tools write it (problem.read): as it was given */
  original?: Text
  /** of a model */
  model?: GraphModel | undefined
}

/** note: of a solver that is not ours, which has neither steps nor a digest: what it says of itself */
export interface ShownResult extends RunResult {
  note?: string
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
  | { kind: 'ended'; config: RunConfig; result: ShownResult }
  /** stopped from outside: feasible or not is open, and the run can go on */
  | { kind: 'cancelled'; config: RunConfig; result: ShownResult }
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

/** '' of a text that is too long to be handled as a string, and so to be edited, and of a graph. */
export const stringOf = (given: Given): string => (typeof given === 'string' ? given : '')

/** The buffers as CSV: those of a model as it was lowered. */
export const buffersOf = ({ model, text }: Opened): Text => model?.csv ?? (isPacked(text) ? '' : text)

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

export const BUDGET_DEFAULT = 10_000_000

/** The events of one step of a frame, in order. */
export function eventsAt(shown: Frame | null): SearchEvent[] {
  return shown === null ? [] : shown.events.filter((event) => event.step === shown.step)
}

/** What the page is for now: one search, or several side by side. */
export type Mode = 'search' | 'compare'

/** Lit on the canvas. section -1: none. */
export interface Lit {
  buffers: number[]
  section: number
  inputs: number[]
}
export const NOTHING_LIT: Lit = { buffers: [], section: -1, inputs: [] }
