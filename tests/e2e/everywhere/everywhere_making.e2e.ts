/** Learning, making, coming back: at every size, in both themes. */
import { expect } from 'vitest'
import { lessons } from '../../../web/src/lessons/list'
import { everywhere } from './everywhere'
import { playable } from '../support/user_input'

everywhere([
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
      await hand.says(/load of 12 buffers.*zoomed in/)
      await hand.button('Run the solver')
      await hand.says('of 12 buffers')
      await page.context().setOffline(false)
    },
  },
])
