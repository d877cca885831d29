/** The operator strip under the load, its legend, and where the peak is. */
import { useEffect, useRef } from 'preact/hooks'
import { bytesIn, thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import { OpStrip } from '../../draw/model/op_strip'
import { opMarks, operators, problem, scene, unit } from '../../state/workbench'
import { peakOf } from '../../state/problem/peak'
import { viewport } from '../../state/ui'
import { useActions } from '../page/context'
import '../../styles/later'
import { leaveOps } from '../../run/canvas/selection'

function mountStrip(host: HTMLElement, actions: ReturnType<typeof useActions>): () => void {
  const strip = new OpStrip(host, {
    hover: (op, x, y) => actions.canvas.pointAtOp(op, x, y),
    pick: (op) => actions.canvas.pickOp(op),
  })
  const update = () => {
    const now = scene.get()
    const visible = viewport.get()
    if (now !== null && visible !== null) strip.update(now, visible, opMarks.get())
  }
  update()
  const exits = [scene, viewport, opMarks].map((source) => source.subscribe(update))
  return () => {
    for (const exit of exits) exit()
    leaveOps()
    strip.dispose()
  }
}

function Legend() {
  const actions = useActions()
  const legend = useValue(operators)?.legend ?? []
  const given = useValue(problem)
  const amounts = useValue(unit)
  const peak = given === null ? null : peakOf(given)
  return (
    <div class="op-legend">
      <ul class="op-types" aria-label="Operator types" title={legend.map(({ type }) => type).join(', ')}>
        {legend.map(({ type, shade, count }) => (
          <li key={type} title={`${thousands(count)} of ${type}`}>
            <span class="op-swatch" style={{ background: `var(--category-${shade})` }} />
            {type}
          </li>
        ))}
      </ul>
      {peak !== null && (
        <button
          type="button"
          class="text-button mono"
          title="Show what is alive there"
          onPointerEnter={() => actions.canvas.light(peak.buffers, peak.section)}
          onPointerLeave={() => actions.canvas.light([], -1)}
          onClick={() => actions.page.showTab('model')}
        >
          peak at operator {thousands(peak.time)}: {bytesIn(peak.bytes, amounts)}
        </button>
      )}
    </div>
  )
}

export function OperatorStrip() {
  const actions = useActions()
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => (host.current === null ? undefined : mountStrip(host.current, actions)), [])
  return (
    <div class="operators">
      <div class="op-strip" ref={host} />
      <Legend />
    </div>
  )
}
