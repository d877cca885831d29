import { useValue } from '../../base/use_value'
import { history, type State } from '../../run/edit/undo_history'
import type { Actions } from '../../run/actions'
import type { MenuItem } from '../controls/menu'
import { CommandButton } from '../page/command_button'
import { commandItem } from '../page/menu_items'
import type { History } from '../../state/edit/history'
import { nameOf } from '../../state/workbench_values'

/** What is open after an undo or a redo: a capacity alone is no step of its own, so that this may be another problem. */
function ways({ past, now, future }: History<State>) {
  const name = (state: State) => (state === null ? 'no problem' : nameOf(state.source))
  const to = (state: State | undefined, toward: string, side: string) =>
    state === undefined ? '' : `${toward} ${name(state)}${name(state) === name(now) ? ` ${side} the change` : ''}`
  return { undo: to(past.at(-1), 'back to', 'before'), redo: to(future[0], 'on to', 'after') }
}

/** The same for a menu. */
export function undoItems(actions: Actions): MenuItem[] {
  const { undo, redo } = ways(history.get())
  const item = (name: string, note: string) =>
    commandItem(actions, name, note === '' ? { disabled: true } : { disabled: false, note })
  return [item('undo', undo), item('redo', redo)]
}

/** Back from what was edited, pasted or cleared, and on again. */
export function UndoButtons() {
  const { undo, redo } = ways(useValue(history))
  return (
    <>
      <CommandButton name="undo" icon="undo" hint={`Undo: ${undo}`} off={undo === '' ? 'Nothing to undo' : ''} />
      <CommandButton name="redo" icon="redo" hint={`Redo: ${redo}`} off={redo === '' ? 'Nothing to do again' : ''} />
    </>
  )
}
