/** Load, top and largest free block over time, small: where the plan wastes addresses. */
import type { Problem } from '../../../../wasm/client/types'
import { useValue } from '../../base/use_value'
import { timeExtent } from '../../layout/canvas/spaces'
import { stepPath } from '../../layout/model/step_path'
import type { Fragments } from '../../state/model/fragments'
import { operators } from '../../state/workbench'
import { useActions } from '../page/context'

const WIDTH = 316
const HEIGHT = 72

interface Props {
  problem: Problem
  fragments: Fragments
  capacity: number
}

export function FragmentChart({ problem, fragments, capacity }: Props) {
  const actions = useActions()
  const some = useValue(operators) !== null
  const { sections } = problem
  const [t0, t1] = timeExtent(problem)
  const peak = fragments.top.reduce((most, bytes) => Math.max(most, bytes), capacity)
  const path = (values: Float64Array, closed: boolean) =>
    stepPath(sections, values, { t0, t1, top: Math.max(1, peak), width: WIDTH, height: HEIGHT }, closed)
  const at = (event: MouseEvent & { currentTarget: SVGSVGElement }) => {
    const box = event.currentTarget.getBoundingClientRect()
    return Math.floor(t0 + ((event.clientX - box.left) / Math.max(1, box.width)) * (t1 - t0))
  }
  const line = HEIGHT - (capacity / Math.max(1, peak)) * HEIGHT
  return (
    <figure class="fragment-chart">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label="Load, top of the plan and largest free block over time"
        onPointerMove={(event) => some && actions.canvas.pointAtOp(at(event), event.clientX, event.clientY)}
        onPointerLeave={() => actions.canvas.pointAtOp(-1, 0, 0)}
      >
        <path class="chart-top" d={path(fragments.top, true)} />
        <path class="chart-load" d={path(sections.load, true)} />
        <path class="chart-free" d={path(fragments.largest, false)} />
        <path class="chart-capacity" d={`M0 ${line}H${WIDTH}`} />
      </svg>
      <figcaption>
        <ul class="legend">
          <li class="legend-load">load</li>
          <li class="legend-top">unused under the top</li>
          <li class="legend-free">largest free block</li>
        </ul>
      </figcaption>
    </figure>
  )
}
