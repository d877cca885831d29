/** What the browser tells of itself: theme, motion, width. */
import { applyTheme } from '../../base/theme'
import * as ui from '../../state/ui'

function follow(query: string, set: (matches: boolean) => void): void {
  const list = window.matchMedia(query)
  set(list.matches)
  list.addEventListener('change', () => set(list.matches))
}

function widthOf(pixels: number): ui.Width {
  if (pixels < 600) return 'phone'
  if (pixels < 900) return 'narrow'
  return pixels < 1280 ? 'medium' : 'wide'
}

export function watchBrowser(): void {
  follow('(prefers-color-scheme: light)', (light) => ui.systemTheme.set(light ? 'light' : 'dark'))
  follow('(prefers-reduced-motion: reduce)', (reduced) => ui.reducedMotion.set(reduced))
  const measure = () => ui.width.set(widthOf(window.innerWidth))
  measure()
  window.addEventListener('resize', measure)
  const paint = () => {
    applyTheme(document.documentElement, ui.theme.get())
    const colour = getComputedStyle(document.documentElement).getPropertyValue('--surface-1').trim()
    document.querySelector('meta[name=theme-color]')?.setAttribute('content', colour)
  }
  paint()
  ui.theme.subscribe(paint)
}
