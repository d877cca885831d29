/** The pinned buffers with what is known of them, above the table. */
import { bytesIn, exactBytes, thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import { clearPins, unpin } from '../../run/canvas/pins'
import { pins } from '../../state/canvas/canvas'
import { shownFrame, unit, problem as shownProblem } from '../../state/workbench'
import { useActions } from '../page/context'
import { Name } from '../controls/name'
import { I } from '../controls/icons'
import { CommandButton } from '../page/command_button'
import '../../styles/later'

function Pin({ buffer }: { buffer: number }) {
  const actions = useActions()
  const problem = useValue(shownProblem) ?? undefined
  const amounts = useValue(unit)
  const offset = useValue(shownFrame)?.offset[buffer] ?? -1
  if (problem === undefined) return null
  const size = problem.size[buffer] ?? 0
  const id = problem.ids.at(buffer) ?? ''
  const place = offset < 0 ? 'not placed' : `at ${bytesIn(offset, amounts)}`
  return (
    <li onPointerEnter={() => actions.canvas.light([buffer], -1)} onPointerLeave={() => actions.canvas.light([], -1)}>
      <button type="button" class="pin-show" title="Show it" onClick={() => actions.view?.centre(buffer)}>
        <span class="clip">
          <Name of={id} />
        </span>
        <span class="dim">
          [{thousands(problem.lower[buffer] ?? 0)}, {thousands(problem.upper[buffer] ?? 0)})
        </span>
        <span title={exactBytes(size)}>{bytesIn(size, amounts)}</span>
        <span class="dim" title={offset < 0 ? undefined : exactBytes(offset)}>
          {place}
        </span>
      </button>
      <button type="button" class="icon-button" aria-label={`Let go of ${id}`} onClick={() => unpin(buffer)}>
        <I name="close" />
      </button>
    </li>
  )
}

/** What several have in common: the bytes of all, and when they are all alive. */
function Together({ buffers }: { buffers: readonly number[] }) {
  const problem = useValue(shownProblem) ?? undefined
  const amounts = useValue(unit)
  if (problem === undefined || buffers.length < 2) return null
  const lower = Math.max(...buffers.map((k) => problem.lower[k] ?? 0))
  const upper = Math.min(...buffers.map((k) => problem.upper[k] ?? 0))
  const bytes = buffers.reduce((sum, k) => sum + (problem.size[k] ?? 0), 0)
  const alive = lower < upper ? `all alive in [${thousands(lower)}, ${thousands(upper)})` : 'never all alive at once'
  return (
    <p class="hint">
      {bytesIn(bytes, amounts)} together, {alive}
    </p>
  )
}

export function Pins() {
  const list = useValue(pins)
  if (list.length === 0) return null
  return (
    <section class="pins" aria-labelledby="pins-head">
      <header class="section-head">
        <h2 id="pins-head">Pinned</h2>
        <span class="spring" />
        <CommandButton name="pin-several" class="text-button pin-more">
          Pin several
        </CommandButton>
        <button type="button" class="text-button" title="Let go of all (Esc)" onClick={clearPins}>
          Let go
        </button>
      </header>
      <ul>
        {list.map((buffer) => (
          <Pin key={buffer} buffer={buffer} />
        ))}
      </ul>
      <Together buffers={list} />
    </section>
  )
}
