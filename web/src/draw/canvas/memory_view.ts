/** The time x memory canvas: buffers below, what happens to them above. Mounts in a host element that has a size. */
import { clamp, type Rect } from '../../base/geom'
import { Later } from '../../base/later'
import { pausesWhile } from '../../base/slices'
import { offFrame, onFrame } from '../../base/raf'
import { Drag, type DragIntents, type Point } from '../../input/drag'
import { PanZoom, type PanZoomIntents } from '../../input/pan_zoom'
import { distance, hitBuffer } from '../../layout/canvas/hit'
import { piecesOf } from '../../layout/canvas/pieces'
import type { MemoryViewApi, MemoryViewCallbacks, Scene, Viewport } from '../../layout/scene'
import {
  between,
  confine,
  isWhole,
  limitsOf,
  panBy,
  plateOf,
  Space,
  wholeViewport,
  zoomAbout,
} from '../../layout/canvas/spaces'
import { indexInSlices, isIndexed } from '../../layout/canvas/time_index'
import { readStep, type StepView } from '../../layout/step/witness'
import type { Minimap } from './minimap'
import type { Raster } from './raster'
import type { Measure, Tools } from './tools'
import { easeInOut, FIT_MS, motionAt, STILL } from '../motion'
import { paintData } from './paint_buffers'
import { shownAt } from './paint_frame'
import { keepFree, paintOver } from './paint_memory'
import { type Motion, paintTags, learned } from './paint_step'
import { limit, makePicture, type Picture } from './picture'
import { Surface } from '../surface'
import { layoutTags, type Tag } from './tags'

/** Nothing is zoomed at first. */
const maps = new Later(() => import('./minimap'))
/** Nor are there thousands of buffers. */
const crowds = new Later(() => import('./raster'))
/** Nobody has taken one in hand yet. */
const toolbox = new Later(() => import('./tools'))

const DATA = 0
const OVERLAY = 1
/** While a search plays fast, what a step says changes at most so often: nothing may flash more than three times a second. */
const CALM_MS = 334
/** The ring breathes at half the screen's rate: it is the only thing that moves without end. */
const BREATH_FRAME_MS = 32
const ZOOM_STEP_KEEP = 0.8
/** No buffer is drawn one by one. */
const NOTHING = -1
/** The ruler takes an edge this close, in pixels. */
const SNAP = 6

interface Travel {
  from: Viewport
  start: number
}

export class MemoryView implements MemoryViewApi {
  private readonly surface: Surface
  private readonly input: { dispose(): void }[]
  private minimap: Minimap | null = null
  private crowd: Raster | null = null
  /** it shows the picture as it is now */
  private crowdDone = true
  private tools: Tools | null = null
  private indexing: Scene['problem'] | null = null
  /** range of time that is being brushed, in canvas x */
  private brush: [number, number] | null = null
  private measure: Measure | null = null
  private readonly leave: (() => void)[]
  private scene: Scene | null = null
  private whole: Viewport = { t0: 0, t1: 1, b0: 0, b1: 1 }
  private view: Viewport = { t0: 0, t1: 1, b0: 0, b1: 1 }
  private told = ''
  private step: StepView | null = null
  private stepScene: Scene | null = null
  private stepAt = 0
  private picture: Picture | null = null
  private tags: Tag[] = []
  private mapRect: Rect | null = null
  private hovered = -1
  private pointer: { x: number; y: number; clientX: number; clientY: number } | null = null
  private dataStale = true
  private overlayAt = 0
  private travel: Travel | null = null
  private timer = 0
  private readonly paint: (now: number) => void

  constructor(
    host: HTMLElement,
    private readonly on: MemoryViewCallbacks,
  ) {
    this.paint = (now) => this.repaint(now)
    this.surface = new Surface(host, { layers: 2, label: 'Memory over time', focusable: true }, () => this.refresh())
    // in this order: a drag that is a tool's is not a pan
    const { root } = this.surface
    this.input = [new Drag(root, this.dragIntents()), new PanZoom(root, this.intents())]
    this.leave = [maps, learned, crowds, toolbox].map((part) => part.arrival.subscribe(() => this.refresh()))
  }

