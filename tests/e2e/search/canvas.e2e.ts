/** Working with the canvas: search, brush, pins, ruler, free blocks, colours, and the table as its way in for the keyboard. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { calm, load, openExample, pixels, runIt, SMALL, visitor } from '../support/browser'

const { stay } = visitor()

const described = (page: Page) => page.locator('.memory [role=img]').getAttribute('aria-label')

/** A point of the plate, as shares of its width and of its height from the ground. */
async function at(page: Page, x: number, y: number): Promise<[number, number]> {
  const box = await page.locator('.memory').boundingBox()
  if (box === null) throw new Error('there is no canvas')
  return [box.x + 58 + x * (box.width - 72), box.y + box.height - 26 - y * (box.height - 56)]
}

async function drag(page: Page, from: [number, number], to: [number, number]): Promise<void> {
  await page.mouse.move(...from)
  await page.mouse.down()
  await page.mouse.move(...to, { steps: 3 })
  await page.mouse.up()
}

/** Six buffers, all placed, the search at its end. */
async function small(page: Page): Promise<void> {
  await load(page, SMALL)
  await page.getByText('6 buffers').waitFor()
  await runIt(page)
  await page.keyboard.press('End')
}

describe('search', () => {
  it('lights what it finds and goes from one to the next', async () => {
    const page = await stay()
    await openExample(page, 'Network')
    const before = await pixels(page)
    await page.keyboard.press('/')
    await page.getByLabel('Find by id').fill('op1?.weights')
    await page.getByText('10 of 400').waitFor()
    await calm(page)
    expect((await pixels(page))[0]).not.toBe(before[0])
    expect(await described(page)).toContain('10 found')
    await page.keyboard.press('Enter')
    await page.getByText('1 of 10').waitFor()
    await page.getByRole('button', { name: 'Next match' }).click()
    await page.getByText('2 of 10').waitFor()
    await page.keyboard.press('Shift+G')
    await page.getByText('1 of 10').waitFor()
    await page.keyboard.press('Shift+G')
    await page.getByText('10 of 10').waitFor()
    await page.getByLabel('Find by id').fill('')
    await page.keyboard.press('Escape')
    await expect.poll(async () => (await described(page))?.includes('found')).toBe(false)
    await calm(page)
    expect((await pixels(page))[0]).toBe(before[0])
  })
})

describe('pins', () => {
  it('stay with Shift, tell their facts and are let go of with Escape', async () => {
    const page = await stay()
    await small(page)
    await page.keyboard.press('4')
    const rows = page.getByRole('grid', { name: 'Buffers' }).getByRole('row')
    await rows.nth(1).click()
    await rows.nth(2).click({ modifiers: ['Shift'] })
    await page.getByText('8 together, all alive in [2, 4)').waitFor()
    expect(await page.locator('.row-pinned').count()).toBe(2)
    await expect.poll(() => described(page)).toContain('pinned: a, b')
    await page.getByRole('button', { name: 'Let go of a' }).click()
    await expect.poll(() => page.locator('.row-pinned').count()).toBe(1)
    await page.getByRole('grid', { name: 'Buffers' }).blur()
    await page.keyboard.press('Escape')
    await page.locator('.pins').waitFor({ state: 'detached' })
    // on the canvas a click pins, and one with Shift adds
    const [x, y] = await at(page, 0.3, 0.05)
    await page.mouse.click(x, y)
    await expect.poll(() => page.locator('.row-pinned').count()).toBe(1)
    const [x2, y2] = await at(page, 0.3, 0.4)
    await page.keyboard.down('Shift')
    await page.mouse.click(x2, y2)
    await page.keyboard.up('Shift')
    await expect.poll(() => page.locator('.row-pinned').count()).toBe(2)
  })
})

describe('a range of time', () => {
  it.each(['the axis', 'the load strip'])('is brushed on %s', async (where) => {
    const page = await stay()
    await openExample(page, 'Network')
    const box = await page.locator('.load').boundingBox()
    const line = async (share: number): Promise<[number, number]> => {
      const [x, y] = await at(page, share, 0)
      return [x, where === 'the axis' ? y + 12 : (box?.y ?? 0) + 20]
    }
    expect(await described(page)).not.toContain('zoomed in')
    await drag(page, await line(0.25), await line(0.5))
    await expect.poll(() => described(page)).toContain('zoomed in')
    await page.keyboard.press('0')
    await expect.poll(() => described(page)).not.toContain('zoomed in')
    // a mere click changes nothing
    await page.mouse.click(...(await line(0.4)))
    expect(await described(page)).not.toContain('zoomed in')
  })
})

