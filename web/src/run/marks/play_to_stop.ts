/**
 * Playing within a range and up to the first step that meets a stop. The worker looks ahead in pieces while the page plays on behind it;
 * where it has not looked yet, playing waits.
 */
import type { Condition } from '../../../../wasm/client/types'
import { Cell } from '../../base/cell'
import { thousands } from '../../base/format'
import * as a from '../../state/atoms'
import { steps } from '../../state/workbench'
import * as m from '../../state/marks/marks'
import { conditionOf, stopText } from '../../state/marks/stop_words'
import { setRange } from './marking'
import type { PlayLimits } from '../search/player'
import type { Session } from '../session'
import { workbench } from '../../state/workbench_cells'

/** Steps of one look ahead: less than a second of any solver, and enough for a while of play. */
const PIECE = 50_000
/** Steps that a jump to the next stop looks at before it asks whether to go on. */
export const JUMP_BUDGET = 20_000_000

interface Active {
  stop: m.Stop
  condition: Condition
}

/** The stops that are on and that this problem has a meaning for. */
function active(): Active[] {
  const problem = workbench.opened.get()?.problem
  const manifest = a.manifest.get()
  if (problem === undefined || manifest === null) return []
  return workbench.stops.get().flatMap((stop) => {
    const condition = stop.on ? conditionOf(stop, problem, manifest) : null
    return condition === null || 'why' in condition ? [] : [{ stop, condition }]
  })
}

/** In words, which of the stops a step meets. */
async function reasons(session: Session, list: Active[], step: number): Promise<string> {
  const met: string[] = []
  for (const { stop, condition } of list) {
    const found = await session.client.scan(step - 1, true, [condition], 1)
    if (found?.step === step) met.push(stopText(stop, a.manifest.get()))
  }
  return met.length === 0 ? '' : `Stopped: ${met.join(', and ')}.`
}

function say(error: unknown): void {
  const text = error instanceof Error ? error.message : String(error)
  a.notice.set({ tone: 'why', title: 'That did not work.', text })
}

/** How far the steps ahead are known. */
class Ahead {
  /** up to here no stop is met, but for `hit` */
  clear: number
  hit = 0

  private gone = false

  constructor(
    private readonly session: Session,
    readonly list: Active[],
    from: number,
  ) {
    this.clear = list.length === 0 ? Number.POSITIVE_INFINITY : from
    if (list.length > 0) void this.look()
  }

  leave(): void {
    this.gone = true
  }

  private async look(): Promise<void> {
    const conditions = this.list.map(({ condition }) => condition)
    try {
      while (!this.gone && this.hit === 0 && this.clear < steps.get()) {
        const found = await this.session.client.scan(this.clear, true, conditions, PIECE)
        if (this.gone || found === null) return
        this.clear = found.over ? steps.get() : found.stopped
        this.hit = found.step
      }
    } catch (error) {
      if (this.gone) return
      this.session.player.pause()
      say(error)
    }
  }
}

class Watched implements PlayLimits {
  private ahead: Ahead | null = null

  constructor(private readonly session: Session) {
    // what is asked has changed: look again from where we are
    workbench.stops.subscribe(() => {
      if (a.playing.get()) this.from(workbench.cursor.get())
    })
    a.playing.subscribe(() => {
      if (!a.playing.get()) this.leave()
    })
  }

  begin(at: number): number {
    const range = m.shownRange.get()
    const start = range === null ? at >= steps.get() : at < range.from || at >= range.to
    const from = start ? (range?.from ?? 0) : at
    m.stopped.set('')
    this.from(from)
    return from
  }

  next(at: number, to: number): { step: number; done: boolean } {
    const range = m.shownRange.get()
    const end = Math.min(range !== null && at < range.to ? range.to : steps.get(), steps.get())
    if (range !== null && at === range.to) {
      if (!m.looping.get()) return { step: at, done: true }
      this.from(range.from)
      return { step: range.from, done: false }
    }
    const { clear, hit, list } = this.ahead ?? this.from(at)
    const far = Math.max(at, Math.min(to, end, clear))
    if (hit > at && hit <= Math.min(to, end)) {
      void this.tell(list, hit)
      return { step: hit, done: true }
    }
    // a loop goes round with the next frame, so that its last step is seen
    const round = range !== null && far === range.to
    return { step: far, done: round ? !m.looping.get() : far >= steps.get() }
  }

  private from(at: number): Ahead {
    this.leave()
    this.ahead = new Ahead(this.session, active(), at)
    return this.ahead
  }

  private leave(): void {
    this.ahead?.leave()
    this.ahead = null
  }

  private async tell(list: Active[], step: number): Promise<void> {
    const text = await reasons(this.session, list, step).catch(() => '')
    if (workbench.cursor.get() === step) m.stopped.set(text)
  }
}

/** From now on playing keeps to ranges and stops. */
export function watch(session: Session): void {
  if (session.player.limits !== null) return
  session.player.limits = new Watched(session)
  workbench.cursor.subscribe(() => {
    m.stopped.set('')
    moreToSearch.set(null)
  })
}

let jumping = 0
/** where a look for a stop ended with its budget, and can go on */
export const moreToSearch = new Cell<{ step: number; forward: boolean } | null>(null)

/** To the next (or the last) step that meets a stop. What was found, or that there is nothing, is said in `stopped`. */
export async function jumpToStop(session: Session, forward: boolean, from = workbench.cursor.get()): Promise<void> {
  const list = active()
  if (list.length === 0) {
    m.stopped.set('There is no stop to go to: add one, or switch one on.')
    return
  }
  const kind = workbench.run.get().kind
  if (kind !== 'ended' && kind !== 'cancelled') return
  session.player.pause()
  jumping += 1
  const mine = jumping
  const shown = workbench.cursor.get()
  const current = () => mine === jumping && workbench.cursor.get() === shown
  m.stopped.set('')
  moreToSearch.set(null)
  a.looking.set(true)
  try {
    const conditions = list.map(({ condition }) => condition)
    const found = await session.client.scan(from, forward, conditions, JUMP_BUDGET)
    if (!current()) return
    if (found !== null && found.step > 0) {
      session.player.seek(found.step)
      const text = await reasons(session, list, found.step)
      if (workbench.cursor.get() === found.step) m.stopped.set(text)
    } else if (found?.over)
      m.stopped.set(forward ? 'No step after this one meets a stop.' : 'No step before this one meets a stop.')
    else if (found !== null) {
      m.stopped.set(`No stop ${forward ? 'up' : 'back'} to step ${thousands(found.stopped)}.`)
      moreToSearch.set({ step: found.stopped, forward })
    }
  } catch (error) {
    // of a search that another has replaced meanwhile nothing is to be said
    if (current()) say(error)
  } finally {
    if (mine === jumping) a.looking.set(false)
  }
}

/** Gives up looking for a stop: a look that is over at once takes the place of the one under way. */
export function stopLooking(session: Session): void {
  jumping += 1
  session.player.pause()
  session.client.scan(0, true, [], 1).catch(() => {})
}

/** Plays the marked range from its start. */
export function playRange(session: Session): void {
  const range = m.shownRange.get()
  if (range === null) return
  session.player.seek(range.from)
  session.player.play()
}

/** Between a mark and the end of the range that lies farther from it, or the next mark where there is no range yet. */
export function rangeFrom(step: number): void {
  const range = m.shownRange.get()
  setRange(step, range !== null && range.to > step ? range.to : steps.get())
}

export function rangeTo(step: number): void {
  const range = m.shownRange.get()
  setRange(range !== null && range.from < step ? range.from : 0, step)
}
