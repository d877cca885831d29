/**
 * What a lesson is: plain data. Its steps say what the page shows, tell a little about it and may ask something. Answers and numbers in
 * the text are computed from what the core says of the problem and the run, so that they cannot be wrong.
 *
 * In texts, *so* is emphasis, `b5` a buffer (lit on the canvas) or another name, {load} the number that `facts.load` computes,
 * and `{who}` a buffer whose id it computes.
 */
import type {
  EventKind,
  Frame,
  Goal,
  GraphModel,
  Manifest,
  OutcomeId,
  Plan,
  Problem,
  RunConfig,
  RunStats,
  SearchEvent,
} from '../../../wasm/client/types'
import type { ColourMode } from '../layout/scene'

/** What a step can speak of: the problem, the run, and the step of it that is shown. */
export interface Live {
  manifest: Manifest
  problem: Problem
  /** of the run; without one what is set */
  capacity: number
  stats: RunStats | null
  /** offsets of the plan that was found */
  best: Float64Array | null
  /** of the whole run, if it has no more steps than the page keeps around the one shown */
  events: SearchEvent[]
  frame: Frame | null
  /** of a network, in the order that it came with */
  model: GraphModel | null
  /** of a network: the plan that was found */
  plan: Plan | null
  /** what was run beside it for this step's figure; null while it is under way, or if nothing is */
  others: Other[] | null
}

/** The end of one of the runs beside the one shown. */
export interface Other {
  name: string
  capacity: number
  outcome: OutcomeId
  steps: number
  height: number
  /** what its goal counts, -1: there is no plan */
  cost: number
  /** of a network: the operators' rows by time */
  order: Uint32Array | null
}

/** A run beside the one shown: what differs from it. */
export interface OtherRun {
  name: string
  config: Pick<RunConfig, 'solver' | 'goal' | 'capacity' | 'options'>
}

export type Fact = (live: Live) => number | string

/** An event of the run: the nth of its kind that fits. */
export interface Wanted<K extends EventKind = EventKind> {
  event: K
  rule?: string
  buffer?: string
  major?: boolean
  /** from 1 */
  nth?: number
}

/** One of our own, with its parameters and the options of its lowering. */
export interface Network {
  network: string
  parameters: Record<string, string>
  lowering: Record<string, string>
}

export interface Show {
  problem: { example: string } | { name: string; csv: string } | Network
  capacity: number
  /** to fit, unless this is said */
  goal?: Goal
  /** nothing is run without it */
  solver?: string
  options?: Record<string, string>
  /** the step to go to: the end, unless this is said */
  at?: number | Wanted
  /** nothing is run: these buffers lie at the lowest offset above those before them, in this order */
  order?: string[]
  /** nor then: each lies where this says, by id, over others perhaps */
  bricks?: Record<string, number>
  colour?: ColourMode
  /** lit until the reader lights something else */
  light?: string[]
}

export interface Option {
  text: string
  /** what is said when it is chosen */
  reply: string
}

/** What the reader can change while a question is open. Each change is run at once. */
export type Knob =
  | { kind: 'capacity'; from: number; to: number; by: number }
  /** an option of the solver, by name */
  | { kind: 'option'; name: string }
  /** buffers are placed by hand, one on top of the other */
  | { kind: 'order' }
  /** buffers are dragged on the canvas, through each other too */
  | { kind: 'bricks' }

interface Asked {
  question: string
  /** said when the answer is right */
  right: string
}

export interface AskNumber extends Asked {
  kind: 'number'
  /** what the field is called for those who do not see the question */
  label: string
  /** -1: not known yet */
  answer: (live: Live) => number
  hint: (given: number, live: Live) => string
}

export interface AskChoice extends Omit<Asked, 'right'> {
  kind: 'choice'
  options: Option[]
  /** -1: not known yet */
  answer: (live: Live) => number
}

/** A buffer, on the canvas or by its name. Any of the answers will do. */
export interface AskBuffer extends Asked {
  kind: 'buffer'
  answers: (live: Live) => number[]
  hint: (buffer: number, live: Live) => string
}

export interface AskSection extends Asked {
  kind: 'section'
  answer: (live: Live) => number
  hint: (section: number, live: Live) => string
}

/** What brings it about that a wish is fulfilled. */
export interface Shown {
  capacity?: number
  options?: Record<string, string>
  at?: number
  order?: string[]
  bricks?: Record<string, number>
}

/** Make it so: checked on what the page shows when the reader says so. */
export interface AskDo extends Asked {
  kind: 'do'
  knobs: Knob[]
  done: (live: Live) => boolean
  hint: (live: Live) => string
  show: (live: Live) => Shown
}

export type Ask = AskNumber | AskChoice | AskBuffer | AskSection | AskDo

/** What stands in the text beside the canvas. */
export type Figure =
  /** the ways to the packing that this order leads to */
  | { kind: 'lattice'; of: string[] }
  /** the orders that lead to it in a table, with what they keep to */
  | { kind: 'orders'; of: string[] }
  /** floor, rest and sum of each section, at the step shown */
  | { kind: 'sections' }
  /** the candidates of the open decision point */
  | { kind: 'candidates' }
  /** the ends of several runs. by: what they are compared in */
  | { kind: 'table'; by: 'height' | 'steps' | 'traffic' }
  /** steps against capacity */
  | { kind: 'sweep' }

export interface Step {
  title: string
  text: string[]
  show: Show
  facts?: Record<string, Fact>
  figure?: Figure
  others?: (problem: Problem) => OtherRun[]
  ask?: Ask
  /** what would say the answer, kept back until there is one: the search's own sentence, or the counts in the figure */
  keeps?: 'sentence' | 'counts'
}

export interface Source {
  /** "MiniMalloc, §6.3 and Figure 7" */
  text: string
  url: string
}

export interface Lesson {
  /** in links */
  id: string
  title: string
  /** one sentence for the list */
  summary: string
  /** what the reader can do at its end, after "You can now" */
  gained: string
  minutes: number
  sources: Source[]
  steps: Step[]
}
