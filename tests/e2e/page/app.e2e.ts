/** The built page in a real browser, as a person uses it. Any error on the console fails the test it happens in. */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
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
  SMALL,
  stepShown,
  totalSteps,
  unfold,
  useMiniMalloc,
  visitor,
} from '../support/browser'

const { stay, visit } = visitor()

/** Where what moves is tested, too. */
const MOVING = { reducedMotion: 'no-preference' } as const

describe('a first visit', () => {
  it('shows a search, stopped at one step, without a click', async () => {
    const page = await stay()
    expect(await totalSteps(page)).toBeGreaterThan(0)
    await page.getByText('One step of a search is shown').waitFor()
    await page.getByRole('button', { name: 'Close the hint' }).click()
    expect(await page.getByText('One step of a search is shown').count()).toBe(0)
  })

  it('has drawn something: the canvas has more than one colour', async () => {
    const page = await stay()
    await calm(page)
    const colours = await page.evaluate(() => {
      const canvas = document.querySelector<HTMLCanvasElement>('.memory canvas')
      const data = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? []
      return new Set(
        Array.from(
          { length: data.length / 4 },
          (_, k) => (data[4 * k] ?? 0) * 65536 + (data[4 * k + 1] ?? 0) * 256 + (data[4 * k + 2] ?? 0),
        ),
      ).size
    })
    expect(colours).toBeGreaterThan(8)
  })
})

