/** Solvers that are not ours, in a sweep: what they say beside ours, without steps, and what they lack where they lack it. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { load, visitor } from './support/browser'

const { arrive } = visitor()
/** Two of three fit on each other; all three are alive at once at 2. */
const THREE = 'id,lower,upper,size\na,0,3,64\nb,1,4,32\nc,2,5,64\n'
const soon = { timeout: 60_000 }

/** A sweep of two capacities by the exact solver and both of others. */
async function sweep(page: Page): Promise<string[]> {
  await load(page, THREE)
  await page.getByText('3 buffers').waitFor()
  await page.keyboard.press('c')
  await page.getByRole('tab', { name: 'Capacity sweep' }).click()
  const side = page.getByRole('complementary', { name: 'Sweep' })
  for (const name of ['MiniMalloc', 'TelaMalloc', 'Greedy']) await side.getByLabel(name, { exact: true }).uncheck()
  for (const name of ['ILP (HiGHS)', 'CP-SAT']) await side.getByLabel(name, { exact: true }).check()
  await side.getByLabel('Capacities').fill('2')
  await side.getByRole('button', { name: 'Sweep', exact: true }).click()
  await expect.poll(() => side.getByRole('status').textContent(), soon).toMatch(/^6 runs/)
  return page.getByRole('table').getByRole('row').allTextContents()
}

describe('solvers of others', () => {
  it('have outcomes and plans, and no steps; without isolation CP-SAT says so', async () => {
    const page = await arrive()
    const rows = await sweep(page)
    const ilp = rows.filter((row) => row.includes('ILP (HiGHS)'))
    expect(ilp.length).toBe(2)
    // it is asked for a plan, not for the lowest; nodes and gap, no steps
    for (const row of ilp) expect(row).toMatch(/(Feasible|Optimal).*––.*nodes, gap/)
    for (const row of rows.filter((row) => row.includes('CP-SAT'))) expect(row).toMatch(/cross-origin isolated/)
  })
})