describe('tools', () => {
  it('measure with the ruler instead of panning, until it is put away', async () => {
    const page = await stay()
    await small(page)
    await calm(page)
    const [data, bare] = await pixels(page)
    await page.keyboard.press('u')
    expect(await page.getByRole('button', { name: 'Ruler' }).getAttribute('aria-pressed')).toBe('true')
    await drag(page, await at(page, 0.25, 0.1), await at(page, 0.75, 0.6))
    await expect.poll(async () => (await pixels(page))[1]).not.toBe(bare)
    await page.mouse.move(5, 5)
    await page.keyboard.press('Escape')
    expect(await page.getByRole('button', { name: 'Ruler' }).getAttribute('aria-pressed')).toBe('false')
    await calm(page)
    expect((await pixels(page))[0]).toBe(data)
  })

  it('shade what is free and draw the largest free block', async () => {
    const page = await stay()
    await openExample(page, 'Network')
    await page.keyboard.press('End')
    await calm(page)
    const before = [...(await pixels(page)), ...(await pixels(page, '.load'))]
    await page.keyboard.press('f')
    await expect.poll(() => described(page)).toContain('free blocks shaded')
    await expect.poll(async () => (await pixels(page, '.load'))[0]).not.toBe(before[2])
    await expect.poll(async () => (await pixels(page))[0]).not.toBe(before[0])
    await page.keyboard.press('f')
    await expect.poll(async () => (await pixels(page, '.load'))[0]).toBe(before[2])
  })

  it('colour by each mode, each with its key', async () => {
    const page = await stay()
    await openExample(page, 'Phases')
    await page.keyboard.press('End')
    const select = page.getByLabel('Colour')
    const seen = new Set<string | undefined>()
    for (const mode of ['level', 'order', 'size', 'lifetime', 'waste', 'phase', 'churn']) {
      await select.selectOption(mode)
      await page.locator('.ramp-key').first().waitFor()
      await calm(page)
      seen.add((await pixels(page))[0])
    }
    // nothing here is aligned: all have the same colour, which is none of the others
    expect(seen.size).toBe(7)
    await select.selectOption('phase')
    await page.locator('.phase-swatch').first().waitFor()
    await openExample(page, 'Five buffers')
    expect(await select.inputValue()).not.toBe('phase')
  })
})

describe('the table', () => {
  it('reaches every buffer by keyboard, and centres the canvas on it', async () => {
    const page = await stay()
    await openExample(page, 'Network')
    await page.keyboard.press('4')
    const grid = page.getByRole('grid', { name: 'Buffers' })
    await grid.focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await expect.poll(() => described(page)).toContain('pinned: op133')
    await page.keyboard.press('Home')
    await page.keyboard.press('Shift+Enter')
    await expect.poll(() => described(page)).toMatch(/pinned: op133[^,]*, op0/)
    expect(await grid.getAttribute('aria-rowcount')).toBe('401')
  })

  it('has a hundred thousand rows, in any order, to the last', async () => {
    const page = await stay()
    const rows = Array.from({ length: 100_000 }, (_, k) => `b${k},${k},${k + 1},${1 + ((k * 7919) % 100_000)}`)
    const csv = Buffer.from(`id,lower,upper,size\n${rows.join('\n')}\n`)
    await page.locator('#setup input[type=file]').setInputFiles({ name: 'many.csv', mimeType: 'text/csv', buffer: csv })
    await page.getByText('100,000 buffers').waitFor()
    await page.keyboard.press('4')
    const grid = page.getByRole('grid', { name: 'Buffers' })
    await grid.getByRole('button', { name: 'Size' }).click()
    await grid.getByRole('button', { name: 'Size' }).click()
    await expect.poll(() => grid.getAttribute('aria-busy'), { timeout: 30_000 }).toBe('false')
    await expect.poll(() => grid.getByRole('row').nth(1).textContent()).toContain('b82321')
    await grid.focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await expect.poll(() => described(page)).toContain('pinned: b0')
    await page.getByLabel('Find by id').fill('b9999?')
    await page.getByText('10 of 100,000').waitFor()
  })
})
