import { useValue } from '../../base/use_value'
import { history } from '../../run/edit/undo_history'
import type { Actions } from '../../run/actions'
import type { MenuItem } from '../controls/menu'
import { CommandButton } from '../page/command_button'
import { commandItem } from '../page/menu_items'

/** The same for a menu. */
export function undoItems(actions: Actions): MenuItem[] {
  const { past, future } = history.get()
  return [
    commandItem(actions, 'undo', { disabled: past.length === 0 }),
    commandItem(actions, 'redo', { disabled: future.length === 0 }),
  ]
}

/** Back from what was edited, pasted or cleared, and on again. */
export function UndoButtons() {
  const { past, future } = useValue(history)
  return (
    <>
      <CommandButton name="undo" icon="undo" off={past.length === 0 ? 'Nothing to undo' : ''} />
      <CommandButton name="redo" icon="redo" off={future.length === 0 ? 'Nothing to do again' : ''} />
    </>
  )
}
