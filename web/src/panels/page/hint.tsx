/** What an example is there to show; on a first visit before that how to read the page and go on, in three steps. */
import type { ComponentChildren } from 'preact'
import { useValue } from '../../base/use_value'
import { caption, hintShown } from '../../state/workbench'
import { I } from '../controls/icons'
import { Part } from '../controls/later_part'
import { useActions } from './context'
import { sidePanel } from './first_parts'

function Tip({ children }: { children: ComponentChildren }) {
  const actions = useActions()
  return (
    <div class="tip" role="note">
      {children}
      <button type="button" class="icon-button" aria-label="Close the hint" onClick={() => actions.page.closeHint()}>
        <I name="close" />
      </button>
    </div>
  )
}

export function Caption() {
  const hint = useValue(hintShown)
  const text = useValue(caption)
  if (hint)
    return (
      <Part of={sidePanel} quiet>
        {({ Steps }) => (
          <Tip>
            <Steps />
          </Tip>
        )}
      </Part>
    )
  return text === '' ? null : (
    <Tip>
      <p>{text}</p>
    </Tip>
  )
}
