/**
 * Every feature of the page at three sizes and in both themes, found and used the way a person does there: with the mouse and the keys on a
 * desk, with a finger on a phone. What is opened has to be within the window, uncovered and of the theme; the page never scrolls sideways.
 * Each feature in depth is in the other files.
 */
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { lessons } from '../../web/src/lessons/list'
import { calm, hardProblem, pixels, SMALL, visitor } from './browser'

const { arrive, visit } = visitor()

/** What a hand does differs by the size; what comes of it does not. */
class Hand {
  constructor(
    readonly page: Page,
    readonly phone: boolean,
    readonly dark: boolean,
  ) {}

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
    await expect.poll(async () => (await look()).over, { message: `what lies over ${target}` }).toBe('')
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

  /** What was opened is all there: within the window, uncovered, in the colours of the theme. */
  async whole(target: Locator): Promise<void> {
    await this.middle(target)
    const seen = await target.evaluate((node) => {
      const box = node.getBoundingClientRect()
      let ground = node
      while (/, 0\)$|transparent/.test(getComputedStyle(ground).backgroundColor) && ground.parentElement !== null)
        ground = ground.parentElement
      const [r = 0, g = 0, b = 0] = (getComputedStyle(ground).backgroundColor.match(/[\d.]+/g) ?? []).map(Number)
      return {
        inside: box.left >= -1 && box.top >= -1 && box.right <= innerWidth + 1 && box.bottom <= innerHeight + 1,
        wider: node.scrollWidth - node.clientWidth,
        dark: (r + g + b) / 3 < 128,
      }
    })
    expect(seen, String(target)).toEqual({ inside: true, wider: 0, dark: this.dark })
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
    await this.page.getByText(count).first().waitFor()
  }

  async run(): Promise<void> {
    await this.setup()
    await this.press(this.page.locator('.run-button'))
    await ended(this.page)
  }

  async example(title: RegExp): Promise<void> {
    await this.menu('Open', title)
    await ended(this.page)
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

/** Until a run has ended and can be played. */
const ended = (page: Page) => page.locator('.transport-button.play:not([disabled])').waitFor()

const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

interface Feature {
  name: string
  use(hand: Hand): Promise<void>
}

// ---- the page itself

const PAGE: Feature[] = [
  {
    name: 'the hint of a first visit, in three steps',
    async use(hand) {
      const { page } = hand
      expect(await page.locator('.hint-steps li > b').allTextContents()).toEqual([
        'What you see',
        'Play it',
        'Open your own',
      ])
      await hand.whole(page.locator('.tip'))
      await hand.button('Close the hint')
      await expect.poll(() => page.locator('.hint-steps').count()).toBe(0)
    },
  },
  {
    name: 'panels that are resized, shut and opened',
    async use(hand) {
      const { page } = hand
      if (!hand.phone) {
        const line = page.getByRole('separator', { name: 'Width of the setup' })
        const width = async () => Math.round((await page.locator('.left').boundingBox())?.width ?? 0)
        const before = await width()
        const at = await hand.middle(line)
        await hand.drag(at, { x: at.x + 40, y: at.y })
        await expect.poll(width).toBe(before + 40)
        await line.press('Enter')
        await page.locator('.run-button').waitFor({ state: 'hidden' })
        await line.press('Enter')
        await hand.middle(page.locator('.run-button'))
        return
      }
      const height = async (part: string) => (await page.locator(part).boundingBox())?.height ?? 0
      const handle = page.locator('.sheet-handle')
      const [sheet, canvas] = [await height('.sheet'), await height('.memory')]
      await hand.press(handle)
      await expect.poll(() => height('.sheet')).toBeGreaterThan(sheet + 100)
      await hand.press(handle)
      await expect.poll(() => height('.sheet')).toBe(sheet)
      const at = await hand.middle(handle)
      await hand.drag(at, { x: at.x, y: at.y + 80 })
      await expect.poll(() => height('.sheet')).toBe(64)
      // the canvas takes the room
      await expect.poll(() => height('.memory')).toBeGreaterThan(canvas + 60)
    },
  },
  {
    name: 'the load profile',
    async use(hand) {
      const { page } = hand
      await hand.middle(page.locator('.load'))
      const colours = await page
        .locator('.load canvas')
        .first()
        .evaluate((canvas: HTMLCanvasElement) => {
          const data = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? []
          return new Set(Array.from({ length: data.length / 4 }, (_, k) => data.slice(4 * k, 4 * k + 4).join())).size
        })
      expect(colours).toBeGreaterThan(3)
      if (hand.phone) await hand.view('Step')
    },
  },
  {
    name: 'mistakes in a text, by line, and the way out',
    async use(hand) {
      const { page } = hand
      const setup = await hand.setup()
      await hand.button('Paste', setup)
      await hand.fill(page.getByLabel('Buffer CSV'), 'id,lower,upper,size\na,0,4,3\nb,4,x,-1\n')
      await hand.button('Load', setup)
      await page.getByText('2 errors. Nothing was loaded.').waitFor()
      await hand.button('line 3', setup)
      await expect.poll(() => page.evaluate(() => getSelection()?.toString())).toBe('x')
      await hand.fill(page.getByLabel('Buffer CSV'), SMALL)
      await hand.button('Load', setup)
      await page.getByText('6 buffers').waitFor()
    },
  },
  {
    name: 'a finished run',
    async use(hand) {
      await hand.run()
      await hand.setup()
      await expect.poll(() => hand.page.locator('.section .outcome .pill').textContent()).toBe('Optimal')
      await hand.says('6 of 6 buffers placed')
    },
  },
  {
    name: 'a page without a problem, and one of its examples',
    async use(hand) {
      await hand.button('Clear', await hand.setup())
      await hand.whole(hand.page.locator('.first-page'))
      await hand.button('Open Five buffers')
      await ended(hand.page)
      await hand.says('of 5 buffers placed')
    },
  },
  {
    name: 'a run that is cancelled',
    async use(hand) {
      const { page } = hand
      await hand.load(hardProblem(), '60 buffers')
      await page.getByRole('combobox', { name: 'Solver' }).selectOption('minimalloc')
      for (const box of await page.locator('.checks input').all()) await box.uncheck()
      await hand.fill(page.getByLabel('Budget', { exact: true }), '0')
      await page.getByLabel('Budget', { exact: true }).press('Enter')
      await hand.press(page.locator('.run-button'))
      await page.getByText(/steps\/s/).waitFor()
      await hand.whole(page.locator('.running'))
      await hand.button(/^Cancel/, page.locator('.running'))
      await ended(page)
      await hand.setup()
      await expect.poll(() => page.locator('.section .outcome .pill').textContent()).toBe('Cancelled')
      await page.getByText('Feasible or not is still open.').first().waitFor()
    },
  },
]

// ---- the canvas

/** Where the minimap could be: a press there moves the view, anywhere else it pins at most. */
async function minimapMoves(hand: Hand): Promise<boolean> {
  const box = await hand.page.locator('.memory').boundingBox()
  if (box === null) throw new Error('there is no canvas')
  const xs = [box.x + 58 + 60, box.x + box.width - 14 - 60]
  const ys = [box.y + 30 + 40, box.y + box.height - 26 - 40]
  for (const x of xs)
    for (const y of ys) {
      await calm(hand.page)
      const before = (await pixels(hand.page))[0]
      if (hand.phone) await hand.page.touchscreen.tap(x, y)
      else await hand.page.mouse.click(x, y)
      await calm(hand.page)
      if ((await pixels(hand.page))[0] !== before) return (await hand.described()).includes('zoomed in')
    }
  return false
}

const CANVAS: Feature[] = [
  {
    name: 'another example',
    async use(hand) {
      await hand.example(/^Network/)
      await hand.says('of 400 buffers')
      const close = hand.page.getByRole('button', { name: 'Close the hint' })
      while ((await close.count()) > 0) await hand.press(close)
    },
  },
  {
    name: 'zoom, the minimap, and all of it again',
    async use(hand) {
      const middle = await hand.plate(0.5, 0.5)
      if (hand.phone) {
        const aside = (dx: number) => ({ x: middle.x + dx, y: middle.y })
        await hand.fingers([
          [aside(-20), aside(-90)],
          [aside(20), aside(90)],
        ])
      } else {
        await hand.page.mouse.move(middle.x, middle.y)
        await hand.page.mouse.wheel(0, -500)
      }
      await hand.says('zoomed in')
      expect(await minimapMoves(hand)).toBe(true)
      await hand.tool(hand.phone ? 'Show everything' : 'Fit')
      await expect.poll(() => hand.described()).not.toContain('zoomed in')
    },
  },
  {
    name: 'colours by another measure',
    async use(hand) {
      await calm(hand.page)
      const before = (await pixels(hand.page))[0]
      if (hand.phone) {
        await hand.tool('Colour')
        await hand.press(hand.page.getByRole('menuitemcheckbox', { name: 'Lifetime' }))
      } else await hand.page.getByLabel('Colour').selectOption('lifetime')
      await expect.poll(async () => (await pixels(hand.page))[0]).not.toBe(before)
    },
  },
  {
    name: 'the search by id',
    async use(hand) {
      await hand.tool('Find a buffer')
      await hand.fill(hand.page.getByLabel('Find by id'), 'op1?.weights')
      await hand.says('10 found')
      await hand.button('Next match')
      await hand.page.getByText('1 of 10').waitFor()
      await hand.says('pinned: op10.weights')
      await hand.fill(hand.page.getByLabel('Find by id'), '')
    },
  },
  {
    name: 'a brushed range of time',
    async use(hand) {
      await hand.drag(await hand.plate(0.25, -1), await hand.plate(0.6, -1))
      await hand.says('zoomed in')
      await hand.tool(hand.phone ? 'Show everything' : 'Fit')
      await expect.poll(() => hand.described()).not.toContain('zoomed in')
    },
  },
  {
    name: 'pins',
    async use(hand) {
      const { page } = hand
      await hand.view('Buffers')
      const rows = page.getByRole('grid', { name: 'Buffers' }).getByRole('row')
      await hand.press(rows.nth(1))
      await hand.says(/pinned: [^,]+(;|$)/)
      await hand.button('Pin several')
      await hand.press(rows.nth(3))
      await hand.says(/pinned: [^,]+, /)
      await page.locator('.pins').getByText('together').waitFor()
      await hand.button('Let go', page.locator('.pins'))
      await expect.poll(() => hand.described()).not.toContain('pinned')
      // a touch tells what it touched, as the pointer does
      const { x, y } = await hand.plate(0.5, 0.02)
      if (hand.phone) await page.touchscreen.tap(x, y)
      else await page.mouse.click(x, y)
      await hand.says('pinned: ')
      await page.locator('.tooltip-id').first().waitFor()
    },
  },
  {
    name: 'the ruler',
    async use(hand) {
      await hand.tool('Ruler')
      await calm(hand.page)
      const [data, over] = await pixels(hand.page)
      await hand.drag(await hand.plate(0.3, 0.2), await hand.plate(0.7, 0.7))
      await expect.poll(async () => (await pixels(hand.page))[1]).not.toBe(over)
      expect((await pixels(hand.page))[0]).toBe(data)
      if (hand.phone) await hand.button('Done')
      else await hand.tool('Ruler')
    },
  },
  {
    name: 'free blocks',
    async use(hand) {
      await hand.tool('Free blocks')
      await hand.says('free blocks shaded')
      if (hand.phone) await hand.button('Done')
      else await hand.tool('Free blocks')
      await expect.poll(() => hand.described()).not.toContain('free blocks')
    },
  },
  {
    name: 'every buffer by keyboard',
    async use(hand) {
      const grid = hand.page.getByRole('grid', { name: 'Buffers' })
      await grid.focus()
      await hand.page.keyboard.press('End')
      await hand.page.keyboard.press('Enter')
      await hand.says('pinned: op133')
    },
  },
]

// ---- watching a search

const panel = (page: Page) => page.getByRole('dialog', { name: 'Marks and stops' })

const WATCHING: Feature[] = [
  {
    name: 'a step in words, and what its rule says',
    async use(hand) {
      const { page } = hand
      await page.locator('.prose').getByText('lifts the floor of section').waitFor()
      await hand.press(page.locator('.rule-chip').first())
      await hand.whole(page.locator('.rule-tip:not([hidden])'))
      await hand.press(page.locator('.prose').first())
      await page.locator('.rule-tip:not([hidden])').waitFor({ state: 'detached' })
    },
  },
  {
    name: 'the tree',
    async use(hand) {
      const { page } = hand
      await hand.view('Tree')
      await hand.middle(page.locator('.tree-host'))
      await hand.press(page.getByRole('button', { name: 'List', exact: true }))
      await page.getByRole('treegrid').getByRole('row').nth(1).waitFor()
      await hand.press(page.getByRole('button', { name: 'List', exact: true }))
    },
  },
  {
    name: 'the counts',
    async use(hand) {
      await hand.view('Stats')
      await hand.page.getByText('Candidates skipped').waitFor()
      await hand.view('Step')
    },
  },
  {
    name: 'the transport',
    async use(hand) {
      await hand.button('Start')
      await expect.poll(() => hand.at()).toBe(0)
      await hand.button('Step')
      await expect.poll(() => hand.at()).toBe(1)
      await hand.button('Next backtrack')
      await hand.page.getByText('Taken back', { exact: true }).waitFor()
      const box = await hand.page.locator('.seismograph').boundingBox()
      if (box === null) throw new Error('there is no search')
      const y = box.y + box.height / 2
      const before = await hand.at()
      await hand.drag({ x: box.x + box.width * 0.3, y }, { x: box.x + box.width * 0.5, y })
      await expect.poll(() => hand.at()).not.toBe(before)
    },
  },
  {
    name: 'the speed',
    async use(hand) {
      if (hand.phone) await hand.press(hand.page.locator('.watch-button'))
      const slider = hand.page.getByRole('slider', { name: 'Speed' })
      await hand.middle(slider)
      await slider.fill('20')
      await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe('100 steps per second')
    },
  },
  {
    name: 'stops',
    async use(hand) {
      const { page } = hand
      await hand.step(0)
      const box = panel(page)
      if (!hand.phone) await hand.press(page.locator('.watch-button'))
      await hand.whole(box)
      await box.getByLabel('Stop when').selectOption({ label: 'Depth exceeds' })
      const field = box.locator('.stop-form input').last()
      await hand.fill(field, '3')
      await hand.button('Add', box)
      await hand.button('Play', page.getByRole('toolbar', { name: 'Transport' }))
      await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
      await expect.poll(() => hand.at()).toBe(5)
      await hand.press(box.getByRole('checkbox', { name: 'depth exceeds 3' }))
    },
  },
  {
    name: 'marks with notes, and play between them',
    async use(hand) {
      const { page } = hand
      const box = panel(page)
      await hand.button('Mark step 5', box)
      await hand.fill(box.getByLabel('Note on step 5'), 'here')
      await page.keyboard.press('Enter')
      await hand.step(9)
      await hand.button('Mark step 9', box)
      await hand.press(box.locator('.watch-row', { hasText: '5' }).getByRole('button', { name: 'from' }).first())
      await hand.press(box.locator('.watch-row', { hasText: '9' }).getByRole('button', { name: 'to', exact: true }))
      await box.getByLabel('Loop').uncheck()
      await hand.step(0)
      await hand.button('Play the range', box)
      await expect.poll(() => hand.at()).toBe(9)
      await hand.button('Close marks and stops')
    },
  },
  {
    name: 'hindsight',
    async use(hand) {
      await hand.step(6)
      await hand.button('Look for the wrong turn')
      await hand.page.getByText(/was the wrong turn|Nothing is lost here/).waitFor()
    },
  },
]

// ---- several runs

const COMPARING: Feature[] = [
  {
    name: 'up to four runs, under one playhead',
    async use(hand) {
      const { page } = hand
      await hand.header('Compare', 'Compare runs')
      for (const title of ['Greedy', 'Best fit online']) {
        await hand.button(/Add run/)
        await hand.press(page.getByRole('menuitem', { name: title }).first())
      }
      await expect.poll(() => page.locator('.lane-ended').count()).toBe(4)
      const ats = async () =>
        (await page.locator('.lane-foot > :first-child').allTextContents()).map(
          (text) => /step ([\d,]+)/.exec(text)?.[1],
        )
      await hand.button('Start')
      await hand.button('Step')
      await hand.button('Step')
      await expect.poll(ats).toEqual(['2', '2', '2', '2'])
    },
  },
  {
    name: 'the table of results, sorted and copied',
    async use(hand) {
      const { page } = hand
      await hand.press(page.getByRole('columnheader', { name: 'Steps' }).getByRole('button'))
      const sorted = async () => {
        const steps = (await page.locator('.data-table tbody tr > :nth-child(7)').allTextContents()).map(Number)
        return steps.every((count, k) => k === 0 || count >= (steps[k - 1] ?? 0))
      }
      await expect.poll(sorted).toBe(true)
      await hand.button('Copy CSV')
      await expect.poll(() => copied(page).then((text) => text.trim().split('\n').length)).toBe(5)
    },
  },
  {
    name: 'the capacity sweep',
    async use(hand) {
      const { page } = hand
      await hand.press(page.getByRole('tab', { name: 'Capacity sweep' }))
      await hand.fill(page.getByLabel('Capacities'), '3')
      await hand.button('Sweep')
      await page.getByText('12 runs.', { exact: true }).waitFor()
      await expect.poll(() => page.locator('.series .glyph').count()).toBe(12)
      await hand.middle(page.locator('.sweep-chart'))
    },
  },
  {
    name: 'the matrix of solvers and examples',
    async use(hand) {
      const { page } = hand
      await hand.press(page.getByRole('tab', { name: 'All examples' }))
      const boxes = page.getByRole('group', { name: 'Solvers' }).getByRole('checkbox')
      await boxes.first().waitFor()
      for (const box of await boxes.all())
        await box.setChecked((await box.evaluate((node) => node.closest('label')?.textContent)) === 'Greedy')
      await hand.fill(page.getByLabel('Budget'), '300')
      await hand.button('Run all')
      await page.getByText('20 runs.', { exact: true }).waitFor()
      await hand.press(page.getByRole('button', { name: /^Section bound, Greedy/ }))
      await page.locator('.memory').waitFor()
      await ended(page)
      await hand.setup()
      await expect.poll(() => page.getByRole('combobox', { name: 'Solver' }).inputValue()).toBe('greedy')
    },
  },
]

// ---- what is taken along

const TAKING: Feature[] = [
  {
    name: 'a link with marks and notes',
    async use(hand) {
      const { page } = hand
      await hand.step(8)
      await hand.press(page.locator('.watch-button'))
      await hand.button('Mark step 8')
      await hand.fill(page.getByLabel('Note on step 8'), 'look')
      await page.keyboard.press('Enter')
      await hand.button('Close marks and stops')
      await hand.button('Share')
      const dialog = page.getByRole('dialog', { name: 'Share' })
      await hand.whole(dialog)
      await hand.button('Copy link', dialog)
      await dialog.getByText('Copied.').waitFor()
      const link = await copied(page)
      await hand.closeDialog()
      const other = await visit(link.slice(link.indexOf('#')), {
        viewport: page.viewportSize() ?? { width: 1280, height: 720 },
        colorScheme: hand.dark ? 'dark' : 'light',
        ...(hand.phone ? PHONE : {}),
      })
      const there = new Hand(other, hand.phone, hand.dark)
      await there.setup()
      await other.getByText('Reproduced exactly').waitFor()
      await expect.poll(() => there.at()).toBe(8)
      await there.press(other.locator('.watch-button'))
      await expect.poll(() => other.getByLabel('Note on step 8').inputValue()).toBe('look')
      await other.close()
    },
  },
  {
    name: 'the embedded page and its snippet',
    async use(hand) {
      const { page } = hand
      await hand.button('Share')
      await hand.button('Copy code')
      await expect.poll(() => copied(page)).toMatch(/^<iframe src="[^"]+embed=1/)
      await hand.closeDialog()
      const src = (/ src="([^"]*)"/.exec(await copied(page))?.[1] ?? '').replaceAll('&amp;', '&')
      const inner = await visit(src.slice(src.indexOf('#')), {
        viewport: page.viewportSize() ?? { width: 1280, height: 720 },
        colorScheme: hand.dark ? 'dark' : 'light',
        ...(hand.phone ? PHONE : {}),
      })
      await inner.locator('.embed-told .prose').waitFor()
      await new Hand(inner, hand.phone, hand.dark).whole(inner.locator('.app'))
      await inner.close()
    },
  },
  {
    name: 'a search file, saved and opened',
    async use(hand) {
      const { page } = hand
      const file = await hand.download(() => hand.menu('Export', /^Search file/))
      expect(file.name).toMatch(/\.arenascope\.json$/)
      await hand.example(/^Five buffers/)
      const setup = await hand.setup()
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), hand.button('File…', setup)])
      await chooser.setFiles({ name: file.name, mimeType: 'application/json', buffer: file.bytes })
      await hand.setup()
      await page.getByText('Reproduced exactly').waitFor()
      await expect.poll(() => hand.at()).toBe(8)
    },
  },
  {
    name: 'the plan as CSV, JSON and C header',
    async use(hand) {
      const csv = await hand.download(() => hand.menu('Export', /^CSV with offsets/))
      expect(csv.text).toMatch(/^id,lower,upper,size.*offset/)
      const json = await hand.download(() => hand.menu('Export', /^JSON/))
      expect(JSON.parse(json.text).buffers.length).toBe(9)
      const header = await hand.download(() => hand.menu('Export', /^C header/))
      expect(header.text).toMatch(/#ifndef \w+[\s\S]+offset/i)
    },
  },
  {
    name: 'figures: SVG, PNG and TikZ',
    async use(hand) {
      const { page } = hand
      await hand.menu('Export', /^Figure/)
      const dialog = page.getByRole('dialog', { name: 'Export figure' })
      await hand.whole(dialog)
      expect((await hand.download(() => hand.button('Save SVG', dialog))).text).toContain('</svg>')
      expect((await hand.download(() => hand.button('Save TikZ', dialog))).text).toContain('\\end{tikzpicture}')
      const png = await hand.download(() => hand.button('Save PNG', dialog))
      expect(png.bytes.subarray(1, 4).toString()).toBe('PNG')
      await hand.closeDialog()
    },
  },
  {
    name: 'a film',
    async use(hand) {
      const { page } = hand
      await hand.menu('Export', /^Film/)
      const dialog = page.getByRole('dialog', { name: 'Export film' })
      await hand.whole(dialog)
      await hand.fill(dialog.getByLabel('Last step'), '2')
      await dialog.getByLabel('Last step').press('Enter')
      await dialog.getByLabel('Size').selectOption('854x480')
      const film = await hand.download(() => hand.button('Make film', dialog))
      expect(film.bytes.readUInt32BE(0)).toBe(0x1a45dfa3)
      await hand.closeDialog()
    },
  },
]

