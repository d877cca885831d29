/** What "no growth" means, for figures that breathe. */

/** Rounds at the beginning that do not count: what is fetched, compiled and cached once comes in them. */
export const WARM_UP = 2

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? Number.NaN
}

/**
 * The middle of the last third of the rounds must not be above that of the first third by more than a share of it, and an amount for each round
 * between them. Thirds, for a single round may fall before or after a collection; the middle, for a slow leak moves it as surely as a fast one.
 */
export function grown(
  rounds: readonly number[],
  share: number,
  perRound: number,
): { from: number; to: number; grown: boolean } {
  const counted = rounds.slice(WARM_UP)
  const third = Math.floor(counted.length / 3)
  if (third === 0) throw new Error(`${rounds.length} rounds are too few to tell growth from breathing`)
  const [from, to] = [median(counted.slice(0, third)), median(counted.slice(-third))]
  const between = counted.length - third
  return { from, to, grown: !(to <= from * (1 + share) + perRound * between) }
}
