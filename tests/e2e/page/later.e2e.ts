/** What the first view can do without is fetched afterwards: not in its way, there when it is clicked, and missed without harm. */
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { DIST, ended, load, openExample, runIt, SMALL, totalSteps, visitor } from '../support/browser'
import { settled, watchPage } from '../support/settled'

const { bench, visit } = visitor({ reducedMotion: 'reduce', whole: true })

const LOST = 'could not be fetched'
/** Scripts that others import, and not only lead to, with those themselves. */
function withImports(first: RegExp): Set<string> {
  const scripts = readdirSync(join(DIST, 'assets')).filter((name) => name.endsWith('.js'))
  const found = new Set(scripts.filter((name) => first.test(name)))
  for (const name of found) {
    const text = readFileSync(join(DIST, 'assets', name), 'utf8')
    for (const [, other = ''] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) found.add(other)
  }
  return found
}

/** The first script, the worker, and what a visit that is not the first has before anything is drawn. */
const before = withImports(/^(index|worker|side_panel|keep)-/)
/** All others. */
const later = (url: string) => /\.js$/.test(url) && !before.has(basename(url)) && !/\/sw\.js$/.test(url)

/** What takes an edit back, and its buttons. */
const undoParts = (url: string) => /\/(edit|undo)-[^/]*\.js$/.test(url)

/** A visit to a page of which only the first load can be fetched, or all but some parts, until `mend` is called. */
async function cutOff(
  fragment = '',
  without = later,
): Promise<{ page: Page; missed: string[]; mend: () => Promise<void> }> {
  const missed: string[] = []
  const page = await bench().newPage({
    serviceWorkers: 'block',
    reducedMotion: 'reduce',
  })
  await page.route(
    (url) => without(url.pathname),
    (route) => {
      missed.push(route.request().url())
      return route.abort()
    },
  )
  await bench().open(page, fragment)
  return { page, missed, mend: () => page.unrouteAll() }
}

