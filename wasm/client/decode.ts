import { decodeEvent, EVENT_NUMBERS, STEP_KINDS, type SearchEvent } from './events'
import type { Outputs } from './module'
import { PackedNames, seen } from './names'
import {
  type Attempt,
  type Bounds,
  type Constraint,
  type Diagnostic,
  type ExplainProgress,
  type Explanation,
  type Frame,
  type Gap,
  GOALS,
  type GraphModel,
  type Manifest,
  type OptionType,
  type OutcomeId,
  type Overview,
  type Plan,
  type Pool,
  type Problem,
  type RunStats,
  type Sections,
  type Selection,
  type ShapeRect,
  type SolverInfo,
  type SolverOption,
  type Tasks,
  type TreePath,
  VERDICTS,
} from './types'

/** Names that the core's numbers stand for. */
export interface Names {
  manifest: Manifest
  /** index = asc_status: name of the enumerator, and its sentence */
  statuses: { id: string; text: string }[]
}

const OPTION_TYPES: readonly OptionType[] = ['bool', 'int', 'choice', 'text']
const MARK_KINDS = ['restart', 'incumbent', 'decompose'] as const
const STATS_HEAD = 14
const STATS_HEIGHT = 10

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
  domain: SolverInfo['domain']
  goals: number
  supports: number
  incompleteWith: number
  complete: boolean
  refutes: boolean
  pseudocode: string
  options: RawOption[]
}
interface RawManifest {
  version: string
  rules: Manifest['rules']
  outcomes: Manifest['outcomes']
  statuses: Names['statuses']
  generators: Manifest['generators']
  solvers: RawSolver[]
  graphOptions: RawOption[]
}

export function pseudocodeLines(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}

function option(raw: RawOption): SolverOption {
  return {
    ...raw,
    type: OPTION_TYPES[raw.type] ?? 'text',
    choices: raw.choices === '' ? [] : raw.choices.split('|'),
  }
}

/** By their bits, from the first on. */
const CONSTRAINTS: Constraint[] = ['alignment', 'fixed', 'gaps', 'windows', 'hints', 'banks', 'shapes']

function solver(raw: RawSolver): SolverInfo {
  return {
    id: raw.id,
    title: raw.title,
    paper: raw.paper,
    summary: raw.summary,
    domain: raw.domain,
    goals: GOALS.filter((_, k) => (raw.goals >> k) & 1),
    supports: Object.fromEntries(
      CONSTRAINTS.map((name, k) => [name, ((raw.supports >> k) & 1) === 1]),
    ) as SolverInfo['supports'],
    incompleteWith: CONSTRAINTS.filter((_, k) => (raw.incompleteWith >> k) & 1),
    complete: raw.complete,
    refutes: raw.refutes,
    options: raw.options.map(option),
    pseudocode: pseudocodeLines(raw.pseudocode),
  }
}

/** The JSON of glue_manifest, on the page as wasm/manifest.mjs has kept it. It comes from the module itself, which is as trusted as this file. */
export function decodeManifest(json: string): Names {
  const raw = JSON.parse(json) as RawManifest
  const { version, rules, outcomes, generators, statuses } = raw
  const all = raw.solvers.map(solver)
  const solvers = all.filter(({ domain }) => domain === 'buffers')
  const schedulers = all.filter(({ domain }) => domain !== 'buffers')
  const graphOptions = raw.graphOptions.map(option)
  return { manifest: { version, solvers, schedulers, rules, outcomes, generators, graphOptions }, statuses }
}

/** The JSON of glue_tile_options. */
export function decodeOptions(json: string): SolverOption[] {
  return (JSON.parse(json) as RawOption[]).map(option)
}

/** What glue_tasks left. */
export function decodeTasks(out: Outputs): Tasks {
  const [, told, ...bytes] = out.numbers(0, out.numberCount)
  const words = out.words(0, out.wordCount)
  const column = (at: number) => words.filter((_, k) => k % 3 === at)
  const ends = (at: number) => Float64Array.from(bytes.filter((_, k) => k % 2 === at))
  const [task, buffer, writes] = [column(0), column(1), Uint8Array.from(column(2))]
  return { ids: out.strings(), chunks: told ? { task, buffer, writes, from: ends(0), to: ends(1) } : null }
}

/** The messages that a call left when it refused its input; what they quote of it is made fit to be shown. */
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
      field: seen(texts[2 * k] ?? ''),
      message: seen(texts[2 * k + 1] ?? ''),
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

const NO_NUMBERS = new Float64Array(0)
const NO_WORDS = new Uint32Array(0)

function sectionsOf(columns: Columns, count: number): Sections {
  return {
    count,
    lower: columns.numbers(count),
    upper: columns.numbers(count),
    load: columns.numbers(count),
    live: columns.words(count),
  }
}

function poolOf(columns: Columns, id: string): Pool {
  const [capacity = 0, alignment = 1, bank = 0, lowerBound = 0, peak = -1, count = 0] = columns.numbers(6)
  return { id, capacity, alignment, bank, lowerBound, peak, sections: sectionsOf(columns, count) }
}

