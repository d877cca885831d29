/** A phone has no toolbars: all that they hold on a larger page is in this menu. */
import { Later } from '../../base/later'
import { useValue } from '../../base/use_value'
import { COLOUR_TITLES } from '../../layout/canvas/colour_key'
import type { Actions } from '../../run/actions'
import { adding, fragments, measuring } from '../../state/canvas/canvas'
import { colour, fileOpen, operators, phased, result, steps, mode, opened, run } from '../../state/workbench'
import { editable, editing, setEditing, TOO_LONG } from '../../state/edit/editing'
import { lesson } from '../../state/ui'
import { toggleCompare } from '../../run/page/modes'
import { useActions } from './context'
import { I } from '../controls/icons'
import { Menu, type MenuEntry, type MenuGroup, type MenuItem } from '../controls/menu'
import { commandNamed } from './commands'
import { beginnings, exportItems } from './menu_items'
import { colourModes } from './toolbar'

const undo = new Later(() => import('../edit/undo'))

/** A command of the table. */
function item(actions: Actions, name: string, label?: string): MenuItem {
  const command = commandNamed(name)
  const on = command.on === undefined ? {} : { on: command.on.get() }
  return { key: name, title: label ?? command.label, ...on, act: () => command.do(actions) }
}

/** What the toolbar of the canvas has. taught: a lesson has the page, which searches and edits nothing. */
function canvasItems(actions: Actions, taught: boolean): MenuGroup {
  const now = colour.get()
  const colours = colourModes(operators.get() !== null, phased.get()).map((id) => ({
    key: id,
    title: COLOUR_TITLES[id],
    on: id === now,
    act: () => actions.canvas.setColour(id),
  }))
  const items: MenuEntry[] = [
    { key: 'colour', title: 'Colour', note: COLOUR_TITLES[now], items: colours },
    item(actions, 'free-blocks'),
    item(actions, 'ruler'),
    { key: 'adding', title: 'Pin several', on: adding.get(), act: () => adding.update((on) => !on) },
  ]
  if (!taught) {
    const long = !editable.get()
    const edit = () => {
      if (!editing.get()) actions.page.showTab('buffers')
      setEditing(!editing.get())
    }
    items.push(item(actions, 'find'), {
      key: 'edit',
      title: 'Edit the buffers',
      on: editing.get(),
      disabled: long,
      ...(long ? { note: TOO_LONG } : {}),
      act: edit,
    })
  }
  items.push(item(actions, 'fit'))
  return { key: 'canvas', title: 'Canvas', note: 'colour, ruler, search', items }
}

export function PhoneMenu() {
  const actions = useActions()
  const comparing = useValue(mode) === 'compare'
  const taught = useValue(lesson) !== null
  const some = useValue(opened) !== null
  const back = useValue(undo.arrival)
  for (const shown of [adding, fragments, measuring, colour, editable, editing, result, fileOpen, run, steps])
    useValue<unknown>(shown)
  const items: MenuEntry[] = [
    { ...item(actions, 'lessons'), note: 'from the beginning' },
    { key: 'open', title: 'Open', note: 'models, examples', items: beginnings(actions) },
  ]
  if (some && !comparing) items.push(canvasItems(actions, taught))
  if (!taught) {
    items.push(
      { key: 'compare', title: comparing ? 'Back to the search' : 'Compare runs', act: toggleCompare },
      { key: 'export', title: 'Export', note: 'plan, figure, film', items: exportItems(actions) },
    )
    if (back.kind === 'there') items.push(...back.part.undoItems(actions))
  }
  items.push(item(actions, 'theme'), item(actions, 'palette', 'Commands…'), item(actions, 'help'))
  return <Menu name="Menu" class="icon-button" align="right" label={<I name="menu" />} items={items} />
}
