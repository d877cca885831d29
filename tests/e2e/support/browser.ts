/** Debian's Chromium or Firefox, the built page under a sub-path, and pages that remember whatever went wrong in them. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  firefox,
  type Page,
} from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import examples from '../../../examples/index.json'
import { type Host, serve } from './server'
import { listen, settled, watchPage } from './settled'
import { asNew, lend, takeBack } from './used_again'
import { type Theme, watchTheme, wear } from './themes'

export { settled as calm } from './settled'

/** The first of those that are there is what build.sh takes as well. */
const CHROMIUM =
  process.env.CHROMIUM ??
  ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path)) ??
  'chromium'
export const DIST = process.env.ARENASCOPE_DIST ?? fileURLToPath(new URL('../../../dist', import.meta.url))
const BASE = '/some/sub/path/'

/** How many examples there are. */
export const EXAMPLES: number = examples.length

/**
 * What Chromium shall not do. For each window it makes two pages of its own, for a field that a headless one does not show; they cost more
 * than most of our tests. The switch takes the place of Playwright's, so that what that leaves out is left out here too.
 */
const WITHOUT = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'SpareRendererForSitePerProcess',
  'ThirdPartyStoragePartitioning',
]

export interface Visit {
  page: Page
  /** errors on the console, uncaught exceptions, rejected promises, requests that went wrong or elsewhere */
  troubles: string[]
}

/** What a visit has if it says nothing else. */
const DESK = { width: 1280, height: 720 }
const THEME: Theme = 'dark'

type Before = (page: Page) => Promise<unknown>
type Launch = () => Promise<Browser>

export const launchChromium: Launch = () =>
  chromium.launch({
    executablePath: CHROMIUM,
    // the headless shell draws text as the browser with windows does: the golden images are of both
    args: ['--disable-gpu', '--font-render-hinting=slight', `--disable-features=${WITHOUT}`],
  })

/** Themes and motion are the profile's: an ESR cannot emulate them page by page. */
export const launchFirefox: Launch = () =>
  firefox.launch({
    channel: 'moz-firefox',
    executablePath: fileURLToPath(new URL('./firefox.mjs', import.meta.url)),
    firefoxUserPrefs: {
      'ui.prefersReducedMotion': 1,
      'ui.systemUsesDarkTheme': 1,
      // a window behind another one would be drawn once a second
      'layout.testing.top-level-always-active': true,
    },
  })

/**
 * first: by somebody who has never been here, whom the page meets with its first page. whole: all of the page is fetched while it is idle; else it
 * is the visit of a reader who saves data, and what a test does not use is not fetched: half of the work of a visit. Firefox has no such readers.
 */
type VisitOptions = BrowserContextOptions & { first?: boolean; whole?: boolean }

/** Runs before any script of the page. Firefox runs it in its own empty page as well, which may keep nothing. */
function beenHere(): void {
  try {
    localStorage.setItem('arenascope visited', '1')
  } catch {}
}

/** One of each kind for all files of a worker: to launch one is as much work as a visit. They end with the process. */
const browsers = new Map<Launch, Promise<Browser>>()

async function sharedBrowser(launch: Launch): Promise<Browser> {
  const there = await browsers.get(launch)
  if (there?.isConnected()) return there
  const made = launch()
  browsers.set(launch, made)
  // the next file tries again
  made.catch(() => browsers.delete(launch))
  return made
}

export class Bench {
  private constructor(
    readonly browser: Browser,
    public host: Host,
  ) {}

  static async start(launch: Launch = launchChromium): Promise<Bench> {
    if (!existsSync(`${DIST}/index.html`)) throw new Error(`there is no page in ${DIST}: build it first`)
    return new Bench(await sharedBrowser(launch), await serve(DIST, BASE))
  }

  private readonly contexts: BrowserContext[] = []

  /** In a profile of its own, which ends with the bench. */
  async newPage(options?: BrowserContextOptions): Promise<Page> {
    const context = await this.browser.newContext({ viewport: DESK, ...options })
    this.contexts.push(context)
    context.setDefaultTimeout(30_000)
    return context.newPage()
  }

  /** The page and its profile end later than the bench, or have come from an earlier one. */
  release(page: Page): void {
    const at = this.contexts.indexOf(page.context())
    if (at >= 0) this.contexts.splice(at, 1)
  }

  /** The browser stays for the next one, and what others have open in it. */
  async stop(): Promise<void> {
    for (const context of this.contexts.splice(0)) await context.close()
    await this.host.close()
  }

  /** A new profile: nothing kept, no service worker. before: what is done to the page before it is opened. */
  async visit(
    fragment = '',
    { first = false, whole: _, ...options }: VisitOptions = {},
    before?: Before,
  ): Promise<Visit> {
    const page = await this.newPage({ colorScheme: THEME, ...options })
    await before?.(page)
    return this.open(page, fragment, first)
  }

  async open(page: Page, fragment = '', first = false): Promise<Visit> {
    await watchPage(page)
    await watchTheme(page)
    if (!first) await page.addInitScript(beenHere)
    return this.go(page, fragment)
  }

