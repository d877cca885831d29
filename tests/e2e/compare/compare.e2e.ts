/** Runs side by side, the capacity sweep, and the matrix over all examples. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  calm,
  EXAMPLES,
  hardProblem,
  linkOf,
  load,
  openExample,
  outcome,
  pixels,
  stepShown,
  unfold,
  useMiniMalloc,
  visitor,
} from '../support/browser'

const { arrive, visit } = visitor()

/** Opens the comparison and waits until every column's run has ended. */
async function compare(page: Page, columns = 2): Promise<void> {
  await page.keyboard.press('c')
  await over(page, columns)
}
async function over(page: Page, columns: number): Promise<void> {
  await expect.poll(() => page.locator('.lane-ended').count()).toBe(columns)
}
async function addRun(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: 'Add run' }).click()
  await page.getByRole('menuitem', { name: title }).click()
}
const laneSteps = async (page: Page) =>
  (await page.locator('.lane-foot > :first-child').allTextContents()).map((text) => {
    const [, at = '', of = ''] = /step ([\d,]+) of ([\d,]+)/.exec(text) ?? []
    return [Number(at.replaceAll(',', '')), Number(of.replaceAll(',', ''))]
  })
/** Whoever opens the link lands in the same comparison, and it comes out the same. */
async function arriveAgain(page: Page): Promise<Page> {
  const there = await visit(await linkOf(page))
  await there.locator('.compare-bar').getByText('Reproduced exactly').waitFor({ timeout: 60_000 })
  return there
}
const column = (page: Page, k: number) => page.locator(`.data-table tbody tr > :nth-child(${k})`).allTextContents()
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click()

