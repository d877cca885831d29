/** Which colour a buffer gets, as an index: the palette itself is the drawing layer's. */
import type { Problem } from '../../../wasm/client/types'
import { clamp } from '../base/geom'
import type { ColourMode, Scene } from './scene'

/** Steps of the ramp: close enough to look continuous, few enough to paint in batches. */
export const RAMP_STEPS = 64
export const CATEGORIES = 12
/** From this many buffers up a colour per buffer says nothing: the ramp does. */
const CATEGORICAL_BELOW = 100
/** The level ramp spans at least so many levels: the first few decisions do not jump across it. */
export const LEAST_LEVELS = 8

export interface Shades {
  /** per buffer: a category (0..11) or a ramp step (0..63) */
  index: Uint8Array
  categorical: boolean
}

/** Colour index per buffer. O(n); size and lifetime do not depend on the frame and are cached. */
export function shadesOf(scene: Scene): Shades {
  if (scene.colour === 'level') return byLevel(scene)
  if (scene.colour === 'type') {
    return scene.operators === null
      ? fixedShades(scene.problem, 'buffer')
      : { index: scene.operators.bufferShade, categorical: true }
  }
  return fixedShades(scene.problem, scene.colour)
}

function byLevel(scene: Scene): Shades {
  const { frame, problem } = scene
  const index = new Uint8Array(problem.count)
  if (!frame) return { index, categorical: false }
  const span = Math.max(LEAST_LEVELS, frame.depth, 2)
  for (let i = 0; i < problem.count; i++) {
    index[i] = step(((frame.level[i] as number) - 1) / (span - 1))
  }
  return { index, categorical: false }
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

/** Sizes and lifetimes span decades: equal ratios get equal distances on the ramp. */
function byLog(problem: Problem, mode: ColourMode): Shades {
  const index = new Uint8Array(problem.count)
  const value = (i: number): number =>
    mode === 'size' ? (problem.size[i] as number) : (problem.upper[i] as number) - (problem.lower[i] as number)
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
