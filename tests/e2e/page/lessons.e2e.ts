/** Every lesson played through in a real browser: a wrong answer, then the right one, and on. Any error on the console fails the test. */
import { describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import type { Ask } from '../../../web/src/lessons/lesson'
import { lessons } from '../../../web/src/lessons/list'
import { EXPECTED } from '../../web/lesson/lessons_expected'
import { violations, WCAG } from '../support/axe'
import { calm, ended, goTo, load, runIt, SMALL, stepShown, visitor } from '../support/browser'

const { visit, arrive } = visitor()
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

const card = (page: Page) => page.locator('.ask')
const reply = (page: Page) => page.locator('.ask-reply')

async function says(page: Page, word: 'Right.' | 'Not yet.'): Promise<void> {
  await reply(page).getByText(word).waitFor()
}

async function check(page: Page): Promise<void> {
  await card(page).getByRole('button', { name: 'Check', exact: true }).click()
}

async function type(page: Page, value: number): Promise<void> {
  await card(page).getByRole('textbox').fill(String(value))
  await check(page)
}

/** Chooses one of the names or sentences on offer. */
async function choose(page: Page, right: string[], wrong: boolean): Promise<void> {
  const all = card(page).locator('.answer, .chip')
  await all.first().waitFor()
  const texts = (await all.allTextContents()).map((text) => text.trim())
  const index = texts.findIndex((text) => right.includes(text) !== wrong)
  expect(index, texts.join(' | ')).toBeGreaterThanOrEqual(0)
  await all.nth(index).click()
}

interface Wish {
  order?: string[]
  bricks?: Record<string, number>
  capacity?: number
  options?: Record<string, string>
  at?: number
}

/** Down the lattice, set by set. */
async function walk(page: Page, order: string[]): Promise<void> {
  for (let k = 0; k <= order.length; k++) {
    const names = order.slice(0, k).sort().join(' ') || 'nothing placed'
    await page.getByRole('button', { name: new RegExp(`^${names}(, reached in|$)`) }).click()
  }
}

/** Makes it so by hand. */
async function perform(page: Page, { order, bricks, capacity, options, at }: Wish): Promise<void> {
  const back = card(page).getByRole('button', { name: 'Take back' })
  if (order !== undefined) {
    while (await back.isVisible()) await back.click()
    const nodes = page.locator('.lattice')
    if ((await nodes.count()) > 0) await walk(page, order)
    else
      for (const id of order)
        await card(page)
          .locator('.chip', { hasText: new RegExp(`^${id}at`) })
          .click()
  }
  for (const [id, to] of Object.entries(bricks ?? {})) await card(page).getByLabel(`Offset of ${id}`).fill(String(to))
  if (capacity !== undefined) await card(page).getByRole('slider').fill(String(capacity))
  for (const [, value] of Object.entries(options ?? {})) {
    const box = card(page).getByRole('checkbox')
    if (value === 'true' || value === 'false') await box.setChecked(value === 'true')
    else await card(page).getByRole('combobox').selectOption(value)
  }
  if (at === undefined) return
  await page.locator('.step-field input').fill(String(at))
  await page.locator('.step-field input').press('Enter')
}

async function answer(page: Page, ask: Ask, right: unknown): Promise<void> {
  if (ask.kind === 'number') {
    await type(page, (right as number) + 1)
    await says(page, 'Not yet.')
    await type(page, right as number)
  } else if (ask.kind === 'do') {
    await check(page)
    await says(page, 'Not yet.')
    // what the step itself sets has no knob
    const { options = {}, ...wish } = right as Wish
    const knobs = ask.knobs.flatMap((knob) => (knob.kind === 'option' ? [knob.name] : []))
    const own = Object.entries(options).filter(([name]) => knobs.includes(name))
    await perform(page, { ...wish, options: Object.fromEntries(own) })
    // what was changed is run first
    await expect
      .poll(async () => {
        await check(page)
        return (await reply(page).textContent()) ?? ''
      })
      .toMatch(/^Right\./)
  } else {
    const rights = Array.isArray(right) ? (right as string[]) : [right as string]
    await choose(page, rights, true)
    await says(page, 'Not yet.')
    await choose(page, rights, false)
  }
  await says(page, 'Right.')
}

const place = (page: Page) => page.evaluate(() => location.hash)

describe('played through', () => {
  it('from the first step of the first lesson to the last', async () => {
    const page = await visit('#lesson=1')
    for (const [k, lesson] of lessons.entries()) {
      for (const [at, step] of lesson.steps.entries()) {
        await page.getByRole('heading', { name: step.title, exact: true }).waitFor()
        expect(await page.locator('.lesson-page').textContent()).not.toMatch(/undefined|NaN|[{}]/)
        const expected = EXPECTED[`${lesson.id}/${at + 1}`]
        if (step.ask !== undefined) await answer(page, step.ask, expected?.answer)
        const last = at + 1 === lesson.steps.length
        await page.getByRole('button', { name: last ? 'Finish' : 'Next', exact: true }).click()
      }
      await page.getByText(lesson.gained).waitFor()
      await page.getByText(`${k + 1} of ${lessons.length}`).waitFor()
      const name = k + 1 < lessons.length ? 'Next lesson' : 'Workbench'
      await page.getByRole('button', { name, exact: true }).click()
    }
    await page.locator('.lesson').waitFor({ state: 'detached' })
    expect(await place(page)).toBe('')
    await page.getByRole('button', { name: 'Lessons' }).click()
    await expect.poll(() => page.locator('.contents-done').count()).toBe(lessons.length)
  })
})

describe('the reader’s own', () => {
  it('problem, run, step and settings come back as they were, also after a reload within the lesson', async () => {
    const page = await arrive('')
    await load(page, SMALL)
    await page.getByText('6 buffers').waitFor()
    await page.getByRole('textbox', { name: 'Capacity' }).fill('13')
    await page.getByRole('textbox', { name: 'Capacity' }).press('Enter')
    await runIt(page)
    await goTo(page, 3)
    const seen = () =>
      page.evaluate(() => [
        document.querySelector('.prose')?.textContent,
        document.querySelector<HTMLInputElement>('.step-field input')?.value,
        document.querySelector('.placed')?.textContent,
        ...[...document.querySelectorAll<HTMLInputElement>('#setup input')].map((input) => input.value),
      ])
    const before = await seen()
    await page.getByRole('button', { name: 'Lessons', exact: true }).click()
    await page.getByRole('button', { name: /Greedy orders/ }).click()
    await page.getByRole('heading', { name: 'Two questions' }).waitFor()
    await expect.poll(() => place(page)).toBe('#lesson=greedy')
    await page.getByRole('button', { name: 'Leave the lesson' }).click()
    await ended(page)
    expect(await seen()).toEqual(before)
    // the browser's own way back leads into the lesson again, and out of it
    await page.goBack()
    await page.getByRole('heading', { name: 'Two questions' }).waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Leave the lesson' }).waitFor({ state: 'detached' })
    expect(await seen()).toEqual(before)
    // the worker still has the run
    await goTo(page, 4)
    expect(await place(page)).toBe('')
    await page.getByRole('button', { name: 'Lessons', exact: true }).click()
    await page.getByRole('button', { name: 'Go on with “Greedy orders, and why they fail”' }).click()
    await page.getByRole('heading', { name: 'Two questions' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Two questions' }).waitFor()
    await page.getByRole('button', { name: 'Leave the lesson' }).click()
    await page.getByText('6 buffers').waitFor()
    expect(await page.getByRole('textbox', { name: 'Capacity' }).inputValue()).toBe('13')
    // a run that took no time is made again, and the step is the one that was left
    await ended(page)
    await expect.poll(async () => (await seen())[1]).toBe('4')
  })

  it('gets the page as soon as something else is opened', async () => {
    const page = await visit('#lesson=load/3')
    await page.getByRole('heading', { name: 'Below the bound' }).waitFor()
    await page.evaluate((text) => {
      const data = new DataTransfer()
      data.setData('text/plain', text)
      window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }))
    }, SMALL)
    await page.locator('.lesson').waitFor({ state: 'detached' })
    await page.getByText('6 buffers').waitFor()
    // a link that names no lesson says so and changes nothing
    await page.evaluate(() => {
      location.hash = '#lesson=none'
    })
    await page.getByText('It names a lesson that this version does not have.').waitFor()
    expect(await page.locator('.lesson').count()).toBe(0)
    await page.getByText('6 buffers').waitFor()
  })
})

