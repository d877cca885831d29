import type { Core } from './core'
import type { Request } from './protocol'
import { ClientError, type RunConfig } from './types'

/** The one that the lean module has. */
export const LEAN_SOLVER = 'minimalloc'
const LOST = 'The solvers could not be fetched. Check the connection and try again; nothing is lost.'
const MANY_STEPS = 2 ** 31

/**
 * A visit that began with the lean module: what that may be asked, and how the whole module takes its place. It opens one problem and runs
 * it once, so that the whole one can do it again in no time; all else waits.
 */
export class LeanVisit {
  #csv: string | null = null
  #config: RunConfig | null = null
  #coming: Promise<Core> | null = null
  readonly #whole: () => Promise<Core>

  constructor(whole: () => Promise<Core>) {
    this.#whole = whole
  }

  takes(request: Request): boolean {
    switch (request.type) {
      case 'lean':
      case 'manifest':
      case 'seek':
      case 'find':
      case 'digest':
      case 'cancel':
        return true
      case 'open':
        return this.#csv === null && request.profile === null && typeof request.csv === 'string'
      case 'run':
        return this.#config === null && request.config.solver === LEAN_SOLVER
      default:
        return false
    }
  }

  /** The lean module has done it. */
  did(request: Request): void {
    if (request.type === 'open' && typeof request.csv === 'string') this.#csv = request.csv
    if (request.type === 'run') this.#config = request.config
  }

  /** The whole module, which is fetched once, or again if that failed. Rejects with a ClientError. */
  fetch(): Promise<Core> {
    this.#coming ??= this.#whole().catch((error: unknown) => {
      this.#coming = null
      if (error instanceof ClientError && error.reason === 'memory') throw error
      throw new ClientError(LOST, 'protocol', { cause: error })
    })
    return this.#coming
  }

  /** Brings the whole module to where the lean one is. running: its run goes on afterwards. */
  repeat(lean: Core, whole: Core, running: boolean): void {
    if (this.#csv === null || !whole.open(this.#csv).ok || this.#config === null) return
    whole.start(this.#config)
    const { steps, outcome } = lean.stats()
    whole.step(steps)
    if (outcome === 'cancelled') whole.cancel()
    else if (!running) while (whole.step(MANY_STEPS) === 'running');
  }
}
