/** A page that a later visit gets has nothing of the earlier one (support/used_again.ts). */
import { expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { ended, visitor } from '../support/browser'

const { visit } = visitor()
/** No other file asks for a window like it. */
const OWN = { viewport: { width: 1101, height: 701 } }
let first: Page | undefined

it('a page of which all is left behind waits for another visit', async () => {
  first = await visit('', OWN)
  await ended(first)
  await first.mouse.move(300, 300)
  await first.setViewportSize({ width: 900, height: 650 })
  await first.evaluate(async () => {
    localStorage.setItem('left', '1')
    sessionStorage.setItem('left', '1')
    // biome-ignore lint/suspicious/noDocumentCookie: an old way to leave something behind is one more
    document.cookie = 'left=1'
    window.name = 'left'
    const cache = await caches.open('left')
    await cache.put('/left', new Response('left'))
    await new Promise((resolve, reject) => {
      const asked = indexedDB.open('left')
      asked.onsuccess = resolve
      asked.onerror = reject
    })
    history.pushState(null, '', '#left')
    // what is still written on the way out is not there either
    addEventListener('pagehide', () => {
      sessionStorage.setItem('late', '1')
      localStorage.setItem('late', '1')
    })
  })
})

it('that visit finds nothing of it, and hears nothing', async () => {
  const page = await visit('', OWN)
  expect(page === first).toBe(true)
  await ended(page)
  expect(page.viewportSize()).toEqual(OWN.viewport)
  expect(page.workers()).toHaveLength(1)
  const left = await page.evaluate(async () => ({
    local: Object.keys(localStorage).filter((key) => /^(left|late)$/.test(key)),
    session: Object.keys(sessionStorage).filter((key) => /^(left|late)$/.test(key)),
    cookie: document.cookie,
    name: window.name,
    caches: await caches.keys(),
    databases: (await indexedDB.databases()).map(({ name }) => name).filter((name) => name === 'left'),
    hash: location.hash,
    length: history.length,
    hovered: document.querySelectorAll('#setup :hover, .memory:hover').length,
  }))
  const nothing = { local: [], session: [], cookie: '', name: '', caches: [], databases: [], hash: '', hovered: 0 }
  expect(left).toEqual({ ...nothing, length: 2 })
  // touched for good: no visit gets it again
  await page.context().clearCookies()
})

it('a page whose profile was touched is used once', async () => {
  const page = await visit('', OWN)
  expect(page === first).toBe(false)
  await ended(page)
})
