/** What leaves the page: links with their look, the embedded page, figures, films and files. Each is opened again by what it is for. */
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { vectors } from '../../../web/docs/link-format.json'
import type { ArenaScope } from '../../../web/tools/package/element'
import { small, writeTflite } from '../../import/tflite/writer'
import { BUILD } from '../../wasm/support'
import { parseXml } from '../../web/support/xml'
import { violations } from '../support/axe'
import {
  calm,
  goTo,
  linkOf,
  load,
  openExample,
  pixels,
  runIt,
  SMALL,
  stepShown,
  useMiniMalloc,
  visitor,
} from '../support/browser'

const { arrive, visit } = visitor()

async function menu(page: Page, item: RegExp): Promise<void> {
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

async function download(page: Page, act: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const [got] = await Promise.all([page.waitForEvent('download', { timeout: 60_000 }), act()])
  return { name: got.suggestedFilename(), bytes: await readFile(await got.path()) }
}

const press = (page: Page, name: string) => () => page.getByRole('button', { name, exact: true }).click()

async function searchOfSmall(page: Page): Promise<void> {
  await load(page, SMALL)
  await page.getByText('6 buffers').waitFor()
  await useMiniMalloc(page)
  await runIt(page)
}

describe('a search', () => {
  it('is found again from a link and from a file, looked at in the same way', async () => {
    const page = await arrive()
    await searchOfSmall(page)
    const plan = await download(page, () => menu(page, /^JSON/))
    expect(plan.name).toBe('pasted.plan.json')
    const read = JSON.parse(plan.bytes.toString())
    expect(read.buffers.map((row: { id: string }) => row.id)).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
    const tops = read.buffers.map((row: { offset: number; size: number }) => row.offset + row.size)
    expect(Math.max(...tops)).toBe(read.height)
    expect(read.run.solver).toBe('minimalloc')
    await goTo(page, 5)
    await page.getByRole('tab', { name: 'Buffers' }).click()
    await page.getByLabel('Colour').selectOption('lifetime')
    await page.getByRole('button', { name: 'Zoom in' }).click()
    await page.getByRole('button', { name: 'Zoom in' }).click()
    await calm(page)
    const [data] = await pixels(page)
    const search = await download(page, () => menu(page, /^Search file/))
    expect(search.name).toBe('pasted.arenascope.json')
    const link = await linkOf(page)
    expect(link).toMatch(/^#s1\./)
    const other = await visit(link)
    const same = async () => {
      await other.getByRole('tab', { name: 'Buffers', selected: true }).waitFor()
      await other.getByText('Reproduced exactly').waitFor()
      expect(await other.getByLabel('Colour').inputValue()).toBe('lifetime')
      await expect.poll(async () => (await pixels(other))[0], { timeout: 10_000 }).toBe(data)
    }
    await same()
    await other.getByRole('tab', { name: 'Step' }).click()
    await openExample(other, 'Five buffers')
    await other.getByRole('tab', { name: 'Stats' }).click()
    await other.locator('#setup').evaluate((panel, text) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([text], 'x.arenascope.json', { type: 'application/json' }))
      panel.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
    }, search.bytes.toString())
    await same()
    expect(await stepShown(other)).toBe(5)
  })
})

/** Draws an SVG as a browser does, and counts its colours. */
async function coloursOf(page: Page, svg: string): Promise<number> {
  return page.evaluate(async (source) => {
    const image = new Image()
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = image.width
    canvas.height = image.height
    const c = canvas.getContext('2d')
    if (c === null) throw new Error('no canvas')
    c.drawImage(image, 0, 0)
    const { data } = c.getImageData(0, 0, canvas.width, canvas.height)
    const colours = new Set<number>()
    for (let k = 0; k < data.length; k += 4)
      colours.add(((data[k] ?? 0) << 16) | ((data[k + 1] ?? 0) << 8) | (data[k + 2] ?? 0))
    return colours.size
  }, svg)
}

