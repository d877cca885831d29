/** Editing the problem in the table and on the canvas, the way back, and the palette that finds everything. */
import { describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { calm, ended, load, pixels, runIt, SMALL, stepShown, totalSteps, visitor } from '../support/browser'

const { arrive, bench } = visitor()

/** The small problem, run, with the table open for editing. */
async function editing(options: Parameters<typeof arrive>[1] = {}): Promise<Page> {
  const page = await arrive('', options)
  await load(page, `# of mine\n${SMALL}`)
  await page.getByText('6 buffers').waitFor()
  await runIt(page)
  await page.locator('h1').click()
  await page.keyboard.press('4')
  await page.keyboard.press('e')
  await page.getByRole('grid', { name: 'Buffers, to edit' }).waitFor()
  return page
}

const cell = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** What the problem's text is now. */
async function text(page: Page): Promise<string> {
  await page.locator('#setup').getByRole('button', { name: 'Edit', exact: true }).click()
  const value = await page.getByLabel('Buffer CSV').inputValue()
  await page.locator('#setup').getByRole('button', { name: 'Close', exact: true }).click()
  return value
}

describe('editing in the table', () => {
  it('changes cells in place, says what is wrong with one, and runs again', async () => {
    const page = await editing()
    await cell(page, 'Size of b: 5').click()
    await page.keyboard.type('x')
    await page.keyboard.press('Enter')
    await page.getByText('size is “x”, expected').waitFor()
    await page.keyboard.press('Escape')
    await cell(page, 'Size of b: 5').click()
    await page.keyboard.type('6')
    await page.keyboard.press('Tab')
    await page.keyboard.type('2')
    await page.keyboard.press('Shift+Tab')
    await page.getByRole('textbox', { name: 'Size of b' }).waitFor()
    await page.keyboard.press('Escape')
    await cell(page, 'Align of b: 2').waitFor()
    await cell(page, 'Upper of f: 7').click()
    await page.keyboard.type('5')
    await page.keyboard.press('Enter')
    await page.getByText('upper is 5, expected more than lower, 5').waitFor()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('6')
    await page.keyboard.press('Enter')
    await cell(page, 'Upper of f: 6').waitFor()
    await page.locator('.section .outcome .pill').waitFor()
    expect(await text(page)).toBe(
      '# of mine\nid,lower,upper,size,alignment\na,0,4,3,\nb,2,6,6,2\nc,4,8,4,\nd,0,8,2,\ne,1,3,2,\nf,5,6,1,\n',
    )
  })

  it('adds, duplicates and deletes, and goes all the way back and on', async () => {
    const page = await editing()
    await page.getByRole('checkbox', { name: 'Choose a', exact: true }).check()
    await page.getByRole('checkbox', { name: 'Choose c', exact: true }).check()
    await page.getByRole('button', { name: 'Duplicate 2' }).click()
    await page.getByText('8 buffers').waitFor()
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('textbox', { name: 'Buffer of new' }).waitFor()
    await page.keyboard.type('mine')
    await page.keyboard.press('Enter')
    await cell(page, 'Buffer of mine: mine').waitFor()
    await page.getByRole('checkbox', { name: 'Choose all' }).check()
    await page.getByRole('checkbox', { name: 'Choose b', exact: true }).uncheck()
    await page.getByRole('button', { name: 'Delete 8' }).click()
    await page.getByText('1 buffer', { exact: false }).first().waitFor()
    await cell(page, 'Buffer of b: b').click()
    await page.keyboard.press('Escape')
    for (const count of ['9 buffers', '9 buffers', '8 buffers', '6 buffers']) {
      await page.keyboard.press('Control+z')
      await page.locator('.section-note').getByText(count).waitFor()
    }
    expect(await text(page)).toBe(`# of mine\n${SMALL}`)
    await page.locator('.header').getByRole('button', { name: 'Redo' }).click()
    await page.getByText('8 buffers').waitFor()
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Control+z')
    await page.locator('.file-name').getByText('rule-section.csv').waitFor()
    await page.keyboard.press('Control+Shift+z')
    await page.getByText('6 buffers').waitFor()
  })

  it('of a model is made to its buffers', async () => {
    const page = await arrive()
    await load(page, 'tensor,a,64,input\ntensor,b,32,output\nop,x,Relu,a,b\n')
    await page.getByText('2 tensors').waitFor()
    await page.locator('h1').click()
    await page.keyboard.press('4')
    await page.keyboard.press('e')
    await page.getByRole('button', { name: 'Edit as buffers' }).click()
    await cell(page, 'Size of a: 64').waitFor()
    await page.locator('.header').getByRole('button', { name: 'Undo' }).click()
    await page.getByText('2 tensors').waitFor()
  })
})

/** The middle of buffer b's rectangle on the canvas: it is pinned, and its grips are where its cell says. */
async function middleOf(page: Page, name: string): Promise<{ x: number; y: number }> {
  await page.locator('.edit-row', { has: cell(page, `Buffer of ${name}: ${name}`) }).hover()
  const box = await page.locator('.memory').boundingBox()
  if (box === null) throw new Error('no canvas')
  // the lit buffer is outlined; where it is, is worked out from the frame's own numbers in the tooltip's place
  for (let y = box.y + box.height - 30; y > box.y + 30; y -= 6) {
    for (const x of [0.3, 0.5, 0.7].map((part) => box.x + box.width * part)) {
      await page.mouse.move(x, y)
      const tip = page.locator('.tooltip')
      if ((await tip.count()) > 0 && (await tip.first().textContent())?.startsWith(name)) return { x, y }
    }
  }
  throw new Error(`buffer ${name} is not under the pointer anywhere`)
}

describe('editing on the canvas', () => {
  it('fixes an offset by dragging, and Escape lets go', async () => {
    const page = await editing()
    await page.keyboard.press('End')
    const { x, y } = await middleOf(page, 'd')
    await page.mouse.down()
    await page.mouse.move(x, y - 40, { steps: 4 })
    await page.keyboard.press('Escape')
    await page.mouse.up()
    await expect.poll(() => cell(page, 'Fixed at of d: none').count()).toBe(1)
    // the search has followed back as well
    await calm(page)
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x, y - 40, { steps: 4 })
    await page.mouse.up()
    await expect.poll(() => cell(page, 'Fixed at of d: none').count()).toBe(0)
    await page.getByText('column offset: fixes 1 buffer').waitFor()
    await page.keyboard.press('Control+z')
    await cell(page, 'Fixed at of d: none').waitFor()
  })
})

