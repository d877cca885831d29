/** A newer build in place of the one that is kept: offered, taken over when asked, and nothing is lost on the way. */
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DIST, ended, load, SMALL, visitor } from '../support/browser'
import { type Host, serve } from '../support/server'
import { watchPage } from '../support/settled'

const { bench } = visitor()
let folder = ''
let host: Host

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'arenascope-dist-'))
  cpSync(DIST, folder, { recursive: true })
  host = await serve(folder, '/page/')
})
afterAll(async () => {
  await host.close()
  rmSync(folder, { recursive: true })
})

describe('a new version', () => {
  it('is offered, and taken when the reader says so', async () => {
    const page = await bench().newPage()
    await watchPage(page)
    const troubles: string[] = []
    page.on('pageerror', (error) => troubles.push(error.message))
    await page.goto(host.url)
    await page.getByRole('button', { name: 'begin with nine buffers' }).click()
    await ended(page)
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    await page.reload()
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
    await ended(page)
    await load(page, SMALL)
    await page.getByText('6 buffers').waitFor()
    expect(await page.getByText('A new version is ready.').count()).toBe(0)
    appendFileSync(join(folder, 'sw.js'), '// newer\n')
    await page.reload()
    await page.getByText('A new version is ready.').waitFor()
    await page.getByText('6 buffers').waitFor()
    const reloaded = page.waitForEvent('load')
    await page.getByRole('button', { name: 'Reload' }).click()
    await reloaded
    await page.getByText('6 buffers').waitFor()
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    expect(await page.getByText('A new version is ready.').count()).toBe(0)
    expect(troubles).toEqual([])
    await page.context().close()
  })

  it('can be installed: its manifest names icons that there are', () => {
    const manifest = JSON.parse(readFileSync(join(folder, 'manifest.webmanifest'), 'utf8')) as {
      icons: { src: string; sizes: string; type: string }[]
    }
    expect(manifest.icons.map(({ sizes }) => sizes)).toEqual(expect.arrayContaining(['any', '192x192', '512x512']))
    for (const { src, sizes, type } of manifest.icons) {
      const bytes = readFileSync(join(folder, src))
      if (type !== 'image/png') continue
      expect(bytes.subarray(1, 4).toString()).toBe('PNG')
      expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(sizes)
    }
  })
})