describe('a figure', () => {
  it('is saved as SVG, PNG and TikZ of the size that was chosen', async () => {
    const page = await arrive()
    for (let k = 0; k < 4; k++) await page.getByRole('button', { name: 'Zoom in' }).click()
    await menu(page, /^Figure/)
    const range = page.getByRole('combobox', { name: 'Range' })
    expect(await range.inputValue()).toBe('shown')
    const part = await download(page, press(page, 'Save SVG'))
    await range.selectOption('all')
    await page.getByRole('combobox', { name: 'Size', exact: true }).selectOption('single')
    await page.getByRole('textbox', { name: 'Title' }).fill('A <title> & more')
    await page.getByRole('combobox', { name: 'Theme' }).selectOption('light')
    const svg = await download(page, press(page, 'Save SVG'))
    expect(svg.name).toMatch(/^rule-section\.minimalloc\.step-\d+\.svg$/)
    const root = parseXml(svg.bytes.toString())
    expect(root.attributes.width).toBe('88mm')
    const words = svg.bytes.toString()
    const tiles = (text: string) => text.match(/<rect/g)?.length ?? 0
    expect(tiles(words)).toBeGreaterThan(tiles(part.bytes.toString()))
    for (const part of ['Time (logical steps)', 'Offset (bytes)', 'A &lt;title&gt; &amp; more', 'capacity 15'])
      expect(words).toContain(`>${part}<`)
    const blank = await page.context().newPage()
    expect(await coloursOf(blank, words)).toBeGreaterThan(20)
    const again = await download(page, press(page, 'Save SVG'))
    expect(again.bytes.equals(svg.bytes)).toBe(true)
    const tex = await download(page, press(page, 'Save TikZ'))
    expect(tex.name).toMatch(/\.tex$/)
    expect(tex.bytes.toString()).toContain('\\begin{tikzpicture}')
    await page.getByRole('combobox', { name: 'Pixels of the PNG' }).selectOption('2')
    const png = await download(page, press(page, 'Save PNG'))
    expect(png.bytes.subarray(1, 4).toString()).toBe('PNG')
    expect([png.bytes.readUInt32BE(16), png.bytes.readUInt32BE(20)]).toEqual([732, 528])
    await page.getByRole('combobox', { name: 'Theme' }).selectOption('dark')
    const dark = await download(page, press(page, 'Save SVG'))
    expect(dark.bytes.toString()).toContain('#0B0D0F')
    expect(await violations(page)).toEqual([])
  })
})

/** Plays a film where no policy of the page stands in the way: its length, its size, and pictures at shares of it. */
async function watched(page: Page, film: Buffer, shares: number[], type = 'video/webm') {
  const blank = await page.context().newPage()
  return blank.evaluate(
    async ([source, at, kind]) => {
      const video = document.createElement('video')
      const once = (name: string) =>
        new Promise((resolve, reject) => {
          video.addEventListener(name, resolve, { once: true })
          video.addEventListener('error', () => reject(new Error(video.error?.message)), { once: true })
        })
      const bytes = Uint8Array.from(atob(source), (letter) => letter.charCodeAt(0))
      const ready = once('loadeddata')
      video.src = URL.createObjectURL(new Blob([bytes], { type: kind }))
      await ready
      const canvas = document.createElement('canvas')
      canvas.width = video.videoWidth
      canvas.height = video.videoHeight
      const pictures: string[] = []
      for (const share of at) {
        // that it was found does not mean that it is shown
        const there = new Promise((resolve) => video.requestVideoFrameCallback(resolve))
        video.currentTime = share * video.duration
        await there
        canvas.getContext('2d')?.drawImage(video, 0, 0)
        pictures.push(canvas.toDataURL())
      }
      return { duration: video.duration, width: canvas.width, height: canvas.height, pictures }
    },
    [film.toString('base64'), shares, type] as const,
  )
}

describe('a film', () => {
  it('plays the steps that were chosen, and can be called off', async () => {
    const page = await arrive()
    await goTo(page, 3)
    await menu(page, /^Film/)
    const fill = async (name: string, value: string) => {
      await page.getByRole('textbox', { name }).fill(value)
      await page.getByRole('textbox', { name }).press('Enter')
    }
    await fill('First step', '1')
    await fill('Last step', '8')
    await fill('Speed', '4')
    await page.getByText('8 frames, 3.00 s.').waitFor()
    await page.getByRole('combobox', { name: 'Size', exact: true }).selectOption('854x480')
    expect(await violations(page)).toEqual([])
    const film = await download(page, press(page, 'Make film'))
    expect(film.name).toBe('rule-section.minimalloc.steps-1-8.webm')
    const seen = await watched(page, film.bytes, [0.02, 0.2, 0.4, 0.95])
    expect(seen.duration).toBeCloseTo(3, 1)
    expect([seen.width, seen.height]).toEqual([854, 480])
    expect(new Set(seen.pictures).size).toBe(4)
    await page.getByText(/^Saved: 3\.00 s, .* VP9\.$/).waitFor()
    expect(await stepShown(page)).toBe(3)
    await page.getByRole('combobox', { name: 'Format' }).selectOption('mp4')
    const mp4 = await download(page, press(page, 'Make film'))
    expect(mp4.name).toBe('rule-section.minimalloc.steps-1-8.mp4')
    expect(mp4.bytes.toString('latin1', 4, 8)).toBe('ftyp')
    const again = await watched(page, mp4.bytes, [0.02, 0.95], 'video/mp4')
    expect(again.duration).toBeCloseTo(3, 1)
    expect(new Set(again.pictures).size).toBe(2)
    await page.getByRole('combobox', { name: 'Size', exact: true }).selectOption('1920x1080')
    await fill('First step', '0')
    await fill('Last step', '18')
    await page.getByRole('button', { name: 'Make film' }).click()
    // at once: a click of the mouse waits until nothing on the page moves
    await page.getByRole('button', { name: 'Cancel', exact: true }).dispatchEvent('click')
    await page.getByText('Cancelled. Nothing was saved.').waitFor()
    await expect.poll(() => stepShown(page)).toBe(3)
  })
})

