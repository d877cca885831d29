/** Sizes, themes, keys, names for screen readers, and life without a network. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  calm,
  digest,
  dropText,
  ended,
  goTo,
  load,
  pixels,
  runIt,
  SMALL,
  stepShown,
  totalSteps,
  useMiniMalloc,
  visitor,
} from '../support/browser'

const { bench, arrive: visit, stay } = visitor()

const SIZES: [number, number][] = [
  [1280, 720],
  [1440, 900],
  [1920, 1080],
  [1024, 768],
  [768, 1024],
]

/** By how much the page is wider and higher than the window. */
const over = (page: Page) =>
  page.evaluate(() => [
    document.documentElement.scrollWidth - innerWidth,
    document.documentElement.scrollHeight - innerHeight,
  ])

/** Which of them lie over others or are too narrow to be hit. */
const crowded = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((all) => {
    const boxes = all
      .map((node) => ({ name: node.ariaLabel ?? node.className, box: node.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0)
    const apart = (a: DOMRect, b: DOMRect) =>
      a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top
    const bad = boxes.filter(
      ({ box }, k) => box.width < 24 || boxes.slice(0, k).some((other) => !apart(other.box, box)),
    )
    return bad.map(({ name }) => name)
  })

describe('sizes', () => {
  it.each(SIZES)('fits %i × %i without scrolling the page', async (width, height) => {
    const page = await stay()
    await page.setViewportSize({ width, height })
    await calm(page)
    expect(await over(page)).toEqual([0, 0])
    const canvas = await page.locator('.memory').boundingBox()
    expect(canvas?.width ?? 0).toBeGreaterThanOrEqual(Math.min(560, width - 344))
    expect(canvas?.height ?? 0).toBeGreaterThan(120)
  })

  it('is a sheet over a bar of tabs on a phone', async () => {
    const page = await visit('', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true })
    await calm(page)
    expect(await over(page)).toEqual([0, 0])
    expect((await page.locator('.memory').boundingBox())?.height ?? 0).toBeGreaterThan(120)
    await page.locator('.tab-bar').getByText('Setup').tap()
    await page.locator('.sheet').getByRole('button', { name: 'Paste', exact: true }).tap()
    await page.getByLabel('Buffer CSV').fill(SMALL)
    await page.getByRole('button', { name: 'Load', exact: true }).tap()
    // it is answered at once, on the sheet that says so
    await page.locator('.prose', { hasText: 'Every buffer is placed' }).first().waitFor()
    await page.locator('.tab-bar').getByText('Setup').tap()
    await page.getByText('6 buffers').waitFor()
    // wherever the form is scrolled to, Run is above the bar of tabs
    const bottom = (of: string) => page.locator(of).evaluate((node) => node.getBoundingClientRect().bottom)
    expect(await bottom('.run-button')).toBeLessThan((await page.locator('.tab-bar').boundingBox())?.y ?? 0)
    await page.locator('.run-button').tap()
    await ended(page)
    await page.locator('.tab-bar').getByText('Step').tap()
    // the verdict and the speed, whatever the sheet shows
    expect(await page.locator('.phone-first .pill').textContent()).toBe('Optimal')
    await page.locator('.phone-first').getByRole('slider', { name: 'Speed' }).waitFor()
    const right = await page.locator('.phone-first .speed-text').evaluate((node) => {
      const range = document.createRange()
      range.selectNodeContents(node)
      return range.getBoundingClientRect().right
    })
    expect(right).toBeLessThanOrEqual(390 - 8)
    await page.locator('.tab-bar').getByText('Stats').tap()
    await page.getByText('Candidates skipped').waitFor()
    await page.locator('.tab-bar').getByText('Buffers').tap()
    await page.getByRole('grid', { name: 'Buffers' }).waitFor()
    const height = async () => (await page.locator('.sheet').boundingBox())?.height ?? 0
    const half = await height()
    await page.locator('.sheet-handle').tap()
    await expect.poll(height).toBeGreaterThan(half + 100)
    await page.locator('.sheet-handle').tap()
    await expect.poll(height).toBe(half)
    const small = await page.evaluate(
      () =>
        [...document.querySelectorAll<HTMLElement>('.transport-button, .tab-bar button, .header button')]
          .map((button) => button.getBoundingClientRect())
          .filter((box) => box.width > 0 && (box.width < 44 || box.height < 44)).length,
    )
    expect(small).toBe(0)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  })

  it.each([
    [844, 390],
    [740, 360],
    [640, 360],
  ])('has all of the canvas above the transport on a phone on its side, %i × %i', async (width, height) => {
    const page = await visit('', { viewport: { width, height }, isMobile: true, hasTouch: true })
    await calm(page)
    expect(await over(page)).toEqual([0, 0])
    const canvas = await page.locator('.memory').boundingBox()
    const transport = await page.locator('.transport').boundingBox()
    expect(canvas?.height ?? 0).toBeGreaterThan(120)
    expect((canvas?.y ?? 0) + (canvas?.height ?? 0)).toBeLessThanOrEqual(transport?.y ?? 0)
    expect((transport?.y ?? 0) + (transport?.height ?? 0)).toBeLessThanOrEqual(height)
    expect(await crowded(page, '.header button')).toEqual([])
  })

  it('breaks the transport in two where a wide panel leaves it little room', async () => {
    const page = await stay()
    await page.setViewportSize({ width: 1280, height: 720 })
    await page.getByRole('tab', { name: 'Tree' }).click()
    await calm(page)
    expect(await crowded(page, '.transport :is(button, select, .slider, .step-field)')).toEqual([])
    await page.getByRole('tab', { name: 'Step' }).click()
  })

  it('keeps the long names of tensors inside of the panel', async () => {
    const page = await stay()
    await page.setViewportSize({ width: 1280, height: 1080 })
    const names = [0, 1].map((k) => `model_1/streaming/encoder/block_0${k}/attention/query_projection/MatMul:0`)
    await load(page, `id,lower,upper,size\n${names[0]},0,4,4\n${names[1]},2,6,4\n`)
    await runIt(page)
    await page.locator('.prose .ref', { hasText: 'MatMul:0' }).first().waitFor()
    const wide = await page
      .locator('.side :is(.prose, .prose .ref, .stack .name)')
      .evaluateAll((all) => all.filter((node) => node.getBoundingClientRect().right > innerWidth).length)
    expect(wide).toBe(0)
    const end = page.locator('.stack .name').first().getByText('/MatMul:0')
    expect(await end.evaluate((node) => node.scrollWidth - node.clientWidth)).toBe(0)
  })

  it('has the setup in a drawer at 1024', async () => {
    const page = await stay()
    await page.setViewportSize({ width: 1024, height: 768 })
    await page.locator('.run-button').waitFor({ state: 'hidden' })
    expect(await page.locator('.run-button').isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Setup' }).click()
    await page.locator('.run-button').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.run-button').waitFor({ state: 'hidden' })
  })
})

describe('what is wrong with a file that was dropped', () => {
  it.each([
    ['a drawer', { viewport: { width: 768, height: 1024 } }],
    ['a sheet', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
  ])('is told where the setup is %s that is shut', async (_, options) => {
    const page = await visit('', options)
    await calm(page)
    // a page that begins at this size, and was never larger
    expect(await over(page)).toEqual([0, 0])
    await dropText(page, 'bad.csv', 'id,lower,upper,size\na,0,x,4\n')
    await page.getByText('1 error. Nothing was loaded.').waitFor()
    await dropText(page, 'bad.tflite', '\x1c\0\0\0TFL3\0\0\0\0')
    await page.locator('.importing').getByText('bad.tflite').waitFor()
  })
})

describe('themes', () => {
  it('follow the system, change with T and are remembered', async () => {
    const page = await visit('', { colorScheme: 'light' })
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme)
    expect(await theme()).toBe('light')
    // also when it changes, as the browser itself tells it
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(theme).toBe('dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(theme).toBe('light')
    await calm(page)
    const before = await pixels(page)
    await page.keyboard.press('t')
    expect(await theme()).toBe('dark')
    await calm(page)
    expect(await pixels(page)).not.toEqual(before)
    await page.waitForTimeout(600)
    await page.reload()
    await ended(page)
    expect(await theme()).toBe('dark')
  })
})

describe('keys', () => {
  it('move through the search and are off while typing', async () => {
    const page = await stay('keys')
    await load(page, SMALL)
    await page.getByText('6 buffers').waitFor()
    await page.locator('.run-button').click()
    await ended(page)
    await page.locator('h1').click()
    const total = await totalSteps(page)
    await page.keyboard.press('Home')
    await expect.poll(() => stepShown(page)).toBe(0)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => stepShown(page)).toBe(1)
    await page.keyboard.press('End')
    await expect.poll(() => stepShown(page)).toBe(total)
    await page.keyboard.press('Home')
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await page.keyboard.press('Space')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Help' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Help' }).waitFor({ state: 'detached' })
    await page.getByRole('textbox', { name: 'Capacity' }).press('t')
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark')
  })

  it('play right after Run was clicked', async () => {
    const page = await stay('keys')
    await load(page, SMALL)
    await page.getByText('6 buffers').waitFor()
    await page.locator('.run-button').click()
    await ended(page)
    const before = await digest(page)
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await page.keyboard.press('Space')
    expect(await digest(page)).toBe(before)
  })

  it('jump from backtrack to backtrack', async () => {
    const page = await stay('keys')
    await load(page, 'id,lower,upper,size,alignment\na,0,6,3,2\nb,2,8,5,1\nc,4,12,4,4\nd,0,12,2,1\ne,1,9,2,2\n')
    await page.getByText('5 buffers').waitFor()
    await useMiniMalloc(page)
    for (const box of await page.locator('.checks input').all()) await box.uncheck()
    await page.locator('.run-button').click()
    await ended(page)
    await page.locator('h1').click()
    await page.keyboard.press('Home')
    await page.keyboard.press('Shift+ArrowRight')
    await page.getByText('Taken back', { exact: true }).waitFor()
    const first = await stepShown(page)
    await page.keyboard.press('Shift+ArrowRight')
    await expect.poll(() => stepShown(page)).toBeGreaterThan(first)
    await page.keyboard.press('Shift+ArrowLeft')
    await expect.poll(() => stepShown(page)).toBe(first)
  })

  it('reach every control of the page in order, with a ring around it', async () => {
    const page = await visit()
    // it comes after the first search
    await page.locator('.skip-link').waitFor({ state: 'attached' })
    const here = () =>
      page.evaluate(() => {
        const element = document.activeElement as HTMLElement | null
        if (element === null || element === document.body) return null
        const name = element.getAttribute('aria-label') ?? element.textContent ?? ''
        const bar = element.closest('[role=toolbar]')?.getAttribute('aria-label') ?? ''
        return { name, bar, ring: getComputedStyle(element).outlineStyle !== 'none' }
      })
    const seen: string[] = []
    const bars: string[] = []
    const press = async (key: string) => {
      await page.keyboard.press(key)
      const now = await here()
      if (now === null) return
      expect(now.ring, now.name).toBe(true)
      seen.push(now.name)
      if (key === 'Tab') bars.push(now.bar)
    }
    await press('Tab')
    expect(seen).toEqual(['Skip to the canvas'])
    for (let k = 0; k < 60; k++) {
      await press('Tab')
      // within a toolbar the arrows go on
      if ((await here())?.bar === 'Transport')
        for (const key of ['End', 'Home', ...Array(6).fill('ArrowRight')]) await press(key)
    }
    for (const name of ['Share', 'Help', 'Play', 'Step back', 'Speed']) expect(seen.join('|')).toContain(name)
    expect(bars).toContain('Transport')
    expect(
      bars.some((bar, k) => bar !== '' && bar === bars[k + 1]),
      bars.join('|'),
    ).toBe(false)
    // Enter on the first goes past all that stands before the canvas
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    await page.locator('.skip-link').focus()
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.closest('.centre') !== null)).toBe(true)
  })
})

