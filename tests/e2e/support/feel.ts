import type { Page } from 'playwright-core'
import type { Bench } from './browser'

/** Milliseconds from navigation in a fresh profile: to the frame after the problem of the first page is drawn, and to the one after its race moves. */
export async function firstDrawn(bench: Bench): Promise<{ drawn: number; moving: number }> {
  const { page } = await bench.visit('about:blank', { first: true })
  await page.addInitScript(() => {
    const seen: Record<string, () => boolean> = {
      drawn: () => document.querySelector('.app-first .lane-memory canvas') !== null,
      moving: () => /step [1-9]/.test(document.querySelector('.app-first .lane-name .hint')?.textContent ?? ''),
    }
    const observer = new MutationObserver(() => {
      for (const [name, there] of Object.entries(seen)) {
        if (!there()) continue
        delete seen[name]
        // the first callback runs before that frame is drawn, the second after it
        requestAnimationFrame(() => requestAnimationFrame((now) => Reflect.set(window, name, now)))
      }
    })
    observer.observe(document, { attributes: true, characterData: true, childList: true, subtree: true })
  })
  await page.goto(bench.host.url)
  const when = async (name: string) =>
    (await (await page.waitForFunction((name) => Reflect.get(window, name) as number | undefined, name)).jsonValue()) ??
    Number.NaN
  const times = { drawn: await when('drawn'), moving: await when('moving') }
  await page.context().close()
  return times
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
