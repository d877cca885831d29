import { bytesIn, exactly } from '../../base/format'
import { useValue } from '../../base/use_value'
import { unit } from '../../state/workbench'
import type { Sum } from '../../state/step/sentence_parts'

/** The same three quantities as on the canvas: floor and rest, laid end to end, pierce the capacity. */
export function SumBar({ sum }: { sum: Sum }) {
  const amounts = useValue(unit)
  const { floor, rest, capacity } = sum
  const end = Math.max(capacity, floor + rest, 1)
  const at = (value: number) => `${((value / end) * 100).toFixed(2)}%`
  const over = floor + rest - capacity
  const below = Math.max(0, Math.min(rest, capacity - floor))
  const plain = (value: number) => bytesIn(value, amounts).replace(` ${amounts.name}`, '')
  return (
    <figure
      class="sum"
      aria-label={`floor ${bytesIn(floor, amounts)}, to place ${bytesIn(rest, amounts)}, capacity ${exactly(capacity, amounts)}`}
    >
      <div class="sum-labels mono">
        <span>floor {plain(floor)}</span>
        {rest > 0 && <span>+ to place {plain(rest)}</span>}
        {over > 0 && <span class="why">{plain(over)} over</span>}
      </div>
      <div class="sum-bar">
        <span class="sum-floor" style={{ left: '0', width: at(Math.min(floor, capacity)) }} />
        <span class="sum-rest" style={{ left: at(floor), width: at(below) }} />
        {over > 0 && <span class="sum-over" style={{ left: at(capacity), width: at(over) }} />}
        <span class="sum-line" style={{ left: at(capacity) }} />
      </div>
      <p class="sum-capacity mono">capacity {exactly(capacity, amounts)}</p>
    </figure>
  )
}
