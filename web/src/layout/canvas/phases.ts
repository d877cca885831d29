/**
 * Contention phases as time ranges (TelaMalloc, section 5.3 and figure 9). A threshold falls from the capacity; the times at or above it
 * form ranges, and the buffers that touch one and belong to no phase yet are its phase. The core says which buffer is of which phase;
 * here is when: a phase lasts over its range, but for the times that an earlier phase has already.
 */
import { spotOf } from '../../../../wasm/client/events'
import type { Frame, Problem, SearchEvent } from '../../../../wasm/client/types'
import { sectionAfter } from './load'
import { piecesOf } from './pieces'

/** The phase of a buffer that occupies nothing. */
export const NO_PHASE = 0xffffffff

export interface PhaseBand {
  /** from 0, in the order in which the search takes them */
  phase: number
  /** times */
  lower: number
  upper: number
}

interface Known {
  problem: Problem
  phases: Uint32Array
  bands: PhaseBand[]
}
let known: Known | null = null

/** In order of time. Kept for the phases last seen, for each frame brings its own copy of the same ones. O(n) then. */
export function phaseBands(problem: Problem, phases: Uint32Array): PhaseBand[] {
  const same = known?.problem === problem && known.phases.every((phase, k) => phase === phases[k])
  if (known === null || !same) known = { problem, phases, bands: bandsOf(problem, phases) }
  return known.bands
}

/** First and end of the sections of each piece of a buffer. */
function* sectionsOf(problem: Problem, buffer: number): Generator<[number, number]> {
  const pieces = piecesOf(problem)
  for (let k = pieces.first[buffer] as number; k < (pieces.first[buffer + 1] as number); k++)
    yield [sectionAfter(problem, pieces.lower[k] as number), sectionAfter(problem, pieces.upper[k] as number)]
}

/** Where the load is greatest among any sections [first, end), the first of equals: two overlapping powers of two hold them all. */
class Busiest {
  private readonly tables: Uint32Array[]

  constructor(private readonly load: Float64Array) {
    const count = load.length
    this.tables = [Uint32Array.from({ length: count }, (_, s) => s)]
    for (let half = 1; 2 * half <= count; half *= 2) {
      const below = this.tables[this.tables.length - 1] as Uint32Array
      this.tables.push(
        Uint32Array.from({ length: count - 2 * half + 1 }, (_, s) =>
          this.higher(below[s] as number, below[s + half] as number),
        ),
      )
    }
  }

  private higher(a: number, b: number): number {
    return (this.load[b] as number) > (this.load[a] as number) ? b : a
  }

  /** -1 if there are none. O(1). */
  among(first: number, end: number): number {
    if (first >= end) return -1
    const k = 31 - Math.clz32(end - first)
    const table = this.tables[k] as Uint32Array
    return this.higher(table[first] as number, table[end - (1 << k)] as number)
  }
}

/** Runs of joined sections, each known by its first one, with the greatest load in it. */
class Runs {
  private readonly root: Int32Array
  readonly end: Uint32Array
  readonly peak: Float64Array

  /** joined[s]: some buffer spans from section s to the next, so that a range may */
  constructor(
    private readonly load: Float64Array,
    private readonly joined: Uint8Array,
    count: number,
  ) {
    this.root = new Int32Array(count).fill(-1)
    this.end = new Uint32Array(count)
    this.peak = new Float64Array(count)
  }

  of(section: number): number {
    let s = section
    while ((this.root[s] as number) !== s) {
      this.root[s] = this.root[this.root[s] as number] as number
      s = this.root[s] as number
    }
    return s
  }

  add(section: number): void {
    this.root[section] = section
    this.end[section] = section + 1
    this.peak[section] = this.load[section] as number
    if (section > 0 && this.root[section - 1] !== -1 && this.joined[section - 1]) this.unite(section - 1, section)
    if (section + 1 < this.root.length && this.root[section + 1] !== -1 && this.joined[section])
      this.unite(section, section + 1)
  }

  private unite(left: number, right: number): void {
    const a = this.of(left)
    const b = this.of(right)
    this.root[b] = a
    this.end[a] = this.end[b] as number
    this.peak[a] = Math.max(this.peak[a] as number, this.peak[b] as number)
  }

