/** What a page holds, after its garbage was collected: by the browser's own account, of the page and of its worker. */
import type { CDPSession, Page, Worker } from 'playwright-core'

export interface Held {
  /** bytes of the page's JavaScript, and of the arrays that it holds */
  page: number
  arrays: number
  nodes: number
  listeners: number
  /** bytes of the solver's worker: its JavaScript, and its modules' memories */
  worker: number
  wasm: number
  workers: number
}

interface Usage {
  usedSize: number
  backingStorageSize?: number
}

const SOLVER = 'arenascope'
/** Collections go on as long as one leaves less than this share of what the one before left, but no more often than that. */
const STILL = 0.995
const MOST = 6

/** Talks to the worker through the page's session, which speaks for both. */
class Inside {
  private last = 0
  private readonly waiting = new Map<number, (result: unknown) => void>()
  private readonly sessions = new Map<string, string>()

  constructor(private readonly page: CDPSession) {
    page.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
      if (targetInfo.type === 'worker') this.sessions.set(sessionId, targetInfo.title)
    })
    page.on('Target.detachedFromTarget', ({ sessionId }) => this.sessions.delete(sessionId))
    page.on('Target.receivedMessageFromTarget', ({ message }) => {
      const { id, result } = JSON.parse(message) as { id?: number; result?: unknown }
      if (id !== undefined) this.waiting.get(id)?.(result)
    })
  }

  async start(): Promise<void> {
    await this.page.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: false })
  }

  get count(): number {
    return this.sessions.size
  }

  /** The worker of the solver that the page talks to. */
  async ask(method: string): Promise<unknown> {
    const [session] = [...this.sessions].find(([, title]) => title === SOLVER) ?? []
    if (session === undefined) throw new Error('the page has no solver')
    this.last += 1
    const id = this.last
    const answer = new Promise<unknown>((resolve) => this.waiting.set(id, resolve))
    await this.page.send('Target.sendMessageToTarget', {
      sessionId: session,
      message: JSON.stringify({ id, method, params: {} }),
    })
    const result = await answer
    this.waiting.delete(id)
    return result
  }
}

/** Has the worker remember the memories of its modules, each of which is looked at with every call. */
async function rememberModules(worker: Worker): Promise<void> {
  await worker.evaluate(() => {
    const memories = new Set<WeakRef<WebAssembly.Memory>>()
    const known = new WeakSet<WebAssembly.Memory>()
    const { get } = Object.getOwnPropertyDescriptor(WebAssembly.Memory.prototype, 'buffer') ?? {}
    if (get === undefined) throw new Error('memories have no buffer')
    Object.defineProperty(WebAssembly.Memory.prototype, 'buffer', {
      get(this: WebAssembly.Memory) {
        if (!known.has(this)) memories.add(new WeakRef(this))
        known.add(this)
        return get.call(this)
      },
    })
    const bytes = () => [...memories].reduce((sum, ref) => sum + (ref.deref()?.buffer.byteLength ?? 0), 0)
    Reflect.set(globalThis, 'moduleBytes', bytes)
  })
}

function solverOf(page: Page): Worker {
  const found = page.workers().find((worker) => /\/worker-[^/]*\.js$/.test(worker.url()))
  if (found === undefined) throw new Error('the page has no solver')
  return found
}

export async function watchMemory(page: Page): Promise<() => Promise<Held>> {
  const session = await page.context().newCDPSession(page)
  const inside = new Inside(session)
  await inside.start()
  const solver = solverOf(page)
  await rememberModules(solver)
  const collect = async () => {
    await session.send('HeapProfiler.collectGarbage')
    await inside.ask('HeapProfiler.collectGarbage')
  }
  const usage = async () => (await session.send('Runtime.getHeapUsage')) as Usage
  return async () => {
    await collect()
    let own = await usage()
    // what a collection lets go of may hold more, on a busy machine until some time later
    for (let before = Number.POSITIVE_INFINITY, k = 0; own.usedSize < before * STILL && k < MOST; k++) {
      before = own.usedSize
      await collect()
      own = await usage()
    }
    const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters')
    const { usedSize } = (await inside.ask('Runtime.getHeapUsage')) as Usage
    const wasm = await solver.evaluate(() => (Reflect.get(globalThis, 'moduleBytes') as () => number)())
    return {
      page: own.usedSize,
      arrays: own.backingStorageSize ?? 0,
      nodes,
      listeners: jsEventListeners,
      worker: usedSize,
      wasm,
      workers: inside.count,
    }
  }
}
