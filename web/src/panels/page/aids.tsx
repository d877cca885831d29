/** For those who do not see the page, or have no pointer: steps are said, toolbars are one Tab stop each, and the canvas is one key away. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { derived } from '../../base/cell'
import { thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import { playing, speed } from '../../state/atoms'
import { plain } from '../../state/step/plain'
import { frame, opened, told, unit } from '../../state/workbench'
import '../../styles/later'

/** Steps a second that can still be listened to. */
const SLOW = 2
/** Keys that are held down pass many steps; the one that is come to is said. */
const REST = 150

/** '' while it is played too fast to be told. */
const said = derived(() => {
  const story = told.get()
  const step = frame.get()?.step
  const problem = opened.get()?.problem
  if (story === null || step === undefined || problem === undefined) return ''
  if (playing.get() && speed.get() > SLOW) return ''
  const title = [story.chip, story.title].filter((word) => word !== '').join(' ')
  return `Step ${thousands(step)}. ${title}. ${plain(story.spans, unit.get(), (k) => problem.ids.at(k) ?? '')}`
})

export function Announcer() {
  const text = useValue(said)
  const [now, setNow] = useState('')
  const first = useRef(true)
  useEffect(() => {
    // what a page begins with is read as a part of it
    if (first.current) {
      first.current = false
      return
    }
    const timer = setTimeout(() => setNow(text), REST)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <p class="unseen" role="status" aria-live="polite" aria-label="The step shown">
      {now}
    </p>
  )
}

export function Skip() {
  return (
    <button
      type="button"
      class="skip-link button"
      onClick={() => document.querySelector<HTMLElement>('.centre [tabindex="0"], .centre button')?.focus()}
    >
      Skip to the canvas
    </button>
  )
}

const CONTROLS = 'button, select, input'

/** Of a menu in it the button alone. */
function controlsOf(bar: HTMLElement): HTMLElement[] {
  return [...bar.querySelectorAll<HTMLElement>(CONTROLS)].filter(
    (one) =>
      !one.matches(':disabled, [role^=menuitem]') && one.closest('.menu-list') === null && one.offsetParent !== null,
  )
}

/** One of them takes Tab: the one that had the focus last, or else the first. */
function settle(bar: HTMLElement, last: Element | null): void {
  const all = controlsOf(bar)
  const one = all.find((control) => control === last) ?? all[0]
  for (const control of bar.querySelectorAll<HTMLElement>(CONTROLS))
    if (control.closest('.menu-list') === null) control.tabIndex = control === one ? 0 : -1
}

/** Whether an arrow moves within the control itself. */
function keeps(control: Element, by: number): boolean {
  if (!(control instanceof HTMLInputElement) || control.type !== 'text') return false
  const { selectionStart: from, selectionEnd: to, value } = control
  if (from !== to) return from !== 0 || to !== value.length
  return by < 0 ? from !== 0 : to !== value.length
}

/** Stands in a toolbar: left and right, Home and End go through its controls (WAI-ARIA, pattern "toolbar"). */
export function Roving() {
  const here = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const bar = here.current?.closest<HTMLElement>('[role=toolbar]')
    if (!bar) return
    let last: Element | null = null
    const end = new AbortController()
    const renew = () => settle(bar, last)
    const watch = new MutationObserver(renew)
    watch.observe(bar, { subtree: true, childList: true, attributes: true, attributeFilter: ['disabled', 'class'] })
    bar.addEventListener(
      'focusin',
      (event) => {
        last = event.target instanceof Element ? event.target : null
        renew()
      },
      end,
    )
    bar.addEventListener(
      'keydown',
      (event) => {
        const by = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key]
        const all = controlsOf(bar)
        const at = all.indexOf(event.target as HTMLElement)
        if (by === undefined || at < 0 || event.defaultPrevented || event.shiftKey || event.altKey || event.ctrlKey)
          return
        if (keeps(all[at] as Element, by)) return
        event.preventDefault()
        event.stopPropagation()
        all[Math.min(all.length - 1, Math.max(0, at + by))]?.focus()
      },
      end,
    )
    renew()
    return () => {
      watch.disconnect()
      end.abort()
    }
  }, [])
  return <span class="unseen" ref={here} />
}
