/** Offsets that are fixed and exclude each other: no search is needed to see it. */
import type { Problem } from '../../../../wasm/client/types'
import { memo } from '../../base/memo'

/** Of more it is not looked for: it would hold the page. */
const MOST = 2_000

/** Two buffers of one pool, fixed where both take the same bytes at the same time; null: none are known. */
export const fixedClash = memo((problem: Problem): [number, number] | null => {
  const { count, fixed, lower, upper, size, gaps, rects, pool } = problem
  // what has gaps or a shape may lie inside the other
  if (gaps.length > 0 || rects !== undefined) return null
  const at = (list: ArrayLike<number>, k: number) => list[k] as number
  const held: number[] = []
  for (let k = 0; k < count; k++) if (at(fixed, k) >= 0 && at(size, k) > 0) held.push(k)
  if (held.length > MOST) return null
  const meets = (a: number, b: number) =>
    at(lower, a) < at(upper, b) &&
    at(lower, b) < at(upper, a) &&
    at(fixed, a) < at(fixed, b) + at(size, b) &&
    at(fixed, b) < at(fixed, a) + at(size, a) &&
    pool?.[a] === pool?.[b]
  for (const [n, b] of held.entries()) {
    const a = held.find((one, m) => m < n && meets(one, b))
    if (a !== undefined) return [a, b]
  }
  return null
})
