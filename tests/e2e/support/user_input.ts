/** The hand of a person at a page: the mouse and the keys on a desk, a finger on a phone. */
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { settled } from './settled'
import { type Theme, wear } from './themes'

export interface Size {
  width: number
  height: number
}

/** Until a run has ended and can be played. */
export const playable = (page: Page) => page.locator('.transport .transport-button.play:not([disabled])').waitFor()

export const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

/** Whether all of it is within the window, and of which theme the colour is that it lies on. */
function seenWhole(target: Locator) {
  return target.evaluate((node) => {
    const box = node.getBoundingClientRect()
    let ground = node
    while (/, 0\)$|transparent/.test(getComputedStyle(ground).backgroundColor) && ground.parentElement !== null)
      ground = ground.parentElement
    const [r = 0, g = 0, b = 0] = (getComputedStyle(ground).backgroundColor.match(/[\d.]+/g) ?? []).map(Number)
    return {
      inside: box.left >= -1 && box.top >= -1 && box.right <= innerWidth + 1 && box.bottom <= innerHeight + 1,
      wider: node.scrollWidth - node.clientWidth,
      theme: (r + g + b) / 3 < 128 ? 'dark' : 'light',
    }
  })
}

/** What a hand does differs by the size; what comes of it does not. */
export class Hand {
  /** The one that the page has now is the last. */
  private readonly themes: Theme[] = ['light', 'dark']
  readonly phone: boolean

  constructor(
    /** in the dark theme and the first of the sizes */
    readonly page: Page,
    /** of the window: that in which the hand works, and others in which what it opens has its place too */
    private readonly sizes: [Size, ...Size[]],
    /** Another page of the first size, in the dark theme, at a link. */
    private readonly open: (fragment: string) => Promise<Page>,
  ) {
    this.phone = sizes[0].width < 600
  }

  /** In each size from the last on, after which the hand goes on in the first. */
  private async sized<T>(look: (size: Size) => Promise<T>): Promise<T[]> {
    const seen: T[] = []
    for (const size of [...this.sizes.slice(1), this.sizes[0]]) {
      if (this.sizes.length > 1) await this.page.setViewportSize(size)
      seen.push(await look(size))
    }
    return seen
  }

