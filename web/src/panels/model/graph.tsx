/** The Graph tab: the model's operators in layers, linked with the canvas both ways. Large graphs are shown a window at a time. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import { GraphView } from '../../draw/model/graph_view'
import type { Layered } from '../../layout/model/layered'
import { layOut } from '../../layout/model/layered_client'
import { MOST_SHOWN, NODE_HEIGHT, type OpGraph, opGraph, windowAround } from '../../layout/model/op_graph'
import type { Operators } from '../../layout/scene'
import { partsOf } from '../../state/model/cuts'
import { beam } from '../../state/search/beam'
import { opMarks, operators, problem, pickedOp, pinned, unit } from '../../state/workbench'
import { peakOf } from '../../state/problem/peak'
import { theme } from '../../state/ui'
import { useActions } from '../page/context'
import { I } from '../controls/icons'
import '../../styles/later'
import { leaveOps } from '../../run/canvas/selection'

/** An operator nearer than this to the edge of a window moves the window. */
const MARGIN = 40

type Laid = { kind: 'laying' } | { kind: 'laid'; graph: OpGraph; layout: Layered } | { kind: 'failed' }

/** Another graph ends what is laid out. */
function useLayout(all: Operators | null, first: number, end: number): Laid {
  const [laid, setLaid] = useState<Laid>({ kind: 'laying' })
  useEffect(() => {
    if (all === null) return
    setLaid({ kind: 'laying' })
    const graph = opGraph(all.model, first, end, all.changes)
    const input = { width: graph.width, height: NODE_HEIGHT, edges: graph.edges }
    return layOut(
      input,
      (layout) => setLaid({ kind: 'laid', graph, layout }),
      () => setLaid({ kind: 'failed' }),
    )
  }, [all, first, end])
  return laid
}

function Canvas({ all, graph, layout }: { all: Operators; graph: OpGraph; layout: Layered }) {
  const actions = useActions()
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<GraphView | null>(null)
  const cuts = useValue(beam)?.cuts.length ?? 0
  useEffect(() => {
    if (host.current === null) return
    const made = new GraphView(host.current, {
      hover: (op, x, y) => actions.canvas.pointAtOp(op, x, y),
      pick: (op) => (op < 0 ? actions.canvas.pickOp(pickedOp.get()) : actions.canvas.lookAtOp(op)),
    })
    view.current = made
    const update = () => {
      const parts = partsOf(all.model, beam.get()?.cuts ?? [], unit.get())
      made.update({ operators: all, graph, layout, parts, marks: opMarks.get(), theme: theme.get() })
    }
    update()
    const exits = [opMarks, theme, beam].map((source) => source.subscribe(update))
    // a buffer that was picked on the canvas is looked for here by what makes it
    exits.push(pinned.subscribe(() => made.reveal(all.maker[pinned.get()] ?? -1)))
    return () => {
      for (const exit of exits) exit()
      leaveOps()
      made.dispose()
    }
  }, [all, graph, layout])
  return (
    <>
      <div class="graph-tools">
        <PeakButton />
        {(all.changes || cuts > 0) && (
          <ul class="legend" aria-label="Marks">
            {all.changes && <li class="legend-fetch">moved</li>}
            {all.changes && <li class="legend-cut">outside on the way</li>}
            {cuts > 0 && (
              <li
                class="legend-parts"
                title="The search went through these parts one after the other; the bars are what is alive between"
              >
                {thousands(cuts)} {cuts === 1 ? 'cut' : 'cuts'}
              </li>
            )}
          </ul>
        )}
        <span class="spring" />
        <button
          type="button"
          class="icon-button"
          aria-label="Zoom out of the graph"
          onClick={() => view.current?.zoom(1 / 1.5)}
        >
          <I name="minus" />
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label="Zoom into the graph"
          onClick={() => view.current?.zoom(1.5)}
        >
          <I name="plus" />
        </button>
        <button type="button" class="icon-button" aria-label="Show the whole graph" onClick={() => view.current?.fit()}>
          <I name="fit" />
        </button>
      </div>
      <div class="graph-canvas">
        <div class="graph-host" ref={host} />
      </div>
    </>
  )
}

function PeakButton() {
  const actions = useActions()
  const given = useValue(problem)
  const peak = given === null ? null : peakOf(given)
  if (peak === null) return null
  return (
    <button type="button" class="text-button" onClick={() => actions.canvas.lookAtOp(peak.time)}>
      Go to the peak
    </button>
  )
}

/** The window stays until the operator that is looked at comes near its edge. */
function useWindow(count: number, at: number): [number, number] {
  const [first, setFirst] = useState(() => windowAround(count, Math.max(0, at))[0])
  const [, end] = [first, Math.min(count, first + MOST_SHOWN)]
  const near = (at < first + MARGIN && first > 0) || (at >= end - MARGIN && end < count)
  useEffect(() => {
    if (at >= 0 && near) setFirst(windowAround(count, at)[0])
    else if (first >= count) setFirst(0)
  }, [count, at, near])
  return [first, end]
}

export function GraphTab() {
  const all = useValue(operators)
  const given = useValue(problem)
  const picked = useValue(pickedOp)
  const count = all?.shade.length ?? 0
  const [first, end] = useWindow(count, picked)
  const laid = useLayout(all, first, end)
  if (all === null || given === null) return null
  return (
    <div class="graph-tab">
      {count > MOST_SHOWN && (
        <p class="hint graph-note">
          Operators {thousands(first)} to {thousands(end - 1)} of {thousands(count)}. The whole is too large to be laid
          out; the window follows the operator that is chosen.
          {laid.kind === 'laid' &&
            laid.graph.cut > 0 &&
            ` ${thousands(laid.graph.cut)} inputs come from outside of it.`}
        </p>
      )}
      {laid.kind === 'laying' && (
        <p class="hint graph-note" role="status">
          Laying out {thousands(end - first)} operators…
        </p>
      )}
      {laid.kind === 'failed' && (
        <p class="hint graph-note why" role="alert">
          The graph could not be laid out.
        </p>
      )}
      {laid.kind === 'laid' && <Canvas all={all} graph={laid.graph} layout={laid.layout} />}
    </div>
  )
}
