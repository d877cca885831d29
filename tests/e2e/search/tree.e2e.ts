/** The search tree, the rules' chips and the charts of the search, in the page. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { violations } from '../support/axe'
import { calm, ended, openExample, pixels, stepShown, totalSteps, visitor } from '../support/browser'
import { wear } from '../support/themes'

const { visit, stay } = visitor()

const list = (page: Page) => page.getByRole('treegrid', { name: 'Search tree' })
const canvas = (page: Page) => page.locator('.tree-host')
const row = (page: Page, words: string | RegExp) => list(page).locator('.rows-row').filter({ hasText: words })

/** The tree is that of the step shown. */
async function treeAt(page: Page, step: number): Promise<void> {
  await canvas(page)
    .getByRole('img', { name: new RegExp(`at step ${step.toLocaleString('en')},`) })
    .waitFor()
}

/** A jump changes the step: it is read until it is there. */
const shows = (page: Page, step: number) => expect.poll(() => stepShown(page)).toBe(step)

describe('the tree', () => {
  it('shows what was tried beside the path, goes where it is told, and follows the step', async () => {
    const page = await stay()
    await openExample(page, 'Hatless')
    await page.keyboard.press('2')
    await treeAt(page, await stepShown(page))
    await stepTo(page, 12)
    await treeAt(page, 12)
    const before = await pixels(page, '.tree-host')
    await page.getByRole('button', { name: 'List', exact: true }).click()
    // two subtrees were exhausted by then, in the steps that the list says
    const gone = row(page, /exhausted, \d+ steps/)
    const at = Number(await gone.last().locator('.cell, [role=gridcell]').last().textContent())
    expect(at).toBeGreaterThan(0)
    await gone.last().click()
    await shows(page, at)
    await page.keyboard.press('1')
    await page.locator('.chip-row').getByText('Placed').waitFor()
    await page.keyboard.press('2')
    await page.getByRole('button', { name: 'List', exact: true }).click()
    await treeAt(page, at)
    await calm(page)
    expect(await pixels(page, '.tree-host')).not.toEqual(before)
    await page.keyboard.press('ArrowRight')
    await treeAt(page, at + 1)
  })

  it('is walked by keyboard, in the picture and in the list', async () => {
    const page = await stay()
    await openExample(page, 'Hatless')
    await page.keyboard.press('2')
    await stepTo(page, 8)
    await treeAt(page, 8)
    await canvas(page).locator('[tabindex="0"]').focus()
    await page.keyboard.press('ArrowUp')
    await page
      .locator('.tree-said')
      .getByText(/level \d+/)
      .waitFor()
    await page.keyboard.press('ArrowUp')
    const said = async () => Number(/step (\d+)/.exec((await page.locator('.tree-said').textContent()) ?? '')?.[1])
    await expect.poll(said).toBeLessThan(8)
    const step = await said()
    await page.keyboard.press('Enter')
    await shows(page, step)
    await page.getByRole('button', { name: 'List', exact: true }).click()
    await list(page).focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')
    const first = await list(page).locator('.rows-row').first().getAttribute('aria-level')
    expect(first).toBe('1')
    await expect.poll(() => stepShown(page)).toBeLessThan(step)
    await page.getByRole('button', { name: 'List', exact: true }).click()
  })

  it('unfolds what was taken back, folds it again, and is none where nothing is taken back', async () => {
    const page = await stay()
    await openExample(page, 'Synthetic')
    await page.keyboard.press('2')
    await stepTo(page, 1200)
    await treeAt(page, 1200)
    const folded = await pixels(page, '.tree-host')
    await page.getByRole('button', { name: 'List', exact: true }).click()
    const rows = async () => Number(await list(page).getAttribute('aria-rowcount'))
    const few = await rows()
    await row(page, /subtree of \d+ steps/)
      .last()
      .click()
    await expect.poll(rows).toBeGreaterThan(few)
    await page.getByRole('button', { name: 'Fold', exact: true }).click()
    await expect.poll(rows).toBe(few)
    await page.getByRole('button', { name: 'List', exact: true }).click()
    await page.getByRole('button', { name: 'Last 200 steps' }).click()
    await treeAt(page, 1200)
    await expect.poll(() => pixels(page, '.tree-host')).not.toEqual(folded)
    expect(await page.locator('.tree-tab').textContent()).not.toMatch(/undefined|NaN/)

    await page.getByRole('combobox', { name: 'Solver' }).selectOption('greedy')
    await page.locator('.run-button').click()
    await page.getByText('this solver does not branch').waitFor()
  })

  it.each([
    ['dark', 1280, 720],
    ['light', 1920, 1080],
  ] as const)('has names and contrasts that hold: %s, %i x %i', async (theme, width, height) => {
    const page = await stay()
    await page.setViewportSize({ width, height })
    await wear(page, theme)
    await openExample(page, 'Hatless')
    await page.keyboard.press('2')
    await stepTo(page, 12)
    await treeAt(page, 12)
    await calm(page)
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'List', exact: true }).click()
    await list(page).waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'List', exact: true }).click()
    await page.keyboard.press('3')
    await page.getByText('Candidates skipped').waitFor()
    await calm(page)
    expect(await violations(page)).toEqual([])
  })

  it('fits a phone', async () => {
    const page = await visit('', {
      viewport: { width: 390, height: 844 },
      isMobile: true,
      hasTouch: true,
      colorScheme: 'dark',
    })
    await ended(page)
    await page.locator('.tab-bar').getByText('Tree').tap()
    await canvas(page).getByRole('img').waitFor()
    await page.getByRole('button', { name: 'List', exact: true }).tap()
    await list(page).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    expect(await violations(page)).toEqual([])
  })
})

