/** What the actions of every feature share: the session, the canvas, the seismograph, and how a failure is told. */
import type { MemoryViewApi, SeismographApi } from '../layout/scene'
import * as a from '../state/atoms'
import type { Session } from './session'

/** What takes longer says so; a notice moves all that lies under it, which would be worse than a short wait. */
const SLOW_MS = 500

export class ActionContext {
  /** the canvas, once it is mounted */
  view: MemoryViewApi | null = null
  seismograph: SeismographApi | null = null

  constructor(readonly session: Session) {}

  get player() {
    return this.session.player
  }

  /** null if the worker gave up; the page then says so. */
  async attempt<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work()
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error)
      a.notice.set({ tone: 'why', title: 'That did not work.', text })
      return null
    }
  }

  /** An attempt at a file: whoever has to wait for it is told so. */
  async making(work: () => Promise<void>): Promise<void> {
    const said: a.Notice = { tone: 'plain', title: 'The file is being made…', text: '' }
    const slow = setTimeout(() => a.notice.get() === null && a.notice.set(said), SLOW_MS)
    await this.attempt(work)
    clearTimeout(slow)
    if (a.notice.get() === said) a.notice.set(null)
  }
}
