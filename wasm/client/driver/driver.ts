import type { Clock, Core, Explaining } from '../core'
import { Pace } from './pace'
import { type ErrorReason, PROTOCOL, type Reply, type Request, transferables } from '../protocol'
import { ClientError, type Explanation, type OpenResult, LONG_TEXT, type ProfileSpec, type Text } from '../types'
import { Questions } from './questions'
import type { WarmUp } from './warm'
import { HOME, type Modules, Visit, WHOLE } from '../visit'

const PROGRESS_MS = 100
/** Up to here a frame of the state reached costs less than a slice, and progress carries one. */
const FRAME_BUFFERS = 20_000

export interface Port {
  post(reply: Reply, transfer: ArrayBuffer[]): void
}

/** A blob that is read. */
interface Opening {
  id: number
  request: Request & { type: 'open' }
  profile: ProfileSpec | null
  /** what reads it, and then takes the present one's place; null: the present one does */
  whole: Core | null
  /** null while it is still fetched */
  text: Uint8Array | null
  more: boolean
  lastProgress: number
}
const LEFT: OpenResult = { ok: false, errors: [], total: 0 }

interface Job {
  id: number
  lastProgress: number
  /** of the best plan that the page has */
  height: number
}
interface Explain {
  id: number
  lastProgress: number
  steps: number
}
/**
 * The worker's side of the protocol over any port. Requests are read as they come; what takes long (the run, an explanation, a find, a scan) goes on in slices,
 * and a seek waits until the messages behind it were read, so that only the newest of a burst is done.
 */
export class Driver {
  readonly #port: Port
  readonly #clock: Clock
  readonly #defer: (task: () => void) => void
  #core: Core | null = null
  readonly #visit: Visit
  readonly #questions: Questions
  /** makes explanations where the solvers at hand cannot; it has the same problem */
  #explainer: Core | null = null
  /** chooses what lives in fast memory, likewise */
  #selector: Core | null = null
  #waiting: Request[] | null = []
  #broken = false
  #scheduled = false
  #opening: Opening | null = null
  #job: Job | null = null
  #explain: Explain | null = null
  #openPace = new Pace()
  #runPace = new Pace()
  #explainPace = new Pace()

