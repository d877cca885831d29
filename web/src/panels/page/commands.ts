/** What keys do: one table for the keyboard and for the help. */
import { Later } from '../../base/later'
import type { Actions } from '../../run/actions'
import { clearPins } from '../../run/canvas/pins'
import { importing, looking, playing, speed } from '../../state/atoms'
import { adding, fragments, measuring } from '../../state/canvas/canvas'
import { editing, setEditing, toggleEditing } from '../../state/edit/editing'
import { range } from '../../state/marks/marks'
import type { Side } from '../../state/page/panel_widths'
import { dialog, embedded, modeKeys, panels, setPanel, singleKeys, width } from '../../state/ui'
import { travel } from '../edit/edits'
import { nextDeepest } from '../search/jumps'
import { giveUp, markKey, stopKey } from '../marks/marks_button'
import { cursor, pickedOp, pinned, run, setupOpen, watchOpen, why } from '../../state/workbench'
import { showHint, showMarks, toggleCompare } from '../../run/page/modes'

export interface Command {
  /** none: only the palette has it. As KeyboardEvent.key, with "Shift+", "Alt+" or "Ctrl+" (which is ⌘ too) in front where that matters */
  keys: string[]
  /** as the help writes them, '' for none */
  shown: string
  title: string
  act: (actions: Actions) => void
  /** in every mode */
  everywhere?: true
}

export const COMMANDS: Command[] = [
  { keys: [' '], shown: 'Space', title: 'Play or pause', act: (x) => x.player.toggle() },
  { keys: ['ArrowLeft'], shown: '←', title: 'Step back', act: (x) => x.player.stepBy(-1) },
  { keys: ['ArrowRight'], shown: '→', title: 'Step', act: (x) => x.player.stepBy(1) },
  { keys: ['Shift+ArrowLeft'], shown: 'Shift ←', title: 'Previous backtrack', act: (x) => x.jump('backtrack', false) },
  { keys: ['Shift+ArrowRight'], shown: 'Shift →', title: 'Next backtrack', act: (x) => x.jump('backtrack', true) },
  { keys: ['Alt+ArrowLeft'], shown: 'Alt ←', title: 'Previous major backtrack', act: (x) => x.jump('major', false) },
  { keys: ['Alt+ArrowRight'], shown: 'Alt →', title: 'Next major backtrack', act: (x) => x.jump('major', true) },
  { keys: ['Home'], shown: 'Home', title: 'Start', act: (x) => x.player.toStart() },
  { keys: ['End'], shown: 'End', title: 'End', act: (x) => x.player.toEnd() },
  { keys: ['['], shown: '[', title: 'Slower', act: (x) => x.player.setSpeed(Math.round(speed.get() / 2)) },
  { keys: [']'], shown: ']', title: 'Faster', act: (x) => x.player.setSpeed(speed.get() * 2) },
  {
    keys: [','],
    shown: ',',
    title: 'One pixel of the search back',
    act: (x) => x.player.seek(cursor.get() - pixel(x)),
  },
  { keys: ['.'], shown: '.', title: 'One pixel of the search on', act: (x) => x.player.seek(cursor.get() + pixel(x)) },
  { keys: ['d'], shown: 'D', title: 'Go to the deepest step', act: (x) => x.goToDeepest() },
  { keys: ['D'], shown: 'Shift D', title: 'Next step deeper than all before', act: (x) => void nextDeepest(x) },
  { keys: ['+', '='], shown: '+', title: 'Zoom in', act: (x) => x.view?.zoom(1.5) },
  { keys: ['-', '−'], shown: '−', title: 'Zoom out', act: (x) => x.view?.zoom(1 / 1.5) },
  { keys: ['0'], shown: '0', title: 'Show everything', act: (x) => x.view?.fit() },
  { keys: ['h', 'H'], shown: 'H', title: 'Pan left', act: (x) => x.view?.pan(-0.1, 0) },
  { keys: ['j', 'J'], shown: 'J', title: 'Pan down', act: (x) => x.view?.pan(0, -0.1) },
  { keys: ['k', 'K'], shown: 'K', title: 'Pan up', act: (x) => x.view?.pan(0, 0.1) },
  { keys: ['l', 'L'], shown: 'L', title: 'Pan right', act: (x) => x.view?.pan(0.1, 0) },
  { keys: ['/'], shown: '/', title: 'Find a buffer', act: (x) => x.find() },
  { keys: ['g'], shown: 'G', title: 'Next match of the search', act: (x) => match(x, 1) },
  { keys: ['G'], shown: 'Shift G', title: 'Previous match of the search', act: (x) => match(x, -1) },
  { keys: ['f', 'F'], shown: 'F', title: 'Free blocks', act: () => fragments.update((on) => !on) },
  { keys: ['u', 'U'], shown: 'U', title: 'Ruler', act: () => measuring.update((on) => !on) },
  { keys: ['p', 'P'], shown: 'P', title: 'Pin the buffer of this step, or let go', act: (x) => x.pinCurrent() },
  { keys: ['m', 'M'], shown: 'M', title: 'Mark this step, or unmark it', act: () => void markKey() },
  { keys: ['n'], shown: 'N', title: 'Next stop', act: (x) => void stopKey(x, true) },
  { keys: ['N'], shown: 'Shift N', title: 'Previous stop', act: (x) => void stopKey(x, false) },
  { keys: ['1'], shown: '1', title: 'Show Step', act: (x) => x.showTab('step') },
  { keys: ['2'], shown: '2', title: 'Show Tree', act: (x) => x.showTab('tree') },
  { keys: ['3'], shown: '3', title: 'Show Stats', act: (x) => x.showTab('stats') },
  { keys: ['4'], shown: '4', title: 'Show Buffers', act: (x) => x.showTab('buffers') },
  { keys: ['5'], shown: '5', title: 'Show Model', act: (x) => x.showTab('model') },
  { keys: ['6'], shown: '6', title: 'Show Graph', act: (x) => x.showTab('graph') },
  { keys: ['r', 'R'], shown: 'R', title: 'Run', act: (x) => void x.run() },
  {
    keys: ['c', 'C'],
    shown: 'C',
    title: 'Compare runs, or back to the search',
    act: toggleCompare,
    everywhere: true,
  },
  { keys: ['Escape'], shown: 'Esc', title: 'Cancel the run, close what is open', act: leave },
  { keys: ['e', 'E'], shown: 'E', title: 'Edit the buffers', act: toggleEditing },
  { keys: ['Ctrl+z'], shown: 'Ctrl Z', title: 'Undo', act: (x) => void travel(x, -1) },
  { keys: ['Ctrl+Shift+z', 'Ctrl+y'], shown: 'Ctrl Shift Z', title: 'Redo', act: (x) => void travel(x, 1) },
  { keys: [], shown: '', title: 'Show or hide the setup', act: (x) => shutOrOpen(x, 'left') },
  { keys: [], shown: '', title: 'Show or hide the views', act: (x) => shutOrOpen(x, 'side') },
  { keys: ['t', 'T'], shown: 'T', title: 'Change theme', act: (x) => x.toggleTheme(), everywhere: true },
  { keys: ['Ctrl+k'], shown: 'Ctrl K', title: 'Find a command', act: (x) => x.openDialog('palette'), everywhere: true },
  { keys: [], shown: '', title: 'Show the first hint again', act: showHint },
  { keys: [], shown: '', title: 'Lessons…', act: (x) => x.openDialog('lessons'), everywhere: true },
  { keys: ['?'], shown: '?', title: 'Help', act: (x) => x.openDialog('help'), everywhere: true },
]

