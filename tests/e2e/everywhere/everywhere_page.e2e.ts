/** The page itself: at every size, in both themes. */
import { expect } from 'vitest'
import { hardProblem, SMALL, unfold } from '../support/browser'
import { everywhere } from './everywhere'
import { playable } from '../support/user_input'

everywhere([
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
    name: 'a text in other words and units, and what was assumed of it',
    async use(hand) {
      const { page } = hand
      const setup = await hand.setup()
      await hand.button('Paste', setup)
      await hand.fill(page.getByLabel('Buffer CSV'), 'name;start;end;bytes\na;0;3;0x10\nb;2;5;1 KiB\n')
      await hand.button('Load', setup)
      await page.locator('.prose', { hasText: 'Every buffer is placed' }).first().waitFor()
      await hand.setup()
      await setup.getByText(/column name taken as id.*inclusive, 1 was added.*hexadecimal numbers and units/).waitFor()
      await hand.button('Read the end as exclusive', setup)
      await setup.getByText(/column end: exclusive/).waitFor()
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
      await page.getByText('6 buffers').waitFor({ state: hand.phone ? 'detached' : 'visible' })
      // it is answered at once, on the sheet that tells it
      await page.locator('.prose', { hasText: 'Every buffer is placed' }).first().waitFor()
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
      await playable(hand.page)
      await hand.says('of 5 buffers placed')
    },
  },
  {
    name: 'a run that is cancelled',
    async use(hand) {
      const { page } = hand
      await hand.load(hardProblem(), '60 buffers')
      await hand.setup()
      await page.getByRole('combobox', { name: 'Solver' }).selectOption('minimalloc')
      await unfold(page)
      for (const box of await page.locator('.checks input').all()) await box.uncheck()
      await hand.fill(page.getByLabel('Budget', { exact: true }), '0')
      await page.getByLabel('Budget', { exact: true }).press('Enter')
      await hand.press(page.locator('.run-button'))
      await page.getByText(/steps\/s/).waitFor()
      await hand.whole(page.locator('.running'))
      await hand.button(/^Cancel/, page.locator('.running'))
      await playable(page)
      await hand.setup()
      await expect.poll(() => page.locator('.section .outcome .pill').textContent()).toBe('Cancelled')
      await page.getByText(/^Undecided: /).waitFor()
    },
  },
])
