/**
 * Playback on the page. While playing, the cursor moves by elapsed time × speed in the action phase of each frame; at high speeds it
 * passes over steps that are never shown. Everything else that moves the cursor stops it first.
 */
import type { Client, FindKind } from '../../../../wasm/client/types'
import { looking, playing, speed } from '../../state/atoms'
import { paceFor } from '../../state/search/pace'
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

/** Playing that passes over steps: the step that is `count` of its kind further than `at`; 0: there is none, null: it was given up. */
export type Leap = (at: number, count: number) => Promise<number | null>

export class Player {
  limits: PlayLimits | null = null
  /** null: each step is played */
  leap: Leap | null = null
  private leaping = false
  private owed = 0
  /** where the page itself has gone to: whoever plays then has not begun to look yet */
  private resting = -1
  private readonly ticker: Ticker
  private finding = 0
  readonly seeker: Seeker

  constructor(
    private readonly client: () => Client,
    clock: Clock,
    private readonly failed: (error: unknown) => void,
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

  /** Another search: at a pace by which it ends while one still looks, from its start. */
  settle(): void {
    speed.set(paceFor(steps.get()))
    this.rest(steps.get())
  }

  /** The page goes to a step by itself: playing begins at the start all the same. */
  rest(step: number): void {
    this.seek(step)
    this.resting = workbench.cursor.get()
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

  /** To the next (or the last) step of a kind; stays if there is none. Resolves with the step, 0 for none, null if it was given up. */
  async jump(kind: FindKind, forward: boolean): Promise<number | null> {
    if (!this.ready()) return null
    this.pause()
    this.finding += 1
    const mine = this.finding
    const from = workbench.cursor.get()
    looking.set(true)
    try {
      const found = await this.client().find(from, forward, kind)
      if (mine !== this.finding || workbench.cursor.get() !== from) return null
      if (found > 0) this.show(found)
      return found
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
    const begin = at === this.resting ? 0 : at
    const from = this.limits?.begin(begin) ?? (begin >= steps.get() ? 0 : begin)
    if (from !== at) this.show(from)
    this.resting = -1
    this.owed = 0
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
    if (count === 0) return true
    if (this.leap !== null) void this.leapOn(this.leap, count)
    else if (this.goOn(count)) {
      this.pause()
      return false
    }
    return true
  }

  /** One leap is under way at a time; what falls due meanwhile goes into the next. At the last of its kind the search goes to its end. */
  private async leapOn(leap: Leap, count: number): Promise<void> {
    this.owed += count
    if (this.leaping) return
    this.leaping = true
    const mine = this.finding
    const [from, due] = [workbench.cursor.get(), this.owed]
    this.owed = 0
    try {
      const to = await leap(from, due)
      if (to === null || mine !== this.finding || workbench.cursor.get() !== from) return
      const next = this.limits?.next(from, to > 0 ? to : steps.get())
      this.show(next?.step ?? (to > 0 ? to : steps.get()))
      if (next?.done === true || workbench.cursor.get() >= steps.get()) this.pause()
    } catch (error) {
      this.pause()
      this.failed(error)
    } finally {
      this.leaping = false
    }
  }
}