describe('drawing', () => {
  it('begins on the empty page; the search follows the finger, and one Undo takes a drag back', async () => {
    const page = await arrive()
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await page.getByRole('button', { name: 'Draw buffers' }).waitFor()
    await page.keyboard.press('e')
    await page.getByText('The search follows.').waitFor()
    await page.getByText('2 of 2 placed').waitFor()
    await calm(page)
    const box = await page.locator('.memory').boundingBox()
    if (box === null) throw new Error('no canvas')
    const [left, top, wide, high] = [box.x + 58, box.y + 30, box.width - 72, box.height - 56]
    const capacity = 16 * 1.085
    const at = (time: number, address: number) =>
      [left + (wide * time) / 12, top + high * (1 - address / capacity)] as const
    const drag = async (from: readonly [number, number], to: readonly [number, number]) => {
      await page.mouse.move(...from)
      await page.mouse.down()
      await page.mouse.move(...to, { steps: 8 })
    }
    await drag(at(3.2, 6.2), at(8.8, 9.8))
    await page.mouse.up()
    await page.getByText('3 of 3 placed').waitFor()
    await page.keyboard.press('4')
    await cell(page, 'Size of new: 4').waitFor()
    expect(await cell(page, 'Lower of new: 3').count()).toBe(1)
    expect(await cell(page, 'Upper of new: 9').count()).toBe(1)
    // its right end over the output's: they can no longer share
    await drag(at(8.98, 2), at(12, 2))
    await cell(page, 'Upper of new: 12').waitFor()
    await expect.poll(() => page.locator('.placed').textContent()).toContain('3 of 3 placed')
    await page.mouse.up()
    await page.keyboard.press('Control+z')
    await cell(page, 'Upper of new: 9').waitFor()
    expect(await cell(page, 'Size of new: 4').count()).toBe(1)
  })
})

