/** "Why not?": a small set of buffers that alone do not fit; looked for on demand, outlined on the canvas, listed here. */
import type { Explanation } from '../../../../wasm/client/types'
import { bytesIn, exactBytes, thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import { operators, shownCapacity, unit, opened, why, whyShown } from '../../state/workbench'
import { bySize } from '../../state/problem/peak'
import { makerName } from '../../state/model/operators'
import { plural, type Span, say, section } from '../../state/step/sentence_parts'
import { useActions } from '../page/context'
import { Pill } from '../controls/pill'
import { SetCertificate } from './certificate'
import { Prose } from '../step/prose'
import '../../styles/later'

/** Longer lists are cut: the canvas shows the rest. */
const LISTED = 200

function Looking() {
  const actions = useActions()
  const state = useValue(why)
  if (state.kind !== 'looking') return null
  const { count = 0, tried = 0, steps = 0 } = state.progress ?? {}
  const found =
    count === 0
      ? 'Looking for buffers that alone do not fit.'
      : `${thousands(count)} buffers alone do not fit. ${thousands(tried)} of them shown needed so far.`
  return (
    <div class="reason" role="status">
      <p class="hint">{found}</p>
      <progress
        class={count === 0 ? 'endless' : ''}
        aria-label="Buffers shown needed"
        max={Math.max(1, count)}
        value={count === 0 ? 1 : tried}
      />
      <div class="row">
        <span class="mono dim">{thousands(steps)} steps</span>
        <span class="spring" />
        <button type="button" class="button" onClick={() => actions.solver.stopExplaining()}>
          Cancel <kbd>Esc</kbd>
        </button>
      </div>
    </div>
  )
}

function List({ buffers }: { buffers: number[] }) {
  const actions = useActions()
  const problem = useValue(opened)?.problem
  const amounts = useValue(unit)
  const all = useValue(operators)
  if (problem === undefined) return null
  const life = (k: number) => `${thousands(problem.lower[k] ?? 0)}–${thousands(problem.upper[k] ?? 0)}`
  const largest = bySize(problem, buffers)
  return (
    <ul class="unfit-list mono" aria-label="Buffers that alone do not fit">
      {largest.slice(0, LISTED).map((k) => (
        <li key={k}>
          <button
            type="button"
            onPointerEnter={() => actions.canvas.light([k], -1)}
            onPointerLeave={() => actions.canvas.light([], -1)}
            onFocus={() => actions.canvas.light([k], -1)}
            onBlur={() => actions.canvas.light([], -1)}
            onClick={() => actions.canvas.reveal(k)}
          >
            <span class="clip" title={all === null ? undefined : makerName(all, k)}>
              {problem.ids.at(k)}
              {all !== null && <span class="dim"> {makerName(all, k)}</span>}
            </span>
            <span class="dim">{life(k)}</span>
            <span title={exactBytes(problem.size[k] ?? 0)}>{bytesIn(problem.size[k] ?? 0, amounts)}</span>
          </button>
        </li>
      ))}
      {buffers.length > LISTED && <li class="dim">and {thousands(buffers.length - LISTED)} more</li>}
    </ul>
  )
}

function claim(found: Explanation, whole: number): Span[] {
  const n = found.buffers.length
  const all: Span = { kind: 'count', value: n, tone: 'why', lights: { buffers: found.buffers, section: found.section } }
  const spans =
    n === whole
      ? say`It takes all ${all} buffers: no part of them is known that does not fit. `
      : say`${plural(n, 'This', 'These')} ${all} ${plural(n, 'buffer', 'buffers')} alone ${plural(n, 'does', 'do')} not fit. `
  if (found.section >= 0) spans.push(...say`They are alive at once in section ${section(found.section)}. `)
  return spans
}

function Known({ found, capacity }: { found: Explanation; capacity: number }) {
  const actions = useActions()
  const shown = useValue(whyShown)
  const whole = useValue(opened)?.problem.count ?? 0
  const { buffers, tried, irreducible } = found
  return (
    <div class="reason">
      <Prose spans={claim(found, whole)} />
      <p class="row">
        <Pill tone={irreducible ? 'why' : 'plain'} text={irreducible ? 'Irreducible' : 'Small'} />
        <span>
          {irreducible
            ? 'without any one of these the rest fits'
            : tried === 0
              ? 'which of them are needed was not tried'
              : `${thousands(tried)} of ${thousands(buffers.length)} shown needed, the others not tried`}
        </span>
      </p>
      <List buffers={buffers} />
      <label class="check">
        <input
          type="checkbox"
          checked={shown}
          onChange={(event) => actions.solver.showUnfit(event.currentTarget.checked)}
        />
        <span>Outline them on the canvas</span>
      </label>
      <div class="row row-wrap">
        {buffers.length < whole && (
          <button
            type="button"
            class="button"
            title="Make them the problem; the way back stays open"
            onClick={() => void actions.solver.onlyThese()}
          >
            Only these
          </button>
        )}
        {!irreducible && (
          <button type="button" class="button" onClick={() => void actions.solver.explain()}>
            Look again
          </button>
        )}
      </div>
      <SetCertificate of={found} capacity={capacity} />
    </div>
  )
}

function nothing(found: Explanation): string {
  switch (found.outcome) {
    case 'feasible':
    case 'optimal':
      return 'There is nothing to explain: the exact solver finds a plan.'
    case 'cancelled':
      return 'Cancelled before a reason was known.'
    case 'out-of-memory':
      return 'There was not enough memory to find a reason.'
    default:
      return `No reason was known after ${thousands(found.steps)} steps. A larger budget may find one.`
  }
}

/** Stands under whatever says that nothing fits. */
export function Reason() {
  const actions = useActions()
  const state = useValue(why)
  const capacity = useValue(shownCapacity)
  const old = (state.kind === 'known' || state.kind === 'looking') && state.capacity !== capacity
  if (state.kind === 'looking' && !old) return <Looking />
  if (state.kind === 'known' && !old && state.explanation.buffers.length > 0)
    return <Known found={state.explanation} capacity={state.capacity} />
  return (
    <div class="reason">
      {state.kind === 'known' && !old && <p class="hint">{nothing(state.explanation)}</p>}
      {state.kind === 'failed' && <p class="hint why">The reason could not be looked for: {state.message}</p>}
      <div class="row">
        <button type="button" class="button primary" onClick={() => void actions.solver.explain()}>
          Why not?
        </button>
        <span class="hint">finds the buffers that alone do not fit</span>
      </div>
    </div>
  )
}
