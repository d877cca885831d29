/** What a person can do by name: one table for the keyboard, the help, the palette, the menus and the buttons. */
import { derived, type Readable } from '../../base/cell'
import { Later } from '../../base/later'
import type { Actions } from '../../run/actions'
import { clearPins } from '../../run/canvas/pins'
import { showHint, showMarks, toggleCompare } from '../../run/page/modes'
import { importing, looking, playing, speed } from '../../state/atoms'
import { adding, fragments, measure, measuring, pinSeveral, shadeFragments } from '../../state/canvas/canvas'
import { editing, setEditing, toggleEditing } from '../../state/edit/editing'
import { clearRange, range } from '../../state/marks/marks'
import { seekChoosing } from '../../state/model/selection'
import type { Side } from '../../state/page/panel_widths'
import { lesson, panels, present, presenting, setPanel, width } from '../../state/ui'
import {
  cursor,
  mode,
  opened,
  operators,
  pickedOp,
  pinned,
  run,
  setupOpen,
  steps,
  watchOpen,
  why,
} from '../../state/workbench'
import { travel } from '../edit/edits'
import { giveUp, markKey, stopKey } from '../marks/marks_button'
import { nextDeepest } from '../search/jumps'

export interface Command {
  /** the same at every visit */
  name: string
  /** as the help, the palette and the menus write it */
  label: string
  /** as KeyboardEvent.key, with "Shift+", "Alt+" or "Ctrl+" (which is ⌘ too) in front where that matters; the help writes the first */
  keys?: string[]
  /** what a button says of it beyond its label */
  hint?: string
  /** it can be done now; always, if not given */
  when?: Readable<boolean>
  /** of what is on or off */
  on?: Readable<boolean>
  do: (actions: Actions) => void
  /** in every mode; the others are about the search, which then has to be there */
  everywhere?: true
  /** by its keys inside of another page too, which has no panels for the rest to act on */
  embedded?: true
  /** by its keys while something is typed, too */
  typing?: true
}

const comparing = derived(() => mode.get() === 'compare')
const some = derived(() => opened.get() !== null)
const settled = derived(() => run.get().kind !== 'running')
/** A search that is under way has no end yet that a link or a file could be checked by. */
const shareable = derived(() => some.get() && settled.get())
const filmable = derived(() => steps.get() > 0 && settled.get())
const taught = derived(() => lesson.get() !== null)
const lowered = derived(() => operators.get() !== null)

