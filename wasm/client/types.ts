/**
 * What the page sees of the core: plain data, no pointers, no heap. Bytes, offsets and times are exact integers in JS numbers
 * (|x| <= 2^53 - 1); -1 means "no offset". Typed arrays are the receiver's own (transferred, never views of the WASM memory).
 */

import type { Role, SearchEvent, StepKind, StepWith } from './events'
import type { Host } from './host'
import type { Problem } from './problem'

export type { EventKind, EventOf, Role, SearchEvent, StepKind } from './events'
export type { Names } from './names'
export type { Gap, Pool, Problem, Sections, ShapeRect, Tasks } from './problem'

export type OptionType = 'bool' | 'int' | 'choice' | 'text'

export interface SolverOption {
  name: string
  type: OptionType
  title: string
  initial: string
  min: number
  max: number
  choices: string[]
  help: string
}

/** What a run is after: a plan within the capacity, the lowest plan whatever the capacity, or the fewest bytes moved. index = asc_goal */
export const GOALS = ['fit', 'height', 'traffic'] as const
export type Goal = (typeof GOALS)[number]

/** Alignment, fixed offsets, gaps, gaps with windows, hints, bank boundaries, shapes. */
export type Constraint = 'alignment' | 'fixed' | 'gaps' | 'windows' | 'hints' | 'banks' | 'shapes'

export interface SolverInfo {
  id: string
  title: string
  paper: string
  summary: string
  /** what it takes: the buffers; or a model's graph, whose operators it puts in order as well, or of which it chooses what lives in fast memory */
  domain: 'buffers' | 'graph' | 'selection'
  /** what it can be asked for, at least one */
  goals: Goal[]
  /** which of them it honours */
  supports: Record<Constraint, boolean>
  /** can prove infeasibility, and always decides, but with incompleteWith */
  complete: boolean
  /** of what it supports: where a problem has one of these it may end exhausted */
  incompleteWith: Constraint[]
  /** a search that is not complete, but may end infeasible, which is then a proof; heuristics are neither */
  refutes: boolean
  options: SolverOption[]
  /** one entry per line; events name the line, from 1 */
  pseudocode: string[]
}

export type OutcomeId =
  | 'running'
  | 'feasible'
  | 'optimal'
  | 'infeasible'
  | 'exhausted'
  | 'over-capacity'
  | 'budget-spent'
  | 'cancelled'
  | 'out-of-memory'

export interface RuleInfo {
  id: string
  title: string
  source: string
  text: string
}
export interface OutcomeInfo {
  id: OutcomeId
  title: string
  text: string
}

/** What an alignment is a property of: offsets are multiples of it, sizes are rounded up to multiples of it, or both. index = asc_align_by */
export const ALIGN_BY = ['offset', 'size', 'both'] as const
export type AlignBy = (typeof ALIGN_BY)[number]

/** One memory that software manages, with all that a problem and a run take from it. Bytes. */
export interface ProfileSpec {
  /** what is reserved included; 0: not known */
  capacity: number
  /** of the capacity, at its upper end and not for buffers */
  reserved: number
  /** from 1 */
  alignment: number
  alignBy: AlignBy
  /** size of its banks, which begin at address 0; 0: it has none */
  bank: number
  /** a buffer may lie in more than one bank */
  mayCross: boolean
}

/** Everything that is fixed at build time; asked once. */
export interface Manifest {
  version: string
  /** of buffers */
  solvers: SolverInfo[]
  /** of a model's graph */
  schedulers: SolverInfo[]
  /** index = asc_rule */
  rules: RuleInfo[]
  /** index = asc_event_kind */
  outcomes: OutcomeInfo[]
  generators: { kind: string; text: string }[]
  /** of openGraph */
  graphOptions: SolverOption[]
}

/** An error in the pasted text. line and column count from 1; 0: not in a text. */
export interface Diagnostic {
  line: number
  column: number
  /** bytes of the offending text */
  length: number
  field: string
  message: string
}

/** UTF-8. What is too long to be handled as a string (LONG_TEXT) is a blob, which nobody reads but the worker. */
export type Text = string | Host<'Blob'>

/** A text of more bytes than this is a blob. */
export const LONG_TEXT = 2_000_000

export type OpenResult =
  /** suggestedCapacity: from a comment such as "# capacity: 1,048,576" in the first lines of the text */
  | { ok: true; problem: Problem; suggestedCapacity: number | null }
  /** errors: the first 20; total: how many there are */
  | { ok: false; errors: Diagnostic[]; total: number }

