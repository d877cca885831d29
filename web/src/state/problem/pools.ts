/** What is to be known of a problem of several pools where a single memory is spoken of. */
import { BUFFER_MEMBERS, type SearchEvent, SECTION_MEMBERS } from '../../../../wasm/client/events'
import type { Pool, Problem, Sections } from '../../../../wasm/client/types'
import { memo } from '../../base/memo'

const NONE = 0xffffffff

/** What the run's capacity cannot be less than: with pools, only those count that have none of their own. */
export const boundOfCapacity = ({ lowerBound, pools }: Problem): number =>
  pools === undefined
    ? lowerBound
    : Math.max(0, ...pools.filter(({ capacity }) => capacity === 0).map((pool) => pool.lowerBound))

/** What may be enough as the run's capacity. */
export const leastCapacity = (problem: Problem): number => Math.max(1, boundOfCapacity(problem))

/** Bytes of all pools together. limit: of those without a capacity. */
export const roomOf = ({ pools }: Problem, limit: number): number =>
  pools === undefined ? limit : pools.reduce((sum, { capacity }) => sum + (capacity || limit), 0)

type Column = Float64Array<ArrayBuffer>
const joined = (columns: Column[]): Column => Float64Array.from(columns.flatMap((column) => [...column]))

function joinedSections(pools: readonly Pool[]): Sections {
  const all = pools.map(({ sections }) => sections)
  return {
    count: all.reduce((sum, { count }) => sum + count, 0),
    lower: joined(all.map(({ lower }) => lower)),
    upper: joined(all.map(({ upper }) => upper)),
    load: joined(all.map(({ load }) => load)),
    live: Uint32Array.from(all.flatMap(({ live }) => [...live])),
  }
}

/** The problem with sections numbered as events number them: pool after pool. */
export const asEventsNumber = memo((problem: Problem): Problem => {
  const { pools } = problem
  return pools === undefined ? problem : { ...problem, sections: joinedSections(pools), peak: -1 }
})

function poolOfSection(pools: readonly Pool[], section: number): number {
  let end = 0
  return pools.findIndex(({ sections }) => {
    end += sections.count
    return section < end
  })
}

/** The pool that an event is about, null: it does not say. */
export function poolOf(problem: Problem, event: SearchEvent): Pool | null {
  const of = event as unknown as Record<string, number>
  const { pools = [], pool } = problem
  for (const name of BUFFER_MEMBERS[event.kind] ?? []) {
    const buffer = of[name] as number
    if (buffer !== NONE) return pools[pool?.[buffer] ?? -1] ?? null
  }
  for (const name of SECTION_MEMBERS[event.kind] ?? []) {
    const section = of[name] as number
    if (section !== NONE) return pools[poolOfSection(pools, section)] ?? null
  }
  return null
}

/** What the events of a step may not exceed; null: it is not known which pool they are about. limit: of the pools without a capacity. */
export function limitOf(problem: Problem, events: readonly SearchEvent[], limit: number | null): number | null {
  if (problem.pools === undefined) return limit
  for (const event of events) {
    const pool = poolOf(problem, event)
    if (pool !== null) return pool.capacity || limit
  }
  return null
}
