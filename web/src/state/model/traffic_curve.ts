/** The least traffic of a model at several capacities. */
import type { OutcomeId } from '../../../../wasm/client/types'
import { Cell } from '../../base/cell'
import { bytesIn, type ByteUnit } from '../../base/format'
import type { Plot } from '../../base/plot'
import type { Column } from '../compare/table'

export interface CurvePoint {
  capacity: number
  /** of the best plan that was found; -1: none was */
  traffic: number
  /** no plan moves less */
  bound: number
  outcome: OutcomeId
}

export interface Curve {
  /** increasing */
  capacities: number[]
  /** null: not known yet */
  points: (CurvePoint | null)[]
  /** '': under way or done */
  failed: string
  running: boolean
}

export const curve = new Cell<Curve | null>(null)

/** Whole capacities from the least with which any order runs to that of the best known order, evenly. */
export function budgetsBetween(required: number, peak: number, points: number): number[] {
  const high = Math.max(required, peak)
  const list = Array.from(
    { length: points },
    (_, k) => required + Math.round(((high - required) * k) / Math.max(1, points - 1)),
  )
  return [...new Set(list)]
}

export const isProven = ({ traffic, bound }: CurvePoint): boolean => traffic >= 0 && traffic <= bound

/** "" where nothing is known; "at most" where less may be possible. */
export function pointWords(point: CurvePoint | null, unit: ByteUnit): string {
  if (point === null) return 'not known yet'
  if (point.traffic < 0) return 'no plan was found'
  if (point.traffic === 0) return 'nothing moves'
  return `${isProven(point) ? '' : 'at most '}${bytesIn(point.traffic, unit)} moved`
}

/** Of those points that are known. */
export const curveColumns: readonly Column<CurvePoint>[] = (
  [
    ['capacity', 'Capacity', ({ capacity }) => capacity],
    ['traffic', 'Traffic', ({ traffic }) => (traffic < 0 ? null : traffic)],
    ['bound', 'Proved', ({ bound }) => bound],
    ['outcome', 'Outcome', ({ outcome }) => outcome],
  ] as [string, string, (point: CurvePoint) => number | string | null][]
).map(([id, title, value]) => ({
  id,
  title,
  value,
  shown: (point) => String(value(point) ?? ''),
  number: id !== 'outcome',
}))

/** What is known of it, with axes: a capacity takes what a smaller one took until less is known to do. */
export function plotOf({ points }: Curve, unit: ByteUnit): Plot {
  const known = points.filter((point) => point !== null && point.traffic >= 0) as CurvePoint[]
  const of = (value: (point: CurvePoint) => number) =>
    known.map((point): [number, number] => [point.capacity / unit.bytes, value(point) / unit.bytes])
  const name = unit.name || 'bytes'
  const series = [{ name: 'moved', points: of(({ traffic }) => traffic) }]
  if (!known.every(isProven)) series.push({ name: 'no plan moves less', points: of(({ bound }) => Math.max(0, bound)) })
  return {
    kind: 'lines',
    steps: true,
    x: { title: `capacity, ${name}` },
    y: { title: `moved, ${name}`, from: 0 },
    series,
  }
}
