/** The clock of a playback: calls with whole steps, at a speed in steps per second, before each frame is drawn. */
/** A tab that slept must not jump: no frame counts for more than this, in milliseconds. */
const LONGEST_FRAME = 250

export interface Clock {
  /** calls back once, before the next frame is drawn, with milliseconds */
  request(callback: (now: number) => void): void
  cancel(callback: (now: number) => void): void
}

export class Ticker {
  private last = -1
  private fraction = 0

  /** move: goes on by so many steps; false once there is nothing to go on to */
  constructor(
    private readonly clock: Clock,
    private readonly speed: () => number,
    private readonly move: (steps: number) => boolean,
  ) {}

  start(): void {
    this.last = -1
    this.fraction = 0
    this.clock.request(this.tick)
  }

  stop(): void {
    this.clock.cancel(this.tick)
  }

  private readonly tick = (now: number): void => {
    const elapsed = this.last < 0 ? 0 : Math.min(LONGEST_FRAME, Math.max(0, now - this.last))
    this.last = now
    this.fraction += (elapsed * this.speed()) / 1000
    const whole = Math.floor(this.fraction)
    this.fraction -= whole
    if (this.move(whole)) this.clock.request(this.tick)
  }
}
