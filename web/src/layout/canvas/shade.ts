/** Which colour a buffer gets, as an index: the colours themselves are the drawing layer's. */
import type { Frame, Problem } from '../../../../wasm/client/types'
import { clamp } from '../../base/geom'
import { memo } from '../../base/memo'
import type { Scene } from '../scene'

/** Steps of the ramp: close enough to look continuous, few enough to paint in batches. */
export const RAMP_STEPS = 64
export const CATEGORIES = 12
/** From this many buffers up a colour per buffer says nothing: the ramp does. */
const CATEGORICAL_BELOW = 100
/** The category of what is none of the first eleven. */
const REST = 10
const FIRST = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11]
/** The level ramp spans at least so many levels: the first few decisions do not jump across it. */
export const LEAST_LEVELS = 8

export interface Shades {
  /** of a buffer: a category (0..11) or a ramp step (0..63). Asked for the buffers that are drawn, which are few of a million. */
  of(buffer: number): number
  kind: 'ramp' | 'categories' | 'heat'
}

/** O(1); by size, lifetime and waste O(n) once per problem. */
export function shadesOf(scene: Scene): Shades {
  const { problem, frame, operators } = scene
  const { colour } = scene
  if (colour === 'level' || colour === 'order') return byLevel(problem, frame, colour)
  if (colour === 'churn') return byChurn(scene.placed)
  if (colour === 'phase' && frame?.phases) return byPhase(frame.phases)
  if (colour === 'type' && operators !== null) {
    const { bufferShade } = operators
    return { of: (buffer) => bufferShade[buffer] ?? 0, kind: 'categories' }
  }
  return colour === 'size' || colour === 'lifetime' || colour === 'waste' ? byLog(problem, colour) : byBuffer(problem)
}

/** By level the ramp spans the levels there are now; by order all that there will be, so that a buffer keeps its colour. */
function byLevel({ count }: Problem, frame: Frame | null, mode: 'level' | 'order'): Shades {
  if (!frame) return { of: () => 0, kind: 'ramp' }
  const { level, depth } = frame
  const span = mode === 'order' ? Math.max(2, count) : Math.max(LEAST_LEVELS, depth, 2)
  return { of: (buffer) => step(((level[buffer] as number) - 1) / (span - 1)), kind: 'ramp' }
}

/** What was placed once is pale, what was placed most is hot; in between by its logarithm: a search that thrashes spans five decades. */
function byChurn(placed: Uint32Array = new Uint32Array()): Shades {
  const span = Math.log(mostPlaced(placed))
  return { of: (buffer) => step(Math.log(Math.max(1, placed[buffer] ?? 0)) / span), kind: 'heat' }
}

/** At least two, so that a scale has two ends. O(buffers), once per search. */
export const mostPlaced = memo((placed: Uint32Array) => placed.reduce((most, count) => Math.max(most, count), 2))

/** Category of a phase: the first eleven have one each, the others and what occupies nothing share one. */
export function phaseShade(phase: number): number {
  return FIRST[phase] ?? REST
}

function byPhase(phases: Uint32Array): Shades {
  return { of: (buffer) => phaseShade(phases[buffer] as number), kind: 'categories' }
}

function step(share: number): number {
  return clamp(Math.round(share * (RAMP_STEPS - 1)), 0, RAMP_STEPS - 1)
}

function byBuffer({ count }: Problem): Shades {
  if (count < CATEGORICAL_BELOW) return { of: (buffer) => buffer % CATEGORIES, kind: 'categories' }
  return { of: (buffer) => step(buffer / (count - 1)), kind: 'ramp' }
}

/** By buffer: what a ramp goes by. */
export const MEASURES = {
  size: (problem: Problem) => (i: number) => problem.size[i] as number,
  lifetime: (problem: Problem) => (i: number) => (problem.upper[i] as number) - (problem.lower[i] as number),
  waste: (problem: Problem) => (i: number) => alignmentWaste(problem, i),
}

/** Bytes from a buffer's end to the next multiple of its alignment: nothing aligned as it is can begin there. */
export function alignmentWaste(problem: Problem, i: number): number {
  const alignment = problem.alignment[i] as number
  const over = alignment > 1 ? (problem.size[i] as number) % alignment : 0
  return over === 0 ? 0 : alignment - over
}

type Measure = keyof typeof MEASURES
const ranges = new WeakMap<Problem, Map<Measure, [number, number]>>()

/** The least and the greatest; a measure below 1 counts as 1. O(n), cached per problem. */
function rangeOf(problem: Problem, measure: Measure): [number, number] {
  const known = ranges.get(problem) ?? new Map<Measure, [number, number]>()
  ranges.set(problem, known)
  const value = MEASURES[measure](problem)
  let lo = Number.POSITIVE_INFINITY
  let hi = 1
  for (let i = 0; !known.has(measure) && i < problem.count; i++) {
    const one = value(i)
    if (one < lo) lo = one
    if (one > hi) hi = one
  }
  const range = known.get(measure) ?? [Math.max(1, lo), hi]
  known.set(measure, range)
  return range
}

/** Sizes and lifetimes span decades: equal ratios get equal distances on the ramp. */
function byLog(problem: Problem, measure: Measure): Shades {
  const [lo, hi] = rangeOf(problem, measure)
  const span = Math.log(hi / lo)
  const value = MEASURES[measure](problem)
  const of = (i: number) => (span > 0 ? step(Math.log(Math.max(1, value(i)) / lo) / span) : RAMP_STEPS / 2)
  return { of, kind: 'ramp' }
}