describe('a rule', () => {
  it('says what it is and who says so: by pointer, by keyboard and by touch', async () => {
    const page = await stay()
    await openExample(page, 'Section bound')
    const chip = page.locator('.chip-row').getByRole('button', { name: 'section bound' })
    await chip.waitFor()
    const tip = page.locator('.chip-row').getByRole('tooltip')
    expect(await tip.isVisible()).toBe(false)
    await chip.hover()
    await tip.getByText('MiniMalloc §6.2, eq. 3').waitFor()
    await page.mouse.move(300, 300)
    await expect.poll(() => tip.isVisible()).toBe(false)
    await chip.focus()
    await tip.getByText('plus the sizes still to place').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => tip.isVisible()).toBe(false)

    const phone = await visit('', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true })
    await ended(phone)
    const other = phone.locator('.chip-row').getByRole('button').first()
    await other.tap()
    const shown = phone.locator('.chip-row').getByRole('tooltip')
    await shown.waitFor()
    const box = await shown.boundingBox()
    expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 999) <= 390).toBe(true)
    await phone.locator('.memory').tap()
    await expect.poll(() => phone.locator('.chip-row').getByRole('tooltip').isVisible()).toBe(false)
  })
})

describe('counters over the run', () => {
  it('say their values under the pointer and with the keys, a click goes to the step, and jumps go on from there', async () => {
    const page = await stay()
    await openExample(page, 'Synthetic')
    await page.keyboard.press('3')
    const charts = page.locator('.charts-host')
    await charts.getByRole('img').waitFor()
    await calm(page)
    const before = await pixels(page, '.charts-host')
    const box = await charts.boundingBox()
    if (box === null) throw new Error('the charts are not drawn')
    await page.mouse.move(box.x + box.width / 2, box.y + 40)
    await charts.getByRole('img', { name: /at steps [\d,]+ to [\d,]+\. Placed: \d+/ }).waitFor()
    await page.mouse.click(box.x + box.width / 2, box.y + 40)
    await expect.poll(() => stepShown(page)).toBeGreaterThan((await totalSteps(page)) * 0.4)
    expect(await stepShown(page)).toBeLessThan((await totalSteps(page)) * 0.6)
    await calm(page)
    expect(await pixels(page, '.charts-host')).not.toEqual(before)
    await charts.locator('[tabindex="0"]').focus()
    await page.keyboard.press('ArrowRight')
    const name = (await charts.getByRole('img', { name: /Backtracks: \d+/ }).getAttribute('aria-label')) ?? ''
    await page.keyboard.press('Enter')
    await shows(page, Number(/steps ([\d,]+)/.exec(name)?.[1]?.replaceAll(',', '')))

    // the next step deeper than all before: in the transport's menu, and under a key
    await page.keyboard.press('1')
    await stepTo(page, 40)
    await page.getByRole('button', { name: 'Jump to' }).click()
    await page.getByRole('menuitem', { name: /Next deepest step/ }).click()
    await expect.poll(() => stepShown(page)).toBeGreaterThan(40)
    const placed = async () => Number.parseInt((await page.locator('.placed').textContent()) ?? '', 10)
    const step = await stepShown(page)
    await page.getByText(`step ${step.toLocaleString('en')}`, { exact: true }).waitFor()
    const first = await placed()
    await page.keyboard.press('Shift+D')
    await expect.poll(() => stepShown(page)).toBeGreaterThan(step)
    await expect.poll(placed).toBeGreaterThan(first)
    await page.keyboard.press('End')
    await page.keyboard.press('Shift+D')
    await page.getByText('Nothing deeper follows.').waitFor()
    await shows(page, await totalSteps(page))
  })
})

/** As goTo, whichever tab is shown. */
async function stepTo(page: Page, step: number): Promise<void> {
  await page.locator('.step-field input').fill(String(step))
  await page.locator('.step-field input').press('Enter')
  await shows(page, step)
}
