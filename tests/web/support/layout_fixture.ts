/** Problems, frames and events for the layout tests, made from a few numbers. */
import type {
  EventKind,
  EventOf,
  Frame,
  Gap,
  Manifest,
  Overview,
  Problem,
  SearchEvent,
} from '../../../wasm/client/types'
import type { Scene } from '../../../web/src/layout/scene'
import { eventWith } from './events'
import { RULES } from './rules'

export type Row = [lower: number, upper: number, size: number]

/** A problem as the core would freeze it: sections are the maximal intervals with one live set that is not empty. */
export function problemOf(rows: Row[], gaps: Gap[] = []): Problem {
  const column = (k: number) => Float64Array.from(rows, (row) => row[k] as number)
  const times = [...new Set([...column(0), ...column(1)])].sort((a, b) => a - b)
  const change = new Map(times.map((time) => [time, { load: 0, live: 0 }]))
  const add = (time: number, load: number, live: number) => {
    const at = change.get(time) as { load: number; live: number }
    at.load += load
    at.live += live
  }
  for (const [lower, upper, size] of rows) {
    add(lower, size, 1)
    add(upper, -size, -1)
  }
  let [load, live] = [0, 0]
  const sections = times.slice(0, -1).flatMap((lower, k) => {
    load += change.get(lower)?.load ?? 0
    live += change.get(lower)?.live ?? 0
    return live > 0 ? [{ lower, upper: times[k + 1] as number, load, live }] : []
  })
  const loads = sections.map((s) => s.load)
  const lowerBound = Math.max(0, ...loads)
  return {
    count: rows.length,
    ids: rows.map((_, i) => `b${i}`),
    lower: column(0),
    upper: column(1),
    size: column(2),
    alignment: new Float64Array(rows.length).fill(1),
    fixed: new Float64Array(rows.length).fill(-1),
    hint: new Float64Array(rows.length).fill(-1),
    bank: new Float64Array(rows.length),
    gaps,
    sections: {
      count: sections.length,
      lower: Float64Array.from(sections, (s) => s.lower),
      upper: Float64Array.from(sections, (s) => s.upper),
      load: Float64Array.from(loads),
      live: Uint32Array.from(sections, (s) => s.live),
    },
    peak: loads.indexOf(lowerBound),
    lowerBound,
    partitions: 1,
    convention: '',
    digest: '0000000000000000',
  }
}

export const manifest: Manifest = {
  version: '0',
  solvers: [],
  schedulers: [],
  rules: RULES.map((id) => ({ id, title: id, source: '', text: '' })),
  outcomes: [],
  generators: [],
  graphOptions: [],
}

export function eventOf<K extends EventKind>(
  step: number,
  kind: K,
  said: Partial<EventOf<K>>,
  depth = 0,
  list: number[] = [],
): EventOf<K> {
  return eventWith(kind, { line: 1, ...said, ...{ step, depth, list: Uint32Array.from(list) } })
}

/** offsets: -1 where not placed; levels follow the order of the buffers. */
export function frameOf(offsets: number[], more: Partial<Frame> = {}): Frame {
  const stack = offsets.flatMap((offset, i) => (offset >= 0 ? [i] : []))
  const level = new Int32Array(offsets.length)
  stack.forEach((buffer, k) => {
    level[buffer] = k + 1
  })
  return {
    step: 1,
    depth: stack.length,
    offset: Float64Array.from(offsets),
    minOffset: null,
    level,
    stack: Uint32Array.from(stack),
    tried: null,
    candidates: null,
    phases: null,
    events: [],
    undone: [],
    bounds: null,
    ...more,
  }
}

export function sceneOf(problem: Problem, capacity: number, frame: Frame | null, now: SearchEvent[] = []): Scene {
  return {
    problem,
    manifest,
    capacity,
    frame,
    now,
    colour: 'buffer',
    theme: 'dark',
    calm: true,
    reducedMotion: true,
    pinned: -1,
    alsoPinned: [],
    matches: null,
    fragments: false,
    measuring: false,
    lit: { buffers: [], section: -1, inputs: [] },
    operators: null,
    overloaded: -1,
    frontier: -1,
    bounds: null,
    limit: capacity,
    banks: null,
    unfit: [],
    doomed: [],
  }
}

/** One bucket per entry: [min, max, last, undone, major]. */
export function overviewOf(
  width: number,
  buckets: [number, number, number, number?, number?][],
  marks: Overview['marks'] = [],
): Overview {
  const column = (k: number) => Uint32Array.from(buckets, (bucket) => bucket[k] ?? 0)
  return {
    width,
    count: buckets.length,
    minDepth: column(0),
    maxDepth: column(1),
    lastDepth: column(2),
    maxUndone: column(3),
    placed: new Uint32Array(),
    backtracks: Uint32Array.from(buckets, (bucket) => (bucket[3] ? 1 : 0)),
    major: column(4),
    rules: [],
    marks,
  }
}

/** Deterministic numbers in [0, 1) (a linear congruential generator). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
