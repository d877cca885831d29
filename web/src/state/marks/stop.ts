/** What playing stops at. */

/** Steps that stand for themselves: ids of events, and the backtracks that a solver calls major. */
export const STOP_STEPS = ['backtrack', 'major', 'restart', 'reject', 'skip'] as const

/** Buffers are named by their ids, rules and events by the core's: indices may differ in another version. */
export type StopWhat =
  | { what: 'placed' | 'tried' | 'undone'; buffer: string }
  | { what: 'deeper'; than: number }
  | { what: 'rule'; rule: string }
  | { what: 'section'; section: number }
  | { what: 'step'; event: (typeof STOP_STEPS)[number] }
export type Stop = StopWhat & { on: boolean }