/** A model's graph as it was lowered: which tensor became which buffer, and when each operator runs. */
export interface GraphModel {
  tensors: {
    count: number
    ids: string[]
    bytes: Float64Array<ArrayBuffer>
    /** 'activation', 'input', 'output', 'input+output', 'constant', 'variable', 'workspace' */
    kind: string[]
    /** '' if unknown: '1x112x112x32' */
    shape: string[]
    /** '' if unknown: 'int8' */
    dtype: string[]
    /** index of the buffer that holds it, -1: out of the plan */
    buffer: Int32Array<ArrayBuffer>
    /** op that makes it, -1: none */
    producer: Int32Array<ArrayBuffer>
  }
  /** by position in the schedule: operator k runs at time k of the buffer problem */
  ops: {
    count: number
    ids: string[]
    types: string[]
    /** row of the operator in the file, from 0 */
    row: Uint32Array<ArrayBuffer>
    /** tensors read by operator k: inputs[inputStart[k]] .. inputs[inputStart[k + 1] - 1] */
    inputs: Uint32Array<ArrayBuffer>
    inputStart: Uint32Array<ArrayBuffer>
    outputs: Uint32Array<ArrayBuffer>
    outputStart: Uint32Array<ArrayBuffer>
    /** buffer of its workspace, -1: none */
    workspace: Int32Array<ArrayBuffer>
  }
  /** COSMA's budgets in bytes: required = the largest operator's inputs and outputs, peak = best known load over schedules, half = between them */
  budgets: { required: number; half: number; peak: number }
  /** what the options left out or could not do, one sentence each */
  notes: string[]
  /** of Client.tile */
  tileOptions: SolverOption[]
  /** the lowered problem as buffer CSV */
  csv: string
}

export type OpenGraphResult =
  | { ok: true; model: GraphModel; problem: Problem }
  /** errors: the first 20; total: how many there are */
  | { ok: false; errors: Diagnostic[]; total: number }

/** model: null of buffers */
export type ReopenResult = OpenGraphResult | { ok: true; model: null; problem: Problem }

/**
 * A model's graph as three arrays, in the order that core/src/io/README.md gives: numbers, indices and counts, and one table of texts. Nothing in
 * them is trusted.
 */
export interface PackedGraph {
  numbers: Float64Array<ArrayBuffer>
  words: Uint32Array<ArrayBuffer>
  /** UTF-8, a NUL behind each */
  text: Uint8Array<ArrayBuffer>
}

/**
 * What an integer linear program of the least traffic is about: all of COSMA's (1) to (12); the same without addresses; or the given order, where only
 * what is outside between its uses is decided.
 */
export type ProgramModel = 'addresses' | 'capacity' | 'gaps'

/** By name; numbers and booleans are taken for their texts. */
export type Options = Readonly<Record<string, string | number | boolean>>

/** How buffers of a model are chosen that live in a small fast memory (TelaMalloc, sections 5.6 and 7.4). */
export interface SelectConfig {
  /** bytes of the fast memory */
  capacity: number
  /** the solver of buffers that packs anew what has no room; '': nobody does */
  repacker: string
  options: Options
  /** it packs the newcomer too; else, as XLA, only those that are in, and the newcomer is tried again */
  together: boolean
  /** repacks at most */
  most: number
  /** of the repacker; the budget is that of one repack, in steps, 0: none */
  seed: number
  budget: number
}

/** In the order of asc_select_verdict (asc/select.h), whose first is of those whose turn has not come. */
export const VERDICTS = ['waits', 'fits', 'repacked', 'no room', 'unused'] as const
export type SelectVerdict = (typeof VERDICTS)[number]

export interface Selection {
  /** moved by all accesses, and by those to fast memory */
  bytes: number
  fastBytes: number
  /** buffers, and those of them in fast memory */
  count: number
  fast: number
  /** tried; of use to the newcomer */
  repacks: number
  repacked: number
  steps: number
  /** in order of priority: each buffer with its accesses and what they move */
  rows: { buffer: number; accesses: number; bytes: number; verdict: SelectVerdict }[]
}

export interface RunConfig {
  solver: string
  /** not given: to fit */
  goal?: Goal
  capacity: number
  seed: number
  /** steps; 0: none */
  budget: number
  /** only those changed from the defaults need to be here */
  options: Record<string, string>
}

/** A run as it is asked for. */
export type RunRequest = Omit<RunConfig, 'options'> & { options?: Options | undefined }

