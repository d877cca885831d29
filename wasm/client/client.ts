import { revived } from './names'
import type { WorkerLike } from './host'
import { pageWorker } from './page_worker'
import {
  type Alive,
  type ErrorReason,
  handedOver,
  PROTOCOL,
  type Question,
  type Reply,
  type Request,
  type SentFrame,
} from './protocol'
import {
  type ReopenResult,
  type Client,
  ClientError,
  type Condition,
  type ExplainConfig,
  type ExplainProgress,
  type Explanation,
  type FindKind,
  type Frame,
  type Manifest,
  type OpenGraphResult,
  type OpenProgress,
  type OpenResult,
  type Options,
  type PackedGraph,
  type Situation,
  type ProfileSpec,
  type ProgramModel,
  type Progress,
  type RunRequest,
  type RunResult,
  type SelectConfig,
  type Selection,
  type Sought,
  type Text,
  type TreePath,
} from './types'

type Answer<T extends Question['type']> = Extract<Reply, { type: AnswerType[T] }>
interface AnswerType {
  ping: 'pong'
  complete: 'complete'
  manifest: 'manifest'
  open: 'opened'
  openGraph: 'graph'
  reopen: 'reopened'
  program: 'program'
  packing: 'program'
  tile: 'tiled'
  select: 'selected'
  generate: 'generated'
  run: 'ended'
  resume: 'ended'
  explain: 'explained'
  seek: 'frame'
  find: 'found'
  scan: 'sought'
  path: 'path'
  digest: 'digest'
  export: 'exported'
}

/** Whoever is asked to stop and reads no message for so long is given up, in milliseconds. */
export const PATIENCE = 2000

/** Replies that come before the answer. */
type Interim = Extract<Reply, { type: 'progress' | 'opening' | 'explaining' }>

interface Pending {
  resolve(reply: Reply): void
  reject(error: ClientError): void
  interim: ((reply: Interim) => void) | null
}

type Given = Extract<Question, { type: 'open' | 'openGraph' }>

/** What goes over to the worker while the page keeps its own. */
function copyOf({ numbers, words, text }: PackedGraph): PackedGraph {
  return { numbers: numbers.slice(), words: words.slice(), text: text.slice() }
}

class WorkerClient implements Client {
  readonly #makeWorker: () => WorkerLike
  readonly #pending = new Map<number, Pending>()
  #worker: WorkerLike | null = null
  #lastId = 0
  /** number of the open asked for last */
  #lastOpen = 0
  /** the problem that a new worker has to be given again */
  #open: Given | null = null
  /** what its text suggests */
  #suggestedCapacity: number | null = null
  /** the worker has taken it, and so many others are on their way there */
  #has = false
  #opening = 0
  /** of the last frame that had one */
  #situation: Pick<Situation, 'problem' | 'order'> | null = null
  /** what the last run was asked to do */
  #config: RunRequest | null = null
  /** why the run is gone, with its worker */
  #lost: ClientError | null = null
  /** whether the worker has said that it is ready, and is being waited for because it was asked to stop */
  #ready = false
  #probing = false
  #manifest: Promise<Manifest> | null = null
  /** the next worker begins with the lean module */
  #lean = false
  #disposed = false

  constructor(makeWorker: () => WorkerLike) {
    this.#makeWorker = makeWorker
  }

  beginLean(): void {
    this.#lean = this.#worker === null
  }

  async complete(): Promise<void> {
    await this.#ask({ type: 'complete' })
  }

  prefetch(solver: string): void {
    this.#worker?.postMessage({ type: 'prefetch', solver } satisfies Request, [])
  }

  manifest(): Promise<Manifest> {
    if (!this.#manifest) {
      const asked = this.#ask({ type: 'manifest' }).then((reply) => reply.manifest)
      asked.catch(() => {
        this.#manifest = null
      })
      this.#manifest = asked
    }
    return this.#manifest
  }