  /** The run with the highest peak among `best` and those that the sections touch, the earliest of equals; -1 without any. O(runs). */
  highest(busiest: Busiest, first: number, end: number, best: number): number {
    let run = best
    const left = [first, end]
    while (left.length > 0) {
      const to = left.pop() as number
      const from = left.pop() as number
      const s = busiest.among(from, to)
      if (s < 0 || this.root[s] === -1) continue
      const here = this.of(s)
      if (run < 0 || this.ahead(here, run)) run = here
      left.push(from, here, this.end[here] as number, to)
    }
    return run
  }

  private ahead(a: number, b: number): boolean {
    const higher = (this.peak[a] as number) - (this.peak[b] as number)
    return higher > 0 || (higher === 0 && a < b)
  }
}

/**
 * A phase's threshold is the least contention among its buffers: they were assigned when it fell to theirs, or, where it falls in steps,
 * soon after. O((buffers + sections) log sections), more only where ranges are many and buffers long.
 */
function bandsOf(problem: Problem, phases: Uint32Array): PhaseBand[] {
  const { count, load } = problem.sections
  const busiest = new Busiest(load)
  const members: number[][] = []
  const threshold: number[] = []
  for (let b = 0; b < problem.count; b++) {
    const phase = phases[b] as number
    let contention = 0
    for (const [first, end] of sectionsOf(problem, b)) {
      contention = Math.max(contention, load[busiest.among(first, end)] ?? 0)
    }
    if (phase === NO_PHASE) continue
    const list = members[phase] ?? []
    members[phase] = list
    list.push(b)
    threshold[phase] = Math.min(threshold[phase] ?? Number.POSITIVE_INFINITY, contention)
  }
  const runs = new Runs(load, joinedOf(problem), count)
  const owner = new Int32Array(count).fill(-1)
  const falling = Uint32Array.from({ length: count }, (_, s) => s).sort(
    (a, b) => (load[b] as number) - (load[a] as number),
  )
  const order = [...threshold.keys()].filter((phase) => members[phase] !== undefined)
  order.sort((a, b) => (threshold[b] as number) - (threshold[a] as number) || a - b)
  let at = 0
  for (const phase of order) {
    while (at < count && (load[falling[at] as number] as number) >= (threshold[phase] as number))
      runs.add(falling[at++] as number)
    own(problem, runs, busiest, members[phase] ?? [], phase, owner)
  }
  return merged(problem, owner)
}

/** By section: some buffer spans from it to the next. A gap does not part a buffer from itself. */
function joinedOf(problem: Problem): Uint8Array {
  const { count } = problem.sections
  const change = new Int32Array(count + 1)
  for (let b = 0; b < problem.count; b++) {
    const first = sectionAfter(problem, problem.lower[b] as number)
    const end = sectionAfter(problem, problem.upper[b] as number)
    if (first >= end) continue
    change[first] = (change[first] as number) + 1
    change[end - 1] = (change[end - 1] as number) - 1
  }
  let spans = 0
  return Uint8Array.from({ length: count }, (_, s) => {
    spans += change[s] as number
    return spans > 0 ? 1 : 0
  })
}

function own(
  problem: Problem,
  runs: Runs,
  busiest: Busiest,
  members: number[],
  phase: number,
  owner: Int32Array,
): void {
  const taken = new Set<number>()
  for (const buffer of members) {
    let run = -1
    for (const [first, end] of sectionsOf(problem, buffer)) run = runs.highest(busiest, first, end, run)
    if (run < 0 || taken.has(run)) continue
    taken.add(run)
    for (let s = run; s < (runs.end[run] as number); s++) if (owner[s] === -1) owner[s] = phase
  }
}

function merged(problem: Problem, owner: Int32Array): PhaseBand[] {
  const { lower, upper } = problem.sections
  const bands: PhaseBand[] = []
  for (let s = 0; s < owner.length; s++) {
    const phase = owner[s] as number
    if (phase < 0) continue
    const last = bands[bands.length - 1]
    if (last?.phase === phase && last.upper === lower[s]) last.upper = upper[s] as number
    else bands.push({ phase, lower: lower[s] as number, upper: upper[s] as number })
  }
  return bands
}

/** The phase the step works in: that of the buffer it tries, else of the candidate that comes next; -1 if it names none. */
export function phaseNow(frame: Frame, now: SearchEvent[]): number {
  const tried = now.map(spotOf).find((spot) => spot !== null)
  const next = now.find((event) => event.kind === 'candidate')
  const phase = tried ? (frame.phases?.[tried.buffer] ?? NO_PHASE) : (next?.phase ?? NO_PHASE)
  return phase === NO_PHASE ? -1 : phase
}
