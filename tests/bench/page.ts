/** What the page's bench measures. Every figure is taken from outside or by the browser's own clock: the page has no code for it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { Bench, calm, ended, hardSearch, runIt, totalSteps } from '../e2e/support/browser'
import { firstDrawn, firstStep, OF_EACH_FAMILY } from '../e2e/support/feel'
import { tasksDuring } from '../e2e/support/long_tasks'
import { makeCore } from '../wasm/support'

export interface Figure {
  figure: string
  /** milliseconds */
  times: number[]
  /** how far the slowest that count are from the middle: all of them, or all but five in a hundred */
  far: 'max' | 'p95'
  target: string
}

interface Counts {
  visits: number
  seeks: number
}

const STEPS = 10_000_000
/** Buffers of a problem as people have them most of the time. */
const SOME = 300
const FRAMES = 150
/** Of few frames a second: no longer than this for one figure, in milliseconds. */
const LONGEST = 20_000
const PATIENCE = 600_000

async function first(bench: Bench, { visits }: Counts): Promise<Figure[]> {
  const all: Awaited<ReturnType<typeof firstDrawn>>[] = []
  for (let k = 0; k < visits; k++) all.push(await firstDrawn(bench))
  const row = (figure: string, times: number[], target: string): Figure => ({ figure, times, far: 'max', target })
  return [
    row(
      `first page drawn, ${visits} visits`,
      all.map((one) => one.drawn),
      '1,000 ms',
    ),
    row(
      'its race moves',
      all.map((one) => one.moving),
      '2,000 ms',
    ),
  ]
}

/** Each solver with a module that was not fetched before. */
async function run(bench: Bench, { visits }: Counts): Promise<Figure[]> {
  const rows: Figure[] = []
  for (const solver of OF_EACH_FAMILY) {
    const times: number[] = []
    for (let k = 0; k < visits; k++) {
      const { page } = await bench.visit()
      await ended(page)
      // whoever presses Run has looked at the page, which fetches in its first second what it did not need to be drawn
      await calm(page)
      times.push(await firstStep(page, solver))
      await page.context().close()
    }
    rows.push({ figure: `first step of ${solver} after Run`, times, far: 'max', target: '150 ms' })
  }
  return rows
}

/** Presses of Run in a visit. */
const PRESSES = 6

/** Asks how many milliseconds of the processor the page's own thread has had. */
async function pageThread(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
  }
}

/** Run pressed again and again: the first time after a problem was opened, and later. */
async function press(bench: Bench, { visits }: Counts): Promise<Figure[]> {
  const shown: [number[], number[]] = [[], []]
  const own: [number[], number[]] = [[], []]
  for (let k = 0; k < visits; k++)
    await withNetwork(SOME, async (file) => {
      const { page } = await bench.visit()
      await ended(page)
      await openFile(page, file, SOME)
      await calm(page)
      const had = await pageThread(page)
      for (let n = 0; n < PRESSES; n++) {
        const before = await had()
        shown[n > 0 ? 1 : 0].push(await firstStep(page, 'exact'))
        await calm(page)
        own[n > 0 ? 1 : 0].push((await had()) - before)
      }
      await page.context().close()
    })
  const row = (figure: string, times: number[], target = ''): Figure => ({ figure, times, far: 'max', target })
  return [
    row(`first press of Run, ${SOME} buffers: shown`, shown[0]),
    row('later presses: shown', shown[1]),
    row("first press: the page's thread works", own[0], 'twice that of a later one'),
    row("later presses: the page's thread works", own[1]),
  ]
}