function rows(columns: Columns, count: number): Float64Array[] {
  const numbers = columns.numbers(5 * count)
  return Array.from({ length: count }, (_, k) => numbers.subarray(5 * k, 5 * k + 5))
}

function rectOf([buffer = 0, lower = 0, upper = 0, from = 0, to = 0]: Float64Array): ShapeRect {
  return { buffer, lower, upper, from, to }
}

function gapOf([buffer = 0, lower = 0, upper = 0, windowLower = 0, windowUpper = 0]: Float64Array): Gap {
  return { buffer, lower, upper, windowLower, windowUpper }
}

export const decodeProblem = (out: Outputs): Problem => problemOf(new Columns(out))

function problemOf(columns: Columns): Problem {
  const [
    n = 0,
    m = 0,
    peak = -1,
    lowerBound = 0,
    partitions = 0,
    high = 0,
    low = 0,
    gaps = 0,
    rects = 0,
    pools = 1,
    read,
  ] = columns.numbers(11)
  const text = columns.out.textBytes()
  const head = PackedNames.of(text, 1 + pools, 0)
  const problem: Problem = {
    count: n,
    ids: PackedNames.of(text, n, 1 + pools),
    lower: columns.numbers(n),
    upper: columns.numbers(n),
    size: columns.numbers(n),
    alignment: columns.numbers(n),
    fixed: columns.numbers(n),
    hint: columns.numbers(n),
    bank: columns.numbers(n),
    gaps: [],
    sections: { count: 0, lower: NO_NUMBERS, upper: NO_NUMBERS, load: NO_NUMBERS, live: NO_WORDS },
    peak,
    lowerBound,
    partitions,
    convention: head.at(0) ?? '',
    ...(read ? { read } : {}),
    digest: hex64(high, low),
  }
  const pool = columns.numbers(n)
  problem.sections = sectionsOf(columns, m)
  problem.gaps = rows(columns, gaps).map(gapOf)
  if (rects > 0) problem.rects = rows(columns, rects).map(rectOf)
  if (pools > 1 || pool.includes(-1)) problem.pool = pool
  if (pools === 1) return problem
  problem.pools = Array.from({ length: pools }, (_, p) => poolOf(columns, head.at(1 + p) ?? ''))
  return problem
}

/** The problem of a situation, and the rows of the operators as they run. */
export function decodeSituation(out: Outputs): { problem: Problem; order: Uint32Array<ArrayBuffer> } {
  const columns = new Columns(out)
  const problem = problemOf(columns)
  return { problem, order: columns.words(columns.wordsLeft) }
}

const KINDS = ['input', 'output', 'constant', 'variable', 'workspace']

/** 'input+output' and the like. */
function kindName(bits: number): string {
  return KINDS.filter((_, k) => (bits >> k) & 1).join('+') || 'activation'
}

/** The lists of all operators, one behind the other. */
class Lists {
  readonly items: number[] = []
  readonly start = [0]
  /** Takes the list that begins with its length; returns where it ends. */
  take(words: Uint32Array, at: number): number {
    const end = at + 1 + words[at]!
    for (let k = at + 1; k < end; k++) this.items.push(words[k]!)
    this.start.push(this.items.length)
    return end
  }
}

/** The model without its CSV. */
export function decodeGraph(out: Outputs): Omit<GraphModel, 'csv' | 'tileOptions'> {
  const columns = new Columns(out)
  const [tensors = 0, ops = 0, required = 0, half = 0, peak = 0] = columns.numbers(5)
  const bytes = columns.numbers(tensors)
  const words = columns.words(out.wordCount)
  // an index that is none has all bits set: -1 when it is read with a sign
  const signed = new Int32Array(words.buffer)
  const texts = out.strings()
  const perTensor = (field: number) => Array.from({ length: tensors }, (_, k) => texts[3 * k + field]!)
  const perOp = (field: number) => Array.from({ length: ops }, (_, k) => texts[3 * tensors + 2 * k + field]!)
  const inputs = new Lists()
  const outputs = new Lists()
  const row = new Uint32Array(ops)
  const workspace = new Int32Array(ops)
  for (let k = 0, at = 3 * tensors; k < ops; k++) {
    row[k] = words[at]!
    workspace[k] = signed[at + 1]!
    at = outputs.take(words, inputs.take(words, at + 2))
  }
  return {
    tensors: {
      count: tensors,
      ids: perTensor(0),
      bytes,
      kind: Array.from({ length: tensors }, (_, k) => kindName(words[3 * k]!)),
      shape: perTensor(1),
      dtype: perTensor(2),
      buffer: Int32Array.from({ length: tensors }, (_, k) => signed[3 * k + 1]!),
      producer: Int32Array.from({ length: tensors }, (_, k) => signed[3 * k + 2]!),
    },
    ops: {
      count: ops,
      ids: perOp(0),
      types: perOp(1),
      row,
      inputs: Uint32Array.from(inputs.items),
      inputStart: Uint32Array.from(inputs.start),
      outputs: Uint32Array.from(outputs.items),
      outputStart: Uint32Array.from(outputs.start),
      workspace,
    },
    budgets: { required, half, peak },
    notes: texts.slice(3 * tensors + 2 * ops),
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
    cost: at(13),
    rules: Array.from(numbers.subarray(STATS_HEAD)),
    seconds,
  }
}

