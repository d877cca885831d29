/** Nothing that was typed, made or opened is lost: by other files, other tabs, a reload. */
import { describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { calm, ended, load, SMALL, visitor } from '../support/browser'

const { bench, visit } = visitor()

const OTHER = SMALL.replace(/\b([a-f]),/g, (_, id: string) => `${id.toUpperCase()},`)
const SHORT = 'id,lower,upper,size\nx,0,1,7\ny,0,2,8\n'
const file = (csv: string, name: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(csv) })

describe('a cell that is being typed in', () => {
  const typing = async (): Promise<Page> => {
    const page = await visit()
    await ended(page)
    await load(page, SMALL)
    await page.getByText('6 buffers').waitFor()
    await page.keyboard.press('4')
    await page.locator('.tab-panel').getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByLabel('Size of c: 4').click()
    await page.getByLabel('Size of c', { exact: true }).fill('999')
    return page
  }
  /** What is open has nothing of it, and what was open has. */
  const check = async (page: Page, ids: string[]) => {
    for (const id of ids) await page.getByLabel(new RegExp(`^Size of ${id}: (?!999)`)).waitFor()
    expect(await page.getByLabel('Size of C: 999').count()).toBe(0)
    await page.getByRole('button', { name: 'Undo', exact: true }).first().click()
    await page.getByLabel('Size of c: 999').waitFor()
  }

  it('stays in its file when another is picked, dropped or pasted', async () => {
    const page = await typing()
    await page.locator('#setup input[type=file]').setInputFiles(file(OTHER, 'other.csv'))
    await check(page, ['A', 'C', 'F'])
    await page.getByLabel('Size of c: 999').click()
    await page.getByLabel('Size of c', { exact: true }).fill('998')
    await page.locator('#setup input[type=file]').setInputFiles(file(SHORT, 'short.csv'))
    await page.getByLabel('Size of x: 7').waitFor()
    await page.getByLabel('Size of y: 8').waitFor()
  })

  it('is in its file when the tab is closed over it', async () => {
    const page = await typing()
    await page.reload()
    await page.getByText('6 buffers').waitFor()
    // keys are listened to a little later than the page is drawn
    await calm(page)
    await page.keyboard.press('4')
    await page.locator('.tab-panel').getByText('999').first().waitFor()
  })

  it('is in its file when the reader comes back from a lesson', async () => {
    const page = await typing()
    await page.evaluate(() => {
      location.hash = 'lesson=1'
    })
    await page.getByRole('button', { name: 'Leave the lesson' }).click()
    await page.getByLabel('Size of c: 999').waitFor()
  })
})

describe('two tabs', () => {
  it('have marks, notes, profiles and settings of each other, and the older deletes nothing', async () => {
    const old = await visit()
    await ended(old)
    const context = old.context()
    const { page: young } = await bench().open(await context.newPage())
    await ended(young)
    await young.evaluate(() => {
      // as a profile that came with a link is kept
      const own = { id: 'own-1', title: 'My own chip', vendor: '', capacity: 4096, reserved: 0 }
      const value = { ...own, alignment: 1, alignBy: 'offset', bank: 0, mayCross: false }
      localStorage.setItem('arenascope.v2 profile own-1', JSON.stringify(value))
    })
    await calm(young)
    await young.keyboard.press('m')
    // a tab that is closed in the same breath has no time to keep anything
    await expect
      .poll(() => young.evaluate(() => Object.keys(localStorage).some((key) => key.includes('v2 mark '))))
      .toBe(true)
    await young.close()
    await old.getByRole('button', { name: /theme/i }).first().click()
    await old.waitForTimeout(600)
    const kept = await old.evaluate(() =>
      Object.keys(localStorage).filter((key) => /v2 (profile|mark|theme)/.test(key)),
    )
    expect(kept.some((key) => key.includes('profile own-1'))).toBe(true)
    expect(kept.some((key) => key.includes('v2 mark '))).toBe(true)
    const { page: third } = await bench().open(await context.newPage())
    await ended(third)
    expect(await third.evaluate(() => localStorage.getItem('arenascope.v2 profile own-1'))).toContain('My own chip')
  })

  it('come back each with its own problem', async () => {
    const one = await visit()
    await ended(one)
    const { page: two } = await bench().open(await one.context().newPage())
    await ended(two)
    await load(one, SMALL)
    await one.getByText('6 buffers').waitFor()
    await load(two, SHORT)
    await two.getByText('2 buffers').waitFor()
    await one.reload()
    await one.getByText('6 buffers').waitFor()
    await two.reload()
    await two.getByText('2 buffers').waitFor()
  })
})

describe('a long problem', () => {
  it('is there after a reload, for all that the storage of entries is too small for it', async () => {
    const page = await visit()
    await ended(page)
    const rows = Array.from({ length: 120_000 }, (_, k) => `b${k},${k},${k + 2},16`)
    const csv = `id,lower,upper,size\n${rows.join('\n')}\n`
    await page.locator('#setup input[type=file]').setInputFiles(file(csv, 'many.csv'))
    await page.getByText('120,000 buffers').waitFor()
    await expect.poll(() => page.evaluate(() => localStorage.getItem('arenascope.v2 desk') ?? '')).toContain('"long":')
    await page.reload()
    await page.getByText('120,000 buffers').waitFor()
    expect(await page.locator('.file-name').innerText()).toBe('many.csv')
  })
})
