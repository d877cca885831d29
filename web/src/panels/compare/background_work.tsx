/** What sweeps and matrices have in common: which solvers, how far the work is, and the way out of it. */
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import type { Work } from '../../run/compare/background_runs'
import { manifest, sayWhy } from '../../state/atoms'
import { known } from '../../state/compare/compare'
import { OTHERS, othersOf, runsHere } from '../../state/compare/others'
import { setModeKeys } from '../../state/ui'
import { MAX_BYTES, parseCount } from '../../state/page/quantity'
import { filled, NumberField } from '../controls/field'
import { toggleCompare } from '../../run/page/modes'
import { I } from '../controls/icons'
import { Choice } from '../controls/one_of'

/** steps: of each run */
export function BudgetField(props: { steps: number; set: (steps: number) => void; help: string }) {
  return (
    <NumberField
      label="Budget"
      value={thousands(props.steps)}
      parse={(text) => parseCount(text, 1, MAX_BYTES)}
      set={props.set}
      unit="steps"
      help={props.help}
    />
  )
}

/** chosen: ids, in any order */
export function SolverChecks(props: { chosen: readonly string[]; set: (ids: string[]) => void; hue?: boolean }) {
  const solvers = useValue(manifest)?.solvers ?? []
  const order = [...known(solvers, props.chosen).map(({ id }) => id), ...othersOf(props.chosen)]
  const change = (id: string, on: boolean) =>
    props.set(on ? [...props.chosen, id] : props.chosen.filter((other) => other !== id))
  return (
    <fieldset class="solver-checks">
      <legend>Solvers</legend>
      {[...solvers.map(({ id, title }) => ({ id, title, text: '' })), ...OTHERS].map(({ id, title, text }) => (
        <label key={id} class="check" title={text}>
          <input
            type="checkbox"
            checked={order.includes(id)}
            disabled={!runsHere(id)}
            onChange={(event) => change(id, event.currentTarget.checked)}
          />
          <span class="clip">{title}</span>
          {props.hue === true && order.includes(id) && (
            <span class="series-key" style={{ '--hue': `var(--series-${order.indexOf(id) % 8})` }} aria-hidden="true" />
          )}
        </label>
      ))}
      {OTHERS.filter(({ id }) => !runsHere(id)).map(({ id, title }) => (
        <p key={id} class="hint">
          {title} wants threads: a page that is cross-origin isolated by its host’s headers. This one is not.
        </p>
      ))}
    </fieldset>
  )
}

export function WorkButtons(props: {
  work: Work | null
  name: string
  off: boolean
  start: () => Promise<void>
  cancel: () => void
}) {
  const { work } = props
  const start = () => {
    if (!filled(null)) return
    props.start().catch((error: unknown) => {
      sayWhy(error)
    })
  }
  return (
    <>
      {work?.kind === 'running' ? (
        <button type="button" class="run-button" onClick={props.cancel}>
          Cancel <kbd>Esc</kbd>
        </button>
      ) : (
        <button type="button" class="run-button primary" disabled={props.off} onClick={start}>
          <I name="play" />
          {props.name}
        </button>
      )}
      {work !== null && (
        <>
          <progress aria-label="Runs done" max={Math.max(1, work.total)} value={work.done} />
          <p class="hint" role="status">
            {workText(work)}
          </p>
        </>
      )}
    </>
  )
}

function workText(work: Work): string {
  const runs = `${thousands(work.done)} of ${thousands(work.total)} runs`
  switch (work.kind) {
    case 'running':
      return `${runs}, in the background: the page stays free.`
    case 'done':
      return `${thousands(work.total)} runs.`
    case 'cancelled':
      return `Cancelled after ${runs}. What is known stays.`
    case 'failed':
      return `Stopped after ${runs}: ${work.message}`
  }
}

/** Esc cancels what runs, else it leads back. */
export function useEscape(running: boolean, cancel: () => void): void {
  useEffect(() => {
    setModeKeys((name) => {
      if (name !== 'Escape') return false
      if (running) cancel()
      else toggleCompare()
      return true
    })
    return () => setModeKeys(null)
  }, [running])
}

/** Settings on the left, what came of them on the right; no children: nothing has run yet. */
export function WorkFrame<T extends string>(props: {
  settings: ComponentChildren
  shows: T
  choices: readonly (readonly [NoInfer<T>, string])[]
  set: (shows: T) => void
  none: string
  children: ComponentChildren
}) {
  return (
    <div class="compare-split">
      {props.settings}
      <div class="compare-main">
        <div class="compare-bar">
          <Choice name="Show" now={props.shows} choices={props.choices} set={props.set} />
        </div>
        {props.children || <p class="compare-none">{props.none}</p>}
      </div>
    </div>
  )
}