  async open(
    csv: Text,
    profile: ProfileSpec | null = null,
    progress: (p: OpenProgress) => void = () => undefined,
  ): Promise<OpenResult> {
    const given: Given = { type: 'open', csv, profile }
    if (this.#isOpen('open', csv)) {
      const result = await this.#reopen(given, {})
      return result.ok ? { ok: true, problem: result.problem, suggestedCapacity: this.#suggestedCapacity } : result
    }
    const asked = this.#ask(given, (reply) => {
      if (reply.type === 'opening') progress(reply.progress)
    })
    this.#lastOpen = this.#lastId
    const result = this.#taken(await this.#answered(asked), given)
    if (result.ok) this.#suggestedCapacity = result.suggestedCapacity
    return result
  }

  leaveOpen(): void {
    this.#worker?.postMessage({ type: 'leave', open: this.#lastOpen } satisfies Request, [])
    this.#probe()
  }

  async openGraph(
    graph: string | PackedGraph,
    options: Options,
    profile: ProfileSpec | null = null,
  ): Promise<OpenGraphResult> {
    const given: Given = { type: 'openGraph', graph, options, profile }
    if (!this.#isOpen('openGraph', graph)) {
      const asked = this.#ask({ ...given, graph: typeof graph === 'string' ? graph : copyOf(graph) })
      return this.#taken(await this.#answered(asked), given)
    }
    const result = await this.#reopen(given, options)
    if (!result.ok || result.model !== null) return result
    throw new ClientError('The solver has lost the model.', 'protocol')
  }

  /** Whether the worker has just that and is not about to have something else. */
  #isOpen(type: Given['type'], given: Text | PackedGraph): boolean {
    const open = this.#open
    const same = open?.type === type && given === (open.type === 'open' ? open.csv : open.graph)
    return same && this.#has && this.#opening === 0
  }

  /** Has the worker open what it already has, for another memory or with other options: the text or graph is neither sent nor read again. */
  async #reopen(given: Given, options: Options): Promise<ReopenResult> {
    try {
      const { result } = await this.#ask({ type: 'reopen', options, profile: given.profile })
      return this.#taken(result, given)
    } catch (error) {
      this.#has = false
      throw error
    }
  }

  async #answered<R>(asked: Promise<{ result: R }>): Promise<R> {
    this.#opening++
    try {
      return (await asked).result
    } finally {
      this.#opening--
    }
  }

  #taken<R extends OpenResult | ReopenResult>(result: R, given: Given): R {
    if (!result.ok) return result
    this.#open = given
    this.#has = true
    result.problem.ids = revived(result.problem.ids)
    return result
  }

  async program(capacity: number, model: ProgramModel, most: number): Promise<string | null> {
    return (await this.#ask({ type: 'program', capacity, model, most })).text
  }

  async packing(capacity: number, most: number): Promise<string | null> {
    return (await this.#ask({ type: 'packing', capacity, most })).text
  }

  async tile(capacity: number, options: Options): Promise<Text> {
    return (await this.#ask({ type: 'tile', capacity, options })).csv
  }

  async select(config: SelectConfig): Promise<Selection> {
    return (await this.#ask({ type: 'select', config })).selection
  }

  async generate(kind: string, n: number, seed: number): Promise<{ csv: Text; capacity: number }> {
    const { csv, capacity } = await this.#ask({ type: 'generate', kind, n, seed })
    return { csv, capacity }
  }

  async run(config: RunRequest, progress: (p: Progress) => void): Promise<RunResult> {
    this.#config = config
    this.#lost = null
    return (await this.#ask({ type: 'run', config }, this.#told(progress))).result
  }

  cancel(): void {
    this.#worker?.postMessage({ type: 'cancel' } satisfies Request, [])
    this.#probe()
  }

  async resume(budget: number, progress: (p: Progress) => void): Promise<RunResult> {
    // the same search once more, which ends the same way
    if (this.#lost && this.#config) return this.run({ ...this.#config, budget }, progress)
    return (await this.#ask({ type: 'resume', budget }, this.#told(progress))).result
  }

  async explain(config: ExplainConfig, progress: (p: ExplainProgress) => void): Promise<Explanation> {
    const { capacity, seed, budget } = config
    const { explanation } = await this.#ask({ type: 'explain', capacity, seed, budget }, (reply) => {
      if (reply.type === 'explaining') progress(reply.progress)
    })
    return explanation
  }

  async seek(step: number, before: number, after: number): Promise<Frame | null> {
    return this.#whole((await this.#askOfRun({ type: 'seek', step, before, after })).frame)
  }

  #told(progress: (p: Progress) => void): (reply: Interim) => void {
    return (reply) => {
      if (reply.type === 'progress') progress({ ...reply.progress, frame: this.#whole(reply.progress.frame) })
    }
  }

  /** A frame with its situation, which is that of the frame before if none came along. */
  #whole(frame: SentFrame | null): Frame | null {
    if (frame?.situation === undefined) return frame as Frame | null
    const { known, ...situation } = frame.situation
    if (known !== null) this.#situation = { ...known, problem: { ...known.problem, ids: revived(known.problem.ids) } }
    if (this.#situation === null) throw new ClientError('A frame came without its situation.', 'protocol')
    return { ...frame, situation: { ...situation, ...this.#situation } }
  }

  async find(from: number, forward: boolean, kind: FindKind): Promise<number> {
    return (await this.#askOfRun({ type: 'find', from, forward, kind })).step
  }

  async scan(from: number, forward: boolean, conditions: readonly Condition[], budget: number): Promise<Sought | null> {
    return (await this.#askOfRun({ type: 'scan', from, forward, conditions, budget })).sought
  }

  async path(step: number, levels: number, most: number, limit: number): Promise<TreePath | null> {
    return (await this.#askOfRun({ type: 'path', step, levels, most, limit })).path
  }

  async digestAt(step: number): Promise<string> {
    return (await this.#askOfRun({ type: 'digest', step })).digest
  }

  async exportCsv(offsets: Float64Array<ArrayBuffer> | null): Promise<Text> {
    return (await this.#ask({ type: 'export', offsets })).csv
  }

  dispose(): void {
    this.#disposed = true
    this.#drop(new ClientError('The solver was closed.', 'protocol'))
  }

  /** About the run, which is gone if its worker is. */
  #askOfRun<Q extends Question>(question: Q): Promise<Answer<Q['type']>> {
    return this.#lost && !this.#disposed ? Promise.reject(this.#lost) : this.#ask(question)
  }

  /**
   * Replaces the worker if it reads no messages: one call takes it too long, or it has died without a word. Not while it still has to be
   * fetched, which the network decides.
   */
  #probe(): void {
    const worker = this.#worker
    if (this.#probing || !worker || !this.#ready || this.#pending.size === 0) return
    this.#probing = true
    let timer: ReturnType<typeof setTimeout>
    const giveUp = () => {
      const seconds = PATIENCE / 1000
      this.#drop(new ClientError(`It did not answer for ${seconds} seconds.`, 'silent'))
    }
    // in halves: a page that was held up itself reads the answer between them
    timer = setTimeout(() => {
      timer = setTimeout(giveUp, PATIENCE / 2)
    }, PATIENCE / 2)
    const heard = () => {
      clearTimeout(timer)
      this.#probing = false
    }
    this.#ask({ type: 'ping' }).then(heard, heard)
  }

  #ask<Q extends Question>(question: Q, interim: Pending['interim'] = null): Promise<Answer<Q['type']>> {
    return new Promise((resolve, reject) => {
      if (this.#disposed) throw new ClientError('The solver was closed.', 'protocol')
      const worker = this.#worker ?? this.#start()
      const id = ++this.#lastId
      // the reply's type follows from the request's; #receive gives each id only what answers it
      const request = { ...question, id } as Request
      worker.postMessage(request, handedOver(request))
      this.#pending.set(id, { resolve: resolve as (reply: Reply) => void, reject, interim })
    })
  }

  #start(): WorkerLike {
    const worker = this.#makeWorker()
    this.#ready = false
    this.#worker = worker
    worker.onmessage = ({ data }: MessageEvent<Reply | Alive>) => this.#receive(data)
    worker.onclose = () => this.#drop(new ClientError('Its worker ended without a word.', 'silent'))
    worker.onmessageerror = () => this.#drop(new ClientError('A reply of the solver could not be read.', 'protocol'))
    worker.onerror = (event) => {
      const told = event.message ? ` (${event.message})` : ''
      if (this.#ready) this.#drop(new ClientError(`The solver stopped${told}.`, 'trap'))
      else this.#drop(new ClientError(`The solver’s worker could not be started${told}.`, 'protocol'))
    }
    if (this.#lean) worker.postMessage({ type: 'lean' } satisfies Request, [])
    this.#lean = false
    // nobody waits for this reply: if it fails, the call that comes next says so
    if (this.#open !== null) worker.postMessage({ ...this.#open, id: ++this.#lastId } satisfies Request, [])
    return worker
  }

  #receive(reply: Reply | Alive): void {
    if (reply.type === 'alive') return
    if (reply.type === 'ready') this.#checkVersion(reply.protocol)
    else if (reply.type === 'broken') this.#drop(new ClientError(brokenMessage(reply), reply.reason))
    else this.#answer(reply)
  }

  #checkVersion(protocol: number): void {
    this.#ready = protocol === PROTOCOL
    if (this.#ready) return
    this.#drop(new ClientError('The page and its solver are of different versions: reload the page.', 'protocol'))
  }

  #answer(reply: Exclude<Reply, { type: 'ready' | 'broken' }>): void {
    const pending = this.#pending.get(reply.id)
    if (!pending) return
    if (reply.type === 'progress' || reply.type === 'opening' || reply.type === 'explaining') {
      pending.interim?.(reply)
      return
    }
    this.#pending.delete(reply.id)
    if (reply.type === 'error') pending.reject(new ClientError(reply.message, reply.reason))
    else pending.resolve(reply)
  }

  /** Throws the worker away and everything that waits for it. The next request makes a new one. */
  #drop(error: ClientError): void {
    const worker = this.#worker
    this.#worker = null
    this.#has = false
    if (worker) {
      worker.onmessage = worker.onerror = worker.onmessageerror = worker.onclose = null
      worker.terminate()
    }
    if (this.#config) this.#lost ??= error
    const pending = [...this.#pending.values()]
    this.#pending.clear()
    for (const { reject } of pending) reject(error)
  }
}

function brokenMessage({ reason, message }: { reason: ErrorReason; message: string }): string {
  return reason === 'trap' ? `The solver stopped unexpectedly (${message}).` : message
}

/** Starts a worker with the first request. makeWorker is for tests and for other hosts than a page. */
export function createClient(makeWorker: () => WorkerLike = pageWorker): Client {
  return new WorkerClient(makeWorker)
}
