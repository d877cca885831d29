/** Every tab, dialog and state of the page, at three sizes and in both themes: what axe finds wrong by the rules of WCAG A and AA is wrong. */
import { describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { COLOURS, violations, WCAG } from '../support/axe'
import { calm, ended, visitor } from '../support/browser'
import { type Theme, wear } from '../support/themes'

const { arrive, visit } = visitor()

/** What is wrong with what is on the page. What is only wrong while it comes, goes or changes its theme is not wrong the next time. */
async function complaints(page: Page, rules: string[], within?: string): Promise<string[]> {
  let found: string[] = []
  for (let look = 0; look < 3; look++) {
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    found = await violations(page, rules, within)
    if (found.length === 0) break
  }
  return found
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

/** Of the views, each in a frame that has been looked at: what is beside the search on a desk, and over the bar of tabs on a phone. */
const VIEW = '.tab-panel'

/** Collects what is wrong, in both themes one after the other: on the whole page, or within what alone has changed since that was looked at. */
function looker(page: Page) {
  const found: string[] = []
  const themes: Theme[] = ['light', 'dark']
  const look = async (where: string, within?: string) => {
    // the theme that the look before has left comes first
    for (const [k, theme] of themes.reverse().entries()) {
      await wear(page, theme)
      for (const complaint of await complaints(page, k === 0 ? WCAG : COLOURS, within))
        found.push(`${where}, ${theme}: ${complaint}`)
    }
  }
  return { look, found }
}

async function dialogs(
  page: Page,
  list: typeof DIALOGS,
  look: (where: string, within?: string) => Promise<void>,
): Promise<void> {
  for (const [query, name] of list) {
    await open(page, query)
    await page.getByRole('dialog', { name, exact: true }).waitFor()
    await look(name)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
}

const tab = (page: Page, name: string) =>
  page.locator('.side [role=tab], .tab-bar button').getByText(name, { exact: true }).click()

const GRAPH = 'tensor,a,64,input\ntensor,b,32\ntensor,c,32,output\nop,x,Relu,a,b\nop,y,Add,a;b,c\n'

describe('nothing is wrong', () => {
  it.each(SIZES)('at %i × %i', async (width, height) => {
    const page = await visit('', { viewport: { width, height }, first: true })
    const { look, found } = looker(page)
    await page.getByText('and no plan is lower').waitFor()
    await look('the first page')
    await page.getByRole('button', { name: 'begin with nine buffers' }).click()
    await ended(page)
    await look('Step, with the first hint')
    await page.getByRole('button', { name: 'Close the hint' }).click()
    const names = (await page.locator('.side [role=tab], .tab-bar button').allTextContents()).filter(
      (name) => name !== 'Setup',
    )
    expect(names).toEqual(expect.arrayContaining(['Step', 'Tree', 'Stats', 'Buffers']))
    for (const name of names) {
      await tab(page, name)
      await page.locator('.tab-panel > :not(p.part)').first().waitFor()
      await look(name, VIEW)
    }
    await page.keyboard.press('e')
    await page.getByRole('grid', { name: 'Buffers, to edit' }).waitFor()
    await look('Buffers, edited')
    await page.keyboard.press('e')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Command' }).waitFor()
    await look('the palette')
    await page.keyboard.press('Escape')
    await dialogs(page, DIALOGS, look)
    await page.locator('.watch-button').click()
    await page.getByRole('dialog', { name: 'Marks and stops' }).waitFor()
    await look('marks and stops', '[role=dialog]')
    await page.keyboard.press('Escape')
    await page.locator('.header [aria-haspopup=menu]').last().click()
    await look('the last menu', '[role=menu]')
    await page.keyboard.press('Escape')
    expect(found).toEqual([])
  })

  it.each(SIZES)('at %i × %i with a model, with several runs, in a lesson and with nothing', async (width, height) => {
    const page = await arrive('', { viewport: { width, height } })
    const { look, found } = looker(page)
    await page.evaluate((text) => {
      const data = new DataTransfer()
      data.setData('text/plain', text)
      window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }))
    }, GRAPH)
    await tab(page, 'Model')
    await page.locator('.tab-panel > :not(p.part)').first().waitFor()
    await look('Model')
    await tab(page, 'Graph')
    await page.locator('.tab-panel canvas').first().waitFor()
    await look('Graph', VIEW)
    await dialogs(page, [['two ways', 'Two ways to lower it']], look)
    await page.locator('h1').click()
    await page.keyboard.press('c')
    await expect.poll(() => page.locator('.lane-ended').count()).toBe(2)
    await look('runs side by side')
    await page.locator('.lane .menu > button').first().click()
    await page.getByRole('menuitem', { name: 'Settings…' }).click()
    await page.getByRole('dialog', { name: 'Settings of this run' }).waitFor()
    await look('settings of a run')
    await page.keyboard.press('Escape')
    for (const [name, button] of [
      ['Capacity sweep', 'Sweep'],
      ['All examples', 'Run all'],
    ] as const) {
      await page.getByRole('tab', { name, exact: true }).click()
      await page.getByLabel('Budget').fill('20')
      await page.getByRole('button', { name: button, exact: true }).click()
      await page.getByText(/^\d+ runs\.$/).waitFor()
      await look(name)
    }
    await page.evaluate(() => {
      location.hash = '#lesson=greedy/3'
    })
    await page.getByText('Height of each plan').waitFor()
    await look('a lesson')
    await page.getByRole('button', { name: 'Leave the lesson' }).click()
    await page.locator('.compare-area').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.transport').waitFor()
    await open(page, 'ten buf')
    // the run before has ended already
    await calm(page)
    await page.locator('.transport-button.play:not([disabled])').waitFor()
    if (width < 600) await tab(page, 'Setup')
    else if (width < 1280) await page.getByRole('button', { name: 'Setup' }).click()
    await page.getByRole('button', { name: 'Paste', exact: true }).click()
    await page.getByLabel('Buffer CSV').fill('id,lower,upper,size\na,0,x,1\n')
    await page.getByRole('button', { name: 'Load', exact: true }).click()
    await page.getByText('1 error. Nothing was loaded.').waitFor()
    await look('mistakes')
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.locator('.first-page').waitFor()
    await look('the first page')
    expect(found).toEqual([])
  })

  it('in the embedded page', async () => {
    const page = await arrive()
    await page.getByRole('button', { name: 'Share' }).click()
    const code = await page.getByLabel('Embed code').inputValue()
    const src = (/ src="([^"]*)"/.exec(code)?.[1] ?? '').replaceAll('&amp;', '&')
    for (const [width, height] of SIZES) {
      const inner = await visit(src.slice(src.indexOf('#')), { viewport: { width, height } })
      await inner.locator('.embed-told .prose').waitFor()
      const { look, found } = looker(inner)
      await look(`embedded at ${width}`)
      expect(found).toEqual([])
    }
  })
})
