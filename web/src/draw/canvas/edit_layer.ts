/**
 * The canvas while the problem is edited: grips on the buffers, and what a drag makes of one. Lies over the memory view and takes the presses that
 * begin on a grip or, where buffers can be drawn, on free ground; all else (zoom, tap, a second finger) goes on below it.
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
  /** what can be done, in a line */
  hint: string
  /** only up and down, through each other; what is wrong with where they lie is red */
  bricks?: boolean
  /** under the finger: where the drag is now */
  during(buffer: number, grip: Grip, box: Box): void
  /** a drag has ended elsewhere than it began */
  edit(buffer: number, grip: Grip, box: Box): void
  /** Escape, or a second finger: as before the drag */
  cancel(buffer: number, grip: Grip, from: Box): void
  /** a rectangle on free ground */
  draw?(box: Box): void
  /** a press without a drag */
  pin(buffer: number): void
}

interface Drag {
  pointer: number
  /** -1: one that is being drawn */
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
/** More buffers than this show their grips only under the pointer. */
const ALL_GRIPS = 48
/** Smaller rectangles, in CSS pixels, have no room for grips of their own. */
const GRIP_ROOM = { w: 26, h: 14 }
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
    const hint = document.createElement('p')
    hint.className = 'edit-hint'
    hint.textContent = on.hint
    this.cover.append(hint)
    this.surface = new Surface(this.cover, { layers: 1, label: '', focusable: false }, () =>
      onFrame('paint', this.paint),
    )
    const { signal } = this.end
    const first = { signal, capture: true }
    host.addEventListener('pointerdown', (event) => this.down(event), first)
    // after the view below has set its own cursor
    host.addEventListener('pointermove', (event) => this.move(event), { signal })
    host.addEventListener('pointerup', (event) => this.up(event), { signal })
    host.addEventListener('pointercancel', () => this.giveUp(), { signal })
    host.addEventListener('pointerleave', () => this.hover(-1), { signal })
    window.addEventListener('keydown', (event) => this.key(event), first)
  }

  update(scene: Scene, view: Viewport): void {
    // what a drag does makes another problem of the same buffers
    if (this.scene?.problem.count !== scene.problem.count) this.drop()
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
    const { bricks = false } = this.on
    if (grip && pinned) return { buffer: scene.pinned, grip: bricks ? 'offset' : grip, box: pinned }
    const buffer = touch && !bricks ? -1 : hitBuffer(scene.problem, scene.frame.offset, space, x, y)
    const box = boxOf(scene, buffer)
    const held = box && gripAt(space, box, x, y, reach, 2)
    return held && box ? { buffer, grip: bricks ? 'offset' : held, box } : null
  }

  /** Free ground on which a buffer can be drawn: as a point, which is rounded down to whole bytes and times. */
  private ground(event: PointerEvent): Box | null {
    const { scene, space } = this
    if (this.on.draw === undefined || scene?.frame == null || event.pointerType === 'touch') return null
    const [x, y] = this.at(event)
    const { plate } = space
    if (x < plate.x || x > plate.x + plate.w || y < plate.y || y > plate.y + plate.h) return null
    if (hitBuffer(scene.problem, scene.frame.offset, space, x, y) >= 0) return null
    return { lower: Math.floor(space.time(x)), upper: 0, size: 1, offset: Math.max(0, Math.floor(space.address(y))) }
  }

  private down(event: PointerEvent): void {
    if (this.drag !== null) {
      // a second finger wants to zoom
      this.giveUp()
      return
    }
    if (event.button !== 0 || event.shiftKey || this.scene === null) return
    const begun = this.find(event)
    const ground = begun === null ? this.ground(event) : null
    const found = ground === null ? begun : { buffer: -1, grip: 'size' as const, box: ground }
    if (found === null) return
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
    drag.now =
      drag.buffer < 0
        ? drawn(this.space, drag.from, x, y)
        : dragged(this.space, drag.from, drag.grip, dx, dy, drag.rests)
    if (drag.buffer >= 0) this.on.during(drag.buffer, drag.grip, drag.now)
    onFrame('paint', this.paint)
  }

  private up(event: PointerEvent): void {
    const { drag } = this
    if (drag === null || event.pointerId !== drag.pointer) return
    this.drop()
    const { buffer, grip, from, now, moved } = drag
    if (buffer < 0) {
      if (moved) this.on.draw?.(now)
      else this.on.pin(this.scene?.pinned ?? -1)
    } else if (!moved) this.on.pin(buffer)
    else if (from[grip] !== now[grip] || grip === 'offset') this.on.edit(buffer, grip, now)
    else this.on.cancel(buffer, grip, from)
  }

  private giveUp(): void {
    const { drag } = this
    this.drop()
    if (drag?.moved === true && drag.buffer >= 0) this.on.cancel(drag.buffer, drag.grip, drag.from)
  }

  private drop(): void {
    this.drag = null
    onFrame('paint', this.paint)
  }

  private key(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || this.drag === null) return
    event.preventDefault()
    event.stopPropagation()
    this.giveUp()
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
    if (this.on.bricks === true) this.paintWrong(c, scene, hue)
    else {
      this.paintFixed(c, scene, hue)
      this.paintAll(c, scene, hue)
    }
    const shown = drag?.buffer ?? (this.hovered >= 0 ? this.hovered : scene.pinned)
    const box = drag?.now ?? boxOf(scene, shown)
    if (box === null) return
    const r = rectOf(this.space, box)
    c.strokeStyle = hue.accent
    c.lineWidth = 2
    c.setLineDash(drag?.moved === true ? [4, 3] : [])
    c.strokeRect(r.x, r.y, r.w, r.h)
    c.setLineDash([])
    if (this.on.bricks !== true) for (const [x, y] of gripsOf(r)) paintGrip(c, x, y, hue)
    if (drag?.moved === true) this.paintTag(c, r, tagOf(drag, scene.capacity), hue)
  }

  /** What can be taken hold of. */
  private paintAll(c: CanvasRenderingContext2D, scene: Scene, hue: Tokens): void {
    const { count } = scene.problem
    if (count > ALL_GRIPS) return
    c.fillStyle = hue.accent
    c.strokeStyle = hue.surface1
    c.lineWidth = 1
    for (let k = 0; k < count; k++) {
      const box = boxOf(scene, k)
      const r = box && rectOf(this.space, box)
      if (r === null || r.w < GRIP_ROOM.w || r.h < GRIP_ROOM.h) continue
      for (const [x, y] of gripsOf(r))
        if (y > r.y) paintPeg(c, x, y, 3, Math.min(12, r.h / 2))
        else paintPeg(c, x, y, Math.min(12, r.w / 2), 3)
    }
  }

  /** Above the capacity, or where another one lies at the same time. */
  private paintWrong(c: CanvasRenderingContext2D, scene: Scene, hue: Tokens): void {
    const { space } = this
    const boxes = [...scene.problem.ids.keys()].flatMap((k) => boxOf(scene, k) ?? [])
    const fill = (lower: number, upper: number, low: number, high: number) => {
      if (lower >= upper || low >= high) return
      const r = rectOf(space, { lower, upper, offset: low, size: high - low })
      c.globalAlpha = 0.5
      c.fillRect(r.x, r.y, r.w, r.h)
      c.globalAlpha = 1
      c.strokeRect(r.x + 1, r.y + 1, r.w - 2, r.h - 2)
    }
    c.fillStyle = hue.why
    c.strokeStyle = hue.why
    c.lineWidth = 2
    boxes.forEach((one, k) => {
      fill(one.lower, one.upper, Math.max(one.offset, scene.capacity), one.offset + one.size)
      for (const other of boxes.slice(k + 1))
        fill(
          Math.max(one.lower, other.lower),
          Math.min(one.upper, other.upper),
          Math.max(one.offset, other.offset),
          Math.min(one.offset + one.size, other.offset + other.size),
        )
    })
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

/** From where it was begun to here, in whole times and bytes. */
function drawn(space: Space, from: Box, x: number, y: number): Box {
  const [time, address] = [space.time(x), space.address(y)]
  const lower = Math.min(from.lower, Math.floor(time))
  const offset = Math.max(0, Math.min(from.offset, Math.floor(address)))
  const upper = Math.max(from.lower + 1, Math.ceil(time))
  return { lower, upper, offset, size: Math.max(1, Math.ceil(Math.max(address, from.offset + 1)) - offset) }
}

function paintPeg(c: CanvasRenderingContext2D, x: number, y: number, w: number, h: number): void {
  c.beginPath()
  c.roundRect(x - w / 2, y - h / 2, w, h, 1.5)
  c.fill()
  c.stroke()
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

function tagOf({ buffer, grip, now }: Drag, capacity: number): string {
  const unit = byteUnit(capacity)
  if (buffer < 0) return `new: ${thousands(now.lower)} to ${thousands(now.upper)}, size ${bytesIn(now.size, unit)}`
  if (grip === 'lower' || grip === 'upper') return `${grip} ${thousands(now[grip])}`
  return grip === 'size' ? `size ${bytesIn(now.size, unit)}` : `fixed at ${bytesIn(now.offset, unit)}`
}
