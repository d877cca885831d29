/** The exact solver in a real browser: its steps, why nothing fits, the least height. Any error on the console fails the test. */
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import {
  calm,
  ended,
  goTo,
  linkOf,
  load,
  openExample,
  outcome,
  pixels,
  runIt,
  SMALL,
  stepShown,
  totalSteps,
  visitor,
} from '../support/browser'

const { arrive: visit, stay } = visitor()

const whyNot = (page: Page) => page.getByRole('button', { name: 'Why not?', exact: true }).click()
const listed = (page: Page) => page.getByRole('list', { name: 'Buffers that alone do not fit' })

describe('the exact solver', () => {
  it('is the first of the table, and solves what one brings', async () => {
    const page = await stay()
    await load(page, SMALL)
    await page.getByText('6 buffers').waitFor()
    expect(await page.getByRole('combobox', { name: 'Solver' }).inputValue()).toBe('exact')
    await runIt(page)
    expect(await outcome(page)).toBe('Optimal')
    await page.locator('.code-active').waitFor()
  })

  it('tells each of its steps, in words that know what they speak of', async () => {
    const page = await stay()
    await openExample(page, 'Backjump')
    await expect.poll(() => stepShown(page)).toBe(16)
    await page.locator('.prose').getByText('levels are taken back').waitFor()
    const total = await totalSteps(page)
    const told: string[] = []
    for (let step = 0; step <= total; step++) {
      await goTo(page, step)
      told.push((await page.locator('.prose').first().textContent()) ?? '')
    }
    expect(told.join('\n')).not.toMatch(/undefined|NaN|\?\?/)
    expect(told[1]).toContain('10WATKR')
    expect(told.filter((words) => /on its floor, at/.test(words)).length).toBeGreaterThan(10)
    expect(told.some((words) => /from where it may begin, is impossible/.test(words))).toBe(true)
    expect(told[16]).toMatch(/skipped: the conflict holds without/)
  })

  it('draws the question of a step, and a conflict', async () => {
    const page = await stay()
    await openExample(page, 'Backjump')
    const seen = new Set<string>()
    for (const step of [0, 2, 15, 16]) {
      await goTo(page, step)
      await calm(page)
      seen.add((await pixels(page)).join())
    }
    expect(seen.size).toBe(4)
  })
})