describe('runs side by side', () => {
  it('start from the run of the page, two and then four, under one playhead', async () => {
    const page = await arrive()
    await openExample(page, 'Ten buffers')
    await compare(page)
    expect(await page.locator('.lane-name b').allTextContents()).toEqual(['MiniMalloc', 'Arenascope exact'])
    expect(await page.locator('.lane-name .hint').first().textContent()).toContain('TAW')
    await page.getByText('had an answer first').waitFor()
    await addRun(page, 'TelaMalloc')
    await addRun(page, 'Best fit online')
    await over(page, 4)
    expect(await page.getByRole('button', { name: 'Add run' }).count()).toBe(0)
    const boxes = await page.locator('.lane').evaluateAll((list) => list.map((lane) => lane.clientWidth))
    expect(Math.max(...boxes) - Math.min(...boxes)).toBeLessThanOrEqual(1)

    const totals = (await laneSteps(page)).map(([, of]) => of)
    await page.keyboard.press('Home')
    for (let k = 0; k < 3; k++) await page.keyboard.press('ArrowRight')
    await expect.poll(() => laneSteps(page)).toEqual(totals.map((of) => [3, of]))
    // who opens the link sees the same runs at the same steps
    const names = await page.locator('.lane-name b').allTextContents()
    const there = await arriveAgain(page)
    expect(await there.locator('.lane-name b').allTextContents()).toEqual(names)
    await expect.poll(() => laneSteps(there)).toEqual(totals.map((of) => [3, of]))
    await there.context().close()
    await calm(page)
    const before = await pixels(page, '.lane-memory')
    await page.keyboard.press('ArrowRight')
    await expect.poll(async () => (await laneSteps(page)).map(([at]) => at)).toEqual([4, 4, 4, 4])
    await calm(page)
    const after = await pixels(page, '.lane-memory')
    expect(after.length).toBe(8)
    expect(after.filter((layer, k) => layer !== before[k]).length).toBeGreaterThanOrEqual(4)

    await page.getByRole('button', { name: 'Share of the run' }).click()
    await page.keyboard.press('Home')
    const longest = Math.max(...totals.map(Number))
    const half = Math.floor(longest / 2)
    for (let k = 0; k < half; k++) await page.keyboard.press('ArrowRight')
    await expect
      .poll(() => laneSteps(page))
      .toEqual(totals.map((of) => [Math.round((half / longest) * Number(of)), of]))
    await page.keyboard.press('End')
    await expect.poll(() => laneSteps(page)).toEqual(totals.map((of) => [of, of]))
  })

  it('have a table that sorts and is taken along', async () => {
    const page = await arrive()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await openExample(page, 'Ten buffers')
    await compare(page)
    await addRun(page, 'Best fit online')
    await over(page, 3)
    await page.getByRole('columnheader', { name: 'Steps' }).getByRole('button').click()
    const steps = (await column(page, 7)).map(Number)
    expect(steps).toEqual([...steps].sort((x, y) => x - y))
    await page.getByRole('columnheader', { name: 'Steps' }).getByRole('button').click()
    expect((await column(page, 7)).map(Number)).toEqual([...steps].reverse())
    await page.getByRole('button', { name: 'Copy CSV' }).click()
    await page.getByText('Copied.').waitFor()
    const csv = (await page.evaluate(() => navigator.clipboard.readText())).trim().split('\n')
    expect(csv[0]).toBe('solver,settings,outcome,height,over,fragmentation,steps,backtracks,seconds,digest')
    expect(csv.length).toBe(4)
    expect(csv.slice(1).map((line) => /(\d+),\d+,[\d.]+,[0-9a-f]{16}$/.exec(line)?.[1])).toEqual(
      [...steps].reverse().map(String),
    )
    await page.getByRole('button', { name: 'Copy Markdown' }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/^\| Solver \| Settings \|/)
  })

  it('take other settings, are copied, removed, opened in the page, and are there again on the next visit', async () => {
    const page = await arrive()
    await compare(page)
    const menu = (k: number) => page.locator('.lane').nth(k).locator('.menu > button').click()
    await menu(1)
    await page.getByRole('menuitem', { name: 'Settings…' }).click()
    const form = page.getByRole('dialog', { name: 'Settings of this run' })
    await form.getByLabel('Solver').selectOption('greedy')
    await form.getByLabel('Capacity').fill('23')
    await form.getByRole('button', { name: 'Run with these' }).click()
    await over(page, 2)
    await page.locator('.lane').nth(1).getByText('capacity 23', { exact: true }).waitFor()
    await menu(1)
    await page.getByRole('menuitem', { name: 'Duplicate' }).click()
    await page.locator('.lane').nth(2).getByRole('button', { name: 'Run this one' }).click()
    await over(page, 3)
    await menu(1)
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await over(page, 2)
    await menu(1)
    await page.getByRole('menuitem', { name: 'Open in the page' }).click()
    await page.locator('.section .outcome .pill').waitFor()
    expect(await page.getByRole('combobox', { name: 'Solver' }).inputValue()).toBe('greedy')
    // the browser's own way back leads to the comparison, and forth again
    await page.goBack()
    await over(page, 2)
    await page.goForward()
    await page.locator('.lane').first().waitFor({ state: 'detached' })
    await page.reload()
    await page.locator('.transport-button.play:not([disabled])').waitFor()
    await compare(page)
    expect(await page.locator('.lane-name b').allTextContents()).toEqual(['Greedy', 'Greedy'])
  })

  it('are cancelled at once, and another problem makes them anew', async () => {
    const page = await arrive()
    await useMiniMalloc(page)
    await page.locator('.checks').first().waitFor({ state: 'attached' })
    await page.locator('#setup .checks').evaluate((checks) => {
      for (const box of checks.querySelectorAll<HTMLInputElement>('input:checked')) box.click()
    })
    await page.getByLabel('Budget').fill('0')
    await page.getByLabel('Budget').press('Enter')
    await load(page, hardProblem())
    await page.getByText('60 buffers').waitFor()
    await page.locator('h1').click()
    await page.keyboard.press('c')
    const first = page.locator('.lane').first()
    await first.getByText('steps/s').waitFor()
    expect(await first.locator('.pill').textContent()).toBe('Running')
    expect(
      await page
        .getByRole('toolbar', { name: /Transport/ })
        .getByRole('button', { name: 'Play' })
        .isDisabled(),
    ).toBe(true)
    await page.keyboard.press('Escape')
    await first.getByText('Cancelled').waitFor()
    await page.locator('.header .select-button').click()
    await page.getByRole('menuitem', { name: /^Ten buffers/ }).click()
    await over(page, 2)
    expect(await page.locator('.lane-foot').first().textContent()).toContain('of 10 placed')
    await page.keyboard.press('Escape')
    await page.locator('.memory').waitFor()
  })

  it('are swiped through on a phone, the table first', async () => {
    const page = await arrive('', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true })
    await page.getByRole('button', { name: 'Menu' }).tap()
    await page.getByRole('menuitem', { name: 'Compare runs' }).tap()
    await over(page, 2)
    const table = await page.locator('.data-table').boundingBox()
    const lanes = await page.locator('.lanes').boundingBox()
    expect(table?.y ?? 1e9).toBeLessThan(lanes?.y ?? 0)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    const finger = await page.context().newCDPSession(page)
    const y = Math.round((lanes?.y ?? 0) + 200)
    await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x: 340, y }] })
    for (let x = 320; x >= 60; x -= 20)
      await finger.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x, y }] })
    await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await expect.poll(() => page.locator('.lanes').evaluate((box) => box.scrollLeft)).toBe(390)
    const small = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('.compare-area button')]
        .map((button) => ({ name: button.textContent ?? '', box: button.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0 && (box.width < 44 || box.height < 44))
        .map(({ name }) => name),
    )
    expect(small).toEqual([])
  })
})