export const COMMANDS: Command[] = [
  { name: 'play', label: 'Play or pause', keys: [' '], do: (x) => x.player.toggle(), embedded: true },
  { name: 'step-back', label: 'Step back', keys: ['ArrowLeft'], do: (x) => x.player.stepBy(-1), embedded: true },
  { name: 'step', label: 'Step', keys: ['ArrowRight'], do: (x) => x.player.stepBy(1), embedded: true },
  {
    name: 'backtrack-back',
    label: 'Previous backtrack',
    keys: ['Shift+ArrowLeft'],
    do: (x) => x.search.jump('backtrack', false),
    embedded: true,
  },
  {
    name: 'backtrack',
    label: 'Next backtrack',
    keys: ['Shift+ArrowRight'],
    do: (x) => x.search.jump('backtrack', true),
    embedded: true,
  },
  {
    name: 'major-back',
    label: 'Previous major backtrack',
    keys: ['Alt+ArrowLeft'],
    do: (x) => x.search.jump('major', false),
    embedded: true,
  },
  {
    name: 'major',
    label: 'Next major backtrack',
    keys: ['Alt+ArrowRight'],
    do: (x) => x.search.jump('major', true),
    embedded: true,
  },
  { name: 'start', label: 'Start', keys: ['Home'], do: (x) => x.player.toStart(), embedded: true },
  { name: 'end', label: 'End', keys: ['End'], do: (x) => x.player.toEnd(), embedded: true },
  {
    name: 'slower',
    label: 'Slower',
    keys: ['['],
    do: (x) => x.player.setSpeed(Math.round(speed.get() / 2)),
    embedded: true,
  },
  { name: 'faster', label: 'Faster', keys: [']'], do: (x) => x.player.setSpeed(speed.get() * 2), embedded: true },
  {
    name: 'pixel-back',
    label: 'One pixel of the search back',
    keys: [','],
    do: (x) => x.player.seek(cursor.get() - pixel(x)),
    embedded: true,
  },
  {
    name: 'pixel',
    label: 'One pixel of the search on',
    keys: ['.'],
    do: (x) => x.player.seek(cursor.get() + pixel(x)),
    embedded: true,
  },
  { name: 'deepest', label: 'Go to the deepest step', keys: ['d'], do: (x) => x.search.goToDeepest(), embedded: true },
  {
    name: 'deeper',
    label: 'Next step deeper than all before',
    keys: ['D'],
    do: (x) => void nextDeepest(x),
    embedded: true,
  },
  { name: 'zoom-in', label: 'Zoom in', keys: ['+', '='], do: (x) => x.view?.zoom(1.5), embedded: true },
  { name: 'zoom-out', label: 'Zoom out', keys: ['−', '-'], do: (x) => x.view?.zoom(1 / 1.5), embedded: true },
  { name: 'fit', label: 'Show everything', keys: ['0'], do: (x) => x.view?.fit(), embedded: true },
  { name: 'pan-left', label: 'Pan left', keys: ['h', 'H'], do: (x) => x.view?.pan(-0.1, 0), embedded: true },
  { name: 'pan-down', label: 'Pan down', keys: ['j', 'J'], do: (x) => x.view?.pan(0, -0.1), embedded: true },
  { name: 'pan-up', label: 'Pan up', keys: ['k', 'K'], do: (x) => x.view?.pan(0, 0.1), embedded: true },
  { name: 'pan-right', label: 'Pan right', keys: ['l', 'L'], do: (x) => x.view?.pan(0.1, 0), embedded: true },
  { name: 'find', label: 'Find a buffer', keys: ['/'], do: (x) => x.canvas.find() },
  { name: 'match', label: 'Next match of the search', keys: ['g'], do: (x) => match(x, 1) },
  { name: 'match-back', label: 'Previous match of the search', keys: ['G'], do: (x) => match(x, -1) },
  {
    name: 'free-blocks',
    label: 'Free blocks',
    keys: ['f'],
    hint: 'Shade what is free under the plan',
    on: fragments,
    do: () => shadeFragments(!fragments.get()),
  },
  {
    name: 'present',
    label: 'Present on the whole screen',
    keys: ['F'],
    when: some,
    on: presenting,
    do: () => present(!presenting.get()),
  },
  {
    name: 'ruler',
    label: 'Ruler',
    keys: ['u', 'U'],
    hint: 'Measure bytes and steps',
    on: measuring,
    do: () => measure(!measuring.get()),
  },
  {
    name: 'pin',
    label: 'Pin the buffer of this step, or let go',
    keys: ['p', 'P'],
    do: (x) => x.canvas.pinCurrent(),
    embedded: true,
  },
  {
    name: 'pin-several',
    label: 'Pin several',
    hint: 'What is chosen next is pinned too (Shift)',
    on: adding,
    do: () => pinSeveral(!adding.get()),
  },
  { name: 'mark', label: 'Mark this step, or unmark it', keys: ['m', 'M'], do: () => void markKey() },
  { name: 'stop', label: 'Next stop', keys: ['n'], do: (x) => void stopKey(x, true) },
  { name: 'stop-back', label: 'Previous stop', keys: ['N'], do: (x) => void stopKey(x, false) },
  { name: 'show-step', label: 'Show Step', keys: ['1'], do: (x) => x.page.showTab('step') },
  { name: 'show-tree', label: 'Show Tree', keys: ['2'], do: (x) => x.page.showTab('tree') },
  { name: 'show-stats', label: 'Show Stats', keys: ['3'], do: (x) => x.page.showTab('stats') },
  { name: 'show-buffers', label: 'Show Buffers', keys: ['4'], do: (x) => x.page.showTab('buffers') },
  { name: 'show-model', label: 'Show Model', keys: ['5'], do: (x) => x.page.showTab('model') },
  { name: 'show-graph', label: 'Show Graph', keys: ['6'], do: (x) => x.page.showTab('graph') },
  { name: 'run', label: 'Run', keys: ['r', 'R'], do: (x) => void x.solver.run() },
  {
    name: 'compare',
    label: 'Compare runs, or back to the search',
    keys: ['c', 'C'],
    hint: 'Compare runs',
    on: comparing,
    do: toggleCompare,
    everywhere: true,
  },
  {
    name: 'cancel',
    label: 'Cancel the run, close what is open',
    keys: ['Escape'],
    do: leave,
    embedded: true,
    typing: true,
  },
  { name: 'edit', label: 'Edit the buffers', keys: ['e', 'E'], on: editing, do: edit },
  { name: 'undo', label: 'Undo', keys: ['Ctrl+z'], do: (x) => void travel(x, -1) },
  { name: 'redo', label: 'Redo', keys: ['Ctrl+Shift+z', 'Ctrl+y'], do: (x) => void travel(x, 1) },
  { name: 'setup', label: 'Show or hide the setup', do: (x) => shutOrOpen(x, 'left') },
  { name: 'views', label: 'Show or hide the views', do: (x) => shutOrOpen(x, 'side') },
  {
    name: 'theme',
    label: 'Change theme',
    keys: ['t', 'T'],
    do: (x) => x.page.toggleTheme(),
    everywhere: true,
    embedded: true,
  },
  {
    name: 'palette',
    label: 'Find a command',
    keys: ['Ctrl+k'],
    do: (x) => x.page.openDialog('palette'),
    everywhere: true,
    typing: true,
  },
  { name: 'hint', label: 'Show the first hint again', do: showHint },
  { name: 'lessons', label: 'Lessons…', on: taught, do: (x) => x.page.openDialog('lessons'), everywhere: true },
  { name: 'zoo', label: 'Models…', do: (x) => x.page.openDialog('zoo'), everywhere: true },
  { name: 'random', label: 'Random…', do: (x) => x.page.openDialog('random'), everywhere: true },
  { name: 'formats', label: 'What can be opened…', do: (x) => x.page.openDialog('formats'), everywhere: true },
  { name: 'papers', label: 'Papers…', do: (x) => x.page.openDialog('papers'), everywhere: true },
  { name: 'help', label: 'Help', keys: ['?'], do: (x) => x.page.openDialog('help'), everywhere: true },
  { name: 'share', label: 'Share…', when: shareable, do: (x) => x.page.openDialog('share'), everywhere: true },
  { name: 'figure', label: 'Figure…', when: some, do: (x) => x.page.openDialog('figure'), everywhere: true },
  { name: 'film', label: 'Film…', when: filmable, do: (x) => x.page.openDialog('film'), everywhere: true },
  { name: 'profiles', label: 'Accelerator profiles…', do: (x) => x.page.openDialog('profiles'), everywhere: true },
  {
    name: 'chips',
    label: 'Which chips does it fit?',
    when: some,
    do: (x) => x.page.openDialog('chips'),
    everywhere: true,
  },
  {
    name: 'scratchpad',
    label: 'Choose what lives in scratchpad',
    when: lowered,
    do: (x) => {
      x.page.showTab('model')
      seekChoosing(true)
    },
  },
  {
    name: 'lowerings',
    label: 'Two ways to lower it…',
    when: lowered,
    do: (x) => x.page.openDialog('lowerings'),
    everywhere: true,
  },
]

