/**
 * Pan and zoom of the memory canvas, as timeline tools have it: the wheel zooms about the pointer, with Shift it pans in time, with
 * Alt in addresses; dragging pans; a pinch zooms; a double click fits; a click or tap pins. Reports intents only.
 */
import type { Rect } from '../base/geom'
import { contains } from '../base/geom'

export interface PanZoomIntents {
  /** factor > 1 zooms in, about a point of the canvas in CSS pixels */
  zoomAt(x: number, y: number, factor: number): void
  /** the content follows by so many pixels */
  drag(dx: number, dy: number): void
  fit(): void
  /** pointer over the canvas, or null when it left; client: page coordinates */
  hover(at: { x: number; y: number; clientX: number; clientY: number } | null): void
  /** add: with Shift */
  tap(x: number, y: number, add: boolean): void
  /** shares of the visible range: keys */
  pan(dx: number, dy: number): void
  zoom(factor: number): void
  /** minimap in canvas coordinates, or null */
  minimap(): Rect | null
  /** the view is to be centred on this point of the minimap */
  jump(x: number, y: number): void
  /** there is something to pan to */
  zoomed(): boolean
}

/** Less movement than this is a click. */
const SLOP = 4
const WHEEL_STEP = 0.0016
const PINCH_STEP = 0.01
const KEY_PAN = 0.1
const KEY_ZOOM = 1.3

interface Finger {
  x: number
  y: number
}

export class PanZoom {
  private readonly fingers = new Map<number, Finger>()
  private moved = false
  private onMap = false
  private lastTap = 0
  private readonly stop = new AbortController()

  constructor(
    private readonly root: HTMLElement,
    private readonly intents: PanZoomIntents,
  ) {
    const { signal } = this.stop
    root.addEventListener('wheel', (e) => this.wheel(e), { passive: false, signal })
    root.addEventListener('pointerdown', (e) => this.down(e), { signal })
    root.addEventListener('pointermove', (e) => this.move(e), { signal })
    root.addEventListener('pointerup', (e) => this.up(e), { signal })
    root.addEventListener('pointercancel', (e) => this.cancel(e), { signal })
    // a finger that was lifted has left as well: what it tapped is looked at until the next touch, wherever that is
    root.addEventListener('pointerleave', (e) => e.pointerType !== 'touch' && this.intents.hover(null), { signal })
    window.addEventListener('pointerdown', (e) => e.pointerType === 'touch' && this.intents.hover(null), {
      capture: true,
      signal,
    })
    root.addEventListener('dblclick', () => this.intents.fit(), { signal })
    root.addEventListener('keydown', (e) => this.key(e), { signal })
  }

  dispose(): void {
    this.stop.abort()
    this.fingers.clear()
  }

  private at(e: MouseEvent): Finger {
    const box = this.root.getBoundingClientRect()
    return { x: e.clientX - box.left, y: e.clientY - box.top }
  }

  private wheel(e: WheelEvent): void {
    e.preventDefault()
    const unit = e.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : e.deltaMode === WheelEvent.DOM_DELTA_PAGE ? 400 : 1
    const dx = e.deltaX * unit
    const dy = e.deltaY * unit
    if (e.shiftKey) this.intents.drag(-(dx || dy), 0)
    else if (e.altKey) this.intents.drag(0, -dy)
    else if (Math.abs(dx) > Math.abs(dy) && !e.ctrlKey) this.intents.drag(-dx, 0)
    else {
      // A trackpad's pinch arrives as a wheel with Ctrl and small deltas.
      const speed = e.ctrlKey && Math.abs(dy) < 40 ? PINCH_STEP : WHEEL_STEP
      const { x, y } = this.at(e)
      this.intents.zoomAt(x, y, Math.exp(-Math.max(-400, Math.min(400, dy)) * speed))
    }
  }

