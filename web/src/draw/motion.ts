/** The short movements of a step (TOKENS: motion), as functions of time. Nothing here runs by itself. */
import { clamp } from '../base/geom'
import { type Motion, STILL } from './canvas/paint_step'

const PLACE_MS = 120
const PROOF_MS = 160
const LIFT_MS = 250
const BREATH_MS = 1200
export const FIT_MS = 220

function easeOut(t: number): number {
  return 1 - (1 - t) ** 3
}

/** Slow at both ends, as for a view that travels. */
export function easeInOut(t: number): number {
  return t < 0.5 ? 4 * t ** 3 : 1 - (2 - 2 * t) ** 3 / 2
}

export interface StepMotion {
  motion: Motion
  /** one-shot movements have come to rest; the ring goes on breathing */
  settled: boolean
}

/** Movement `elapsed` ms after the step was first shown. */
export function motionAt(elapsed: number, rejected: boolean): StepMotion {
  const enter = clamp(elapsed / (rejected ? PROOF_MS : PLACE_MS), 0, 1)
  const lift = easeOut(clamp(elapsed / LIFT_MS, 0, 1))
  const breath = (1 - Math.cos((elapsed / BREATH_MS) * 2 * Math.PI)) / 2
  return {
    motion: { ring: 0.35 + 0.45 * breath, enter: Math.max(0.02, enter), lift },
    settled: elapsed >= LIFT_MS,
  }
}

export { STILL }
