/** Learning, making, coming back: at every size, in both themes. */
import { expect } from 'vitest'
import { lessons } from '../../../web/src/lessons/list'
import { everywhere, type Feature } from './everywhere'
import { calm } from '../support/browser'
import { copied, playable } from '../support/user_input'

const features: Feature[] = [
  {
    name: 'all lessons, and an answer in one',
    async use(hand) {
      const { page } = hand
      await hand.header('Lessons', /^Lessons/)
      const dialog = await hand.dialog('Lessons')
      await expect.poll(() => dialog.locator('.contents-row').count()).toBe(lessons.length)
      await hand.press(dialog.getByRole('button', { name: /Fragmentation and alignment/ }))
      await page.getByRole('heading', { name: 'A hole is not a place' }).waitFor()
      await hand.fill(page.locator('.ask').getByRole('textbox'), '6')
      await hand.button('Check', page.locator('.ask'))
      await page.locator('.ask-reply').getByText('Right.').waitFor()
      await hand.button('Leave the lesson')
      await page.locator('.lesson').waitFor({ state: 'detached' })
      await playable(page)
    },
  },
  {
    name: 'the map of keys',
    async use(hand) {
      const { page } = hand
      if (hand.phone) await hand.header('Help', 'Help')
      else await page.keyboard.press('?')
      const dialog = await hand.dialog('Help')
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
      await hand.dialog('Commands')
      await page.getByRole('combobox', { name: 'Command' }).fill('ten buf')
      await hand.press(page.getByRole('option', { name: /Ten buffers/ }).first())
      await playable(page)
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
      await calm(page)
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
    name: 'a model that does not fit: what can be done, and the chips it fits',
    async use(hand) {
      const { page } = hand
      await hand.menu('Open', /^Models/)
      await hand.press(page.getByRole('button', { name: 'Open MobileNet v2', exact: true }))
      const setup = await hand.setup()
      await setup.getByText('171 tensors, 64 operators').waitFor()
      await playable(page)
      await hand.fill(setup.getByLabel('Capacity', { exact: true }).first(), '1 MiB')
      await page.keyboard.press('Enter')
      await hand.view('Model')
      const missing = page.locator('.fact', { hasText: 'Missing' })
      await missing.getByText('446 KiB').waitFor()
      // 112 × 112 × 96 bytes of the expansion are never whole, and the smaller picture asks for half
      const lever = page.locator('.lever', { hasText: 'Split block2.0.expand to block2.0.project in two, by rows' })
      await lever.getByText('955.5 KiB').waitFor()
      await lever.getByText('fits').waitFor()
      await page.locator('.lever', { hasText: 'Input 160 × 160 instead of 224 × 224' }).getByText('750 KiB').waitFor()
      await hand.press(lever.getByRole('button', { name: /^Apply/ }))
      await page.locator('.fact', { hasText: 'To spare' }).getByText('68.5 KiB').waitFor()
      await playable(page)
      await hand.header('Undo', 'Undo')
      await missing.getByText('446 KiB').waitFor()

      await hand.button('Which chips does it fit?')
      const dialog = await hand.dialog('Which chips does it fit?')
      await dialog.getByText(/^Fits \d+ of 85\. The smallest that does: /).waitFor()
      await hand.fill(dialog.getByRole('searchbox', { name: 'Find a profile' }), 'STM32H743')
      await dialog.getByText('misses by 446 KiB').waitFor()
      await hand.button('Copy CSV', dialog)
      await dialog.getByText('Copied.').waitFor()
      expect(await copied(page)).toMatch(
        /^chip,vendor,room_bytes,needs_bytes,known,fit,spare_bytes\n.*,1048576,1505280,proven,misses,-456704$/m,
      )
      await hand.button('Copy link', dialog)
      await dialog.getByText('Link copied.').waitFor()
      const there = await hand.elsewhere(await copied(page))
      await there.page
        .getByRole('dialog', { name: 'Which chips does it fit?' })
        .getByText(/^Fits \d+ of 85/)
        .waitFor()
      await hand.closeDialog()
    },
  },
  {
    name: 'a random problem',
    async use(hand) {
      const { page } = hand
      await hand.button('Random…', await hand.setup())
      await page.getByRole('radio').first().waitFor()
      const dialog = await hand.dialog('Random problem')
      await hand.fill(dialog.getByRole('textbox', { name: 'Buffers' }), '12')
      await hand.button('Make and run', dialog)
      await dialog.waitFor({ state: 'detached' })
      await page.getByText('12 buffers').waitFor()
      await playable(page)
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
      // its search took no time, and is made again
      await hand.says(/12 of 12 buffers placed.*zoomed in/)
      await page.context().setOffline(false)
    },
  },
]

everywhere(features, { kept: true })