  /** By how much the page is wider than the window, in each size. */
  wider(): Promise<number[]> {
    return this.sized(() => this.page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
  }

  async elsewhere(link: string): Promise<Hand> {
    const page = await this.open(link.slice(link.indexOf('#')))
    return new Hand(page, this.sizes, this.open)
  }

  /** The middle of a control, once that is in the window and nothing lies over it. */
  async middle(target: Locator): Promise<{ x: number; y: number }> {
    await target.scrollIntoViewIfNeeded()
    const look = () =>
      target.evaluate((node) => {
        const box = node.getBoundingClientRect()
        const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
        // tooltips let the pointer through, and must not be covered all the same
        const { style } = node as HTMLElement
        style.pointerEvents = 'auto'
        const hit = document.elementFromPoint(x, y)
        style.pointerEvents = ''
        const own = hit !== null && (node.contains(hit) || hit.closest('label')?.contains(node) === true)
        return { x, y, over: own ? '' : (hit?.outerHTML.slice(0, 120) ?? 'outside of the window') }
      })
    // what is pinned to an edge covers what is scrolled just into the window: whoever wants that scrolls on
    let tries = 0
    const uncovered = async () => {
      const { over } = await look()
      const block: ScrollLogicalPosition = tries++ % 2 === 0 ? 'start' : 'end'
      if (over !== '')
        await target.evaluate((node, block) => node.scrollIntoView({ block, behavior: 'instant' }), block)
      return over
    }
    await expect.poll(uncovered, { message: `what lies over ${target}` }).toBe('')
    return look()
  }

  async press(target: Locator): Promise<void> {
    const { x, y } = await this.middle(target)
    if (this.phone) await this.page.touchscreen.tap(x, y)
    else await this.page.mouse.click(x, y)
  }

  async fill(target: Locator, text: string): Promise<void> {
    await this.middle(target)
    await target.fill(text)
  }

  button(name: string | RegExp, within: Page | Locator = this.page): Promise<void> {
    const role = within.getByRole('button', { name, exact: typeof name === 'string' })
    return this.press(role.first())
  }

  /** What was opened is all there: in one theme, then in the other, in which the hand goes on, and in every size. */
  async whole(target: Locator): Promise<void> {
    await this.middle(target)
    const there = (theme: Theme) =>
      expect
        .poll(() => seenWhole(target), { message: `${target} in the ${theme} theme` })
        .toEqual({ inside: true, wider: 0, theme })
    const [other = 'light', now = 'dark'] = this.themes
    await there(now)
    await wear(this.page, other)
    this.themes.reverse()
    await this.sized(() => there(other))
  }

  /** The dialog of that name, once it is all there. */
  async dialog(name: string): Promise<Locator> {
    const dialog = this.page.getByRole('dialog', { name })
    await this.whole(dialog)
    return dialog
  }

  /** Through the menus: a desk has one for each of those that a phone has in one. */
  async menu(name: string, item: RegExp): Promise<void> {
    const phone = name === 'Open' ? 'Open' : 'Export'
    if (this.phone) {
      await this.button('Menu')
      await this.press(this.page.getByRole('menuitem', { name: new RegExp(`^${phone}`) }))
    } else if (name === 'Open') await this.press(this.page.locator('.header .select-button'))
    else await this.button('Export')
    await this.whole(this.page.getByRole('menu'))
    await this.press(this.page.getByRole('menuitem', { name: item }))
    await this.page.getByRole('menu').waitFor({ state: 'detached' })
  }

  /** A tool of the canvas: a button of its toolbar, or an item of the phone's menu. */
  async tool(name: string): Promise<void> {
    if (!this.phone) {
      await this.button(name, this.page.getByRole('toolbar', { name: 'Canvas' }))
      return
    }
    await this.button('Menu')
    await this.press(this.page.getByRole('menuitem', { name: /^Canvas/ }))
    await this.press(this.page.locator('[role^=menuitem]').filter({ hasText: name }))
  }

  /** A button of the header, or what stands for it in the phone's menu. */
  async header(name: string, item: string | RegExp): Promise<void> {
    if (!this.phone) await this.button(name, this.page.locator('.header'))
    else {
      await this.button('Menu')
      await this.press(this.page.getByRole('menuitem', { name: item }))
    }
  }

  /** One of the views: a tab beside the canvas, or one below it with its sheet. */
  async view(name: string): Promise<void> {
    const tabs = this.page.locator(this.phone ? '.tab-bar button' : '.side [role=tab]')
    await this.press(tabs.getByText(name, { exact: true }))
    await this.page.locator('.tab-panel > :not(p.part)').first().waitFor()
  }

  /** The setup: always there on a desk. */
  async setup(): Promise<Locator> {
    if (this.phone) await this.press(this.page.locator('.tab-bar').getByText('Setup'))
    const panel = this.page.locator('.setup')
    await panel.waitFor()
    return panel
  }

  async load(csv: string, count: string): Promise<void> {
    const setup = await this.setup()
    await this.button('Paste', setup)
    await this.fill(this.page.getByLabel('Buffer CSV'), csv)
    await this.button('Load', setup)
    // what comes in is answered at once, and the answer looked at
    await settled(this.page)
    await this.setup()
    await this.page.getByText(count).first().waitFor()
  }

  async run(): Promise<void> {
    await this.setup()
    await this.press(this.page.locator('.run-button'))
    await playable(this.page)
  }

  async example(title: RegExp): Promise<void> {
    await this.menu('Open', title)
    await playable(this.page)
  }

  /** A step by its number: in the transport, or where a phone has that. */
  async step(step: number): Promise<void> {
    const panel = this.page.getByRole('dialog', { name: 'Marks and stops' })
    const shut = this.phone && !(await panel.isVisible())
    if (shut) await this.press(this.page.locator('.watch-button'))
    const field = this.page.getByRole('textbox', { name: 'Step', exact: true })
    await this.fill(field, String(step))
    await field.press('Enter')
    if (shut) await this.button('Close marks and stops')
    await expect.poll(() => this.at()).toBe(step)
  }

  /** The step that the search's own picture says is shown. */
  async at(): Promise<number> {
    const label = (await this.page.locator('.seismograph [role=img]').getAttribute('aria-label')) ?? ''
    return Number((/step ([\d,]+)/.exec(label)?.[1] ?? '').replaceAll(',', ''))
  }

  /** What the canvas says of itself. */
  async described(): Promise<string> {
    return (await this.page.locator('.memory [role=img]').first().getAttribute('aria-label')) ?? ''
  }

  async says(text: string | RegExp): Promise<void> {
    await expect.poll(() => this.described()).toMatch(text)
  }

  /** A point of the plate, as shares of its width and of its height from the ground; below 0 it is on the axis of time. */
  async plate(x: number, y: number): Promise<{ x: number; y: number }> {
    const box = await this.page.locator('.memory').boundingBox()
    if (box === null) throw new Error('there is no canvas')
    const gutter = this.phone ? 44 : 58
    const right = this.phone ? 10 : 14
    const up = y < 0 ? -12 : y * (box.height - 56)
    return { x: box.x + gutter + x * (box.width - gutter - right), y: box.y + box.height - 26 - up }
  }

  /** With one finger, or the mouse. */
  async drag(from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
    if (this.phone) {
      await this.fingers([[from, to]])
      return
    }
    await this.page.mouse.move(from.x, from.y)
    await this.page.mouse.down()
    await this.page.mouse.move(to.x, to.y, { steps: 4 })
    await this.page.mouse.up()
  }

  /** They come to rest before they leave: the browser takes the touch after a flick for the end of that. */
  async fingers(ways: [{ x: number; y: number }, { x: number; y: number }][]): Promise<void> {
    const cdp = await this.page.context().newCDPSession(this.page)
    const MOVES = 5
    const RESTS = 3
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', k: number) => {
      const share = Math.min(1, k / MOVES)
      const points = ways.map(([a, b]) => ({ x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share }))
      const timestamp = Date.now() / 1000 - 0.5 + k * 0.05
      return cdp.send('Input.dispatchTouchEvent', { type, timestamp, touchPoints: type === 'touchEnd' ? [] : points })
    }
    await touch('touchStart', 0)
    for (let k = 1; k <= MOVES + RESTS; k++) await touch('touchMove', k)
    await touch('touchEnd', MOVES + RESTS + 1)
    await cdp.detach()
  }

  async download(act: () => Promise<void>): Promise<{ name: string; text: string; bytes: Buffer }> {
    const [got] = await Promise.all([this.page.waitForEvent('download', { timeout: 30_000 }), act()])
    const bytes = await readFile(await got.path())
    return { name: got.suggestedFilename(), text: bytes.toString(), bytes }
  }

  async closeDialog(): Promise<void> {
    await this.button('Close', this.page.getByRole('dialog'))
    await this.page.getByRole('dialog').waitFor({ state: 'detached' })
  }
}
