/** Plain data as the client gives it, for tests of what the page makes of it. */
import type {
  Client,
  Condition,
  EventKind,
  EventOf,
  ExplainConfig,
  ExplainProgress,
  Explanation,
  Frame,
  Manifest,
  OpenGraphResult,
  Overview,
  PackedGraph,
  Problem,
  ProfileSpec,
  ProgramModel,
  Progress,
  RunConfig,
  RunRequest,
  RunResult,
  SelectConfig,
  Selection,
  RunStats,
  TreePath,
  SearchEvent,
  Sought,
  Text,
} from '../../../wasm/client/types'
import type { Box } from '../../../web/src/state/share/box'
import type { Profile } from '../../../web/src/state/profile/profile'
import { eventWith } from './events'
import { openSmall } from './model_fixture'
import { RULES } from './rules'
import { stringOf } from '../../../web/src/state/workbench_values'

export const manifest: Manifest = {
  version: '0.1.0',
  schedulers: [],
  solvers: [
    {
      id: 'minimalloc',
      title: 'MiniMalloc',
      paper: '',
      summary: '',
      domain: 'buffers',
      goals: ['fit'],
      supports: { alignment: true, fixed: true, gaps: true, windows: true, hints: false, banks: true, shapes: false },
      complete: true,
      incompleteWith: ['windows'],
      refutes: false,
      options: [
        { name: 'dominance', type: 'bool', title: 'Dominance', initial: 'true', min: 0, max: 0, choices: [], help: '' },
        {
          name: 'preordering_heuristics',
          type: 'text',
          title: 'Orders',
          initial: 'WAT,TAW',
          min: 0,
          max: 0,
          choices: [],
          help: '',
        },
      ],
      pseudocode: ['search:', '  place'],
    },
    {
      id: 'exact',
      title: 'Arenascope exact',
      paper: '',
      summary: '',
      domain: 'buffers',
      goals: ['fit', 'height'],
      supports: { alignment: true, fixed: true, gaps: true, windows: true, hints: true, banks: true, shapes: false },
      complete: true,
      incompleteWith: [],
      refutes: false,
      options: [
        {
          name: 'portfolio',
          type: 'text',
          title: 'Arms',
          initial: '10WATK,0WATR',
          min: 0,
          max: 0,
          choices: [],
          help: '',
        },
      ],
      pseudocode: ['search:', '  choose'],
    },
  ],
  rules: RULES.map((id) => ({ id, title: id.replace('-', ' '), source: '', text: `The text of ${id}.` })),
  outcomes: [],
  generators: [],
  graphOptions: [
    {
      name: 'order',
      type: 'choice',
      title: 'Schedule',
      initial: 'file',
      min: 0,
      max: 0,
      choices: ['file', 'greedy'],
      help: '',
    },
    { name: 'inplace', type: 'bool', title: 'In place', initial: 'false', min: 0, max: 0, choices: [], help: '' },
  ],
}

/** A text that is read as the five buffers, as any is that does not begin with "bad". */
export const CSV = 'id,lower,upper,size\na,0,1,2\n'

/** Five buffers b1..b5 of size 4, as in the paper; sections [0,3) [3,9) [9,21). */
export function fiveBuffers(): Problem {
  const lower = [0, 3, 0, 9, 0]
  const upper = [3, 9, 9, 21, 21]
  return {
    count: 5,
    ids: ['b1', 'b2', 'b3', 'b4', 'b5'],
    lower: Float64Array.from(lower),
    upper: Float64Array.from(upper),
    size: new Float64Array(5).fill(4),
    alignment: new Float64Array(5).fill(1),
    fixed: new Float64Array(5).fill(-1),
    hint: new Float64Array(5).fill(-1),
    bank: new Float64Array(5),
    gaps: [],
    sections: {
      count: 3,
      lower: Float64Array.from([0, 3, 9]),
      upper: Float64Array.from([3, 9, 21]),
      load: Float64Array.from([12, 12, 8]),
      live: Uint32Array.from([3, 3, 2]),
    },
    peak: 0,
    lowerBound: 12,
    partitions: 1,
    convention: '',
    digest: '0'.repeat(16),
  }
}

