/** A problem of several memories: a plate for each, planned in one run, shared and opened again. */
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import {
  calm,
  ended,
  goTo,
  linkOf,
  load,
  outcome,
  pixels,
  runIt,
  stepShown,
  totalSteps,
  visitor,
} from '../support/browser'

const { stay, visit } = visitor()
const TWO = await readFile(new URL('../../../examples/pools.csv', import.meta.url), 'utf8')

describe('two pools', () => {
  it('are two plates with heights of their own, which a link brings back', async () => {
    const page = await stay()
    await load(page, TWO)
    await page.getByText('12 buffers').first().waitFor()
    await page.getByRole('region', { name: 'Pool main' }).waitFor()
    await runIt(page)
    expect(await outcome(page)).toContain('Optimal')
    await page.getByRole('region', { name: 'Pool main' }).getByText('36 of 40').waitFor()
    await page.getByRole('region', { name: 'Pool dram' }).getByText('72 of 96').waitFor()
    await calm(page)
    const [near] = await pixels(page, '.plate:nth-child(1)')
    const [far] = await pixels(page, '.plate:nth-child(2)')
    expect(near).not.toBe(far)
    const link = await linkOf(page)
    const again = await visit(link)
    await ended(again)
    await again.getByRole('region', { name: 'Pool dram' }).getByText('72 of 96').waitFor()
    expect(await totalSteps(again)).toBe(await totalSteps(page))
    expect(await stepShown(again)).toBe(await stepShown(page))
  })

  it('zoom together in time', async () => {
    const page = await stay()
    await load(page, TWO)
    await page.getByRole('region', { name: 'Pool dram' }).waitFor()
    await runIt(page)
    await calm(page)
    const before = await pixels(page, '.plate:nth-child(2)')
    const box = await page.locator('.plate:nth-child(1) .plate-memory').boundingBox()
    if (box === null) throw new Error('there is no plate')
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    await page.keyboard.down('Control')
    await page.mouse.wheel(0, -300)
    await page.keyboard.up('Control')
    await calm(page)
    expect((await pixels(page, '.plate:nth-child(2)'))[0]).not.toBe(before[0])
  })

  it('are passed from one to the next in a step of its own', async () => {
    const page = await stay()
    await load(page, TWO)
    await page.getByRole('region', { name: 'Pool dram' }).waitFor()
    await runIt(page)
    const steps = await totalSteps(page)
    await goTo(page, 9)
    await page.locator('.prose').getByText('The search goes on in pool dram').waitFor()
    expect(steps).toBeGreaterThan(9)
    await page.getByRole('region', { name: 'Pool dram' }).getByText('0 of 96').waitFor()
  })
})
