/** Several runs: at every size, in both themes. */
import { expect } from 'vitest'
import { EXAMPLES } from '../support/browser'
import { everywhere } from './everywhere'
import { copied, type Hand, playable } from '../support/user_input'

/** The chart as each of its files. */
async function taken(hand: Hand, title: string): Promise<{ svg: string; csv: string }> {
  const group = hand.page.getByRole('group', { name: 'Take the chart as' })
  const file = (name: string) => hand.download(() => hand.button(name, group))
  const [svg, png, tikz, csv] = [await file('SVG'), await file('PNG'), await file('TikZ'), await file('CSV')]
  expect(svg.text).toContain(`<title`)
  expect(svg.text).toContain(title)
  expect(png.bytes.subarray(1, 4).toString()).toBe('PNG')
  expect(tikz.text).toContain('\\end{tikzpicture}')
  return { svg: svg.text, csv: csv.text }
}

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
      await page.getByRole('columnheader', { name: 'Time, bars on a log scale' }).waitFor()
      await taken(hand, 'Results')
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
      const files = await taken(hand, 'Steps over capacity')
      expect(files.svg).toContain('steps, log')
      expect(files.csv.split('\n').length).toBe(14)
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
      await page.getByRole('button', { name: /^Section bound, Greedy: \w+ optimal$/ }).waitFor()
      await page
        .locator('tfoot')
        .getByText(/^\d+ of 22$/)
        .waitFor()
      const files = await taken(hand, 'Solvers on all examples')
      for (const words of ['optimal', 'At the lower bound']) expect(files.svg).toContain(words)
      await hand.press(page.getByRole('button', { name: /^Section bound, Greedy/ }))
      await page.locator('.memory').waitFor()
      await playable(page)
      await hand.setup()
      await expect.poll(() => page.getByRole('combobox', { name: 'Solver' }).inputValue()).toBe('greedy')
    },
  },
])