/** The text of these five. */
export const FIVE = 'id,lower,upper,size\nb1,0,3,4\nb2,3,9,4\nb3,0,9,4\nb4,9,21,4\nb5,0,21,4\n'

/** What a plain buffer CSV says, without what only the core can work out: sections and bound are those of the five. */
export function problemOf(csv: Text): Problem {
  const rows = stringOf(csv).trim().split('\n').slice(1)
  const column = (k: number, none: number) =>
    Float64Array.from(rows, (row) => Number((row.split(',')[k] ?? '') || none))
  const none = new Float64Array(rows.length)
  return {
    ...fiveBuffers(),
    count: rows.length,
    ids: rows.map((row) => row.split(',')[0] ?? ''),
    lower: column(1, 0),
    upper: column(2, 0),
    size: column(3, 0),
    alignment: column(4, 1),
    fixed: column(5, -1),
    hint: none.slice().fill(-1),
    bank: none,
  }
}

/** The same buffers in the main pool (0) and in one beside it (1). */
export function inPools(problem: Problem, pool: number[]): Problem {
  const { lowerBound, sections, peak } = problem
  const one = { capacity: 0, alignment: 1, bank: 0, lowerBound, sections, peak }
  return {
    ...problem,
    pools: [
      { ...one, id: '' },
      { ...one, id: 'dram', capacity: 64 },
    ],
    pool: Float64Array.from(pool),
  }
}

export function event<K extends EventKind>(
  step: number,
  kind: K,
  said: Partial<EventOf<K>>,
  more: { line?: number; depth?: number; list?: Uint32Array } = {},
): EventOf<K> {
  return eventWith(kind, { line: 5, depth: 1, ...said, ...more, step })
}

export function frameOf(step: number, events: SearchEvent[], more: Partial<Frame> = {}): Frame {
  return {
    step,
    depth: events.at(-1)?.depth ?? 0,
    offset: new Float64Array(5).fill(-1),
    minOffset: new Float64Array(5),
    level: new Int32Array(5),
    stack: new Uint32Array(),
    tried: null,
    candidates: null,
    phases: null,
    events,
    undone: [],
    bounds: null,
    ...more,
  }
}

export function statsOf(steps: number, more: Partial<RunStats> = {}): RunStats {
  return {
    outcome: 'optimal',
    steps,
    backtracks: 0,
    nodes: 0,
    digest: digestOf(steps),
    skipped: 0,
    depth: 5,
    maxDepth: 5,
    maxDepthStep: steps,
    height: 12,
    lowerBound: 12,
    rules: [],
    restarts: 0,
    cost: 12,
    seconds: 0.001,
    ...more,
  }
}

export const digestOf = (step: number): string => (step * 2654435761).toString(16).padStart(16, '0')

const none = new Uint32Array()
export const overview: Overview = {
  width: 1,
  count: 0,
  minDepth: none,
  maxDepth: none,
  lastDepth: none,
  maxUndone: none,
  placed: new Uint32Array(),
  backtracks: none,
  major: none,
  rules: [],
  marks: [],
}

/** Answers when it is told to, so that a test decides what overtakes what. */
export class FakeClient implements Client {
  steps = 100
  /** seeks that were asked for */
  asked: number[] = []
  /** steps at which a jump of any kind stops */
  stops: number[] = [10, 20, 30]
  digest = digestOf
  private held: (() => void)[] = []
  private endRun: ((result: RunResult) => void) | null = null
  private failRun: ((error: unknown) => void) | null = null
  hold = false

  release(): void {
    const held = this.held
    this.held = []
    for (const go of held) go()
  }

