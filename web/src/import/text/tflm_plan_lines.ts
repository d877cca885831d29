/** The lines of GreedyMemoryPlanner::PrintMemoryPlan in a log. */
import { Refusal } from '../refusal'
import { TFLM_LINE } from './sniff'

/** A request of TFLite Micro's planner. Times are inclusive, -1 is none. */
export interface Logged {
  bytes: number
  offset: number
  first: number
  last: number
  /** of the log */
  line: number
}

/** The plans that a log holds: each counts its requests from 0. Throws Refusal. */
export function plansIn(text: string): Logged[][] {
  const plans: Logged[][] = []
  for (const [index, row] of text.split(/\r?\n/).entries()) {
    const numbers = TFLM_LINE.exec(row)?.slice(1).map(Number)
    if (!numbers) continue
    const [id = 0, bytes = 0, offset = 0, first = 0, last = 0] = numbers
    const line = index + 1
    if (id === 0) plans.push([])
    const plan = plans.at(-1)
    if (!plan || id !== plan.length)
      throw new Refusal(`line ${line}: id=${id}, expected ${plan?.length ?? 0}: lines of the log are missing.`)
    const bad = numbers.find((number) => !Number.isSafeInteger(number))
    if (bad !== undefined) throw new Refusal(`line ${line}: ${bad} is more than can be counted exactly.`)
    if (last < first) throw new Refusal(`line ${line}: last_used=${last} is before first_used=${first}.`)
    plan.push({ bytes, offset, first, last, line })
  }
  return plans
}