describe('the parts that come later', () => {
  it('are not needed to see a first search, step through it and run it again', async () => {
    const { page, missed } = await cutOff()
    await ended(page)
    expect(await totalSteps(page)).toBeGreaterThan(0)
    await page.getByRole('button', { name: 'Step', exact: true }).click()
    await runIt(page)
    await expect.poll(() => missed.length).toBeGreaterThan(5)
    expect(await page.getByText(LOST).count()).toBe(0)
    await page.context().close()
  })

  it('say so where they are missed, and come at the next try', async () => {
    const { page, missed, mend } = await cutOff()
    await ended(page)
    await expect.poll(() => missed.length).toBeGreaterThan(5)
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Help' }).getByText(LOST).waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.header .select-button').click()
    await page.getByRole('menuitem', { name: /Ten buffers/ }).click()
    await page.locator('.notice').getByText(LOST).waitFor()
    await page.keyboard.press('4')
    await page.locator('.tab-panel').getByText(LOST).waitFor()
    await mend()
    // unless the page has tried again by itself meanwhile
    const again = page.getByRole('button', { name: 'Try again' })
    const there = page.getByLabel('Find by id')
    await again.or(there).first().waitFor()
    if (await again.isVisible()) await again.click({ timeout: 2000 }).catch(() => {})
    await there.waitFor()
    await page.keyboard.press('?')
    await page.getByText('A buffer lives from').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('1')
    await openExample(page, 'Ten buffers')
    await page.context().close()
  })

  it('lead back past what was opened before they came', async () => {
    const { page, missed, mend } = await cutOff('', undoParts)
    await ended(page)
    const first = await page.locator('.file-name').innerText()
    await load(page, SMALL)
    await page.getByText('6 buffers').waitFor()
    await expect.poll(() => missed.length).toBeGreaterThan(1)
    await page.locator('h1').click()
    await page.keyboard.press('Control+z')
    await page.locator('.notice').getByText(LOST).waitFor()
    await mend()
    await page.keyboard.press('Control+z')
    await page.locator('.file-name').getByText(first, { exact: true }).waitFor()
    await page.context().close()
  })

  it('say that a long file was not made without them, and make it at the next try', async () => {
    const { page, missed, mend } = await cutOff('', (url) => /\/writing_worker-[^/]*\.js$/.test(url))
    await ended(page)
    const rows = Array.from({ length: 3000 }, (_, k) => `b${k},${k},${k + 2},16`)
    const buffer = Buffer.from(`id,lower,upper,size\n${rows.join('\n')}\n`)
    await page.locator('#setup input[type=file]').setInputFiles({ name: 'many.csv', mimeType: 'text/csv', buffer })
    await page.getByText('3,000 buffers').waitFor()
    await page.getByRole('combobox', { name: 'Solver' }).selectOption('first-fit')
    await runIt(page)
    const save = async () => {
      await page.getByRole('button', { name: 'Export' }).click()
      await page.getByRole('menuitem', { name: /^JSON/ }).click()
    }
    await save()
    await page.locator('.notice').getByText('Nothing was saved.').waitFor()
    expect(missed.length).toBe(1)
    await mend()
    const [download] = await Promise.all([page.waitForEvent('download'), save()])
    const saved = JSON.parse(await readFile(await download.path(), 'utf8'))
    expect(saved.buffers.length).toBe(3000)
    await page.context().close()
  })

  const readers = (url: string) => /\/share_worker-[^/]*\.js$/.test(url)
  it.each([
    ['all of them', later],
    ['the worker that reads it', readers],
  ])('leave a link in the address while it cannot be read: without %s', async (_, without) => {
    const whole = await visit()
    await ended(whole)
    await whole.getByRole('button', { name: 'Share' }).click()
    const url = await whole.getByLabel('Link', { exact: true }).inputValue()
    const fragment = url.slice(url.indexOf('#'))
    const { page, missed, mend } = await cutOff(fragment, without)
    await page.locator('.notice').getByText(LOST).waitFor()
    expect(missed.length).toBeGreaterThan(0)
    expect(await page.evaluate(() => location.hash)).toBe(fragment)
    await mend()
    await page.reload()
    await page.getByText('Reproduced exactly').waitFor()
    await page.context().close()
  })

  it('are there when they are clicked, with no network at all', async () => {
    const page = await visit('', { serviceWorkers: 'allow' })
    await ended(page)
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    await page.context().setOffline(true)
    await page.reload()
    await ended(page)
    await page.keyboard.press('?')
    await page.getByText('A buffer lives from').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Share' }).click()
    await page.getByLabel('Link', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.locator('#setup').getByRole('button', { name: 'Random…' }).click()
    await page.getByRole('button', { name: 'Make and run' }).click()
    await page.getByText('40 buffers').waitFor()
    await openExample(page, 'Ten buffers')
    await page.keyboard.press('3')
    await page.getByText('Candidates skipped').waitFor()
    await page.keyboard.press('4')
    await page.getByLabel('Find by id').waitFor()
    await load(page, SMALL)
    await page.getByText('6 buffers').waitFor()
    await page.getByRole('button', { name: 'Export' }).click()
    await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: /CSV/ }).click()])
    await page.context().setOffline(false)
  })
})

it('a request whose worker has ended is waited for no more, while others are', async () => {
  const page = await bench().browser.newPage()
  await watchPage(page)
  await page.route('**/never', () => undefined)
  await page.goto('about:blank')
  /** A worker asks, and lives on. Whoever is ended before the request is on its way may never have asked. */
  const ask = async () => {
    const asked = page.waitForRequest('**/never')
    const worker = await page.evaluateHandle(() => {
      const text = "fetch('http://127.0.0.1/never', { mode: 'no-cors' }).catch(() => 0)"
      return new Worker(URL.createObjectURL(new Blob([text])))
    })
    await asked
    return () => worker.evaluate((worker) => worker.terminate())
  }
  const end = await ask()
  await end()
  await settled(page, 5000)
  // those of the page and of a worker that lives were there before the one that ends
  const own = page.waitForRequest('**/never')
  await page.evaluate(() => void fetch('http://127.0.0.1/never', { mode: 'no-cors' }).catch(() => 0))
  await own
  await ask()
  const endOther = await ask()
  await endOther()
  await expect(settled(page, 2500)).rejects.toThrow(/waits for \S+\/never, \S+\/never$/)
  await page.close()
})
