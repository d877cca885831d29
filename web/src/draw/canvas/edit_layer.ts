/**
 * The canvas while the problem is edited: grips on the buffer under the pointer or the pinned one, and what a drag would make of it. Lies over
 * the memory view and takes only the presses that begin on a grip; all else (pan, zoom, tap) goes on below it.
 */
import { byteUnit, bytesIn, thousands } from '../../base/format'
import type { Rect } from '../../base/geom'
import { offFrame, onFrame } from '../../base/raf'
import { MONO, type Tokens, tokens } from '../../base/theme'
import { type Box, boxOf, dragged, type Grip, gripAt, type Rests, restsOf } from '../../layout/canvas/grips'
import { hitBuffer } from '../../layout/canvas/hit'
import type { Scene, Viewport } from '../../layout/scene'
import { plateOf, Space } from '../../layout/canvas/spaces'
import { Surface } from '../surface'

export interface EditLayerCallbacks {
  /** a drag has ended elsewhere than it began */
  edit(buffer: number, grip: Grip, box: Box): void
  /** a press without a drag */
  pin(buffer: number): void
}

interface Drag {
  pointer: number
  buffer: number
  grip: Grip
  x: number
  y: number
  from: Box
  now: Box
  rests: Rests
  moved: boolean
}

const REACH = 7
/** Of a finger, beside the pinned buffer too. */
const TOUCH_REACH = 22
const SLOP = 4
const CURSORS: Record<Grip, string> = { lower: 'ew-resize', upper: 'ew-resize', size: 'ns-resize', offset: 'grab' }

export class EditLayer {
  private readonly surface: Surface
  private readonly cover: HTMLDivElement
  private readonly end = new AbortController()
  private scene: Scene | null = null
  private view: Viewport = { t0: 0, t1: 1, b0: 0, b1: 1 }
  private hovered = -1
  private drag: Drag | null = null
  private readonly paint = () => this.repaint()

  constructor(
    private readonly host: HTMLElement,
    private readonly on: EditLayerCallbacks,
  ) {
    this.cover = document.createElement('div')
    this.cover.style.cssText = 'position:absolute;inset:0;pointer-events:none'
    this.cover.setAttribute('aria-hidden', 'true')
    host.append(this.cover)
    this.surface = new Surface(this.cover, { layers: 1, label: '', focusable: false }, () =>
      onFrame('paint', this.paint),
    )
    const { signal } = this.end
    const first = { signal, capture: true }
    host.addEventListener('pointerdown', (event) => this.down(event), first)
    // after the view below has set its own cursor
    host.addEventListener('pointermove', (event) => this.move(event), { signal })
    host.addEventListener('pointerup', (event) => this.up(event), { signal })
    host.addEventListener('pointercancel', () => this.drop(), { signal })
    host.addEventListener('pointerleave', () => this.hover(-1), { signal })
    window.addEventListener('keydown', (event) => this.key(event), first)
  }

  update(scene: Scene, view: Viewport): void {
    if (this.scene?.problem !== scene.problem) this.drop()
    this.scene = scene
    this.view = view
    onFrame('paint', this.paint)
  }

  dispose(): void {
    this.end.abort()
    offFrame('paint', this.paint)
    this.surface.dispose()
    this.cover.remove()
  }

  private get space(): Space {
    return new Space(this.view, plateOf(this.surface.width, this.surface.height))
  }

  private at(event: PointerEvent): [number, number] {
    const { left, top } = this.host.getBoundingClientRect()
    return [event.clientX - left, event.clientY - top]
  }

  /** The pinned buffer first. A finger hits nothing else: everything else would be in the way of panning. */
  private find(event: PointerEvent): { buffer: number; grip: Grip; box: Box } | null {
    const { scene, space } = this
    if (scene?.frame == null) return null
    const [x, y] = this.at(event)
    const touch = event.pointerType === 'touch'
    const pinned = boxOf(scene, scene.pinned)
    const reach = touch ? TOUCH_REACH : REACH
    const grip = pinned && gripAt(space, pinned, x, y, reach, touch ? TOUCH_REACH : REACH / 2)
    if (grip && pinned) return { buffer: scene.pinned, grip, box: pinned }
    const buffer = touch ? -1 : hitBuffer(scene.problem, scene.frame.offset, space, x, y)
    const box = boxOf(scene, buffer)
    const held = box && gripAt(space, box, x, y, reach, 2)
    return held && box ? { buffer, grip: held, box } : null
  }

  private down(event: PointerEvent): void {
    if (this.drag !== null) {
      // a second finger wants to zoom
      this.drop()
      return
    }
    const found = event.button === 0 && !event.shiftKey ? this.find(event) : null
    if (found === null || this.scene === null) return
    event.stopPropagation()
    this.host.setPointerCapture(event.pointerId)
    const { buffer, grip, box } = found
    const [x, y] = this.at(event)
    const rests = restsOf(this.scene, buffer)
    this.drag = { pointer: event.pointerId, buffer, grip, x, y, from: box, now: box, rests, moved: false }
  }

