/** COSMA's integer linear program in a solver of such: what it found, beside what the dynamic program did. */
import type { ProgramModel } from '../../../../wasm/client/types'
import { Cell } from '../../base/cell'
import { type ByteUnit, bytesIn, percent, thousands } from '../../base/format'

export interface Choice {
  id: ProgramModel
  title: string
  text: string
}

export const PROGRAMS: readonly Choice[] = [
  { id: 'addresses', title: 'All of it, (1) to (12)', text: 'Order, copies and addresses, as the paper states them.' },
  { id: 'capacity', title: 'Without addresses', text: 'Order and copies alone: (9) to (11) are left out.' },
  { id: 'gaps', title: 'The given order', text: 'Only what is outside between its uses is decided.' },
]

/** What such a solver knows of the least traffic; null: nothing yet. */
export interface Bracket {
  /** of its best solution */
  best: number | null
  /** no solution is better */
  bound: number | null
}

export interface ProgramEnd extends Bracket {
  /** 'time': it ran out of it */
  status: 'optimal' | 'infeasible' | 'time' | 'failed'
  seconds: number
}

/** What our own search found of the same. traffic -1: no plan */
export interface Own {
  traffic: number
  /** no plan is better, or there is none at all */
  proven: boolean
}

export interface ProgramSize {
  variables: number
  constraints: number
}

export type ProgramState = { model: ProgramModel; capacity: number } & (
  | { kind: 'writing' }
  | ({ kind: 'solving'; seconds: number; size: ProgramSize | null } & Bracket)
  | { kind: 'ended'; end: ProgramEnd; size: ProgramSize; own: Own }
  | { kind: 'refused'; why: string }
)

/** null: nobody has asked */
export const program = new Cell<ProgramState | null>(null)

export const sizeWords = ({ variables, constraints }: ProgramSize): string =>
  `${thousands(variables)} variables, ${thousands(constraints)} constraints`

/** The share of its best solution by which that could be too much; null: not known. */
export function gapOf({ best, bound }: Bracket): number | null {
  if (best === null || bound === null) return null
  return best <= bound ? 0 : (best - bound) / best
}

const moved = (bytes: number, unit: ByteUnit) => (bytes === 0 ? 'nothing moves' : `${bytesIn(bytes, unit)} moved`)

/** "at most 12 KiB, at least 8 KiB: a gap of 33.33 %" */
export function bracketWords(now: Bracket, unit: ByteUnit): string {
  const { best, bound } = now
  const gap = gapOf(now)
  const least = bound === null || bound <= 0 ? '' : `at least ${bytesIn(bound, unit)}`
  if (best === null) return least === '' ? 'no plan yet' : `no plan yet, ${least}`
  const most = best === 0 ? 'nothing moves' : `at most ${bytesIn(best, unit)}`
  return `${most}${least === '' ? '' : `, ${least}`}${gap === null || gap === 0 ? '' : `: a gap of ${percent(gap)}`}`
}

export function endWords({ status, ...found }: ProgramEnd, unit: ByteUnit): string {
  if (status === 'infeasible') return 'No plan fits.'
  if (status === 'failed') return 'It gave up without an answer.'
  if (status === 'time') return `Out of time: ${bracketWords(found, unit)}.`
  return `Optimal: ${moved(found.best ?? 0, unit)}.`
}

export interface Verdict {
  tone: 'ok' | 'plain' | 'why'
  text: string
}

const plain = (text: string): Verdict => ({ tone: 'plain', text })

/** What an optimum of the program says of ours. */
function besideOptimum(model: ProgramModel, best: number, own: number, unit: ByteUnit): Verdict {
  if (own === best) return { tone: 'ok', text: 'COSMA found the same.' }
  if (own > best && model !== 'addresses')
    return plain(`With addresses COSMA moves ${bytesIn(own, unit)}: that much they cost here.`)
  if (own < best)
    return plain(`COSMA moves ${bytesIn(own, unit)}: it may also give a tensor another address by way of the host.`)
  return { tone: 'why', text: `COSMA found ${bytesIn(own, unit)}, which is more.` }
}

/** Whether the two agree. */
export function verdictOf(model: ProgramModel, end: ProgramEnd, own: Own, unit: ByteUnit): Verdict {
  if (own.traffic < 0) {
    if (end.status !== 'infeasible') return plain('COSMA found no plan in its time.')
    return own.proven ? { tone: 'ok', text: 'COSMA proved the same.' } : plain('COSMA found none either.')
  }
  if (end.status === 'infeasible')
    return { tone: 'why', text: `COSMA has a plan that moves ${bytesIn(own.traffic, unit)}.` }
  if (end.status === 'optimal') return besideOptimum(model, end.best ?? 0, own.traffic, unit)
  const above = end.bound === null || own.traffic >= end.bound
  if (!above && model === 'addresses')
    return { tone: 'why', text: `COSMA moves ${bytesIn(own.traffic, unit)}, below its bound.` }
  return plain(`COSMA ${own.proven ? 'proved' : 'found'} ${bytesIn(own.traffic, unit)}.`)
}