describe('why not', () => {
  it('names the buffers that alone do not fit, outlines them, and opens only these', async () => {
    const page = await stay()
    await openExample(page, 'Why not')
    expect(await outcome(page)).toBe('Infeasible')
    await calm(page)
    const before = await pixels(page)
    await whyNot(page)
    await page.getByText('Irreducible', { exact: true }).waitFor()
    await page.getByText('without any one of these the rest fits').waitFor()
    const ids = await listed(page).locator('button span:first-child').allTextContents()
    expect(ids.toSorted()).toEqual(['t12', 't13', 't14', 't15', 't17', 't18', 't19'])
    await page.mouse.move(2, 2)
    await calm(page)
    const outlined = await pixels(page)
    expect(outlined).not.toEqual(before)
    await page.getByLabel('Outline them on the canvas').uncheck()
    await calm(page)
    expect(await pixels(page)).not.toEqual(outlined)
    // certificates: of the run, and of these
    const certificates = page.getByRole('button', { name: 'Certificate', exact: true })
    expect(await certificates.count()).toBe(2)
    await certificates.first().click()
    await page.getByText('no plan is within 15').waitFor()
    await page.getByText('Checked', { exact: true }).waitFor()
    await certificates.click()
    await page.getByText(', and its buffers as CSV').waitFor()
    const files: Promise<string>[] = []
    page.on('download', (file) => files.push(file.path().then((path) => readFile(path, 'utf8'))))
    await page.getByRole('button', { name: 'Save the certificate' }).click()
    await expect.poll(() => files.length).toBe(2)
    const [csv, proof] = (await Promise.all(files)).toSorted(
      (a, b) => Number(b.startsWith('id,')) - Number(a.startsWith('id,')),
    )
    expect(csv?.trim().split('\n')).toHaveLength(8)
    expect(proof).toMatch(/^arenascope-proof 1\nbuffers 7\n[\s\S]*\nnone 15 L\d+\n$/)
    await page.getByRole('button', { name: 'Only these' }).click()
    await page.getByText('A part of 32 buffers.').waitFor()
    await page.getByText('7 buffers, 6 sections').waitFor()
    await ended(page)
    expect(await outcome(page)).toBe('Infeasible')
    await page.reload()
    await page.getByText('A part of 32 buffers.').waitFor()
    await page.getByRole('button', { name: 'Back to all' }).click()
    await page.getByText('32 buffers, 31 sections').waitFor()
    expect(await page.getByText('A part of').count()).toBe(0)
    expect(await page.getByRole('textbox', { name: 'Capacity' }).inputValue()).toBe('15')
  })

  it('keeps what stands in the editor', async () => {
    const page = await stay()
    await openExample(page, 'Why not')
    await page.locator('#setup').getByRole('button', { name: 'Paste', exact: true }).click()
    await page.getByLabel('Buffer CSV').fill('half typed')
    await whyNot(page)
    await page.getByText('Irreducible', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Only these' }).click()
    await page.getByText('A part of 32 buffers.').waitFor()
    expect(await page.getByLabel('Buffer CSV').inputValue()).toBe('half typed')
  })

  it('is answered before any search where the load is too high, and leads to the least capacity', async () => {
    const page = await stay()
    await load(page, 'id,lower,upper,size\na,0,4,8\nb,2,6,8\nc,0,6,2\n')
    await page.getByText('3 buffers').waitFor()
    await page.getByRole('textbox', { name: 'Capacity' }).fill('12')
    await page.getByRole('textbox', { name: 'Capacity' }).press('Enter')
    await page.getByText('No order of placement can help.').waitFor()
    await whyNot(page)
    await page.getByText('Irreducible', { exact: true }).waitFor()
    expect(await listed(page).locator('button span:first-child').allTextContents()).toEqual(['a', 'b'])
    await page.getByRole('button', { name: 'Find the least capacity' }).click()
    await page.getByText('the bounds have met', { exact: true }).waitFor()
    await page.getByText('Least height', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Set capacity to 18' }).click()
    await page.getByText('and nothing lower exists').waitFor()
    expect(await page.getByRole('textbox', { name: 'Capacity' }).inputValue()).toBe('18')
    expect(await page.getByRole('button', { name: 'Fit', exact: true, pressed: true }).count()).toBe(1)
  })
})

describe('the least height', () => {
  it('is found with both bounds, and shared with the step it is looked at', async () => {
    const page = await stay()
    await openExample(page, 'Why not')
    await page.getByRole('button', { name: 'Minimise' }).click()
    await page.locator('.run-button').click()
    await page.getByText('the bounds have met', { exact: true }).waitFor()
    await ended(page)
    expect(await outcome(page)).toBe('Optimal')
    const facts = await page.locator('.section .facts').last().innerText()
    expect(facts).toMatch(/Least height\s+17/)
    expect(facts).toMatch(/Gap\s+none/)
    await expect.poll(() => page.locator('.placed').textContent()).toBe('32 of 32 placed')
    await page.keyboard.press('3')
    await page.getByText('Lower bound', { exact: true }).waitFor()
    await page.keyboard.press('1')
    const step = Math.floor((await totalSteps(page)) / 2)
    await goTo(page, step)
    expect(await page.locator('.prose').first().textContent()).not.toMatch(/undefined|NaN/)
    const link = await linkOf(page)
    const other = await visit(link)
    await other.getByText('Reproduced exactly').waitFor()
    expect(await stepShown(other)).toBe(step)
    expect(await other.getByRole('button', { name: 'Minimise', pressed: true }).count()).toBe(1)
    await other.reload()
    await other.getByText('Reproduced exactly').waitFor()
    expect(await stepShown(other)).toBe(step)
  })

  it('is reached on a phone', async () => {
    const page = await visit('', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true })
    await page.locator('.tab-bar').getByText('Setup').tap()
    await page.getByRole('combobox', { name: 'Solver' }).selectOption('exact')
    const minimise = page.getByRole('button', { name: 'Minimise' })
    expect((await minimise.boundingBox())?.height ?? 0).toBeGreaterThanOrEqual(44)
    await minimise.tap()
    await page.locator('.run-button').tap()
    await page.getByText('the bounds have met', { exact: true }).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  })
})
