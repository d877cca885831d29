/** The form of a solver, made from its option table. */
import { useId } from 'preact/hooks'
import type { SolverInfo, SolverOption } from '../../../../wasm/client/types'
import { thousands } from '../../base/format'
import { Later } from '../../base/later'
import { useValue } from '../../base/use_value'
import { obstacles, solverChoices, solverInfo, stale, budget, opened, options, run, seed } from '../../state/workbench'
import { MAX_BYTES, parseCount } from '../../state/page/quantity'
import { useActions } from '../page/context'
import { NumberField } from '../controls/field'
import { I } from '../controls/icons'
import { Part } from '../controls/later_part'
import { Goals } from './least_height'
import { OptionForm } from '../controls/option_form'

const lowerings = new Later(() => import('../model/planner_lowering'))

/** From this many options on they are folded away: the form must not push Run out of sight. */
const FOLDED = 14

function Options({ info }: { info: SolverInfo }) {
  const actions = useActions()
  const values = useValue(options)[info.id] ?? {}
  const current = (option: SolverOption) => values[option.name] ?? option.initial
  const shown = info.options
  const set = (name: string, value: string) => actions.solver.setOption(name, value)
  const form = <OptionForm id={info.id} options={shown} values={values} set={set} />
  if (shown.length < FOLDED) return form
  const changed = shown.filter((option) => current(option) !== option.initial).length
  return (
    <details class="fold" key={info.id}>
      <summary>
        Rules and limits
        <span class="section-note">{changed > 0 ? `${changed} changed` : `${shown.length}`}</span>
      </summary>
      {form}
    </details>
  )
}

function RunButtons() {
  const actions = useActions()
  const state = useValue(run)
  const ready = useValue(opened) !== null
  const changed = useValue(stale)
  const lacks = useValue(obstacles)
  const again = state.kind === 'ended' || state.kind === 'cancelled' || state.kind === 'failed'
  return (
    <>
      <Goals />
      <div class="row run-row">
        {state.kind === 'running' ? (
          <button type="button" class="run-button" onClick={() => actions.solver.cancel()}>
            Cancel <kbd>Esc</kbd>
          </button>
        ) : (
          <button type="button" class="run-button primary" disabled={!ready} onClick={() => void actions.solver.run()}>
            <I name="play" />
            {again ? 'Run again' : 'Run'}
          </button>
        )}
        <button
          type="button"
          class="button tall"
          disabled={state.kind === 'running'}
          onClick={() => actions.solver.reset()}
        >
          Reset
        </button>
      </div>
      {lacks.length > 0 && (
        <p class="hint why">This solver does not honour {lacks.join(', ')}, which this problem has.</p>
      )}
      {changed && <p class="hint">The settings have changed since this run.</p>}
    </>
  )
}

export function SolverPanel() {
  const actions = useActions()
  const choices = useValue(solverChoices)
  const id = useId()
  const info = useValue(solverInfo)
  const steps = useValue(budget)
  const start = useValue(seed)
  const ofModel = useValue(opened)?.source.kind === 'model'
  return (
    <section class="section" aria-labelledby="solver-head">
      <header class="section-head">
        <h2 id="solver-head">Solver</h2>
        {info !== null && (
          <span class="section-note">{info.complete ? 'complete' : info.refutes ? 'incomplete' : 'heuristic'}</span>
        )}
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
      {info !== null && <Options info={info} />}
      <NumberField
        label="Budget"
        value={thousands(steps)}
        parse={(text) => parseCount(text, 0, MAX_BYTES)}
        set={(v) => actions.solver.setBudget(v)}
        unit="steps"
        help="The search stops after this many steps. 0: no limit."
      />
      <NumberField
        label="Seed"
        value={thousands(start)}
        parse={(text) => parseCount(text, 0, MAX_BYTES)}
        set={(v) => actions.solver.setSeed(v)}
        help="For solvers that draw lots. The same seed gives the same search."
      />
      <RunButtons />
    </section>
  )
}
