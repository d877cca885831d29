/** The canvases of the columns: told once a frame what to show, whatever has changed in any of them, and moved together. */
import { Cell } from '../../base/cell'
import { Later } from '../../base/later'
import { offFrame, onFrame } from '../../base/raf'
import { MemoryView } from '../../draw/canvas/memory_view'
import { Seismograph } from '../../draw/search/seismograph'
import type { Scene, Viewport } from '../../layout/scene'
import { wholeViewport } from '../../layout/canvas/spaces'
import type { Lane, Race } from '../../run/race/race'
import { together } from '../../state/compare/compare'
import { scene } from '../../state/workbench'
import { laneScenes, laneSearch } from '../../state/race/race_scene'
import { width } from '../../state/ui'
import { lightBuffer } from '../../run/canvas/selection'

/** Of problems with several pools. */
const plates = new Later(() => import('../../layout/canvas/plates'))

/** As on the page's own canvas: up to this speed motion may ease. */
const CALM_SPEED = 5

interface LaneViews {
  view: MemoryView
  graph: Seismograph
  sceneOf: ReturnType<typeof laneScenes>
}

export class RaceStage {
  /** buffer under the pointer on any of them, or -1 */
  readonly pointed = new Cell(-1)
  private readonly views = new Map<Lane, LaneViews>()
  private readonly leave: (() => void)[]
  private moving = false

  constructor(
    private readonly race: Race,
    private readonly pin: (buffer: number, add: boolean) => void,
  ) {
    const { changes, frames, lanes, playing, speed } = race
    const sources = [changes, frames, lanes, playing, speed, scene, together, width, plates.arrival]
    const ask = () => onFrame('act', this.draw)
    this.leave = sources.map((source) => source.subscribe(ask))
  }

  /** Puts a lane's canvases into their hosts; returns the way out. */
  mount(lane: Lane, memory: HTMLElement, search: HTMLElement): () => void {
    const view: MemoryView = new MemoryView(memory, {
      hover: (buffer) => this.point(buffer),
      pin: this.pin,
      viewport: (viewport) => this.moved(view, viewport),
    })
    const graph = new Seismograph(search, { scrub: (step) => this.race.scrub(lane, step), preview: () => {} })
    this.views.set(lane, { view, graph, sceneOf: laneScenes() })
    onFrame('act', this.draw)
    return () => {
      this.views.delete(lane)
      view.dispose()
      graph.dispose()
    }
  }

  fit(): void {
    for (const { view } of this.views.values()) view.fit()
  }

  dispose(): void {
    offFrame('act', this.draw)
    for (const exit of this.leave) exit()
    this.point(-1)
  }

  private point(buffer: number): void {
    if (this.pointed.get() === buffer) return
    this.pointed.set(buffer)
    // the same buffer in all of them
    lightBuffer(buffer)
  }

  private moved(from: MemoryView, viewport: Viewport): void {
    if (this.moving || !together.get()) return
    this.moving = true
    for (const { view } of this.views.values()) if (view !== from) view.show(viewport)
    this.moving = false
  }

  private readonly draw = (): void => {
    const base = scene.get()
    if (base === null) return
    const pooled = base.problem.pools !== undefined
    const now = plates.arrival.get()
    if (pooled && now.kind !== 'there') return void plates.get().catch(() => {})
    const flat = (one: Scene) => (pooled && now.kind === 'there' ? now.part.onOnePlate(one) : one)
    const calm = !this.race.playing.get() || this.race.speed.get() <= CALM_SPEED
    const lanes = this.race.lanes.get().filter((lane) => this.views.has(lane))
    const shared = together.get()
    const scenes = lanes.map((lane) => flat(this.views.get(lane)?.sceneOf(base, viewOf(lane), calm) as Scene))
    const top = Math.max(1, ...scenes.map((one) => wholeViewport(one).b1))
    // a phone shows one column at a time: each has its ruler
    const alone = !shared || width.get() === 'phone'
    // what a change of scale makes of one view is no movement of the others
    this.moving = true
    lanes.forEach((lane, k) => {
      const ruler = alone || k === 0
      this.views.get(lane)?.view.update({ ...(scenes[k] as Scene), ...(shared ? { top } : {}), ruler })
      const search = laneSearch(base, viewOf(lane))
      if (search !== null) this.views.get(lane)?.graph.update({ ...search, ruler })
    })
    this.moving = false
  }
}

function viewOf(lane: Lane) {
  const { capacity } = lane.config.get()
  return { run: lane.run.get(), cursor: lane.cursor.get(), frame: lane.frame.get(), capacity }
}
