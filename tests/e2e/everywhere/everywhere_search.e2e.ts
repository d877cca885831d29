/** Watching a search: at every size, in both themes. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { calm } from '../support/browser'
import { everywhere } from './everywhere'

const panel = (page: Page) => page.getByRole('dialog', { name: 'Marks and stops' })

everywhere([
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
      const charts = hand.page.getByRole('group', { name: 'Take the chart as' })
      const csv = await hand.download(() => hand.button('CSV', charts))
      expect(csv.text).toMatch(/^first_step,last_step,placed_least,placed_most,backtracks,major,discarded_/)
      expect((await hand.download(() => hand.button('SVG', charts))).text).toContain('Backtracks')
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
      // a phone has it on its sheet, too
      const slider = hand.page.getByRole('slider', { name: 'Speed' }).first()
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
      // what heeds stops comes with the first of them
      await calm(page)
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
])