describe('a lesson', () => {
  it('is answered with keys, on the canvas, or shown after two wrong answers, and opens in the workbench', async () => {
    const page = await visit('#lesson=static-allocation/2')
    await page.getByRole('heading', { name: 'Never the same byte at the same time' }).waitFor()
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
    await expect.poll(focused).toBe('Never the same byte at the same time')
    await card(page).getByRole('textbox').focus()
    await page.keyboard.type('13')
    await page.keyboard.press('Enter')
    await says(page, 'Right.')
    await expect.poll(focused).toBe('Next')
    await page.keyboard.press('Enter')
    await expect.poll(focused).toBe('Who may share')
    expect(await place(page)).toBe('#lesson=static-allocation/3')
    await page.getByText('4 of 4 placed').waitFor()
    const box = await page.locator('.memory').boundingBox()
    // the lower right corner: the last buffer lies there
    await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) * 0.9, (box?.y ?? 0) + (box?.height ?? 0) - 60)
    await says(page, 'Right.')
    await page.getByRole('button', { name: 'Next', exact: true }).click()
    await page.getByRole('heading', { name: 'Your turn' }).waitFor()
    const show = page.getByRole('button', { name: 'Show me' })
    await check(page)
    expect(await show.count()).toBe(0)
    await check(page)
    await show.click()
    await page.getByText('4 of 4 placed').waitFor()
    await page.evaluate(() => {
      location.hash = '#lesson=greedy/2'
    })
    await page.getByRole('heading', { name: 'Too high' }).waitFor()
    await page.locator('.transport-button.play:not([disabled])').waitFor()
    await page.getByRole('button', { name: 'Open in workbench' }).click()
    await ended(page)
    await page.locator('.run-button').waitFor()
    await expect.poll(() => stepShown(page)).toBe(0)
    expect(await page.getByRole('combobox', { name: 'Solver' }).inputValue()).toBe('greedy')
  })

  it('works on a phone, with nothing too small to touch', async () => {
    const page = await visit('#lesson=fragmentation', PHONE)
    await page.getByRole('heading', { name: 'A hole is not a place' }).waitFor()
    await card(page).getByRole('textbox').fill('6')
    await card(page).getByRole('button', { name: 'Check' }).tap()
    await says(page, 'Right.')
    const small = await page.evaluate(() =>
      [
        ...document.querySelectorAll<HTMLElement>(
          '.ask button:not(.ref), .lesson-turn button, .transport-button, .ask input',
        ),
      ]
        .map((one) => one.getBoundingClientRect())
        .filter((box) => box.width > 0 && box.height < 44)
        .map((box) => `${box.width} ${box.height}`),
    )
    expect(small).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await page.getByRole('button', { name: 'Next', exact: true }).tap()
    await page.getByRole('heading', { name: 'Moved is mended' }).waitFor()
    await page.getByRole('button', { name: 'Leave the lesson' }).tap()
    await page.locator('.tab-bar').waitFor()
  })

  it('has no fault that axe finds, in both themes', async () => {
    const page = await visit('#lesson=greedy/3', { colorScheme: 'dark' })
    await page.getByText('Height of each plan').waitFor()
    await check(page)
    await says(page, 'Not yet.')
    const audit = () => violations(page, WCAG)
    expect(await audit()).toEqual([])
    // as the browser itself tells it, so that the style sheets hear of it, too
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('light')
    await calm(page)
    expect(await audit()).toEqual([])
    await page.getByRole('button', { name: 'Lessons', exact: true }).click()
    await page.locator('.contents-row').first().waitFor()
    expect(await audit()).toEqual([])
  })
})
