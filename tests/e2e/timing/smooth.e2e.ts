/** Nothing that the page does while a long search runs and plays, or over a link made to hold it up, holds its main thread for more than 50 ms. */
import { deflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { ended, hardSearch, stepShown, visitor } from '../support/browser'
import { LIMIT, longestTasks, tasksDuring } from '../support/long_tasks'

const { arrive, bench } = visitor({ reducedMotion: 'no-preference', whole: true })

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
  const longest = await longestTasks(bench().browser, page, () => searchAndPlay(page))
  expect(Math.min(...longest), `the longest task of each attempt: ${longest.join(', ')} ms`).toBeLessThan(LIMIT)
})

it('refuses a link that unpacks to 256 MiB without a task that is felt', async () => {
  const bomb = `s1.${deflateSync(Buffer.alloc(256 * 2 ** 20), { level: 9 }).toString('base64url')}`
  const page = await arrive()
  const said = page.getByText('This link holds more than a link may.')
  const longest = await longestTasks(bench().browser, page, async () => {
    await page.evaluate((fragment) => location.assign(`#${fragment}`), bomb)
    await said.waitFor()
    await page.getByRole('button', { name: 'Close the message' }).click()
    await said.waitFor({ state: 'detached' })
    await page.evaluate(() => location.assign('#'))
  })
  expect(Math.min(...longest), `the longest task of each attempt: ${longest.join(', ')} ms`).toBeLessThan(LIMIT)
})

it('would see a task that is too long', async () => {
  const page = await arrive()
  const tasks = await tasksDuring(bench().browser, page, () =>
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
