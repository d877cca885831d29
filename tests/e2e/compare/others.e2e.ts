/** Solvers that are not ours, in a sweep: what they say beside ours, without steps, and what they lack where they lack it. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { DIST, linkOf, load, visitor } from '../support/browser'
import { serve } from '../support/server'

const { arrive, bench, visit } = visitor()
/** Two of three fit on each other; all three are alive at once at 2. */
const THREE = 'id,lower,upper,size\na,0,3,64\nb,1,4,32\nc,2,5,64\n'
const soon = { timeout: 60_000 }

/** A sweep of two capacities by the exact solver and HiGHS: CP-SAT cannot be chosen there. */
async function sweep(page: Page): Promise<string[]> {
  await load(page, THREE)
  await page.getByText('3 buffers').waitFor()
  await page.keyboard.press('c')
  await page.getByRole('tab', { name: 'Capacity sweep' }).click()
  const side = page.getByRole('complementary', { name: 'Sweep' })
  for (const name of ['MiniMalloc', 'TelaMalloc', 'Greedy']) await side.getByLabel(name, { exact: true }).uncheck()
  await side.getByLabel('ILP (HiGHS)', { exact: true }).check()
  expect(await side.getByLabel('CP-SAT', { exact: true }).isDisabled()).toBe(true)
  await side.getByLabel('Capacities').fill('2')
  await side.getByRole('button', { name: 'Sweep', exact: true }).click()
  await expect.poll(() => side.getByRole('status').textContent(), soon).toMatch(/^4 runs/)
  return page.getByRole('table').getByRole('row').allTextContents()
}

/** Of a host whose pages may have threads. */
const ISOLATED = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' }

/** In columns of their own. */
async function race(page: Page): Promise<string[]> {
  await page.getByRole('tab', { name: 'Runs', exact: true }).click()
  for (const name of [/^ILP/, /^CP-SAT/]) {
    await page.getByRole('button', { name: 'Add run' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  const ended = () => page.locator('.lane-ended, .lane-failed').count()
  await expect.poll(ended, soon).toBe(4)
  return page.getByRole('table', { name: 'Results' }).getByRole('row').allTextContents()
}

describe('solvers of others', () => {
  it('have outcomes and plans, and no steps; without isolation CP-SAT says so', async () => {
    const page = await arrive()
    const rows = await sweep(page)
    const ilp = rows.filter((row) => row.includes('ILP (HiGHS)'))
    expect(ilp.length).toBe(2)
    // it is asked for a plan, not for the lowest; nodes and gap, no steps
    for (const row of ilp) expect(row).toMatch(/(Feasible|Optimal).*––.*nodes?, gap/)
    const runs = await race(page)
    // height and time, but neither steps nor backtracks nor a digest
    expect(runs.find((row) => row.startsWith('ILP'))).toMatch(/nodes?, gap.*(Feasible|Optimal).*%––.*s–$/)
    expect(runs.find((row) => row.startsWith('CP-SAT'))).toMatch(/cross-origin isolated.*Refused/)
    // a link has them run again; only those with a digest are compared
    const again = await visit(await linkOf(page))
    await again.getByText('Reproduced exactly').waitFor(soon)
    await again.getByRole('region', { name: /^Run 3: ILP/ }).waitFor()
  })

  it('are both there where the page is cross-origin isolated', async () => {
    const plain = bench().host
    bench().host = await serve(DIST, '/', ISOLATED)
    const page = await arrive()
    await load(page, THREE)
    await page.getByText('3 buffers').waitFor()
    await page.keyboard.press('c')
    const runs = await race(page)
    for (const name of ['ILP', 'CP-SAT'])
      expect(runs.find((row) => row.startsWith(name))).toMatch(/nodes?, gap.*(Feasible|Optimal).*%––.*s–$/)
    await bench().host.close()
    bench().host = plain
  })
})
