/** MiniMalloc's section inference (§6.2, equation 3) on what is placed: nothing but its arithmetic. */
import { hasEffect, type StepWith } from '../../../../wasm/client/events'
import type { Frame, Problem } from '../../../../wasm/client/types'
import { membersOf } from './live'

export interface SectionSum {
  section: number
  /** top of what is placed there */
  floor: number
  /** sizes still to be placed there */
  rest: number
}

/** Of every section, with one more buffer placed if there is one. O(sections × buffers). */
export function sectionSums(
  problem: Problem,
  frame: Frame | null,
  tried: { buffer: number; offset: number } | null,
): SectionSum[] {
  const at = (k: number) => (tried?.buffer === k ? tried.offset : (frame?.offset[k] ?? -1))
  return Array.from({ length: problem.sections.count }, (_, section) => {
    let [floor, rest] = [0, 0]
    for (const k of membersOf(problem, section)) {
      const size = problem.size[k] ?? 0
      if (at(k) >= 0) floor = Math.max(floor, at(k) + size)
      else rest += size
    }
    return { section, floor, rest }
  })
}

/** The first buffer in the list of the frame's step that was tried there but is not placed. */
export function triedAt(frame: Frame | null): { buffer: number; offset: number } | null {
  return frame?.events.find((e): e is StepWith<'discards'> => e.step === frame.step && hasEffect(e, 'discards')) ?? null
}
