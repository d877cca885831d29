/** Every tab and every dialog, at three sizes and in both themes: what axe finds wrong by the rules of WCAG A and AA is wrong. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { visitor } from './browser'

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

const { arrive } = visitor()

interface Axe {
  run(
    context: string,
    options: object,
  ): Promise<{ violations: { id: string; nodes: { html: string; any: { data: unknown }[] }[] }[] }>
}

/** What is wrong with what is on the page. What is only wrong while it comes, goes or changes its theme is not wrong the next time. */
async function complaints(page: Page): Promise<string[]> {
  let found: string[] = []
  for (let look = 0; look < 3; look++) {
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    found = await violations(page)
    if (found.length === 0) break
  }
  return found
}

function violations(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: Axe }
    // what lies under a dialog is out of reach
    const within = document.querySelector('dialog[open]') === null ? 'html' : 'dialog[open]'
    const { violations: all } = await axe.run(within, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa'],
      resultTypes: ['violations'],
    })
    return all.map(
      (v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 160) + JSON.stringify(n.any[0]?.data ?? '')).join(' | ')}`,
    )
  })
}

/** Opens a dialog as a person would who knows its name. */
async function open(page: Page, query: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Command' }).fill(query)
  await page.keyboard.press('Enter')
}

const DIALOGS: [query: string, name: string][] = [
  ['help', 'Help'],
  ['share…', 'Share'],
  ['random…', 'Random problem'],
  ['accelerator profiles', 'Accelerator profiles'],
  ['models…', 'Models'],
  ['figure…', 'Export figure'],
  ['film…', 'Export film'],
]

const SIZES: [number, number][] = [
  [1280, 720],
  [820, 1180],
  [390, 844],
]

describe('nothing is wrong', () => {
  it.each(SIZES)('at %i × %i', async (width, height) => {
    const page = await arrive('', { viewport: { width, height }, reducedMotion: 'reduce' })
    // The page's own policy forbids foreign scripts; the checker comes in beside it.
    await page.evaluate(await readFile(axePath, 'utf8'))
    const found: string[] = []
    const look = async (where: string) => {
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme })
        await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe(colorScheme)
        for (const complaint of await complaints(page)) found.push(`${where}, ${colorScheme}: ${complaint}`)
      }
    }
    await look('Step, with the first hint')
    await page.getByRole('button', { name: 'Close the hint' }).click()
    const names = (await page.locator('.side [role=tab], .tab-bar button').allTextContents()).filter(
      (name) => name !== 'Setup',
    )
    expect(names).toEqual(expect.arrayContaining(['Step', 'Tree', 'Stats', 'Buffers']))
    for (const name of names) {
      await page.locator('.side [role=tab], .tab-bar button').getByText(name, { exact: true }).click()
      await page.locator('.tab-panel > :not(p.part)').first().waitFor()
      await look(name)
    }
    await page.keyboard.press('e')
    await page.getByRole('grid', { name: 'Buffers, to edit' }).waitFor()
    await look('Buffers, edited')
    await page.keyboard.press('e')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Command' }).waitFor()
    await look('the palette')
    await page.keyboard.press('Escape')
    for (const [query, name] of DIALOGS) {
      await open(page, query)
      await page.getByRole('dialog', { name, exact: true }).waitFor()
      await look(name)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    expect(found).toEqual([])
  })
})
