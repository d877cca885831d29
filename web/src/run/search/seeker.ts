/**
 * Asks the worker for steps. One request is under way at a time; of those that come meanwhile only the newest is kept, so that
 * dragging over a long search never queues up, and the last frame stays on the page until the next is there.
 */
import type { Client, Frame } from '../../../../wasm/client/types'

/** Events around the step: what the strip of single steps shows. */
export const BEFORE = 84
export const AFTER = 84

export class Seeker {
  private wanted: number | null = null
  private busy = false
  private epoch = 0

  constructor(
    private readonly client: () => Client,
    private readonly arrived: (frame: Frame) => void,
    private readonly failed: (error: unknown) => void,
  ) {}

  get idle(): boolean {
    return !this.busy
  }

  request(step: number): void {
    this.wanted = step
    if (!this.busy) void this.pump()
  }

  /** Answers that are still under way belong to a search that is gone. */
  forget(): void {
    this.epoch += 1
    this.wanted = null
  }

  private async pump(): Promise<void> {
    this.busy = true
    let epoch = this.epoch
    try {
      while (this.wanted !== null) {
        const step = this.wanted
        epoch = this.epoch
        this.wanted = null
        const frame = await this.client().seek(step, BEFORE, AFTER)
        if (frame !== null && epoch === this.epoch) this.arrived(frame)
      }
    } catch (error) {
      if (epoch === this.epoch) {
        this.wanted = null
        this.failed(error)
      }
    } finally {
      this.busy = false
    }
    // of the search that took its place
    if (this.wanted !== null) void this.pump()
  }
}
