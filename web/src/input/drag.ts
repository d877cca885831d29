/**
 * Drags that mean something else than panning: on the time axis they choose a range, with the ruler in hand they measure. Comes before
 * pan_zoom.ts on the same element and keeps from it what it takes. Reports intents only.
 */
export type Grip = 'time' | 'measure'

export interface Point {
  x: number
  y: number
}

export interface DragIntents {
  /** what a drag from this point would be, null: none of these */
  grip(at: Point): Grip | null
  /** the pointer is over a grip: nothing else is pointed at */
  over(): void
  drag(grip: Grip, from: Point, to: Point): void
  /** moved: false for a mere click */
  drop(grip: Grip, from: Point, to: Point, moved: boolean): void
  /** taken away by the browser, or by Escape */
  cancel(): void
}

/** Less movement than this is a click. */
const SLOP = 4
const CURSORS: Record<Grip, string> = { time: 'ew-resize', measure: 'crosshair' }

export class Drag {
  private held: { id: number; grip: Grip; from: Point; to: Point } | null = null
  private readonly stop = new AbortController()

  constructor(
    private readonly root: HTMLElement,
    private readonly intents: DragIntents,
  ) {
    const on = { capture: true, signal: this.stop.signal }
    root.addEventListener('pointerdown', (e) => this.down(e), on)
    root.addEventListener('pointermove', (e) => this.move(e), on)
    root.addEventListener('pointerup', (e) => this.up(e), on)
    root.addEventListener('pointercancel', (e) => this.cancel(e), on)
    root.addEventListener(
      'dblclick',
      (e) => this.intents.grip(this.at(e)) === 'measure' && e.stopImmediatePropagation(),
      on,
    )
    window.addEventListener('keydown', (e) => this.key(e), on)
  }

  dispose(): void {
    this.stop.abort()
  }

  private at(e: MouseEvent): Point {
    const box = this.root.getBoundingClientRect()
    return { x: e.clientX - box.left, y: e.clientY - box.top }
  }

  private down(e: PointerEvent): void {
    // a finger beside the one that drags means nothing
    if (this.held) e.stopImmediatePropagation()
    // a second finger makes it a pinch, which is not ours
    if (this.held || e.button !== 0 || !e.isPrimary) return
    const from = this.at(e)
    const grip = this.intents.grip(from)
    if (!grip) return
    e.stopImmediatePropagation()
    this.held = { id: e.pointerId, grip, from, to: from }
    this.root.setPointerCapture(e.pointerId)
  }

  private move(e: PointerEvent): void {
    const to = this.at(e)
    if (!this.held) {
      const grip = e.buttons === 0 ? this.intents.grip(to) : null
      if (!grip) return
      e.stopImmediatePropagation()
      this.root.style.cursor = CURSORS[grip]
      this.intents.over()
    } else if (this.held.id === e.pointerId) {
      e.stopImmediatePropagation()
      this.held.to = to
      this.intents.drag(this.held.grip, this.held.from, to)
    }
  }

  private up(e: PointerEvent): void {
    const { held } = this
    if (held?.id !== e.pointerId) return
    e.stopImmediatePropagation()
    this.held = null
    const to = this.at(e)
    this.intents.drop(held.grip, held.from, to, Math.hypot(to.x - held.from.x, to.y - held.from.y) >= SLOP)
  }

  private cancel(e: PointerEvent): void {
    if (this.held?.id !== e.pointerId) return
    this.held = null
    this.intents.cancel()
  }

  private key(e: KeyboardEvent): void {
    if (!this.held || e.key !== 'Escape') return
    e.stopPropagation()
    this.held = null
    this.intents.cancel()
  }
}
