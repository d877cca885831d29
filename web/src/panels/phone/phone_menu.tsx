/** A phone has no toolbars: all that they hold on a larger page is in this menu. */
import { useValue } from '../../base/use_value'
import { COLOUR_TITLES } from '../../layout/canvas/colour_key'
import type { Actions } from '../../run/actions'
import { adding, fragments, measuring } from '../../state/canvas/canvas'
import { colour, colourModes, fileOpen, result, steps, mode, opened, run } from '../../state/workbench'
import { editing, setEditing, uneditable } from '../../state/edit/editing'
import { lesson } from '../../state/ui'
import { useActions } from '../page/context'
import { I } from '../controls/icons'
import { Menu, type MenuEntry, type MenuGroup } from '../controls/menu'
import { beginnings, commandItem, exportItems } from '../page/menu_items'
import { undo } from '../page/undo_later'

/** What the toolbar of the canvas has. taught: a lesson has the page, which searches and edits nothing. */
function canvasItems(actions: Actions, taught: boolean): MenuGroup {
  const now = colour.get()
  const colours = colourModes.get().map((id) => ({
    key: id,
    title: COLOUR_TITLES[id],
    on: id === now,
    act: () => actions.canvas.setColour(id),
  }))
  const items: MenuEntry[] = [
    { key: 'colour', title: 'Colour', note: COLOUR_TITLES[now], items: colours },
    ...['free-blocks', 'ruler', 'pin-several'].map((name) => commandItem(actions, name)),
  ]
  if (!taught) {
    const fixed = uneditable.get()
    const edit = () => {
      if (!editing.get()) actions.page.showTab('buffers')
      setEditing(!editing.get())
    }
    const off = fixed !== '' ? { disabled: true, note: fixed } : {}
    items.push(commandItem(actions, 'find'), commandItem(actions, 'edit', { act: edit, ...off }))
  }
  items.push(commandItem(actions, 'fit'))
  return { key: 'canvas', title: 'Canvas', note: 'colour, ruler, search', items }
}

export function PhoneMenu() {
  const actions = useActions()
  const comparing = useValue(mode) === 'compare'
  const taught = useValue(lesson) !== null
  const some = useValue(opened) !== null
  const back = useValue(undo.arrival)
  for (const shown of [adding, fragments, measuring, colour, uneditable, editing, result, fileOpen, run, steps])
    useValue<unknown>(shown)
  const items: MenuEntry[] = [
    commandItem(actions, 'lessons', { note: 'from the beginning', on: undefined }),
    { key: 'open', title: 'Open', note: 'models, examples', items: beginnings(actions) },
  ]
  if (some && !comparing) items.push(canvasItems(actions, taught))
  if (!taught) {
    items.push(
      commandItem(actions, 'compare', { title: comparing ? 'Back to the search' : 'Compare runs', on: undefined }),
      {
        key: 'export',
        title: 'Export',
        note: 'plan, figure, film',
        items: exportItems(actions),
      },
    )
    if (back.kind === 'there') items.push(...back.part.undoItems(actions))
  }
  items.push(
    commandItem(actions, 'theme'),
    commandItem(actions, 'palette', { title: 'Commands…' }),
    commandItem(actions, 'help'),
  )
  return <Menu name="Menu" class="icon-button" align="right" label={<I name="menu" />} items={items} />
}
