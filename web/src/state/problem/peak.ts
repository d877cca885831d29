/** The greatest load: when it is, and what it is made of. */
import type { Problem } from '../../../../wasm/client/types'
import { memo } from '../../base/memo'

export interface Peak {
  section: number
  /** its first time: of a model, the operator that runs then */
  time: number
  bytes: number
  /** alive then, largest first */
  buffers: number[]
}

/** Buffers alive in a section, in their order; gaps count as in the section's load. O(buffers + gaps). */
export function aliveIn(problem: Problem, section: number): number[] {
  const lower = problem.sections.lower[section] ?? 0
  const upper = problem.sections.upper[section] ?? 0
  const resting = new Set(
    problem.gaps
      // a gap with a window frees only a part of the buffer
      .filter((gap) => gap.lower <= lower && gap.upper >= upper && !(gap.windowLower < gap.windowUpper))
      .map((gap) => gap.buffer),
  )
  const alive: number[] = []
  for (let k = 0; k < problem.count; k++) {
    if ((problem.lower[k] ?? 0) < upper && (problem.upper[k] ?? 0) > lower && !resting.has(k)) alive.push(k)
  }
  return alive
}

/** Largest first. O(n log n). */
export const bySize = ({ size }: Problem, buffers: readonly number[]): number[] =>
  [...buffers].sort((x, y) => (size[y] ?? 0) - (size[x] ?? 0) || x - y)

/** null if there is no buffer. */
export const peakOf = memo((problem: Problem): Peak | null => {
  const section = problem.peak
  if (section < 0) return null
  return {
    section,
    time: problem.sections.lower[section] ?? 0,
    bytes: problem.sections.load[section] ?? 0,
    buffers: bySize(problem, aliveIn(problem, section)),
  }
})
