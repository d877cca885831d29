/** A search without an end: how far it is, the way out of it at once, and on from there. */
import { describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { ended, hardSearch, load, outcome, runIt, SMALL, totalSteps, visitor } from '../support/browser'

const { bench, visit } = visitor({ reducedMotion: 'no-preference', whole: true })

/** A search without an end in a problem of one's own, some way into it. */
const endless = async (): Promise<Page> => {
  const page = await visit()
  await ended(page)
  await hardSearch(page)
  await page.getByLabel('Budget', { exact: true }).fill('0')
  await page.getByLabel('Budget', { exact: true }).press('Enter')
  await page.locator('.run-button').click()
  await page.getByText(/steps\/s/).waitFor()
  return page
}

it('shows progress, is cancelled at once and goes on', async () => {
  const page = await endless()
  // by the page's own frames: from outside a look may come half a second late
  const took = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const from = performance.now()
        const look = () => {
          if (document.querySelector('.transport .play:not([disabled])')) resolve(performance.now() - from)
          else requestAnimationFrame(look)
        }
        look()
      }),
  )
  await page.keyboard.press('Escape')
  expect(await took).toBeLessThan(1000)
  await ended(page)
  expect(await outcome(page)).toBe('Cancelled')
  await page
    .locator('.result-lead')
    .getByText(/^Undecided: /)
    .waitFor()
  const before = await totalSteps(page)
  expect(before).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText(/steps\/s/).waitFor()
  await page.locator('.running').getByRole('button', { name: 'Cancel' }).click()
  await ended(page)
  expect(await totalSteps(page)).toBeGreaterThan(before)
})

describe('a worker that is lost in silence', () => {
  const solver = (page: Page) => {
    const found = page.workers().find((worker) => /\/worker-/.test(worker.url()))
    if (found === undefined) throw new Error('there is no worker')
    return found
  }
  const hang = async (page: Page) => {
    void solver(page)
      .evaluate(() => {
        for (;;);
      })
      .catch(() => undefined)
    await page.waitForTimeout(500)
  }
  const found = async (page: Page, why: string) => {
    await page.locator('.notice').getByText('The solver was lost, and replaced.').waitFor()
    await page.locator('.notice').getByText(why).waitFor()
    expect(await outcome(page)).toBe('Cancelled')
    expect(await totalSteps(page)).toBeGreaterThan(0)
  }

  it('is replaced at once where it ends, and the run goes on from what was found', async () => {
    const page = await endless()
    const name = await page.locator('.file-name').innerText()
    const capacity = await page.getByRole('textbox', { name: 'Capacity' }).inputValue()
    await solver(page)
      .evaluate(() => self.close())
      .catch(() => undefined)
    await found(page, 'Its worker ended without a word.')
    expect(await page.locator('.file-name').innerText()).toBe(name)
    expect(await page.getByRole('textbox', { name: 'Capacity' }).inputValue()).toBe(capacity)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText(/steps\/s/).waitFor()
    await page.keyboard.press('Escape')
    await ended(page)
    expect(await outcome(page)).toBe('Cancelled')
  })

  it('is replaced after two seconds where it hangs, and another problem can be opened', async () => {
    const page = await endless()
    await hang(page)
    await page.keyboard.press('Escape')
    await found(page, 'It did not answer for 2 seconds.')
    await page.locator('.notice').getByRole('button', { name: 'Close the message' }).click()
    await load(page, SMALL)
    await page.getByText('6 buffers').waitFor()
    await runIt(page)
  })

  it('is replaced on the way to another problem, which is opened', async () => {
    const page = await endless()
    await hang(page)
    await load(page, SMALL)
    await page.getByText('6 buffers').waitFor()
    await runIt(page)
  })

  it('is asked for again where it could not be loaded', async () => {
    const page = await bench().newPage({ serviceWorkers: 'block' })
    await page.route(/\/worker-[^/]*\.js$/, (route) => route.abort())
    await bench().open(page)
    await page.locator('.notice').getByText('The solver could not be loaded.').waitFor()
    await page.unrouteAll()
    await page.locator('.notice').getByRole('button', { name: 'Try again' }).click()
    await ended(page)
    expect(await totalSteps(page)).toBeGreaterThan(0)
    await page.context().close()
  })
})
