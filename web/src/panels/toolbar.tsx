import { useEffect, useRef } from 'preact/hooks'
import type { Problem } from '../../../wasm/client/types'
import type { ColourMode } from '../layout/scene'
import { LEAST_LEVELS } from '../layout/shade'
import { bytesIn, thousands } from '../base/format'
import { memo } from '../base/memo'
import { tokens } from '../base/theme'
import { useValue } from '../base/use_value'
import { opened } from '../state/atoms'
import { colour, operators, placedCount, shownFrame, unit } from '../state/derive'
import { theme } from '../state/ui'
import { useActions } from './context'
import { I } from './icons'

const MODES: [ColourMode, string][] = [
  ['level', 'Decision level'],
  ['buffer', 'Buffer'],
  ['size', 'Size'],
  ['lifetime', 'Lifetime'],
]

const BY_TYPE: [ColourMode, string] = ['type', 'Operator type']

/** The ramp that buffers are filled from, with what its ends stand for. */
function RampKey({ low, high }: { low: string; high: string }) {
  const host = useRef<HTMLSpanElement>(null)
  const name = useValue(theme)
  useEffect(() => {
    host.current?.style.setProperty('background', `linear-gradient(to right in oklab, ${tokens[name].ramp.join(', ')})`)
  }, [name])
  return (
    <span class="ramp-key mono">
      {low}
      <span class="ramp" ref={host} />
      {high}
    </span>
  )
}

function extent(values: ArrayLike<number>): [number, number] {
  let low = Number.POSITIVE_INFINITY
  let high = 0
  for (let k = 0; k < values.length; k++) {
    low = Math.min(low, values[k] ?? low)
    high = Math.max(high, values[k] ?? 0)
  }
  return [Number.isFinite(low) ? low : 0, high]
}

const sizes = memo((problem: Problem) => extent(problem.size))
const lifetimes = memo((problem: Problem) => extent(problem.lower.map((from, k) => (problem.upper[k] ?? 0) - from)))

function Key() {
  const mode = useValue(colour)
  const problem = useValue(opened)?.problem
  const amounts = useValue(unit)
  const depth = useValue(shownFrame)?.depth ?? 0
  if (problem === undefined || mode === 'buffer' || mode === 'type') return null
  if (mode === 'level') return <RampKey low="1" high={thousands(Math.max(LEAST_LEVELS, depth))} />
  if (mode === 'size') {
    const [low, high] = sizes(problem)
    return <RampKey low={bytesIn(low, amounts)} high={bytesIn(high, amounts)} />
  }
  const [low, high] = lifetimes(problem)
  return <RampKey low={thousands(low)} high={thousands(high)} />
}

export function Toolbar() {
  const actions = useActions()
  const mode = useValue(colour)
  const depth = useValue(placedCount)
  const count = useValue(opened)?.problem.count ?? 0
  const model = useValue(operators) !== null
  return (
    <div class="toolbar" role="toolbar" aria-label="Canvas">
      <label class="toolbar-colour">
        <span class="dim">Colour</span>
        <select
          class="bare-select"
          value={mode}
          onChange={(event) => actions.setColour(event.currentTarget.value as ColourMode)}
        >
          {(model ? [BY_TYPE, ...MODES] : MODES).map(([id, title]) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <Key />
      <span class="spring" />
      <span class="mono placed">
        <b>{thousands(depth)}</b> of {thousands(count)} placed
      </span>
      <span class="rule" />
      <button
        type="button"
        class="icon-button"
        aria-label="Find a buffer"
        title="Find a buffer (/)"
        onClick={() => actions.find()}
      >
        <I name="find" />
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label="Zoom out"
        title="Zoom out (−)"
        onClick={() => actions.view?.zoom(1 / 1.5)}
      >
        <I name="minus" />
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label="Zoom in"
        title="Zoom in (+)"
        onClick={() => actions.view?.zoom(1.5)}
      >
        <I name="plus" />
      </button>
      <button type="button" class="quiet-button" title="Show everything (0)" onClick={() => actions.view?.fit()}>
        <I name="fit" />
        <span>Fit</span>
      </button>
    </div>
  )
}