  /** A page that an earlier visit has left, emptied. */
  async openAgain(page: Page, fragment = ''): Promise<Visit> {
    listen(page)
    return this.go(page, fragment)
  }

  private async go(page: Page, fragment: string): Promise<Visit> {
    const troubles: string[] = []
    page.on('pageerror', (error) => troubles.push(`uncaught: ${error.message}`))
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') troubles.push(`console: ${message.text()}`)
    })
    page.on('request', (request) => {
      const url = request.url()
      if (!url.startsWith(this.host.url) && !/^(blob|data):/.test(url)) troubles.push(`elsewhere: ${url}`)
    })
    page.on('response', (response) => {
      if (response.status() >= 400) troubles.push(`${response.status()}: ${response.url()}`)
    })
    await page.goto(this.host.url + fragment)
    return { page, troubles }
  }
}

/** Fetching and keeping the whole page once more takes as much work as the visit itself, and what is tested is seldom that. */
function withoutServiceWorker(): void {
  Reflect.deleteProperty(Navigator.prototype, 'serviceWorker')
}

/** Runs before any script of the page. */
function savingData(): void {
  Object.defineProperty(Navigator.prototype, 'connection', { get: () => ({ saveData: true }) })
}

/**
 * A browser for the tests of one file, there before the first of them. Pages are closed after each test, and whatever went wrong in one
 * of them fails it. always: what holds for each visit. By default nothing breathes: a page that asks for frames for ever takes a sixth of a
 * core while a test waits.
 */
export function visitor(always: VisitOptions = { reducedMotion: 'reduce' }, launch = launchChromium) {
  let started: Bench | undefined
  const visits: Visit[] = []
  const lasting = new Map<string, Visit>()

  beforeAll(async () => {
    started = await Bench.start(launch)
  })
  afterAll(async () => {
    try {
      for (const { page } of lasting.values()) await leave(page, false)
    } finally {
      await started?.stop()
      lasting.clear()
    }
  })
  afterEach(async ({ task }) => {
    const troubles = [...visits, ...lasting.values()].flatMap((made) => made.troubles.splice(0))
    // what a test has left that failed is nothing for the next one
    const failed = troubles.length > 0 || task.result?.state === 'fail'
    if (failed) {
      visits.push(...lasting.values())
      lasting.clear()
    }
    for (const { page } of visits.splice(0)) await leave(page, failed)
    expect(troubles).toEqual([])
  })

  const bench = (): Bench => {
    if (started === undefined) throw new Error('the browser is started by the first test of a file')
    return started
  }
  async function make(fragment?: string, options?: VisitOptions, before?: Before): Promise<Visit> {
    const asked = { ...always, ...options }
    const kept = asked.serviceWorkers === 'allow'
    const whole = asked.whole ?? (kept || launch !== launchChromium)
    const once = kept || asked.first || before !== undefined || launch !== launchChromium
    const kind = JSON.stringify({ ...asked, whole })
    const there = once ? undefined : asNew(kind)
    if (there !== undefined)
      return bench()
        .openAgain(there, fragment)
        .catch(async (error) => {
          await there.context().close()
          throw error
        })
    const made = await bench().visit(fragment, asked, async (page) => {
      if (!kept) await page.context().addInitScript(withoutServiceWorker)
      if (!whole) await page.context().addInitScript(savingData)
      await before?.(page)
    })
    if (!once) await lend(made.page, kind)
    return made
  }
  /** A page that nobody needs any more waits for another visit, or is closed. */
  async function leave(page: Page, failed: boolean): Promise<void> {
    if (failed || !(await takeBack(page, bench().host.url))) await page.context().close()
    else bench().release(page)
  }
  /** serviceWorkers: 'allow' has the page kept for visits without a network. */
  async function visit(fragment?: string, options?: VisitOptions, before?: Before): Promise<Page> {
    const made = await make(fragment, options, before)
    visits.push(made)
    return made.page
  }
  /** A visit, and the end of its first run. */
  async function arrive(fragment?: string, options?: VisitOptions): Promise<Page> {
    const page = await visit(fragment, options)
    await ended(page)
    return page
  }
  /** Its first size and theme. */
  async function reset(page: Page, options?: VisitOptions): Promise<void> {
    const { viewport, colorScheme } = { viewport: DESK, colorScheme: THEME, ...always, ...options }
    const now = page.viewportSize()
    if (viewport && (now?.width !== viewport.width || now.height !== viewport.height))
      await page.setViewportSize(viewport)
    await wear(page, colorScheme === 'light' ? 'light' : 'dark')
  }
  /**
   * A page as an earlier test has left it, but in its first size and theme; after the end of its first run if there is none: for tests that only
   * look, or that begin with a problem of their own. name: of the page, for those that would be in each other's way. A visit is more work than
   * most tests.
   */
  async function stay(name = '', options?: VisitOptions): Promise<Page> {
    const there = lasting.get(name)?.page
    if (there !== undefined) {
      await reset(there, options)
      // what the last keys of the test before open may still be on its way
      await settled(there)
      // shut what is open, nothing in focus, the step told
      await there.keyboard.press('Escape')
      await there.locator('h1').click()
      await there.keyboard.press('1')
      return there
    }
    const made = await make('', options)
    lasting.set(name, made)
    await ended(made.page)
    return made.page
  }
  return { bench, visit, arrive, stay }
}

