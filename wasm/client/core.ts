import { listOf, ROLES, type SearchEvent, STEP_KINDS } from './events'
import {
  decodeBounds,
  decodeDiagnostics,
  decodeExplanation,
  decodeFrame,
  decodeGraph,
  decodeOptions,
  decodeManifest,
  decodeOverview,
  decodePath,
  decodePlan,
  decodeProblem,
  decodeSelection,
  decodeSituation,
  decodeStats,
  decodeTasks,
  type Names,
  outcomeId,
  topOf,
} from './decode'
import type { Exports } from './host'
import { type Call, Module, memoryError, type Outputs } from './module'
import {
  ALIGN_BY,
  type ReopenResult,
  type Bounds,
  ClientError,
  type Condition,
  type ExplainConfig,
  type ExplainProgress,
  type Explanation,
  type Frame,
  GOALS,
  type GraphModel,
  type Manifest,
  type OpenGraphResult,
  type OpenResult,
  type Options,
  type OutcomeId,
  type Overview,
  type PackedGraph,
  type Problem,
  type ProfileSpec,
  type ProgramModel,
  type RunRequest,
  type RunResult,
  type RunStats,
  type SelectConfig,
  type Selection,
  type Situation,
  type TreePath,
} from './types'

/** Room for the saved states from which any step is shown again. */
export const KEYFRAME_BYTES = 64 * 2 ** 20

/** Statuses that blame the caller; the rest are faults of the module. */
const ARGUMENT_STATUSES = new Set([
  'BAD_ARGUMENT',
  'BAD_INPUT',
  'TOO_LARGE',
  'UNKNOWN_SOLVER',
  'UNKNOWN_OPTION',
  'BAD_OPTION',
  'UNSUPPORTED',
])

const PROGRAM_MODELS: readonly ProgramModel[] = ['addresses', 'capacity', 'gaps']

const NO_PROFILE: ProfileSpec = { capacity: 0, reserved: 0, alignment: 1, alignBy: 'offset', bank: 0, mayCross: true }

/** A comment such as "# capacity: 1,048,576" in the first lines of a file. */
const CAPACITY_COMMENT = /^\s*#.*\bcapacity\s*[:=]?\s*(\d[\d,_]*)/im
const HEAD_CHARACTERS = 4096
const MOST_WORD = 2 ** 31 - 1

export interface Clock {
  /** milliseconds, monotonic */
  now(): number
}

export interface Found {
  /** 0: none up to `stopped` */
  step: number
  /** where to go on from, or null if there is nothing more to look at */
  next: number | null
}

/** How far a text has been read, and whether there may be more rows. */
export interface Reading {
  rows: number
  bytes: number
  more: boolean
}

type Refused = OpenResult & { ok: false }

/** How far an explanation is; `ended` once it is done. */
export type Explaining = ExplainProgress & { ended: Explanation | null }

/**
 * One problem, one run and one explanation, synchronously: the whole of what the worker does, usable without one. Methods throw ClientError for bad
 * arguments and for memory; anything else that is thrown (a trap) means that this object must not be used again.
 */
export class Core {
  readonly #module: Module
  readonly #clock: Clock
  readonly #keyframeBytes: number
  readonly #names: Names
  #sizes = new Float64Array(0)
  #hasProblem = false
  /** it was lowered from one */
  #hasGraph = false
  /** what is being read is a list of tasks */
  #readsTasks = false
  #hasTasks = false
  #hasRun = false
  #minimizes = false
  /** what it counts are bytes moved, not heights */
  #moves = false
  /** the run chooses between two memories, of which the main pool is the fast one */
  #selects = false
  #ofGraph = false
  /** the last situation that was asked for */
  #situation: Omit<Situation, 'frontier'> | null = null
  #milliseconds = 0

  /** manifest: the tables of the whole as JSON; null: those of the module, which the lean one does not export. */
  constructor(
    exports: Exports,
    clock: Clock = performance,
    keyframeBytes = KEYFRAME_BYTES,
    manifest: string | null = null,
  ) {
    this.#module = new Module(exports)
    this.#clock = clock
    this.#keyframeBytes = keyframeBytes
    this.#names = decodeManifest(manifest ?? this.#ownManifest())
  }

  #ownManifest(): string {
    // a status can only be named once the names are here, and the first call cannot have them
    if (this.#module.call('glue_manifest') !== 0) throw memoryError()
    return this.#module.outputs().text()
  }

  get manifest(): Manifest {
    return this.#names.manifest
  }

