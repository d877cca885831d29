/** The settings of one column: the same forms as the page's own. Nothing changes before they are taken. */
import { useState } from 'preact/hooks'
import type { RunConfig } from '../../../../wasm/client/types'
import { thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import { race } from '../../run/race/page_race'
import type { Lane, Race } from '../../run/race/race'
import { manifest } from '../../state/atoms'
import { isOther, OTHERS } from '../../state/compare/others'
import { editing } from '../../state/compare/compare'
import { lacking, lackSentence, opened } from '../../state/workbench'
import { capacityText, MAX_BYTES, parseBytes, parseCount } from '../../state/page/quantity'
import { useActions } from '../page/context'
import { filled, NumberField } from '../controls/field'
import { OptionForm } from '../controls/option_form'

function Form({ race, lane }: { race: Race; lane: Lane }) {
  const actions = useActions()
  const solvers = useValue(manifest)?.solvers ?? []
  const problem = useValue(opened)?.problem
  const [config, setConfig] = useState<RunConfig>(lane.config.get())
  const solver = solvers.find(({ id }) => id === config.solver)
  const change = (part: Partial<RunConfig>) => setConfig((now) => ({ ...now, ...part }))
  const choose = (id: string) => {
    const { goal: _, ...fit } = config
    setConfig({ ...(isOther(id) ? fit : config), solver: id, options: {} })
  }
  const setOption = (name: string, value: string) => {
    const { [name]: _, ...others } = config.options
    const initial = solver?.options.find((one) => one.name === name)?.initial
    change({ options: value === initial ? others : { ...others, [name]: value } })
  }
  const take = (form: Element | null) => {
    if (!filled(form)) return
    actions.page.openDialog('none')
    lane.set(config)
    race.start(lane)
  }
  const other = OTHERS.find(({ id }) => id === config.solver)
  const lacks = solver === undefined || problem === undefined ? [] : lacking(solver, problem)
  return (
    <div class="lane-form">
      <select
        class="solver-select"
        aria-label="Solver"
        value={config.solver}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {[...solvers, ...OTHERS].map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </select>
      <p class="hint">{solver?.summary ?? other?.text}</p>
      {lacks.length > 0 && problem !== undefined && <p class="hint why">{lackSentence(lacks, problem)}</p>}
      <OptionForm
        id={`lane ${config.solver}`}
        options={solver?.options ?? []}
        values={config.options}
        set={setOption}
      />
      <NumberField
        label="Capacity"
        value={capacityText(config.capacity)}
        parse={parseBytes}
        set={(capacity) => change({ capacity })}
      />
      {other === undefined && (
        <>
          <NumberField
            label="Budget"
            value={thousands(config.budget)}
            parse={(text) => parseCount(text, 0, MAX_BYTES)}
            set={(budget) => change({ budget })}
            unit="steps"
            help="The search stops after this many steps. 0: no limit."
          />
          <NumberField
            label="Seed"
            value={thousands(config.seed)}
            parse={(text) => parseCount(text, 0, MAX_BYTES)}
            set={(seed) => change({ seed })}
          />
        </>
      )}
      <div class="row">
        <button
          type="button"
          class="button primary"
          onClick={(event) => take(event.currentTarget.closest('.lane-form'))}
        >
          Run with these
        </button>
        <button type="button" class="button" onClick={() => actions.page.openDialog('none')}>
          Leave as it was
        </button>
      </div>
    </div>
  )
}

export function LaneForm() {
  const on = useValue(race)
  const id = useValue(editing)
  const lane = on?.lanes.get().find((one) => one.id === id)
  return on === null || lane === undefined ? <p class="hint">This run is gone.</p> : <Form race={on} lane={lane} />
}