  update(scene: Scene): void {
    const before = this.scene
    const wasWhole = before === null || before.problem !== scene.problem || isWhole(this.view, this.whole)
    this.scene = scene
    if (!scene.measuring || before?.problem !== scene.problem) this.measure = null
    if (scene.matches || scene.fragments || scene.measuring) toolbox.get().catch(() => {})
    if (before?.problem !== scene.problem) {
      this.hovered = -1
      this.step = null
    }
    this.whole = wholeViewport(scene)
    this.view = wasWhole ? { ...this.whole } : confine(this.view, this.whole, limitsOf(scene.problem, this.whole))
    if (before === null || dataDiffers(before, scene)) this.dataStale = true
    this.tell()
    this.describe(scene)
    onFrame('paint', this.paint)
  }

  get size(): { width: number; height: number } {
    return { width: this.surface.width, height: this.surface.height }
  }

  fit(): void {
    this.travelTo({ ...this.whole })
  }

  show(viewport: Viewport): void {
    this.setView(viewport)
  }

  zoom(factor: number): void {
    this.setView(zoomAbout(this.view, factor, factor, 0.5, 0.5))
  }

  pan(dx: number, dy: number): void {
    this.setView(panBy(this.view, dx, dy))
  }

  reveal(buffer: number): void {
    const scene = this.scene
    if (!scene || !(buffer >= 0 && buffer < scene.problem.count)) return
    const { problem } = scene
    const { view } = this
    const lower = problem.lower[buffer] as number
    const upper = problem.upper[buffer] as number
    const offset = this.picture ? shownAt(this.picture, buffer) : -1
    const [t0, t1] = including(view.t0, view.t1, lower, upper)
    const [b0, b1] =
      offset < 0 ? [view.b0, view.b1] : including(view.b0, view.b1, offset, offset + (problem.size[buffer] as number))
    if (t0 !== view.t0 || t1 !== view.t1 || b0 !== view.b0 || b1 !== view.b1) this.travelTo({ t0, t1, b0, b1 })
  }

  revealTime(lower: number, upper: number): void {
    const [t0, t1] = including(this.view.t0, this.view.t1, lower, upper)
    if (t0 !== this.view.t0 || t1 !== this.view.t1) this.travelTo({ ...this.view, t0, t1 })
  }

  showTime(lower: number, upper: number): void {
    this.travelTo({ ...this.view, t0: lower, t1: upper })
  }

  centre(buffer: number): void {
    const { scene, view } = this
    if (!scene || !(buffer >= 0 && buffer < scene.problem.count)) return
    const { lower, upper, size } = scene.problem
    const offset = this.picture ? shownAt(this.picture, buffer) : -1
    const time = ((lower[buffer] as number) + (upper[buffer] as number)) / 2
    const address = offset < 0 ? (view.b0 + view.b1) / 2 : offset + (size[buffer] as number) / 2
    const dt = time - (view.t0 + view.t1) / 2
    const db = address - (view.b0 + view.b1) / 2
    if (!isWhole(view, this.whole))
      this.travelTo({ t0: view.t0 + dt, t1: view.t1 + dt, b0: view.b0 + db, b1: view.b1 + db })
  }

  dispose(): void {
    offFrame('paint', this.paint)
    window.clearTimeout(this.timer)
    for (const leave of this.leave) leave()
    for (const input of this.input) input.dispose()
    this.surface.dispose()
  }

  // ---- viewport

  private get space(): Space {
    return new Space(this.view, this.plate)
  }

  private get plate(): Rect {
    return plateOf(this.surface.width, this.surface.height, this.scene?.ruler)
  }

  private setView(view: Viewport): void {
    if (!this.scene) return
    this.travel = null
    this.view = confine(view, this.whole, limitsOf(this.scene.problem, this.whole))
    // a fetch that failed is tried again at the next move
    if (!isWhole(this.view, this.whole)) maps.get().catch(() => {})
    this.refresh()
    this.tell()
    this.describe(this.scene)
  }

  private travelTo(target: Viewport): void {
    const from = this.view
    this.setView(target)
    if (!this.scene || this.scene.reducedMotion) return
    this.travel = { from, start: performance.now() }
  }

  /** The view as drawn: on its way while it travels. */
  private shownView(now: number): Viewport {
    if (!this.travel) return this.view
    const t = (now - this.travel.start) / FIT_MS
    if (t >= 1) {
      this.travel = null
      return this.view
    }
    return between(this.travel.from, this.view, easeInOut(clamp(t, 0, 1)))
  }