  get bufferCount(): number {
    return this.#sizes.length
  }

  memory(): { used: number; heap: number } {
    return this.#module.memory()
  }

  free(): void {
    this.#module.free()
  }

  #status(name: Call, args: number[]): string {
    const status = this.#module.call(name, ...args)
    return this.#names.statuses[status]?.id ?? `status ${status}`
  }

  /** Calls a function of the core and gives its outputs. */
  #call(name: Call, ...args: number[]): Outputs {
    const status = this.#status(name, args)
    const out = this.#module.outputs()
    if (status === 'OK') return out
    throw this.#failure(status, out)
  }

  #failure(status: string, out: Outputs): Error {
    if (status === 'OUT_OF_MEMORY') return memoryError()
    if (!ARGUMENT_STATUSES.has(status)) return new Error(this.#sentence(status))
    const [first] = decodeDiagnostics(out).errors
    const message = first && first.message !== '' ? `${first.field} ${first.message}`.trim() : this.#sentence(status)
    return new ClientError(message, 'argument')
  }

  /** Calls a function that needs a run. */
  #ofRun(name: Call, ...args: number[]): Outputs {
    if (!this.#hasRun) throw new ClientError('There is no run yet.', 'argument')
    return this.#call(name, ...args)
  }

  #sentence(status: string): string {
    return this.#names.statuses.find((s) => s.id === status)?.text ?? status
  }

  #needProblem(): void {
    if (!this.#hasProblem) throw new ClientError('There is no problem yet.', 'argument')
  }

  #input(text: string | Uint8Array): void {
    this.#module.input(typeof text === 'string' ? new TextEncoder().encode(text) : text)
  }

  // ---- problem

  /** Reads a buffer CSV or a task CSV, to be placed in the profile's memory. If it is well, it replaces the problem, and the run before is gone. */
  open(csv: string | Uint8Array, profile: ProfileSpec | null = null): OpenResult {
    this.startReading(csv, profile)
    return this.endReading(csv)
  }

  /** Begins to read a buffer CSV in parts, or a task CSV, which is read at the end; a reading under way is given up. The problem stays until then. */
  startReading(csv: string | Uint8Array, profile: ProfileSpec | null): void {
    this.#profile(profile)
    this.#input(csv)
    this.#readsTasks = this.#module.has('glue_is_tasks') && this.#call('glue_is_tasks').numbers(0, 1)[0] !== 0
    if (!this.#readsTasks) this.#call('glue_read')
  }

  /** In whose memory the next problem is placed. */
  #profile(profile: ProfileSpec | null): void {
    const { alignment, alignBy, bank, mayCross } = profile ?? NO_PROFILE
    const numbers = [whole(alignment, 'alignment'), ALIGN_BY.indexOf(alignBy), mayCross ? 0 : whole(bank, 'bank')]
    this.#call('glue_profile', ...numbers)
  }

  /** Reads so many rows more. */
  read(rows: number): Reading {
    if (this.#readsTasks) return { rows: 0, bytes: 0, more: false }
    const [read = 0, bytes = 0, more = 0] = this.#call('glue_read_step', rows, 0).numbers(0, 3)
    return { rows: read, bytes, more: more !== 0 }
  }

  cancelReading(): void {
    if (this.#readsTasks) return
    this.#call('glue_read_step', 0, 1)
  }

  /** What open says, of the text that is being read. */
  endReading(csv: string | Uint8Array): OpenResult {
    const errors = this.#open(this.#readsTasks ? 'glue_open_tasks' : 'glue_open')
    if (!errors) this.#hasTasks = this.#readsTasks
    return errors ?? { ok: true, problem: this.#newProblem(), suggestedCapacity: capacityComment(csv) }
  }

  /** Reads a graph, packed or as CSV, and lowers it for the profile's memory; otherwise like open. */
  openGraph(graph: string | PackedGraph, options: Options, profile: ProfileSpec | null = null): OpenGraphResult {
    this.#profile(profile)
    const given = optionWords(options)
    const errors = typeof graph === 'string' ? this.#openText(graph, given) : this.#openPacked(graph, given)
    if (!errors) this.#hasTasks = false
    return errors ?? this.#newModel()
  }

  #openText(csv: string, options: Uint8Array): Refused | null {
    this.#module.input(options, new TextEncoder().encode(csv))
    return this.#open('glue_open_graph', options.length)
  }

  #openPacked({ numbers, words, text }: PackedGraph, options: Uint8Array): Refused | null {
    this.#module.input(numbers, words, text, options)
    return this.#open('glue_open_packed', numbers.length, words.length, text.length)
  }

  /** Places the open text again for the memory of another profile, or lowers the open graph again with other options. Reads nothing again; fails like open. */
  reopenWith(options: Options, profile: ProfileSpec | null): ReopenResult {
    this.#needProblem()
    this.#profile(profile)
    this.#module.input(optionWords(options))
    const errors = this.#open('glue_again')
    if (errors) return errors
    return this.#hasGraph ? this.#newModel() : { ok: true, problem: this.#newProblem(), model: null }
  }

  /** The open graph's tasks on tiles as task CSV. */
  tile(capacity: number, options: Options): string {
    if (!this.#hasGraph) throw new ClientError('What is open is no model.', 'argument')
    this.#module.input(optionWords(options))
    return this.#call('glue_tile', whole(capacity, 'capacity')).text()
  }

  /** null: it is longer than `most` bytes. */
  program(capacity: number, model: ProgramModel, most: number): string | null {
    if (!this.#module.has('glue_program')) throw new ClientError('There was no run of a solver of graphs.', 'argument')
    return limited(this.#call('glue_program', whole(capacity, 'capacity'), PROGRAM_MODELS.indexOf(model), most))
  }

  /** What of the open graph lives in a fast memory. To the end: that may take seconds. */
  select({ repacker, options, capacity, together, most, seed, budget }: SelectConfig): Selection {
    if (!this.#hasGraph) throw new ClientError('What is open is no model.', 'argument')
    this.#input(joinWords([repacker], options))
    const numbers = [whole(most, 'most'), whole(seed, 'seed'), whole(budget, 'budget')]
    return decodeSelection(this.#call('glue_select', whole(capacity, 'capacity'), together ? 1 : 0, ...numbers))
  }

  /** null: it is longer than `most` bytes. */
  packing(capacity: number, most: number): string | null {
    this.#needProblem()
    return limited(this.#call('glue_packing', whole(capacity, 'capacity'), most))
  }

  #newModel(): OpenGraphResult & { ok: true } {
    const problem = this.#newProblem(true)
    const tileOptions = decodeOptions(this.#call('glue_tile_options').text())
    const model: GraphModel = { ...decodeGraph(this.#call('glue_graph')), tileOptions, csv: this.exportCsv(null) }
    return { ok: true, model, problem }
  }

  /** Null if it is well. Statuses that are about options, not about the text, throw. */
  #open(name: Call, ...args: number[]): Refused | null {
    const status = this.#status(name, args)
    if (status === 'OK') return null
    if (status === 'BAD_INPUT' || status === 'TOO_LARGE')
      return { ok: false, ...decodeDiagnostics(this.#module.outputs()) }
    throw this.#failure(status, this.#module.outputs())
  }

  #newProblem(ofGraph = false): Problem {
    this.#hasProblem = true
    this.#hasGraph = ofGraph
    this.#hasRun = false
    const problem = decodeProblem(this.#call('glue_problem'))
    if (this.#hasTasks) problem.tasks = decodeTasks(this.#call('glue_tasks'))
    // the problem itself is handed over
    this.#sizes = problem.size.slice()
    return problem
  }

  generate(kind: string, n: number, seed: number): { csv: string; capacity: number } {
    this.#input(kind)
    const out = this.#call('glue_generate', whole(n, 'count'), whole(seed, 'seed'))
    return { csv: out.text(), capacity: out.numbers(0, 1)[0]! }
  }

  /** The problem as CSV, with a column of offsets if they are given (one per buffer, -1: none). */
  exportCsv(offsets: Float64Array | null): string {
    this.#needProblem()
    if (offsets) this.#module.input(offsets)
    return this.#call('glue_csv', offsets ? 1 : 0).text()
  }

  // ---- run

  /** Replaces the run. Nothing is stepped yet; on an error the run before is still there. */
  start(config: RunRequest): void {
    this.#needProblem()
    this.#input(joinWords([config.solver], config.options))
    const { goal = 'fit', capacity, seed, budget } = config
    const numbers = [GOALS.indexOf(goal), whole(capacity, 'capacity'), whole(seed, 'seed'), whole(budget, 'budget')]
    this.#call('glue_run', ...numbers, this.#keyframeBytes)
    this.#hasRun = true
    this.#situation = null
    this.#minimizes = goal !== 'fit'
    this.#moves = goal === 'traffic'
    const domain = this.manifest.schedulers.find(({ id }) => id === config.solver)?.domain
    this.#ofGraph = domain === 'graph'
    this.#selects = domain === 'selection'
    this.#milliseconds = 0
  }

  /** Takes up to `steps` steps, and their time. */
  step(steps: number): OutcomeId {
    const start = this.#clock.now()
    const out = this.#ofRun('glue_step', steps)
    this.#milliseconds += this.#clock.now() - start
    return outcomeId(this.manifest, out.numbers(0, 1)[0]!)
  }

  /** Ends a run that has not ended with the outcome 'cancelled'. */
  cancel(): void {
    this.#ofRun('glue_cancel')
  }

  /** Lets a run go on that was cancelled or had spent its budget. */
  resume(budget: number): void {
    this.#ofRun('glue_resume', whole(budget, 'budget'))
  }

  stats(): RunStats {
    return decodeStats(this.#ofRun('glue_stats', 0), this.manifest, this.#milliseconds / 1000)
  }

  overview(): Overview {
    return decodeOverview(this.#ofRun('glue_overview'), this.manifest.rules.length)
  }

  best(): Float64Array<ArrayBuffer> | null {
    return this.#plan(this.stats()).best
  }

  result(): RunResult {
    const stats = this.stats()
    const result = { stats, overview: this.overview(), ...this.#plan(stats) }
    return this.#ofGraph ? { ...result, plan: decodePlan(this.#ofRun('glue_plan')) } : result
  }

  /** stats: as they stand. They tell the plan of a problem without buffers from none at all. */
  #plan({ height }: RunStats): Pick<RunResult, 'best' | 'conflict'> {
    const out = this.#ofRun('glue_best')
    return {
      best: height >= 0 ? out.numbers(0, out.numberCount) : null,
      conflict: Array.from(out.words(0, out.wordCount)),
    }
  }

  // ---- why not

  /** Begins to look for a reason why the problem does not fit; the one before is given up. Nothing is stepped yet. */
  startExplaining({ capacity, seed, budget }: ExplainConfig): void {
    this.#needProblem()
    this.#call('glue_explain', whole(capacity, 'capacity'), whole(seed, 'seed'), whole(budget, 'budget'))
  }

  /** Up to `steps` steps of it. Once it has ended it must not be asked again. */
  explain(steps: number): Explaining {
    return decodeExplanation(this.#call('glue_explain_step', steps, 0), this.manifest)
  }

  /** Ends it; the set that is known by now is kept. */
  cancelExplaining(): Explaining {
    return decodeExplanation(this.#call('glue_explain_step', 1, 1), this.manifest)
  }

  // ---- time travel

  /** A frame with its situation, which crosses only if it is another one than that of the frame before. */
  #frame(out: Outputs): Frame {
    const { frame, revision, frontier } = decodeFrame(out)
    if (revision < 0) return { ...frame, top: topOf(frame.offset, this.#sizes) }
    if (this.#situation?.revision !== revision) {
      this.#situation = { revision, ...decodeSituation(this.#call('glue_situation')) }
      // of a selection the main pool is the fast memory
      const [main] = this.#situation.problem.pools ?? []
      if (this.#selects && main !== undefined) main.id = 'fast'
      // another order may need less; of the traffic nothing is known here of any other
      if (!this.#moves) this.#situation.problem.lowerBound = this.stats().lowerBound
    }
    const { size } = this.#situation.problem
    return { ...frame, top: topOf(frame.offset, size), situation: { ...this.#situation, frontier } }
  }

  /** The state that the run has reached, without events. */
  now(): Frame {
    const frame = this.#frame(this.#ofRun('glue_now'))
    if (this.#minimizes) frame.bounds = decodeBounds(this.#ofRun('glue_stats', 0))
    return frame
  }

  /** The state after `step` steps (at most those taken), and the events of steps step-before+1 .. step+after. */
  seek(step: number, before: number, after: number): Frame {
    // the step's own event says whether it took buffers back or out, so it is read even if it was not asked for
    const wide = Math.max(1, whole(before, 'before'))
    const out = this.#ofRun('glue_seek', whole(step, 'step'), wide, whole(after, 'after'))
    const frame = this.#frame(out)
    const taken = frame.events.filter((event) => event.step === frame.step).flatMap(takenBy)
    if (wide !== before) frame.events = frame.events.filter((event) => event.step > frame.step - before)
    if (taken.length > 0) {
      const earlier = decodeFrame(this.#ofRun('glue_seek', frame.step - 1, 0, 0)).frame
      frame.undone = taken.map((buffer) => ({ buffer, offset: earlier.offset[buffer]! }))
    }
    if (this.#minimizes) frame.bounds = this.#boundsAt(frame.step)
    return frame
  }

  /** The cursor may stand elsewhere: a seek goes on over the events behind its step. */
  #boundsAt(step: number): Bounds {
    this.#ofRun('glue_seek', step, 0, 0)
    return decodeBounds(this.#ofRun('glue_stats', 1))
  }

  /** The first step after (or the last before) `from` that meets one of the conditions, looking at no more than `limit` steps (0: all). */
  find(from: number, forward: boolean, conditions: readonly Condition[], limit: number): Found {
    const rows = Float64Array.from(conditions.flatMap((condition) => this.#row(condition)))
    this.#module.input(new Uint8Array(rows.buffer))
    const out = this.#ofRun('glue_find', whole(from, 'from'), forward ? 1 : 0, whole(limit, 'limit'))
    const [step, stopped] = out.numbers(0, 2)
    if (step! > 0) return { step: step!, next: null }
    const end = forward ? stopped! >= this.stats().steps : stopped! <= 1
    return { step: 0, next: end || stopped === from ? null : stopped! }
  }

  /** A condition as the glue reads it. */
  #row({ kinds, major, rule, buffer, role, section, above }: Condition): number[] {
    const ask = (value: number | undefined, name: string) => (value === undefined ? -1 : whole(value, name))
    if (rule !== undefined && !(whole(rule, 'rule') < this.manifest.rules.length))
      throw new ClientError(`rule is ${rule}, expected one of the manifest's`, 'argument')
    const steps = kinds === undefined ? -1 : bits(STEP_KINDS, kinds)
    const rules = rule === undefined ? -1 : 2 ** rule
    const roles = role === undefined ? -1 : bits(ROLES, [role])
    return [
      ...[steps, rules, roles],
      ...[ask(buffer, 'buffer'), ask(section, 'section'), ask(above, 'above'), major ? 1 : 0],
    ]
  }

  /** What was tried on the path to a step, looking back over about `limit` steps more than the same question did before. */
  path(step: number, levels: number, most: number, limit: number): TreePath {
    const numbers = [levels, most].map((value) => Math.min(whole(value, 'count'), MOST_WORD)) as [number, number]
    const out = this.#ofRun('glue_path', whole(step, 'step'), ...numbers, Math.max(1, whole(limit, 'limit')))
    return decodePath(out)
  }

  /** Digest over the steps up to `step` (at most those taken). */
  digestAt(step: number): string {
    this.#ofRun('glue_seek', whole(step, 'step'), 0, 0)
    return decodeStats(this.#ofRun('glue_stats', 1), this.manifest, 0).digest
  }
}

/** Bit k: all[k] is among the chosen. */
const bits = <T>(all: readonly T[], chosen: readonly T[]) =>
  all.reduce((sum, one, k) => (chosen.includes(one) ? sum + 2 ** k : sum), 0)

/** The buffers that an event takes back or out. */
function takenBy(event: SearchEvent): number[] {
  const named = listOf(event)
  return named?.role === 'takes' ? [...named.buffers] : []
}

function whole(value: number, name: string): number {
  if (Number.isSafeInteger(value) && value >= 0) return value
  throw new ClientError(`${name} is ${value}, expected a whole number from 0 to 9,007,199,254,740,991`, 'argument')
}

/** A text that begins with whether it is all there. */
const limited = (out: Outputs) => (out.numbers(0, 1)[0] ? out.text() : null)

const optionWords = (options?: Options) => new TextEncoder().encode(joinWords([], options))

/** Each with a NUL behind it. What an option may be the core says. */
function joinWords(first: string[], options?: Options): string {
  const words = [...first, ...Object.entries(options ?? {}).flat()].map(String)
  if (words.some((word) => word.includes('\0'))) throw new ClientError('options: NUL is not allowed', 'argument')
  return words.map((word) => `${word}\0`).join('')
}

function capacityComment(csv: string | Uint8Array): number | null {
  const head = csv.slice(0, HEAD_CHARACTERS)
  const digits = CAPACITY_COMMENT.exec(typeof head === 'string' ? head : new TextDecoder().decode(head))?.[1]
  const value = digits === undefined ? Number.NaN : Number(digits.replace(/[,_]/g, ''))
  return Number.isSafeInteger(value) ? value : null
}
