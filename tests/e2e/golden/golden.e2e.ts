/**
 * The canvas against pictures of it that were looked at and kept beside it. It is given a size of its own, so that panels may change
 * around it; the page brings its fonts along, and nothing moves. `GOLDEN=renew ./build.sh e2e tests/e2e/golden` takes new pictures:
 * look at them before they are kept.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { calm, ended, openExample, visitor } from '../support/browser'
import type { Theme } from '../support/themes'

const { stay } = visitor()

const FOLDER = fileURLToPath(new URL('.', import.meta.url))
const RENEW = process.env.GOLDEN === 'renew'
const SIZE = { width: 620, height: 380 }
/** A pixel is another one if no pixel beside it in the kept picture is like it, up to so much in each channel. */
const CHANNEL = 32
/** Pictures are the same if at most this share of the pixels is another: letters may be smoothed a little differently elsewhere. */
const SHARE = 0.004

/** The layers of the canvas over its ground, as a PNG in base64. */
async function picture(page: Page): Promise<string> {
  await page.locator('.memory').evaluate((memory, { width, height }) => {
    const { style } = memory as HTMLElement
    style.position = 'fixed'
    style.zIndex = '1'
    style.width = `${width}px`
    style.height = `${height}px`
  }, SIZE)
  await page.mouse.move(1, 1)
  await calm(page)
  return page.evaluate(() => {
    const layers = [...document.querySelectorAll<HTMLCanvasElement>('.memory canvas')]
    const all = document.createElement('canvas')
    all.width = layers[0]?.width ?? 1
    all.height = layers[0]?.height ?? 1
    const c = all.getContext('2d')
    if (c === null) throw new Error('no canvas')
    c.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--well')
    c.fillRect(0, 0, all.width, all.height)
    for (const layer of layers) c.drawImage(layer, 0, 0)
    return all.toDataURL('image/png').split(',')[1] ?? ''
  })
}

/** Share of the pixels of one picture that are not in the other; 1 if their sizes differ. */
function difference(page: Page, now: string, kept: string): Promise<number> {
  return page.evaluate(
    async ([first, second, most]) => {
      const pixelsOf = async (base64: string) => {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
        const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
        const c = new OffscreenCanvas(image.width, image.height).getContext('2d')
        if (c === null) throw new Error('no canvas')
        c.drawImage(image, 0, 0)
        return c.getImageData(0, 0, image.width, image.height)
      }
      const a = await pixelsOf(first)
      const b = await pixelsOf(second)
      if (a.width !== b.width || a.height !== b.height) return 1
      const alike = (i: number, j: number) =>
        [0, 1, 2].every((k) => Math.abs((a.data[4 * i + k] ?? 0) - (b.data[4 * j + k] ?? 0)) <= most)
      let others = 0
      for (let y = 0; y < a.height; y++) {
        for (let x = 0; x < a.width; x++) {
          let found = false
          for (let v = Math.max(0, y - 1); v <= Math.min(a.height - 1, y + 1) && !found; v++)
            for (let u = Math.max(0, x - 1); u <= Math.min(a.width - 1, x + 1) && !found; u++)
              found = alike(y * a.width + x, v * a.width + u)
          if (!found) others++
        }
      }
      return others / (a.width * a.height)
    },
    [now, kept, CHANNEL] as const,
  )
}

const fileOf = (name: string) => `${FOLDER}${name}.png`

async function compare(page: Page, name: string): Promise<void> {
  const now = await picture(page)
  if (RENEW) {
    mkdirSync(FOLDER, { recursive: true })
    writeFileSync(fileOf(name), Buffer.from(now, 'base64'))
    return
  }
  expect(existsSync(fileOf(name)), `${fileOf(name)}: see the head of golden.e2e.ts for how to take it`).toBe(true)
  const share = await difference(page, now, readFileSync(fileOf(name)).toString('base64'))
  if (share > SHARE) {
    const seen = fileURLToPath(new URL(`../../../build/logs/golden-${name}.png`, import.meta.url))
    mkdirSync(dirname(seen), { recursive: true })
    writeFileSync(seen, Buffer.from(now, 'base64'))
    expect.fail(`${name} differs in ${(100 * share).toFixed(2)} % of its pixels; what was seen is in ${seen}`)
  }
}

/** Each theme has a page of its own, to which the browser itself tells it: the style sheets' queries hear of that, too. */
const look = (theme: Theme): Promise<Page> => stay(theme, { colorScheme: theme })

describe.each(['dark', 'light'] as const)('the canvas, %s', (theme) => {
  it('shows a few buffers, a rejection with its witness, and phases', async () => {
    const page = await look(theme)
    await openExample(page, 'Ten buffers')
    await compare(page, `ten-${theme}`)
    await openExample(page, 'Section bound')
    await compare(page, `rejected-${theme}`)
    await openExample(page, 'Phases')
    await page.getByLabel('Colour').selectOption('phase')
    await compare(page, `phases-${theme}`)
  })

  it('shows many, what is free among them, those that were searched for, and a part of them', async () => {
    const page = await look(theme)
    await openExample(page, 'Network')
    await page.keyboard.press('End')
    await page.keyboard.press('f')
    await compare(page, `free-${theme}`)
    await page.keyboard.press('f')
    await page.keyboard.press('/')
    await page.getByLabel('Find by id').fill('*.weights')
    await page.getByText('133 of 400').waitFor()
    await compare(page, `found-${theme}`)
    await page.getByLabel('Find by id').fill('')
    await page.getByLabel('Find by id').blur()
    for (let k = 0; k < 3; k++) await page.keyboard.press('+')
    await compare(page, `zoomed-${theme}`)
  })
})

it('the canvas shows more than can be told apart', async () => {
  const page = await look('dark')
  // the second problem keeps the solver: the first is an example, which brings its own
  for (const count of ['20', '12000']) {
    await page.getByRole('combobox', { name: 'Solver' }).selectOption('greedy')
    await page.locator('#setup').getByRole('button', { name: 'Random…' }).click()
    await page.locator('label.choice', { hasText: 'network' }).first().click()
    await page.getByRole('textbox', { name: 'Buffers' }).fill(count)
    await page.getByRole('button', { name: 'Make and run' }).click()
    await page
      .getByText(`${Number(count).toLocaleString('en')} buffers`)
      .first()
      .waitFor()
    await ended(page)
  }
  await compare(page, 'many-dark')
})

it('tells pictures apart', async () => {
  const page = await look('dark')
  const kept = (name: string) => readFileSync(fileOf(name)).toString('base64')
  expect(await difference(page, kept('ten-dark'), kept('ten-dark'))).toBe(0)
  // searched for against free blocks: the same plan, other pixels
  expect(await difference(page, kept('found-dark'), kept('free-dark'))).toBeGreaterThan(10 * SHARE)
  expect(await difference(page, kept('free-dark'), kept('free-light'))).toBeGreaterThan(10 * SHARE)
})