  private move(event: PointerEvent): void {
    const { drag } = this
    if (drag === null) {
      const found = event.buttons === 0 ? this.find(event) : null
      if (found && event.target instanceof HTMLElement) event.target.style.cursor = CURSORS[found.grip]
      this.hover(event.pointerType === 'touch' ? -1 : (found?.buffer ?? -1))
      return
    }
    if (event.pointerId !== drag.pointer) return
    const [x, y] = this.at(event)
    const [dx, dy] = [x - drag.x, y - drag.y]
    if (!drag.moved && Math.hypot(dx, dy) < SLOP) return
    drag.moved = true
    drag.now = dragged(this.space, drag.from, drag.grip, dx, dy, drag.rests)
    onFrame('paint', this.paint)
  }

  private up(event: PointerEvent): void {
    const { drag } = this
    if (drag === null || event.pointerId !== drag.pointer) return
    this.drop()
    const { buffer, grip, from, now, moved } = drag
    if (!moved) this.on.pin(buffer)
    else if (from[grip] !== now[grip] || grip === 'offset') this.on.edit(buffer, grip, now)
  }

  private drop(): void {
    this.drag = null
    onFrame('paint', this.paint)
  }

  private key(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || this.drag === null) return
    event.preventDefault()
    event.stopPropagation()
    this.drop()
  }

  private hover(buffer: number): void {
    if (buffer === this.hovered) return
    this.hovered = buffer
    onFrame('paint', this.paint)
  }

  // ---- painting

  private repaint(): void {
    const { scene, drag } = this
    const c = this.surface.begin(0)
    if (scene === null) return
    const hue = tokens[scene.theme]
    this.paintFixed(c, scene, hue)
    const shown = drag?.buffer ?? (this.hovered >= 0 ? this.hovered : scene.pinned)
    const box = drag?.now ?? boxOf(scene, shown)
    if (box === null) return
    const r = rectOf(this.space, box)
    c.strokeStyle = hue.accent
    c.lineWidth = 2
    c.setLineDash(drag?.moved === true ? [4, 3] : [])
    c.strokeRect(r.x, r.y, r.w, r.h)
    c.setLineDash([])
    for (const [x, y] of gripsOf(r)) paintGrip(c, x, y, hue)
    if (drag?.moved === true) this.paintTag(c, r, tagOf(drag, scene.capacity), hue)
  }

  /** Those that the file has fixed stand on a line. */
  private paintFixed(c: CanvasRenderingContext2D, scene: Scene, hue: Tokens): void {
    const { space } = this
    c.fillStyle = hue.accent
    for (let k = 0; k < scene.problem.count; k++) {
      if ((scene.problem.fixed[k] as number) < 0) continue
      const box = boxOf(scene, k)
      if (box === null) continue
      const { x, y, w, h } = rectOf(space, box)
      c.fillRect(x, y + h - 2, w, 2)
    }
  }

  private paintTag(c: CanvasRenderingContext2D, r: Rect, text: string, hue: Tokens): void {
    c.font = `11px ${MONO}`
    const w = c.measureText(text).width + 12
    const x = Math.max(4, Math.min(r.x + r.w / 2 - w / 2, this.surface.width - w - 4))
    const y = r.y - 26 > 2 ? r.y - 26 : Math.min(r.y + r.h + 7, this.surface.height - 21)
    c.fillStyle = hue.accent
    c.beginPath()
    c.roundRect(x, y, w, 19, 2)
    c.fill()
    c.fillStyle = hue.onAccent
    c.textBaseline = 'middle'
    c.fillText(text, x + 6, y + 10)
  }
}

function rectOf(space: Space, box: Box): Rect {
  const x = space.x(box.lower)
  const y = space.y(box.offset + box.size)
  return { x, y, w: space.x(box.upper) - x, h: space.y(box.offset) - y }
}

/** In the middle of both ends and of the upper edge. */
function gripsOf(r: Rect): [number, number][] {
  return [
    [r.x, r.y + r.h / 2],
    [r.x + r.w, r.y + r.h / 2],
    [r.x + r.w / 2, r.y],
  ]
}

function paintGrip(c: CanvasRenderingContext2D, x: number, y: number, hue: Tokens): void {
  c.fillStyle = hue.surface1
  c.strokeStyle = hue.accent
  c.lineWidth = 2
  c.beginPath()
  c.roundRect(x - 4, y - 4, 8, 8, 2)
  c.fill()
  c.stroke()
}

function tagOf({ grip, now }: Drag, capacity: number): string {
  const unit = byteUnit(capacity)
  if (grip === 'lower' || grip === 'upper') return `${grip} ${thousands(now[grip])}`
  return grip === 'size' ? `size ${bytesIn(now.size, unit)}` : `fixed at ${bytesIn(now.offset, unit)}`
}
