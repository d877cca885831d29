/** A model's operators put in order by the page: its steps, what the canvas shows of them, and the link. */
import { describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { TWO_BRANCHES } from '../../two_branches'
import { calm, goTo, linkOf, load, outcome, pixels, runIt, totalSteps, visitor } from '../support/browser'

const { visit, arrive } = visitor()

const solver = (page: Page) => page.getByRole('combobox', { name: 'Solver' })
const sentence = (page: Page) => page.locator('.prose').first().textContent()

describe('list scheduling', () => {
  it('is offered for a model alone, stepped, scrubbed and linked', async () => {
    const page = await arrive()
    expect(await solver(page).locator('option[value=list-schedule]').count()).toBe(0)
    await load(page, TWO_BRANCHES)
    // a model's answer is in a tab of its own
    await page.getByRole('tab', { name: 'Step', exact: true }).click()
    await solver(page).selectOption('list-schedule')
    await runIt(page)
    expect(await totalSteps(page)).toBe(6)
    expect(await outcome(page)).toMatch(/Feasible|Optimal/)
    await goTo(page, 1)
    await calm(page)
    expect(await sentence(page)).toMatch(
      /^c0 runs at time 0, chosen among 2 ready operators\. 2 buffers begin with it\./,
    )
    const first = await pixels(page)
    await goTo(page, 3)
    await calm(page)
    expect(await sentence(page)).toMatch(/^a0 runs at time 2, the only ready operator\./)
    const third = await pixels(page)
    expect(third).not.toEqual(first)
    await goTo(page, 1)
    await calm(page)
    expect(await pixels(page)).toEqual(first)
    await goTo(page, 6)
    await calm(page)
    expect(await sentence(page)).toMatch(/^The order of the operators stands: at most 20/)

    await goTo(page, 3)
    await calm(page)
    const link = await linkOf(page)
    const other = await visit(link.slice(link.indexOf('#')), { reducedMotion: 'reduce' })
    await calm(other)
    await expect.poll(() => solver(other).inputValue()).toBe('list-schedule')
    await expect.poll(() => sentence(other)).toMatch(/^a0 runs at time 2/)
  })
})