/** Nothing is searched for at first. */
const finder = new Later(() => import('../../run/canvas/find_buffers'))

function match(actions: Actions, by: 1 | -1): void {
  finder
    .get()
    .then((part) => part.goToMatch(actions, by))
    .catch(() => {})
}

/** A panel beside the canvas, or the drawer that it is on a narrower page. */
function shutOrOpen(actions: Actions, side: Side): void {
  if (side === 'left' && width.get() !== 'wide') actions.toggleSetup()
  else setPanel(side, { shut: !panels.get()[side].shut })
}

function pixel(actions: Actions): number {
  return Math.max(1, Math.round(actions.graph?.stepsPerPixel ?? 1))
}

function leave(actions: Actions): void {
  if (run.get().kind === 'running') actions.cancel()
  else if (importing.get().kind === 'reading') void actions.cancelImport()
  else if (why.get().kind === 'looking') actions.stopExplaining()
  else if (setupOpen.get() && width.get() !== 'wide') actions.closeSetup()
  else if (looking.get()) void giveUp(actions)
  else if (playing.get()) actions.player.pause()
  else if (measuring.get()) measuring.set(false)
  else if (adding.get()) adding.set(false)
  else if (watchOpen.get()) showMarks(false)
  else if (range.get() !== null) range.set(null)
  else if (pinned.get() >= 0) clearPins()
  else if (editing.get()) setEditing(false)
  else if (pickedOp.get() >= 0) actions.pickOp(pickedOp.get())
  else actions.closeHint()
}

function nameOf(event: KeyboardEvent): string {
  if (event.ctrlKey || event.metaKey) return `Ctrl+${event.shiftKey ? 'Shift+' : ''}${event.key.toLowerCase()}`
  if (event.altKey) return `Alt+${event.key}`
  if (event.shiftKey && event.key.startsWith('Arrow')) return `Shift+${event.key}`
  return event.key
}

/** What the page inside of another listens to: it has no panels for the rest to act on. */
const EMBEDDED = /^( |((Shift|Alt)\+)?Arrow(Left|Right)|Home|End|Escape|[[\],.+=−0dhjklptDHJKLPT-])$/

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
    if (typing && event.key !== 'Escape' && nameOf(event) !== 'Ctrl+k') return
    if (event.key === ' ' && target?.matches(OWN_KEYS) === true) return
    if (
      target?.matches('input[type=range], [role=grid], [role=treegrid], [role=tab]') === true &&
      /^(Arrow|Home|End|Page)/.test(event.key)
    )
      return
    if (!singleKeys.get() && event.key.length === 1 && !/[ ?]/.test(event.key) && !event.ctrlKey && !event.metaKey)
      return
    const name = nameOf(event)
    if (embedded.get() && !EMBEDDED.test(name)) return
    const command = COMMANDS.find((c) => c.keys.includes(name))
    const own = modeKeys.get()
    if (own?.(name) === true) event.preventDefault()
    else if (command !== undefined && (own === null || command.everywhere === true)) {
      event.preventDefault()
      command.act(actions)
    }
  }
  document.addEventListener('keydown', onKey, { signal: end.signal })
  return () => end.abort()
}
