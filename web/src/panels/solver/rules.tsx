/** What a first run needs nothing of, folded away: the options of a solver, made from its table, the budget and the seed. */
import type { SolverOption } from '../../../../wasm/client/types'
import { thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import { MAX_BYTES, parseCount } from '../../state/page/quantity'
import { budget, options, run, seed, solverInfo } from '../../state/workbench'
import { BUDGET_DEFAULT } from '../../state/workbench_values'
import { NumberField } from '../controls/field'
import { OptionForm } from '../controls/option_form'
import { useActions } from '../page/context'

export function Rules() {
  const actions = useActions()
  const info = useValue(solverInfo)
  const all = useValue(options)
  const steps = useValue(budget)
  const start = useValue(seed)
  const running = useValue(run).kind === 'running'
  if (info === null) return null
  const values = all[info.id] ?? {}
  const isOther = ({ name, initial }: SolverOption) => (values[name] ?? initial) !== initial
  const changed = info.options.filter(isOther).length + (steps === BUDGET_DEFAULT ? 0 : 1) + (start === 1 ? 0 : 1)
  return (
    <details
      class="fold"
      onToggle={({ currentTarget }) => currentTarget.open && currentTarget.scrollIntoView({ block: 'start' })}
    >
      <summary>
        Rules and limits
        <span class="section-note">{changed > 0 && `${thousands(changed)} changed`}</span>
      </summary>
      <OptionForm
        key={info.id}
        id={info.id}
        options={info.options}
        values={values}
        set={(name, value) => actions.solver.setOption(name, value)}
      />
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
      <button
        type="button"
        class="button rules-reset"
        title="The solver’s defaults again, and no run"
        disabled={running}
        onClick={() => actions.solver.reset()}
      >
        Reset
      </button>
    </details>
  )
}
