/** Models: dropped, placed in a chip's memory, solved; the peak found, the graph looked at, the plan taken home. */
import { gzipSync } from 'node:zlib'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { fromBytes } from '../../../web/src/import/source'
import { TfliteFile } from '../../../web/src/import/tflite/file'
import { type ModelSpec, two, words, writeTflite } from '../../import/tflite/writer'
import { violations } from '../support/axe'
import { calm, ended, load, outcome, pixels, runIt, visitor } from '../support/browser'
import { wear } from '../support/themes'

const { visit, arrive, stay } = visitor()

/** A stem, two branches, and their sum: 4,096 bytes into the branches of 2,048 and 4,096. */
const BRANCHES: ModelSpec = {
  description: 'branches',
  subgraphs: [
    {
      tensors: [
        { name: 'image', shape: [1, 16, 16, 4] },
        { name: 'weights', shape: [16, 3, 3, 4], buffer: 1 },
        { name: 'stem', shape: [1, 16, 16, 16] },
        { name: 'left', shape: [1, 16, 16, 16] },
        { name: 'right', shape: [1, 16, 16, 16] },
        { name: 'sum', shape: [1, 16, 16, 16] },
        { name: 'classes', shape: [1, 10] },
      ],
      inputs: [0],
      outputs: [6],
      ops: [
        { type: 'CONV_2D', inputs: [0, 1], outputs: [2] },
        { type: 'DEPTHWISE_CONV_2D', inputs: [2], outputs: [3] },
        { type: 'CONV_2D', inputs: [2], outputs: [4] },
        { type: 'ADD', inputs: [3, 4], outputs: [5] },
        { type: 'FULLY_CONNECTED', inputs: [5], outputs: [6] },
      ],
    },
  ],
  buffers: [new Uint8Array(576)],
}
/** Two branches that are wide before they are narrow, both widened first: 9,216 bytes; one after the other 6,144. */
const CROSSED: ModelSpec = {
  description: 'crossed',
  subgraphs: [
    {
      tensors: [
        { name: 'image', shape: [1, 16, 16, 4] },
        { name: 'wide left', shape: [1, 16, 16, 16] },
        { name: 'wide right', shape: [1, 16, 16, 16] },
        { name: 'left', shape: [1, 16, 16, 4] },
        { name: 'right', shape: [1, 16, 16, 4] },
        { name: 'sum', shape: [1, 16, 16, 4] },
      ],
      inputs: [0],
      outputs: [5],
      ops: [
        { type: 'CONV_2D', inputs: [0], outputs: [1] },
        { type: 'CONV_2D', inputs: [0], outputs: [2] },
        { type: 'CONV_2D', inputs: [1], outputs: [3] },
        { type: 'CONV_2D', inputs: [2], outputs: [4] },
        { type: 'ADD', inputs: [3, 4], outputs: [5] },
      ],
    },
  ],
}
/** The same with a plan of its own, in which nothing shares anything: image 0, stem 1024, … */
const PLANNED: ModelSpec = {
  ...BRANCHES,
  buffers: [new Uint8Array(576), words(1, 1, 7, 0, -1, 1024, 5120, 9216, 13312, 17408)],
  metadata: [{ name: 'OfflineMemoryAllocation', buffer: 2 }],
}

/** As if dragged from a folder. */
async function drop(page: Page, bytes: Uint8Array, name: string): Promise<void> {
  const data = await page.evaluateHandle(
    ([content, name]) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([Uint8Array.from(content)], name))
      return transfer
    },
    [[...bytes], name] as const,
  )
  await page.dispatchEvent('.app', 'drop', { dataTransfer: data })
  await page.locator('.file-name').getByText(name).waitFor()
  // it is answered at once
  await calm(page)
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click()
const fact = (page: Page, part: string, name: string) =>
  page.locator(`section[aria-labelledby=${part}] .fact`, { hasText: name }).locator('dd').textContent()