/** From Enter in the step's field until what is said beside the canvas is of that step, and the frame with it has been drawn. */
function seekTo(page: Page, step: number): Promise<number> {
  return page.evaluate(async (to) => {
    const field = document.querySelector<HTMLInputElement>('.step-field input')
    if (field === null) throw new Error('there is no field of the step')
    const label = `step ${to.toLocaleString('en')}`
    // what the seek before left to do has been done after the second frame
    const frames = async (count: number) => {
      for (let k = 0; k < count; k++) await new Promise((resolve) => requestAnimationFrame(resolve))
    }
    await frames(3)
    field.focus()
    field.value = String(to)
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))
    await frames(3)
    const from = performance.now()
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
    const shown = () => [...document.querySelectorAll('.tab-panel *')].some((node) => node.textContent === label)
    while (!shown()) {
      if (performance.now() - from > 30_000) throw new Error(`step ${to} was not shown`)
      await frames(1)
    }
    return performance.now() - from
  }, step)
}

function randomSteps(count: number, steps: number): number[] {
  let state = 1
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return 1 + Math.floor((state / 2 ** 32) * (steps - 1))
  })
}

async function seek(bench: Bench, { seeks }: Counts): Promise<Figure[]> {
  const { page } = await bench.visit()
  page.setDefaultTimeout(PATIENCE)
  await ended(page)
  await hardSearch(page)
  await runIt(page)
  const steps = await totalSteps(page)
  if (steps !== STEPS) throw new Error(`the search took ${steps} steps`)
  const times: number[] = []
  for (const step of randomSteps(seeks, STEPS)) times.push(await seekTo(page, step))
  await page.context().close()
  return [{ figure: `seek in 10,000,000 steps, ${seeks} of them`, times, far: 'max', target: '100 ms' }]
}

interface Turn {
  /** of each frame: how far the wheel turns, and whether it pans */
  delta: number
  pan: boolean
}

/** Milliseconds between frames, while the wheel is turned in each of them, or while nothing is done but look. */
function frameTimes(page: Page, turns: Turn[]): Promise<number[]> {
  return page.evaluate(
    async ({ turns, longest }) => {
      const canvas = document.querySelector('.memory [role=img]')
      if (canvas === null) throw new Error('there is no canvas')
      const box = canvas.getBoundingClientRect()
      const at = {
        clientX: box.left + box.width / 2,
        clientY: box.top + box.height / 2,
        bubbles: true,
        cancelable: true,
      }
      const next = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
      const times: number[] = []
      const begin = await next()
      let last = begin
      for (const { delta, pan } of turns) {
        if (delta !== 0) canvas.dispatchEvent(new WheelEvent('wheel', { ...at, deltaY: delta, shiftKey: pan }))
        const now = await next()
        times.push(now - last)
        last = now
        if (now - begin > longest) break
      }
      return times
    },
    { turns, longest: LONGEST },
  )
}

const turns = (pan: boolean, delta: (k: number) => number): Turn[] =>
  Array.from({ length: FRAMES }, (_, k) => ({ delta: delta(k), pan }))

/** In and out again, all the way. */
const ZOOMING = turns(false, (k) => (k < FRAMES / 2 ? -100 : 100))
/** From a tenth of the time, to and fro. */
const CLOSER = turns(false, () => -100).slice(0, 15)
const PANNING = turns(true, (k) => (k % 60 < 30 ? 25 : -25))
const WATCHING = turns(false, () => 0)

