/** A hill climb in a real browser: its options, its swaps told and drawn. Any error on the console fails the test. */
import { describe, expect, it } from 'vitest'
import { calm, goTo, openExample, outcome, pixels, runIt, totalSteps, visitor } from '../support/browser'

const { arrive: visit } = visitor()

describe('Vela’s hill climb', () => {
  it('swaps until the plan meets the bound, and tells each swap', async () => {
    const page = await visit()
    await openExample(page, 'Wrong gap')
    await page.getByRole('combobox', { name: 'Solver' }).selectOption('vela-hill-climb')
    expect(await page.getByLabel('Attempts').inputValue()).toBe('99,999')
    await runIt(page)
    expect(await outcome(page)).toContain('Optimal')
    const total = await totalSteps(page)
    await goTo(page, total)
    await page.locator('.pill', { hasText: 'Swapped' }).waitFor()
    expect(await page.locator('.prose').first().textContent()).toMatch(
      /^b8 ended highest, at 10\. Drawn from \d+ buffers that may have pushed it up, b\d and b\d change places in the order.* lower: 8\.$/,
    )
    expect(await page.locator('.code-active').textContent()).toContain('keep it')
    await calm(page)
    const swapped = await pixels(page)
    await goTo(page, 10)
    await page.locator('.pill', { hasText: 'Placed' }).waitFor()
    await calm(page)
    expect(await pixels(page)).not.toEqual(swapped)
  })
})
