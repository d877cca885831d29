/** What was there before and what was taken back: a line of states with a place on it. Plain values; whoever keeps it replaces it. */
export interface History<T> {
  past: readonly T[]
  now: T
  /** taken back, nearest first */
  future: readonly T[]
}

/** States kept, and characters that they may have together. */
export const MOST_STATES = 200
export const MOST_CHARACTERS = 64_000_000

/** The newest of the past that are within the limits. */
function within<T>(past: readonly T[], weight: (state: T) => number): readonly T[] {
  let from = past.length
  let total = 0
  while (from > 0 && past.length - from < MOST_STATES) {
    total += weight(past[from - 1] as T)
    if (total > MOST_CHARACTERS) break
    from--
  }
  return from === 0 ? past : past.slice(from)
}

/** What is there now becomes the past, as `left`; what was taken back is gone. */
export function record<T>(line: History<T>, left: T, now: T, weight: (state: T) => number): History<T> {
  return { past: within([...line.past, left], weight), now, future: [] }
}

/** One state back, or on: null if there is none. left: what is there now, as it is to be found again. */
export function moved<T>(line: History<T>, by: -1 | 1, left: T): History<T> | null {
  const { past, future } = line
  const now = by < 0 ? past.at(-1) : future[0]
  if (now === undefined) return null
  return by < 0
    ? { past: past.slice(0, -1), now, future: [left, ...future] }
    : { past: [...past, left], now, future: future.slice(1) }
}
