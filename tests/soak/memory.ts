/** What a page holds, after its garbage was collected: by the browser's own account, of the page and of its worker. */
import type { CDPSession, Page, Worker } from 'playwright-core'

export interface Held {
  /** bytes of the page's JavaScript but for its code, and of the arrays that it holds */
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
/** What V8 compiles comes when it finds the time, and goes when it likes; what the browser keeps beside is counted by `nodes` and `listeners`. */
const NOT_HELD = new Set(['code', 'native'])

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

interface Snapshot {
  snapshot: { meta: { node_fields: string[]; node_types: [string[], ...unknown[]] } }
  nodes: number[]
}

/** Bytes of the objects of a page, by a snapshot of its heap. */
async function objects(session: CDPSession): Promise<number> {
  const chunks: string[] = []
  const add = ({ chunk }: { chunk: string }) => chunks.push(chunk)
  session.on('HeapProfiler.addHeapSnapshotChunk', add)
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  session.off('HeapProfiler.addHeapSnapshotChunk', add)
  const { snapshot, nodes } = JSON.parse(chunks.join('')) as Snapshot
  const { node_fields: fields, node_types: types } = snapshot.meta
  const [type, size] = [fields.indexOf('type'), fields.indexOf('self_size')]
  let sum = 0
  for (let k = 0; k < nodes.length; k += fields.length)
    if (!NOT_HELD.has(types[0][nodes[k + type] ?? 0] ?? '')) sum += nodes[k + size] ?? 0
  return sum
}

export async function watchMemory(page: Page): Promise<() => Promise<Held>> {
  const session = await page.context().newCDPSession(page)
  const inside = new Inside(session)
  await inside.start()
  const solver = solverOf(page)
  await rememberModules(solver)
  return async () => {
    // what a collection lets go of may hold more
    for (let k = 0; k < 2; k++) await inside.ask('HeapProfiler.collectGarbage')
    // a snapshot collects until nothing falls any more
    const own = await objects(session)
    const { backingStorageSize } = (await session.send('Runtime.getHeapUsage')) as Usage
    const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters')
    const { usedSize } = (await inside.ask('Runtime.getHeapUsage')) as Usage
    const wasm = await solver.evaluate(() => (Reflect.get(globalThis, 'moduleBytes') as () => number)())
    return {
      page: own,
      arrays: backingStorageSize ?? 0,
      nodes,
      listeners: jsEventListeners,
      worker: usedSize,
      wasm,
      workers: inside.count,
    }
  }
}
