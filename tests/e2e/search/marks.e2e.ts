/** Marks, stops, ranges and hindsight in a real browser. Any error on the console fails the test. */
import { describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { calm, ended, goTo, linkOf, openExample, pixels, stepShown, visitor } from '../support/browser'

const { arrive } = visitor()

/** “Wrong gap”: TelaMalloc places b6 at step 3, tries b7 in vain at 9 and goes back at 10; b7 is placed at 11. */
async function wrongGap(): Promise<Page> {
  const page = await arrive()
  await openExample(page, 'Wrong gap')
  await expect.poll(() => stepShown(page)).toBe(10)
  return page
}

const panel = (page: Page) => page.getByRole('dialog', { name: 'Marks and stops' })
const openPanel = (page: Page) => page.locator('.watch-button').click()
const said = (page: Page) => page.locator('.transport [role=status]').last().textContent()

async function addStop(page: Page, what: string, value: string): Promise<void> {
  const box = panel(page)
  await box.getByLabel('Stop when').selectOption({ label: what })
  const field = box.locator('.stop-form').locator('input, select').last()
  if ((await field.evaluate((element) => element.tagName)) === 'SELECT') await field.selectOption({ label: value })
  else await field.fill(value)
  await box.getByRole('button', { name: 'Add', exact: true }).click()
}

async function playToStop(page: Page): Promise<number> {
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
  return stepShown(page)
}

describe('stops', () => {
  it('end the play at the first step that meets one, and can be jumped to both ways', async () => {
    const page = await wrongGap()
    await goTo(page, 0)
    await openPanel(page)
    await addStop(page, 'A buffer is placed', 'nobody')
    await panel(page).getByText('There is no buffer “nobody” in this problem.').waitFor()
    await addStop(page, 'A buffer is placed', 'b7')
    await addStop(page, 'A buffer is tried in vain', 'b7')
    await addStop(page, 'Depth exceeds', '6')
    await addStop(page, 'A step of a kind', 'Major backtrack')
    expect(await panel(page).locator('.watch-text').allTextContents()).toEqual([
      'b7 is placed',
      'b7 is tried in vain',
      'depth exceeds 6',
      'a major backtrack',
    ])
    await page.getByLabel('Speed').fill('60')
    const steps = []
    for (let k = 0; k < 6; k++) steps.push(await playToStop(page))
    // b7 is tried in vain at 4 and 9; deeper than 6 at 8 and once more after the jump back
    expect(steps.slice(0, 5)).toEqual([4, 8, 9, 10, 11])
    await goTo(page, 9)
    await panel(page).getByRole('button', { name: 'Find next' }).click()
    await expect.poll(() => stepShown(page)).toBe(10)
    await expect.poll(() => said(page)).toBe('Stopped: a major backtrack.')
    await panel(page).getByRole('button', { name: 'Find previous' }).click()
    await expect.poll(() => stepShown(page)).toBe(9)

    // what is off does not count, what is left is found by the key as well
    for (const words of ['b7 is tried in vain', 'a major backtrack', 'depth exceeds 6'])
      await panel(page).getByLabel(words, { exact: true }).uncheck()
    await page.keyboard.press('Escape')
    await panel(page).waitFor({ state: 'detached' })
    await page.keyboard.press('n')
    await expect.poll(() => stepShown(page)).toBe(11)
    await page.keyboard.press('n')
    await expect.poll(() => said(page)).toBe('No step after this one meets a stop.')
    expect(await stepShown(page)).toBe(11)
  })

  it('at a section are picked on the canvas, at a rule from what the search has', async () => {
    const page = await arrive()
    await openExample(page, 'Section bound')
    await openPanel(page)
    const box = panel(page)
    await box.getByLabel('Stop when').selectOption({ label: 'A section’s bound passes the capacity' })
    await box.getByRole('button', { name: 'Pick on the canvas' }).click()
    const strip = await page.locator('.load').boundingBox()
    if (strip === null) throw new Error('there is no load strip')
    const before = await box.getByLabel('Section').inputValue()
    await page.mouse.click(strip.x + 80, strip.y + strip.height / 2)
    await expect.poll(() => box.getByLabel('Section').inputValue()).toBe('0')
    // the section that the step shown speaks of
    expect(before).toBe('4')
    await box.getByLabel('Section').fill('1,000')
    await box.getByRole('button', { name: 'Add', exact: true }).click()
    await box.getByText(/^The sections go from 0 to \d+\.$/).waitFor()
    await addStop(page, 'A rule discards', 'section bound')
    await goTo(page, 0)
    await box.getByRole('button', { name: 'Find next' }).click()
    await expect.poll(() => said(page)).toBe('Stopped: the rule section bound discards.')
    expect(await stepShown(page)).toBeGreaterThan(0)
  })
})

describe('marks', () => {
  it('keep their notes as plain text, on the search, over a reload and in a link', async () => {
    const page = await wrongGap()
    await goTo(page, 3)
    await calm(page)
    const bare = await pixels(page, '.seismograph')
    await page.keyboard.press('m')
    await expect.poll(() => pixels(page, '.seismograph')).not.toEqual(bare)
    await openPanel(page)
    const note = '<b onclick="alert(1)">b6</b> is in the way, 漢字'
    await panel(page).getByLabel('Note on step 3').fill(note)
    await page.keyboard.press('Enter')
    await goTo(page, 8)
    await panel(page).getByRole('button', { name: 'Mark step 8' }).click()
    await panel(page).getByRole('button', { name: '3', exact: true }).click()
    await expect.poll(() => stepShown(page)).toBe(3)
    await addStop(page, 'Depth exceeds', '5')
    await panel(page).getByLabel('From').fill('2')
    await panel(page).getByRole('textbox', { name: 'to', exact: true }).fill('9')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await page.getByLabel('Say something (optional)').fill('Watch b6.')
    await page.getByRole('button', { name: 'Close', exact: true }).click()

    const there = await arrive(await linkOf(page))
    await expect.poll(() => stepShown(there)).toBe(3)
    // what was said is seen at once, and walked; the address follows
    const tour = there.getByRole('region', { name: 'Said along the way' })
    await tour.getByText('Watch b6.').waitFor()
    await tour.getByText('1 of 2').waitFor()
    await goTo(there, 8)
    await tour.getByRole('button', { name: 'Next' }).click()
    await tour.getByText(note).waitFor()
    await expect.poll(() => stepShown(there)).toBe(3)
    await goTo(there, 8)
    await expect.poll(() => new URL(there.url()).hash).toMatch(/&step=8$/)
    await goTo(there, 3)
    await expect.poll(() => new URL(there.url()).hash).not.toMatch(/step/)
    await tour.getByRole('button', { name: 'Close what was said' }).click()
    await tour.waitFor({ state: 'detached' })
    await openPanel(there)
    expect(await panel(there).getByLabel('Note on step 3').inputValue()).toBe(note)
    expect(await panel(there).getByLabel('Note on step 8').inputValue()).toBe('')
    expect(await panel(there).locator('.watch-text').allTextContents()).toEqual(['depth exceeds 5'])
    expect(await panel(there).getByLabel('From').inputValue()).toBe('2')

    await page.reload()
    await ended(page)
    await openPanel(page)
    expect(await panel(page).getByLabel('Note on step 3').inputValue()).toBe(note)
    // another search has none, and they come back with theirs
    await page.getByRole('combobox', { name: 'Solver' }).selectOption('minimalloc')
    await page.locator('.run-button').click()
    await panel(page).getByText('2 of other searches come back when those are run.').waitFor()
    await panel(page).getByRole('button', { name: 'Close marks and stops' }).click()
    await panel(page).waitFor({ state: 'detached' })
  })

  it('serve on a phone: marked, taken as ends of a range, played round', async () => {
    const page = await arrive('', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
    await openPanel(page)
    const box = panel(page)
    await box.getByRole('button', { name: /^Mark step/ }).tap()
    const step = Number(await box.locator('.watch-step').textContent())
    expect(step).toBeGreaterThan(1)
    await box.getByRole('button', { name: 'to', exact: true }).tap()
    const to = box.getByRole('textbox', { name: 'to', exact: true })
    await expect.poll(() => to.inputValue()).toBe(String(step))
    await box.getByRole('button', { name: 'Play the range' }).tap()
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    // once round: it was at the end, and is before it again
    const seen: number[] = []
    const at = async () => {
      const label = (await page.locator('.seismograph [role=img]').getAttribute('aria-label')) ?? ''
      seen.push(Number(/step ([\d,]+)/.exec(label)?.[1]))
      const end = seen.indexOf(step)
      return end >= 0 && seen.slice(end).some((s) => s < step)
    }
    await expect.poll(at, { interval: 30 }).toBe(true)
    expect(Math.max(...seen)).toBe(step)
    for (const control of await box.getByRole('button').all()) {
      const size = await control.boundingBox()
      expect(Math.min(size?.width ?? 0, size?.height ?? 0)).toBeGreaterThanOrEqual(44)
    }
  })
})

describe('a range', () => {
  it('is marked out with Shift, played within, and cleared by Escape', async () => {
    const page = await wrongGap()
    const strip = await page.locator('.seismograph').boundingBox()
    if (strip === null) throw new Error('there is no seismograph')
    const y = strip.y + 50
    await calm(page)
    const bare = await pixels(page, '.seismograph')
    await page.keyboard.down('Shift')
    await page.mouse.move(strip.x + strip.width * 0.3, y)
    await page.mouse.down()
    await page.mouse.move(strip.x + strip.width * 0.6, y, { steps: 5 })
    await page.mouse.up()
    await page.keyboard.up('Shift')
    expect(await stepShown(page)).toBe(10)
    await openPanel(page)
    const box = panel(page)
    const [from, to] = await Promise.all([
      box.getByLabel('From').inputValue().then(Number),
      box.getByRole('textbox', { name: 'to', exact: true }).inputValue().then(Number),
    ])
    expect(from).toBeGreaterThan(1)
    expect(to).toBeGreaterThan(from)
    expect(to).toBeLessThan(18)
    await box.getByLabel('Loop').uncheck()
    await box.getByRole('button', { name: 'Play the range' }).click()
    await expect.poll(() => stepShown(page)).toBe(to)
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await goTo(page, 10)
    await page.mouse.move(0, 0)
    await calm(page)
    expect(await pixels(page, '.seismograph')).not.toEqual(bare)
    await page.keyboard.press('Escape')
    await expect.poll(() => pixels(page, '.seismograph')).toEqual(bare)
  })
})

describe('hindsight', () => {
  it('finds the wrong turn of the path that failed, goes there, and marks what came after it', async () => {
    const page = await wrongGap()
    await page.getByRole('button', { name: 'Look for the wrong turn' }).click()
    const part = page.getByRole('region', { name: 'Hindsight' })
    await part.getByText(/^Level 3 was the wrong turn: with b6 at 3 no plan within 8 is left/).waitFor()
    await part.getByRole('button', { name: 'Go to the wrong turn' }).click()
    await expect.poll(() => stepShown(page)).toBe(3)
    await goTo(page, 8)
    await calm(page)
    const stack = page.getByRole('grid', { name: 'Decision stack' })
    const fates = () => stack.locator('.level-fate').evaluateAll((all) => all.map((one) => one.textContent))
    expect(await fates()).toEqual(['×', '×', '×', '×', '×', '✓', '✓'])
    const marked = await pixels(page)
    // past the jump back the path is another one: what is not known there is said to be unknown, and asked when it is wished
    await goTo(page, 13)
    expect((await fates()).slice(-3)).toEqual(['?', '✓', '✓'])
    await part.getByLabel('at every step').check()
    await expect.poll(fates).toEqual(['✓', '✓', '✓', '✓', '✓'])
    await part.getByText(/^Nothing is lost here/).waitFor()
    await part.getByLabel('at every step').uncheck()
    await goTo(page, 8)
    await calm(page)
    expect(await pixels(page)).not.toEqual(marked)
  })

  it('blames no decision where nothing fits at all', async () => {
    const page = await arrive()
    await openExample(page, 'Infeasible')
    await goTo(page, 2)
    await page.getByRole('button', { name: 'Look for the wrong turn' }).click()
    await page.getByText('Nothing fits this capacity at all: no decision is to blame.').waitFor()
    expect(await page.getByRole('button', { name: 'Go to the wrong turn' }).count()).toBe(0)
  })
})
