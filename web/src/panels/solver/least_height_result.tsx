/** A search for the least height has ended: what it knows. */
import type { RunStats } from '../../../../wasm/client/types'
import { exactly } from '../../base/format'
import { useValue } from '../../base/use_value'
import { shownCapacity, unit } from '../../state/workbench'
import { bytes, type Span, say } from '../../state/step/sentence_parts'
import { useActions } from '../page/context'
import { OutcomePill } from '../controls/pill'
import { Prose } from '../step/prose'

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
      <Prose exact spans={story(stats, capacity)} />
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
