/**
 * Every feature of the page at three sizes and in both themes, found and used the way a person does there. What is opened has to be within
 * the window, uncovered and of the theme; the page never scrolls sideways. Each feature in depth is in the other files.
 */
import { expect, it } from 'vitest'
import { visitor } from '../support/browser'
import { Hand } from '../support/user_input'

export interface Feature {
  name: string
  use(hand: Hand): Promise<void>
}

const PHONE = { isMobile: true, hasTouch: true }
const SIZES: [name: string, width: number, height: number][] = [
  ['1280 × 720', 1280, 720],
  ['1920 × 1080', 1920, 1080],
  ['a phone’s 390 × 844', 390, 844],
]

/** Uses the features one after the other, on one page of each size. kept: for visits without a network as well, which is twice the work. */
export function everywhere(features: Feature[], { kept = false } = {}): void {
  const { arrive, visit } = visitor()

  it.each(SIZES)('at %s, in both themes', async (_, width, height) => {
    const phone = width < 600
    const seen = { viewport: { width, height }, ...(phone ? PHONE : {}) }
    const page = await arrive('', {
      ...seen,
      permissions: ['clipboard-read', 'clipboard-write'],
      ...(kept ? { serviceWorkers: 'allow' as const } : {}),
    })
    const hand = new Hand(page, phone, (fragment) => visit(fragment, seen))
    for (const { name, use } of features) {
      try {
        await use(hand)
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 'wider').toBe(0)
      } catch (error) {
        throw new Error(`${name}: ${error instanceof Error ? error.message : error}`, { cause: error })
      }
    }
  })
}
