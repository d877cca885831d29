import type { Core } from './core'
import type { Request } from './protocol'
import { ClientError, type RunRequest, type Text } from './types'

/** What a first view needs: it reads one problem and runs one solver on it. */
export const LEAN = 'lean'
export const LEAN_SOLVER = 'minimalloc'
/** What a visit begins with otherwise: it has the solver that explanations are made with. */
export const HOME = 'exact'
const EXPLAINER = 'exact'
const LOST = 'The solvers could not be fetched. Check the connection and try again; nothing is lost.'
const MANY_STEPS = 2 ** 31
/** It has all solvers. */
export const WHOLE = 'core'
/** From so many bytes on a text takes longer to be read a second time than the whole module takes to come. */
const READ_ONCE = 8_000_000

/** Where modules come from. */
export interface Modules {
  /** a new core of the module, which is fetched */
  load(module: string): Promise<Core>
  /** which solvers each has, those of one family first, the whole last; without the lean one */
  families: Readonly<Record<string, readonly string[]>>
}

const isShort = (csv: Text): csv is string => typeof csv === 'string'
/** The lean module reads no task CSV. A text that may be one goes to a full module, which tells for sure. */
const mayBeTasks = (csv: string) => /^\W*(tiled|task)\b/m.test(csv)

type Opened = Extract<Request, { type: 'open' | 'openGraph' }>

/** Which module a visit is in, what that can be asked, and how another one comes to where it is. */
export class Visit {
  #module: string
  #opened: Opened | null = null
  #config: RunRequest | null = null
  readonly #coming = new Map<string, Promise<Core>>()
  readonly #modules: Modules

  constructor(modules: Modules, lean: boolean) {
    this.#modules = modules
    this.#module = lean ? LEAN : HOME
  }

  get lean(): boolean {
    return this.#module === LEAN
  }

  /** The module that it is in. */
  get moduleNow(): string {
    return this.#module
  }

  /** The core that the visit begins with. */
  first(): Promise<Core> {
    return this.#modules.load(this.#module)
  }

  /** The module that a run is to be in: the present one if that has its solver, the whole one for a solver that nobody knows. */
  moduleOf(solver: string): string {
    const { families } = this.#modules
    const has = (module: string) => families[module]?.includes(solver) ?? false
    if (this.lean ? solver === LEAN_SOLVER && this.#config === null : has(this.#module)) return this.#module
    const names = Object.keys(families)
    return names.find(has) ?? (this.lean ? HOME : this.#module)
  }

  /** Whether it has all solvers, or there is no module that has. */
  get whole(): boolean {
    return this.#module === WHOLE || this.#modules.families[WHOLE] === undefined
  }

  get explains(): boolean {
    return this.#modules.families[this.#module]?.includes(EXPLAINER) ?? false
  }

  /** Whether the lean module will do. A run goes by its solver. */
  takes(request: Request): boolean {
    if (!this.lean) return true
    switch (request.type) {
      case 'lean':
      case 'manifest':
      case 'seek':
      case 'find':
      case 'digest':
      case 'cancel':
      case 'run':
        return true
      case 'open':
        return this.#opened === null && request.profile === null && isShort(request.csv) && !mayBeTasks(request.csv)
      default:
        return false
    }
  }

  opened(request: Opened): void {
    this.#opened = request
  }

  /** Remembers the profile and the options with which the core opened the same text or graph again. */
  reopened({ options, profile }: Extract<Request, { type: 'reopen' }>): void {
    const opened = this.#opened
    if (opened !== null)
      this.#opened = opened.type === 'open' ? { ...opened, profile } : { ...opened, options, profile }
  }

  /** The whole module for a text of so many bytes, so that no solver has it read again. Null: the present one will do, or is all there is. */
  async wholeFor(bytes: number): Promise<Core | null> {
    if (bytes < READ_ONCE || this.#module === WHOLE || this.#modules.families[WHOLE] === undefined) return null
    return this.#taken(WHOLE).catch(() => null)
  }

  started(config: RunRequest): void {
    this.#config = config
  }

  moved(module: string): void {
    this.#module = module
  }

  /** A core of that module with the problem, fetched once, or again if that failed. Rejects with a ClientError. */
  async bring(module: string): Promise<Core> {
    const core = await this.#taken(module)
    if (this.#opened) await reopen(core, this.#opened)
    return core
  }

  /** Fetches the module of a solver that is likely to run next. If that fails, its run tries again. */
  prefetch(solver: string): void {
    const module = this.moduleOf(solver)
    if (module !== this.#module) void this.#ahead(module).catch(() => undefined)
  }

  /** A core of the module for whoever asks, who has it alone. */
  async #taken(module: string): Promise<Core> {
    const core = await this.#ahead(module)
    this.#coming.delete(module)
    return core
  }

  /** A core of the module, made once for all who wait for it, and kept until one has taken it. */
  #ahead(module: string): Promise<Core> {
    const before = this.#coming.get(module)
    if (before !== undefined) return before
    const coming = this.#fetch(module)
    this.#coming.set(module, coming)
    coming.catch(() => this.#coming.delete(module))
    return coming
  }

  async #fetch(module: string): Promise<Core> {
    try {
      return await this.#modules.load(module)
    } catch (error) {
      if (error instanceof ClientError && error.reason === 'memory') throw error
      throw new ClientError(LOST, 'protocol', { cause: error })
    }
  }

  /** Takes the run to where it is in the lean module. running: it goes on afterwards. */
  repeat(lean: Core, home: Core, running: boolean): void {
    if (this.#opened === null || this.#config === null) return
    home.start(this.#config)
    const { steps, outcome } = lean.stats()
    home.step(steps)
    if (outcome === 'cancelled') home.cancel()
    else if (!running) while (home.step(MANY_STEPS) === 'running');
  }
}

/** A text that is no blob is read at once: nothing comes in between. */
async function reopen(core: Core, request: Opened): Promise<void> {
  if (request.type === 'openGraph') core.openGraph(request.graph, request.options, request.profile)
  else if (typeof request.csv === 'string') core.open(request.csv, request.profile)
  else core.open(new Uint8Array(await request.csv.arrayBuffer()), request.profile)
}
