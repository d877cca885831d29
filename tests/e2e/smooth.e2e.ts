/** Nothing that the page does while a long search runs and plays holds its main thread for more than 50 ms. */
import { expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { ended, hardSearch, stepShown, visitor } from './browser'

const { arrive, bench } = visitor()

/** What users call jank, in milliseconds. */
const LIMIT = 50
const ATTEMPTS = 3

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
async function tasksDuring(page: Page, act: () => Promise<void>): Promise<number[]> {
  const categories = ['-*', 'toplevel', 'disabled-by-default-devtools.timeline', '__metadata']
  await bench().browser.startTracing(page, { categories })
  await act()
  const trace = JSON.parse((await bench().browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
  const key = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const events = trace.traceEvents
  const main = new Set(
    events.filter((e) => e.name === 'thread_name' && e.args?.name === 'CrRendererMain').map((e) => key(e)),
  )
  const tasks = events.filter((e) => e.ph === 'X' && /RunTask$/.test(e.name) && main.has(key(e)))
  return tasks.flatMap(({ tdur }) => (tdur === undefined ? [] : [tdur / 1000]))
}

/** Ten million steps are searched, then played in seconds, then looked at here and there. */
async function searchAndPlay(page: Page): Promise<void> {
  await page.locator('.run-button').click()
  await page.getByText(/steps\/s/).waitFor()
  await ended(page)
  await page.getByRole('slider', { name: 'Speed' }).fill('60')
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.getByRole('button', { name: 'Play' }).click()
  await expect.poll(() => stepShown(page), { timeout: 30_000 }).toBeGreaterThan(2_000_000)
  await page.getByRole('button', { name: 'Pause' }).click()
  for (let k = 0; k < 10; k++) await page.keyboard.press('ArrowRight')
}

it('holds the main thread no longer than a person notices, while a long search runs and plays', async () => {
  const page = await arrive()
  await hardSearch(page)
  const longest: number[] = []
  // a collection of garbage may fall into any one task: what the page does by itself, it does every time
  while (longest.length < ATTEMPTS && !longest.some((time) => time < LIMIT)) {
    const tasks = await tasksDuring(page, () => searchAndPlay(page))
    expect(tasks.length).toBeGreaterThan(100)
    longest.push(Math.max(...tasks))
  }
  expect(Math.min(...longest), `the longest task of each attempt: ${longest.join(', ')} ms`).toBeLessThan(LIMIT)
})

it('would see a task that is too long', async () => {
  const page = await arrive()
  const tasks = await tasksDuring(page, () =>
    page.evaluate(() => {
      // long enough for a machine on which other programs take most of it
      const from = performance.now()
      let sum = 0
      while (performance.now() - from < 400) sum += Math.random()
      return void sum
    }),
  )
  expect(Math.max(...tasks)).toBeGreaterThan(LIMIT)
})
