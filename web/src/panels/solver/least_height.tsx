/** The least height: what is known of it while it is looked for and afterwards. */
import type { RunStats } from '../../../../wasm/client/types'
import { bytesIn, exactBytes, percent } from '../../base/format'
import { useValue } from '../../base/use_value'
import { minimiseChosen, unit, run } from '../../state/workbench'
import { useActions } from '../page/context'

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
      onClick={() => actions.solver.setMinimise(on)}
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
