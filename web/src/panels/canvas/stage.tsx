/** The instruments: canvases are made once and told what to show; the virtual DOM never touches them again. */
import { useEffect, useRef } from 'preact/hooks'
import type { Problem } from '../../../../wasm/client/types'
import { Later } from '../../base/later'
import { LoadStrip } from '../../draw/canvas/load_strip'
import { MemoryView } from '../../draw/canvas/memory_view'
import { useValue } from '../../base/use_value'
import { importing, reading } from '../../state/atoms'
import { togglePin } from '../../run/canvas/pins'
import { operators, scene, opened, problem as situation, selects, setupOpen, shownPlan } from '../../state/workbench'
import { dragSearched, editing } from '../../state/edit/editing'
import { bricks } from '../../state/lesson/lesson_workbench'
import {
  askedViewport,
  panels,
  setViewport,
  setViewportWhole,
  takeAskedViewport,
  viewport,
  width,
} from '../../state/ui'
import { useActions } from '../page/context'
import { FirstPage } from '../problem/first_page'
import { phoneFirst } from '../phone/phone'
import { Caption } from '../page/hint'
import { Part } from '../controls/later_part'
import { Toolbar, ToolsOn } from '../page/toolbar'
import { hoverBuffer } from '../../run/canvas/selection'
import type { Opened } from '../../state/workbench_values'

const strip = new Later(() => import('../model/operators'))
const outside = new Later(() => import('../model/host'))
const reorderOffer = new Later(() => import('../model/reorder_offer'))
const tooltip = new Later(() => import('./tooltip'), 'unasked')
const questions = new Later(() => import('../model/importing'))
const editCanvas = new Later(() => import('../edit/edit_canvas'), 'unasked')
const plates = new Later(() => import('./plates'))
const tiles = new Later(() => import('../tiles/tile_canvas'))

function mountInstruments(memory: HTMLElement, load: HTMLElement, actions: ReturnType<typeof useActions>): () => void {
  const strip = new LoadStrip(load, { brush: (lower, upper) => actions.view?.showTime(lower, upper) })
  const view = new MemoryView(memory, {
    hover: hoverBuffer,
    pin: (buffer, add) => togglePin(buffer, add),
    viewport: (next, whole) => {
      setViewport(next)
      setViewportWhole(whole)
      const now = scene.get()
      if (now !== null) strip.update(now, next)
    },
  })
  actions.view = view
  const update = () => {
    const now = scene.get()
    if (now === null || (dragSearched.get() && (now.frame?.depth ?? 0) === 0)) return
    view.update(now)
    const visible = viewport.get()
    if (visible !== null) strip.update(now, visible)
  }
  const show = () => {
    const asked = scene.get() === null ? null : takeAskedViewport()
    if (asked !== null) view.show(asked)
  }
  update()
  show()
  const leave = [scene.subscribe(update), dragSearched.subscribe(update), askedViewport.subscribe(show)]
  return () => {
    for (const end of leave) end()
    actions.view = null
    setViewport(null)
    hoverBuffer(-1)
    view.dispose()
    strip.dispose()
  }
}

export function Instruments() {
  const actions = useActions()
  const memory = useRef<HTMLDivElement>(null)
  const load = useRef<HTMLDivElement>(null)
  const model = useValue(operators) !== null
  const planned = useValue(shownPlan) !== null
  const by = useValue(bricks) !== null
  const edits = useValue(editing) || by
  const tiled = useValue(opened)?.problem.tasks !== undefined
  const layer = useValue(editCanvas.arrival)
  useEffect(() => {
    if (memory.current === null || load.current === null) return
    return mountInstruments(memory.current, load.current, actions)
  }, [])
  return (
    <>
      <div class="memory" ref={memory} />
      {edits && layer.kind === 'there' && <layer.part.EditCanvas host={memory} />}
      {tiled && (
        <Part of={tiles} quiet>
          {({ TileCanvas }) => <TileCanvas memory={memory} />}
        </Part>
      )}
      {planned && (
        <Part of={outside} quiet>
          {({ HostPlate }) => <HostPlate load={load} />}
        </Part>
      )}
      <div class="load" ref={load} />
      {model && <Part of={strip}>{({ OperatorStrip }) => <OperatorStrip />}</Part>}
    </>
  )
}

/** A file on its way is told of in the setup, and here while that is out of sight. */
function OnItsWay() {
  const coming = useValue(importing)
  const open = useValue(setupOpen)
  const { shut } = useValue(panels).left
  const beside = useValue(width) === 'wide' && !shut
  if (coming.kind !== 'reading' || open || beside) return null
  return (
    <div class="on-its-way">
      <Part of={questions}>{({ Reading }) => <Reading {...coming} />}</Part>
    </div>
  )
}

/** What is drawn as a plate for each pool; undefined: as one. Between two choices of what lives in fast memory the plates of the first stay. */
function usePlates(): Problem | undefined {
  const [of, shown, chooses] = [useValue(opened), useValue(situation), useValue(selects)]
  const last = useRef<{ of: Opened; plates: Problem } | null>(null)
  if (of !== null && shown?.pools !== undefined) last.current = { of, plates: shown }
  else if (!chooses) last.current = null
  return last.current?.of === of ? last.current?.plates : undefined
}

export function Stage() {
  const problem = useValue(opened)
  const shown = usePlates()
  const busy = useValue(reading)
  const phone = useValue(width) === 'phone'
  const tips = useValue(tooltip.arrival)
  return (
    <section class="stage" aria-label="Memory over time">
      {problem === null ? (
        <FirstPage busy={busy} />
      ) : (
        <>
          {phone ? <ToolsOn /> : <Toolbar />}
          {phone && (
            <Part of={phoneFirst} quiet>
              {({ PhoneFit }) => <PhoneFit />}
            </Part>
          )}
          <Caption />
          {problem.model !== undefined && (
            <div class="offer-place">
              <Part of={reorderOffer} quiet>
                {({ ReorderOfferLine }) => <ReorderOfferLine />}
              </Part>
            </div>
          )}
          {shown === undefined ? (
            <Instruments />
          ) : (
            <>
              <Part of={plates}>{({ PlateStack }) => <PlateStack problem={shown} />}</Part>
              {problem.model !== undefined && <Part of={strip}>{({ OperatorStrip }) => <OperatorStrip />}</Part>}
            </>
          )}
          {tips.kind === 'there' && <tips.part.Tooltip />}
        </>
      )}
      <OnItsWay />
    </section>
  )
}
