import { useEffect, useState } from 'preact/hooks'
import { useValue } from '../../base/use_value'
import { capacityText, parseBytes } from '../../state/page/quantity'
import { useActions } from '../page/context'
import { NumberField } from '../controls/field'
import { capacity, opened } from '../../state/workbench'
import { boundOfCapacity } from '../../state/problem/pools'

/** Positions of the slider; it snaps to the lower bound within a few of them. */
const STOPS = 400
const SNAP = 4

/** The slider ends a quarter above the lower bound, or at the capacity where that is larger. */
function endOf(bound: number, value: number): number {
  return Math.max(Math.ceil(bound * 1.25), value, 1)
}

function valueAt(stop: number, end: number, bound: number): number {
  if (Math.abs(stop - (bound / end) * STOPS) <= SNAP) return Math.max(1, bound)
  const exact = (stop / STOPS) * end
  const grain = end >= 16 * 1024 ? 1024 : 1
  return Math.max(1, Math.round(exact / grain) * grain)
}

/** Whether it is written with a unit. */
const named = (value: number) => /[a-z]$/i.test(capacityText(value))
const spoken = (value: number) => (named(value) ? capacityText(value) : `${capacityText(value)} bytes`)

export function Capacity() {
  const actions = useActions()
  const problem = useValue(opened)?.problem ?? null
  const value = useValue(capacity)
  const bound = problem === null ? 0 : boundOfCapacity(problem)
  const [end, setEnd] = useState(endOf(bound, value))
  // The scale holds still while the slider is dragged: it is only made anew when the value leaves it or the problem changes.
  useEffect(() => {
    if (value > end) setEnd(endOf(bound, value))
  }, [value])
  useEffect(() => setEnd(endOf(bound, capacity.get())), [problem])
  if (problem === null) return null
  const share = Math.min(1, bound / end)
  return (
    <>
      <NumberField
        label="Capacity"
        value={capacityText(value)}
        parse={parseBytes}
        set={(v) => {
          setEnd(endOf(bound, v))
          actions.solver.setCapacity(v)
        }}
        unit={value < 1024 || named(value) || capacityText(value).length > 9 ? undefined : 'B'}
        help="Bytes of scratchpad. Accepts 1048576, 1,024 KiB or 1 MiB."
      />
      <div class="slider capacity-slider">
        <input
          type="range"
          min={0}
          max={STOPS}
          step={1}
          value={Math.round((value / end) * STOPS)}
          aria-label="Capacity"
          aria-valuetext={`${spoken(value)}, lower bound ${spoken(bound)}`}
          style={{ '--at': `${(Math.min(1, value / end) * 100).toFixed(2)}%` }}
          onInput={(event) => actions.solver.setCapacity(valueAt(Number(event.currentTarget.value), end, bound))}
        />
        <span class={`slider-mark${share < 0.4 ? ' slider-mark-right' : ''}`} style={{ '--at': share.toFixed(4) }}>
          <span class="slider-mark-text">lower bound</span>
          <svg viewBox="0 0 8 7" width="8" height="7" aria-hidden="true">
            <path d="M4 0 8 7H0Z" />
          </svg>
        </span>
      </div>
    </>
  )
}