/** The address that the embed code leads to, from its # on. */
async function embedOf(page: Page, theme: string): Promise<string> {
  await page.getByRole('button', { name: 'Share' }).click()
  await page.getByRole('combobox', { name: 'Theme' }).selectOption(theme)
  const code = await page.getByLabel('Embed code').inputValue()
  const src = (/ src="([^"]*)"/.exec(code)?.[1] ?? '').replaceAll('&amp;', '&')
  expect(code).toMatch(/^<iframe src="[^"<>]*" width="800" height="520" title="Arenascope: [^"]*"/)
  expect(await violations(page)).toEqual([])
  return src.slice(src.indexOf('#'))
}

/** The wheel belongs to the page around, and with Ctrl to the canvas. */
async function turnWheel(inner: Page): Promise<void> {
  await calm(inner)
  const before = await pixels(inner)
  const box = await inner.locator('.memory').boundingBox()
  if (box === null) throw new Error('no canvas')
  await inner.mouse.move(box.x + box.width / 2, box.y + 4)
  await inner.mouse.wheel(0, -300)
  await calm(inner)
  expect((await pixels(inner))[0]).toBe(before[0])
  await inner.keyboard.down('Control')
  await inner.mouse.wheel(0, -300)
  await inner.keyboard.up('Control')
  await expect.poll(async () => (await pixels(inner))[0]).not.toBe(before[0])
}

/** What a program with the npm packages finds. worker, core: digests. */
interface Packaged {
  outcome: string
  height: number
  core: string
  worker: string
  /** the step that was asked for */
  seen: number
  model: { format: string; count: number }
}

type Use = (given: readonly [csv: string, tflite: readonly number[]]) => Promise<Packaged>

/** That program, in the page around. */
const PACKAGED = `
  globalThis.packaged = Promise.all([import('./npm/browser.js'), import('./npm-models/browser.js')]).then(
    ([{ createClient, load }, { fromBytes, importModel, load: loadModels, NO_ANSWERS, writeGraphCsv }]) => async ([csv, bytes]) => {
      const config = { solver: 'minimalloc', goal: 'fit', capacity: 12, seed: 1, budget: 0, options: {} }
      const core = await load()
      core.open(csv)
      core.start(config)
      while (core.step(1000) === 'running');
      const { stats } = core.result()
      const client = createClient()
      await client.open(csv)
      const run = await client.run(config, () => {})
      client.dispose()
      const { format, graph } = importModel(fromBytes(new Uint8Array(bytes)), 'small.tflite', NO_ANSWERS)
      const seen = core.seek(3, 0, 0).step
      const { problem } = (await loadModels()).openGraph(writeGraphCsv(graph), {})
      const { outcome, height, digest } = stats
      return { outcome, height, core: digest, worker: run.stats.digest, seen, model: { format, count: problem.count } }
    },
  )`

