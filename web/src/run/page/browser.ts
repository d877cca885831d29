/** What the browser tells of itself: theme, motion, width. */
import { applyTheme } from '../../base/theme'
import * as ui from '../../state/ui'

function follow(query: string, set: (matches: boolean) => void): void {
  const list = window.matchMedia(query)
  set(list.matches)
  list.addEventListener('change', () => set(list.matches))
}

/** Lower than this, in px, there is no room for panels under the canvas: a phone on its side. low.css has the same. */
const LOW = 500

function widthOf(pixels: number, height: number): ui.Width {
  if (pixels < 600) return 'phone'
  if (pixels < 900 && height >= LOW) return 'narrow'
  return pixels < 1280 ? 'medium' : 'wide'
}

export function watchBrowser(): void {
  follow('(prefers-color-scheme: light)', (light) => ui.systemTheme.set(light ? 'light' : 'dark'))
  follow('(prefers-reduced-motion: reduce)', (reduced) => ui.reducedMotion.set(reduced))
  const measure = () => ui.width.set(widthOf(window.innerWidth, window.innerHeight))
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