// ---- learning, making, coming back

const MAKING: Feature[] = [
  {
    name: 'twelve lessons, and an answer in one',
    async use(hand) {
      const { page } = hand
      await hand.header('Lessons', /^Lessons/)
      const dialog = page.getByRole('dialog', { name: 'Lessons' })
      await hand.whole(dialog)
      await expect.poll(() => dialog.locator('.contents-row').count()).toBe(12)
      expect(lessons.length).toBe(12)
      await hand.press(dialog.getByRole('button', { name: /Fragmentation and alignment/ }))
      await page.getByRole('heading', { name: 'A hole is not a place' }).waitFor()
      await hand.fill(page.locator('.ask').getByRole('textbox'), '6')
      await hand.button('Check', page.locator('.ask'))
      await page.locator('.ask-reply').getByText('Right.').waitFor()
      await hand.button('Leave the lesson')
      await page.locator('.lesson').waitFor({ state: 'detached' })
      await ended(page)
    },
  },
  {
    name: 'the map of keys',
    async use(hand) {
      const { page } = hand
      if (hand.phone) await hand.header('Help', 'Help')
      else await page.keyboard.press('?')
      const dialog = page.getByRole('dialog', { name: 'Help' })
      await hand.whole(dialog)
      await dialog.getByText('Next major backtrack').waitFor()
      await hand.closeDialog()
    },
  },
  {
    name: 'the palette of commands',
    async use(hand) {
      const { page } = hand
      if (hand.phone) await hand.header('Commands', /^Commands/)
      else await page.keyboard.press('Control+k')
      await hand.whole(page.getByRole('dialog', { name: 'Commands' }))
      await page.getByRole('combobox', { name: 'Command' }).fill('ten buf')
      await hand.press(page.getByRole('option', { name: /Ten buffers/ }).first())
      await ended(page)
      await hand.says('of 10 buffers')
    },
  },
  {
    name: 'an edit on the canvas, and its undoing',
    async use(hand) {
      const { page } = hand
      await hand.load('id,lower,upper,size\na,0,8,4\nb,0,8,4\n', '2 buffers')
      await hand.run()
      await hand.tool('Edit the buffers')
      if (!hand.phone) await hand.view('Buffers')
      await page.getByRole('grid', { name: 'Buffers, to edit' }).waitFor()
      const free = page.getByRole('button', { name: /^Fixed at of [ab]: none/ })
      await expect.poll(() => free.count()).toBe(2)
      await hand.says('2 of 2 buffers placed')
      // one of the two lies on the ground; a finger drags what is pinned
      const from = await hand.plate(0.5, 0.2)
      if (hand.phone) {
        await page.touchscreen.tap(from.x, from.y)
        await hand.says('pinned')
      }
      await hand.drag(from, { x: from.x, y: from.y - 40 })
      await expect.poll(() => free.count()).toBe(1)
      await hand.header('Undo', 'Undo')
      await expect.poll(() => free.count()).toBe(2)
    },
  },
  {
    name: 'an edit in the table',
    async use(hand) {
      const { page } = hand
      await hand.press(page.getByRole('button', { name: 'Size of b: 4' }))
      await page.keyboard.type('3')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Size of b: 3' }).waitFor()
      await hand.tool('Edit the buffers')
      await page.getByRole('grid', { name: 'Buffers', exact: true }).waitFor()
    },
  },
  {
    name: 'a random problem',
    async use(hand) {
      const { page } = hand
      await hand.button('Random…', await hand.setup())
      const dialog = page.getByRole('dialog', { name: 'Random problem' })
      await dialog.getByRole('radio').first().waitFor()
      await hand.whole(dialog)
      await hand.fill(dialog.getByRole('textbox', { name: 'Buffers' }), '12')
      await hand.button('Make and run', dialog)
      await dialog.waitFor({ state: 'detached' })
      await page.getByText('12 buffers').waitFor()
      await ended(page)
    },
  },
  {
    name: 'all of it again on the next visit, without a network',
    async use(hand) {
      const { page } = hand
      await hand.drag(await hand.plate(0.25, -1), await hand.plate(0.6, -1))
      await hand.says('zoomed in')
      await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
      await page.context().setOffline(true)
      await page.reload()
      await page.locator('.transport-button.play').waitFor()
      await hand.setup()
      await page.getByText('12 buffers').waitFor()
      await hand.says(/load of 12 buffers.*zoomed in/)
      await hand.button('Run the solver')
      await hand.says('of 12 buffers')
      await page.context().setOffline(false)
    },
  },
]

