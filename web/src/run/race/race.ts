/** Several runs of one problem side by side, each in a worker of its own, under one playhead. The page's own run stays as it is. */
import { type GivenProblem, openProblem } from '../model/open_model'
import { createClient } from '../../../../wasm/client/client'
import type { Client, Problem, RunConfig, RunResult } from '../../../../wasm/client/types'
import { Cell } from '../../base/cell'
import { offFrame, onFrame } from '../../base/raf'
import { paceFor } from '../../state/search/pace'
import { type LockBy, lengthOf, positionOf, stepUnder, strideOf } from '../../state/race/race_playhead'
import { failedRun, followRun } from '../solver/follow_run'
import { Seeker } from '../search/seeker'
import { type Clock, Ticker } from '../search/ticker'
import { runCells } from '../../state/workbench_cells'
import type { ShownResult } from '../../state/workbench_values'

export const MOST_LANES = 4

export const PAGE_CLOCK: Clock = {
  request: (callback) => onFrame('act', callback),
  cancel: (callback) => offFrame('act', callback),
}

/** Solvers that are not ours: they have an outcome and a plan, and no steps. */
export interface Others {
  /** '' if it is ours */
  titleOf: (solver: string) => string
  /** The client has the problem open. */
  run: (client: Client, config: RunConfig, problem: Problem, signal: AbortSignal) => Promise<ShownResult>
}

/** When it was started and when it ended, in milliseconds of the page's clock; race: lanes of the same number started together. */
export interface Times {
  race: number
  started: number
  ended: number
}

export class Lane {
  readonly config: Cell<RunConfig>
  private readonly cells = runCells()
  readonly run = this.cells.run
  readonly cursor = this.cells.cursor
  readonly frame = this.cells.frame
  /** of the last run that has ended */
  readonly times = new Cell<Times | null>(null)
  private readonly client: Client
  private readonly seeker: Seeker
  private opened: Promise<Problem> | null = null
  private end = new AbortController()
  private turn = 0
  private stopping = false

  constructor(
    readonly id: number,
    config: RunConfig,
    private readonly problem: GivenProblem,
    make: () => Client,
    private readonly others: Others | null,
  ) {
    this.config = new Cell(config)
    this.client = make()
    this.seeker = new Seeker(
      () => this.client,
      (frame) => this.frame.set(frame),
      (error) => this.lost(error),
    )
  }

  /** Of a solver that is not ours, else ''. */
  get foreign(): string {
    return this.others?.titleOf(this.config.get().solver) ?? ''
  }

  /** Steps that can be shown. */
  get steps(): number {
    const state = this.run.get()
    return state.kind === 'ended' || state.kind === 'cancelled' ? state.result.stats.steps : 0
  }

  /** Runs from the start to the end, to the budget, or until cancelled. gate: what it waits for when its worker is ready. */
  async start(race: number, gate: Promise<unknown> = Promise.resolve()): Promise<void> {
    if (this.run.get().kind === 'running') return
    this.turn += 1
    const mine = this.turn
    this.stopping = false
    this.reset()
    let started = 0
    try {
      const config = this.config.get()
      const over = await followRun(
        this,
        config,
        async (tell) => {
          const problem = await this.ready()
          await gate
          started = performance.now()
          if (this.others !== null && this.foreign !== '') {
            this.end = new AbortController()
            if (this.stopping) this.end.abort()
            return this.others.run(this.client, config, problem, this.end.signal)
          }
          const result = this.client.run(config, tell)
          // asked to stop while the problem was being read: there was no run yet to be stopped
          if (this.stopping) this.client.cancel()
          return result
        },
        () => mine === this.turn,
      )
      if (over) this.times.set({ race, started, ended: performance.now() })
    } catch (error) {
      if (mine === this.turn) this.lost(error)
    }
  }

  cancel(): void {
    this.stopping = true
    this.end.abort()
    if (this.run.get().kind === 'running' && this.foreign === '') this.client.cancel()
  }

  /** Shows a step as soon as the worker has it; at the end of a search that took all back, the deepest it came to. */
  show(step: number): void {
    const state = this.run.get()
    if (state.kind !== 'ended' && state.kind !== 'cancelled') return
    this.cursor.set(step)
    if (state.result.note !== undefined) return
    this.seeker.request(deepestAtEnd(state.result, step) ?? step)
  }

  /** Other settings: the run that was shown is not theirs. */
  set(config: RunConfig): void {
    this.turn += 1
    this.cancel()
    this.reset()
    this.config.set(config)
    this.run.set({ kind: 'idle' })
  }

  dispose(): void {
    this.turn += 1
    this.end.abort()
    this.seeker.forget()
    this.client.dispose()
  }

  private reset(): void {
    this.seeker.forget()
    this.times.set(null)
    this.frame.set(null)
    this.cursor.set(0)
  }

  /** Its worker has the problem. One that is replaced is given it again by the client. */
  ready(): Promise<Problem> {
    this.opened ??= this.open().catch((error: unknown) => {
      this.opened = null
      throw error
    })
    return this.opened
  }

  private async open(): Promise<Problem> {
    const answer = await openProblem(this.client, this.problem)
    if (answer.ok) return answer.problem
    const [first] = answer.errors
    throw new Error(`The problem was refused: ${first?.field} ${first?.message}.`)
  }

  private lost(error: unknown): void {
    const state = this.run.get()
    if (state.kind === 'idle') return
    this.turn += 1
    this.run.set(failedRun(this, state.config, error))
  }
}