  /** what the run under way was asked to do */
  config: RunConfig | null = null
  private tellRun: ((p: Progress) => void) | null = null
  private endExplain: ((found: Explanation) => void) | null = null
  private failExplain: ((error: unknown) => void) | null = null
  private tellExplain: ((p: ExplainProgress) => void) | null = null
  explained: ExplainConfig[] = []
  csv = ''
  /** texts that were opened */
  opened: string[] = []
  /** memories they were opened in */
  profiles: (ProfileSpec | null)[] = []
  /** id of the profile that goes with no problem */
  refuses = ''

  finish(stats = statsOf(this.steps), best: Float64Array<ArrayBuffer> | null = null): void {
    this.endRun?.({ stats, overview, best, conflict: [] })
  }

  progress(stats: RunStats, incumbent: Float64Array<ArrayBuffer> | null): void {
    this.tellRun?.({ stats, overview, frame: null, incumbent })
  }

  explaining(progress: ExplainProgress): void {
    this.tellExplain?.(progress)
  }

  finishExplaining(found: Explanation): void {
    this.endExplain?.(found)
    this.endExplain = null
  }

  breakExplaining(error: unknown): void {
    this.failExplain?.(error)
    this.endExplain = null
  }

  fail(error: unknown): void {
    this.failRun?.(error)
  }

  beginLean(): void {}
  /** long texts that were given up */
  left = 0
  leaveOpen(): void {
    this.left += 1
  }
  prefetch(): void {}
  async complete(): Promise<void> {}
  async manifest() {
    return manifest
  }
  /** options of the lowerings that were asked for */
  lowered: Record<string, string>[] = []
  /** and of which graphs */
  graphs: (string | PackedGraph)[] = []
  /** none is well, whatever it is */
  refusesGraphs = false
  async openGraph(
    graph: string | PackedGraph,
    options: Record<string, string>,
    profile: ProfileSpec | null = null,
  ): Promise<OpenGraphResult> {
    this.lowered.push(options)
    this.graphs.push(graph)
    this.profiles.push(profile)
    if (this.refusesGraphs || (typeof graph === 'string' && graph.startsWith('bad'))) {
      const error = { line: 2, column: 4, length: 1, field: 'inputs', message: 'is not defined' }
      return { ok: false, errors: [error], total: 1 }
    }
    return openSmall()
  }
  async open(csv: string, profile: ProfileSpec | null = null) {
    this.opened.push(csv)
    this.profiles.push(profile)
    if (profile !== null && 'id' in profile && profile.id === this.refuses && !csv.startsWith('bad')) {
      const error = { line: 0, column: 0, length: 0, field: 'bank', message: 'of “b” is 8' }
      return { ok: false as const, errors: [error], total: 1 }
    }
    if (csv.startsWith('bad')) {
      return {
        ok: false as const,
        errors: [{ line: 1, column: 1, length: 3, field: 'id', message: 'is missing' }],
        total: 1,
      }
    }
    return { ok: true as const, problem: fiveBuffers(), suggestedCapacity: null }
  }
  /** the programs that were asked for, and what is answered */
  programs: { capacity: number; model: ProgramModel }[] = []
  programText: string | null = ''
  packings: number[] = []
  packingText: string | null = ''
  async packing(capacity: number, _most: number) {
    this.packings.push(capacity)
    return this.packingText
  }
  async program(capacity: number, model: ProgramModel, _most: number) {
    this.programs.push({ capacity, model })
    return this.programText
  }
  /** what tasks were asked for, and what is answered */
  tilings: { capacity: number; options: Record<string, string> }[] = []
  tiled: string | Error = ''
  async tile(capacity: number, options: Record<string, string>) {
    this.tilings.push({ capacity, options })
    if (typeof this.tiled !== 'string') throw this.tiled
    return this.tiled
  }
  /** what was to be chosen, and what is answered */
  selections: SelectConfig[] = []
  selected: (config: SelectConfig) => Selection | Promise<Selection> = () => {
    throw new Error('nothing is chosen here')
  }
  async select(config: SelectConfig) {
    this.selections.push(config)
    return this.selected(config)
  }
  async generate() {
    return { csv: 'id,lower,upper,size\n', capacity: 12 }
  }
  run(request?: RunRequest, progress?: (p: Progress) => void): Promise<RunResult> {
    // the page has its options as texts
    if (request !== undefined) this.config = request as RunConfig
    this.tellRun = progress ?? null
    return new Promise((resolve, reject) => {
      this.endRun = resolve
      this.failRun = reject
      if (!this.hold) this.finish()
    })
  }
  cancel(): void {
    this.finishExplaining({
      outcome: 'cancelled',
      buffers: [],
      tried: 0,
      irreducible: false,
      section: -1,
      steps: 3,
    })
    this.finish(statsOf(7, { outcome: 'cancelled', height: -1 }))
  }
  resume() {
    return this.run()
  }
  /** paths that were asked for: step, levels, most, limit */
  pathsAsked: number[][] = []
  /** what was tried, as the core would tell it; null: nothing is known */
  path = async (...asked: [number, number, number, number]): Promise<TreePath | null> => {
    this.pathsAsked.push(asked)
    return null
  }
  seek(step: number): Promise<Frame | null> {
    this.asked.push(step)
    return new Promise((resolve) => {
      const go = () => resolve(frameOf(step, []))
      if (this.hold) this.held.push(go)
      else go()
    })
  }
  async find(from: number, forward: boolean) {
    const list = forward ? this.stops.filter((s) => s > from) : this.stops.filter((s) => s < from).reverse()
    return list[0] ?? 0
  }
  /** conditions that were scanned for, with where from and the budget */
  scans: { from: number; conditions: readonly Condition[]; budget: number }[] = []
  async scan(from: number, forward: boolean, conditions: readonly Condition[], budget: number): Promise<Sought | null> {
    this.scans.push({ from, conditions, budget })
    if (this.hold) await new Promise<void>((resolve) => this.held.push(resolve))
    const last = budget === 0 ? this.steps : Math.min(this.steps, from + budget)
    const step = await this.find(from, forward)
    if (!forward) return { step, stopped: step, over: step === 0 }
    if (step > 0 && step <= last) return { step, stopped: step, over: false }
    return { step: 0, stopped: last, over: last === this.steps }
  }
  async digestAt(step: number) {
    return this.digest(step)
  }
  async exportCsv() {
    return this.csv
  }
  explain(config: ExplainConfig, progress: (p: ExplainProgress) => void): Promise<Explanation> {
    this.explained.push(config)
    this.tellExplain = progress
    return new Promise((resolve, reject) => {
      this.endExplain = resolve
      this.failExplain = reject
    })
  }
  dispose(): void {}
}

