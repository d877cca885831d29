/**
 * Every feature of the page at three sizes and in both themes, found and used the way a person does there: on a phone, and at a desk in the
 * smaller of two windows. What is opened has to be within the window, uncovered and of the theme, in the larger one as well; the page never
 * scrolls sideways. Each feature in depth is in the other files.
 */
import { expect, it } from 'vitest'
import { visitor } from '../support/browser'
import { Hand, type Size } from '../support/user_input'

export interface Feature {
  name: string
  use(hand: Hand): Promise<void>
}

const PHONE = { isMobile: true, hasTouch: true }
const SIZES: [name: string, sizes: [Size, ...Size[]]][] = [
  [
    '1280 × 720 and 1920 × 1080',
    [
      { width: 1280, height: 720 },
      { width: 1920, height: 1080 },
    ],
  ],
  ['a phone’s 390 × 844', [{ width: 390, height: 844 }]],
]

/** Uses the features one after the other, on one page of each device. kept: for visits without a network as well, which is twice the work. */
export function everywhere(features: Feature[], { kept = false } = {}): void {
  const { arrive, visit } = visitor()

  it.each(SIZES)('at %s, in both themes', { timeout: 240_000 }, async (_, sizes) => {
    const [viewport] = sizes
    const phone = sizes.length === 1
    const seen = { viewport, ...(phone ? PHONE : {}) }
    const page = await arrive('', {
      ...seen,
      permissions: ['clipboard-read', 'clipboard-write'],
      ...(kept ? { serviceWorkers: 'allow' as const } : {}),
    })
    const hand = new Hand(page, sizes, (fragment) => visit(fragment, seen))
    for (const { name, use } of features) {
      try {
        await use(hand)
        expect(await hand.wider(), 'wider').toEqual(sizes.map(() => 0))
      } catch (error) {
        throw new Error(`${name}: ${error instanceof Error ? error.message : error}`, { cause: error })
      }
    }
  })
}