export interface RunStats {
  outcome: OutcomeId
  steps: number
  backtracks: number
  nodes: number
  /** 16 hex digits */
  digest: string
  skipped: number
  depth: number
  maxDepth: number
  maxDepthStep: number
  /** of the best plan so far, -1 while there is none; a search that minimises has one long before it ends, perhaps above the capacity */
  height: number
  /** of every height: the problem's, or what a search that minimises has proved since */
  lowerBound: number
  /** decisions discarded, index = rule */
  rules: number[]
  restarts: number
  /** of the best plan so far: what the goal counts, or -1; of the goal to fit its height */
  cost: number
  /** time inside the solver, wall clock of the worker */
  seconds: number
}

export interface Overview {
  /** steps per bucket; bucket k holds steps k*width+1 .. (k+1)*width */
  width: number
  count: number
  minDepth: Uint32Array<ArrayBuffer>
  maxDepth: Uint32Array<ArrayBuffer>
  lastDepth: Uint32Array<ArrayBuffer>
  maxUndone: Uint32Array<ArrayBuffer>
  backtracks: Uint32Array<ArrayBuffer>
  major: Uint32Array<ArrayBuffer>
  /** rules[r][k]: decisions discarded by rule r in bucket k */
  rules: Uint32Array<ArrayBuffer>[]
  /** by buffer: how many steps of the whole search placed it; empty of a search on a graph */
  placed: Uint32Array<ArrayBuffer>
  marks: { step: number; kind: 'restart' | 'incumbent' | 'decompose'; value: number }[]
}

/** What a search that minimises knows of the least height: from lowerBound to height, which is -1 while there is no plan. */
export interface Bounds {
  lowerBound: number
  height: number
}

/** What the decisions up to a step amount to, of a solver that decides when buffers are alive. */
export interface Situation {
  /** those of one run with the same revision are the same */
  revision: number
  /** before this time it follows from decisions, from then on from the order that was given */
  frontier: number
  /** its lower bound is that of every order */
  problem: Problem
  /** by time: the row of the operator that runs then */
  order: Uint32Array<ArrayBuffer>
}

/** The state after `step` steps, and the events around it. Arrays are indexed by buffer unless said otherwise. */
export interface Frame {
  step: number
  /** by whose buffers all goes that is told per buffer; not given: those of the problem */
  situation?: Situation
  depth: number
  /** -1: not placed */
  offset: Float64Array<ArrayBuffer>
  /** the greatest offset + size of what is placed, 0 if nothing is; not given: not worked out yet */
  top?: number
  /** least offset still allowed; null if the solver keeps none */
  minOffset: Float64Array<ArrayBuffer> | null
  /** decision level of a placed buffer, from 1; 0: not placed */
  level: Int32Array<ArrayBuffer>
  /** by level, lowest first */
  stack: Uint32Array<ArrayBuffer>
  /** by level: which candidate of its node it was, and of how many; null if the solver does not branch */
  tried: Uint32Array<ArrayBuffer> | null
  candidates: Uint32Array<ArrayBuffer> | null
  /** by buffer: its phase, from 0, in the order in which the solver takes them, 0xffffffff if it occupies nothing; null if the solver has none */
  phases: Uint32Array<ArrayBuffer> | null
  /** events of steps step-before+1 .. step+after, in order */
  events: SearchEvent[]
  /** the buffers that step took back or out, with the offsets they had (ghosts), of a backtrack deepest first; empty if it took none */
  undone: { buffer: number; offset: number }[]
  /** as they stood after this step; null unless the run minimises (its goal is not to fit) */
  bounds: Bounds | null
}

/** One thing tried at a node on the path to a step. */
export interface Attempt {
  /** at which it was decided */
  step: number
  /** of a placement: the step that took it back, with all that was placed above it; else the same step */
  end: number
  kind: StepWith<'opens' | 'discards' | 'idles'>['kind']
  /** of a skip the first one; -1: none, nobody sits on a section's floor */
  buffer: number
  offset: number
  /** candidates: more than one for a skip only, none for waste */
  count: number
  /** index of the rule that discarded it */
  rule: number
}

/** A state on the path to a step. */
export interface PathNode {
  /** that led to it: a placement or the start of an attempt; 0: none did, or it is not known yet */
  step: number
  /** what was tried at it before what the path does, in order of step */
  attempts: Attempt[]
  /** tried before those, but not told one by one */
  more: number
  /** there was nothing else; if not, what came earlier is not known yet */
  whole: boolean
}

/** The search tree around the path to a step. */
export interface TreePath {
  step: number
  depth: number
  /** nodes[k] is the one with top + k buffers placed, up to depth */
  top: number
  nodes: PathNode[]
  /** of the last node: candidates dealt with, and all of them; 0 and 0: it is no question */
  tried: number
  candidates: number
  /** every node is */
  whole: boolean
  /** what comes after this step was looked at */
  from: number
}

