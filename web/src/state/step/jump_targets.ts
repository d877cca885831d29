/** The levels among which a learned jump chose at the step shown, as the model scored them. */
import { thousands } from '../../base/format'
import type { EventOf, Frame, SearchEvent } from '../../../../wasm/client/types'

/** Of a score of 10. */
const UNITS = 64

export interface JumpTargets {
  /** the deepest level first */
  targets: EventOf<'score'>[]
  jump: EventOf<'jump'>
}

export const scoreText = (score: number) => (score / UNITS).toFixed(1)

export const levelText = (level: number) => thousands(level + 1)

/** Null if the step was no learned jump. O(events). */
export function jumpTargets(frame: Frame): JumpTargets | null {
  const now = frame.events.filter((event: SearchEvent) => event.step === frame.step)
  const jump = now.find((event): event is EventOf<'jump'> => event.kind === 'jump')
  const targets = now.filter((event): event is EventOf<'score'> => event.kind === 'score')
  return jump === undefined || targets.length === 0 ? null : { targets, jump }
}
