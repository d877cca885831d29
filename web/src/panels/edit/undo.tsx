import { useValue } from '../../base/use_value'
import { history } from '../../run/edit/undo_history'
import type { Actions } from '../../run/actions'
import { useActions } from '../page/context'
import { travel } from './edits'
import { I } from '../controls/icons'
import type { MenuItem } from '../controls/menu'

/** The same for a menu. */
export function undoItems(actions: Actions): MenuItem[] {
  const { past, future } = history.get()
  return [
    { key: 'undo', title: 'Undo', disabled: past.length === 0, act: () => void travel(actions, -1) },
    { key: 'redo', title: 'Redo', disabled: future.length === 0, act: () => void travel(actions, 1) },
  ]
}

/** Back from what was edited, pasted or cleared, and on again. */
export function UndoButtons() {
  const actions = useActions()
  const { past, future } = useValue(history)
  return (
    <>
      <button
        type="button"
        class="icon-button"
        aria-label="Undo"
        title="Undo (Ctrl Z)"
        disabled={past.length === 0}
        onClick={() => void travel(actions, -1)}
      >
        <I name="undo" />
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label="Redo"
        title="Redo (Ctrl Shift Z)"
        disabled={future.length === 0}
        onClick={() => void travel(actions, 1)}
      >
        <I name="redo" />
      </button>
    </>
  )
}
