/** Which solver, and its run. */
import { useId } from 'preact/hooks'
import { Later } from '../../base/later'
import { useValue } from '../../base/use_value'
import {
  lackSentence,
  obstacles,
  opened,
  problem,
  run,
  solverChoices,
  solverInfo,
  stale,
  worth,
} from '../../state/workbench'
import { useActions } from '../page/context'
import { I } from '../controls/icons'
import { Part } from '../controls/later_part'
import { Goals } from './least_height'

const lowerings = new Later(() => import('../model/planner_lowering'))
const rules = new Later(() => import('./rules'))

/** Stays in sight however long the form is, and in its place whatever comes: a button that moves as it is pressed is missed. */
export function RunPanel() {
  const actions = useActions()
  const state = useValue(run)
  const ready = useValue(opened) !== null
  const changed = useValue(stale)
  const lacks = useValue(obstacles)
  const given = useValue(problem)
  const again = state.kind === 'ended' || state.kind === 'cancelled' || state.kind === 'failed'
  return (
    <section class="section run" aria-label="Run">
      <Goals />
      <div class="row run-row">
        {state.kind === 'running' ? (
          <button type="button" class="run-button" onClick={() => actions.solver.cancel()}>
            Cancel <kbd>Esc</kbd>
          </button>
        ) : (
          <button type="button" class="run-button primary" disabled={!ready} onClick={() => void actions.solver.run()}>
            <I name="play" />
            {changed ? 'Run with the changes' : again ? 'Run again' : 'Run'}
          </button>
        )}
      </div>
      {lacks.length > 0 && given !== null && <p class="hint why">{lackSentence(lacks, given)}</p>}
    </section>
  )
}

export function SolverPanel() {
  const actions = useActions()
  const choices = useValue(solverChoices)
  const id = useId()
  const info = useValue(solverInfo)
  const given = useValue(problem)
  const ofModel = useValue(opened)?.source.kind === 'model'
  return (
    <section class="section" aria-labelledby="solver-head">
      <header class="section-head">
        <h2 id="solver-head">Solver</h2>
        {info !== null && <span class="section-note">{worth(info, given)}</span>}
      </header>
      <select
        id={id}
        class="solver-select"
        aria-label="Solver"
        value={info?.id ?? ''}
        onChange={(event) => actions.solver.chooseSolver(event.currentTarget.value)}
      >
        {choices.map((s) => (
          <option key={s.id} value={s.id}>
            {s.title}
          </option>
        ))}
      </select>
      {info !== null && (
        <p class="hint solver-summary" title={info.paper}>
          {info.summary}
        </p>
      )}
      {ofModel && (
        <Part of={lowerings} quiet>
          {({ PlannerLowering }) => <PlannerLowering />}
        </Part>
      )}
      <Part of={rules} quiet>
        {({ Rules }) => <Rules />}
      </Part>
    </section>
  )
}
