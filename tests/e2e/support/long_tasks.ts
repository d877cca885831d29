/** How long the page's main thread is held while something is done. */
import type { Browser, Page } from 'playwright-core'

interface TraceEvent {
  name: string
  ph: string
  pid: number
  tid: number
  ts: number
  /** microseconds on the clock, and on the processor */
  dur?: number
  tdur?: number
  args?: { name?: string }
}

/**
 * The processor's time of every task of the page's main thread. Time on the clock would count what other programs do on a busy machine; of
 * that the browser's own measure is free.
 */
export async function tasksDuring(browser: Browser, page: Page, act: () => Promise<void>): Promise<number[]> {
  const categories = ['-*', 'toplevel', 'disabled-by-default-devtools.timeline', '__metadata']
  await browser.startTracing(page, { categories })
  await act()
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
  const key = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const events = trace.traceEvents
  const main = new Set(
    events.filter((e) => e.name === 'thread_name' && e.args?.name === 'CrRendererMain').map((e) => key(e)),
  )
  const tasks = events.filter((e) => e.ph === 'X' && /RunTask$/.test(e.name) && main.has(key(e)))
  return tasks.flatMap(({ tdur }) => (tdur === undefined ? [] : [tdur / 1000]))
}

/** What users call jank, in milliseconds. */
export const LIMIT = 50
const ATTEMPTS = 3

/**
 * The longest task of each attempt, of which the last is within the limit, or all are beyond it. A collection of garbage may fall into any
 * one task, and code is slow when it is new: what the page does by itself, it does every time.
 */
export async function longestTasks(browser: Browser, page: Page, act: () => Promise<void>): Promise<number[]> {
  const longest: number[] = []
  while (longest.length < ATTEMPTS && !longest.some((time) => time < LIMIT))
    longest.push(Math.max(...(await tasksDuring(browser, page, act))))
  return longest
}
