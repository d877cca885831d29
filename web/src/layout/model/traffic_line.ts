/** What a plan has moved by each time, as a line that steps up. */
import type { Transfer } from '../scene'

export interface TrafficStep {
  time: number
  /** moved then */
  bytes: number
  /** and up to then */
  sum: number
}

/** transfers: in order of time. O(transfers). */
export function trafficSteps(transfers: readonly Transfer[]): TrafficStep[] {
  const steps: TrafficStep[] = []
  let sum = 0
  for (const { time, bytes } of transfers) {
    sum += bytes
    const last = steps.at(-1)
    if (last?.time === time) {
      last.bytes += bytes
      last.sum = sum
    } else steps.push({ time, bytes, sum })
  }
  return steps
}
