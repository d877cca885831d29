/** One canvas for each pool, above each other: they share the time axis, and the load strip under them is that of the one last pointed at. */
import { useEffect, useRef } from 'preact/hooks'
import { Cell } from '../../base/cell'
import { bytesIn, exactBytes, exactly, poolName } from '../../base/format'
import { memo } from '../../base/memo'
import { useValue } from '../../base/use_value'
import { LoadStrip } from '../../draw/canvas/load_strip'
import { MemoryView } from '../../draw/canvas/memory_view'
import {
  allPlatesOf,
  frameIn,
  heightIn,
  operatorsIn,
  type PoolPlate,
  platesOf,
  sceneIn,
} from '../../layout/canvas/plates'
import type { MemoryViewApi, Scene, Viewport } from '../../layout/scene'
import { hoverBuffer } from '../../run/canvas/selection'
import { togglePin } from '../../run/canvas/pins'
import { askedViewport, setViewport, setViewportWhole, takeAskedViewport } from '../../state/ui'
import { opened, scene, selects, shownCapacity, shownFrame, unit } from '../../state/workbench'
import { useActions } from '../page/context'
import type { Problem } from '../../../../wasm/client/types'
import '../../styles/later'

interface PlateView {
  /** of the problem's pools */
  index: number
  view: MemoryView
  sceneNow: () => Scene | null
  visible: Viewport | null
  whole: boolean
}

/** All plates as one canvas: what is about time is for all of them, what is about a buffer for the one that it lies in. */
class Plates implements MemoryViewApi {
  /** of `views`: the one last pointed at */
  readonly chosen = new Cell(0)
  private readonly views: PlateView[] = []
  private readonly strip: LoadStrip
  private readonly leave: (() => void)[]
  private moving = false

  /** What lies in a pool may change from step to step. */
  constructor(plates: readonly PoolPlate[], hosts: readonly HTMLElement[], load: HTMLElement) {
    this.strip = new LoadStrip(load, { brush: (lower, upper) => this.showTime(lower, upper) })
    for (const [k, { index }] of plates.entries()) this.add(index, hosts[k] as HTMLElement, k)
    const update = () => this.draw()
    this.leave = [scene.subscribe(update), askedViewport.subscribe(update), this.chosen.subscribe(update)]
    this.draw()
  }

  private plate(index: number): PoolPlate | undefined {
    const problem = scene.get()?.problem
    return problem && allPlatesOf(problem)[index]
  }

  private add(index: number, host: HTMLElement, k: number): void {
    const [frame, operators] = [memo(frameIn), memo(operatorsIn)]
    const view: MemoryView = new MemoryView(host, {
      hover: (own, x, y) => {
        if (own >= 0) this.chosen.set(k)
        hoverBuffer(own < 0 ? -1 : (this.plate(index)?.buffers[own] ?? -1), x, y)
      },
      pin: (own, add) => {
        this.chosen.set(k)
        togglePin(own < 0 ? -1 : (this.plate(index)?.buffers[own] ?? -1), add)
      },
      viewport: (next, whole) => this.moved(k, next, whole),
    })
    const sceneNow = () => {
      const [now, plate] = [scene.get(), this.plate(index)]
      // the model's own buffers are in one memory: these plates are on their way out
      if (now === null || plate === undefined) return null
      return sceneIn(plate, now, now.frame && frame(plate, now.frame), now.operators && operators(plate, now.operators))
    }
    this.views.push({ index, view, sceneNow, visible: null, whole: true })
  }

  update(): void {
    this.draw()
  }

  private draw(): void {
    for (const { view, sceneNow } of this.views) {
      const now = sceneNow()
      if (now !== null) view.update(now)
    }
    const asked = scene.get() === null ? null : takeAskedViewport()
    if (asked !== null) this.show(asked)
    this.drawLoad()
  }

  private drawLoad(): void {
    const shown = this.views[this.chosen.get()]
    const now = shown?.sceneNow() ?? null
    if (now !== null && shown?.visible) this.strip.update(now, shown.visible)
  }

