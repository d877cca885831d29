import { useValue } from '../../base/use_value'
import { notice } from '../../state/atoms'
import { useActions } from './context'
import { I } from '../controls/icons'

/** A message of the page itself, above everything until it is closed. */
export function NoticeBar() {
  const actions = useActions()
  const now = useValue(notice)
  if (now === null) return null
  return (
    <div class={`notice notice-${now.tone}`} role="alert">
      <p>
        <b>{now.title}</b> {now.text}
      </p>
      {now.action !== undefined && (
        <button type="button" class="button" onClick={now.action.act}>
          {now.action.title}
        </button>
      )}
      <button
        type="button"
        class="icon-button"
        aria-label="Close the message"
        onClick={() => actions.page.closeNotice()}
      >
        <I name="close" />
      </button>
    </div>
  )
}
