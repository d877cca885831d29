/** The first minute of somebody who has never been here, at three sizes and in both themes. */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { calm, DIST, dropText, ended, SMALL, stepShown, visitor } from '../support/browser'

const { visit } = visitor()
/** As in check_size.mjs, in bytes under Brotli. */
const FIRST_LOAD = 150_000
const SIZES = {
  small: { viewport: { width: 1280, height: 720 }, colorScheme: 'dark' },
  large: { viewport: { width: 1920, height: 1080 }, colorScheme: 'light' },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: 'light', isMobile: true, hasTouch: true },
} as const

/** The step that a column says it shows. */
async function at(page: Page, column: number): Promise<number> {
  const text = (await page.locator('.lane-name .hint').nth(column).textContent()) ?? ''
  return Number(/[\d,]+(?= steps)|(?<=step )[\d,]+/.exec(text)?.[0].replaceAll(',', '') ?? 0)
}

/** All is in sight, and nothing is under anything else. */
async function fits(page: Page): Promise<void> {
  const over = await page.evaluate(() => [
    document.documentElement.scrollWidth - innerWidth,
    document.documentElement.scrollHeight - innerHeight,
    ...[...document.querySelectorAll('.lane, .welcome, .ways button, .transport')].flatMap((element) => {
      const box = element.getBoundingClientRect()
      return [Math.max(0, box.right - innerWidth), Math.max(0, box.bottom - innerHeight)]
    }),
  ])
  expect(Math.max(...over)).toBeLessThanOrEqual(0.5)
  for (const canvas of await page.locator('.lane-memory').all())
    expect((await canvas.boundingBox())?.height ?? 0).toBeGreaterThan(110)
}

describe('a first visit', () => {
  it('opens on a race that plays by itself, and stops for good when it is touched', async () => {
    const fetched: string[] = []
    const page = await visit('', { ...SIZES.small, first: true, reducedMotion: 'no-preference' }, async (made) => {
      made.on('response', (response) => fetched.push(response.url()))
    })
    await expect.poll(() => at(page, 0)).toBeGreaterThan(20)
    // touched at once: the race ends by itself after twenty seconds, and to weigh the files may take a busy machine as long
    const soFar = [...fetched]
    const files = new Set(
      soFar.map((url) => basename(new URL(url).pathname)).filter((name) => /\.(js|css)$/.test(name)),
    )
    await page.locator('.welcome h2').click()
    const still = await at(page, 0)
    await page.waitForTimeout(400)
    expect(await at(page, 0)).toBe(still)
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await expect.poll(() => at(page, 0)).toBeGreaterThan(still)
    await page.getByRole('button', { name: 'Pause', exact: true }).click()
    expect(await page.title()).toMatch(/^Arenascope/)
    expect(await page.locator('#setup, .side').count()).toBe(0)
    // what was fetched by then comes to no more than a first load, but for the other solver's module
    const before = [...files].filter((name) => /^(index|worker|first_race)-/.test(name))
    const lean = soFar.map((url) => basename(url)).filter((name) => /^lean-/.test(name))
    const weight = [...before, lean[0] ?? ''].reduce(
      (sum, name) => sum + brotliCompressSync(readFileSync(join(DIST, 'assets', name))).length,
      brotliCompressSync(readFileSync(join(DIST, 'index.html'))).length,
    )
    expect(weight).toBeGreaterThan(100_000)
    expect(weight).toBeLessThan(FIRST_LOAD)
    // the example that was the first page is one click away
    await page.getByRole('button', { name: 'begin with nine buffers' }).click()
    await ended(page)
    await page.getByText('One step of a search is shown').waitFor()
    await expect.poll(() => page.title()).toBe('Section bound · Arenascope')
    expect(await stepShown(page)).toBe(6)
    // and whoever comes again finds what was open
    await page.reload()
    await ended(page)
    expect(await page.locator('.welcome').count()).toBe(0)
  })

  it('pauses at its button with one press', async () => {
    const page = await visit('', { ...SIZES.large, first: true, reducedMotion: 'no-preference' })
    await expect.poll(() => at(page, 1)).toBeGreaterThan(20)
    await page.getByRole('button', { name: 'Pause', exact: true }).click()
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
    await fits(page)
    await page.getByRole('button', { name: 'Step through it' }).click()
    await ended(page)
    expect(await page.locator('.section .outcome .pill').textContent()).toBe('Optimal')
  })

  it('stands still at its end where motion is not wanted, all on one screen of a phone', async () => {
    const page = await visit('', { ...SIZES.phone, first: true })
    await page.getByText('and no plan is lower').waitFor()
    await page.getByText('Still searching after').waitFor()
    await calm(page)
    await fits(page)
    await page.getByRole('button', { name: 'Learn', exact: true }).tap()
    const lessons = page.getByRole('dialog', { name: 'Lessons' })
    await lessons.getByRole('button', { name: /^1 ?What static allocation is/ }).tap()
    await page.getByText('Which buffer is written first?').waitFor()
    // and back to what the visit began with
    await page.getByRole('button', { name: 'Leave the lesson' }).tap()
    await page.getByText('Still searching after').waitFor()
    await fits(page)
    await page.getByRole('button', { name: 'Paste yours' }).tap()
    await page.getByLabel('Buffer CSV').waitFor()
  })

  it('goes on to a text of one’s own, and to a model', async () => {
    const page = await visit('', { ...SIZES.large, colorScheme: 'dark', first: true })
    await page.getByRole('button', { name: 'Open a model' }).click()
    await page.getByRole('dialog', { name: 'Models' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Paste yours' }).click()
    await page.getByLabel('Buffer CSV').fill(SMALL)
    await page.getByRole('button', { name: 'Load', exact: true }).click()
    await page.getByText('6 buffers').waitFor()
    await expect.poll(() => page.title()).toBe('pasted.csv · Arenascope')
    await page.keyboard.press('c')
    await expect.poll(() => page.title()).toBe('Compare: pasted.csv · Arenascope')
  })

  it.each([
    ['a table', 'bad.csv', 'id,lower,upper,size\na,0,x,2\n', '1 error. Nothing was loaded.', SIZES.small],
    ['a table on a phone', 'bad.csv', 'id,lower,upper,size\na,0,x,2\n', '1 error. Nothing was loaded.', SIZES.phone],
    ['another file', 'a.png', '\x89PNG\r\n\x1a\n', 'a.png: this is not a TFLite', SIZES.small],
    ['another file on a phone', 'a.png', '\x89PNG\r\n\x1a\n', 'a.png: this is not a TFLite', SIZES.phone],
  ])('says what is wrong with %s that is dropped on the race, and leaves it', async (_, name, text, said, size) => {
    const page = await visit('', { ...size, first: true })
    await page.getByText('Still searching after').waitFor()
    await dropText(page, name, text)
    await page.getByText(said).waitFor()
    expect(await page.locator('.welcome').count()).toBe(0)
    await page.locator('.run-button').waitFor()
  })

  it('says what is wrong with a file that is dropped before the race is there', async () => {
    const page = await visit('', { ...SIZES.small, first: true }, async (made) => {
      await made.addInitScript(() => {
        const drop = () => {
          const dataTransfer = new DataTransfer()
          dataTransfer.items.add(new File(['id,lower,upper,size\na,0,x,2\n'], 'bad.csv'))
          // until the page takes it
          if (window.dispatchEvent(new DragEvent('drop', { dataTransfer, cancelable: true }))) setTimeout(drop)
        }
        drop()
      })
    })
    await page.getByText('1 error. Nothing was loaded.').waitFor()
    expect(await page.locator('.welcome').count()).toBe(0)
  })
})
