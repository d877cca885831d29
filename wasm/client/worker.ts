import coreUrl from '../../build/wasm/core.wasm?url'
import leanUrl from '../../build/wasm/lean.wasm?url'
import manifest from '../../build/wasm/manifest.json?raw'
import { Core } from './core'
import { channelDefer, receiver } from './driver'
import { type Exports, loadExports, notFetched } from './module'
import type { Alive, Reply, Request } from './protocol'

/** What a dedicated worker's global is, as far as it is used here. */
interface Scope {
  onmessage: ((event: MessageEvent<Request>) => void) | null
  postMessage(reply: Reply | Alive, transfer: ArrayBuffer[]): void
}

async function load(url: string): Promise<Exports> {
  const answer = await fetch(new URL(url, import.meta.url)).catch((error: Error) => notFetched(error.message))
  if (answer instanceof Error) throw answer
  return loadExports(answer)
}

async function whole(): Promise<Core> {
  return new Core(await load(coreUrl))
}

async function lean(): Promise<Core> {
  return new Core(await load(leanUrl), undefined, undefined, manifest)
}

const scope = self as unknown as Scope
const port = { post: (reply: Reply, transfer: ArrayBuffer[]) => scope.postMessage(reply, transfer) }
const receive = receiver(port, { lean, whole }, performance, channelDefer())
scope.onmessage = (event) => receive(event.data)

// whoever waits for the lock is told when this worker is no more; only pages of secure origins have locks
const lock = navigator.locks && `arenascope worker ${crypto.randomUUID()}`
void navigator.locks?.request(lock, () => {
  scope.postMessage({ type: 'alive', lock }, [])
  return new Promise(() => undefined)
})
