/** The main way through the page in Firefox: load, run, scrub, share, open again, save, and a lesson. All else is tested in Chromium. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  calm,
  ended,
  goTo,
  launchFirefox,
  linkOf,
  load,
  outcome,
  runIt,
  SMALL,
  stepShown,
  totalSteps,
  visitor,
} from '../support/browser'

const { visit } = visitor({}, launchFirefox)

declare global {
  interface Window {
    /** name and contents of the file that was saved last */
    lastFile?: Promise<string>
  }
}

/** Playwright is told of no downloads by an ESR: what a link to a file is clicked for is read before the browser has it. */
const keepFiles = (page: Page) =>
  page.addInitScript(() => {
    const blobs = new Map<string, Blob>()
    const { createObjectURL } = URL
    URL.createObjectURL = (object) => {
      const url = createObjectURL.call(URL, object)
      if (object instanceof Blob) blobs.set(url, object)
      return url
    }
    const { click } = HTMLAnchorElement.prototype
    HTMLAnchorElement.prototype.click = function () {
      const blob = blobs.get(this.href)
      if (blob !== undefined) window.lastFile = blob.text().then((text) => `${this.download}\n${text}`)
      click.call(this)
    }
  })
const saved = (page: Page) => page.evaluate(() => window.lastFile ?? '')

describe('in Firefox', () => {
  it('a problem is pasted, run, scrubbed, shared, opened again and saved', async () => {
    const page = await visit('', {}, keepFiles)
    expect(await page.evaluate(() => navigator.userAgent)).toContain('Firefox/')
    await ended(page)
    await load(page, SMALL)
    await page.getByText('6 buffers').waitFor()
    await page.getByRole('textbox', { name: 'Capacity' }).fill('13')
    await page.getByRole('textbox', { name: 'Capacity' }).press('Enter')
    await runIt(page)
    expect(await outcome(page)).toBe('Optimal')
    // the strip is made anew with the run's end
    await calm(page)
    const strip = await page.locator('.seismograph').boundingBox()
    if (strip === null) throw new Error('there is no search')
    await page.mouse.move(strip.x + strip.width / 2, strip.y + strip.height / 2)
    await page.mouse.down()
    await page.mouse.move(strip.x + strip.width / 3, strip.y + strip.height / 2, { steps: 4 })
    await page.mouse.up()
    await expect.poll(() => stepShown(page)).toBeLessThan(await totalSteps(page))
    await goTo(page, 3)
    const shown = await page.locator('.prose').first().textContent()
    const link = await linkOf(page)
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name: /CSV with offsets/ }).click()
    await expect.poll(() => saved(page)).toMatch(/^pasted\.plan\.csv\nid,lower,upper,size,offset\na,0,4,3,\d+\n/)
    const again = await visit(link)
    await again.getByText('Reproduced exactly').waitFor()
    expect(await stepShown(again)).toBe(3)
    await expect.poll(() => again.locator('.prose').first().textContent()).toBe(shown)
  })

  it('a lesson is answered, and its bricks are dragged', async () => {
    const page = await visit('#lesson=static-allocation/4')
    const conv = page.getByLabel('Offset of conv')
    await conv.waitFor()
    // where the canvas stays, and what takes a drag there
    await calm(page)
    const box = await page.locator('.memory').boundingBox()
    if (box === null) throw new Error('there is no canvas')
    // conv lies from 3 to 7 of 14 bytes and from 1 to 3 of 5 times
    const [x, y] = [box.x + 58 + (box.width - 72) * 0.4, box.y + 30 + (box.height - 56) * (9 / 14)]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x, y + (box.height - 56) * (3 / 14), { steps: 5 })
    await page.mouse.up()
    await expect.poll(() => conv.inputValue()).toBe('0')
    for (const [id, to] of Object.entries({ output: 0, relu: 4, input: 4 }))
      await page.getByLabel(`Offset of ${id}`).fill(String(to))
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await page.locator('.ask-reply').getByText('Right.').waitFor()
  })
})