  private tell(shown: Viewport = this.view): void {
    const key = `${shown.t0} ${shown.t1} ${shown.b0} ${shown.b1}`
    if (key === this.told) return
    this.told = key
    this.on.viewport({ ...shown }, isWhole(this.view, this.whole))
  }

  private refresh(): void {
    this.dataStale = true
    onFrame('paint', this.paint)
  }

  // ---- painting

  private makePicture(scene: Scene, dpr: number, view: Viewport = this.view): Picture {
    const space = new Space(view, this.plate)
    const ready = this.ready(scene)
    const picture = makePicture(scene, space, this.step ?? readStep(scene), dpr, ready ? undefined : NOTHING)
    return ready && scene.frame && !picture.rects ? this.crowded(picture) : picture
  }

  /** Where everything is by time is known. For very many buffers it is worked out beside the rest: they appear when it is. */
  private ready({ problem }: Scene): boolean {
    if (isIndexed(problem)) return true
    if (this.indexing !== problem) {
      this.indexing = problem
      const wanted = () => this.scene?.problem === problem
      void indexInSlices(problem, pausesWhile(wanted)).then((made) => made && this.refresh())
    }
    return false
  }

  /** With the image of the many; without one until its part of the page is there. */
  private crowded(picture: Picture): Picture {
    const now = crowds.arrival.get()
    if (now.kind !== 'there') {
      crowds.get().catch(() => {})
      return picture
    }
    this.crowd ??= new now.part.Raster(() => this.refresh())
    this.crowdDone = this.crowd.make(picture, { space: picture.space, dpr: picture.dpr, only: null, least: 1 })
    return { ...picture, crowd: this.crowd }
  }

  private repaint(now: number): void {
    const { scene } = this
    if (!scene) return
    const stepChanged = this.readStep(scene, now)
    const travelling = this.travel !== null
    const view = this.shownView(now)
    const stale = this.dataStale || stepChanged || travelling || !this.picture
    if (stale || !this.picture) {
      this.dataStale = false
      this.picture = this.makePicture(scene, this.surface.dpr, view)
      this.tags = layoutTags(this.picture)
      const free = keepFree(this.picture, this.tags)
      this.mapRect = isWhole(view, this.whole) ? null : this.placeMap(this.picture, free)
      this.paintLayer(this.surface.begin(DATA), this.picture, free)
      if (travelling) this.tell(view)
    } else if (this.picture.scene !== scene) {
      this.picture = { ...this.picture, scene }
    }
    this.hover(scene)
    const { motion, settled } = this.motion(scene, now)
    const breathing = scene.calm && !scene.reducedMotion && this.step?.candidate !== null
    if (stale || !settled || now - this.overlayAt >= BREATH_FRAME_MS || !breathing) {
      this.overlayAt = now
      this.paintOverlay(this.surface.begin(OVERLAY), this.picture, this.tags, motion)
    }
    if (this.travel || !settled || breathing) onFrame('paint', this.paint)
  }

  /** The data, and what tools make of it. */
  private paintLayer(c: CanvasRenderingContext2D, p: Picture, free: Rect[]): void {
    paintData(c, p, free)
    const tools = isIndexed(p.scene.problem) ? this.toolsAt() : null
    if (p.scene.fragments && (!p.crowd || this.crowdDone)) tools?.paintHoles(c, p)
    if (p.scene.matches) tools?.paintMatches(c, p, p.scene.matches)
  }

  private toolsAt(): Tools | null {
    const now = toolbox.arrival.get()
    if (now.kind === 'there') this.tools ??= new now.part.Tools(() => this.refresh())
    return this.tools
  }

  /** Where the minimap lies; null while it is still to come, too. */
  private placeMap(p: Picture, keepFree: Rect[]): Rect | null {
    const now = maps.arrival.get()
    if (now.kind !== 'there' || !isIndexed(p.scene.problem)) return null
    this.minimap ??= new now.part.Minimap(() => this.refresh())
    return now.part.minimapRect(p, keepFree)
  }