describe('the palette', () => {
  it('finds commands, examples, solvers, buffers and steps, and remembers', async () => {
    const page = await arrive()
    const ask = async (query: string, name: string | RegExp) => {
      await page.keyboard.press('Control+k')
      const dialog = page.getByRole('dialog', { name: 'Commands' })
      await dialog.getByRole('combobox').fill(query)
      await dialog.getByRole('option', { name }).first().waitFor()
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'detached' })
    }
    await ask('ten buf', /Ten buffers/)
    await page.getByText('10 buffers').waitFor()
    await ended(page)
    const total = await totalSteps(page)
    await ask('1', 'Go to step 1')
    await expect.poll(() => stepShown(page)).toBe(1)
    await ask('end', /^End/)
    await expect.poll(() => stepShown(page)).toBe(total)
    await ask('greedy', /greedy/i)
    await expect.poll(() => page.getByRole('combobox', { name: 'Solver' }).inputValue()).toMatch(/greedy/)
    await ask('buffer b1', /Go to buffer/)
    await page.getByRole('tab', { name: 'Buffers' }).click()
    await page.locator('.row-pinned').waitFor()
    await page.keyboard.press('Control+k')
    const options = page.getByRole('listbox', { name: 'Commands' }).getByRole('option')
    await expect.poll(() => options.first().textContent()).toMatch(/greedy/i)
    await page.keyboard.press('ArrowDown')
    expect(await options.nth(1).getAttribute('aria-selected')).toBe('true')
    await page.getByRole('combobox', { name: 'Command' }).fill('qqqq')
    await page.getByText('Nothing fits “qqqq”.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Commands' }).waitFor({ state: 'detached' })
  })
})

describe('the panels beside the canvas', () => {
  const line = (page: Page, name: 'setup' | 'views') => page.getByRole('separator', { name: `Width of the ${name}` })
  const width = async (page: Page, part: string) => Math.round((await page.locator(part).boundingBox())?.width ?? 0)

  it('are dragged, moved with keys, shut, remembered and put back', async () => {
    const page = await arrive('', { viewport: { width: 1440, height: 900 } })
    const [left, side] = [await width(page, '.left'), await width(page, '.side')]
    const at = await line(page, 'views').boundingBox()
    if (at === null) throw new Error('no separator')
    await page.mouse.move(at.x + 4, at.y + 200)
    await page.mouse.down()
    await page.mouse.move(at.x + 4 - 100, at.y + 200, { steps: 4 })
    await page.mouse.up()
    expect(await width(page, '.side')).toBe(side + 100)
    await line(page, 'setup').focus()
    await page.keyboard.press('ArrowRight')
    expect(await width(page, '.left')).toBe(left + 16)
    expect(await stepShown(page)).toBeGreaterThan(0)
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('.run-button').isVisible()).toBe(false)
    // written when the page is left
    await page.reload()
    await page.locator('.transport-button.play').waitFor()
    expect(await page.locator('.run-button').isVisible()).toBe(false)
    expect(await width(page, '.side')).toBe(side + 100)
    await line(page, 'setup').click()
    await page.locator('.run-button').waitFor()
    expect(await width(page, '.left')).toBe(left + 16)
    await line(page, 'setup').dblclick()
    await line(page, 'views').dblclick()
    await expect.poll(async () => [await width(page, '.left'), await width(page, '.side')]).toEqual([left, side])
    await line(page, 'views').focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('4')
    await page.getByRole('grid', { name: 'Buffers' }).waitFor()
  })
})

