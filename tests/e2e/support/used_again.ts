/**
 * Pages that a visit has left and a later one of the same kind gets, in any file of the worker: to empty a profile is a good third less work than to make
 * one. Nothing stays of the earlier visit: no document, worker, listener, storage, cache or history. A page is used once if its test failed, or has touched
 * what cannot be taken back for certain.
 */
import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import { EMPTY } from './server'

/** Whoever calls these of a page or of its profile does what lasts, */
const LASTING = [
  'addInitScript',
  'exposeBinding',
  'exposeFunction',
  'route',
  'routeFromHAR',
  'routeWebSocket',
  'setDefaultNavigationTimeout',
  'setDefaultTimeout',
  'setExtraHTTPHeaders',
]
/** ... and these of a page, and of its profile alone. */
const LASTING_PAGE = ['emulateMedia']
const LASTING_PROFILE = [
  'addCookies',
  'clearCookies',
  'clearPermissions',
  'grantPermissions',
  'newCDPSession',
  'newPage',
  'on',
  'setGeolocation',
  'setOffline',
]
/** What visits and tests listen to. */
const HEARD = [
  'console',
  'dialog',
  'download',
  'filechooser',
  'pageerror',
  'popup',
  'request',
  'requestfailed',
  'requestfinished',
  'response',
  'worker',
] as const
/** Of one kind that wait for a visit. */
const MOST = 2

interface Lent {
  kind: string
  size: { width: number; height: number } | null
  cdp: CDPSession
  spoiled: boolean
}
const lent = new WeakMap<Page, Lent>()
const waiting = new Map<string, Page[]>()

/** A page that is as good as new, if there is one. kind: visits of the same one ask the browser for the same. */
export function asNew(kind: string): Page | undefined {
  const pages = waiting.get(kind) ?? []
  // a browser that is lost takes its pages along
  for (let page = pages.pop(); page !== undefined; page = pages.pop()) if (!page.isClosed()) return page
  return undefined
}

/** Calls `first` whenever one of the methods is called. */
function before(object: Page | BrowserContext, names: readonly string[], first: () => void): void {
  const methods = object as unknown as Record<string, (...given: unknown[]) => unknown>
  for (const name of names) {
    const own = methods[name]?.bind(object)
    if (own === undefined) throw new Error(`there is no ${name} any more`)
    methods[name] = (...given) => {
      first()
      return own(...given)
    }
  }
}

/** From now on it is seen what is done to the page, which has not been opened. */
export async function lend(page: Page, kind: string): Promise<void> {
  const now: Lent = {
    kind,
    size: page.viewportSize(),
    cdp: await page.context().newCDPSession(page),
    spoiled: false,
  }
  lent.set(page, now)
  const spoil = () => {
    now.spoiled = true
  }
  before(page, [...LASTING, ...LASTING_PAGE], spoil)
  before(page.context(), [...LASTING, ...LASTING_PROFILE], spoil)
}

/** Whether the page now waits, emptied, for another visit; else it is to be closed. home: the address of what it showed. */
export async function takeBack(page: Page, home: string): Promise<boolean> {
  const now = lent.get(page)
  if (now === undefined || now.spoiled || page.isClosed() || !page.url().startsWith(home)) return false
  if ((waiting.get(now.kind) ?? []).length >= MOST || page.context().pages().length > 1) return false
  // what cannot be emptied is closed, whatever the reason
  const emptied = await empty(page, now, new URL(home).origin).then(
    () => true,
    () => false,
  )
  if (emptied) waiting.set(now.kind, [...(waiting.get(now.kind) ?? []), page])
  return emptied
}

async function empty(page: Page, now: Lent, origin: string): Promise<void> {
  for (const event of HEARD) page.removeAllListeners(event)
  await page.goto(origin + EMPTY)
  await page.evaluate(() => {
    window.name = ''
  })
  await now.cdp.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await now.cdp.send('Network.clearBrowserCache')
  await now.cdp.send('Page.resetNavigationHistory')
  const size = page.viewportSize()
  if (now.size !== null && (size?.width !== now.size.width || size.height !== now.size.height))
    await page.setViewportSize(now.size)
  await page.mouse.move(-1, -1)
}