  private paintOverlay(c: CanvasRenderingContext2D, p: Picture, tags: Tag[], motion: Motion): void {
    paintOver(c, p, motion, this.hovered)
    if (this.mapRect) this.minimap?.paint(c, p, this.mapRect, this.whole)
    paintTags(c, p, tags, motion)
    const box = toolbox.arrival.get()
    if (box.kind !== 'there') return
    if (this.measure) box.part.paintMeasure(c, p, this.measure)
    if (this.brush) box.part.paintBrush(c, p.plate, ...this.brush, p.theme.accent)
  }

  /** Takes what the step says from the scene; while playing fast at most three times a second. Returns whether it changed. */
  private readStep(scene: Scene, now: number): boolean {
    const old = this.stepScene
    if (this.step && old && old.frame === scene.frame && old.limit === scene.limit) return false
    if (this.step && !scene.calm && now - this.stepAt < CALM_MS) {
      window.clearTimeout(this.timer)
      this.timer = window.setTimeout(() => onFrame('paint', this.paint), CALM_MS - (now - this.stepAt))
      return false
    }
    // The same step fetched again must not move again.
    const same = old?.problem === scene.problem && old.frame?.step === scene.frame?.step
    if (!same || !scene.calm) this.stepAt = now
    this.step = readStep(scene)
    this.stepScene = scene
    return true
  }

  private motion(scene: Scene, now: number): { motion: Motion; settled: boolean } {
    if (!scene.calm || scene.reducedMotion) return { motion: STILL, settled: true }
    return motionAt(now - this.stepAt, this.step?.candidate?.asked ?? false)
  }

  private describe(scene: Scene): void {
    if (!scene.calm) return
    const capacity = this.picture ? limit(this.picture, scene.capacity) : `${scene.capacity} bytes`
    const state = scene.frame
      ? `${scene.frame.depth} of ${scene.problem.count} buffers placed`
      : `load of ${scene.problem.count} buffers`
    const also = [
      scene.matches ? `${scene.matches.list.length} found` : '',
      scene.pinned >= 0
        ? `pinned: ${[...scene.alsoPinned, scene.pinned].map((k) => scene.problem.ids.at(k)).join(', ')}`
        : '',
      scene.fragments ? 'free blocks shaded' : '',
      isWhole(this.view, this.whole) ? '' : 'zoomed in',
    ].filter((part) => part !== '')
    this.surface.label([`Memory over time: ${state}, capacity ${capacity}`, ...also].join('; '))
  }

  // ---- input

  private hover(scene: Scene): void {
    const { pointer } = this
    const onMap = pointer && this.mapRect && inside(this.mapRect, pointer.x, pointer.y)
    const found = pointer && !onMap ? this.bufferAt(scene, pointer.x, pointer.y) : -1
    if (found === this.hovered && found < 0) return
    this.hovered = found
    this.on.hover(found, pointer?.clientX ?? 0, pointer?.clientY ?? 0)
  }

  /** The buffer seen at a point: the candidate and the ghosts lie over the placed ones. */
  private bufferAt(scene: Scene, x: number, y: number): number {
    const { space } = this
    if (!inside(space.plate, x, y) || !scene.frame || !isIndexed(scene.problem)) return -1
    const tiles = [...(this.step?.candidate ? [this.step.candidate] : []), ...(this.step?.ghosts ?? [])]
    const pieces = piecesOf(scene.problem)
    for (const { buffer, offset } of tiles) {
      for (let k = pieces.first[buffer] as number; k < (pieces.first[buffer + 1] as number); k++) {
        const low = offset + (pieces.from[k] as number)
        const high = offset + (pieces.to[k] as number)
        const d = distance(space, pieces.lower[k] as number, pieces.upper[k] as number, low, high, x, y)
        if (Number.isFinite(d)) return buffer
      }
    }
    return hitBuffer(scene.problem, scene.frame.offset, space, x, y)
  }

