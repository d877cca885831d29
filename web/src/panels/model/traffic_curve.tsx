/** How much has to move, by capacity: the curve between one operator alone and the best known order, and a slider along it. */
import { useState } from 'preact/hooks'
import { bytesIn, exactBytes } from '../../base/format'
import { useValue } from '../../base/use_value'
import { baseName } from '../../export/files'
import { plotChart } from '../../export/plot_files'
import { startCurve, stopCurve } from '../../run/model/traffic_curve'
import { manifest } from '../../state/atoms'
import { planner } from '../../state/model/reorder_offer'
import {
  type Curve,
  type CurvePoint,
  curve,
  curveColumns,
  isProven,
  plotOf,
  pointWords,
} from '../../state/model/traffic_curve'
import { opened, unit } from '../../state/workbench'
import { useActions } from '../page/context'
import { CopyTable } from '../controls/data_table'
import { TakeChart } from '../controls/take_chart'

const WIDTH = 316
const HEIGHT = 96
const EDGE = 6

function placeOf({ capacities, points }: Curve): (point: { capacity: number; traffic: number }) => [number, number] {
  const [low, high] = [capacities[0] ?? 0, capacities.at(-1) ?? 1]
  const most = points.reduce((top, point) => Math.max(top, point?.traffic ?? 0), 1)
  return ({ capacity, traffic }) => [
    EDGE + ((capacity - low) / Math.max(1, high - low)) * (WIDTH - 2 * EDGE),
    HEIGHT - EDGE - (traffic / most) * (HEIGHT - 2 * EDGE),
  ]
}

/** Between two capacities that are known no more moves than at the lower one. */
function stepsOf(points: readonly CurvePoint[], place: ReturnType<typeof placeOf>): string {
  return points
    .map((point, k) => {
      const [x, y] = place(point)
      return k === 0 ? `M${x} ${y}` : `H${x}V${y}`
    })
    .join('')
}

function Chart({ now, at }: { now: Curve; at: number }) {
  const known = now.points.filter((point) => point !== null && point.traffic >= 0) as CurvePoint[]
  const place = placeOf(now)
  const shown = now.points[at]
  return (
    <svg class="traffic-chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label="Traffic by capacity">
      <path class="traffic-line" d={stepsOf(known, place)} />
      {known.map((point) => {
        const [x, y] = place(point)
        return (
          <circle
            key={point.capacity}
            class={isProven(point) ? 'traffic-proven' : 'traffic-open'}
            cx={x}
            cy={y}
            r={3}
          />
        )
      })}
      {shown != null && shown.traffic >= 0 && (
        <circle class="traffic-now" cx={place(shown)[0]} cy={place(shown)[1]} r={6} />
      )}
    </svg>
  )
}

function Known({ now }: { now: Curve }) {
  const actions = useActions()
  const amounts = useValue(unit)
  const problem = useValue(opened)
  const solver = planner(useValue(manifest))
  const [at, setAt] = useState(0)
  const capacity = now.capacities[Math.min(at, now.capacities.length - 1)] ?? 0
  const told = pointWords(now.points[at] ?? null, amounts)
  const show = () => {
    actions.solver.setCapacity(capacity)
    if (solver !== null) void actions.solver.runFor(solver.id, 'traffic')
  }
  return (
    <>
      <Chart now={now} at={at} />
      <input
        type="range"
        class="traffic-slider"
        aria-label="Budget"
        aria-valuetext={`${bytesIn(capacity, amounts)}: ${told}`}
        min={0}
        max={now.capacities.length - 1}
        value={at}
        onInput={(event) => setAt(Number(event.currentTarget.value))}
      />
      <p class="row row-wrap" role="status">
        <span class="mono" title={exactBytes(capacity)}>
          {bytesIn(capacity, amounts)}
        </span>
        <span>{told}</span>
        <span class="spring" />
        <button type="button" class="button" onClick={show}>
          Run it
        </button>
      </p>
      {now.failed !== '' && <p class="hint why">{now.failed}</p>}
      <div class="row row-wrap">
        <CopyTable
          columns={curveColumns}
          rows={now.points.filter((point) => point !== null)}
          file={`${baseName(problem)}.traffic`}
        />
        <TakeChart
          chart={() => plotChart(plotOf(now, amounts), 'Traffic by capacity')}
          file={`${baseName(problem)}.traffic`}
          csv={null}
          off={!now.points.some((point) => point !== null && point.traffic >= 0)}
        />
      </div>
    </>
  )
}

export function TrafficCurve() {
  const now = useValue(curve)
  const done = now?.points.filter((point) => point !== null).length ?? 0
  return (
    <section class="tab-part" aria-labelledby="traffic-head">
      <header class="section-head">
        <h2 id="traffic-head">Traffic by capacity</h2>
        <span class="section-note">{now?.running === true ? `${done} of ${now.points.length}` : ''}</span>
      </header>
      {now === null ? (
        <p class="hint">
          The fewest bytes that have to move, at several capacities between one operator alone and the best known order.
        </p>
      ) : (
        <Known now={now} />
      )}
      <div class="row row-wrap">
        {now?.running === true ? (
          <button type="button" class="button" onClick={stopCurve}>
            Stop
          </button>
        ) : (
          <button type="button" class="button" onClick={() => void startCurve()}>
            {now === null ? 'Work it out' : 'Work it out again'}
          </button>
        )}
      </div>
    </section>
  )
}
