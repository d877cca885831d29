/** The least height: what is known of it while it is looked for and afterwards. */
import type { RunStats } from '../../../wasm/client/types'
import { bytesIn, exactBytes, percent } from '../base/format'
import { useValue } from '../base/use_value'
import { run } from '../state/atoms'
import { minimiseChosen, minimising, shownCapacity, unit } from '../state/derive'
import { bytes, type Span, say } from '../state/say'
import { useActions } from './context'
import { OutcomePill } from './pill'
import { Prose } from './prose'

/** Fit the capacity, or look for the least height: how the next run is meant. */
export function Mode() {
  const actions = useActions()
  const least = useValue(minimiseChosen)
  const busy = useValue(run).kind === 'running'
  const button = (on: boolean, text: string, help: string) => (
    <button
      type="button"
      aria-pressed={least === on}
      disabled={busy}
      title={help}
      onClick={() => actions.setMinimise(on)}
    >
      {text}
    </button>
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset brings a frame of its own
    <div class="segments" role="group" aria-label="Goal">
      {button(false, 'Fit', 'Look for a plan that fits the capacity')}
      {button(true, 'Minimise', 'Look for the least height, with proof, whatever the capacity')}
    </div>
  )
}

/** "986–994 KiB", or one amount where the bounds have met. */
export function Interval({ stats }: { stats: RunStats }) {
  const amounts = useValue(unit)
  const { lowerBound, height } = stats
  const low = bytesIn(lowerBound, amounts)
  if (height < 0) return <span title={exactBytes(lowerBound)}>[{low}, –]</span>
  if (height === lowerBound) return <span title={exactBytes(height)}>{low}</span>
  const tail = amounts.name === '' ? '' : ` ${amounts.name}`
  const bare = tail !== '' && low.endsWith(tail) ? low.slice(0, -tail.length) : low
  return (
    <span title={`${exactBytes(lowerBound)} to ${exactBytes(height)}`}>
      [{bare}, {bytesIn(height, amounts)}]
    </span>
  )
}

/** "5 KiB, 0.52 %" between the bounds. */
export function Gap({ stats }: { stats: RunStats }) {
  const amounts = useValue(unit)
  const { lowerBound, height } = stats
  if (height < 0) return <>–</>
  const gap = height - lowerBound
  if (gap === 0) return <>none</>
  return (
    <span title={exactBytes(gap)}>
      {bytesIn(gap, amounts)}
      {lowerBound > 0 ? `, ${percent(gap / lowerBound)}` : ''}
    </span>
  )
}

function story(stats: RunStats, capacity: number): Span[] {
  const { lowerBound, height } = stats
  if (height < 0) return say`No plan can be lower than ${bytes(lowerBound, 'bound')}. None was found.`
  const room = capacity - height
  const against =
    room >= 0
      ? say` The capacity leaves ${bytes(room, 'plain')} free.`
      : say` The capacity is ${bytes(-room, 'why')} too small for it.`
  if (height === lowerBound)
    return [...say`The least height is ${bytes(height, 'ok')}: a plan reaches it, and none can be lower.`, ...against]
  return [
    ...say`The least height is between ${bytes(lowerBound, 'bound')} and ${bytes(height, 'ok')}, the height of the plan shown.`,
    ...against,
  ]
}

/** A search for the least height has ended: what it knows. */
export function Least({ stats }: { stats: RunStats }) {
  const actions = useActions()
  const amounts = useValue(unit)
  const capacity = useValue(shownCapacity)
  const least = useValue(minimising)
  if (!least || stats.outcome === 'infeasible') return null
  const met = stats.height >= 0 && stats.height === stats.lowerBound
  return (
    <div class="tab-part">
      {met && (
        <div class="row chip-row">
          <OutcomePill outcome="optimal" />
          <span>the bounds have met</span>
        </div>
      )}
      <Prose spans={story(stats, capacity)} />
      {stats.height > 0 && (
        <div class="row row-wrap">
          <button type="button" class="button" onClick={() => void actions.fitTo(stats.height)}>
            Set capacity to {bytesIn(stats.height, amounts)}
          </button>
        </div>
      )}
    </div>
  )
}
