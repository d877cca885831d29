/**
 * The system's theme, changed for a page that is open: by its media query's event, at a fifth of the work that the browser's own emulation is.
 * Style sheets hear nothing of it: golden.e2e.ts and lessons.e2e.ts look at the light theme as the browser tells it.
 */
import type { Page } from 'playwright-core'

export type Theme = 'dark' | 'light'

declare global {
  interface Window {
    /** the queries of the page that ask for the system's theme */
    themeQueries?: MediaQueryList[]
  }
}

/** Runs before any script of the page. */
function keepQueries(): void {
  const queries: MediaQueryList[] = []
  window.themeQueries = queries
  const { matchMedia } = window
  window.matchMedia = (query) => {
    const list = matchMedia.call(window, query)
    if (query.includes('prefers-color-scheme')) queries.push(list)
    return list
  }
}

/** Before a page is opened. */
export const watchTheme = (page: Page) => page.addInitScript(keepQueries)

/** The page hears that the system has this theme now, and has taken it on when this returns. */
export async function wear(page: Page, theme: Theme): Promise<void> {
  const worn = await page.evaluate((theme) => {
    for (const list of window.themeQueries ?? []) {
      const matches = list.media.includes(theme)
      if (list.matches === matches) continue
      Object.defineProperty(list, 'matches', { value: matches, configurable: true })
      list.dispatchEvent(new Event('change'))
    }
    return document.documentElement.dataset.theme
  }, theme)
  if (worn !== theme) throw new Error(`the page is ${worn}, for all that the system is ${theme}`)
}
