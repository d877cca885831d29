/** A search without an end: how far it is, the way out of it at once, and on from there. */
import { expect, it } from 'vitest'
import { ended, hardSearch, outcome, totalSteps, visitor } from './browser'

const { visit } = visitor()

it('shows progress, is cancelled at once and goes on', async () => {
  const page = await visit()
  await ended(page)
  await hardSearch(page)
  await page.getByLabel('Budget', { exact: true }).fill('0')
  await page.getByLabel('Budget', { exact: true }).press('Enter')
  await page.locator('.run-button').click()
  await page.getByText(/steps\/s/).waitFor()
  const from = Date.now()
  await page.keyboard.press('Escape')
  await ended(page)
  expect(Date.now() - from).toBeLessThan(1000)
  expect(await outcome(page)).toBe('Cancelled')
  await page.locator('.section .outcome').getByText('Feasible or not is still open.').waitFor()
  const before = await totalSteps(page)
  expect(before).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText(/steps\/s/).waitFor()
  await page.locator('.running').getByRole('button', { name: 'Cancel' }).click()
  await ended(page)
  expect(await totalSteps(page)).toBeGreaterThan(before)
})