/** A network of so many buffers in a file, as people have it. */
async function withNetwork<T>(count: number, use: (file: string) => Promise<T>): Promise<T> {
  const core = await makeCore()
  const { csv, capacity } = core.generate('network', count, 1)
  core.free()
  const folder = mkdtempSync(join(tmpdir(), 'arenascope-'))
  const file = join(folder, `network.${capacity}.csv`)
  try {
    writeFileSync(file, csv)
    return await use(file)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Until the page says how many there are, seen in the frame that says it: a locator looks every half second, once it has waited for one. */
async function openFile(page: Page, file: string, count: number): Promise<void> {
  const said = page.waitForFunction(
    (text) => [...document.querySelectorAll('.section-note')].some((note) => note.textContent?.includes(text)),
    `${count.toLocaleString('en')} buffers`,
    { polling: 'raf' },
  )
  await page.locator('#setup input[type=file]').setInputFiles(file)
  await said
}

/** It is placed by a solver that takes one step for each buffer. */
function openNetwork(bench: Bench, count: number): Promise<Page> {
  return withNetwork(count, async (file) => {
    const { page } = await bench.visit()
    page.setDefaultTimeout(PATIENCE)
    await ended(page)
    await openFile(page, file, count)
    await page.getByRole('combobox', { name: 'Solver' }).selectOption('bfc')
    await runIt(page)
    return page
  })
}

/** How long opening, running, seeking and playing take, and hold the page. */
async function tasksOf(bench: Bench, count: number, { seeks }: Counts): Promise<Figure[]> {
  const { page } = await bench.visit()
  page.setDefaultTimeout(PATIENCE)
  await ended(page)
  // what is fetched meanwhile is another's work
  await calm(page)
  const counted = count.toLocaleString('en')
  const rows: Figure[] = []
  const measure = async (what: string, target: string, act: () => Promise<number[]>) => {
    let times: number[] = []
    const tasks = await tasksDuring(bench.browser, page, async () => {
      times = await act()
      await page.waitForTimeout(1000)
    })
    if (times.length > 0) rows.push({ figure: `${what}, ${counted} buffers`, times, far: 'max', target })
    rows.push({ figure: `longest task while ${what}`, times: [Math.max(...tasks)], far: 'max', target: '50 ms' })
  }
  await withNetwork(count, (file) =>
    measure('opening', '2,000 ms', async () => {
      const from = performance.now()
      await openFile(page, file, count)
      return [performance.now() - from]
    }),
  )
  await page.getByRole('combobox', { name: 'Solver' }).selectOption('first-fit')
  await measure('running', '', async () => {
    const from = performance.now()
    await runIt(page)
    return [performance.now() - from]
  })
  await measure('seeking', '100 ms', async () => {
    const times: number[] = []
    for (const step of randomSteps(seeks, count)) times.push(await seekTo(page, step))
    return times
  })
  await measure('playing', '', async () => {
    await page.getByRole('slider', { name: 'Speed' }).fill('50')
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    await page.getByRole('button', { name: 'Play' }).click()
    await page.waitForTimeout(3000)
    await page.keyboard.press('Space')
    return []
  })
  await page.context().close()
  return rows
}

async function framesOf(bench: Bench, count: number, target: string): Promise<Figure[]> {
  const page = await openNetwork(bench, count)
  const rows: Figure[] = []
  const measure = async (what: string, moves: Turn[]) => {
    const times = await frameTimes(page, moves)
    rows.push({ figure: `${what}, ${count.toLocaleString('en')} buffers`, times, far: 'p95', target })
  }
  await measure('zooming', ZOOMING)
  await frameTimes(page, CLOSER)
  await measure('panning', PANNING)
  await page.locator('.memory [role=img]').dblclick()
  await page.getByRole('slider', { name: 'Speed' }).fill('40')
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.getByRole('button', { name: 'Play' }).click()
  await measure('playing 10,000 steps/s', WATCHING)
  await page.context().close()
  return rows
}

const PARTS: Record<string, (bench: Bench, counts: Counts) => Promise<Figure[]>> = {
  first,
  run,
  press,
  seek,
  frames: (bench) => framesOf(bench, 60_000, '16.7 ms (60 a second)'),
  million: (bench) => framesOf(bench, 1_000_000, '50 ms (20 a second)'),
  tasks: (bench, counts) => tasksOf(bench, 1_000_000, counts),
}

/** The figures of these parts. */
export async function measurePage(parts: string[], counts: Counts): Promise<Figure[]> {
  const bench = await Bench.start()
  try {
    const rows: Figure[] = []
    for (const name of parts) rows.push(...((await PARTS[name]?.(bench, counts)) ?? []))
    return rows
  } finally {
    await bench.stop()
    await bench.browser.close()
  }
}