describe('the embedded page', () => {
  it('obeys keys and theme at any size, leaves the wheel to the page around, and leads to all of it', async () => {
    const page = await arrive('', { permissions: ['clipboard-read', 'clipboard-write'] })
    await goTo(page, 5)
    const address = await embedOf(page, 'light')
    await page.getByRole('button', { name: 'Copy as Markdown' }).click()
    await page.getByText('Copied.').waitFor()
    const text = await page.evaluate(() => navigator.clipboard.readText())
    expect(text).toContain('| Solver | MiniMalloc |')
    expect(text).toMatch(/\[Open in Arenascope\]\(http:\S+#s1\.[\w-]+\)/)
    let href = ''
    for (const [width, height] of [
      [800, 520],
      [640, 420],
      [360, 560],
    ] as const) {
      const inner = await visit(address, { viewport: { width, height }, colorScheme: 'dark' })
      await inner.locator('.embed-told .prose').waitFor()
      await inner.getByText('step 5', { exact: true }).waitFor()
      expect(await inner.evaluate(() => document.documentElement.dataset.theme)).toBe('light')
      expect(await inner.locator('.header, .side, #setup').count()).toBe(0)
      const over = await inner.evaluate(() => [
        document.documentElement.scrollWidth - innerWidth,
        document.documentElement.scrollHeight - innerHeight,
      ])
      expect(over).toEqual([0, 0])
      expect((await inner.locator('.memory').boundingBox())?.height ?? 0).toBeGreaterThan(100)
      // R would run it again, from its first step
      await inner.keyboard.press('r')
      await inner.keyboard.press('ArrowRight')
      await inner.getByText('step 6', { exact: true }).waitFor()
      const whole = inner.getByRole('link', { name: 'Open in Arenascope' })
      href = (await whole.getAttribute('href')) ?? ''
      expect(href).toMatch(/#s1\.[\w-]+&step=6$/)
      expect(await whole.getAttribute('target')).toBe('_blank')
      expect(await violations(inner)).toEqual([])
      if (width === 800) await turnWheel(inner)
    }
    const whole = await arrive(href.slice(href.indexOf('#')))
    await whole.getByText('step 6', { exact: true }).waitFor()
    await whole.locator('.header').waitFor()
  })

  it('says so when there is nothing to show', async () => {
    const inner = await visit('#s1.AAAA&embed=1')
    await inner.getByText('There is nothing to show here.').waitFor()
    await inner.getByText('Nothing was loaded.').waitFor()
  })

  it('stands in another page as an element, from which it is told what to show, and which it tells', async () => {
    const csv = readFileSync(new URL('../../../examples/five.csv', import.meta.url), 'utf8')
    const body = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>A course</title>
      <script>var said = []; for (const type of ['ready', 'step', 'result', 'error'])
        addEventListener('DOMContentLoaded', () => document.querySelector('arena-scope').addEventListener(type, ({ detail }) => said.push(detail)))</script>
      <script type="module" src="arenascope-element.js"></script>
      <script type="module">${PACKAGED}</script>
      <arena-scope name="five.csv" capacity="12" solver="minimalloc" step="3" theme="light">${csv}</arena-scope>`
    const host = await visit('course.html', {}, async (page) => {
      await page.route('**/course.html', (route) => route.fulfill({ contentType: 'text/html', body }))
      await page.route(/\/npm(-models)?\/[^/]*$/, (route) => {
        const { pathname } = new URL(route.request().url())
        return route.fulfill({ path: join(BUILD, basename(dirname(pathname)), basename(pathname)) })
      })
    })
    const inner = host.frameLocator('arena-scope iframe')
    await inner.getByText('step 3', { exact: true }).waitFor()
    await inner.getByRole('heading', { name: 'Arenascope: five.csv' }).waitFor()
    const said = () =>
      host.evaluate(() => (globalThis as unknown as { said: { type: string; digest?: string }[] }).said)
    const result = (await said()).find(({ type }) => type === 'arenascope/result')
    expect(result).toMatchObject({ outcome: 'optimal', height: 12, digest: expect.stringMatching(/^[0-9a-f]{16}$/) })
    await host.evaluate(() => (document.querySelector('arena-scope') as ArenaScope).seek(5))
    await inner.getByText('step 5', { exact: true }).waitFor()
    await host.evaluate(() => (document.querySelector('arena-scope') as ArenaScope).open({ solver: 'exact' }))
    await expect.poll(async () => (await said()).at(-1)).toMatchObject({ type: 'arenascope/error' })
    // the npm package beside it, in this thread, in a worker and with a model's file
    const made = await host.evaluate(
      async (given) => (await (globalThis as unknown as { packaged: Promise<Use> }).packaged)(given),
      [csv, [...writeTflite(small)]] as const,
    )
    expect(made).toMatchObject({
      outcome: 'optimal',
      height: 12,
      worker: result?.digest,
      core: result?.digest,
      seen: 3,
    })
    expect(made.model).toEqual({ format: 'tflite', count: 3 })
    // nobody else may speak to it
    await host.frames()[1]?.evaluate(() => postMessage({ type: 'arenascope/seek', step: 1 }, '*'))
    await calm(host)
    await inner.getByText('step 5', { exact: true }).waitFor()
    // a link that was made elsewhere
    const link = vectors.find(({ name }) => name === 'an example')?.fragment ?? ''
    const results = async () => (await said()).filter(({ type }) => type === 'arenascope/result')
    const before = (await results()).length
    await host.evaluate((link) => document.querySelector('arena-scope')?.setAttribute('link', link), link)
    await expect.poll(async () => (await results()).length).toBeGreaterThan(before)
    // the vector's own digests are made up; its problem, solver and capacity are those of the element
    expect((await results()).at(-1)).toMatchObject({ outcome: 'optimal', height: 12, digest: result?.digest })
    // at the element's step, not at the link's
    await inner.getByText('step 3', { exact: true }).waitFor()
  })
})
