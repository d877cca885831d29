/** What a user feels of the weight of scripts and modules. The bench says how long it takes (page.mjs); here it must not take many times as long. */
import { expect, it } from 'vitest'
import { ended, visitor } from '../support/browser'
import { firstDrawn, firstStep, OF_EACH_FAMILY } from '../support/feel'

const { bench, visit } = visitor({ reducedMotion: 'reduce', whole: true })

/** A machine under load may take so many times the target. */
const PATIENCE = 10

it('draws the first page within seconds of the first visit, and its race goes off soon after', async () => {
  const { drawn, moving } = await firstDrawn(bench())
  expect(drawn).toBeLessThan(1000 * PATIENCE)
  expect(moving).toBeLessThan(2000 * PATIENCE)
})

it('takes the first step of any solver soon after Run, its module still to be fetched', async () => {
  const page = await visit()
  await ended(page)
  for (const solver of OF_EACH_FAMILY) {
    const time = await firstStep(page, solver)
    expect(time, solver).toBeGreaterThan(0)
    expect(time, solver).toBeLessThan(150 * PATIENCE)
    await ended(page)
  }
})