/** What an entry of the Export menu gives. */
async function exported(page: Page, entry: string): Promise<Buffer> {
  await page.getByRole('button', { name: 'Export' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: new RegExp(`^${entry}`) }).click(),
  ])
  return readFile(await download.path())
}

describe('a model', () => {
  it('is dropped, placed in a chip, solved, understood and taken home', async () => {
    const page = await stay()
    await drop(page, writeTflite(PLANNED), 'branches.tflite')
    await page.getByText('7 tensors, 5 operators').waitFor()
    // the solver that told the example's story stays behind
    expect(await page.getByRole('combobox', { name: 'Solver' }).inputValue()).toBe('exact')

    await page.locator('.profile-button').click()
    await page.getByLabel('Find a profile').fill('ethos')
    await page.keyboard.press('Enter')
    await page.locator('input[type=radio]:focus').waitFor({ state: 'attached' })
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await runIt(page)
    expect(await outcome(page)).toMatch(/Optimal|Feasible/)

    // three tensors of 4,096 bytes at the second convolution, and again at the sum
    await button(page, /^peak at operator 2: 12 KiB/).click()
    await page.locator('.peak-row').nth(2).waitFor()
    expect(await page.locator('.peak-row').count()).toBe(3)
    await page.locator('.peak-row', { hasText: 'left' }).getByText('DEPTHWISE_CONV_2D').waitFor()
    await page.locator('.peak-row', { hasText: 'left' }).getByText('1×16×16×16 int8').waitFor()
    expect(await fact(page, 'fit-head', 'Required')).toBe('12 KiB')

    // the plan of the file beside ours
    expect(await fact(page, 'given-head', 'Its height')).toBe('17 KiB')
    expect(await fact(page, 'given-head', 'Our height')).toBe('12 KiB')
    const ours = await pixels(page)
    await page.getByLabel('Show it on the canvas').check()
    await calm(page)
    expect(await pixels(page)).not.toEqual(ours)
    await page.getByLabel('Show it on the canvas').uncheck()

    const model = new Uint8Array(await exported(page, 'TFLite model'))
    const file = new TfliteFile(fromBytes(model))
    expect(file.subgraphs()[0]?.tensors.map(({ name }) => name)).toContain('stem')
    expect(file.metadata().map(({ name }) => name)).toEqual(['OfflineMemoryAllocation'])
    expect(String(await exported(page, 'C header'))).toContain('#define BRANCHES_ARENA_BYTES 12288ul')
    expect(String(await exported(page, 'TFLite Micro BufferPlan'))).toContain('kArenascopeBufferPlan')
  })

  it('is linked with its operators both ways, on the strip and in the graph', async () => {
    const page = await stay()
    await drop(page, writeTflite(BRANCHES), 'linked.tflite')
    await runIt(page)
    await calm(page)
    const plain = await pixels(page)
    const strip = page.locator('.op-strip [role=img]')
    await strip.focus()
    await page.keyboard.press('End')
    await expect.poll(() => strip.getAttribute('aria-label')).toContain('4, FULLY_CONNECTED')
    await calm(page)
    expect((await pixels(page))[1]).not.toBe(plain[1])
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => strip.getAttribute('aria-label')).toContain('3, ADD')

    await tab(page, 'Graph')
    const graph = page.locator('.graph-canvas [role=img]')
    await expect.poll(() => graph.getAttribute('aria-label')).toContain('Graph of 5 operators: ADD')
    await graph.focus()
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => strip.getAttribute('aria-label')).toContain('1, DEPTHWISE_CONV_2D')
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => strip.getAttribute('aria-label')).toContain('0, CONV_2D')
    const box = await page.locator('.op-strip').boundingBox()
    await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + 12)
    await page.locator('.tooltip').getByText('runs at').waitFor()

    // taken home in the order of COSMA's plan, and opened again with that
    await drop(page, writeTflite(CROSSED), 'crossed.tflite')
    await page.getByRole('combobox', { name: 'Solver' }).selectOption('cosma')
    await page.getByRole('textbox', { name: 'Capacity' }).fill('6144')
    await page.getByRole('textbox', { name: 'Capacity' }).press('Enter')
    await page.getByRole('complementary', { name: 'Offer' }).waitFor()
    await runIt(page)
    await page.getByText('5 of 5 operators in order').waitFor()
    await page.getByRole('complementary', { name: 'Offer' }).waitFor({ state: 'detached' })
    await drop(page, new Uint8Array(await exported(page, 'TFLite model')), 'planned.tflite')
    await tab(page, 'Model')
    expect(await fact(page, 'fit-head', 'Required')).toBe('6 KiB')
    expect(await fact(page, 'given-head', 'Its height')).toBe('6 KiB')
    expect(await fact(page, 'given-head', 'Placed')).toBe('6 of 6')
  })

  it('is lowered again at once when an option changes, and compared with another way', async () => {
    const page = await arrive()
    await drop(page, writeTflite(BRANCHES), 'branches.tflite')
    await runIt(page)
    await page.getByText('From graph to buffers').click()
    await page.locator('#setup').getByLabel('Constants').selectOption('resident')
    await page.getByText('1 changed').waitFor()
    await ended(page)
    // 576 bytes of weights, alive all the time
    await button(page, /^peak at operator 2: 12.6 KiB/).click()
    await page.locator('.peak-row', { hasText: 'weights' }).waitFor()
    await button(page, 'Compare…').click()
    await page.locator('.lowerings-side').nth(1).getByLabel('Constants').selectOption('out')
    const row = page.locator('.lowerings-table tr', { hasText: 'Peak load' })
    await row.getByText('−4.48 %').waitFor()
    await button(page, 'Use the second').click()
    await button(page, /^peak at operator 2: 12 KiB/).waitFor()
  })

  it('travels in a link with its graph and options, and one of ours by its name', async () => {
    const page = await stay()
    await drop(page, writeTflite(BRANCHES), 'branches.tflite')
    await runIt(page)
    await button(page, 'Share').click()
    const own = await page.getByLabel('Link', { exact: true }).inputValue()
    await page.keyboard.press('Escape')

    await page.locator('.header .select-button').click()
    await page.getByRole('menuitem', { name: /Models/ }).click()
    await button(page, 'Open DARTS, second order').click()
    await ended(page)
    await page.getByText('Over capacity').first().waitFor()
    await button(page, 'Share').click()
    const zoo = await page.getByLabel('Link', { exact: true }).inputValue()
    expect(zoo.length).toBeLessThan(600)

    for (const [link, name] of [
      [own, 'branches.tflite'],
      [zoo, 'DARTS, second order'],
    ] as const) {
      const there = await visit(link.slice(link.indexOf('#')))
      await there.getByText('Reproduced exactly').waitFor()
      await there.locator('.file-name').getByText(name).waitFor()
    }
  })

  it('asks for what its file leaves open, and refuses a broken one without losing what is there', async () => {
    const page = await arrive()
    const open: ModelSpec = {
      description: 'open',
      subgraphs: [
        {
          tensors: [
            { name: 'image', shape: [1, 16, 16, 4], signature: [-1, 16, 16, 4] },
            { name: 'positive', shape: [1, 16, 16, 4], signature: [-1, 16, 16, 4] },
          ],
          inputs: [0],
          outputs: [1],
          ops: [{ type: 'RELU', inputs: [0], outputs: [1] }],
        },
      ],
    }
    const whole = writeTflite(BRANCHES)
    await page.setInputFiles('input[type=file]', {
      name: 'cut.tflite',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(whole.subarray(0, whole.length / 2)),
    })
    await page.locator('.importing').getByText('cut.tflite').waitFor()
    await page.locator('.file-name').getByText('.csv').waitFor()
    await page.setInputFiles('input[type=file]', {
      name: 'open.tflite',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(writeTflite(open)),
    })
    await button(page, 'Read with these').click()
    await page.locator('.file-name').getByText('open.tflite').waitFor()
  })

  it('may come as a log of TFLite Micro, whose plan is shown beside ours', async () => {
    const page = await stay()
    const rows = [
      [4096, 0, 0, 1],
      [4096, 4096, 1, 2],
      [4096, 12288, 2, 3],
    ]
    const log = rows
      .map(
        ([size, at, first, last], k) =>
          `I: (id=${k}): size=${size}, offset=${at}, first_used=${first} last_used=${last}`,
      )
      .join('\n')
    // of several members, as a log that is appended to
    const members = ['app-1  | planning\n', log].map((text) => gzipSync(text))
    const buffer = Buffer.concat(members)
    const file = { name: 'plan.log.gz', mimeType: 'application/gzip', buffer }
    await page.setInputFiles('input[type=file]', { ...file, buffer: buffer.subarray(0, -9) })
    await page.getByText(/cannot be unpacked: (?!Failed to fetch)/).waitFor()
    await page.setInputFiles('input[type=file]', file)
    await page.getByText('3 buffers').waitFor()
    await runIt(page)
    await tab(page, 'Stats')
    expect(await fact(page, 'given-head', 'Its height')).toBe('16 KiB')
    expect(await fact(page, 'given-head', 'Our height')).toBe('8 KiB')
    await page.getByText('Ours is 50.00 % lower.').waitFor()
  })

  it('is pasted as JSON as well', async () => {
    // of its own: a module whose worker was ended while it came is never heard to have come, and loading waits for it
    const page = await arrive()
    const graph = {
      tensors: [
        { id: 'a', shape: [4, 8], dtype: 'float16', kind: 'input' },
        { id: 'b', shape: [4, 8], dtype: 'float16' },
        { id: 'c', shape: [4, 2], dtype: 'float16', kind: 'output' },
      ],
      ops: [
        { id: 'one', type: 'Relu', inputs: ['a'], outputs: ['b'] },
        { id: 'two', type: 'MatMul', inputs: ['b'], outputs: ['c'] },
      ],
    }
    await load(page, JSON.stringify(graph))
    await page.getByText('3 tensors, 2 operators').waitFor()
    await button(page, /^peak at operator 0: 128$/).waitFor()
  })

  it.each(['dark', 'light'] as const)('can be used by everybody (%s)', async (theme) => {
    const page = await stay()
    await wear(page, theme)
    await drop(page, writeTflite(PLANNED), `${theme}.tflite`)
    await runIt(page)
    const places: (() => Promise<unknown>)[] = [
      () => tab(page, 'Model'),
      () => tab(page, 'Graph').then(() => page.locator('.graph-canvas').waitFor()),
      () => tab(page, 'Model').then(() => button(page, 'Compare…').click()),
      () => page.locator('.lowerings-table .pill').nth(1).waitFor(),
    ]
    for (const go of places) {
      await go()
      expect(await violations(page)).toEqual([])
    }
  })

  it('runs another signature, with scratch that is known of it; dropped before the solvers are there', async () => {
    const page = await visit('', {}, (page) =>
      page.route(/\.wasm/, async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 700))
        await route.continue()
      }),
    )
    await drop(page, writeTflite(two), 'two.tflite')
    const tensors = page.getByText(/^\d+ tensors, /)
    const form = page.locator('details', { hasText: 'From graph to buffers' })
    if ((await form.getAttribute('open')) === null) await form.locator('summary').click()
    await form.getByLabel('Runs').selectOption('encode')
    // it is read again, and the form is of what came of that
    await form.locator('datalist option[value="EXP"]').waitFor({ state: 'attached' })
    await form.getByLabel('Operator, or kind of operator').fill('EXP')
    await form.getByLabel('Bytes of scratch').fill('1 KiB')
    await form.getByRole('button', { name: 'Add', exact: true }).click()
    await form.getByText('1,024 B').waitFor()
    await expect.poll(() => tensors.textContent()).toMatch(/^3 tensors, 1 operator/)
    await form.getByText(/no arena below [\d,]+ bytes runs/).waitFor()
  })
})
