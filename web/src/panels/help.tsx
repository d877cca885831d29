import { useValue } from '../base/use_value'
import { manifest } from '../state/atoms'
import { singleKeys } from '../state/ui'
import { COMMANDS } from './commands'
import { useActions } from './context'
import { Dialog } from './dialog'

export function Help() {
  const actions = useActions()
  const version = useValue(manifest)?.version ?? ''
  const single = useValue(singleKeys)
  return (
    <Dialog title="Help">
      <p class="prose">
        A buffer lives from <i>lower</i> up to, not including, <i>upper</i> and has a <i>size</i>. The solver gives each
        an offset below the capacity, so that no two share a byte at the same time. Time runs to the right, addresses
        run upward.
      </p>
      <p class="prose">
        Amber is the step shown. Red is what stands in its way. The lower bound is the greatest load: no plan can be
        lower.
      </p>
      <h3>Keys</h3>
      <dl class="keys">
        {COMMANDS.map((command) => (
          <div key={command.shown}>
            <dt>
              <kbd>{command.shown}</kbd>
            </dt>
            <dd>{command.title}</dd>
          </div>
        ))}
      </dl>
      <p class="hint">
        With the canvas in focus the arrows pan. Wheel or pinch zooms, drag pans, double-click shows everything.
      </p>
      <label class="check">
        <input
          type="checkbox"
          checked={single}
          onChange={(event) => actions.setSingleKeys(event.currentTarget.checked)}
        />
        <span>Single keys act</span>
      </label>
      <p class="hint">Arenascope {version}. Everything runs in this page; nothing is sent anywhere.</p>
    </Dialog>
  )
}
