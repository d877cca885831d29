import { brief, thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import { minimising, opened, ordersOperators, run } from '../../state/workbench'
import { useActions } from '../page/context'
import { Gap, Interval } from './least_height'

/** While a search runs: how far, how fast, and the way out. Short runs end before it is seen. */
export function Running() {
  const actions = useActions()
  const state = useValue(run)
  const count = useValue(opened)?.problem.count ?? 0
  const least = useValue(minimising)
  const ordered = useValue(ordersOperators)
  if (state.kind !== 'running') return null
  const stats = state.progress?.stats
  const steps = stats?.steps ?? 0
  const { budget } = state.config
  const rate = stats !== undefined && stats.seconds > 0 ? steps / stats.seconds : 0
  return (
    <section class="running" aria-label="Running">
      <div class="row">
        <b>Running</b>
        {least && stats !== undefined ? (
          <span class="mono dim clip">
            least height <Interval stats={stats} />, gap <Gap stats={stats} />
          </span>
        ) : ordered ? null : (
          <span class="mono dim">
            deepest {thousands(stats?.maxDepth ?? 0)} of {thousands(count)}
          </span>
        )}
        <span class="spring" />
        <span class="mono">{rate > 0 ? `${brief(rate)} steps/s` : ''}</span>
      </div>
      <progress
        class={budget === 0 ? 'endless' : ''}
        aria-label="Steps of the budget"
        max={budget === 0 ? 1 : budget}
        value={budget === 0 ? 1 : Math.min(steps, budget)}
      />
      <div class="row">
        <span class="mono">
          {thousands(steps)} {budget > 0 ? `of ${thousands(budget)} ` : ''}steps
        </span>
        <span class="spring" />
        <button type="button" class="button" onClick={() => actions.solver.cancel()}>
          Cancel <kbd>Esc</kbd>
        </button>
      </div>
    </section>
  )
}