describe('a problem of one’s own', () => {
  it('is pasted, run, stepped and scrubbed', async () => {
    const page = await stay('moving', MOVING)
    await load(page, SMALL)
    await page.getByText('6 buffers').waitFor()
    await runIt(page)
    expect(await outcome(page)).toMatch(/Optimal|Feasible|Infeasible/)
    const total = await totalSteps(page)
    expect(total).toBeGreaterThan(5)
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    expect(await stepShown(page)).toBe(0)
    await page.getByRole('button', { name: 'Step', exact: true }).click()
    await page.getByRole('button', { name: 'Step', exact: true }).click()
    expect(await stepShown(page)).toBe(2)
    await page.getByRole('button', { name: 'Step back' }).click()
    expect(await stepShown(page)).toBe(1)
    const box = await page.locator('.seismograph').boundingBox()
    if (box === null) throw new Error('no seismograph')
    await page.mouse.move(box.x + box.width * 0.3, box.y + 60)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.7, box.y + 60, { steps: 5 })
    await page.mouse.up()
    const scrubbed = await stepShown(page)
    expect(scrubbed).toBeGreaterThan(1)
    expect(scrubbed).toBeLessThan(total)
    await page.getByText(`step ${scrubbed}`, { exact: true }).waitFor()
  })

  it('plays to its end', async () => {
    const page = await stay('moving', MOVING)
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    await page.getByLabel('Speed').fill('60')
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
    await expect.poll(() => stepShown(page)).toBe(await totalSteps(page))
  })

  it('is refused by line, and what was typed stays', async () => {
    const page = await stay()
    const bad =
      'id,lower,upper,size\nconv1,0,4,65536\nconv2,4,3,32768\nrelu,3,x9,32768\nadd,9,12,-64\nconv2,9,14,16384\n'
    await load(page, bad)
    await page.getByText('4 errors. Nothing was loaded.').waitFor()
    const items = await page.locator('.errors li').allTextContents()
    expect(items.map((item) => /line (\d+)/.exec(item)?.[1])).toEqual(['3', '4', '5', '6'])
    expect(items.join(' ')).toContain('x9')
    expect(await page.getByLabel('Buffer CSV').inputValue()).toBe(bad)
    expect(await page.locator('.bad-line').count()).toBe(4)
    await page.getByRole('button', { name: 'line 4' }).click()
    const selected = await page
      .getByLabel('Buffer CSV')
      .evaluate((area: HTMLTextAreaElement) => area.value.slice(area.selectionStart, area.selectionEnd))
    expect(selected).toBe('x9')
    await page.reload()
    await page.getByText('4 errors. Nothing was loaded.').waitFor()
    expect(await page.getByLabel('Buffer CSV').inputValue()).toBe(bad)
  })

  it.each([
    ['', 0],
    ['id,lower,upper,size\n', 1],
    ['id,lower,upper\na,0,1\n', 1],
    ['id,lower,upper,size\na,0,1,9007199254740992\n', 1],
    ['id,lower,upper,size\na,0,1,4\na,0,1,4\n', 1],
  ])('says something useful about %j', async (csv, errors) => {
    const page = await stay()
    // without the mistakes of the text before
    await load(page, SMALL)
    expect(await page.locator('.errors-head').count()).toBe(0)
    await page.locator('#setup').getByRole('button', { name: 'Paste', exact: true }).click()
    await page.getByLabel('Buffer CSV').fill(csv)
    const button = page.getByRole('button', { name: 'Load', exact: true })
    if (errors === 0) {
      expect(await button.isDisabled()).toBe(true)
      return
    }
    await button.click()
    await page.locator('.errors-head').waitFor()
    expect(await page.locator('.errors li').count()).toBeGreaterThanOrEqual(errors)
  })

  it('is pasted anywhere on the page, and dropped on any part of it', async () => {
    const page = await stay()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.locator('h1').click()
    await page.evaluate((csv) => navigator.clipboard.writeText(csv), SMALL)
    await page.keyboard.press('Control+v')
    await page.getByText('6 buffers').waitFor()
    await page.locator('#setup').evaluate((panel, csv) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([csv], 'dropped.24.csv', { type: 'text/csv' }))
      panel.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
    }, 'id,lower,upper,size\na,0,1,9\nb,0,1,8\n')
    await page.getByText('dropped.24.csv').waitFor()
    await page.getByText('2 buffers').waitFor()
    expect(await page.getByRole('textbox', { name: 'Capacity' }).inputValue()).toBe('24')
  })

  it('that a solver does not take is refused with a way out', async () => {
    const page = await stay()
    await load(page, 'id,lower,upper,size,gaps\na,0,9,4,3-5\nb,3,5,4,\n')
    await page.getByText('2 buffers').waitFor()
    await page.getByRole('combobox', { name: 'Solver' }).selectOption('bfc')
    await page.getByText('This solver does not honour gaps').waitFor()
    await page.locator('.run-button').click()
    await page.getByText('The solver refused this problem.').waitFor()
    await page.getByRole('button', { name: 'Switch' }).click()
    await ended(page)
    expect(await outcome(page)).toBe('Optimal')
  })

  it('comes as a file, with the capacity of its name', async () => {
    const page = await stay()
    const file = { name: 'mine.65536.csv', mimeType: 'text/csv', buffer: Buffer.from(SMALL) }
    await page.locator('#setup input[type=file]').setInputFiles(file)
    await page.getByText('mine.65536.csv').waitFor()
    expect(await page.getByRole('textbox', { name: 'Capacity' }).inputValue()).toBe('64 KiB')
  })

  it('whose load is above the capacity is explained', async () => {
    const page = await stay()
    await load(page, 'id,lower,upper,size\na,0,4,8\nb,2,6,8\n')
    await page.getByText('2 buffers').waitFor()
    await page.getByRole('textbox', { name: 'Capacity' }).fill('12')
    await page.getByRole('textbox', { name: 'Capacity' }).press('Enter')
    await page.locator('.prose').getByText('No order of placement can help.').waitFor()
    await page.getByRole('button', { name: 'Set capacity to 16' }).click()
    await ended(page)
    expect(await outcome(page)).toBe('Optimal')
  })
})

describe('the options of an example', () => {
  it('do not stay for the next problem, unless they were changed by hand', async () => {
    const page = await visit()
    await ended(page)
    const open = async (title: string) => {
      await page.locator('.header .select-button').click()
      await page.getByRole('menuitem', { name: new RegExp(title) }).click()
      await ended(page)
    }
    await open('Hatless')
    await unfold(page)
    await expect.poll(() => page.getByLabel('Decompose').isChecked()).toBe(false)
    await load(page, SMALL)
    await page.getByText('6 buffers').waitFor()
    expect(await page.getByRole('combobox', { name: 'Solver' }).inputValue()).toBe('exact')
    await useMiniMalloc(page)
    expect(await page.getByLabel('Decompose').isChecked()).toBe(true)
    await open('Ten buffers')
    await page.getByText('step 11', { exact: true }).waitFor()
    await page.locator('.prose').getByText('which lay at').waitFor()
    await page.getByLabel('Dominance').uncheck()
    await load(page, SMALL)
    await page.getByText('6 buffers').waitFor()
    expect(await page.getByLabel('Dominance').isChecked()).toBe(false)
  })
})

