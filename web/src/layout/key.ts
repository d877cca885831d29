/** What the colours of the buffers stand for. */
import type { Problem } from '../../../wasm/client/types'
import { type ByteUnit, bytesIn, thousands } from '../base/format'
import { memo } from '../base/memo'
import type { ColourMode, Scene, TypeShade } from './scene'
import { LEAST_LEVELS } from './shade'

export const COLOUR_TITLES: Record<ColourMode, string> = {
  type: 'Operator type',
  level: 'Decision level',
  buffer: 'Buffer',
  size: 'Size',
  lifetime: 'Lifetime',
}

/** A ramp with what its ends stand for, or names with their categories. */
export type ColourKey =
  | { kind: 'ramp'; title: string; low: string; high: string }
  | { kind: 'types'; title: string; entries: readonly TypeShade[] }

function extent(values: ArrayLike<number>): [number, number] {
  let low = Number.POSITIVE_INFINITY
  let high = 0
  for (let k = 0; k < values.length; k++) {
    low = Math.min(low, values[k] ?? low)
    high = Math.max(high, values[k] ?? 0)
  }
  return [Number.isFinite(low) ? low : 0, high]
}

const sizes = memo((problem: Problem) => extent(problem.size))
const lifetimes = memo((problem: Problem) => extent(problem.lower.map((from, k) => (problem.upper[k] ?? 0) - from)))

/** null: every buffer has a colour of its own, which says nothing. O(buffers), once per problem. */
export function colourKey(
  { colour, problem, frame, operators }: Pick<Scene, 'colour' | 'problem' | 'frame' | 'operators'>,
  unit: ByteUnit,
): ColourKey | null {
  const title = COLOUR_TITLES[colour]
  const ramp = (low: string, high: string): ColourKey => ({ kind: 'ramp', title, low, high })
  switch (colour) {
    case 'buffer':
      return null
    case 'type':
      return operators === null ? null : { kind: 'types', title, entries: operators.legend }
    case 'level':
      return ramp('1', thousands(Math.max(LEAST_LEVELS, frame?.depth ?? 0)))
    case 'size':
    case 'lifetime': {
      const [low, high] = colour === 'size' ? sizes(problem) : lifetimes(problem)
      const words = (n: number) => (colour === 'size' ? bytesIn(n, unit) : thousands(n))
      return ramp(words(low), words(high))
    }
  }
}
