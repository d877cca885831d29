import type { Page } from 'playwright-core'
import type { Bench } from './browser'

/** Milliseconds from navigation to the frame after the first step stands beside the canvas, in a fresh profile. */
export async function firstDrawn(bench: Bench): Promise<number> {
  const { page } = await bench.visit('about:blank')
  await page.addInitScript(() => {
    const seen = new MutationObserver(() => {
      if (document.querySelector('.app:not(.app-coming) .chip-row') === null) return
      seen.disconnect()
      // the first callback runs before that frame is drawn, the second after it
      requestAnimationFrame(() => requestAnimationFrame((now) => Reflect.set(window, 'drawn', now)))
    })
    seen.observe(document, { attributes: true, childList: true, subtree: true })
  })
  await page.goto(bench.host.url)
  const drawn = await page.waitForFunction(() => Reflect.get(window, 'drawn') as number | undefined)
  const time = (await drawn.jsonValue()) ?? Number.NaN
  await page.context().close()
  return time
}

/** Solvers of each family. */
export const OF_EACH_FAMILY = ['exact', 'telamalloc', 'large', 'greedy']

/**
 * Milliseconds from Run to the first steps of the solver, told beside the button or drawn as its end: of a problem that is open, with the
 * module that the solver needs still to be fetched if it is another one.
 */
export async function firstStep(page: Page, solver: string): Promise<number> {
  await page.getByRole('combobox', { name: 'Solver' }).selectOption(solver)
  return page.evaluate(async () => {
    const button = document.querySelector<HTMLButtonElement>('.run-button')
    if (button === null) throw new Error('there is no button to run')
    const stepped = () => {
      const count = document.querySelector('.step-field .dim')?.textContent?.replace(/\D/g, '') ?? ''
      const rest = document.querySelector('.transport-button.play:not([disabled])') !== null
      return rest && Number(count) > 0 && document.querySelector('.chip-row') !== null
    }
    // the old run goes before the new one comes, however short that is
    const taken = new Promise<number>((resolve, reject) => {
      let gone = false
      const seen = new MutationObserver(() => {
        gone ||= !stepped()
        if (!gone || !stepped()) return
        seen.disconnect()
        requestAnimationFrame(() => resolve(performance.now()))
      })
      seen.observe(document, { attributes: true, characterData: true, childList: true, subtree: true })
      setTimeout(() => reject(new Error('no step was taken')), 30_000)
    })
    const from = performance.now()
    button.click()
    return (await taken) - from
  })
}