describe('a capacity that is none', () => {
  it.each(['abc', '0', '-5', '9007199254740992'])('%s is not run with the one before', async (text) => {
    const page = await stay('an example')
    await goTo(page, 2)
    const field = page.getByRole('textbox', { name: 'Capacity' })
    await field.fill(text)
    await field.press('Enter')
    await page.locator('.field-why').waitFor()
    await page.locator('.run-button').click()
    expect(await field.inputValue()).toBe(text)
    expect(await field.evaluate((input) => input === document.activeElement)).toBe(true)
    expect(await stepShown(page)).toBe(2)
    await field.fill('16')
    await page.locator('.run-button').click()
    await page.getByText('Feasible', { exact: true }).first().waitFor()
    expect(await page.locator('.field-why').count()).toBe(0)
  })
})

describe('a link', () => {
  it('opens at the same step with the same pixels', async () => {
    const page = await visit()
    await ended(page)
    await load(page, SMALL)
    await page.getByText('6 buffers').waitFor()
    await useMiniMalloc(page)
    await page.getByLabel('Dominance').uncheck()
    await runIt(page)
    const step = Math.floor((await totalSteps(page)) / 2)
    await goTo(page, step)
    const link = await linkOf(page)
    await page.mouse.move(2, 2)
    const first = await visit(link, { reducedMotion: 'reduce' })
    await first.getByText('Reproduced exactly').waitFor()
    await calm(first)
    expect(await stepShown(first)).toBe(step)
    expect(await first.getByLabel('Dominance').isChecked()).toBe(false)
    const second = await visit(link, { reducedMotion: 'reduce' })
    await second.getByText('Reproduced exactly').waitFor()
    await second.reload()
    await second.getByText('Reproduced exactly').waitFor()
    await calm(second)
    expect(await stepShown(second)).toBe(step)
    expect(await pixels(second)).toEqual(await pixels(first))
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await calm(page)
    expect(await pixels(page)).toEqual(await pixels(first))
  })

  it('cut in half says so, and the page works', async () => {
    const page = await stay()
    const link = await linkOf(page)
    const other = await visit(link.slice(0, Math.floor(link.length / 2)))
    await other.getByText(/This link cannot be read/).waitFor()
    await load(other, SMALL)
    await other.getByText('6 buffers').waitFor()
    await runIt(other)
    expect(await totalSteps(other)).toBeGreaterThan(0)
  })

  /** The page is shown, and says of the link what is told. */
  async function says(page: Page, told: string | RegExp): Promise<void> {
    await page.locator('.notice').getByText(told).waitFor()
    await ended(page)
    await page.locator('.notice').getByRole('button', { name: 'Close the message' }).click()
    await page.locator('.notice').waitFor({ state: 'detached' })
  }

  it.each(['#s1.!!!!', '#v1.'])('%s gives a message to who comes by it', async (fragment) => {
    await says(await visit(fragment), 'Nothing was loaded.')
  })

  it.each(['#s1.AAAA', '#s1.', '#v3.AAAA', '#s999999.x'])(
    '%s gives a message in a page that is already there',
    async (fragment) => {
      const page = await stay('links')
      await page.evaluate((fragment) => {
        location.hash = fragment
      }, fragment)
      await says(page, 'Nothing was loaded.')
    },
  )

  it('opens in a page that is already there, and leaves the address when the page moves on', async () => {
    const page = await stay()
    const link = await linkOf(page)
    await load(page, SMALL)
    await page.getByText('6 buffers').waitFor()
    await page.evaluate((fragment) => {
      location.hash = fragment
    }, link)
    await page.getByText('Reproduced exactly').waitFor()
    await page.locator('.run-button').click()
    await ended(page)
    expect(await page.evaluate(() => location.hash)).toBe('')
  })

  it('is a file where it would be too long, and the file opens', async () => {
    const page = await stay()
    let state = 1
    const next = () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      return state >>> 8
    }
    const rows = Array.from({ length: 6000 }, (_, k) => `t${k},${k},${k + 2 + (next() % 9)},${1 + (next() % 100000)}`)
    const csv = Buffer.from(`id,lower,upper,size\n${rows.join('\n')}\n`)
    await page.locator('#setup input[type=file]').setInputFiles({ name: 'x.csv', mimeType: 'text/csv', buffer: csv })
    await page.getByText('6,000 buffers').waitFor()
    await page.getByRole('combobox', { name: 'Solver' }).selectOption('greedy')
    await runIt(page)
    const total = await totalSteps(page)
    await page.getByRole('button', { name: 'Share' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save file' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/\.arenascope\.json$/)
    const file = {
      name: 'x.arenascope.json',
      mimeType: 'application/json',
      buffer: await readFile(await download.path()),
    }
    // the way back from another problem
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Share' }).waitFor({ state: 'detached' })
    await load(page, SMALL)
    await page.getByText('6 buffers').waitFor()
    await page.locator('#setup input[type=file]').setInputFiles(file)
    await page.getByText('Reproduced exactly').waitFor()
    expect(await totalSteps(page)).toBe(total)
  })

  it('of a later version says to get it', async () => {
    await says(await visit('#s999.AAAA'), /comes from a later version of Arenascope/)
  })
})

describe('export', () => {
  it('saves a CSV whose offsets are a plan', async () => {
    const page = await stay()
    await load(page, SMALL)
    await page.getByText('6 buffers').waitFor()
    await page.getByRole('textbox', { name: 'Capacity' }).fill('1 KiB')
    await page.getByRole('textbox', { name: 'Capacity' }).press('Enter')
    await runIt(page)
    await page.getByRole('button', { name: 'Export' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: /CSV with offsets/ }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/\.plan\.csv$/)
    const [head, ...rows] = (await readFile(await download.path(), 'utf8')).trim().split('\n')
    const names = head?.split(',') ?? []
    expect(names).toEqual(expect.arrayContaining(['id', 'lower', 'upper', 'size', 'offset']))
    const buffers = rows.map((row) =>
      Object.fromEntries(row.split(',').map((value, k) => [names[k] ?? '', Number(value)])),
    )
    expect(buffers).toHaveLength(6)
    for (const [k, x] of buffers.entries()) {
      const at = x as Record<'lower' | 'upper' | 'size' | 'offset', number>
      expect(at.offset).toBeGreaterThanOrEqual(0)
      expect(at.offset + at.size).toBeLessThanOrEqual(1024)
      for (const y of buffers.slice(k + 1)) {
        const other = y as typeof at
        const together = at.lower < other.upper && other.lower < at.upper
        expect(together && at.offset < other.offset + other.size && other.offset < at.offset + at.size).toBe(false)
      }
    }
  })

  it('saves a picture', async () => {
    const page = await stay()
    await page.getByRole('button', { name: 'Export' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: /^PNG/ }).click(),
    ])
    const bytes = await readFile(await download.path())
    expect(bytes.subarray(1, 4).toString()).toBe('PNG')
    expect(bytes.length).toBeGreaterThan(2000)
  })
})

