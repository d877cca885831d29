/** The canvas: at every size, in both themes. */
import { expect } from 'vitest'
import { calm, pixels } from '../support/browser'
import { everywhere } from './everywhere'
import type { Hand } from '../support/user_input'

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

everywhere([
  {
    name: 'another example',
    async use(hand) {
      await hand.example(/^Network/)
      await hand.says('of 400 buffers')
      const close = hand.page.getByRole('button', { name: 'Close the hint' })
      while ((await close.count()) > 0) {
        await hand.press(close)
        // a tap's click comes after it
        await calm(hand.page)
      }
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
      // where the rows are pressed, they must have come to rest
      await calm(page)
      // by its text: a list that scrolls to show a row has other rows at that place
      const name = (await rows.nth(3).locator('> *').first().textContent()) ?? ''
      await hand.press(rows.filter({ hasText: name }).first())
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
])
