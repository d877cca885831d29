/** The load against the capacity: what needs no search to be seen. */
import type { Problem } from '../../../../wasm/client/types'
import { aliveIn } from './peak'
import { count, plural, type Span, say, section, wholeBytes } from '../step/sentence_parts'

/** Why no order of placement can help: more bytes are alive at once than there are. */
export interface Overload {
  section: number
  time: number
  buffers: number[]
  need: number
  over: number
  spans: Span[]
}

/** null if the load fits. runs: what a model's operator at that time is called, '' if there is none. O(buffers). */
export function overload(problem: Problem, capacity: number, runs: (time: number) => string): Overload | null {
  const at = problem.peak
  const need = at < 0 ? 0 : (problem.sections.load[at] ?? 0)
  if (need <= capacity) return null
  const lower = problem.sections.lower[at] ?? 0
  const buffers = aliveIn(problem, at)
  const over = need - capacity
  const name = runs(lower)
  const lights = { buffers, section: at }
  const spans = [
    ...say`At ${name === '' ? 'time ' : 'operator '}${{ kind: 'count', value: lower, tone: 'plain', lights: { buffers: [], section: at } }}${name === '' ? '' : `, ${name},`} in section ${section(at)}, `,
    ...say`${count(buffers.length, buffers)} ${plural(buffers.length, 'buffer is', 'buffers are')} alive at once. Together they need `,
    ...say`${wholeBytes(need, 'why', lights)}, ${wholeBytes(over, 'why', lights)} more than the capacity. No order of placement can help.`,
  ]
  return { section: at, time: lower, buffers, need, over, spans }
}
