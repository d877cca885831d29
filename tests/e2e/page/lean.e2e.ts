/** The first view comes with the lean module; a full one follows, and whatever needs it waits for it. Others come when a run asks for them. */
import { describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { ended, goTo, linkOf, load, SMALL, totalSteps, visitor } from '../support/browser'

const { bench, visit } = visitor({ reducedMotion: 'reduce', whole: true })
const HOME = /\/exact-[^/]*\.wasm$/

interface Held {
  page: Page
  /** modules that were asked for */
  asked: string[]
  /** lets the full module through, as often as it is asked for */
  release: () => void
  troubles: string[]
}

/** A page whose full module does not come before it is released. */
async function held(fragment = ''): Promise<Held> {
  const page = await bench().newPage({
    serviceWorkers: 'block',
    reducedMotion: 'reduce',
  })
  const asked: string[] = []
  let release = () => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  page.on('request', (request) => {
    const name = /\/([a-z]+)-[^/]*\.wasm$/.exec(request.url())?.[1]
    if (name) asked.push(name)
  })
  await page.route(HOME, async (route) => {
    await gate
    await route.continue()
  })
  const { troubles } = await bench().open(page, fragment)
  return { page, asked, release, troubles }
}

/** Nothing went wrong but what these pages have of the test itself: no service worker, which would fetch past it. */
async function leave({ page, troubles }: Held): Promise<void> {
  expect(troubles.filter((text) => !text.includes('Service Worker'))).toEqual([])
  await page.context().close()
}

describe('the lean module', () => {
  it('shows the first search while the full one is still on its way', async () => {
    const begun = await held()
    const { page, asked, release } = begun
    await ended(page)
    await goTo(page, 3)
    await page.getByRole('button', { name: 'Step', exact: true }).click()
    await page.getByText('step 4', { exact: true }).waitFor()
    await expect.poll(() => asked).toEqual(['lean', 'exact'])
    // every solver can be chosen from the start, and what needs another one waits
    await page.getByRole('combobox', { name: 'Solver' }).selectOption('exact')
    await page.locator('.run-button').click()
    await page.getByRole('region', { name: 'Running' }).waitFor()
    release()
    await ended(page)
    expect(await totalSteps(page)).toBeGreaterThan(0)
    expect(asked).toEqual(['lean', 'exact'])
    await leave(begun)
  })

  it('gives way without a trace', async () => {
    const begun = await held()
    const { page, asked, release } = begun
    await ended(page)
    await goTo(page, 4)
    // what is told comes in parts; the last of them is this one
    await page.getByRole('button', { name: 'Look for the wrong turn' }).waitFor()
    const told = await page.locator('.tab-panel').textContent()
    const steps = await totalSteps(page)
    release()
    await expect.poll(() => asked).toEqual(['lean', 'exact'])
    const link = await linkOf(page)
    await goTo(page, 5)
    await goTo(page, 4)
    await expect.poll(() => page.locator('.tab-panel').textContent()).toBe(told)
    expect(await totalSteps(page)).toBe(steps)
    const again = await visit(link)
    await again.getByText('Reproduced exactly').waitFor()
    await leave(begun)
  })

  it('is left out by a link and by a second visit', async () => {
    const first = await held()
    first.release()
    await ended(first.page)
    await expect.poll(() => first.asked).toEqual(['lean', 'exact'])
    const link = await linkOf(first.page)
    first.asked.length = 0
    await first.page.reload()
    await ended(first.page)
    expect(first.asked).toEqual(['exact'])
    await leave(first)
    const linked = await held(link)
    linked.release()
    await linked.page.getByText('Reproduced exactly').waitFor()
    expect(linked.asked).toEqual(['exact'])
    await leave(linked)
  })

  it('says so if the full one cannot be fetched, and fetches it at the next try', async () => {
    const page = await bench().newPage({ serviceWorkers: 'block', reducedMotion: 'reduce' })
    let missed = 0
    await page.route(HOME, (route) => {
      missed += 1
      return route.abort()
    })
    await bench().open(page)
    await ended(page)
    await expect.poll(() => missed).toBe(1)
    await load(page, SMALL)
    await page.locator('.notice').getByText('The solvers could not be fetched').waitFor()
    expect(missed).toBe(2)
    await goTo(page, 3)
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Load', exact: true }).click()
    await page.getByText('6 buffers').waitFor()
    await page.context().close()
  })

  it('says so if not even it can be fetched, and starts once the page is loaded again', async () => {
    const page = await bench().newPage({ serviceWorkers: 'block', reducedMotion: 'reduce' })
    await page.route(/\.wasm$/, (route) => route.abort())
    await bench().open(page)
    await page.locator('.notice').getByText('The solver could not be loaded.').waitFor()
    expect(await page.getByRole('button', { name: /^Open / }).count()).toBe(0)
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Reload the page' }).click()
    await ended(page)
    await page.context().close()
  })

  it('needs no network once it was there', async () => {
    const page = await visit('', { serviceWorkers: 'allow' })
    await ended(page)
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    await page.context().setOffline(true)
    await page.addInitScript(() => {
      localStorage.clear()
      localStorage.setItem('arenascope visited', '1')
    })
    await page.reload()
    await ended(page)
    await load(page, SMALL)
    await page.getByText('6 buffers').waitFor()
    await page.context().setOffline(false)
  })
})
