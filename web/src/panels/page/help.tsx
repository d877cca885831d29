import { useValue } from '../../base/use_value'
import { LETTERS, SCORES } from '../../state/solver/arms'
import { manifest } from '../../state/atoms'
import { singleKeys } from '../../state/ui'
import { COMMANDS, keyOf } from './commands'
import { useActions } from './context'
import { Legend } from './hint_steps'

/** How the names of arms are read. */
function Arms() {
  return (
    <>
      <h3>Arms of the exact solver</h3>
      <p class="prose">
        An arm is one way to search, and a portfolio takes them in turn. In <span class="mono">10WATKR</span> the number
        says which section is asked next, the letters in which order its candidates are tried.
      </p>
      <dl class="keys arms">
        {[...Object.entries(SCORES), ...Object.entries(LETTERS)].map(([name, text]) => (
          <div key={name}>
            <dt class="mono">{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
        <div>
          <dt class="mono">H</dt>
          <dd>least slack wasted in its lifespan</dd>
        </div>
        <div>
          <dt class="mono">K</dt>
          <dd>least slack wasted anywhere</dd>
        </div>
        <div>
          <dt class="mono">R</dt>
          <dd>ties to the right</dd>
        </div>
      </dl>
    </>
  )
}

export function Help() {
  const actions = useActions()
  const version = useValue(manifest)?.version ?? ''
  const single = useValue(singleKeys)
  const arms = useValue(manifest)?.solvers.some((solver) => solver.options.some((o) => o.name === 'portfolio'))
  return (
    <>
      <p class="prose">
        A buffer lives from <i>lower</i> up to, not including, <i>upper</i> and has a <i>size</i>. The solver gives each
        an offset below the capacity, so that no two share a byte at the same time. Time runs to the right, addresses
        run upward.
      </p>
      <p class="prose">
        Amber is the step shown. Red is what stands in its way. The lower bound is the greatest load: no plan can be
        lower.
      </p>
      <p class="prose">
        A model (TFLite, ONNX, a graph as JSON or CSV) becomes buffers first: a tensor lives from the operator that
        makes it until after the last that reads it. On the strip, in the graph and on the canvas a full outline is what
        is made, a dashed one what is read.
      </p>
      <p class="prose">
        The{' '}
        <a href="docs/index.html" target="_blank" rel="noopener">
          documentation
        </a>{' '}
        tells of formats, solvers, Python, C and JavaScript, and how a search is put into a page of yours.
      </p>
      <Legend />
      <h3>Keys</h3>
      <dl class="keys">
        {COMMANDS.filter((command) => keyOf(command) !== '').map((command) => (
          <div key={command.name}>
            <dt>
              <kbd>{keyOf(command)}</kbd>
            </dt>
            <dd>{command.label}</dd>
          </div>
        ))}
      </dl>
      <p class="hint">
        With the canvas in focus the arrows pan. Wheel or pinch zooms, drag pans, double-click shows everything. Shift
        and drag on the search mark out a range to play.
      </p>
      {arms === true && <Arms />}
      <label class="check">
        <input
          type="checkbox"
          checked={single}
          onChange={(event) => actions.page.setSingleKeys(event.currentTarget.checked)}
        />
        <span>Single keys act</span>
      </label>
      <p class="hint">Arenascope {version}. Everything runs in this page; nothing is sent anywhere.</p>
    </>
  )
}
