/** What the colours of the buffers stand for. */
import type { Problem } from '../../../../wasm/client/types'
import { type ByteUnit, bytesIn, thousands } from '../../base/format'
import { memo } from '../../base/memo'
import type { ColourMode, Scene, TypeShade } from '../scene'
import { LEAST_LEVELS, MEASURES, mostPlaced, phaseShade } from './shade'

export const COLOUR_TITLES: Record<ColourMode, string> = {
  type: 'Operator type',
  level: 'Decision level',
  buffer: 'Buffer',
  size: 'Size',
  lifetime: 'Lifetime',
  order: 'Order placed',
  waste: 'Alignment waste',
  churn: 'Times placed',
  phase: 'Phase',
}

/** A ramp with what its ends stand for, or names (of types, of phases) with their categories. */
export type ColourKey =
  | { kind: 'ramp'; of: 'ramp' | 'heat'; title: string; low: string; high: string }
  | { kind: 'types'; title: string; entries: readonly TypeShade[] }

const extent = memo((problem: Problem, of: keyof typeof MEASURES): [number, number] => {
  const value = MEASURES[of](problem)
  let low = Number.POSITIVE_INFINITY
  let high = 0
  for (let k = 0; k < problem.count; k++) {
    low = Math.min(low, value(k))
    high = Math.max(high, value(k))
  }
  return [Number.isFinite(low) ? low : 0, high]
})

/** A phase each, in the order of the search. What occupies nothing has none. */
const phaseEntries = memo((phases: Uint32Array): TypeShade[] => {
  const counts: number[] = []
  for (const phase of phases) if (phase < phases.length) counts[phase] = (counts[phase] ?? 0) + 1
  return Array.from(counts, (count, k) => ({
    type: `phase ${thousands(k + 1)}`,
    shade: phaseShade(k),
    count: count ?? 0,
  }))
})

/** null: every buffer has a colour of its own, which says nothing. O(buffers), once per problem. */
export function colourKey(
  { colour, problem, frame, operators, placed }: Pick<Scene, 'colour' | 'problem' | 'frame' | 'operators' | 'placed'>,
  unit: ByteUnit,
): ColourKey | null {
  const title = COLOUR_TITLES[colour]
  const ramp = (low: string, high: string): ColourKey => ({
    kind: 'ramp',
    of: colour === 'churn' ? 'heat' : 'ramp',
    title,
    low,
    high,
  })
  switch (colour) {
    case 'buffer':
      return null
    case 'type':
      return operators === null ? null : { kind: 'types', title, entries: operators.legend }
    case 'level':
      return ramp('1', thousands(Math.max(LEAST_LEVELS, frame?.depth ?? 0)))
    case 'order':
      return ramp('1', thousands(Math.max(2, problem.count)))
    case 'churn':
      return placed && placed.length > 0 ? ramp('1', thousands(mostPlaced(placed))) : null
    case 'phase':
      return frame?.phases ? { kind: 'types', title, entries: phaseEntries(frame.phases) } : null
    case 'size':
    case 'lifetime':
    case 'waste': {
      const [low, high] = extent(problem, colour)
      const words = (n: number) => (colour === 'lifetime' ? thousands(n) : bytesIn(n, unit))
      return ramp(words(low), words(high))
    }
  }
}
