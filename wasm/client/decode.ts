import type { Outputs } from './module'
import type {
  AlignBy,
  Bounds,
  Diagnostic,
  ExplainProgress,
  Explanation,
  Frame,
  Gap,
  Manifest,
  OptionType,
  OutcomeId,
  Overview,
  Problem,
  ProfileInfo,
  RunStats,
  SearchEvent,
  SolverInfo,
} from './types'

/** Names that the core's numbers stand for. */
export interface Names {
  manifest: Manifest
  /** index = asc_status: name of the enumerator, and its sentence */
  statuses: { id: string; text: string }[]
}

const OPTION_TYPES: readonly OptionType[] = ['bool', 'int', 'choice', 'text']
/** index = asc_align_by */
export const ALIGN_BY: readonly AlignBy[] = ['offset', 'size', 'both']
const MARK_KINDS = ['restart', 'incumbent', 'decompose'] as const
const STATS_HEAD = 13
const STATS_HEIGHT = 10
const EVENT_NUMBERS = 12

interface RawOption {
  name: string
  type: number
  title: string
  initial: string
  min: number
  max: number
  choices: string
  help: string
}
interface RawSolver {
  id: string
  title: string
  paper: string
  summary: string
  supports: number
  complete: boolean
  pseudocode: string
  options: RawOption[]
}
interface RawEvent extends Record<'a' | 'b' | 'c' | 'd' | 'e' | 'f', string> {
  id: string
  step: string
}
interface RawManifest {
  version: string
  rules: Manifest['rules']
  events: RawEvent[]
  outcomes: Manifest['outcomes']
  statuses: Names['statuses']
  generators: Manifest['generators']
  profiles: (Omit<ProfileInfo, 'alignBy'> & { alignBy: number })[]
  solvers: RawSolver[]
}

function lines(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}

function solver(raw: RawSolver): SolverInfo {
  const has = (bit: number) => (raw.supports & bit) !== 0
  return {
    id: raw.id,
    title: raw.title,
    paper: raw.paper,
    summary: raw.summary,
    supports: { alignment: has(1), fixed: has(2), gaps: has(4), windows: has(8), hints: has(16), banks: has(32) },
    complete: raw.complete,
    options: raw.options.map((option) => ({
      ...option,
      type: OPTION_TYPES[option.type] ?? 'text',
      choices: option.choices === '' ? [] : option.choices.split('|'),
    })),
    pseudocode: lines(raw.pseudocode),
  }
}

/** The JSON of glue_manifest. It comes from the module itself, which is as trusted as this file. */
export function decodeManifest(json: string): Names {
  const raw = JSON.parse(json) as RawManifest
  const events = raw.events.map((e) => ({
    id: e.id,
    step: e.step === '1',
    args: [e.a, e.b, e.c, e.d, e.e, e.f],
  }))
  const { version, rules, outcomes, generators, statuses } = raw
  const profiles = raw.profiles.map((profile) => ({ ...profile, alignBy: ALIGN_BY[profile.alignBy] ?? 'offset' }))
  const solvers = raw.solvers.map(solver)
  return { manifest: { version, solvers, rules, events, outcomes, profiles, generators }, statuses }
}

/** The messages that a call left when it refused its input. */
export function decodeDiagnostics(out: Outputs): { total: number; errors: Diagnostic[] } {
  if (out.numberCount === 0) return { total: 0, errors: [] }
  const numbers = out.numbers(0, out.numberCount)
  const texts = out.strings()
  const errors: Diagnostic[] = []
  for (let k = 0; 3 * k + 3 < numbers.length; k++) {
    errors.push({
      line: numbers[3 * k + 1]!,
      column: numbers[3 * k + 2]!,
      length: numbers[3 * k + 3]!,
      field: texts[2 * k] ?? '',
      message: texts[2 * k + 1] ?? '',
    })
  }
  return { total: numbers[0]!, errors }
}

/** Two halves of 32 bits as 16 hexadecimal digits. */
function hex64(high: number, low: number): string {
  return high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0')
}

