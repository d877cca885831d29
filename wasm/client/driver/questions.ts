import type { Clock, Core, Found } from '../core'
import { Pace } from './pace'
import type { Reply, Request, SentFrame } from '../protocol'
import type { Condition, FindKind, Frame, Problem, Sought, TreePath } from '../types'

interface Seek {
  id: number
  step: number
  before: number
  after: number
}
interface Find {
  id: number
  from: number
  forward: boolean
  conditions: readonly Condition[]
}
interface Scan extends Find {
  /** steps left, Infinity: no end */
  left: number
}

function conditionOf(kind: FindKind): Condition {
  if (kind === 'event') return {}
  return kind === 'major' ? { kinds: ['backtrack'], major: true } : { kinds: [kind] }
}

interface Look {
  id: number
  step: number
  levels: number
  most: number
  /** steps to look back over, still */
  limit: number
}

/**
 * What is asked about a run's steps: a frame, the next step of a kind, the path through the tree. A seek waits until the messages behind it were read, so that
 * only the newest of a burst is done; the others go on in slices.
 */
export class Questions {
  readonly #post: (reply: Reply) => void
  readonly #guard: (id: number, action: (core: Core) => void) => void
  readonly #clock: Clock
  /** of the last frame that was posted, if it had one */
  #situation: Problem | null = null
  #seek: Seek | null = null
  #find: Find | null = null
  #scan: Scan | null = null
  #look: Look | null = null
  #findPace = new Pace()
  #lookPace = new Pace()

  /** guard: does something with the core; what it throws answers the request of that id */
  constructor(post: (reply: Reply) => void, guard: (id: number, action: (core: Core) => void) => void, clock: Clock) {
    this.#post = post
    this.#guard = guard
    this.#clock = clock
  }

  get open(): boolean {
    return this.#seek !== null || this.#find !== null || this.#scan !== null || this.#look !== null
  }

  /** A newer question takes the place of one of its kind, which is answered with nothing. */
  ask(request: Request & { type: 'seek' | 'find' | 'scan' | 'path' }): void {
    switch (request.type) {
      case 'seek':
        this.#dropFind()
        this.#dropSeek()
        this.#seek = request
        break
      case 'find':
        this.#dropFind()
        this.dropScan()
        this.#find = { ...request, conditions: [conditionOf(request.kind)] }
        break
      case 'scan':
        this.dropScan()
        this.#scan = { ...request, left: request.budget > 0 ? request.budget : Number.POSITIVE_INFINITY }
        break
      case 'path':
        this.#dropLook()
        this.#look = request
        break
    }
  }

  /** The run is another now. */
  drop(): void {
    this.#dropSeek()
    this.#dropFind()
    this.dropScan()
    this.#dropLook()
  }

  #dropSeek(): void {
    if (this.#seek) this.#post({ type: 'frame', id: this.#seek.id, frame: null })
    this.#seek = null
  }

  #dropFind(): void {
    if (this.#find) this.#post({ type: 'found', id: this.#find.id, step: 0 })
    this.#find = null
  }

  dropScan(): void {
    if (this.#scan) this.#post({ type: 'sought', id: this.#scan.id, sought: null })
    this.#scan = null
  }

  #dropLook(): void {
    if (this.#look) this.#answerLook(this.#look, null)
    this.#look = null
  }

  #answerLook({ id }: Look, path: TreePath | null): void {
    this.#post({ type: 'path', id, path })
  }

  /** Goes on with what is open, a slice of each. */
  work(): void {
    const seek = this.#seek
    if (seek) this.#guard(seek.id, (core) => this.#answerSeek(core, seek))
    const find = this.#find
    if (find) this.#guard(find.id, (core) => this.#findSlice(core, find))
    const scan = this.#scan
    if (scan) this.#guard(scan.id, (core) => this.#scanSlice(core, scan))
    const look = this.#look
    if (look) this.#guard(look.id, (core) => this.#lookSlice(core, look))
  }

  #answerSeek(core: Core, seek: Seek): void {
    this.#seek = null
    this.#post({ type: 'frame', id: seek.id, frame: this.sent(core.seek(seek.step, seek.before, seek.after)) })
  }

  /** Leaves out a situation that the page has already. */
  sent(frame: Frame): SentFrame {
    const { situation: whole, ...rest } = frame
    if (whole === undefined) return rest
    const { problem, order, ...situation } = whole
    const known = problem === this.#situation ? null : { problem, order }
    this.#situation = problem
    return { ...rest, situation: { ...situation, known } }
  }

  #findSlice(core: Core, find: Find): void {
    this.#find = null
    const { step, next } = this.#findIn(core, find, this.#findPace.steps)
    if (next === null) this.#post({ type: 'found', id: find.id, step })
    else this.#find = { ...find, from: next }
  }

  #findIn(core: Core, { from, forward, conditions }: Find, limit: number): Found {
    const start = this.#clock.now()
    const found = core.find(from, forward, conditions, limit)
    this.#findPace.learn(this.#clock.now() - start)
    return found
  }

  #scanSlice(core: Core, scan: Scan): void {
    this.#scan = null
    const limit = Math.min(scan.left, this.#findPace.steps)
    const { step, next } = this.#findIn(core, scan, limit)
    const left = scan.left - limit
    if (step === 0 && next !== null && left > 0) {
      this.#scan = { ...scan, from: next, left }
      return
    }
    const stopped = next ?? (scan.forward ? core.stats().steps : 0)
    const sought: Sought = { step, stopped: step || stopped, over: step === 0 && next === null }
    this.#post({ type: 'sought', id: scan.id, sought })
  }

  #lookSlice(core: Core, look: Look): void {
    this.#look = null
    const start = this.#clock.now()
    const { steps } = this.#lookPace
    const path = core.path(look.step, look.levels, look.most, steps)
    this.#lookPace.learn(this.#clock.now() - start)
    if (path.whole || steps >= look.limit) this.#answerLook(look, path)
    else this.#look = { ...look, limit: look.limit - steps }
  }
}