describe('the rest of the page', () => {
  it('makes random problems from a seed', async () => {
    const page = await stay()
    await page.locator('#setup').getByRole('button', { name: 'Random…' }).click()
    await page.getByRole('textbox', { name: 'Buffers' }).fill('12')
    await page.getByRole('button', { name: 'Make and run' }).click()
    await page.getByText('12 buffers').waitFor()
    await ended(page)
    expect(await totalSteps(page)).toBeGreaterThan(0)
  })

  it('shows counts and buffers, and finds one', async () => {
    const page = await stay()
    await load(page, SMALL)
    await page.getByText('6 buffers').waitFor()
    await runIt(page)
    await page.keyboard.press('3')
    await page.getByText('Candidates skipped').waitFor()
    await page.keyboard.press('/')
    await page.getByLabel('Find by id').fill('c')
    await page.getByText('1 of 6').waitFor()
    expect(await page.getByRole('grid', { name: 'Buffers' }).getByRole('row').count()).toBe(2)
    await page.keyboard.press('Enter')
    await page.locator('.row-pinned').waitFor()
  })

  it('runs every solver on every example without an error', { timeout: 240_000 }, async () => {
    const page = await stay()
    const solvers = await page.getByRole('combobox', { name: 'Solver' }).locator('option').count()
    expect(solvers).toBeGreaterThan(1)
    for (let k = 0; k < solvers; k++) {
      await page.getByRole('combobox', { name: 'Solver' }).selectOption({ index: k })
      await runIt(page)
      for (const step of [1, Math.ceil((await totalSteps(page)) / 2)]) {
        await goTo(page, step)
        expect(await page.locator('.prose').first().textContent()).not.toMatch(/undefined|NaN/)
      }
    }
  })
})
