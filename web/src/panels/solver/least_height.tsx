/** The goal of a run, and the least height: what is known of it while it is looked for and afterwards. */
import type { RunStats } from '../../../../wasm/client/types'
import { bytesIn, exactBytes, exactly, percent } from '../../base/format'
import { useValue } from '../../base/use_value'
import { goalWords } from '../../state/solver/goals'
import { goalChosen, solverInfo, unit, run } from '../../state/workbench'
import { useActions } from '../page/context'

/** What the next run is after, of what its solver can be asked for. */
export function Goals() {
  const actions = useActions()
  const chosen = useValue(goalChosen)
  const info = useValue(solverInfo)
  const busy = useValue(run).kind === 'running'
  if (info === null || info.goals.length < 2) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset brings a frame of its own
    <div class="segments" role="group" aria-label="Goal">
      {info.goals.map((goal) => (
        <button
          key={goal}
          type="button"
          aria-pressed={chosen === goal}
          disabled={busy}
          title={goalWords(info, goal).help}
          onClick={() => actions.solver.setGoal(goal)}
        >
          {goalWords(info, goal).title}
        </button>
      ))}
    </div>
  )
}

/** "986–994 KiB", or one amount where the bounds have met. */
export function Interval({ stats }: { stats: RunStats }) {
  const amounts = useValue(unit)
  const { lowerBound, height } = stats
  const low = exactly(lowerBound, amounts)
  if (height < 0) return <span title={exactBytes(lowerBound)}>[{low}, –]</span>
  if (height === lowerBound) return <span title={exactBytes(height)}>{low}</span>
  const tail = amounts.name === '' ? '' : ` ${amounts.name}`
  const bare = tail !== '' && low.endsWith(tail) ? low.slice(0, -tail.length) : low
  return (
    <span title={`${exactBytes(lowerBound)} to ${exactBytes(height)}`}>
      [{bare}, {exactly(height, amounts)}]
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
