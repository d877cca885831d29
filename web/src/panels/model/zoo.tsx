/** Our own networks: those where greedy misses first. Each with its parameters, made when it is opened. */
import { useState } from 'preact/hooks'
import { useValue } from '../../base/use_value'
import { type Entry, networks, parametersOf } from '../../state/model/zoo_networks'
import { useActions } from '../page/context'
import { filled } from '../controls/field'
import { OptionForm } from '../controls/option_form'
import { opened } from '../../state/workbench'
import '../../styles/later'

function Network({ entry, chosen, choose }: { entry: Entry; chosen: boolean; choose: () => void }) {
  const actions = useActions()
  const source = useValue(opened)?.source
  const before =
    source?.kind === 'model' && source.from.kind === 'zoo' && source.from.id === entry.id ? source.from.options : {}
  const [values, setValues] = useState(before)
  const parameters = parametersOf(entry)
  const set = (name: string, value: string) => {
    const { [name]: _, ...others } = values
    const initial = parameters.find((one) => one.name === name)?.initial
    setValues(value === initial ? others : { ...others, [name]: value })
  }
  const open = (form: Element | null) => {
    if (!filled(form)) return
    actions.page.openDialog('none')
    void actions.model.openZoo(entry.id, values)
  }
  return (
    <li class={`network${chosen ? ' network-open' : ''}`}>
      <div class="network-head">
        <button type="button" class="network-title" aria-expanded={chosen} onClick={choose}>
          <b>{entry.title}</b>
          <span class="hint">{entry.text}</span>
        </button>
        <button
          type="button"
          class={`button${chosen ? ' primary' : ''}`}
          aria-label={`Open ${entry.title}`}
          onClick={(event) => open(event.currentTarget.closest('li'))}
        >
          Open
        </button>
      </div>
      {chosen && (
        <div class="network-form">
          <OptionForm id={`zoo ${entry.id}`} options={parameters} values={values} set={set} />
        </div>
      )}
    </li>
  )
}

/** Those that have something to show come first. */
const GROUPS: [string, (entry: Entry) => boolean][] = [
  ['Where a greedy planner misses the lower bound', (entry) => entry.show !== undefined],
  ['Where taking the largest first is already optimal', (entry) => entry.show === undefined],
]

export function Zoo() {
  const source = useValue(opened)?.source
  const now = source?.kind === 'model' && source.from.kind === 'zoo' ? source.from.id : ''
  const [chosen, choose] = useState(now)
  return (
    <>
      <p class="prose">
        Public architectures, made here layer by layer from their papers and code: operators and shapes, no values. A
        name shows what can be changed.
      </p>
      {GROUPS.map(([title, holds]) => (
        <section key={title}>
          <h3>{title}</h3>
          <ul class="networks">
            {networks.filter(holds).map((entry) => (
              <Network
                key={entry.id}
                entry={entry}
                chosen={chosen === entry.id}
                choose={() => choose(chosen === entry.id ? '' : entry.id)}
              />
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}
