/** All that the palette offers, from the tables that the page's own menus, keys and tabs are made of. */
import { thousands } from '../../base/format'
import type { Pause } from '../../base/slices'
import { COLOUR_TITLES } from '../../layout/canvas/colour_key'
import type { Actions } from '../../run/actions'
import { texts } from '../../run/lesson/lesson_live'
import { ownProfiles, say } from '../../state/atoms'
import { type CompareTab, setTab } from '../../state/compare/compare'
import { goalWords } from '../../state/solver/goals'
import { colourModes, operators, options, steps, opened, solverChoices, solverInfo } from '../../state/workbench'
import type { Entry } from '../../state/page/command_search'
import { parseCount } from '../../state/page/quantity'
import { known } from '../../state/profile/profile_texts'
import { type Command, COMMANDS, keyOf } from '../page/commands'
import { beginnings, commandItem, exportItems } from '../page/menu_items'
import { moreTab, tabsOf } from '../page/tabs'
import { setMode } from '../../run/page/modes'

/** Buffers that are offered for one query, of all those whose id fits. */
const MOST_BUFFERS = 12

/** Those of the table, and the tabs that are not in it; `menus` have the rest of the table. */
function commands(actions: Actions, menus: readonly Item[]): Entry[] {
  const there = ({ name, when }: Command) => when?.get() !== false && !menus.some(({ key }) => key === name)
  const listed = COMMANDS.filter(there).map((command) => ({
    id: `command ${command.name}`,
    group: 'Command',
    title: command.label,
    keys: keyOf(command),
    act: () => {
      if (command.everywhere !== true) setMode('search')
      command.do(actions)
    },
  }))
  const tabs = tabsOf(operators.get() !== null, false, moreTab(opened.get()))
    .filter(([, title]) => !COMMANDS.some((command) => command.label.endsWith(title)))
    .map(([id, title]) => ({
      id: `command ${id}`,
      group: 'Command',
      title: `Show ${title}`,
      keys: '',
      act: () => actions.page.showTab(id),
    }))
  return [...listed, ...tabs]
}

interface Item {
  key: string
  title: string
  disabled?: boolean
  act: () => void
}

function grouped(group: string, items: readonly Item[]): Entry[] {
  return items
    .filter((item) => item.disabled !== true)
    .map(({ key, title, act }) => ({ id: `${group} ${key}`, group, title, keys: '', act }))
}

function profiles(actions: Actions): Item[] {
  const items = [null, ...ownProfiles.get(), ...known].map((profile) => ({
    key: profile?.id ?? '',
    title: profile?.title ?? 'No profile',
    act: () => void actions.profile.chooseProfile(profile),
  }))
  return [commandItem(actions, 'chips'), ...items]
}

/** The rules and other switches of the solver that is chosen. */
function switches(actions: Actions): Entry[] {
  const chosen = solverInfo.get()
  const set = options.get()[chosen?.id ?? ''] ?? {}
  const items = (chosen?.options ?? [])
    .filter(({ type }) => type === 'bool')
    .map(({ name, title, initial }) => {
      const on = (set[name] ?? initial) === 'true'
      const act = () => actions.solver.setOption(name, String(!on))
      return { key: name, title: `${title}: turn ${on ? 'off' : 'on'}`, act }
    })
  return grouped('Rule', items)
}

/** What Share does at its first button. */
async function copyLink(actions: Actions): Promise<void> {
  const pack = await actions.attempt(() => actions.share.gather())
  const made = await pack?.('')
  if (made?.kind !== 'link') {
    actions.page.openDialog('share')
    return
  }
  const url = `${location.origin}${location.pathname}${location.search}#${made.fragment}`
  await navigator.clipboard.writeText(url).then(
    () => say({ tone: 'ok', title: 'Copied:', text: 'the link to this very step.' }),
    () => actions.page.openDialog('share'),
  )
}

function openCompare(part: CompareTab): void {
  setTab(part)
  setMode('compare')
}