/** Takes arrays out of the outputs in the order in which the core put them there. */
class Columns {
  #number = 0
  #word = 0
  constructor(readonly out: Outputs) {}
  numbers(count: number): Float64Array<ArrayBuffer> {
    this.#number += count
    return this.out.numbers(this.#number - count, count)
  }
  words(count: number): Uint32Array<ArrayBuffer> {
    this.#word += count
    return this.out.words(this.#word - count, count)
  }
  get numbersLeft(): number {
    return this.out.numberCount - this.#number
  }
  get wordsLeft(): number {
    return this.out.wordCount - this.#word
  }
}

export function decodeProblem(out: Outputs): Problem {
  const columns = new Columns(out)
  const [n = 0, m = 0, peak = -1, lowerBound = 0, partitions = 0, high = 0, low = 0] = columns.numbers(7)
  const [convention, ...ids] = out.strings()
  const problem: Problem = {
    count: n,
    ids,
    lower: columns.numbers(n),
    upper: columns.numbers(n),
    size: columns.numbers(n),
    alignment: columns.numbers(n),
    fixed: columns.numbers(n),
    hint: columns.numbers(n),
    bank: columns.numbers(n),
    gaps: [],
    sections: {
      count: m,
      lower: columns.numbers(m),
      upper: columns.numbers(m),
      load: columns.numbers(m),
      live: columns.words(m),
    },
    peak,
    lowerBound,
    partitions,
    convention: convention ?? '',
    digest: hex64(high, low),
  }
  const gaps = columns.numbers(columns.numbersLeft)
  for (let k = 0; k + 5 <= gaps.length; k += 5) problem.gaps.push(gap(gaps, k))
  return problem
}

function gap(numbers: Float64Array, k: number): Gap {
  return {
    buffer: numbers[k]!,
    lower: numbers[k + 1]!,
    upper: numbers[k + 2]!,
    windowLower: numbers[k + 3]!,
    windowUpper: numbers[k + 4]!,
  }
}

export function outcomeId(manifest: Manifest, outcome: number): OutcomeId {
  return manifest.outcomes[outcome]!.id
}

export function decodeStats(out: Outputs, manifest: Manifest, seconds: number): RunStats {
  const numbers = out.numbers(0, out.numberCount)
  const at = (k: number) => numbers[k]!
  return {
    outcome: outcomeId(manifest, at(0)),
    steps: at(1),
    backtracks: at(2),
    nodes: at(3),
    digest: hex64(at(4), at(5)),
    skipped: at(6),
    depth: at(7),
    maxDepth: at(8),
    maxDepthStep: at(9),
    height: at(10),
    lowerBound: at(11),
    restarts: at(12),
    rules: Array.from(numbers.subarray(STATS_HEAD)),
    seconds,
  }
}

export function decodeOverview(out: Outputs, ruleCount: number): Overview {
  const columns = new Columns(out)
  const [width = 1, count = 0] = columns.numbers(2)
  const marks = columns.numbers(columns.numbersLeft)
  const overview: Overview = {
    width,
    count,
    minDepth: columns.words(count),
    maxDepth: columns.words(count),
    lastDepth: columns.words(count),
    maxUndone: columns.words(count),
    backtracks: columns.words(count),
    major: columns.words(count),
    rules: Array.from({ length: ruleCount }, () => columns.words(count)),
    marks: [],
  }
  for (let k = 0; k + 3 <= marks.length; k += 3)
    overview.marks.push({ step: marks[k]!, kind: MARK_KINDS[marks[k + 1]!] ?? 'decompose', value: marks[k + 2]! })
  return overview
}

function levels(stack: Uint32Array, count: number): Int32Array<ArrayBuffer> {
  const level = new Int32Array(count)
  for (let k = 0; k < stack.length; k++) level[stack[k]!] = k + 1
  return level
}

function decodeEvents(rows: Float64Array, lists: Uint32Array, manifest: Manifest): SearchEvent[] {
  const events: SearchEvent[] = []
  for (let k = 0; k + EVENT_NUMBERS <= rows.length; k += EVENT_NUMBERS) {
    const start = rows[k + 10]!
    events.push({
      step: rows[k]!,
      kind: rows[k + 1]!,
      id: manifest.events[rows[k + 1]!]!.id,
      line: rows[k + 2]!,
      depth: rows[k + 3]!,
      args: Array.from(rows.subarray(k + 4, k + 10)) as SearchEvent['args'],
      list: lists.subarray(start, start + rows[k + 11]!),
    })
  }
  return events
}

/**
 * A frame without ghosts and bounds: the buffers taken back by its step have to be looked up at the step before, and the bounds are
 * among the statistics.
 */
export function decodeFrame(out: Outputs, manifest: Manifest, count: number): Frame {
  const columns = new Columns(out)
  const [step = 0, depth = 0, hasMinimum = 0, branches = 0, events = 0] = columns.numbers(5)
  const offset = columns.numbers(count)
  const minOffset = hasMinimum ? columns.numbers(count) : null
  const rows = columns.numbers(events * EVENT_NUMBERS)
  const stack = columns.words(depth)
  const tried = branches ? columns.words(depth) : null
  const candidates = branches ? columns.words(depth) : null
  return {
    step,
    depth,
    offset,
    minOffset,
    level: levels(stack, count),
    stack,
    tried,
    candidates,
    events: decodeEvents(rows, columns.words(columns.wordsLeft), manifest),
    undone: [],
    bounds: null,
  }
}

export function decodeBounds(out: Outputs): Bounds {
  const [height = -1, lowerBound = 0] = out.numbers(STATS_HEIGHT, 2)
  return { lowerBound, height }
}

/** How far an explanation is, and, when it has ended, what it is. */
export function decodeExplanation(out: Outputs, manifest: Manifest): ExplainProgress & { ended: Explanation | null } {
  const [outcome = 0, steps = 0, count = 0, tried = 0, irreducible = 0, section = -1] = out.numbers(0, 6)
  const id = outcomeId(manifest, outcome)
  if (id === 'running') return { steps, count, tried, ended: null }
  const buffers = Array.from(out.words(0, count))
  return { steps, count, tried, ended: { outcome: id, buffers, tried, irreducible: irreducible === 1, section, steps } }
}