describe('presenting', () => {
  it('shows canvas, sentence and search alone, steps with the arrows, says each step, and leaves a canvas of 240 px', async () => {
    const page = await visit('', { viewport: { width: 960, height: 540 } })
    await ended(page)
    const height = async () => (await page.locator('.memory').boundingBox())?.height ?? 0
    const seen = async (name: string) => (await page.locator(name).boundingBox()) ?? { y: 0, height: 0 }
    // 200 % on a wall of 1080 lines
    expect(await height()).toBeGreaterThanOrEqual(240)
    const bar = await seen('.transport')
    expect(bar.y + bar.height).toBeLessThanOrEqual(540)
    await page.setViewportSize({ width: 1280, height: 720 })
    await goTo(page, 1)
    await page.locator('h1').click()
    await page.keyboard.press('Shift+F')
    const words = page.locator('.present-words .prose')
    await words.waitFor()
    expect(await words.evaluate((prose) => getComputedStyle(prose).fontSize)).toBe('28px')
    for (const name of ['.header', '#setup', '.tabs', '.toolbar'])
      expect(await page.locator(name).isVisible()).toBe(false)
    expect(await height()).toBeGreaterThan(280)
    const before = await words.textContent()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => words.textContent()).not.toBe(before)
    const said = page.getByRole('status', { name: 'The step shown' })
    await expect.poll(() => said.textContent()).toMatch(/^Step 2\. /)
    await page.keyboard.press('Escape')
    await page.locator('.header').waitFor()
    // a lesson as well
    await page.evaluate(() => {
      location.hash = '#lesson=load'
    })
    await page.locator('.ask').waitFor()
    await page.locator('.lesson-page h2').click()
    await page.keyboard.press('Shift+F')
    await expect.poll(() => page.locator('.header').isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Stop presenting' }).click()
    await page.locator('.header').waitFor()
  })
})

