#!/usr/bin/env node
// Draws web/public/preview.png, which other pages show beside a link to this one: the first page in the dark, its race half way. Needs a built page.
//   node web/tools/preview.mjs
import { chromium } from 'playwright-core'
import { preview } from 'vite'

const root = new URL('..', import.meta.url).pathname
const host = await preview({ root, configFile: `${root}vite.config.ts`, preview: { port: 0 } })
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--disable-gpu'],
})
try {
  const page = await browser.newPage({ viewport: { width: 1200, height: 630 }, colorScheme: 'dark' })
  await page.goto(`http://127.0.0.1:${host.httpServer.address().port}/`)
  await page.getByText('and no plan is lower').waitFor()
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  // what eases has come to rest
  await page.waitForTimeout(1500)
  await page.screenshot({ path: `${root}public/preview.png` })
} finally {
  await browser.close()
  await host.close()
}
