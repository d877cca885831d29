/** Which colour a buffer gets, as an index: the palette itself is the drawing layer's. */
import type { Frame, Problem } from '../../../wasm/client/types'
import { clamp } from '../base/geom'
import type { ColourMode, Scene } from './scene'

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
  /** per buffer: a category (0..11) or a ramp step (0..63) */
  index: Uint8Array
  categorical: boolean
}

/** Colour index per buffer. O(n); size and lifetime do not depend on the frame and are cached. */
export function shadesOf(scene: Scene): Shades {
  if (scene.colour === 'level' || scene.colour === 'order') return ofFrame(scene, scene.colour)
  if (scene.colour === 'phase')
    return scene.frame?.phases ? ofFrame(scene, 'phase') : fixedShades(scene.problem, 'buffer')
  if (scene.colour === 'type') {
    return scene.operators === null
      ? fixedShades(scene.problem, 'buffer')
      : { index: scene.operators.bufferShade, categorical: true }
  }
  return fixedShades(scene.problem, scene.colour)
}

type FrameMode = 'level' | 'order' | 'phase'
const ofFrames = new WeakMap<Frame, Map<FrameMode, Shades>>()

/** Cached: a view that moves shows the same frame again. */
function ofFrame(scene: Scene, mode: FrameMode): Shades {
  const { frame, problem } = scene
  if (!frame) return { index: new Uint8Array(problem.count), categorical: false }
  const known = ofFrames.get(frame) ?? new Map<FrameMode, Shades>()
  ofFrames.set(frame, known)
  const shades = known.get(mode) ?? (mode === 'phase' ? byPhase(frame) : byLevel(problem, frame, mode))
  known.set(mode, shades)
  return shades
}

/** By level the ramp spans the levels there are now; by order all that there will be, so that a buffer keeps its colour. */
function byLevel({ count }: Problem, { level, depth }: Frame, mode: 'level' | 'order'): Shades {
  const index = new Uint8Array(count)
  const span = mode === 'order' ? Math.max(2, count) : Math.max(LEAST_LEVELS, depth, 2)
  for (let i = 0; i < count; i++) index[i] = step(((level[i] as number) - 1) / (span - 1))
  return { index, categorical: false }
}

/** Category of a phase: the first eleven have one each, the others and what occupies nothing share one. */
export function phaseShade(phase: number): number {
  return FIRST[phase] ?? REST
}

function byPhase({ phases }: Frame): Shades {
  return { index: Uint8Array.from(phases ?? [], phaseShade), categorical: true }
}

function step(share: number): number {
  return clamp(Math.round(share * (RAMP_STEPS - 1)), 0, RAMP_STEPS - 1)
}

const cache = new WeakMap<Problem, Map<ColourMode, Shades>>()

function fixedShades(problem: Problem, mode: ColourMode): Shades {
  let modes = cache.get(problem)
  if (!modes) {
    modes = new Map()
    cache.set(problem, modes)
  }
  let shades = modes.get(mode)
  if (!shades) {
    shades = mode === 'buffer' ? byBuffer(problem) : byLog(problem, mode)
    modes.set(mode, shades)
  }
  return shades
}

function byBuffer(problem: Problem): Shades {
  const categorical = problem.count < CATEGORICAL_BELOW
  const index = new Uint8Array(problem.count)
  for (let i = 0; i < problem.count; i++) {
    index[i] = categorical ? i % CATEGORIES : step(i / Math.max(1, problem.count - 1))
  }
  return { index, categorical }
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

/** Sizes and lifetimes span decades: equal ratios get equal distances on the ramp. */
function byLog(problem: Problem, mode: ColourMode): Shades {
  const index = new Uint8Array(problem.count)
  const value = MEASURES[mode === 'size' || mode === 'waste' ? mode : 'lifetime'](problem)
  let lo = Number.POSITIVE_INFINITY
  let hi = 0
  for (let i = 0; i < problem.count; i++) {
    lo = Math.min(lo, Math.max(1, value(i)))
    hi = Math.max(hi, value(i))
  }
  const span = Math.log(hi / lo)
  for (let i = 0; i < problem.count; i++) {
    index[i] = span > 0 ? step(Math.log(Math.max(1, value(i)) / lo) / span) : RAMP_STEPS / 2
  }
  return { index, categorical: false }
}
