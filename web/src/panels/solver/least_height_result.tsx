/** A search for the least height has ended: what it knows. */
import type { RunStats } from '../../../../wasm/client/types'
import { exactly } from '../../base/format'
import { useValue } from '../../base/use_value'
import { shownCapacity, unit } from '../../state/workbench'
import { type Span, say, wholeBytes } from '../../state/step/sentence_parts'
import { useActions } from '../page/context'
import { OutcomePill } from '../controls/pill'
import { Prose } from '../step/prose'

function story(stats: RunStats, capacity: number): Span[] {
  const { lowerBound, height } = stats
  if (height < 0) return say`No plan can be lower than ${wholeBytes(lowerBound, 'bound')}. None was found.`
  const room = capacity - height
  const against =
    room >= 0
      ? say` The capacity leaves ${wholeBytes(room, 'plain')} free.`
      : say` The capacity is ${wholeBytes(-room, 'why')} too small for it.`
  if (height === lowerBound)
    return [
      ...say`The least height is ${wholeBytes(height, 'ok')}: a plan reaches it, and none can be lower.`,
      ...against,
    ]
  return [
    ...say`The least height is between ${wholeBytes(lowerBound, 'bound')} and ${wholeBytes(height, 'ok')}, the height of the plan shown.`,
    ...against,
  ]
}

export function Least({ stats }: { stats: RunStats }) {
  const actions = useActions()
  const amounts = useValue(unit)
  const capacity = useValue(shownCapacity)
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
          <button type="button" class="button" onClick={() => void actions.solver.fitTo(stats.height)}>
            Set capacity to {exactly(stats.height, amounts)}
          </button>
        </div>
      )}
    </div>
  )
}
