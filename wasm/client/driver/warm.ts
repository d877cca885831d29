import type { Clock, Core } from '../core'

/** After the last message. */
const QUIET_MS = 500
const SLICE_MS = 4
/** Between slices, for whoever else wants the processor. */
const PAUSE_MS = 16
/** What engines take to find out which functions are hot: with half of it some are left, more changes nothing. */
const ENOUGH_MS = 28
const BUFFERS = 60
const STEPS = 256
/** After each message: what is not there in ten seconds comes late or never. */
const TRIES = 20

type Later = (task: () => void, milliseconds: number) => unknown

/**
 * An engine runs new code slowly and compiles well, on threads of its own, what has run for a while: the first search of a visit took two to five times
 * as long as a later one. So a worker that has been left alone for a while solves small problems, once, in an instance of its own whose code is that of
 * the one in use. Nothing of it is seen: not a message, not a step.
 */
export class WarmUp {
  readonly #spare: () => Promise<Core | null>
  readonly #clock: Clock
  readonly #later: Later
  #core: Core | null = null
  #asked = 0
  #armed = false
  #left = ENOUGH_MS
  #tries = 0
  #seed = 0
  #running = false

  /** spare: a core that nobody else has; null: not yet. */
  constructor(spare: () => Promise<Core | null>, clock: Clock, later: Later = (task, ms) => setTimeout(task, ms)) {
    this.#spare = spare
    this.#clock = clock
    this.#later = later
  }

  /** A message has come: begins, or goes on, when none has for a while and there is nothing to do. */
  wait(idle: () => boolean): void {
    this.#asked = this.#clock.now()
    this.#tries = TRIES
    if (!this.#armed && this.#left > 0) this.#arm(idle, QUIET_MS)
  }

  /** The one chain of timers, which holds until the end of what a timer began. */
  #arm(idle: () => boolean, milliseconds: number): void {
    this.#armed = true
    this.#later(() => {
      const still = this.#asked + QUIET_MS - this.#clock.now()
      if (still > 0) this.#arm(idle, still)
      else if (idle()) void this.#go(idle)
      else this.#arm(idle, QUIET_MS)
    }, milliseconds)
  }

  async #go(idle: () => boolean): Promise<void> {
    try {
      this.#core ??= await this.#spare()
      if (this.#core && idle()) this.#slice(this.#core)
    } catch {
      this.#left = 0 // no memory: it will do without
    }
    if (this.#left <= 0) this.#core = null
    this.#armed = false
    if (this.#left > 0 && (this.#core || --this.#tries > 0)) this.#arm(idle, this.#core ? PAUSE_MS : QUIET_MS)
  }

  #slice(core: Core): void {
    const start = this.#clock.now()
    do {
      if (!this.#running) this.#begin(core)
      this.#running = core.step(STEPS) === 'running'
    } while (this.#clock.now() < start + SLICE_MS)
    this.#left -= this.#clock.now() - start
  }

  /** Plans and least heights in turn; each search is looked at once, as the page does. */
  #begin(core: Core): void {
    if (this.#seed > 0) core.seek(core.stats().steps, STEPS, 0)
    const { csv, capacity } = core.generate('synthetic', BUFFERS, this.#seed)
    core.open(csv)
    const goal = this.#seed % 2 ? 'height' : 'fit'
    core.start({ solver: 'exact', goal, capacity, seed: this.#seed++, budget: 16 * STEPS, options: {} })
  }
}
