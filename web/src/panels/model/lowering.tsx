/** How a model's graph becomes buffers: the options of the lowering, the budgets that follow, and what was noted on the way. */
import { useEffect } from 'preact/hooks'
import { bytesIn, exactBytes, thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import { SWITCHES } from '../../import/answer_options'
import { LeastPeakWatch } from '../../run/model/least_peak'
import { manifest } from '../../state/atoms'
import { budgets } from '../../state/model/budgets'
import { fileOpen, shownCapacity, unit, opened } from '../../state/workbench'
import { useActions } from '../page/context'
import { KernelChoice, PartChoice, RunsChoice } from './kernels'
import { KnownScratch } from './scratch'
import { OptionForm } from '../controls/option_form'
import '../../styles/later'

function Notes() {
  const notes = [...(useValue(fileOpen)?.notes ?? []), ...(useValue(opened)?.model?.notes ?? [])]
  if (notes.length === 0) return null
  return (
    <details class="fold">
      <summary>
        Notes
        <span class="section-note">{thousands(notes.length)}</span>
      </summary>
      <ul class="notes">
        {notes.map((note, k) => (
          <li key={k}>{note}</li>
        ))}
      </ul>
    </details>
  )
}

/** How the file is read, as far as it makes a difference to it, while it is still at hand. */
function Switches() {
  const actions = useActions()
  const file = useValue(fileOpen)
  if (file === null) return null
  return (
    <>
      <div class="checks checks-long">
        {file.switches.map((name) => {
          const [title, help] = SWITCHES[name]
          return (
            <label key={name} class="check" title={help}>
              <input
                type="checkbox"
                checked={file.answers[name]}
                onChange={(event) =>
                  void actions.model.answerImport({ ...file.answers, [name]: event.currentTarget.checked })
                }
              />
              <span>{title}</span>
            </label>
          )
        })}
      </div>
      {file.asked.length > 0 && (
        <button type="button" class="button" onClick={() => void actions.model.askAgain()}>
          Other sizes or values…
        </button>
      )}
    </>
  )
}

const BUDGETS = [
  [
    'required',
    'R',
    'one operator',
    'The most that one operator reads and writes: with spilling between operators no schedule needs more.',
  ],
  ['half', 'H', 'half way', 'Half way between the two others: some tensors have to leave meanwhile.'],
  [
    'peak',
    'P',
    'best known order',
    'The least that an order needs, of those that were looked at: all of it fits without copies.',
  ],
] as const

/** The three memory budgets of COSMA's experiments, as capacities. */
function Budgets() {
  const actions = useActions()
  const known = useValue(budgets)
  const amounts = useValue(unit)
  const capacity = useValue(shownCapacity)
  useEffect(() => {
    const watch = new LeastPeakWatch()
    return () => watch.stop()
  }, [])
  // three names of one amount say nothing
  if (known === null || known.required === known.peak) return null
  return (
    <fieldset class="budgets">
      <legend class="hint">As capacity, a budget of COSMA</legend>
      {BUDGETS.map(([key, letter, name, help]) => {
        const value = Math.max(1, known[key])
        return (
          <button
            key={key}
            type="button"
            class="budget"
            aria-pressed={capacity === value}
            title={`${help} ${exactBytes(value)}.`}
            onClick={() => actions.solver.setCapacity(value)}
          >
            <span class="budget-name">
              M<sub>{letter}</sub>
            </span>
            <span class="budget-text clip">{name}</span>
            <span class="mono">{bytesIn(value, amounts)}</span>
          </button>
        )
      })}
    </fieldset>
  )
}

/** A form of nine options would push Run out of sight where there is little height. */
const ROOM = 900

export function Lowering() {
  const actions = useActions()
  const source = useValue(opened)?.source
  const options = useValue(manifest)?.graphOptions ?? []
  if (source?.kind !== 'model')
    return (
      <>
        <PartChoice />
        <Notes />
      </>
    )
  const changed = Object.keys(source.lowering).length
  return (
    <>
      <Budgets />
      <details class="fold" open={window.innerHeight >= ROOM}>
        <summary>
          From graph to buffers
          {changed > 0 && <span class="section-note">{thousands(changed)} changed</span>}
        </summary>
        <OptionForm
          id="lowering"
          options={options}
          values={source.lowering}
          set={(name, value) => void actions.model.setLowering(name, value)}
        />
        <Switches />
        <RunsChoice />
        <KernelChoice />
        <KnownScratch />
      </details>
      <Notes />
    </>
  )
}