describe('the capacity sweep', () => {
  it('runs in the background, is read by keys, and opens a run in the page', async () => {
    const page = await arrive()
    await compare(page)
    await tab(page, 'Capacity sweep')
    await page.getByLabel('Capacities').fill('4')
    await page.getByLabel('Up to').fill('120')
    await page.getByRole('button', { name: 'Sweep', exact: true }).click()
    await page.getByText('16 runs.', { exact: true }).waitFor()
    expect(await page.locator('.series .glyph').count()).toBe(16)
    expect((await column(page, 2)).map(Number)).toEqual([
      15, 16, 17, 18, 15, 16, 17, 18, 15, 16, 17, 18, 15, 16, 17, 18,
    ])
    const there = await arriveAgain(page)
    await there.getByText('16 runs.', { exact: true }).waitFor()
    expect(await column(there, 2)).toEqual(await column(page, 2))
    await there.context().close()
    await page.locator('.sweep-chart').focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowDown')
    await page.getByText(/^MiniMalloc at 16 \(106\.7 % of the bound\): Feasible/).waitFor()
    await page.keyboard.press('Enter')
    await page.locator('.section .outcome .pill').waitFor()
    expect(await page.getByLabel('Capacity', { exact: true }).first().inputValue()).toBe('16')
    expect(await stepShown(page)).toBeGreaterThan(0)
    // what is known is still there
    await page.locator('h1').click()
    await page.keyboard.press('c')
    await page.getByText('16 runs.', { exact: true }).waitFor()
  })
})

describe('the matrix', () => {
  it('has every chosen solver on every example, sorts, and opens a cell in the page', async () => {
    const page = await arrive()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.keyboard.press('c')
    await tab(page, 'All examples')
    await page.getByRole('checkbox', { name: 'TelaMalloc' }).uncheck()
    await page.getByLabel('Budget').fill('300')
    await page.getByRole('button', { name: 'Run all', exact: true }).click()
    await page.getByText(`${5 * EXAMPLES} runs.`, { exact: true }).waitFor({ timeout: 60_000 })
    expect(await page.locator('.matrix-cell').count()).toBe(5 * EXAMPLES)
    await page.getByRole('columnheader', { name: 'Greedy' }).getByRole('button').click()
    await page.getByRole('columnheader', { name: 'Greedy' }).getByRole('button').click()
    const over = (await column(page, 6)).map((text) => Number.parseFloat(text.replace('+', '')))
    expect(over).toEqual([...over].sort((x, y) => y - x))
    await page.getByRole('button', { name: 'Copy CSV' }).click()
    await page.getByText('Copied.').waitFor()
    const csv = await page.evaluate(() => navigator.clipboard.readText())
    expect(csv.trim().split('\n').length).toBe(5 * EXAMPLES + 1)
    const there = await arriveAgain(page)
    expect(await there.locator('.matrix-cell').count()).toBe(5 * EXAMPLES)
    await there.context().close()
    await page.getByRole('button', { name: /^Infeasible, Arenascope exact: Infeasible/ }).click()
    await page.locator('.header .select-button').getByText('Infeasible').waitFor()
    await page.locator('.section .outcome .pill').waitFor()
    expect(await outcome(page)).toBe('Infeasible')
    await unfold(page)
    expect(await page.getByRole('textbox', { name: 'Budget', exact: true }).inputValue()).toBe('300')
  })
})
