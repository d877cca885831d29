/** TelaMalloc in a real browser: its two examples, candidates, phases and whom it blames. Any error on the console fails the test. */
import { describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { calm, goTo, openExample, pixels, stepShown, totalSteps, visitor } from '../support/browser'

const { arrive: visit, stay } = visitor()

const prose = async (page: Page) => (await page.locator('.prose').first().textContent()) ?? ''
/** The candidates as rows of words. */
const candidates = (page: Page) =>
  page
    .getByRole('grid', { name: 'Candidates' })
    .locator('.candidates-row')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll('[role=gridcell]')].slice(1).map((cell) => cell.textContent?.trim())),
    )

describe('the wrong gap', () => {
  it('opens at the jump back: who is to blame, what is promoted, where it goes on', async () => {
    const page = await stay()
    await openExample(page, 'Wrong gap')
    await expect.poll(() => stepShown(page)).toBe(10)
    await page.locator('.pill', { hasText: 'Major backtrack' }).waitFor()
    expect(await prose(page)).toMatch(/^All candidates of level 8 are exhausted\. 3 earlier placements are in conflict/)
    expect(await page.getByText('level 8 to 3', { exact: true }).count()).toBe(1)
    expect(await page.locator('.code-active').textContent()).toContain('2nd-last conflict')
    await expect
      .poll(() => candidates(page))
      .toEqual([
        ['b7', '3', 'promoted', '1'],
        ['b3', '0', 'lifetime', '2'],
      ])
    await page.getByText('1 tried before, for level 3').waitFor()
  })

  it('is told step by step, each in words that know what they speak of', async () => {
    const page = await stay()
    await openExample(page, 'Wrong gap')
    const total = await totalSteps(page)
    const chips: string[] = []
    for (let step = 1; step <= total; step++) {
      await goTo(page, step)
      chips.push((await page.locator('.chip-row .pill').last().textContent()) ?? '')
      expect(await prose(page)).not.toMatch(/undefined|NaN|\?\?/)
    }
    expect(chips.flatMap((chip, k) => (chip === 'Placed' ? [] : [`${k + 1} ${chip}`]))).toEqual([
      '4 Minor backtrack',
      '9 Minor backtrack',
      '10 Major backtrack',
    ])
    await goTo(page, 9)
    expect(await page.locator('.candidate-failed').count()).toBe(1)
    await goTo(page, total)
    expect(await page.getByRole('grid', { name: 'Candidates' }).count()).toBe(0)
    // the first choice is open before any step
    await goTo(page, 0)
    await expect
      .poll(() => candidates(page))
      .toEqual([
        ['b5', '0', 'lifetime', '1'],
        ['b3', '0', 'lifetime', '2'],
      ])
  })

  it('lights a candidate where it could lie, and draws conflict and jump each in its own way', async () => {
    const page = await visit('', { viewport: { width: 1440, height: 900 } })
    await openExample(page, 'Wrong gap')
    // it comes while the page is idle
    await page.locator('.local canvas').first().waitFor()
    const strips = new Set<string>()
    for (const step of [8, 9, 10]) {
      await goTo(page, step)
      await calm(page)
      strips.add((await pixels(page, '.local')).join())
    }
    expect(strips.size).toBe(3)
    const before = await pixels(page)
    await page.locator('.candidates-row').first().hover()
    await expect.poll(() => pixels(page)).not.toEqual(before)
    await page.mouse.move(0, 0)
    await expect.poll(() => pixels(page)).toEqual(before)
  })
})

describe('phases', () => {
  it('are bands on the load strip, the one under way apart from the others', async () => {
    const page = await stay()
    await openExample(page, 'Phases')
    await expect.poll(() => stepShown(page)).toBe(2)
    expect(await prose(page)).toContain('Next is phase 2, with 2 buffers to place.')
    await expect
      .poll(() => candidates(page))
      .toEqual([
        ['b2', '7', 'lifetime', '2'],
        ['b3', '0', 'size', '2'],
        ['b4', '0', 'lifetime', '3'],
        ['b5', '0', 'lifetime', '4'],
      ])
    const seen: string[] = []
    for (const step of [1, 2, 3, 7]) {
      await goTo(page, step)
      await calm(page)
      seen.push((await pixels(page, '.load')).join())
    }
    // the same phase at steps 1 and 2, another one at each of the others
    expect(seen[0]).toBe(seen[1])
    expect(new Set(seen).size).toBe(3)
  })

  it('are of no concern to a solver that has none', async () => {
    const page = await stay()
    await openExample(page, 'Ten buffers')
    expect(await page.getByRole('heading', { name: 'Candidates' }).count()).toBe(0)
  })
})