/** Two buffers that do not fit alone, and need each other for it. */
export function explanationOf(more: Partial<Explanation> = {}): Explanation {
  return { outcome: 'infeasible', buffers: [0, 2], tried: 2, irreducible: true, section: -1, steps: 40, ...more }
}

/** A profile of one's own. */
export function profileOf(more: Partial<Profile> = {}): Profile {
  return {
    id: 'own-1',
    title: 'Mine',
    vendor: '',
    capacity: 65536,
    reserved: 0,
    alignment: 1,
    alignBy: 'offset',
    bank: 0,
    mayCross: false,
    ...more,
  }
}

/** A browser's storage, which may be full. */
export class FakeStorage implements Box {
  readonly kept = new Map<string, string>()
  /** characters that it takes in one entry */
  room = Number.POSITIVE_INFINITY
  get length(): number {
    return this.kept.size
  }
  key(k: number): string | null {
    return [...this.kept.keys()][k] ?? null
  }
  getItem(key: string): string | null {
    return this.kept.get(key) ?? null
  }
  setItem(key: string, value: string): void {
    if (value.length > this.room) throw new DOMException('It is full.', 'QuotaExceededError')
    this.kept.set(key, value)
  }
  removeItem(key: string): void {
    this.kept.delete(key)
  }
  clear(): void {
    this.kept.clear()
  }
}
