/** Planners that take memory in granules: what that alone costs on problems of small buffers. */
import type { Problem, SolverInfo } from '../../../../wasm/client/types'
import { aliveIn } from '../problem/peak'

/** Bytes of a solver's granule: sizes or offsets are multiples of it. 1: it has none. */
export function granuleOf({ options }: SolverInfo): number {
  const granule = options.find(({ name }) => name === 'alignment' || name === 'rounding')
  return Math.max(1, Number(granule?.initial ?? 1))
}

/**
 * What buffers need at the greatest load with their sizes rounded up, over the load, less 1: so much a planner that takes memory in granules loses
 * there whatever it does. O(buffers + gaps).
 */
export function roundingLoss(problem: Problem, granule: number): number {
  if (granule <= 1 || problem.peak < 0 || problem.lowerBound <= 0) return 0
  const rounded = aliveIn(problem, problem.peak).reduce(
    (sum, k) => sum + Math.ceil((problem.size[k] ?? 0) / granule) * granule,
    0,
  )
  return Math.max(0, rounded / problem.lowerBound - 1)
}

/** From this loss on a problem is too small for the planner: what it makes of it says nothing of the planner. */
export const TOY = 0.05