function elsewhere(actions: Actions): Entry[] {
  if (opened.get() === null) return []
  return grouped('Command', [
    { key: 'copy-link', title: 'Copy link', act: () => void copyLink(actions) },
    { key: 'sweep', title: 'Capacity sweep', act: () => openCompare('sweep') },
    { key: 'matrix', title: 'Matrix of solvers and examples', act: () => openCompare('matrix') },
  ])
}

/** The lessons, whose texts come when somebody looks for something. */
export async function lessonEntries(actions: Actions): Promise<Entry[]> {
  const [{ lessons }, { goTo }] = await Promise.all([texts.get(), import('../../run/lesson/lessons')])
  const items = lessons.map(({ id, title }) => ({
    key: id,
    title,
    act: () => {
      setMode('search')
      void goTo(actions.session, id, 0)
    },
  }))
  return grouped('Lesson', items)
}

/** Everything but buffers and steps, which are too many to be listed. */
export function listed(actions: Actions): Entry[] {
  const solvers = solverChoices.get()
  const chosen = solverInfo.get()
  const colours = opened.get() === null ? [] : colourModes.get()
  const [open, save, chips] = [beginnings(actions), exportItems(actions), profiles(actions)]
  return [
    ...commands(actions, [...open, ...save, ...chips]),
    ...elsewhere(actions),
    ...grouped('Open', open),
    ...grouped(
      'Solver',
      solvers.map(({ id, title }) => ({ key: id, title, act: () => actions.solver.chooseSolver(id) })),
    ),
    ...grouped(
      'Goal',
      (chosen === null || chosen.goals.length < 2 ? [] : chosen.goals).map((goal) => ({
        key: goal,
        title: chosen === null ? '' : goalWords(chosen, goal).title,
        act: () => actions.solver.setGoal(goal),
      })),
    ),
    ...switches(actions),
    ...grouped('Export', save),
    ...grouped(
      'Colour by',
      colours.map((id) => ({ key: id, title: COLOUR_TITLES[id], act: () => actions.canvas.setColour(id) })),
    ),
    ...grouped('Profile', chips),
  ]
}

/** "1234" and "step 1,234" as a step of this search. */
export function stepsFor(actions: Actions, query: string): Entry[] {
  const number = /^(?:go\s+to\s+)?(?:step\s+)?([\d,]+)$/i.exec(query.trim())?.[1]
  const step = number === undefined ? null : parseCount(number, 0, steps.get())
  if (step?.ok !== true) return []
  const title = `Go to step ${thousands(step.value)}`
  return [{ id: 'step', group: 'Step', title, keys: '', act: () => actions.player.seek(step.value) }]
}

/** Ids looked at between two pauses. */
const GRAIN = 2048

/** Buffers whose id begins with what is asked for, then those that hold it; null: nobody wants them any more. O(buffers). */
export async function buffersFor(actions: Actions, query: string, pause: Pause): Promise<Entry[] | null> {
  const wanted = query
    .trim()
    .replace(/^(go\s+to\s+)?(buffer\s+)?/i, '')
    .toLowerCase()
  const ids = opened.get()?.problem.ids ?? []
  if (wanted === '') return []
  const first: number[] = []
  const rest: number[] = []
  for (let from = 0; from < ids.length && first.length < MOST_BUFFERS; from += GRAIN) {
    ids.slice(from, from + GRAIN).forEach((id, k) => {
      const at = id.toLowerCase().indexOf(wanted)
      if (at === 0) first.push(from + k)
      else if (at > 0 && rest.length < MOST_BUFFERS) rest.push(from + k)
    })
    if (!(await pause())) return null
  }
  return [...first, ...rest].slice(0, MOST_BUFFERS).map((k) => ({
    id: 'buffer',
    group: 'Buffer',
    title: `Go to buffer ${ids.at(k) ?? ''}`,
    keys: '',
    act: () => actions.canvas.reveal(k),
  }))
}
