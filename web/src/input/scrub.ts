/** Scrubbing a strip of steps: click to jump, drag with capture, hover to preview, Shift and drag to mark a range out. Reports positions, knows no steps. */

export interface ScrubIntents {
  /** position in CSS pixels from the strip's left edge */
  scrub(x: number): void
  preview(x: number | null): void
  /** x of the playhead, for its grab zone; NaN if it is not shown */
  playhead(): number
  /** from where Shift was held and the pointer went down to where it is now; without it Shift means nothing */
  range?(from: number, to: number): void
}

/** A press this close to the playhead takes hold of it without a jump. */
export const GRAB = 11

export class Scrub {
  private held = -1
  /** distance from the pointer to the playhead when it was taken hold of */
  private slip = 0
  /** where a range begins, NaN: none is being marked out */
  private anchor = Number.NaN
  private readonly stop = new AbortController()

  constructor(
    private readonly root: HTMLElement,
    private readonly intents: ScrubIntents,
  ) {
    const { signal } = this.stop
    root.addEventListener('pointerdown', (e) => this.down(e), { signal })
    root.addEventListener('pointermove', (e) => this.move(e), { signal })
    root.addEventListener('pointerup', (e) => this.up(e), { signal })
    root.addEventListener('pointercancel', (e) => this.up(e), { signal })
    root.addEventListener('pointerleave', () => this.intents.preview(null), { signal })
  }

  dispose(): void {
    this.stop.abort()
  }

  private x(e: MouseEvent): number {
    return e.clientX - this.root.getBoundingClientRect().left
  }

  private near(x: number): boolean {
    return Math.abs(x - this.intents.playhead()) <= GRAB
  }

  private down(e: PointerEvent): void {
    if (e.button !== 0 || this.held >= 0) return
    const x = this.x(e)
    this.held = e.pointerId
    this.anchor = e.shiftKey && this.intents.range ? x : Number.NaN
    this.slip = this.near(x) ? this.intents.playhead() - x : 0
    this.root.setPointerCapture(e.pointerId)
    this.root.style.cursor = 'ew-resize'
    this.intents.preview(null)
    if (this.slip === 0 && Number.isNaN(this.anchor)) this.intents.scrub(x)
  }

  private move(e: PointerEvent): void {
    const x = this.x(e)
    if (this.held === e.pointerId && !Number.isNaN(this.anchor)) {
      this.intents.range?.(this.anchor, x)
    } else if (this.held === e.pointerId) {
      this.intents.scrub(x + this.slip)
    } else if (this.held < 0 && e.pointerType !== 'touch') {
      this.root.style.cursor = this.near(x) ? 'ew-resize' : 'pointer'
      this.intents.preview(x)
    }
  }

  private up(e: PointerEvent): void {
    if (this.held !== e.pointerId) return
    this.held = -1
    this.root.style.cursor = ''
  }
}
