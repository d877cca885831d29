/** The searches of searches.ts in Chromium and in Firefox: the module as it is shipped, in each browser's own engine. builds.mjs asks for it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchChromium, launchFirefox } from '../e2e/support/browser'
import { type Host, serve } from '../e2e/support/server'

declare global {
  interface Window {
    searches?: (module: Response, from: number, to: number) => Promise<string>
  }
}

/** A folder with searches.js, core.wasm and range.json, the problems that are asked for; what each browser says goes there. */
const FOLDER = process.env.ARENASCOPE_SEARCHES ?? ''
let host: Host

beforeAll(async () => {
  const script = "import { searches } from './searches.js'; window.searches = searches"
  writeFileSync(join(FOLDER, 'index.html'), `<!doctype html><script type="module">${script}</script>`)
  host = await serve(FOLDER, '/')
})
afterAll(() => host.close())

async function searched(browser: Browser, from: number, to: number): Promise<string> {
  const page = await browser.newPage()
  await page.goto(host.url)
  await page.waitForFunction(() => window.searches !== undefined)
  return page.evaluate(async ([from, to]) => (await window.searches?.(await fetch('core.wasm'), from, to)) ?? '', [
    from,
    to,
  ] as const)
}

test.each([
  ['Chromium', launchChromium],
  ['Firefox', launchFirefox],
])(
  'in %s',
  async (name, launch) => {
    const { from, to } = JSON.parse(readFileSync(join(FOLDER, 'range.json'), 'utf8')) as { from: number; to: number }
    const browser = await launch()
    try {
      const lines = await searched(browser, from, to)
      expect(lines).not.toBe('')
      writeFileSync(join(FOLDER, `${name}.txt`), lines)
    } finally {
      await browser.close()
    }
  },
  1_800_000,
)
