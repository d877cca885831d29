/** A long file on its way: its rows are counted, and whoever gives it up keeps what was open. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { ended, runIt, visitor } from '../support/browser'
import { problemFiles } from '../support/files'

const { arrive } = visitor({ reducedMotion: 'no-preference', whole: true })

const COUNT = 1_000_000
const makeProblem = problemFiles()

/** Opens the file and lets go of it as soon as its rows are counted, which takes less than a second: so the page does it. Its bars. */
async function letGo(page: Page, file: string, how: 'button' | 'Escape'): Promise<number> {
  const handle = await page.evaluateHandle((how) => {
    const counted = /^[\d,]+ of about [\d,]+ rows$/m
    const bars = new Promise<number>((resolve) => {
      const observer = new MutationObserver(() => {
        const coming = document.querySelector<HTMLElement>('.importing')
        if (coming === null || !counted.test(coming.innerText)) return
        observer.disconnect()
        resolve(coming.querySelectorAll('[role=progressbar], progress').length)
        if (how === 'button') coming.querySelector('button')?.click()
        else document.body.dispatchEvent(new KeyboardEvent('keydown', { key: how, bubbles: true }))
      })
      observer.observe(document.body, { subtree: true, childList: true, characterData: true })
    })
    return { bars }
  }, how)
  await page.locator('#setup input[type=file]').setInputFiles(file)
  return handle.evaluate(({ bars }) => bars)
}

it('counts the rows of a long file and lets go of it', async () => {
  const file = await makeProblem('training', COUNT)
  const page = await arrive()
  await ended(page)
  page.setDefaultTimeout(60_000)
  const size = await page.locator('.section-note').first().textContent()
  const coming = page.locator('.importing')

  expect(await letGo(page, file, 'button')).toBe(1)
  await coming.waitFor({ state: 'detached' })
  expect(await page.locator('.section-note').first().textContent()).toBe(size)
  // the worker has the former problem still
  await runIt(page)
  expect(await page.locator('.notice').count()).toBe(0)

  // Escape does the same, and the same file can be opened after that
  expect(await letGo(page, file, 'Escape')).toBe(1)
  await coming.waitFor({ state: 'detached' })
  expect(await page.locator('.section-note').first().textContent()).toBe(size)
  await page.locator('#setup input[type=file]').setInputFiles(file)
  await page
    .getByText(`${COUNT.toLocaleString('en')} buffers`)
    .first()
    .waitFor()
  await coming.waitFor({ state: 'detached' })
})
