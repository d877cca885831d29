/** A long file on its way: its rows are counted, and whoever gives it up keeps what was open. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { makeCore } from '../wasm/support'
import { ended, runIt, visitor } from './browser'

const { arrive } = visitor()

const COUNT = 1_000_000
const folder = mkdtempSync(join(tmpdir(), 'arenascope-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('counts the rows of a long file and lets go of it', async () => {
  const core = await makeCore()
  const file = join(folder, 'many.csv')
  writeFileSync(file, core.generate('training', COUNT, 1).csv)
  core.free()
  const page = await arrive()
  await ended(page)
  page.setDefaultTimeout(60_000)
  const size = await page.locator('.section-note').first().textContent()
  const coming = page.locator('.importing')

  await page.locator('#setup input[type=file]').setInputFiles(file)
  await coming.getByText(/^[\d,]+ of about [\d,]+ rows$/).waitFor()
  await coming.getByRole('progressbar').waitFor()
  await coming.getByRole('button', { name: 'Cancel' }).click()
  await coming.waitFor({ state: 'detached' })
  expect(await page.locator('.section-note').first().textContent()).toBe(size)
  // the worker has the former problem still
  await runIt(page)
  expect(await page.locator('.notice').count()).toBe(0)

  // Escape does the same, and the same file can be opened after that
  await page.locator('#setup input[type=file]').setInputFiles(file)
  await coming.getByText(/^[\d,]+ of about [\d,]+ rows$/).waitFor()
  await page.keyboard.press('Escape')
  await coming.waitFor({ state: 'detached' })
  expect(await page.locator('.section-note').first().textContent()).toBe(size)
  await page.locator('#setup input[type=file]').setInputFiles(file)
  await page
    .getByText(`${COUNT.toLocaleString('en')} buffers`)
    .first()
    .waitFor()
  await coming.waitFor({ state: 'detached' })
})