/** What the pill beside the last run says. */
export const outcome = (page: Page) => page.locator('.section .outcome .pill').textContent()

/** Waits until a run has ended and its last frame is there. */
export async function ended(page: Page): Promise<void> {
  await page.locator('.transport .transport-button.play:not([disabled])').waitFor()
  // the step is told, or a model's answer, a tool's own plan or tiles are looked at
  await page
    .locator(
      ':is(.chip-row, #tab-panel:is([aria-labelledby=tab-model], [aria-labelledby=tab-stats], [aria-labelledby=tab-tiles]))',
    )
    .first()
    .waitFor()
}

/** The canvas's layers as data URLs: equal pixels, equal texts. */
export function pixels(page: Page, within = '.memory'): Promise<string[]> {
  return page.evaluate(
    (selector) => [...document.querySelectorAll<HTMLCanvasElement>(`${selector} canvas`)].map((c) => c.toDataURL()),
    within,
  )
}

export async function stepShown(page: Page): Promise<number> {
  const value = await page.locator('.step-field input').inputValue()
  return Number(value.replaceAll(',', ''))
}

export async function totalSteps(page: Page): Promise<number> {
  const text = (await page.locator('.step-field .dim').textContent()) ?? ''
  return Number(text.replace(/\D/g, ''))
}

/** Puts a text into the editor and loads it; what is answered at once is answered. */
export async function load(page: Page, csv: string): Promise<void> {
  const editor = page.getByLabel('Buffer CSV')
  // a text with mistakes is left open in it
  if (!(await editor.isVisible()))
    await page.locator('#setup').getByRole('button', { name: 'Paste', exact: true }).click()
  await editor.fill(csv)
  await page.getByRole('button', { name: 'Load', exact: true }).click()
  await settled(page)
}

/** Of the last run, whole; it stands behind the result's info button. */
export async function digest(page: Page): Promise<string | null> {
  const button = page.getByRole('button', { name: 'Digest', exact: true })
  if ((await button.getAttribute('aria-expanded')) === 'false') await button.click()
  return page.locator('.fact', { hasText: 'Digest' }).getAttribute('title')
}

/** Opens what is folded away of the solver's form. */
export async function unfold(page: Page): Promise<void> {
  const fold = page.locator('.setup details', { hasText: 'Rules and limits' })
  if ((await fold.getAttribute('open')) === null) await fold.locator('summary').click()
}

/** The exact solver is the first of the table; what a test says of MiniMalloc's options needs MiniMalloc. They are unfolded. */
export async function useMiniMalloc(page: Page): Promise<void> {
  await unfold(page)
  await page.getByRole('combobox', { name: 'Solver' }).selectOption('minimalloc')
}

export async function openExample(page: Page, title: string): Promise<void> {
  await page.locator('.header .select-button').click()
  await page.getByRole('menuitem', { name: new RegExp(title) }).click()
  await page.locator('.header .select-button').getByText(title).waitFor()
  // it may have been open before; one without a step of its own goes to its first rejection once that is found
  await settled(page)
  await ended(page)
}

export async function runIt(page: Page): Promise<void> {
  await page.locator('.run-button').click()
  await ended(page)
}

export async function goTo(page: Page, step: number): Promise<void> {
  await page.locator('.step-field input').fill(String(step))
  await page.locator('.step-field input').press('Enter')
  await page.getByText(`step ${step.toLocaleString('en')}`, { exact: true }).waitFor()
}

/** Sixty overlapping buffers, from a plain congruential sequence: no search without rules ends on it. */
export function hardProblem(): string {
  let state = 7
  const next = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const rows = Array.from({ length: 60 }, (_, k) => {
    const lower = next(60)
    return `b${k},${lower},${lower + 8 + next(40)},${(1 + next(60)) * 512}`
  })
  return `id,lower,upper,size\n${rows.join('\n')}\n`
}

/** The hard problem, to be searched without rules: as many steps as the budget allows, which are 10,000,000 by default. */
export async function hardSearch(page: Page): Promise<void> {
  await load(page, hardProblem())
  await page.getByText('60 buffers').waitFor()
  await useMiniMalloc(page)
  for (const box of await page.locator('.checks input').all()) await box.uncheck()
}

/** The part of the share link from its # on: what `visit` takes. */
export async function linkOf(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const url = await page.getByLabel('Link', { exact: true }).inputValue()
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  return url.slice(url.indexOf('#'))
}

/** Six buffers in which the search has something to reject and to take back. */
export const SMALL = 'id,lower,upper,size\na,0,4,3\nb,2,6,5\nc,4,8,4\nd,0,8,2\ne,1,3,2\nf,5,7,1\n'

/** A text, as a file that is let go of over the page. */
export function dropText(page: Page, name: string, text: string): Promise<void> {
  return page.evaluate(
    ([name = '', text = '']) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([text], name))
      window.dispatchEvent(new DragEvent('drop', { dataTransfer, cancelable: true }))
    },
    [name, text],
  )
}
