/** Nothing on the page moves by itself: not while it comes, and while it plays no more than the words of the step. */
import { describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { ended, totalSteps, visitor } from '../support/browser'

const { visit } = visitor({ reducedMotion: 'no-preference', whole: true })

/** How far the page may move in all while it comes, as the browser scores it: letters of another shape when the fonts are there. */
const FONTS = 0.01

interface Shift {
  score: number
  /** what moved by more than a line's rounding, and where to */
  moved: string[]
  /** whatever moved, as text */
  all: string[]
}

/** Has the browser tell of every shift from here on, also of those that follow an input. */
function watch(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    const shifts: Shift[] = []
    const nameOf = (node: Node) => (node instanceof Element ? node.className : (node.parentElement?.className ?? ''))
    // the words of a step, and the amounts beside heads, are others at each step
    const told = (node: Node) => {
      const element = node instanceof Element ? node : node.parentElement
      return element?.closest('.told, .section-note, .load, .memory') !== null
    }
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number
        sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[]
      })[]) {
        const corner = ({ x, y, width, height }: DOMRectReadOnly) => [x, y, width, height].map(Math.round).join(' ')
        const all = entry.sources.map(
          ({ node, previousRect: from, currentRect: to }) =>
            `${node ? nameOf(node) : 'gone'} ${corner(from)} to ${corner(to)}`,
        )
        const moved = entry.sources
          .filter(({ node, previousRect: from, currentRect: to }) => {
            const far = Math.max(Math.abs(to.x - from.x), Math.abs(to.y - from.y))
            return node !== null && far > 2 && !told(node)
          })
          .map(({ node, currentRect: to }) => `${nameOf(node as Node)} to ${Math.round(to.x)}, ${Math.round(to.y)}`)
        shifts.push({ score: entry.value, moved, all })
      }
    }).observe({ type: 'layout-shift', buffered: true })
    Object.assign(globalThis, { shifts })
  })
}

const taken = (page: Page): Promise<Shift[]> =>
  page.evaluate(() => (globalThis as unknown as { shifts: Shift[] }).shifts.splice(0))

const SIZES: [number, number, object?][] = [
  [1280, 720],
  [1920, 1080],
  [768, 1024],
  [390, 844, { isMobile: true, hasTouch: true }],
]

/** A page that is watched from its first moment on. */
async function arrive(width: number, height: number, more: object = {}): Promise<Page> {
  const page = await visit('', { viewport: { width, height }, ...more }, watch)
  await ended(page)
  return page
}

describe.each(SIZES)('at %i × %i', (width, height, more) => {
  it('stays where it is', async () => {
    const page = await arrive(width, height, more)
    await page.getByRole('button', { name: 'Look for the wrong turn' }).waitFor()
    const coming = await taken(page)
    expect(
      coming.reduce((sum, { score }) => sum + score, 0),
      JSON.stringify(coming),
    ).toBeLessThan(FONTS)
    const button = (name: string) =>
      page.getByRole('toolbar', { name: 'Transport' }).getByRole('button', { name, exact: true })
    // by then the longest sentence of the search has taken its room
    const total = await totalSteps(page)
    await button('Start').click()
    for (let step = 0; step < total; step++) {
      await page.keyboard.press('ArrowRight')
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
    }
    await expect.poll(() => button('End').isDisabled()).toBe(true)
    await button('Start').click()
    await taken(page)
    await button('Play').click()
    await expect.poll(() => button('End').isDisabled()).toBe(true)
    expect((await taken(page)).flatMap((shift) => shift.moved)).toEqual([])
  })
})

const ENDS = SIZES.filter(([width]) => width === 1280 || width === 390)
it.each(ENDS)('the race of a first visit moves nothing but itself, at %i × %i', async (width, height, more) => {
  const page = await visit('', { viewport: { width, height }, ...more, first: true }, watch)
  await page.getByText('and no plan is lower').waitFor()
  const coming = await taken(page)
  expect(
    coming.reduce((sum, { score }) => sum + score, 0),
    JSON.stringify(coming),
    // its headline is larger than any letters of the other pages
  ).toBeLessThan(2 * FONTS)
})

it('gives a step’s words another room without an error, where nothing but they change', async () => {
  const page = await arrive(1280, 720)
  const [before, after] = await page.evaluate(async () => {
    const height = () => document.querySelector('.stack .rows')?.clientHeight ?? 0
    const before = height()
    const words = document.querySelector<HTMLElement>('.told > div')
    Object.assign(words?.style ?? {}, { width: '50%', height: '10px', overflow: 'hidden' })
    for (let k = 0; k < 4; k++) await new Promise(requestAnimationFrame)
    return [before, height()] as const
  })
  expect(after).toBeGreaterThan(before)
})

it('would see what moves', async () => {
  const page = await arrive(1280, 720)
  await taken(page)
  await page.evaluate(() =>
    document.querySelector('.tab-panel')?.insertAdjacentHTML('afterbegin', '<p>something new</p>'),
  )
  await expect.poll(async () => (await taken(page)).flatMap((shift) => shift.moved).length).toBeGreaterThan(0)
})