  private dragIntents(): DragIntents {
    const again = (): void => {
      this.overlayAt = 0
      onFrame('paint', this.paint)
    }
    return {
      grip: (at) => {
        const { plate } = this.space
        if (!this.scene || at.x < plate.x - 2 || at.x > plate.x + plate.w + 2) return null
        if (at.y > plate.y + plate.h) return 'time'
        const onMap = this.mapRect !== null && inside(this.mapRect, at.x, at.y)
        return this.scene.measuring && !onMap ? 'measure' : null
      },
      over: () => {
        this.pointer = null
        again()
      },
      drag: (grip, from, to) => {
        toolbox.get().catch(() => {})
        if (grip === 'time') this.brush = [from.x, to.x]
        else this.measure = { from: this.pointAt(from), to: this.pointAt(to) }
        again()
      },
      drop: (grip, from, to, moved) => {
        this.brush = null
        if (grip === 'measure' && !moved) this.measure = null
        const { space } = this
        if (grip === 'time' && moved)
          this.showTime(space.time(Math.min(from.x, to.x)), space.time(Math.max(from.x, to.x)))
        again()
      },
      cancel: () => {
        this.brush = null
        this.measure = null
        again()
      },
    }
  }

  /** A whole step and byte; near a buffer's edges, those. */
  private pointAt({ x, y }: Point): { time: number; address: number } {
    const { space, scene } = this
    const at = { time: Math.round(space.time(x)), address: Math.max(0, Math.round(space.address(y))) }
    const buffer = scene ? this.bufferAt(scene, x, y) : -1
    const offset = buffer >= 0 && this.picture ? shownAt(this.picture, buffer) : -1
    if (!scene || offset < 0) return at
    const { lower, upper, size } = scene.problem
    const nearTime = [lower[buffer] as number, upper[buffer] as number].find((t) => Math.abs(space.x(t) - x) <= SNAP)
    const nearAddress = [offset, offset + (size[buffer] as number)].find((b) => Math.abs(space.y(b) - y) <= SNAP)
    return { time: nearTime ?? at.time, address: nearAddress ?? at.address }
  }

  private intents(): PanZoomIntents {
    return {
      zoomAt: (x, y, factor) => {
        const { plate } = this.space
        const px = clamp((x - plate.x) / plate.w, 0, 1)
        const py = clamp(1 - (y - plate.y) / plate.h, 0, 1)
        this.setView(zoomAbout(this.view, factor, factor, px, py))
      },
      drag: (dx, dy) => {
        const { plate } = this.space
        this.setView(panBy(this.view, -dx / plate.w, dy / plate.h))
      },
      fit: () => this.fit(),
      hover: (at) => {
        this.pointer = at
        onFrame('paint', this.paint)
        this.overlayAt = 0
      },
      tap: (x, y, add) => {
        if (this.scene) this.on.pin(this.bufferAt(this.scene, x, y), add)
      },
      pan: (dx, dy) => this.pan(dx, dy),
      zoom: (factor) => this.zoom(factor),
      minimap: () => this.mapRect,
      jump: (x, y) => {
        if (!this.mapRect || !this.minimap) return
        const space = this.minimap.space(this.mapRect, this.whole)
        const dt = space.time(x) - (this.view.t0 + this.view.t1) / 2
        const db = space.address(y) - (this.view.b0 + this.view.b1) / 2
        const { view } = this
        this.setView({ t0: view.t0 + dt, t1: view.t1 + dt, b0: view.b0 + db, b1: view.b1 + db })
      },
      zoomed: () => !isWhole(this.view, this.whole),
    }
  }
}

function inside(r: Rect, x: number, y: number): boolean {
  return x >= r.x && x <= r.x + r.w && y >= r.y && y <= r.y + r.h
}

/** Something the data layer shows has changed. */
function dataDiffers(a: Scene, b: Scene): boolean {
  return (
    a.problem !== b.problem ||
    a.frame !== b.frame ||
    a.capacity !== b.capacity ||
    a.bounds !== b.bounds ||
    a.unfit !== b.unfit ||
    a.banks !== b.banks ||
    a.colour !== b.colour ||
    a.matches !== b.matches ||
    a.fragments !== b.fragments ||
    a.theme !== b.theme ||
    a.top !== b.top ||
    a.ruler !== b.ruler ||
    a.overloaded !== b.overloaded ||
    a.frontier !== b.frontier
  )
}

/** [lo, hi] moved, or widened if it is too short, no more than needed to hold [a, b] with a little air. */
function including(lo: number, hi: number, a: number, b: number): [number, number] {
  const span = Math.max(hi - lo, (b - a) / ZOOM_STEP_KEEP)
  if (a >= lo && b <= hi) return [lo, hi]
  const air = Math.min((span - (b - a)) / 2, span * 0.1)
  const start = a < lo ? a - air : b + air - span
  return [start, start + span]
}