  /** defer: runs a task after the messages that have come in were delivered. lean: it begins with the lean module. */
  constructor(port: Port, modules: Modules, clock: Clock, defer: (task: () => void) => void, lean = false) {
    this.#port = port
    this.#visit = new Visit(modules, lean)
    this.#clock = clock
    this.#defer = defer
    this.#questions = new Questions(
      (reply) => this.#post(reply),
      (id, action) => this.#guard(id, action),
      clock,
    )
    this.#visit.first().then(
      (made) => this.#ready(made),
      (error: unknown) => this.#break(error),
    )
  }

  handle(request: Request): void {
    if (this.#broken) return
    const id = 'id' in request ? request.id : null
    if (request.type === 'ping') this.#post({ type: 'pong', id: request.id })
    else if (request.type === 'leave') this.#leave(request.open)
    else if (request.type === 'prefetch') this.#visit.prefetch(request.solver)
    else if (this.#waiting) this.#waiting.push(request)
    else if (request.type === 'complete') this.#complete(request.id)
    else if (!this.#visit.takes(request)) this.#wait(request, () => this.#grow())
    else if (request.type === 'run' && !this.#has(request.config.solver)) this.#elsewhere(request)
    else if (request.type === 'explain' && !this.#visit.explains && !this.#explainer)
      this.#wait(request, () => this.#fetchExplainer())
    else if (request.type === 'select' && !this.#visit.whole && !this.#selector)
      this.#wait(request, () => this.#fetchSelector())
    else if (request.type === 'open' && typeof request.csv !== 'string') this.#read(request, request.csv)
    else this.#guard(id, (core) => this.#take(core, request))
  }

  /** Whether a full module is there and nothing is to do. */
  get idle(): boolean {
    return !this.#waiting && !this.#visit.lean && !this.#isAtWork && !this.#broken
  }

  #has(solver: string): boolean {
    return this.#visit.moduleOf(solver) === this.#visit.moduleNow
  }

  #ready(core: Core): void {
    this.#core = core
    this.#post({ type: 'ready', protocol: PROTOCOL })
    this.#goOn(this.#waiting ?? [])
  }

  #goOn(waiting: Request[]): void {
    this.#waiting = null
    for (const request of waiting) this.handle(request)
  }

  /** Holds back all requests from this one on until a module is there. If it is not to be had, this one fails alone. */
  #wait(request: Request, fetched: () => Promise<void>): void {
    this.#waiting = [request]
    fetched().then(
      () => this.#goOn(this.#waiting ?? []),
      (error: unknown) => {
        if ('id' in request) this.#fail(request.id, error)
        this.#goOn(this.#waiting?.filter((other) => other !== request) ?? [])
      },
    )
  }

  /** A run whose solver is in another module: it begins there with the same problem. If it is refused, nothing has changed. */
  #elsewhere(request: Request & { type: 'run' }): void {
    const { id, config } = request
    const module = this.#visit.moduleOf(config.solver)
    this.#waiting = []
    this.#visit
      .bring(module)
      .then((core) => {
        this.#guard(id, () => this.#startIn(core, request))
        if (this.#job?.id === id) this.#visit.moved(module)
      })
      .catch((error: unknown) => this.#fail(id, error))
      .finally(() => this.#goOn(this.#waiting ?? []))
  }

  async #fetchExplainer(): Promise<void> {
    this.#explainer = await this.#visit.bring(HOME)
  }

  async #fetchSelector(): Promise<void> {
    this.#selector = await this.#visit.bring(WHOLE)
  }

  /** Holds back all requests from this one on until its text has been read, which it is in slices. */
  #read(request: Request & { type: 'open' }, blob: Blob): void {
    const { id, profile } = request
    this.#waiting = []
    const lastProgress = this.#clock.now()
    const opening: Opening = { id, request, profile, whole: null, text: null, more: true, lastProgress }
    this.#opening = opening
    Promise.all([blob.arrayBuffer(), this.#visit.wholeFor(blob.size)]).then(
      ([bytes, whole]) => {
        if (this.#opening === opening) this.#startReading({ ...opening, whole, text: new Uint8Array(bytes) })
      },
      (error: unknown) => {
        if (this.#opening !== opening) return
        this.#fail(id, new ClientError(messageOf(error), 'argument'))
        this.#endOpening()
      },
    )
  }

  #startReading(opening: Opening & { text: Uint8Array }): void {
    this.#opening = null
    this.#guard(opening.id, (core) => {
      const reader = opening.whole ?? core
      reader.startReading(opening.text, opening.profile)
      this.#openPace = new Pace()
      this.#opening = opening
    })
    if (this.#opening) this.#schedule()
    else this.#endOpening()
  }

  #openSlice(core: Core, opening: Opening, text: Uint8Array): void {
    const reader = opening.whole ?? core
    this.#opening = null
    if (!opening.more) {
      const result = this.#open(core, opening.request, () => reader.endReading(text))
      if (result.ok && opening.whole) {
        this.#core = opening.whole
        this.#visit.moved(WHOLE)
      }
      this.#post({ type: 'opened', id: opening.id, result })
      return
    }
    const start = this.#clock.now()
    const { rows, bytes, more } = reader.read(this.#openPace.steps)
    const now = this.#clock.now()
    this.#openPace.learn(now - start)
    this.#opening = { ...opening, more }
    if (more && now - opening.lastProgress < PROGRESS_MS) return
    this.#opening.lastProgress = now
    const of = more ? Math.round((rows * text.length) / bytes) : rows
    this.#post({ type: 'opening', id: opening.id, progress: { rows, of } })
  }

  #endOpening(): void {
    this.#opening = null
    this.#goOn(this.#waiting ?? [])
  }

  /** A blob that is still to be read is not, one that is being read is left where it is. */
  #leave(id: number): void {
    const opening = this.#opening
    if (opening?.id === id) {
      this.#opening = null
      if (opening.text) this.#guard(null, (core) => (opening.whole ?? core).cancelReading())
      this.#post({ type: 'opened', id, result: LEFT })
      this.#endOpening()
      return
    }
    const at = this.#waiting?.findIndex((request) => request.type === 'open' && request.id === id) ?? -1
    if (at < 0) return
    this.#waiting?.splice(at, 1)
    this.#post({ type: 'opened', id, result: LEFT })
  }

  #complete(id: number): void {
    this.#grow().then(
      () => this.#post({ type: 'complete', id }),
      (error: unknown) => this.#fail(id, error),
    )
  }

  /** A full module in place of the lean one, with the same problem, and the same run as far as it has come. */
  async #grow(): Promise<void> {
    if (!this.#visit.lean) return
    const home = await this.#visit.bring(HOME)
    if (!this.#visit.lean || !this.#core) return
    this.#visit.repeat(this.#core, home, this.#job !== null)
    this.#core = home
    this.#visit.moved(HOME)
  }

  #post(reply: Reply): void {
    this.#port.post(reply, transferables(reply))
  }

  /** Does something with the core. A ClientError answers the request; anything else came out of the module, which is lost then. */
  #guard(id: number | null, action: (core: Core) => void): void {
    if (!this.#core || this.#broken) return
    try {
      action(this.#core)
    } catch (error) {
      if (error instanceof ClientError && id !== null) this.#fail(id, error)
      else this.#break(error)
    }
  }

  #fail(id: number, error: unknown): void {
    const message = messageOf(error)
    this.#post({ type: 'error', id, reason: reasonOf(error, message), message })
  }

  #break(error: unknown): void {
    this.#broken = true
    const message = messageOf(error)
    this.#post({ type: 'broken', reason: reasonOf(error, message), message })
  }

  #take(core: Core, request: Request): void {
    switch (request.type) {
      case 'manifest':
        this.#post({ type: 'manifest', id: request.id, manifest: core.manifest })
        break
      case 'open': {
        const { csv } = request
        if (csv instanceof Blob) break
        const result = this.#open(core, request, () => core.open(csv, request.profile))
        this.#post({ type: 'opened', id: request.id, result })
        break
      }
      case 'openGraph': {
        const result = this.#open(core, request, () => core.openGraph(request.graph, request.options, request.profile))
        this.#post({ type: 'graph', id: request.id, result })
        break
      }
      case 'reopen': {
        const result = this.#open(core, request, () => core.reopenWith(request.options, request.profile))
        this.#post({ type: 'reopened', id: request.id, result })
        break
      }
      case 'program': {
        const { id, capacity, model, most } = request
        this.#post({ type: 'program', id, text: core.program(capacity, model, most) })
        break
      }
      case 'packing': {
        const { id, capacity, most } = request
        this.#post({ type: 'program', id, text: core.packing(capacity, most) })
        break
      }
      case 'tile': {
        const csv = core.tile(request.capacity, request.options)
        this.#post({ type: 'tiled', id: request.id, csv: handed(csv) })
        break
      }
      case 'select': {
        const selection = (this.#selector ?? core).select(request.config)
        this.#post({ type: 'selected', id: request.id, selection })
        break
      }
      case 'generate': {
        const { csv, capacity } = core.generate(request.kind, request.n, request.seed)
        this.#post({ type: 'generated', id: request.id, csv: handed(csv), capacity })
        break
      }
      case 'explain':
        this.#cancelExplain()
        this.#explaining(core).startExplaining(request)
        this.#explain = { id: request.id, lastProgress: this.#clock.now(), steps: 0 }
        this.#explainPace = new Pace()
        this.#schedule()
        break
      case 'run':
        this.#startIn(core, request)
        break
      case 'resume':
        this.#cancel(core)
        core.resume(request.budget)
        this.#drive(request.id)
        break
      case 'cancel':
        this.#cancel(core)
        this.#questions.dropScan()
        break
      case 'seek':
      case 'find':
      case 'scan':
      case 'path':
        this.#questions.ask(request)
        this.#schedule()
        break
      case 'digest':
        this.#post({ type: 'digest', id: request.id, digest: core.digestAt(request.step) })
        break
      case 'export':
        this.#post({ type: 'exported', id: request.id, csv: handed(core.exportCsv(request.offsets)) })
        break
    }
  }

  /** The core of the visit, or another one that takes its place. */
  #startIn(core: Core, { id, config }: Request & { type: 'run' }): void {
    if (this.#core) this.#cancel(this.#core)
    core.start(config)
    this.#core = core
    this.#visit.started(config)
    this.#questions.drop()
    this.#drive(id)
  }

  /** A problem that is not well changes nothing, not even a run under way. */
  #open<R extends { ok: boolean }>(
    core: Core,
    request: Request & { type: 'open' | 'openGraph' | 'reopen' },
    open: () => R,
  ): R {
    const job = this.#job
    const before = job && core.result()
    const result = open()
    if (result.ok) {
      this.#questions.drop()
      this.#dropExplain()
      this.#job = null
      this.#explainer = null
      this.#selector = null
      if (request.type === 'reopen') this.#visit.reopened(request)
      else this.#visit.opened(request)
    }
    if (result.ok && job && before) {
      before.stats.outcome = 'cancelled'
      this.#post({ type: 'ended', id: job.id, result: before })
    }
    return result
  }

  #cancel(core: Core): void {
    if (this.#job) {
      core.cancel()
      this.#end(core, this.#job)
    }
    this.#cancelExplain()
  }

  #explaining(core: Core): Core {
    return this.#explainer ?? core
  }

  #cancelExplain(): void {
    const explain = this.#explain
    if (!explain) return
    this.#explain = null
    // under its own id, for the request that ends it may be another
    this.#guard(explain.id, (core) => this.#explained(explain, this.#explaining(core).cancelExplaining()))
  }

  /** With its problem the core has thrown away the explanation. */
  #dropExplain(): void {
    const explain = this.#explain
    if (!explain) return
    this.#explain = null
    const explanation: Explanation = {
      outcome: 'cancelled',
      buffers: [],
      tried: 0,
      irreducible: false,
      section: -1,
      steps: explain.steps,
    }
    this.#post({ type: 'explained', id: explain.id, explanation })
  }

  #end(core: Core, job: Job): void {
    this.#job = null
    // under the run's own id, for the request that ends it may be another
    this.#guard(job.id, () => this.#post({ type: 'ended', id: job.id, result: core.result() }))
  }

  #drive(id: number): void {
    this.#job = { id, lastProgress: this.#clock.now(), height: -1 }
    this.#runPace = new Pace()
    this.#schedule()
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    this.#defer(() => this.#work())
  }

  #work(): void {
    this.#scheduled = false
    const opening = this.#opening
    if (opening?.text) {
      const { text } = opening
      this.#guard(opening.id, (core) => this.#openSlice(core, opening, text))
      if (!this.#opening) this.#endOpening()
    }
    this.#questions.work()
    const job = this.#job
    if (job) this.#guard(job.id, (core) => this.#runSlice(core, job))
    const explain = this.#explain
    if (explain) this.#guard(explain.id, (core) => this.#explainSlice(core, explain))
    if (!this.#broken && this.#isAtWork) this.#schedule()
  }

  get #isAtWork(): boolean {
    return !!(this.#opening?.text || this.#questions.open || this.#job || this.#explain)
  }

  #runSlice(core: Core, job: Job): void {
    this.#job = null
    const start = this.#clock.now()
    const outcome = core.step(this.#runPace.steps)
    const now = this.#clock.now()
    this.#runPace.learn(now - start)
    if (outcome !== 'running') {
      this.#end(core, job)
      return
    }
    this.#job = job
    if (now - job.lastProgress < PROGRESS_MS) return
    job.lastProgress = now
    const stats = core.stats()
    const incumbent = stats.height !== job.height ? core.best() : null
    job.height = stats.height
    const frame = core.bufferCount <= FRAME_BUFFERS ? this.#questions.sent(core.now()) : null
    this.#post({ type: 'progress', id: job.id, progress: { stats, overview: core.overview(), frame, incumbent } })
  }

  #explainSlice(core: Core, explain: Explain): void {
    this.#explain = null
    const start = this.#clock.now()
    const state = this.#explaining(core).explain(this.#explainPace.steps)
    const now = this.#clock.now()
    this.#explainPace.learn(now - start)
    this.#explained(explain, state)
    if (state.ended) return
    this.#explain = { ...explain, steps: state.steps }
    if (now - explain.lastProgress < PROGRESS_MS) return
    this.#explain.lastProgress = now
    const { steps, count, tried } = state
    this.#post({ type: 'explaining', id: explain.id, progress: { steps, count, tried } })
  }

  #explained({ id }: Explain, { ended }: Explaining): void {
    if (ended) this.#post({ type: 'explained', id, explanation: ended })
  }
}