  /** The others follow in time. */
  private moved(k: number, next: Viewport, whole: boolean): void {
    const shown = this.views[k]
    if (shown === undefined) return
    shown.visible = next
    shown.whole = whole
    if (!this.moving) {
      this.moving = true
      for (const other of this.views) {
        const { visible } = other
        if (other !== shown && visible && (visible.t0 !== next.t0 || visible.t1 !== next.t1))
          other.view.show({ ...visible, t0: next.t0, t1: next.t1 })
      }
      this.moving = false
    }
    if (k === this.chosen.get()) setViewport(next)
    setViewportWhole(this.views.every((one) => one.whole))
    this.drawLoad()
  }

  private of(buffer: number): { view: MemoryView; own: number } | null {
    const owns = this.views.map(({ index }) => this.plate(index)?.own[buffer] ?? -1)
    const k = owns.findIndex((own) => own >= 0)
    const shown = this.views[k]
    if (shown === undefined) return null
    this.chosen.set(k)
    return { view: shown.view, own: owns[k] as number }
  }

  private get first(): MemoryView | undefined {
    return this.views[0]?.view
  }

  get size(): { width: number; height: number } {
    const height = this.views.reduce((sum, { view }) => sum + view.size.height, 0)
    return { width: this.first?.size.width ?? 0, height }
  }

  fit(): void {
    for (const { view } of this.views) view.fit()
  }

  show(asked: Viewport): void {
    this.views[this.chosen.get()]?.view.show(asked)
  }

  zoom(factor: number): void {
    this.views[this.chosen.get()]?.view.zoom(factor)
  }

  pan(dx: number, dy: number): void {
    this.views[this.chosen.get()]?.view.pan(dx, dy)
  }

  reveal(buffer: number): void {
    const at = this.of(buffer)
    at?.view.reveal(at.own)
  }

  revealTime(lower: number, upper: number): void {
    this.first?.revealTime(lower, upper)
  }

  showTime(lower: number, upper: number): void {
    this.first?.showTime(lower, upper)
  }

  centre(buffer: number): void {
    const at = this.of(buffer)
    at?.view.centre(at.own)
  }

  dispose(): void {
    for (const end of this.leave) end()
    for (const { view } of this.views) view.dispose()
    this.strip.dispose()
  }
}

function Head({ plate }: { plate: PoolPlate }) {
  const amounts = useValue(unit)
  const frame = useValue(shownFrame)
  const usual = useValue(shownCapacity)
  const capacity = plate.pool.capacity || usual
  const height = heightIn(plate, frame)
  return (
    <header class="plate-head">
      <b class="clip">{poolName(plate.pool)}</b>
      <span class={height > capacity ? 'plate-over' : ''} title={`${exactBytes(height)} of ${exactBytes(capacity)}`}>
        {frame === null
          ? `capacity ${exactly(capacity, amounts)}`
          : `${bytesIn(height, amounts)} of ${exactly(capacity, amounts)}`}
      </span>
    </header>
  )
}

export function PlateStack({ problem }: { problem: Problem }) {
  const actions = useActions()
  const stack = useRef<HTMLDivElement>(null)
  const load = useRef<HTMLDivElement>(null)
  const chooses = useValue(selects)
  // of two memories both are there, whatever lies in them by now
  const plates = chooses ? allPlatesOf(problem) : platesOf(problem)
  const whole = useValue(opened)
  useEffect(() => {
    if (stack.current === null || load.current === null) return
    const hosts = [...stack.current.querySelectorAll<HTMLElement>('.plate-memory')]
    const all = new Plates(plates, hosts, load.current)
    actions.view = all
    return () => {
      actions.view = null
      setViewport(null)
      hoverBuffer(-1)
      all.dispose()
    }
  }, [whole, plates.map(({ index }) => index).join()])
  return (
    <>
      <div class="plates" ref={stack}>
        {plates.map((plate) => (
          <section class="plate" key={plate.index} aria-label={`Pool ${poolName(plate.pool)}`}>
            <Head plate={plate} />
            <div class="plate-memory" />
          </section>
        ))}
      </div>
      <div class="load" ref={load} />
    </>
  )
}