describe('without a network', () => {
  it('asks for nothing once it is loaded', async () => {
    const page = await stay('kept', { serviceWorkers: 'allow' })
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    let last = Date.now()
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().startsWith('blob:')) return
      last = Date.now()
      asked.push(request.url())
    })
    // parts have parts of their own, which come when the page is idle, or two seconds later
    await expect.poll(() => Date.now() - last).toBeGreaterThan(2500)
    asked.length = 0
    await load(page, SMALL)
    await page.getByText('6 buffers').waitFor()
    await page.locator('.run-button').click()
    await ended(page)
    await page.keyboard.press('4')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Help' }).waitFor()
    expect(asked).toEqual([])
    expect(bench().host.missing).toEqual([])
  })

  it('loads again and solves', async () => {
    const page = await stay('kept', { serviceWorkers: 'allow' })
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    await load(page, SMALL)
    await page.getByText('6 buffers').waitFor()
    await page.context().setOffline(true)
    await page.reload()
    // what was left comes back without its run
    await page.getByText('6 buffers').waitFor()
    await runIt(page)
    await load(page, SMALL.replace('f,5,7,1\n', ''))
    await page.getByText('5 buffers').waitFor()
    await runIt(page)
    expect(await totalSteps(page)).toBeGreaterThan(0)
    await page.context().setOffline(false)
  })
})