export function commandNamed(name: string): Command {
  const found = COMMANDS.find((command) => command.name === name)
  if (found === undefined) throw new Error(`no command ${name}`)
  return found
}

const KEYS: Record<string, string> = { ' ': 'Space', ArrowLeft: '←', ArrowRight: '→', Escape: 'Esc' }

/** Of a key that is pressed, as `keys` has it. */
export function keyPressed(event: KeyboardEvent): string {
  if (event.ctrlKey || event.metaKey) return `Ctrl+${event.shiftKey ? 'Shift+' : ''}${event.key.toLowerCase()}`
  if (event.altKey) return `Alt+${event.key}`
  if (event.shiftKey && event.key.startsWith('Arrow')) return `Shift+${event.key}`
  return event.key
}

/** The first of its keys as the help writes it, '' if it has none. */
export function keyOf({ keys }: Command): string {
  const [key = ''] = keys ?? []
  if (/^[A-Z]$/.test(key)) return `Shift ${key}`
  const parts = key.split(/\+(?=.)/).map((part) => KEYS[part] ?? (part.length === 1 ? part.toUpperCase() : part))
  return parts.join(' ')
}

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
  if (side === 'left' && width.get() !== 'wide') actions.page.toggleSetup()
  else setPanel(side, { shut: !panels.get()[side].shut })
}

function pixel(actions: Actions): number {
  return Math.max(1, Math.round(actions.seismograph?.stepsPerPixel ?? 1))
}

/** Where there is nothing yet, buffers are drawn. */
function edit(actions: Actions): void {
  if (opened.get() === null) void actions.draft.draw()
  else toggleEditing()
}

function leave(actions: Actions): void {
  if (run.get().kind === 'running') actions.solver.cancel()
  else if (presenting.get()) present(false)
  else if (importing.get().kind === 'reading') void actions.model.cancelImport()
  else if (why.get().kind === 'looking') actions.solver.stopExplaining()
  else if (setupOpen.get() && width.get() !== 'wide') actions.page.closeSetup()
  else if (looking.get()) void giveUp(actions)
  else if (playing.get()) actions.player.pause()
  else if (measuring.get()) measure(false)
  else if (adding.get()) pinSeveral(false)
  else if (watchOpen.get()) showMarks(false)
  else if (range.get() !== null) clearRange()
  else if (pinned.get() >= 0) clearPins()
  else if (editing.get()) setEditing(false)
  else if (pickedOp.get() >= 0) actions.canvas.pickOp(pickedOp.get())
  else actions.page.closeHint()
}
