/** How fast a search is played by default: so that it can be looked at, and ends while one still looks. */

/** Seconds that a whole search takes. */
const WHOLE = 20
/** Up to so many steps a second each can be read; shorter searches are played at that. */
const READ = 2

/** Steps per second for so many of them, in a number that reads well. */
export function paceFor(length: number): number {
  const exact = length / WHOLE
  if (exact <= READ) return READ
  return Math.min(1e6, exact < 10 ? Math.round(exact) : Number(exact.toPrecision(2)))
}
