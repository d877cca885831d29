/**
 * The page under a user who never rests: rounds of the same work, each of which ends where the one before ended. No error, and no growth: what
 * is held at the end of a round does not rise from the first third of the rounds to the last (law.ts).
 */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import {
  ended,
  goTo,
  hardSearch,
  load,
  openExample,
  runIt,
  SMALL,
  stepShown,
  totalSteps,
  visitor,
} from '../e2e/support/browser'
import { grown } from './law'
import { type Held, watchMemory } from './memory'

/** How long to go on after the rounds that each soak has: `build.sh soak` says it, a run of all tests does not. */
const SECONDS = Number(process.env.ARENASCOPE_SOAK ?? 0)
/** At least so many, however slow the machine: a third of those after the first two is what the law compares with another third. */
const LEAST_ROUNDS = SECONDS > 0 ? 12 : 8
const SIZES = [
  { width: 1920, height: 1080 },
  { width: 800, height: 900 },
  { width: 390, height: 844 },
  { width: 1280, height: 720 },
] as const
const SOLVERS = ['exact', 'telamalloc', 'greedy', 'contention', 'minimalloc']
/**
 * By what share a figure may breathe, and by how much each round may raise it: by the texts and problems that can be undone (the page keeps 200
 * states, the browser a thousand edits of fields, with their nodes and what these listen for) and, in the worker, by code that is compiled late.
 * What a round goes through is far more: hundreds of frames, a dozen problems, every panel several times.
 */
const ROOM: Record<keyof Held, [share: number, perRound: number]> = {
  page: [0.02, 10_000],
  arrays: [0.03, 10_000],
  nodes: [0.03, 15],
  listeners: [0.03, 4],
  worker: [0.03, 20_000],
  wasm: [0, 0],
  workers: [0, 0],
}

const { arrive } = visitor({ reducedMotion: 'no-preference', whole: true })

async function playSome(page: Page): Promise<void> {
  await page.getByRole('slider', { name: 'Speed' }).fill('50')
  // else Home is the slider's
  await page.getByRole('slider', { name: 'Speed' }).blur()
  await page.keyboard.press('Home')
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await expect.poll(() => stepShown(page), { timeout: 30_000 }).toBeGreaterThan(0)
  // a short search is at its end by now
  await page.evaluate(() => document.querySelector<HTMLElement>('.transport [aria-label=Pause]')?.click())
  // a step that is typed while the search still plays would be typed over
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
  const total = await totalSteps(page)
  for (const part of [0.1, 0.9, 0.5, 0.33, 1]) await goTo(page, Math.max(1, Math.floor(total * part)))
}

async function lookAround(page: Page): Promise<void> {
  for (const key of ['2', '3', '1', '+', '+', 'h', 'j', 'k', 'l', '-', '0']) await page.keyboard.press(key)
  const canvas = page.locator('.memory [role=img]')
  const box = await canvas.boundingBox()
  if (box === null) throw new Error('there is no canvas')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  for (const turn of [-300, -300, 300, 300]) await page.mouse.wheel(0, turn)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width / 3, box.y + box.height / 3, { steps: 5 })
  await page.mouse.up()
  await page.keyboard.press('0')
  await page.keyboard.press('Escape')
}

async function resize(page: Page): Promise<void> {
  for (const size of SIZES) {
    await page.setViewportSize(size)
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    await page.keyboard.press('ArrowLeft')
  }
  for (let k = 0; k < 2; k++) await page.keyboard.press('t')
}

async function solveAll(page: Page): Promise<void> {
  for (const id of SOLVERS) {
    await page.getByRole('combobox', { name: 'Solver' }).selectOption(id)
    await runIt(page)
    await page.keyboard.press('End')
  }
}

async function cancelled(page: Page): Promise<void> {
  await hardSearch(page)
  // without a budget it ends only here
  await page.getByLabel('Budget', { exact: true }).fill('0')
  await page.getByLabel('Budget', { exact: true }).press('Enter')
  await page.locator('.run-button').click()
  await page.getByText(/steps\/s/).waitFor()
  await page.keyboard.press('Escape')
  await ended(page)
}

async function dialogs(page: Page): Promise<void> {
  await page.keyboard.press('?')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Share' }).click()
  await page.getByLabel('Link', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
}

async function round(page: Page): Promise<void> {
  await load(page, SMALL)
  await page.getByText('6 buffers').waitFor()
  await solveAll(page)
  await playSome(page)
  await cancelled(page)
  await playSome(page)
  await lookAround(page)
  await openExample(page, 'Ten buffers')
  await playSome(page)
  await resize(page)
  await dialogs(page)
  await openExample(page, 'Section bound')
  await goTo(page, 6)
}

it(
  `plays, seeks, resizes and switches for ${LEAST_ROUNDS} rounds and ${SECONDS} seconds without an error and without growth`,
  async () => {
    const page = await arrive()
    const held = await watchMemory(page)
    const rounds: Held[] = []
    const end = Date.now() + SECONDS * 1000
    while (rounds.length < LEAST_ROUNDS || Date.now() < end) {
      await round(page)
      rounds.push(await held())
    }
    const verdicts = (Object.keys(ROOM) as (keyof Held)[]).map((name) => {
      const figures = rounds.map((one) => one[name])
      return { name, ...grown(figures, ...ROOM[name]) }
    })
    for (const { name, from, to } of verdicts)
      console.log(`${name.padEnd(10)}${from.toLocaleString('en').padStart(12)} ${to.toLocaleString('en').padStart(12)}`)
    console.log(`${rounds.length} rounds`)
    expect(verdicts.filter((verdict) => verdict.grown)).toEqual([])
  },
  SECONDS * 4000 + 600_000,
)
