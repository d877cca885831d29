/** Several runs: at every size, in both themes. */
import { expect } from 'vitest'
import { EXAMPLES } from '../support/browser'
import { everywhere } from './everywhere'
import { copied, playable } from '../support/user_input'

everywhere([
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
      await page.getByText(`${EXAMPLES} runs.`, { exact: true }).waitFor()
      await hand.press(page.getByRole('button', { name: /^Section bound, Greedy/ }))
      await page.locator('.memory').waitFor()
      await playable(page)
      await hand.setup()
      await expect.poll(() => page.getByRole('combobox', { name: 'Solver' }).inputValue()).toBe('greedy')
    },
  },
])