  private down(e: PointerEvent): void {
    if (e.button !== 0) return
    const at = this.at(e)
    if (this.fingers.size === 0) {
      this.moved = false
      const map = this.intents.minimap()
      this.onMap = map !== null && contains(map, at.x, at.y)
      if (this.onMap) this.intents.jump(at.x, at.y)
    }
    this.fingers.set(e.pointerId, at)
    this.root.setPointerCapture(e.pointerId)
    if (this.fingers.size > 1) this.moved = true
  }

  private move(e: PointerEvent): void {
    const now = this.at(e)
    const before = this.fingers.get(e.pointerId)
    if (!before) {
      this.rest()
      if (e.pointerType !== 'touch') this.intents.hover({ ...now, clientX: e.clientX, clientY: e.clientY })
      return
    }
    if (this.fingers.size === 1) this.dragOne(e, before, now)
    else this.dragTwo(e.pointerId, before, now)
  }

  private dragOne(e: PointerEvent, before: Finger, now: Finger): void {
    const dx = now.x - before.x
    const dy = now.y - before.y
    if (!this.moved && Math.hypot(dx, dy) < SLOP) return
    this.moved = true
    this.fingers.set(e.pointerId, now)
    if (this.onMap) {
      this.intents.jump(now.x, now.y)
      return
    }
    if (!this.intents.zoomed()) return
    this.root.style.cursor = 'grabbing'
    this.intents.hover(null)
    this.intents.drag(dx, dy)
  }

  private dragTwo(id: number, before: Finger, now: Finger): void {
    const other = [...this.fingers].find(([k]) => k !== id)?.[1]
    if (!other) return
    const was = Math.hypot(before.x - other.x, before.y - other.y)
    const is = Math.hypot(now.x - other.x, now.y - other.y)
    this.fingers.set(id, now)
    if (was > 8 && is > 8) this.intents.zoomAt((now.x + other.x) / 2, (now.y + other.y) / 2, is / was)
    this.intents.drag((now.x - before.x) / 2, (now.y - before.y) / 2)
  }

  private up(e: PointerEvent): void {
    if (!this.fingers.delete(e.pointerId)) return
    this.rest()
    if (this.moved || this.onMap || this.fingers.size > 0) return
    const at = this.at(e)
    // Touch screens send no dblclick where touch-action is none.
    if (e.pointerType === 'touch') {
      const again = e.timeStamp - this.lastTap < 300
      this.lastTap = again ? 0 : e.timeStamp
      if (again) {
        this.intents.fit()
        return
      }
    }
    if (e.pointerType === 'touch') this.intents.hover({ ...at, clientX: e.clientX, clientY: e.clientY })
    this.intents.tap(at.x, at.y, e.shiftKey)
  }

  private cancel(e: PointerEvent): void {
    this.fingers.delete(e.pointerId)
    this.rest()
  }

  /** The pointer's shape while nothing is dragged: a hand where a drag would move something. */
  private rest(): void {
    this.root.style.cursor = this.intents.zoomed() ? 'grab' : ''
  }

  private key(e: KeyboardEvent): void {
    if (e.ctrlKey || e.metaKey || e.altKey || e.shiftKey) {
      if (e.key !== '+') return
    }
    const act = this.keys[e.key]
    // With everything in view there is nowhere to go: the arrows are then the page's own.
    if (!act || (e.key.startsWith('Arrow') && !this.intents.zoomed())) return
    act()
    e.preventDefault()
    // The page's own keys (arrows step the search) must not act as well.
    e.stopPropagation()
  }

  private readonly keys: Record<string, () => void> = {
    ArrowLeft: () => this.intents.pan(-KEY_PAN, 0),
    ArrowRight: () => this.intents.pan(KEY_PAN, 0),
    ArrowUp: () => this.intents.pan(0, KEY_PAN),
    ArrowDown: () => this.intents.pan(0, -KEY_PAN),
    '+': () => this.intents.zoom(KEY_ZOOM),
    '=': () => this.intents.zoom(KEY_ZOOM),
    '-': () => this.intents.zoom(1 / KEY_ZOOM),
    '0': () => this.intents.fit(),
  }
}