const PHONE = { isMobile: true, hasTouch: true }
const SIZES: [name: string, width: number, height: number][] = [
  ['1280 × 720', 1280, 720],
  ['1920 × 1080', 1920, 1080],
  ['a phone’s 390 × 844', 390, 844],
]
const PARTS: [string, Feature[]][] = [
  ['the page itself', PAGE],
  ['the canvas', CANVAS],
  ['watching', WATCHING],
  ['comparing', COMPARING],
  ['taking along', TAKING],
  ['learning and making', MAKING],
]

describe.each(SIZES)('at %s', (_, width, height) => {
  describe.each(['dark', 'light'] as const)('in the %s theme', (colorScheme) => {
    it.each(PARTS)('%s', async (_, features) => {
      const phone = width < 600
      const page = await arrive('', {
        viewport: { width, height },
        colorScheme,
        reducedMotion: 'reduce',
        permissions: ['clipboard-read', 'clipboard-write'],
        ...(phone ? PHONE : {}),
      })
      const hand = new Hand(page, phone, colorScheme === 'dark')
      for (const { name, use } of features) {
        try {
          await use(hand)
          expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 'wider').toBe(0)
        } catch (error) {
          throw new Error(`${name}: ${error instanceof Error ? error.message : error}`, { cause: error })
        }
      }
    })
  })
})