export interface Progress {
  /** with lowerBound and height as they stand now */
  stats: RunStats
  overview: Overview
  /** the state reached, for the canvas to follow */
  frame: Frame | null
  /** offsets of the best plan so far, if it is better than the last one that came with a progress of this call; else null */
  incumbent: Float64Array<ArrayBuffer> | null
}

/** Of a graph: when each operator runs, and where everything is meanwhile. */
export interface Plan {
  /** by time: the row of the operator that runs then */
  order: Uint32Array<ArrayBuffer>
  /** those in the arena are the buffers of the situation at the end, in this order */
  stays: {
    count: number
    /** a tensor (of several that share their bytes the first), or the tensors' number and the row of an operator: its workspace */
    item: Uint32Array<ArrayBuffer>
    lower: Float64Array<ArrayBuffer>
    upper: Float64Array<ArrayBuffer>
    /** -1: of no meaning */
    offset: Float64Array<ArrayBuffer>
    /** 1: in the memory outside */
    outside: Uint8Array<ArrayBuffer>
  }
}

export interface RunResult {
  stats: RunStats
  overview: Overview
  /**
   * Offsets of the solution (or of the heuristic's plan, when over capacity; or of the best plan of a search that minimises, however
   * it ended), null if there is none.
   */
  best: Float64Array<ArrayBuffer> | null
  /** of a graph: the plan as a whole; null if there is none, left out of a plan of buffers */
  plan?: Plan | null
  /** after 'infeasible': buffers whose packing alone is impossible, increasing; empty otherwise, or if the solver keeps none */
  conflict: number[]
}

export interface ExplainConfig {
  capacity: number
  seed: number
  /** steps for the proof and for taking buffers away, together; 0: none */
  budget: number
}

/** How far a long text has been read. */
export interface OpenProgress {
  rows: number
  /** rows of the whole text: about as many, until all were read */
  of: number
}

export interface ExplainProgress {
  /** of the exact solver, over all its runs */
  steps: number
  /** buffers in the set so far, 0 while none is known */
  count: number
  /** of those: found to be needed */
  tried: number
}

/** A small reason why the problem does not fit: buffers that alone do not. */
export interface Explanation {
  /**
   * 'infeasible': the set is known, however far its shrinking came; 'feasible': there is nothing to explain; 'budget-spent': no set is
   * known by then; 'cancelled' and 'out-of-memory': the set is what was known by then.
   */
  outcome: Exclude<OutcomeId, 'running'>
  /** increasing; empty if none is known */
  buffers: number[]
  /** of the buffers: found to be needed, since the others fit without it */
  tried: number
  /** every one is needed: without any one of them the others fit */
  irreducible: boolean
  /** index of the section whose load alone exceeds the capacity, -1 if there is none */
  section: number
  steps: number
}

export type FindKind = 'event' | 'backtrack' | 'major' | 'place' | 'reject' | 'restart'

/** What a step may be looked for by; all that is given must hold of it. */
export interface Condition {
  /** not given: any step */
  kinds?: readonly StepKind[]
  /** of backtracks only the major ones */
  major?: boolean
  /** index of a rule that discards a decision with the step */
  rule?: number
  /** a buffer that it names */
  buffer?: number
  /** what it does to that buffer; not given: whatever */
  role?: Role
  /** index of the section whose bound passes the capacity, for which it rejects */
  section?: number
  /** it goes from at most so many placed buffers to more */
  above?: number
}

export interface Sought {
  /** 0: none from where it began to `stopped` */
  step: number
  /** the last step looked at (looking back: the first); the steps up to there are known to hold none */
  stopped: number
  /** nothing is left to look at: there is none at all in that direction */
  over: boolean
}

