/**
 * Playback on the page. While playing, the cursor moves by elapsed time × speed in the action phase of each frame; at high speeds it
 * passes over steps that are never shown. Everything else that moves the cursor stops it first.
 */
import type { Client, FindKind } from '../../../../wasm/client/types'
import { looking, playing, speed } from '../../state/atoms'
import { steps } from '../../state/workbench'
import { Seeker } from './seeker'
import { type Clock, Ticker } from './ticker'
import { workbench } from '../../state/workbench_cells'

export const SPEEDS = { min: 1, max: 1e6 }

/** What playing keeps to beside the ends of the search. */
export interface PlayLimits {
  /** where it begins, from the step shown */
  begin(at: number): number
  /** how far it may go now on the way from `at` to `to`; done: it stops there */
  next(at: number, to: number): { step: number; done: boolean }
}

export class Player {
  limits: PlayLimits | null = null
  private readonly ticker: Ticker
  private finding = 0
  readonly seeker: Seeker

  constructor(
    private readonly client: () => Client,
    clock: Clock,
    failed: (error: unknown) => void,
  ) {
    this.ticker = new Ticker(
      clock,
      () => speed.get(),
      (count) => this.advance(count),
    )
    this.seeker = new Seeker(client, (shown) => workbench.frame.set(shown), failed)
  }

  /** Goes to a step and shows it as soon as the worker has it. */
  seek(step: number): void {
    this.pause()
    this.show(step)
  }

  stepBy(count: number): void {
    this.seek(workbench.cursor.get() + count)
  }

  toStart(): void {
    this.seek(0)
  }

  toEnd(): void {
    this.seek(steps.get())
  }

  /** To the next (or the last) step of a kind; to the end (or the start) if there is none. Resolves with the step. */
  async jump(kind: FindKind, forward: boolean): Promise<number> {
    if (!this.ready()) return workbench.cursor.get()
    this.pause()
    this.finding += 1
    const mine = this.finding
    const from = workbench.cursor.get()
    looking.set(true)
    try {
      const found = await this.client().find(from, forward, kind)
      if (mine !== this.finding || workbench.cursor.get() !== from) return workbench.cursor.get()
      const step = found > 0 ? found : forward ? steps.get() : 0
      this.show(step)
      return step
    } finally {
      if (mine === this.finding) looking.set(false)
    }
  }

  toggle(): void {
    if (playing.get()) this.pause()
    else this.play()
  }

  /** Plays on, from the start again if the end is shown. */
  play(): void {
    if (!this.ready() || steps.get() === 0) return
    const at = workbench.cursor.get()
    const from = this.limits?.begin(at) ?? (at >= steps.get() ? 0 : at)
    if (from !== at) this.show(from)
    playing.set(true)
    this.ticker.start()
  }

  pause(): void {
    this.finding += 1
    looking.set(false)
    playing.set(false)
    this.ticker.stop()
  }

  setSpeed(value: number): void {
    speed.set(Math.min(SPEEDS.max, Math.max(SPEEDS.min, value)))
  }

  private ready(): boolean {
    const kind = workbench.run.get().kind
    return kind === 'ended' || kind === 'cancelled'
  }

  private show(step: number): void {
    if (!this.ready()) return
    const to = Math.min(steps.get(), Math.max(0, Math.round(step)))
    workbench.cursor.set(to)
    this.seeker.request(to)
  }

  /** True where playing ends. */
  private goOn(count: number): boolean {
    const at = workbench.cursor.get()
    const next = this.limits?.next(at, at + count)
    const to = next?.step ?? at + count
    if (to !== at) this.show(to)
    return next?.done ?? workbench.cursor.get() >= steps.get()
  }

  /** Goes on by so many steps; false where playing ends. */
  private advance(count: number): boolean {
    if (count === 0 || !this.goOn(count)) return true
    this.pause()
    return false
  }
}