/** The step that stands for an end at which nothing is placed; null where there is something to see. */
export function deepestAtEnd({ stats, best }: RunResult, step: number): number | null {
  const bare = step === stats.steps && stats.depth === 0 && best === null && stats.maxDepthStep > 0
  return bare ? stats.maxDepthStep : null
}

export class Race {
  readonly lanes = new Cell<readonly Lane[]>([])
  /** of the playhead, in steps of the longest run */
  readonly position = new Cell(0)
  readonly by = new Cell<LockBy>('steps')
  readonly playing = new Cell(false)
  /** of the playback, in steps of the longest run per second */
  readonly speed = new Cell(10)
  /** counts runs and settings that changed in any lane */
  readonly changes = new Cell(0)
  /** counts the steps that any lane came to show */
  readonly frames = new Cell(0)
  private readonly ticker: Ticker
  private readonly exits = new Map<Lane, () => void>()
  private atEnd = true
  private paced = false
  private made = 0
  private races = 0

  constructor(
    private readonly problem: GivenProblem,
    clock: Clock,
    private readonly make: () => Client = createClient,
    private readonly others: Others | null = null,
  ) {
    this.ticker = new Ticker(
      clock,
      () => this.speed.get(),
      (steps) => this.advance(steps),
    )
  }

  get length(): number {
    return lengthOf(this.lanes.get().map((lane) => lane.steps))
  }

  get running(): boolean {
    return this.lanes.get().some((lane) => lane.run.get().kind === 'running')
  }

  /** A lane more, behind `after` or at the end; null if there are as many as there may be. */
  add(config: RunConfig, after?: Lane): Lane | null {
    const lanes = this.lanes.get()
    if (lanes.length >= MOST_LANES) return null
    this.made += 1
    const lane = new Lane(this.made, config, this.problem, this.make, this.others)
    const moved = () => this.frames.update((n) => n + 1)
    const leave = [
      lane.run.subscribe(() => this.changed(lane)),
      ...[lane.config, lane.times].map((cell) => cell.subscribe(() => this.changes.update((n) => n + 1))),
      lane.cursor.subscribe(moved),
      lane.frame.subscribe(moved),
    ]
    this.exits.set(lane, () => {
      for (const exit of leave) exit()
    })
    const at = after === undefined ? lanes.length : lanes.indexOf(after) + 1
    this.lanes.set([...lanes.slice(0, at), lane, ...lanes.slice(at)])
    return lane
  }

  remove(lane: Lane): void {
    this.exits.get(lane)?.()
    this.exits.delete(lane)
    lane.dispose()
    this.lanes.update((lanes) => lanes.filter((other) => other !== lane))
    this.settle()
  }

  /**
   * All from the start, at the moment when the last of their workers has the problem. Resolves when all have ended, or failed. show: the playhead
   * goes along with the longest, or stays before the first step.
   */
  async startAll(show: 'end' | 'start' = 'end'): Promise<void> {
    this.pause()
    this.races += 1
    this.atEnd = show === 'end'
    if (show === 'start') this.position.set(0)
    const lanes = this.lanes.get()
    const gate = Promise.allSettled(lanes.map((lane) => lane.ready()))
    await Promise.all(lanes.map((lane) => lane.start(this.races, gate)))
  }

  /** One by itself: its end is compared with no other's. */
  start(lane: Lane): void {
    this.races += 1
    void lane.start(this.races)
  }

  cancel(): void {
    for (const lane of this.lanes.get()) lane.cancel()
  }

  // ---- playback

  seek(position: number): void {
    this.pause()
    this.show(position)
  }

  stride(count: number): void {
    this.seek(this.position.get() + count * strideOf(this.length, this.by.get()))
  }

  toEnd(): void {
    this.seek(this.length)
  }

  /** What dragging on the search of one of them means. */
  scrub(lane: Lane, step: number): void {
    this.seek(positionOf(step, this.length, lane.steps, this.by.get()))
  }

  lockBy(by: LockBy): void {
    this.by.set(by)
    this.show(this.position.get())
  }

  toggle(): void {
    if (this.playing.get()) this.pause()
    else this.play()
  }

  play(): void {
    if (this.length === 0 || this.running) return
    if (this.position.get() >= this.length) this.show(0)
    this.playing.set(true)
    this.ticker.start()
  }

  pause(): void {
    this.playing.set(false)
    this.ticker.stop()
  }

  setSpeed(value: number): void {
    this.paced = true
    this.speed.set(value)
  }

  dispose(): void {
    this.pause()
    for (const leave of this.exits.values()) leave()
    this.exits.clear()
    for (const lane of this.lanes.get()) lane.dispose()
    this.lanes.set([])
  }

  private show(position: number): void {
    const { length } = this
    const to = Math.min(length, Math.max(0, position))
    this.position.set(to)
    this.atEnd = to >= length
    for (const lane of this.lanes.get()) lane.show(stepUnder(to, length, lane.steps, this.by.get()))
  }

  private advance(steps: number): boolean {
    if (steps > 0) this.show(this.position.get() + steps)
    if (!this.atEnd) return true
    this.pause()
    return false
  }

  private changed(lane: Lane): void {
    this.changes.update((n) => n + 1)
    const { kind } = lane.run.get()
    if (kind === 'running') this.pause()
    else if (kind !== 'idle') this.settle()
  }

  /** A run has come or gone: the playhead stays where it was, or at the end. */
  private settle(): void {
    const { length } = this
    if (!this.paced) this.speed.set(paceFor(length))
    this.show(this.atEnd ? length : this.position.get())
  }
}
