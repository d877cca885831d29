/** The papers' tables and figures beside ours: looked through, taken along, and a row opens what it speaks of. */
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { calm, ended, goTo, linkOf, stepShown, totalSteps, visitor } from '../support/browser'
import { wear } from '../support/themes'

const { arrive, visit } = visitor()

async function opened(page: Page): Promise<Locator> {
  await page.keyboard.press('Control+k')
  const commands = page.getByRole('dialog', { name: 'Commands' })
  await commands.getByRole('combobox').fill('papers')
  await commands
    .getByRole('option', { name: /^Papers/ })
    .first()
    .click()
  return page.getByRole('dialog', { name: 'Papers' })
}

/** Opens a row of a table or figure, and waits until its run has ended. */
async function openRow(page: Page, paper: string, where: RegExp, row: string): Promise<void> {
  const sheet = await opened(page)
  await sheet.getByRole('region', { name: paper, exact: true }).getByRole('button', { name: where }).click()
  await sheet.getByRole('button', { name: row, exact: true }).first().click()
  await sheet.waitFor({ state: 'detached' })
  // until the row is opened, the run that has ended is the one before
  await calm(page)
  await ended(page)
}

/** How far the colours of a chart's series stand out from the sheet, as WCAG counts it; a mark needs 3. */
const contrasts = (page: Page): Promise<number[]> =>
  page.evaluate(() => {
    const box = document.querySelector('.papers') as HTMLElement
    const pen = document
      .createElement('canvas')
      .getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D
    const light = (colour: string): number => {
      box.style.outlineColor = colour
      pen.fillStyle = getComputedStyle(box).outlineColor
      pen.fillRect(0, 0, 1, 1)
      const [r = 0, g = 0, b = 0] = Array.from(pen.getImageData(0, 0, 1, 1).data, (v) =>
        v <= 10 ? v / 3295 : ((v / 255 + 0.055) / 1.055) ** 2.4,
      )
      return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05
    }
    const sheet = light(getComputedStyle(box.closest('dialog') as HTMLElement).backgroundColor)
    return Array.from({ length: 9 }, (_, k) => {
      const name = `--series-${k}`
      if (getComputedStyle(box).getPropertyValue(name) === '') throw new Error(`there is no ${name}`)
      const own = light(`var(${name})`)
      return Math.max(own, sheet) / Math.min(own, sheet)
    })
  })

describe('the papers', () => {
  it('stand beside what was measured here, and a row opens its instance', async () => {
    const page = await arrive()
    const sheet = await opened(page)
    await sheet.getByRole('heading', { name: /^Table 1: Microbenchmarks/ }).waitFor()
    for (const theme of ['light', 'dark'] as const) {
      await wear(page, theme)
      expect(Math.min(...(await contrasts(page))), theme).toBeGreaterThanOrEqual(3)
    }
    await sheet.getByText('100,758', { exact: true }).first().waitFor()
    // published instances are not ours to ship: their rows say where they are
    await sheet
      .getByRole('region', { name: 'MiniMalloc' })
      .getByRole('button', { name: /^Table 2 ?The challenging suite/ })
      .click()
    await sheet.getByRole('link', { name: 'github.com/google/minimalloc' }).waitFor()
    // dots of many rows
    await sheet
      .getByRole('region', { name: 'TelaMalloc' })
      .getByRole('button', { name: /^Table 2/ })
      .click()
    await sheet.getByRole('img', { name: /^Table 2/ }).waitFor()
    const row = sheet
      .getByRole('row')
      .filter({ has: page.getByRole('button', { name: 'resnet50+weights', exact: true }) })
    const buffers = (await row.getByRole('cell').first().textContent()) ?? ''
    await row.getByRole('button').click()
    await sheet.waitFor({ state: 'detached' })
    await ended(page)
    // the very lowering that was measured
    await expect
      .poll(() => page.locator('body').innerText())
      .toMatch(new RegExp(`\\b${buffers} (of ${buffers} )?(buffers|placed)`))
    expect(Number(buffers.replace(',', ''))).toBeGreaterThan(100)
    // by the row's own solver
    const solver = page.getByRole('combobox', { name: 'Solver' })
    await expect.poll(() => solver.inputValue()).toBe('contention')
    // a strategy opens a problem that it fails on
    await openRow(page, 'TelaMalloc', /^Figure 14 ?Which/, 'max size')
    await expect.poll(() => solver.inputValue()).toBe('simple')
    await expect.poll(() => page.locator('body').innerText()).toMatch(/Steps\s+100,000/)
    // what lives in fast memory is chosen step by step, and both pools are drawn at each
    await openRow(page, 'TelaMalloc', /^Figure 18 ?Speed/, 'mnasnet1_3')
    await expect.poll(() => solver.inputValue()).toBe('select')
    const pools = page.getByRole('tabpanel', { name: 'Model' })
    await pools.getByText('TelaMalloc', { exact: true }).first().waitFor()
    const fast = page.getByRole('region', { name: 'Pool fast' })
    await fast.getByText(/of 588 KiB/).waitFor()
    await pools.getByText(/^\d+ of 65 buffers$/).waitFor()
    await calm(page)
    const chosen = await fast.textContent()
    await page.getByRole('tab', { name: 'Step' }).click()
    await goTo(page, 0)
    await fast.getByText(/^0 KiB of 588 KiB/).waitFor()
    await goTo(page, 8)
    await page.locator('.prose').getByText('goes into fast memory').waitFor()
    // a link has the choice and the step; so has a reload, and the way back is there
    const again = await visit(await linkOf(page))
    await again.locator('.prose').getByText('goes into fast memory').waitFor({ timeout: 60_000 })
    expect(await stepShown(again)).toBe(await stepShown(page))
    await goTo(again, await totalSteps(again))
    await expect.poll(() => again.getByRole('region', { name: 'Pool fast' }).textContent()).toBe(chosen)
    await again.getByRole('tab', { name: 'Model' }).click()
    await again.getByText('By priority').waitFor({ timeout: 60_000 })
    await again.getByRole('button', { name: /^Back to/ }).click()
    await ended(again)
    await expect.poll(() => again.getByRole('region', { name: 'Pool fast' }).count()).toBe(0)
    // a row of tiles has them cut
    await openRow(page, 'TAA', /^Table 1/, 'fire2, fire3')
    await page.getByRole('tab', { name: 'Tiles' }).waitFor()
    await expect.poll(() => solver.inputValue()).toBe('taa-exact')
    await page.getByText('Optimal', { exact: true }).first().waitFor()
  })
})
