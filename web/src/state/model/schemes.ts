/** The least traffic beside what others move: a fixed order with the best copies, and orders with a rule of replacement (section V of COSMA's paper). */
import type { GraphModel, OutcomeId, Plan, Problem, RunConfig } from '../../../../wasm/client/types'
import { Cell } from '../../base/cell'
import type { Column } from '../compare/table'
import { transfersOf } from './transfers'

export interface Scheme {
  name: string
  /** what it is, in a sentence */
  text: string
  solver: string
  options: Record<string, string>
  /** all is decided together */
  joint?: boolean
}

const best = 'copied so that the fewest bytes move'
const belady = 'who is read furthest ahead goes'
const greedy = 'the stretch of addresses that it costs least to clear goes'
const scheme = (name: string, text: string, solver: string, options: Record<string, string>): Scheme => ({
  name,
  text,
  solver,
  options,
})

export const SCHEMES: readonly Scheme[] = [
  { ...scheme('COSMA', 'Order, copies and addresses together.', 'cosma', {}), joint: true },
  scheme('Given order', `The order as it came, ${best}.`, 'cosma', { schedule: 'file' }),
  scheme('Least peak', `An order of least footprint, ${best}.`, 'cosma', { schedule: 'least-peak' }),
  scheme('Given, Belady', `The order as it came; ${belady}.`, 'replacement', {
    schedule: 'file',
    replacement: 'belady',
  }),
  scheme('Given, greedy', `The order as it came; ${greedy}.`, 'replacement', {
    schedule: 'file',
    replacement: 'greedy',
  }),
  scheme('Least peak, Belady', `An order of least footprint; ${belady}.`, 'replacement', {
    schedule: 'least-peak',
    replacement: 'belady',
  }),
  scheme('Least peak, greedy', `An order of least footprint; ${greedy}.`, 'replacement', {
    schedule: 'least-peak',
    replacement: 'greedy',
  }),
]

/** Of a plan within the capacity. Bytes. */
export interface Moved {
  /** out to the host, and back from it */
  spilled: number
  fetched: number
  /** the most that is resident at once */
  footprint: number
}

export interface SchemeRow {
  scheme: Scheme
  /** null: no plan was found */
  moved: Moved | null
  /** no plan of any order moves less */
  bound: number
  outcome: OutcomeId
  seconds: number
}

export interface Comparison {
  capacity: number
  /** by scheme; null: not known yet */
  rows: (SchemeRow | null)[]
  /** '': under way or done */
  failed: string
  running: boolean
}

export const comparison = new Cell<Comparison | null>(null)

export const configOf = ({ solver, options }: Scheme, capacity: number): RunConfig => ({
  solver,
  goal: 'traffic',
  capacity,
  seed: 1,
  budget: 0,
  options,
})

/** Bytes of each stay of a plan: of a tensor, or of an operator's workspace. */
function sizeOfStay(plan: Plan, { tensors, ops }: GraphModel, { size }: Problem): (stay: number) => number {
  const workspace = new Map(Array.from(ops.row, (row, k) => [row, ops.workspace[k] as number]))
  return (stay) => {
    const item = plan.stays.item[stay] as number
    if (item < tensors.count) return size[tensors.buffer[item] as number] ?? (tensors.bytes[item] as number)
    return size[workspace.get(item - tensors.count) ?? -1] ?? 0
  }
}

/** What a plan moves, and the most that it keeps in the arena at once. O(stays log stays). */
export function movedBy(plan: Plan, model: GraphModel, problem: Problem): Moved {
  const { count, lower, upper, outside } = plan.stays
  const sizeOf = sizeOfStay(plan, model, problem)
  const changes: [number, number][] = []
  for (let stay = 0; stay < count; stay++) {
    if (outside[stay] === 1) continue
    changes.push([lower[stay] as number, sizeOf(stay)], [upper[stay] as number, -sizeOf(stay)])
  }
  // what ends makes room before what begins
  changes.sort((x, y) => x[0] - y[0] || x[1] - y[1])
  let [resident, footprint] = [0, 0]
  for (const [, bytes] of changes) {
    resident += bytes
    footprint = Math.max(footprint, resident)
  }
  const sum = { spill: 0, fetch: 0 }
  for (const { kind, bytes } of transfersOf(plan, model)) sum[kind] += bytes
  return { spilled: sum.spill, fetched: sum.fetch, footprint }
}

export const trafficOf = ({ moved }: SchemeRow): number | null =>
  moved === null ? null : moved.spilled + moved.fetched

/** No order and no choice of copies moves less. */
export function isLeast(row: SchemeRow): boolean {
  const traffic = trafficOf(row)
  return traffic !== null && traffic <= row.bound
}

/** By what part the joint optimum moves less than the scheme, as the paper's figures have it; null: not known. */
export function reductionOf(row: SchemeRow, joint: SchemeRow | undefined): number | null {
  const [traffic, least] = [trafficOf(row), joint === undefined ? null : trafficOf(joint)]
  if (traffic === null || least === null || row.scheme.joint === true) return null
  return traffic === 0 ? 0 : 1 - least / traffic
}

/** Of those that are known, exact. */
export const schemeColumns: readonly Column<SchemeRow>[] = (
  [
    ['scheme', 'Scheme', ({ scheme }) => scheme.name],
    ['traffic', 'Moved', trafficOf],
    ['spilled', 'Out', ({ moved }) => moved?.spilled ?? null],
    ['fetched', 'Back', ({ moved }) => moved?.fetched ?? null],
    ['footprint', 'Footprint', ({ moved }) => moved?.footprint ?? null],
    ['proven', 'Proven', (row) => (isLeast(row) ? 'yes' : 'no')],
    ['outcome', 'Outcome', ({ outcome }) => outcome],
    ['seconds', 'Seconds', ({ seconds }) => Number(seconds.toFixed(3))],
  ] as [string, string, (row: SchemeRow) => number | string | null][]
).map(([id, title, value]) => ({
  id,
  title,
  value,
  shown: (row) => (id === 'seconds' ? row.seconds.toFixed(3) : String(value(row) ?? '')),
  number: !['scheme', 'proven', 'outcome'].includes(id),
}))
