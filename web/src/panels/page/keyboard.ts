/** What keys do: those of the table of commands, wherever nothing else takes them. */
import type { Actions } from '../../run/actions'
import { dialog, embedded, modeKeys, singleKeys } from '../../state/ui'
import { COMMANDS, keyPressed } from './commands'

const TYPING = 'input:not([type=range]):not([type=checkbox]), textarea, select, [contenteditable]'
const TYPING_FIELD = 'input:not([type=range]):not([type=checkbox]):not([type=radio])'
/** Where the arrows, Space, Enter, Home and End already mean something. */
const OWN_KEYS = 'button, a, summary, input, [role=grid], [role=treegrid], [role=menu], [role=tab]'

/**
 * What was operated with the pointer gives its focus back, so that Space plays and the arrows step right after a click. Whoever
 * works with the keyboard keeps the focus where it is.
 */
function freeFocus(end: AbortSignal): void {
  let pointer = false
  const free = (target: EventTarget | null) => {
    const control = target instanceof Element ? target.closest<HTMLElement>('button, select, input') : null
    if (pointer && control !== null && !control.matches(TYPING_FIELD)) control.blur()
  }
  const on = { signal: end, capture: true }
  document.addEventListener('pointerdown', () => (pointer = true), on)
  document.addEventListener('keydown', () => (pointer = false), on)
  document.addEventListener('click', (event) => event.detail > 0 && !isSelect(event.target) && free(event.target), {
    signal: end,
  })
  document.addEventListener('change', (event) => free(event.target), { signal: end })
}

function isSelect(target: EventTarget | null): boolean {
  return target instanceof HTMLSelectElement
}

/** Listens for the page's keys; returns the way out. */
export function listen(actions: Actions): () => void {
  const end = new AbortController()
  freeFocus(end.signal)
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || (event.ctrlKey && event.altKey)) return
    if (dialog.get() !== 'none') return
    const target = event.target instanceof Element ? event.target : null
    const typing = target?.matches(TYPING) === true
    const name = keyPressed(event)
    const command = COMMANDS.find((one) => one.keys?.includes(name))
    if ((typing && command?.typing !== true) || (embedded.get() && command?.embedded !== true)) return
    if (event.key === ' ' && target?.matches(OWN_KEYS) === true) return
    if (
      target?.matches('input[type=range], [role=grid], [role=treegrid], [role=tab]') === true &&
      /^(Arrow|Home|End|Page)/.test(event.key)
    )
      return
    if (!singleKeys.get() && event.key.length === 1 && !/[ ?]/.test(event.key) && !event.ctrlKey && !event.metaKey)
      return
    const own = modeKeys.get()
    if (own?.(name) === true) event.preventDefault()
    else if (command !== undefined && command.when?.get() !== false && (own === null || command.everywhere === true)) {
      event.preventDefault()
      command.do(actions)
    }
  }
  document.addEventListener('keydown', onKey, { signal: end.signal })
  return () => end.abort()
}