describe('a phone', () => {
  const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

  it('pans and zooms with fingers, pins with a tap, and drags the ends of what is pinned', async () => {
    const page = await arrive('', PHONE)
    await page.getByRole('button', { name: 'Close the hint' }).tap()
    await page.getByRole('button', { name: 'Close the hint' }).tap()
    await page.locator('.tab-bar').getByText('Buffers').tap()
    await page.getByRole('grid', { name: 'Buffers' }).waitFor()
    const cdp = await page.context().newCDPSession(page)
    type Point = { x: number; y: number }
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: Point[]) =>
      cdp.send('Input.dispatchTouchEvent', { type, touchPoints: points })
    const box = await page.locator('.memory').boundingBox()
    if (box === null) throw new Error('no canvas')
    const at = (x: number, y: number): Point => ({ x: box.x + x, y: box.y + y })

    // the lowest buffer of the first example lives from the left edge on, right above the ruler
    const low = at(100, box.height - 26 - 5)
    await touch('touchStart', [low])
    await touch('touchEnd', [])
    await page.locator('.row-pinned', { hasText: 'a' }).waitFor()

    const whole = await pixels(page)
    const middle = box.height / 2
    await touch('touchStart', [at(170, middle), at(210, middle)])
    for (let k = 1; k <= 5; k++) await touch('touchMove', [at(170 - 12 * k, middle), at(210 + 12 * k, middle)])
    await touch('touchEnd', [])
    await expect.poll(() => pixels(page)).not.toEqual(whole)
    await calm(page)
    await page.locator('.phone-fit').waitFor()
    const zoomed = await pixels(page)
    await touch('touchStart', [at(200, middle)])
    for (let k = 1; k <= 5; k++) await touch('touchMove', [at(200 - 20 * k, middle)])
    await touch('touchEnd', [])
    await expect.poll(() => pixels(page)).not.toEqual(zoomed)
    // two taps show everything again
    const tap = () => [touch('touchStart', [at(200, 60)]), touch('touchEnd', [])]
    await Promise.all([...tap(), ...tap()])
    await calm(page)
    expect(await page.locator('.phone-fit').count()).toBe(0)

    await page.locator('.filter').getByRole('button', { name: 'Edit' }).tap()
    await page.getByRole('grid', { name: 'Buffers, to edit' }).waitFor()
    // a row is pinned or not once it is there: a tap on what is pinned already would let it go
    await cell(page, 'Buffer of a: a').waitFor()
    const pinned = page.locator('.row-pinned', { has: cell(page, 'Buffer of a: a') })
    if (!(await pinned.isVisible())) {
      await touch('touchStart', [low])
      await touch('touchEnd', [])
    }
    await pinned.waitFor()
    await cell(page, 'Upper of a: 9').waitFor()
    // buffer a ends at 9 of 2 to 11
    const end = at(44 + ((box.width - 54) * 7) / 9 - 2, box.height - 26 - 5)
    await touch('touchStart', [end])
    for (let k = 1; k <= 6; k++) await touch('touchMove', [{ x: end.x - 13 * k, y: end.y }])
    await touch('touchEnd', [])
    await cell(page, 'Upper of a: 7').waitFor()
  })
})

describe('a random problem', () => {
  it('has every kind of the core, names its seed, and is the same again', async () => {
    const page = await arrive()
    await page.locator('#setup').getByRole('button', { name: 'Random…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Random problem' })
    await dialog.getByRole('radio').first().waitFor()
    expect(await dialog.getByRole('radio').count()).toBeGreaterThan(8)
    const frame = await dialog.boundingBox()
    for (const kind of await dialog.locator('.choice').all()) {
      const box = await kind.boundingBox()
      if (frame === null || box === null) throw new Error('a kind that is not shown')
      expect(box.x).toBeGreaterThan(frame.x)
      expect(box.x + box.width).toBeLessThan(frame.x + frame.width)
    }
    const last = dialog.getByRole('radio').last()
    await last.check()
    await dialog.getByRole('textbox', { name: 'Buffers' }).fill('12')
    await dialog.getByRole('textbox', { name: 'Seed' }).fill('77')
    await dialog.getByRole('button', { name: 'Make and run' }).click()
    await page.locator('.file-name').getByText('-12-77.csv').waitFor()
    await page.locator('.section .outcome .pill').waitFor()
    const first = await text(page)
    await page.locator('#setup').getByRole('button', { name: 'Random…' }).click()
    expect(await last.isChecked()).toBe(true)
    expect(await dialog.getByRole('textbox', { name: 'Seed' }).inputValue()).toBe('77')
    await dialog.getByRole('button', { name: 'Make and run' }).click()
    await dialog.waitFor({ state: 'detached' })
    await calm(page)
    expect(await text(page)).toBe(first)
  })
})

describe('a tab that crashes', () => {
  it('in the middle of typing loses no more than the last words', async () => {
    const page = await arrive()
    const context = page.context()
    await page.locator('#setup').getByRole('button', { name: 'Paste', exact: true }).click()
    const typed = `id,lower,upper,size\n${'a long line that is typed without a pause '.repeat(3)}`
    await page.getByLabel('Buffer CSV').pressSequentially(typed, { delay: 20 })
    const cdp = await context.newCDPSession(page)
    const crashed = page.waitForEvent('crash')
    void cdp.send('Page.crash').catch(() => {})
    await crashed
    const again = (await bench().open(await context.newPage())).page
    await again.getByLabel('Buffer CSV').waitFor()
    const kept = await again.getByLabel('Buffer CSV').inputValue()
    expect(typed.startsWith(kept)).toBe(true)
    expect(kept.length).toBeGreaterThan(20)
  })
})
