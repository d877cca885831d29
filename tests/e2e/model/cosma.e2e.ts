/** A network that does not fit: the offer is taken, two plates stand with arrows, the beam is gone through, and a link brings it all back. */
import { describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { calm, ended, linkOf, load, outcome, pixels, totalSteps, visitor, digest } from '../support/browser'
import { TWO_BRANCHES } from '../../two_branches'
import { playable } from '../support/user_input'

const { visit, stay } = visitor()

const capacity = (page: Page) => page.getByRole('textbox', { name: 'Capacity' })

describe('COSMA', () => {
  it('is offered, run, gone through, shared and reproduced', async () => {
    const page = await stay()
    await load(page, TWO_BRANCHES)
    // in 15 bytes something has to move, 14 bytes at least
    await capacity(page).fill('15')
    await capacity(page).press('Enter')
    const offer = page.getByRole('complementary', { name: 'Offer' })
    await offer.waitFor()
    expect(await offer.textContent()).toMatch(/Reordered it needs at most 18; in 15 it fits with 14 of traffic to DRAM/)
    await offer.getByRole('button', { name: 'Show me' }).click()
    await ended(page)
    expect(await outcome(page)).toBe('Optimal')
    await page.getByText('5 of 5 operators in order').waitFor()
    expect(await page.getByRole('button', { name: 'Least traffic', pressed: true }).count()).toBe(1)

    await page.getByText('14 moved in 3 copies').waitFor()
    await calm(page)
    const [host] = await pixels(page, '.host-strip')
    expect(host).toBeTruthy()
    expect(await page.getByText('Decision stack').count()).toBe(0)

    await page.getByRole('tab', { name: 'Beam' }).click()
    const beam = page.getByRole('group', { name: /^States by layer/ })
    await beam.focus()
    const last = await totalSteps(page)
    await beam.press('ArrowUp')
    await calm(page)
    await page.getByText(/^After \d operators: /).waitFor()
    expect(await page.locator('.host-strip').count()).toBe(0)
    await page.getByRole('button', { name: 'End' }).click()
    await calm(page)
    expect((await pixels(page, '.host-strip'))[0]).toBe(host)

    const ours = await digest(page)
    const link = await linkOf(page)
    const again = await visit(link.slice(link.indexOf('#')))
    await playable(again)
    await again.getByRole('group', { name: /^States by layer/ }).waitFor()
    await again.getByText('14 moved in 3 copies').waitFor()
    await again.getByText('Reproduced exactly').waitFor()
    expect(await totalSteps(again)).toBe(last)
    expect(await digest(again)).toBe(ours)
    await again.setViewportSize({ width: 390, height: 844 })
    await calm(again)
    expect(await again.locator('.host-strip').isVisible()).toBe(true)
  })

  it('is compared with other schemes, each of which opens, and with the paper’s program in HiGHS', async () => {
    const page = await stay()
    await load(page, TWO_BRANCHES)
    await capacity(page).fill('15')
    await capacity(page).press('Enter')
    const told: string[] = []
    page.on('request', (request) => told.push(request.url()))
    await page.getByRole('tab', { name: 'Model' }).click()
    await page.getByRole('button', { name: 'Compare them' }).click()
    await page.getByRole('button', { name: 'Compare again' }).waitFor()
    const table = page.getByRole('table', { name: 'Schemes' })
    const rows = await table.locator('tbody').allTextContents()
    expect(rows).toHaveLength(7)
    expect(rows[0]).toMatch(/^COSMAno plan moves less145915/)
    expect(rows[1]).toMatch(/^Given order422121/)
    await table.getByRole('button', { name: 'Given, Belady' }).click()
    await page.getByText('42 moved in').waitFor()
    expect(await page.getByRole('combobox', { name: 'Solver' }).inputValue()).toBe('replacement')

    await page.keyboard.press('c')
    await page.getByRole('tab', { name: 'Schemes' }).click()
    const beside = page.getByRole('table', { name: 'Traffic by scheme' })
    await beside.getByText('66.67 %').first().waitFor()
    expect(await beside.getByRole('row').count()).toBe(8)
    await beside.getByRole('button', { name: 'Given order' }).click()
    await page.getByText('42 moved in').waitFor()
    await page.getByRole('tab', { name: 'Model' }).click()

    const fetched = () => told.some((url) => /highs/i.test(url))
    expect(fetched()).toBe(false)
    await page.getByRole('button', { name: 'Solve it' }).click()
    await page.getByText('Optimal: 14 moved.').waitFor({ timeout: 60_000 })
    await page.getByText('COSMA found the same.').waitFor()
    expect(fetched()).toBe(true)
  })

  it('shows what it cut, what it moved, and what has moved by when', async () => {
    const page = await visit('#lesson=least-traffic/3')
    await page.getByText('365.8 KiB moved in 8 copies').waitFor()
    await page.getByRole('button', { name: 'Open in workbench' }).click()
    await ended(page)
    await page.getByRole('img', { name: /^Traffic over time: 365.8 KiB moved by time/ }).waitFor()
    await page.getByRole('tab', { name: 'Graph' }).click()
    await page.getByText(/^\d+ cuts$/).waitFor()
    await page.getByText('best known order').waitFor()
    await page.locator('.budget', { hasText: 'best known order' }).getByText('669 KiB').waitFor()
  })
})