/** A graph's plan; null: there is none, or it is of buffers. */
export function decodePlan(out: Outputs): Plan | null {
  if (out.wordCount === 0) return null
  const count = out.numberCount / 4
  const words = out.words(0, out.wordCount)
  const rows = out.numbers(0, out.numberCount)
  const column = (k: number) => Float64Array.from({ length: count }, (_, stay) => rows[4 * stay + k]!)
  return {
    order: words.slice(0, words.length - count),
    stays: {
      count,
      item: words.slice(words.length - count),
      lower: column(0),
      upper: column(1),
      offset: column(2),
      outside: Uint8Array.from(column(3), (pool) => (pool === 0 ? 0 : 1)),
    },
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
    placed: columns.words(columns.wordsLeft),
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

function decodeEvents(rows: Float64Array, lists: Uint32Array): SearchEvent[] {
  return Array.from({ length: rows.length / EVENT_NUMBERS }, (_, k) => decodeEvent(rows, k * EVENT_NUMBERS, lists))
}

/** The greatest end of what is placed. */
export function topOf(offset: Float64Array, size: Float64Array): number {
  let top = 0
  for (let k = 0; k < offset.length; k++) {
    const low = offset[k]!
    if (low >= 0 && low + size[k]! > top) top = low + size[k]!
  }
  return top
}

/**
 * A frame without ghosts and bounds: the buffers taken back by its step have to be looked up at the step before, and the bounds are
 * among the statistics. revision and frontier: of the situation, -1 if the buffers are the problem's own.
 */
export function decodeFrame(out: Outputs): { frame: Frame; revision: number; frontier: number } {
  const columns = new Columns(out)
  const [step = 0, depth = 0, hasMinimum = 0, branches = 0, hasPhases = 0, events = 0] = columns.numbers(6)
  const [count = 0, revision = -1, frontier = -1] = columns.numbers(3)
  const offset = columns.numbers(count)
  const minOffset = hasMinimum ? columns.numbers(count) : null
  const rows = columns.numbers(events * EVENT_NUMBERS)
  const stack = columns.words(depth)
  const tried = branches ? columns.words(depth) : null
  const candidates = branches ? columns.words(depth) : null
  const phases = hasPhases ? columns.words(count) : null
  const frame: Frame = {
    step,
    depth,
    offset,
    minOffset,
    level: levels(stack, count),
    stack,
    tried,
    candidates,
    phases,
    events: decodeEvents(rows, columns.words(columns.wordsLeft)),
    undone: [],
    bounds: null,
  }
  return { frame, revision, frontier }
}

export function decodePath(out: Outputs): TreePath {
  const columns = new Columns(out)
  const [step = 0, depth = 0, top = 0, tried = 0, candidates = 0, count = 0, complete = 0, from = 0] =
    columns.numbers(8)
  const nodes = depth - top + 1
  const opened = columns.numbers(nodes)
  const [decided, end, offset] = [columns.numbers(count), columns.numbers(count), columns.numbers(count)]
  const [counts, more, wholes] = [columns.words(nodes), columns.words(nodes), columns.words(nodes)]
  const [buffer, size, kind, rule] = [
    columns.words(count),
    columns.words(count),
    columns.words(count),
    columns.words(count),
  ]
  const attempt = (k: number): Attempt => ({
    step: decided[k]!,
    end: end[k]!,
    // the core sends no other kinds
    kind: STEP_KINDS[kind[k]!] as Attempt['kind'],
    buffer: size[k] === 0 ? -1 : buffer[k]!,
    offset: offset[k]!,
    count: size[k]!,
    rule: rule[k]!,
  })
  let next = 0
  const node = (k: number) => {
    const attempts = Array.from({ length: counts[k]! }, (_, j) => attempt(next + j))
    next += attempts.length
    return { step: opened[k]!, attempts, more: more[k]!, whole: wholes[k] === 1 }
  }
  const list = Array.from({ length: nodes }, (_, k) => node(k))
  return { step, depth, top, nodes: list, tried, candidates, whole: complete === 1, from }
}

const SELECTION_NUMBERS = 7
const ROW_WORDS = 3

export function decodeSelection(out: Outputs): Selection {
  const columns = new Columns(out)
  const [bytes = 0, fastBytes = 0, count = 0, fast = 0, repacks = 0, repacked = 0, steps = 0] =
    columns.numbers(SELECTION_NUMBERS)
  const moved = columns.numbers(count)
  const words = columns.words(ROW_WORDS * count)
  const rows = Array.from(moved, (of, k) => {
    const [buffer = 0, accesses = 0, verdict = 0] = words.subarray(ROW_WORDS * k, ROW_WORDS * (k + 1))
    return { buffer, accesses, bytes: of, verdict: VERDICTS[verdict] ?? 'waits' }
  })
  return { bytes, fastBytes, count, fast, repacks, repacked, steps, rows }
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