/** As it is handed over. */
function handed(text: string): Text {
  return text.length > LONG_TEXT ? new Blob([text]) : text
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The engine has its own limits beside the module's: a copy that it finds no room for is a matter of memory, not a trap. */
function reasonOf(error: unknown, message: string): ErrorReason {
  if (error instanceof ClientError) return error.reason
  return error instanceof RangeError && /allocation|array length/i.test(message) ? 'memory' : 'trap'
}

/** What a worker does with its messages, the first of which says which module it begins with. warmUp: comes when it may, or not at all. */
export function receiver(
  port: Port,
  modules: Modules,
  clock: Clock,
  defer: (task: () => void) => void,
  warmUp?: Promise<WarmUp | null>,
): (request: Request) => void {
  let driver: Driver | null = null
  const idle = () => driver?.idle ?? false
  return (request) => {
    driver ??= new Driver(port, modules, clock, defer, request.type === 'lean')
    driver.handle(request)
    void warmUp?.then((made) => made?.wait(idle))
  }
}

/** Tasks through a channel: browsers hold timers back and channels not, and let the worker's own messages pass in between. */
export function channelDefer(): (task: () => void) => void {
  const { port1, port2 } = new MessageChannel()
  const tasks: (() => void)[] = []
  port1.onmessage = () => tasks.shift()?.()
  return (task) => {
    tasks.push(task)
    port2.postMessage(null)
  }
}