/** One worker: one problem, one run, one explanation. Every promise rejects with ClientError if the worker traps; the next call gets a new worker. */
export interface Client {
  /**
   * The worker that is about to be started begins with the lean module, the smallest: it opens one problem and runs the first example's solver
   * on it once. Whatever goes beyond that fetches a full module first and takes that long; nothing else tells.
   */
  beginLean(): void
  /** Resolves when a full module is there, which is fetched if need be. */
  complete(): Promise<void>
  /** This solver is likely to run next: its module is fetched ahead. Nothing tells whether that went well. */
  prefetch(solver: string): void
  manifest(): Promise<Manifest>
  /**
   * Parses and freezes a problem, given as buffers or as tasks on tiles; it stays the worker's problem if ok. Nothing changes if not ok. With a profile its buffers are taken as
   * that memory takes them (its capacity is the run's affair); what it refuses is told with line 0. `progress` is called about ten times a
   * second while a text is read that is too long for a string. What is open already, the very same text or graph, is not sent and read again: it is
   * only taken with the other profile or lowered with the other options.
   */
  open(csv: Text, profile?: ProfileSpec | null, progress?: (p: OpenProgress) => void): Promise<OpenResult>
  /** Gives up the open that was asked for last, if it is not done: it resolves as not ok, without errors, and the problem before stays. */
  leaveOpen(): void
  /**
   * Takes a graph, packed or as CSV, and lowers it to a problem, which becomes the worker's as with open. options: only those changed from the
   * defaults need to be here (see Manifest.graphOptions); one that is wrong rejects. Errors of a packed graph have no line.
   */
  openGraph(graph: string | PackedGraph, options: Options, profile?: ProfileSpec | null): Promise<OpenGraphResult>
  /**
   * The open graph's least traffic within a capacity as a program in the text format of LP solvers; null: it is longer than `most` bytes. Only after a
   * run of a solver of graphs, whose module writes it.
   */
  program(capacity: number, model: ProgramModel, most: number): Promise<string | null>
  /**
   * The open problem's plans within a capacity as such a program (TelaMalloc, figure 5); null: it is longer than `most` bytes. Rejects where the program has
   * no words for the problem: pools, shapes, gaps, banks, a capacity above 2^31 of its sizes' common divisor.
   */
  packing(capacity: number, most: number): Promise<string | null>
  /**
   * The open graph as tasks on tiles, for so many bytes on the chip, as task CSV. options: only those changed from the defaults need to be here (see
   * GraphModel.tileOptions). An operator that does not go into tiles, or an option that is wrong, rejects and is named.
   */
  tile(capacity: number, options: Options): Promise<Text>
  /**
   * Chooses what of the open graph lives in a fast memory, by the whole module, which is fetched. The worker does nothing else meanwhile, for seconds
   * perhaps: it is for a worker beside the page's. Rejects for a repacker or an option that there is not, or that does not honour what the graph asks.
   */
  select(config: SelectConfig): Promise<Selection>
  generate(kind: string, n: number, seed: number): Promise<{ csv: Text; capacity: number }>
  /** Starts a run on the open problem and drives it to its end. Replaces the run before. `progress` is called about ten times a second. */
  run(config: RunRequest, progress: (p: Progress) => void): Promise<RunResult>
  /** Stops the run, the explanation and the scan under way within a few milliseconds; their promises resolve with outcome 'cancelled'. */
  cancel(): void
  /** Goes on with a cancelled run, or one whose budget is spent (budget: the new total, 0: none). */
  resume(budget: number, progress: (p: Progress) => void): Promise<RunResult>
  /**
   * Looks for a reason why the open problem does not fit. The run stays as it is: it can be looked at and even goes on meanwhile. Ends
   * as 'cancelled' on cancel, and when a newer explain, run, resume or a good open comes, with the set known by then (none after open:
   * its problem is gone). `progress` is called about ten times a second.
   */
  explain(config: ExplainConfig, progress: (p: ExplainProgress) => void): Promise<Explanation>
  /** Newest request wins: an older one that has not been answered yet resolves with null. */
  seek(step: number, before: number, after: number): Promise<Frame | null>
  /** 0: none, or a newer find or seek came before it was done. 'event' = any step. */
  find(from: number, forward: boolean, kind: FindKind): Promise<number>
  /**
   * The first step after (or the last before) `from` that meets one of the conditions, looking at no more than about `budget` steps (0: all).
   * Seeks pass it by. null: it was given up, for cancel, a newer scan or find, another run or problem.
   */
  scan(from: number, forward: boolean, conditions: readonly Condition[], budget: number): Promise<Sought | null>
  /**
   * What was tried at the last `levels` + 1 nodes on the path to a step, at each the latest `most`. Stops after about `limit` steps of looking
   * back; the same question again goes on from there. Newest request wins, as with seek; null also if there is no run any more.
   */
  path(step: number, levels: number, most: number, limit: number): Promise<TreePath | null>
  /** Digest over the steps up to `step`, 16 hex digits: what a link carries. */
  digestAt(step: number): Promise<string>
  /**
   * The problem as CSV as it was read, whatever its profile, with offsets if given, one per buffer, -1: none. They are handed over: the array
   * is empty afterwards.
   */
  exportCsv(offsets: Float64Array<ArrayBuffer> | null): Promise<Text>
  dispose(): void
}

export class ClientError extends Error {
  constructor(
    message: string,
    readonly reason: 'trap' | 'memory' | 'argument' | 'protocol' | 'silent',
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.name = 'ClientError'
  }
}
